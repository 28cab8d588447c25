//! Openings.

use tabiya_board::{Board, FenError, GameHistory, Outcome};
use tabiya_notation::pgn::{Game, GameErrorKind, Reader};
use thiserror::Error;

/// Why openings cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// An invalid game.
    #[error("line {line}: {error}")]
    Game {
        /// The line.
        line: usize,
        /// The reason.
        error: GameErrorKind,
    },
    /// An invalid position.
    #[error("line {line}: {error}")]
    Position {
        /// The line.
        line: usize,
        /// The reason.
        error: FenError,
    },
    /// An opening after which the game is over.
    #[error("line {line}: the game is already over: {outcome}")]
    Over {
        /// The line.
        line: usize,
        /// How it ended.
        outcome: Outcome,
    },
    /// There are no openings.
    #[error("the file has no openings")]
    Empty,
}

/// Reads openings: games (PGN), or positions (FEN or EPD), one per line.
pub fn read_openings(text: &str) -> Result<Vec<GameHistory>, OpeningsError> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.trim_start();
    let is_pgn = first.starts_with('[') || first.starts_with("1.");
    let openings = if is_pgn { games(text) } else { positions(text) }?;
    if openings.is_empty() {
        return Err(OpeningsError::Empty);
    }
    Ok(openings)
}

/// Checks that a game can continue from an opening. `line` finds the line for the error.
fn unfinished(
    opening: GameHistory,
    line: impl FnOnce() -> usize,
) -> Result<GameHistory, OpeningsError> {
    match opening.outcome() {
        None => Ok(opening),
        Some(outcome) => Err(OpeningsError::Over {
            line: line(),
            outcome,
        }),
    }
}

fn games(text: &str) -> Result<Vec<GameHistory>, OpeningsError> {
    let mut reader = Reader::new(text.as_bytes());
    let mut openings = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        let game = game.map_err(|error| OpeningsError::Game {
            line: reader.line_and_column(error.offset).0,
            error: error.kind,
        })?;
        let mut line = GameHistory::new(*game.start());
        for mv in game.main_line().map_while(|id| game.move_to(id)) {
            line.play(mv);
        }
        // Counting the lines of every game would take hours in a large file.
        openings.push(unfinished(line, || {
            reader.line_and_column(reader.offset()).0
        })?);
    }
    Ok(openings)
}

fn positions(text: &str) -> Result<Vec<GameHistory>, OpeningsError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let error = |error| OpeningsError::Position {
                line: index + 1,
                error,
            };
            // Ignore the operations of an EPD.
            let fields: Vec<&str> = line.split_whitespace().collect();
            let is_fen = fields.len() == 6 && fields[4].parse::<u32>().is_ok();
            let kept = if is_fen { 6 } else { fields.len().min(4) };
            let board: Board = fields[..kept].join(" ").parse().map_err(error)?;
            unfinished(GameHistory::new(board), || index + 1)
        })
        .collect()
}

/// Shuffles openings. The same seed gives the same order everywhere.
pub fn shuffle_openings(openings: &mut [GameHistory], seed: u64) {
    let mut state = seed;
    // SplitMix64.
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    for last in (1..openings.len()).rev() {
        openings.swap(last, (random() % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_positions_are_read() {
        let games = "[Event \"?\"]\n\n1. e4 e5 *\n\n[Event \"?\"]\n\n1. d4 *\n";
        let lengths: Vec<usize> = read_openings(games)
            .unwrap()
            .iter()
            .map(|line| line.moves().len())
            .collect();
        assert_eq!(lengths, [2, 1]);
        let start = Board::start().to_string();
        let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; id \"x\";";
        let read = read_openings(&format!("{start}\n\n{epd}\n")).unwrap();
        assert_eq!(read.len(), 2);
        assert!(read.iter().all(|line| *line.board() == Board::start()));
    }

    #[test]
    fn many_games_are_read_quickly() {
        let games = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(50_000);
        assert_eq!(read_openings(&games).unwrap().len(), 50_000);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| read_openings(text).unwrap_err().to_string();
        assert!(message("8/8/8/8/8/8/8/8 w - - 0 1").starts_with("line 1: "));
        assert!(message("[Event \"?\"]\n\n1. e4 e4 *\n").starts_with("line 3: "));
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(
            message(&format!("{}\n{mated}\n", Board::start())),
            "line 2: the game is already over: Black wins by checkmate"
        );
        let mate = "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        assert!(message(mate).starts_with("line 3: the game is already over"));
        assert_eq!(message("\n"), "the file has no openings");
    }
}
