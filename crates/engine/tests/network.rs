//! The engine evaluates exactly like the trainer's reference.
//!
//! `training/evaluations.py` writes positions and what a network says about them. They are compared for the network
//! that is shipped, and for the one in the folder that TABIYA_AGREEMENT names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_board::Board;
use tabiya_engine::Network;

/// The files of networks and of their evaluations.
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
fn a_thousand_positions_are_worth_what_the_trainer_says() {
    for (network, evaluations) in pairs() {
        let bytes = fs::read(&network).expect("the network can be read");
        let network = Arc::new(Network::read(&bytes).expect("it is a network"));
        let text = fs::read_to_string(&evaluations).expect("the evaluations can be read");
        let mut count = 0;
        for line in text.lines() {
            let (fen, value) = line.split_once('\t').expect("a FEN, a tab, a value");
            let board: Board = fen.parse().expect("it is a FEN");
            let value: i32 = value.parse().expect("it is a number");
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
