//! Boards, moves, results and scores as JSON. Needs the feature `serde`.

use tabiya::uci::UciMove;
use tabiya::{Board, GameResult, Score, Square, TimeControl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::start();
    let e4 = board.legal_move(Square::E2, Square::E4, None)?;
    let stored = (board, UciMove::from(e4), GameResult::Draw, Score::Cp(31));
    let json = serde_json::to_string(&stored)?;
    println!("{json}");
    let read: (Board, UciMove, GameResult, Score) = serde_json::from_str(&json)?;
    assert_eq!(read, stored);
    let control: TimeControl = "5+3".parse()?;
    println!("{}", serde_json::to_string(&control)?);
    let error = serde_json::from_str::<Board>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").unwrap_err();
    println!("{error}");
    Ok(())
}
