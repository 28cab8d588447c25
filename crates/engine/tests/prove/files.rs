//! Mates with a known distance, from files.

use std::fs;
use std::path::{Path, PathBuf};

use tabiya_board::Board;
use tabiya_engine::prove::{MateProblem, MateVerdict, ProofLimits, Prover};
use tabiya_notation::Epd;

use crate::naive::distance;

/// The positions of a file of mates, and their distances.
fn problems(path: &Path) -> Vec<(Board, u32)> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let epd: Epd = line
                .parse()
                .unwrap_or_else(|error| panic!("{line}: {error}"));
            let problem = MateProblem::from(&epd);
            (problem.board, problem.distance.expect("the distance, dm"))
        })
        .collect()
}

fn own_problems() -> Vec<(Board, u32)> {
    problems(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mates.epd"))
}

/// Proves that there is a mate of exactly this distance, and that the line is one.
fn check(prover: &mut Prover, board: &Board, moves: u32) {
    let shorter = prover.mate(board, moves - 1, &ProofLimits::NONE);
    assert_eq!(shorter, MateVerdict::NoMate, "{board}");
    let verdict = prover.mate(board, moves + 1, &ProofLimits::NONE);
    let MateVerdict::Mate { moves: found, line } = verdict else {
        panic!("{board}: {verdict:?}");
    };
    assert_eq!(found, moves, "{board}");
    assert_eq!(line.len() as u32, 2 * moves - 1, "{board}");
    let mut now = *board;
    for mv in line {
        assert!(now.is_legal(mv), "{board}");
        now.play(mv);
    }
    assert!(now.is_checkmate(), "{board}");
}

#[test]
fn prover_finds_the_known_distances() {
    let mut prover = Prover::default();
    let mut counts = [0; 5];
    for (board, moves) in own_problems() {
        check(&mut prover, &board, moves);
        counts[moves as usize - 1] += 1;
    }
    assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
}

#[test]
fn plain_solver_finds_the_short_distances() {
    for (board, moves) in own_problems() {
        if moves <= 2 {
            assert_eq!(distance(&board, moves), Some(moves), "{board}");
        }
    }
}

/// Proves every `step`th position of a larger collection, where it is present.
fn check_collection(moves: u32, step: usize) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/mates")
        .join(format!("mate_in_{moves}.epd"));
    if !path.exists() {
        eprintln!("skipped: {} does not exist", path.display());
        return;
    }
    let mut prover = Prover::default();
    for (board, distance) in problems(&path).iter().step_by(step) {
        assert_eq!(*distance, moves, "{board}");
        check(&mut prover, board, moves);
    }
}

#[test]
fn collection_of_mates_in_one_to_three() {
    check_collection(1, 1);
    check_collection(2, 1);
    check_collection(3, 1);
}

/// Only some of them: the longer mates take longer.
#[test]
fn collection_of_mates_in_four_and_five() {
    check_collection(4, 10);
    check_collection(5, 50);
}
