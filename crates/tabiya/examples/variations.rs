//! Reads PGN with variations and prints the FEN after every move.

use tabiya::MoveText;
use tabiya::pgn::{self, ReadGameError};

const GAMES: &str = r#"
[White "Réti"]
[Black "Tartakower"]

1. e4 c6 2. d4 d5 3. Nc3 (3. e5 Bf5) 3... dxe4 1-0
"#;

fn main() -> Result<(), ReadGameError> {
    for game in pgn::games(GAMES.as_bytes()) {
        let game = game?;
        println!(
            "{} - {}",
            game.tag("White").unwrap_or("?"),
            game.tag("Black").unwrap_or("?")
        );
        for ply in game.plies() {
            let san = ply
                .mv
                .map_or("--".to_owned(), |mv| ply.before.san(mv).to_string());
            println!("{}{san:5} {}", "  ".repeat(ply.depth), ply.board);
        }
    }
    Ok(())
}
