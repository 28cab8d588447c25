//! `tabiya why`: says what a move does, or which rule forbids it.

use anstyle::{AnsiColor, Style};
use anyhow::bail;
use clap::Args;
use tabiya_board::Board;
use tabiya_display::diagram::Diagram;
use tabiya_display::explain::{Explanation, explain};
use tabiya_display::json::ExplanationJson;
use tabiya_notation::{MoveInput, SanError};

use crate::examples;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};

/// The exit code for an illegal move.
const ILLEGAL: u8 = 1;

const GREEN: Style = AnsiColor::Green.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Explain why a move is illegal, or what it does
///
/// The exit code is 0 if the move is legal, 1 if it is illegal, and 2 if the move or the FEN cannot be read.
#[derive(Args)]
#[command(override_usage = "tabiya why [OPTIONS] [FEN] <MOVE>", after_help = examples!(
    "tabiya why e2e5"
    "tabiya why Bc4"
    "tabiya why \"r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1\" O-O"
    "tabiya why \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\" a7a8q"
))]
pub(crate) struct Arguments {
    /// The move, such as Nf3, exd5, e8=Q, e2e4, e2-e4 or O-O
    #[arg(value_name = "MOVE")]
    text: String,

    /// The second square, if it is a separate word: `e2 e4`
    #[arg(hide = true)]
    to: Option<String>,

    #[command(flatten)]
    fen: FenOption,

    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let to = arguments.to.as_deref().unwrap_or_default();
    let board = arguments.fen.board()?;
    let explanation = read(&board, &format!("{}{to}", arguments.text))?;
    let is_legal = explanation.legal.is_some();
    let code = if is_legal { 0 } else { ILLEGAL };
    if arguments.json {
        let text = screen.json(&ExplanationJson::new(&board, explanation))?;
        return Ok(CommandOutput { text, code });
    }
    let style = if is_legal { GREEN } else { RED };
    let line = verdict(&explanation);
    let word = line.find(':').map_or(0, |colon| colon + 1);
    let wrapped = screen.wrap(&line, 0);
    let (word, rest) = wrapped.split_at(word);
    let mut text = format!("{style}{word}{style:#}{rest}");
    if screen.color {
        let diagram = Diagram {
            highlights: explanation.highlights,
            ..screen.diagram(&board)
        };
        text = format!("{diagram}\n{text}");
    }
    Ok(CommandOutput { text, code })
}

fn verdict(explanation: &Explanation) -> String {
    let word = if explanation.legal.is_some() {
        "Legal"
    } else {
        "Illegal"
    };
    format!("{word}: {}.", explanation.sentence)
}

fn read(board: &Board, text: &str) -> anyhow::Result<Explanation> {
    let text = text.trim();
    let input = MoveInput::parse(text).or_else(|error| {
        let advice = "write it like Nf3, exd5 or e8=Q, or with two squares, like e2e4 or e7e8q; castling is O-O or O-O-O";
        match error {
            SanError::NullMove => bail!("{text:?} is not a move: {error}"),
            SanError::UnknownPiece { .. } => bail!("cannot read the move {text:?}: {error}; {advice}"),
            _ => bail!("cannot read the move {text:?}: {advice}"),
        }
    })?;
    explain(board, input).or_else(|error| match error {
        SanError::Ambiguous { .. } => bail!("{error}, as in Nbd2 or b1d2"),
        error => bail!("{error}"),
    })
}
