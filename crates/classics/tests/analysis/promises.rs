//! The promises of the suggestion, checked by a plain brute-force solver.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory};
use tabiya_classics::analysis::suggest;
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};
use tabiya_notation::pgn::{Game, Reader};

use crate::games::{Rng, random_line};

/// Returns whether the side to move can force mate in at most `moves` moves.
fn mates(board: &Board, moves: u32) -> bool {
    moves > 0
        && board
            .legal_moves()
            .iter()
            .any(|&mv| is_lost(&board.after_unchecked(mv), moves - 1))
}

/// Returns whether the side to move is mated, or cannot avoid mate in at most `moves` moves of the opponent.
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

/// The kind of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Over,
    Mates,
    Safe,
    /// Some moves allow a mate, but the suggested one doesn't.
    Careful,
    Lost,
}

/// Checks the promises in a position, with very few nodes for the engine.
fn check(line: &GameHistory) -> Case {
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
    // What the other moves allow is not part of a promise, so the fast prover is good enough.
    let mut prover = Prover::new(1);
    let mut moves = board.legal_moves().into_iter();
    if moves.any(|mv| prover.allows_mate(board, mv, 3, &ProofLimits::NONE) == Some(true)) {
        Case::Careful
    } else {
        Case::Safe
    }
}

fn count(cases: &[Case], case: Case) -> usize {
    cases.iter().filter(|&&other| other == case).count()
}

#[test]
fn promises_hold_in_random_games() {
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

/// Mates to give, mates to avoid, and mates that cannot be avoided.
#[test]
fn promises_hold_in_difficult_positions() {
    for (fen, wanted) in FENS {
        let board: Board = fen.parse().unwrap();
        assert!(check(&GameHistory::new(board)) == *wanted, "{fen}");
    }
}

const FENS: &[(&str, Case)] = &[
    // Mate in one on the back rank; mate by castling.
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", Case::Mates),
    ("8/P7/3R4/6p1/8/4k3/8/R3K2R w KQ - 0 1", Case::Mates),
    // The back rank is weak: White must make room for the king or guard it.
    ("1r4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Case::Careful),
    // Two rooks mate whatever the lone king does.
    ("7k/R7/8/8/8/8/8/1R5K b - - 0 1", Case::Lost),
    // Scholar's mate, smothered mate, and Morphy's mate in two with a rook sacrifice.
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        Case::Mates,
    ),
    ("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", Case::Mates),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Case::Mates),
    // The same threat of mate, with the other side to move.
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 4 4",
        Case::Careful,
    ),
    // The rooks mate in one; then checkmate and stalemate.
    ("7k/R7/8/8/8/8/8/1R5K w - - 0 1", Case::Mates),
    ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", Case::Over),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Case::Over),
];

/// The same game always gets the same suggestion, and more nodes don't change a mate.
#[test]
fn suggestions_are_deterministic() {
    let mut rng = Rng(8);
    for _ in 0..5 {
        let line = random_line(&mut rng, 40);
        let first = suggest(&line, 5_000);
        assert_eq!(suggest(&line, 5_000), first, "{}", line.board());
    }
    let mating = GameHistory::new("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().unwrap());
    for nodes in [0, 1, 100, u64::MAX] {
        let suggestion = suggest(&mating, nodes).unwrap();
        assert_eq!(suggestion.to_string(), "suggest white rook from d1 to d8");
    }
}

/// Famous games, which are facts.
const FAMOUS_GAMES: &[u8] = include_bytes!("data/games.pgn");

/// A larger file of games, if it is there. It is not part of the repository.
fn more_games() -> Option<Vec<u8>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games/lichess_db_1000k.pgn");
    fs::read(path).ok()
}

fn read_games(text: &[u8]) -> Vec<GameHistory> {
    let mut reader = Reader::new(text);
    let mut lines = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        let game = game.expect("the file is sound");
        let mut line = GameHistory::default();
        for mv in game.main_line().filter_map(|node| game.move_to(node)) {
            line.play(mv);
        }
        lines.push(line);
    }
    lines
}

/// Returns every n-th position of the games.
fn positions(games: Vec<GameHistory>, every: usize) -> Vec<GameHistory> {
    let mut positions = Vec::new();
    for (number, mut line) in games.into_iter().enumerate() {
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
fn promises_hold_in_famous_games() {
    let games = read_games(FAMOUS_GAMES);
    assert_eq!(games.len(), 8);
    let cases: Vec<Case> = positions(games, 12).iter().map(check).collect();
    assert!(cases.len() > 20);
    assert!(count(&cases, Case::Careful) > 0);
    assert!(count(&cases, Case::Safe) > 0);
}

/// In most of these games, the winner was about to give mate.
#[test]
fn finds_the_mates_of_famous_games() {
    let mut found = 0;
    for mut game in read_games(FAMOUS_GAMES) {
        if !game.board().is_checkmate() {
            continue;
        }
        for _ in 0..2 {
            game.undo();
            assert!(check(&game) == Case::Mates || game.board().is_check());
            game.undo();
        }
        found += 1;
    }
    assert_eq!(found, 7);
}

#[test]
fn promises_hold_in_more_games() {
    let games = more_games().map_or_else(Vec::new, |text| read_games(&text));
    for line in positions(games, 30).iter().step_by(25) {
        check(line);
    }
}

/// Measures how long the proofs take, without the engine's search:
/// `cargo test --release -p tabiya-classics --test analysis -- --ignored --nocapture`.
#[test]
#[ignore = "measures time, in a release build"]
fn time_of_proofs() {
    let text = more_games().unwrap_or_else(|| FAMOUS_GAMES.to_vec());
    let positions = positions(read_games(&text), 25);
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut all: Vec<Duration> = Vec::new();
    for line in positions.iter().take(1_000) {
        let board = line.board();
        // A suggestion proves at least our own mate and what one move allows, and at worst what all moves allow.
        let start = Instant::now();
        let mut prover = Prover::new(16);
        let verdict = prover.mate(board, 3, &ProofLimits::NONE);
        if let (MateVerdict::NoMate, Some(&mv)) = (verdict, board.legal_moves().first()) {
            prover.allows_mate(board, mv, 3, &ProofLimits::NONE);
        }
        times.push((start.elapsed(), board.to_string()));
        for mv in board.legal_moves() {
            prover.allows_mate(board, mv, 3, &ProofLimits::NONE);
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
