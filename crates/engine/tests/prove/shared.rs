//! Mates with a known distance from files that are not part of the project.

use std::fs;
use std::path::PathBuf;

use tabiya_board::Board;
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};

/// The positions of a file, or nothing, with a line that says so, where it is not there.
fn mates(moves: u32) -> Option<Vec<Board>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/mates")
        .join(format!("mate_in_{moves}.epd"));
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return None;
    };
    let boards = text.lines().map(|line| {
        let (position, distance) = line.split_once(" dm ").expect("it tells the distance");
        assert_eq!(distance, format!("{moves};"), "{line}");
        format!("{position} 0 1").parse().expect("it is a position")
    });
    Some(boards.collect())
}

fn prove(moves: u32, every: usize) {
    let mut prover = Prover::default();
    for board in mates(moves).unwrap_or_default().iter().step_by(every) {
        let verdict = prover.mate(board, moves + 1, &ProofLimits::NONE);
        let MateVerdict::Mate { moves: found, line } = verdict else {
            panic!("{board}: {verdict:?}");
        };
        assert_eq!(
            (found, line.len() as u32),
            (moves, 2 * moves - 1),
            "{board}"
        );
        let mut now = *board;
        for mv in line {
            now.play(mv);
        }
        assert!(now.is_checkmate(), "{board}");
        assert_eq!(
            prover.mate(board, moves - 1, &ProofLimits::NONE),
            MateVerdict::NoMate
        );
    }
}

#[test]
fn in_one() {
    prove(1, 1);
}

#[test]
fn in_two() {
    prove(2, 1);
}

#[test]
fn in_three() {
    prove(3, 1);
}

/// The others take longer: `tabiya mate 5 --epd FILE` proves them all.
#[test]
fn some_in_four_and_five() {
    prove(4, 10);
    prove(5, 50);
}
