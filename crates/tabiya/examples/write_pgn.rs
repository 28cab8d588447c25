//! Builds a game with a variation and a comment, and writes it as PGN.

use tabiya::pgn::Game;
use tabiya::{Board, GameResult, MoveText};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(Board::start());
    game.set_tag("White", "Gunsberg");
    game.set_tag("Black", "Chigorin");
    let mut at = Game::ROOT;
    for san in ["e4", "e5", "Nf3", "Nc6"] {
        at = game.play(at, game.board(at).parse_san(san)?)?;
    }
    game.node_mut(at).comments.push("the main line".to_owned());
    let two = game.parent(at).expect("there are moves");
    game.play(two, game.board(two).parse_san("d6")?)?;
    game.set_result(GameResult::Draw);
    print!("{game}");
    // What is illegal stays out, with a reason.
    let e4 = Board::start().parse_san("e4")?;
    println!("e4 again? {}", game.play(at, e4).unwrap_err());
    Ok(())
}
