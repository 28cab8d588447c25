//! Compares the engine's evaluation with the trainer's.
//!
//! `training/evaluations.py` writes positions and the output of a network. The test reads them for the embedded
//! network, and for the network in the folder that TABIYA_AGREEMENT names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_board::Board;
use tabiya_engine::Network;

/// Returns network files and their evaluations.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pairs = Vec::new();
    pairs.push((here.join("network.nn"), here.join("tests/evaluations.tsv")));
    if let Some(folder) = std::env::var_os("TABIYA_AGREEMENT") {
        let folder = PathBuf::from(folder);
        pairs.push((folder.join("network.nn"), folder.join("evaluations.tsv")));
    }
    pairs
}

#[test]
fn evaluation_agrees_with_the_trainer() {
    for (network, evaluations) in pairs() {
        let bytes = fs::read(&network).expect("a readable file");
        let network = Arc::new(Network::read(&bytes).expect("a network"));
        let text = fs::read_to_string(&evaluations).expect("a readable file");
        let mut count = 0;
        for line in text.lines() {
            let (fen, value) = line.split_once('\t').expect("a FEN, a tab, a value");
            let board: Board = fen.parse().expect("a FEN");
            let value: i32 = value.parse().expect("a number");
            assert_eq!(network.evaluate(&board), value, "{fen}");
            count += 1;
        }
        assert!(
            count >= 1000,
            "{count} positions in {}",
            evaluations.display()
        );
    }
}
