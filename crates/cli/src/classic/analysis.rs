//! `tabiya classic analysis`.

use std::io::{self, Write};

use clap::Args;
use tabiya_classics::analysis::{USUAL_NODES, Verdict, read, suggest};

use crate::examples;
use crate::screen::{Answer, Screen};

/// The exit code for a game that cannot be read or played.
const FAULT: u8 = 1;

/// Say how a game stands, and suggest a move
///
/// Reads one line of moves from standard input, such as `e4 e5 Nf3`: strict notation, with spaces between the moves and
/// without move numbers, + or #. Prints `white wins by checkmate`, `black wins by checkmate`, `draw by stalemate` or
/// `game incomplete`, or what is wrong with the game.
///
/// A parse error names the first character that cannot continue a move. For a move that breaks off, that is the space or
/// the end of the line behind it, printed as it is. A move completion error means that no piece could get to the square,
/// or that several could, pinned ones counted. Other moves that may not be played are illegal. Castling is the king's
/// move from its first square, wherever the king is.
///
/// The move suggested after `game incomplete` is legal. It forces mate in at most three moves if any move does, and does
/// not let the opponent do so unless every move does: both are proved. Otherwise it is the engine's choice.
///
/// The exit code is 1 if something is wrong with the game.
#[derive(Args)]
#[command(after_help = examples!(
    "echo \"f3 e5 g4 Qh4\" | tabiya classic analysis"
    "echo \"e4 e5 Bc4 Nc6 Qh5 Nf6\" | tabiya classic analysis"
    "echo \"e4 d5 exd5\" | tabiya classic analysis --no-suggest"
))]
pub(crate) struct Arguments {
    /// Leave the suggestion out
    #[arg(long)]
    no_suggest: bool,

    /// How many positions the engine looks at for a suggestion; what is proved does not depend on it
    #[arg(long, value_name = "N", default_value_t = USUAL_NODES, conflicts_with = "no_suggest")]
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    let line = match read(&mut io::stdin().lock())? {
        Ok(line) => line,
        Err(fault) => {
            print(&fault.to_bytes())?;
            return Ok(done(FAULT));
        }
    };
    let verdict = Verdict::of(line.board());
    print(verdict.to_string().as_bytes())?;
    if verdict == Verdict::Incomplete
        && !arguments.no_suggest
        && let Some(suggestion) = suggest(&line, arguments.nodes)
    {
        print(suggestion.to_string().as_bytes())?;
    }
    Ok(done(0))
}

/// Prints a line at once, byte for byte: whatever the character of a parse error is, it stands there.
fn print(line: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

fn done(code: u8) -> Answer {
    Answer {
        text: String::new(),
        code,
    }
}
