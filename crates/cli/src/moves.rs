//! `tabiya moves`: lists the legal moves, or says why a piece has none.

use std::fmt::Write;
use std::ops::ControlFlow;

use anstyle::Style;
use clap::Args;
use tabiya_board::{Bitboard, Board, Move, PieceMoves, Role, Square};
use tabiya_display::diagram::{Diagram, Highlights};
use tabiya_display::explain::{count_moves, explain_no_moves};
use tabiya_display::json::MovesJson;
use tabiya_notation::{uci, write_san};

use crate::examples;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};

/// List the legal moves
///
/// The moves are grouped by piece, in standard algebraic notation (SAN): `Ng1: Nf3 Nh3` are the moves of the knight on
/// g1, `e2: e3 e4` those of the pawn on e2.
#[derive(Args)]
#[command(override_usage = "tabiya moves [OPTIONS] [FEN] [SQUARE]", after_help = examples!(
    "tabiya moves"
    "tabiya moves g1"
    "tabiya moves --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
    "tabiya moves --uci | wc -l"
))]
pub(crate) struct Arguments {
    /// List only the moves of the piece on this square; if it has none, say why
    #[arg(value_name = "SQUARE")]
    square: Option<Square>,

    #[command(flatten)]
    fen: FenOption,

    /// Print one move per line in UCI notation, such as e2e4 or e7e8q
    #[arg(long, conflicts_with = "json")]
    uci: bool,

    /// Print the moves as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let board = arguments.fen.board()?;
    let pieces = pieces(&board, arguments.square);
    if arguments.json {
        return Ok(screen
            .json(&MovesJson::new(&board, moves(&pieces), arguments.square))?
            .into());
    }
    if arguments.uci {
        let mut lines: Vec<String> = moves(&pieces)
            .map(|mv| format!("{}\n", uci::write(&board, mv)))
            .collect();
        lines.sort();
        return Ok(lines.concat().into());
    }
    let mut text = String::new();
    if let Some(square) = arguments.square {
        if screen.color {
            text.push_str(&picture(&board, &pieces, square, screen));
        }
        if pieces.is_empty() {
            text.push_str(&screen.wrap(&explain_no_moves(&board, square), 0));
            return Ok(text.into());
        }
    }
    for moves in &pieces {
        write_group(&mut text, &board, moves, screen)?;
    }
    if arguments.square.is_none() {
        let summary = count_moves(&board);
        text.push_str(&screen.wrap(&summary, 0));
    }
    Ok(text.into())
}

/// The moves by piece, the king's first and the pawns' last. With a square, only those of its piece.
fn pieces(board: &Board, square: Option<Square>) -> Vec<PieceMoves> {
    let mut pieces = Vec::new();
    let _ = board.for_each_piece_moves(|moves| {
        if square.is_none_or(|square| square == moves.from()) {
            pieces.push(moves);
        }
        ControlFlow::<()>::Continue(())
    });
    pieces.sort_by_key(|moves| (std::cmp::Reverse(moves.role()), moves.from()));
    pieces
}

fn moves(pieces: &[PieceMoves]) -> impl Iterator<Item = Move> {
    pieces.iter().copied().flatten()
}

/// Writes the line of one piece: `Ng1: Nf3 Nh3`.
fn write_group(
    text: &mut String,
    board: &Board,
    moves: &PieceMoves,
    screen: Screen,
) -> std::fmt::Result {
    let name = match moves.role() {
        Role::Pawn => moves.from().to_string(),
        role => format!("{}{}", role.upper_char(), moves.from()),
    };
    let mut line = format!("{name}:");
    for mv in *moves {
        line.push(' ');
        line.push_str(&write_san(board, mv));
    }
    let wrapped = screen.wrap(&line, name.len() + 2);
    let bold = Style::new().bold();
    write!(text, "{bold}{name}{bold:#}{}", &wrapped[name.len()..])
}

/// The board with the target squares highlighted.
fn picture(board: &Board, pieces: &[PieceMoves], square: Square, screen: Screen) -> String {
    let targets = pieces
        .iter()
        .fold(Bitboard::EMPTY, |all, moves| all | moves.to());
    let diagram = Diagram {
        highlights: Highlights {
            moves: targets | Bitboard::from(square),
            culprits: Bitboard::EMPTY,
        },
        ..screen.diagram(board)
    };
    format!("{diagram}\n")
}
