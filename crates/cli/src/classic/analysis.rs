//! `tabiya classic analysis`.

use std::io::{self, Write};

use clap::Args;
use tabiya_classics::analysis::{DEFAULT_NODES, GameStatus, read_game, suggest};

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// The exit code for a game that cannot be read or played.
const BAD_GAME: u8 = 1;

/// Judge a game, and suggest a move
///
/// Reads one line of moves from standard input, such as `e4 e5 Nf3`: strict notation, with spaces between the moves and
/// without move numbers, + or #. Prints `white wins by checkmate`, `black wins by checkmate`, `draw by stalemate` or
/// `game incomplete`, or the error.
///
/// A parse error names the first character that cannot continue a move. If a move is incomplete, that is the space or
/// the end of the line after it, printed as it is. A move completion error means that no piece can reach the square, or
/// that several can, including pinned ones. Any other move that breaks a rule is illegal. Castling counts as the king's
/// move from its starting square, wherever the king is.
///
/// The move suggested after `game incomplete` is legal. If a move forces mate in three or fewer, such a move is
/// suggested; and the suggested move never allows the opponent to do so, unless every move does. Both are proved.
/// Otherwise the engine chooses.
///
/// The exit code is 1 if the game has an error.
#[derive(Args)]
#[command(after_help = examples!(
    "echo \"f3 e5 g4 Qh4\" | tabiya classic analysis"
    "echo \"e4 e5 Bc4 Nc6 Qh5 Nf6\" | tabiya classic analysis"
    "echo \"e4 d5 exd5\" | tabiya classic analysis --no-suggest"
))]
pub(crate) struct Arguments {
    /// Do not suggest a move
    #[arg(long)]
    no_suggest: bool,

    /// Number of positions that the engine searches for a suggestion; proofs of mate do not depend on it
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, conflicts_with = "no_suggest")]
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<CommandOutput> {
    super::announce_stdin("Type the moves of a game, such as e4 e5 Nf3, and press Enter.");
    let line = match read_game(&mut io::stdin().lock())? {
        Ok(line) => line,
        Err(fault) => {
            print(&fault.to_bytes())?;
            return Ok(CommandOutput::code(BAD_GAME));
        }
    };
    let verdict = GameStatus::of(line.board());
    print(verdict.to_string().as_bytes())?;
    if verdict == GameStatus::Incomplete
        && !arguments.no_suggest
        && let Some(suggestion) = suggest(&line, arguments.nodes)
    {
        print(suggestion.to_string().as_bytes())?;
    }
    Ok(CommandOutput::default())
}

/// Prints a line at once, byte for byte: a parse error can contain any character.
fn print(line: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}
