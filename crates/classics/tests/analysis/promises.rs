//! The promises of the suggestion, checked by a solver that knows no tricks.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_board::{Board, Line};
use tabiya_classics::analysis::suggest;
use tabiya_engine::prove::{Limit, Prover, Verdict};
use tabiya_notation::pgn::{Game, Reader};

use crate::games::{Rng, random_line};

/// Whether the side to move forces mate in at most so many moves.
fn mates(board: &Board, moves: u32) -> bool {
    moves > 0
        && board
            .legal_moves()
            .iter()
            .any(|&mv| is_lost(&board.after_unchecked(mv), moves - 1))
}

/// Whether the side to move is mated, or will be in at most so many moves of the other, whatever it does.
fn is_lost(board: &Board, moves: u32) -> bool {
    let replies = board.legal_moves();
    if replies.is_empty() {
        return board.is_check();
    }
    moves > 0
        && replies
            .iter()
            .all(|&reply| mates(&board.after_unchecked(reply), moves))
}

/// What kind of position it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Over,
    Mates,
    Safe,
    /// Some moves allow a mate, but not the suggested one.
    Careful,
    Lost,
}

/// Checks the promises on a position, with an engine that hardly thinks.
fn check(line: &Line) -> Case {
    let board = line.board();
    let Some(suggestion) = suggest(line, 100) else {
        assert!(!board.has_legal_move(), "{board}");
        return Case::Over;
    };
    assert_eq!(suggestion.side, board.turn());
    assert!(board.is_legal(suggestion.mv), "{suggestion} in {board}");
    let after = board.after(suggestion.mv);
    if mates(board, 3) {
        assert!(is_lost(&after, 2), "{suggestion} in {board}");
        return Case::Mates;
    }
    let allows = |mv| mates(&board.after(mv), 3);
    if allows(suggestion.mv) {
        assert!(
            board.legal_moves().into_iter().all(allows),
            "{suggestion} in {board}"
        );
        return Case::Lost;
    }
    // What the other moves would have allowed is only counted, not promised: the quick solver will do.
    let mut prover = Prover::new(1);
    let mut moves = board.legal_moves().into_iter();
    if moves.any(|mv| prover.allows_mate(board, mv, 3, &Limit::NONE) == Some(true)) {
        Case::Careful
    } else {
        Case::Safe
    }
}

fn count(cases: &[Case], case: Case) -> usize {
    cases.iter().filter(|&&other| other == case).count()
}

#[test]
fn kept_in_random_games() {
    let mut rng = Rng(7);
    let cases: Vec<Case> = (0..60)
        .map(|_| {
            let plies = rng.below(120);
            check(&random_line(&mut rng, plies))
        })
        .collect();
    assert!(count(&cases, Case::Mates) > 0);
    assert!(count(&cases, Case::Careful) > 0);
    assert!(count(&cases, Case::Safe) > 0);
}

/// Positions where little is right: mates to give and to avoid, and nothing to be done about them.
#[test]
fn kept_where_it_is_hard() {
    for (fen, wanted) in FENS {
        let board: Board = fen.parse().unwrap();
        assert!(check(&Line::new(board)) == *wanted, "{fen}");
    }
}

const FENS: &[(&str, Case)] = &[
    // Mate in one, in two by castling, in three with a quiet first move.
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", Case::Mates),
    ("8/P7/3R4/6p1/8/4k3/8/R3K2R w KQ - 0 1", Case::Mates),
    // The back rank is weak: only moves that make room or guard it will do.
    ("1r4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Case::Careful),
    // Two rooks mate whatever the lone king does.
    ("7k/R7/8/8/8/8/8/1R5K b - - 0 1", Case::Lost),
    // Mated, and stalemated.
    ("7k/R7/8/8/8/8/8/1R5K w - - 0 1", Case::Mates),
    ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", Case::Over),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Case::Over),
];

/// The same game gets the same suggestion, and thinking changes nothing about mates.
#[test]
fn the_same_every_time() {
    let mut rng = Rng(8);
    for _ in 0..5 {
        let line = random_line(&mut rng, 40);
        let first = suggest(&line, 5_000);
        assert_eq!(suggest(&line, 5_000), first, "{}", line.board());
    }
    let mating = Line::new("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().unwrap());
    for nodes in [0, 1, 100, u64::MAX] {
        let suggestion = suggest(&mating, nodes).unwrap();
        assert_eq!(suggestion.to_string(), "suggest white rook from d1 to d8");
    }
}

/// The games of a file that is not part of the project, or none, with a line that says so.
fn real_games() -> Vec<Line> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games/lichess_db_1000k.pgn");
    let Ok(text) = fs::read(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return Vec::new();
    };
    let mut reader = Reader::new(&text);
    let mut lines = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        let game = game.expect("the file is sound");
        let mut line = Line::default();
        for mv in game.main_line().filter_map(|node| game.move_to(node)) {
            line.play(mv);
        }
        lines.push(line);
    }
    lines
}

/// Positions of the games, so many plies apart.
fn positions(every: usize) -> Vec<Line> {
    let mut positions = Vec::new();
    for (number, mut line) in real_games().into_iter().enumerate() {
        while line.moves().len() > 0 {
            if (line.moves().len() + number).is_multiple_of(every) {
                positions.push(line.clone());
            }
            line.undo();
        }
    }
    positions
}

#[test]
fn kept_in_real_games() {
    for line in positions(30).iter().step_by(11) {
        check(line);
    }
}

/// How long the proofs take, the engine's thinking not counted:
/// `cargo test --release -p tabiya-classics --test analysis -- --ignored --nocapture`.
#[test]
#[ignore = "it measures time, in a release build"]
fn how_long_proofs_take() {
    let positions = positions(25);
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut all: Vec<Duration> = Vec::new();
    for line in positions.iter().take(1_000) {
        let board = line.board();
        // What a suggestion needs at least: my mate, and what my move allows; and at worst: what all moves allow.
        let start = Instant::now();
        let mut prover = Prover::new(16);
        let verdict = prover.mate(board, 3, &Limit::NONE);
        if let (Verdict::NoMate, Some(&mv)) = (verdict, board.legal_moves().first()) {
            prover.allows_mate(board, mv, 3, &Limit::NONE);
        }
        times.push((start.elapsed(), board.to_string()));
        for mv in board.legal_moves() {
            prover.allows_mate(board, mv, 3, &Limit::NONE);
        }
        all.push(start.elapsed());
    }
    times.sort();
    all.sort();
    let (worst, position) = times.last().expect("there are games");
    println!("{} positions", times.len());
    println!(
        "one move:  median {:?}, worst {worst:?} in {position}",
        times[times.len() / 2].0
    );
    println!(
        "all moves: median {:?}, worst {:?}",
        all[all.len() / 2],
        all[all.len() - 1]
    );
}
