//! `tabiya board`: draws a position and describes it.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use tabiya_board::{Board, CastlingSide, Color, DrawClaim, GameHistory, Outcome};
use tabiya_display::describe::describe_position;
use tabiya_display::diagram::{Diagram, DiagramStyle};

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

    /// Print the position and its facts as JSON
    #[arg(long, conflicts_with_all = ["ascii", "flip"])]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let board = arguments.fen.board()?;
    if arguments.json {
        return Ok(screen.json(&PositionJson::of(&board))?.into());
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

/// A position for programs.
#[derive(Serialize)]
struct PositionJson {
    fen: String,
    /// Polyglot's Zobrist key in hexadecimal, because JavaScript has no 64-bit integers.
    key: String,
    turn: &'static str,
    /// FEN letters by square.
    pieces: BTreeMap<String, char>,
    castling: CastlingJson,
    en_passant: Option<String>,
    halfmove_clock: u8,
    fullmove_number: u16,
    check: bool,
    checkers: Vec<String>,
    legal_moves: usize,
    outcome: Option<OutcomeJson>,
    claim: Option<&'static str>,
}

#[derive(Serialize)]
struct CastlingJson {
    white: RooksJson,
    black: RooksJson,
}

/// The rooks that a side can still castle with.
#[derive(Serialize)]
struct RooksJson {
    king: Option<String>,
    queen: Option<String>,
}

#[derive(Serialize)]
struct OutcomeJson {
    result: &'static str,
    reason: &'static str,
    winner: Option<&'static str>,
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl PositionJson {
    fn of(board: &Board) -> Self {
        let rooks = |color| {
            let rook = |side| {
                board
                    .castling_rook(color, side)
                    .map(|rook| rook.to_string())
            };
            RooksJson {
                king: rook(CastlingSide::KingSide),
                queen: rook(CastlingSide::QueenSide),
            }
        };
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some((square.to_string(), piece.char()))
        });
        Self {
            fen: board.to_string(),
            key: format!("{:016x}", board.key()),
            turn: name(board.turn()),
            pieces: pieces.collect(),
            castling: CastlingJson {
                white: rooks(Color::White),
                black: rooks(Color::Black),
            },
            en_passant: board.en_passant().map(|square| square.to_string()),
            halfmove_clock: board.halfmove_clock(),
            fullmove_number: board.fullmove_number(),
            check: board.is_check(),
            checkers: board
                .checkers()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            legal_moves: board.count_legal(),
            outcome: board.outcome().map(OutcomeJson::of),
            claim: GameHistory::new(*board).claim().map(|claim| match claim {
                DrawClaim::ThreefoldRepetition => "threefold repetition",
                DrawClaim::FiftyMoves => "fifty moves",
            }),
        }
    }
}

impl OutcomeJson {
    fn of(outcome: Outcome) -> Self {
        Self {
            result: outcome.result(),
            reason: match outcome {
                Outcome::Checkmate { .. } => "checkmate",
                Outcome::Stalemate => "stalemate",
                Outcome::InsufficientMaterial => "dead position",
                Outcome::SeventyFiveMoves => "seventy-five moves",
                Outcome::FivefoldRepetition => "fivefold repetition",
            },
            winner: outcome.winner().map(name),
        }
    }
}
