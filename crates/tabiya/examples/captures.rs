//! The captures of a position, the most valuable victim first.

use tabiya::{Board, FenError, MoveText};

fn main() -> Result<(), FenError> {
    let board: Board =
        "r2q1rk1/1b2bppp/p1n1pn2/1pP5/3P4/1B3N2/PP3PPP/RNBQ1RK1 b - - 0 1".parse()?;
    let mut captures: Vec<_> = board.legal_captures().iter().copied().collect();
    captures.sort_by_key(|&mv| (core::cmp::Reverse(board.captured(mv)), mv.role()));
    for mv in captures {
        if let Some(victim) = board.captured(mv) {
            println!("{}: takes a {victim}", board.san(mv));
        }
    }
    Ok(())
}
