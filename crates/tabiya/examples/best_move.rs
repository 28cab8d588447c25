//! Searches a position for the best move, and prints what the engine reports.

use tabiya::engine::{Engine, Limits};
use tabiya::{Board, GameHistory, MoveText, Score};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: Board = "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1".parse()?;
    let (depth, defaults) = (Some(5), Limits::default());
    let limits = Limits { depth, ..defaults };
    let mut reports = 0;
    let mut report = |info: &tabiya::uci::SearchInfo| {
        reports += 1;
        assert!(info.depth <= 5 && board.variation_san(&info.pv).is_ok());
    };
    let mut engine = Engine::default();
    let result = engine.think(&GameHistory::new(board), &limits, &mut report);
    let result = result.ok_or("the game is over")?;
    println!("{} ({})", board.san(result.best), result.info.score);
    println!("{}", board.variation_san(&result.info.pv)?);
    assert_eq!(result.info.score, Score::Mate(1));
    assert!(reports > 0);
    Ok(())
}
