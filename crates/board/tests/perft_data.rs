//! Writes the perft tables of `tests/data` with two independent libraries, shakmaty and cozy-chess.
//!
//! The positions come from random games that shakmaty plays with a seeded generator; the counts are those on which both
//! libraries agree. Our own move generator takes no part. To write the tables again:
//!
//! ```text
//! cargo test --release -p tabiya-board --test perft_data -- --ignored
//! ```

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use common::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use tabiya_board::{Board, Setup};

/// Counts by cozy-chess.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

/// A line of a table: the position and its counts for the depths 1 to 4.
fn line(fen: &str, mode: CastlingMode) -> String {
    let theirs: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(mode)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    let is_chess960 = mode == CastlingMode::Chess960;
    let cozy = cozy_chess::Board::from_fen(fen, is_chess960)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut line = fen.to_owned();
    for depth in 1..=4 {
        let count = shakmaty::perft(&theirs, depth);
        assert_eq!(count, cozy_perft(&cozy, depth), "{fen} at depth {depth}");
        write!(line, " ;D{depth} {count}").unwrap();
    }
    line.push('\n');
    line
}

/// The FEN of a position, with the files of castling rooks for Chess960.
fn fen(position: &Chess, mode: CastlingMode) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    match mode {
        CastlingMode::Standard => fen,
        CastlingMode::Chess960 => {
            let board = Board::new(&Setup::from_fen(&fen).unwrap()).unwrap();
            board.shredder_fen().to_string()
        }
    }
}

/// Positions of random games. Half of the moves are captures, checks, castling or pawn moves, if there are any.
fn random_positions(rng: &mut Rng, mode: CastlingMode, count: usize) -> String {
    let mut table = String::new();
    for _ in 0..count {
        let number = match mode {
            CastlingMode::Standard => 518,
            CastlingMode::Chess960 => rng.below(960) as u16,
        };
        let start = Board::chess960_start(number).shredder_fen().to_string();
        let mut position: Chess = start
            .parse::<Fen>()
            .unwrap()
            .into_position(mode)
            .unwrap_or_else(|error| panic!("{start}: {error}"));
        for _ in 0..4 + rng.below(100) {
            let moves = position.legal_moves();
            let lively: Vec<_> = moves
                .iter()
                .copied()
                .filter(|mv| mv.is_capture() || mv.is_castle() || mv.role() == shakmaty::Role::Pawn)
                .collect();
            let mv = if !lively.is_empty() && rng.once_in(2) {
                rng.pick(&lively)
            } else {
                rng.pick(&moves)
            };
            let next = position.clone().play(mv).unwrap();
            if next.is_game_over() {
                break;
            }
            position = next;
        }
        table += &line(&fen(&position, mode), mode);
    }
    table
}

#[test]
#[ignore = "writes the files of tests/data"]
fn write_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let write = |name: &str, table: String| fs::write(folder.join(name), table).unwrap();
    let mut rng = Rng::new(2026);
    write(
        "random.epd",
        random_positions(&mut rng, CastlingMode::Standard, 600),
    );
    write(
        "chess960.epd",
        random_positions(&mut rng, CastlingMode::Chess960, 400),
    );
    let starts = (0..960).map(|number| {
        let fen = Board::chess960_start(number).shredder_fen().to_string();
        line(&fen, CastlingMode::Chess960)
    });
    write("chess960_starts.epd", starts.collect());
}
