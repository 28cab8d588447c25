//! Mate, and draws that a player may claim.

use tabiya::{Board, GameHistory, GameResult, MoveText, Outcome, SanError};

fn main() -> Result<(), SanError> {
    let mut game = GameHistory::new(Board::start());
    for san in ["f3", "e5", "g4", "Qh4"] {
        game.play(game.board().parse_san(san)?);
    }
    let outcome = game.outcome().expect("the game is over");
    println!("{outcome}: {}", GameResult::from_winner(outcome.winner()));
    assert!(matches!(outcome, Outcome::Checkmate { .. }));

    let mut game = GameHistory::new(Board::start());
    for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
        game.play(game.board().parse_san(san)?);
    }
    println!("at once: {} claims", game.claims().into_iter().count());
    let intended = game.board().parse_san("Ng8")?;
    for claim in game.claims_by(intended).expect("the move is legal") {
        println!("by Ng8: {}", claim.reason());
    }
    Ok(())
}
