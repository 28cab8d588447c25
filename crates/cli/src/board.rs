//! `tabiya board`: draws a position and describes it.

use std::fmt::Write;

use clap::Args;
use tabiya_display::describe::describe_position;
use tabiya_display::diagram::{Diagram, DiagramStyle};
use tabiya_display::json::PositionJson;

use crate::examples;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};

/// Draw a position
///
/// On a terminal the board is drawn with figures and colours. In a file or a pipe, and with --ascii, the pieces are
/// letters, capitals for White.
#[derive(Args)]
#[command(override_usage = "tabiya board [OPTIONS] [FEN]", after_help = examples!(
    "tabiya board"
    "tabiya board --flip"
    "tabiya board --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
    "tabiya board --json | jq .legal_moves"
))]
pub(crate) struct Arguments {
    #[command(flatten)]
    fen: FenOption,

    /// Draw with letters instead of figures
    #[arg(long)]
    ascii: bool,

    /// Put Black at the bottom
    #[arg(long)]
    flip: bool,

    /// Print the position and what is known about it as JSON
    #[arg(long, conflicts_with_all = ["ascii", "flip"])]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let board = arguments.fen.board()?;
    if arguments.json {
        return Ok(screen.json(&PositionJson::new(&board))?.into());
    }
    let mut diagram = Diagram {
        flipped: arguments.flip,
        ..screen.diagram(&board)
    };
    if arguments.ascii {
        diagram.style = DiagramStyle::Letters;
    }
    let mut text = format!("{diagram}\n");
    for line in describe_position(&board) {
        text.push_str(&screen.wrap(&line, 2));
    }
    // Never wrapped, so that it can be copied.
    writeln!(text, "FEN: {board}")?;
    Ok(text.into())
}
