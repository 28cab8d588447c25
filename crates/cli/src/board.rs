//! `tabiya board`: draws a position and says how it stands.

use std::collections::BTreeMap;
use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use tabiya_board::{Board, Claim, Color, Line, Outcome, Wing};

use crate::diagram::{Diagram, Look, Marks};
use crate::examples;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use crate::spelling::list;

/// Draw a position
///
/// On a terminal the board is painted; elsewhere, and with --ascii, the pieces are letters, capitals for White.
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

    /// Draw with letters only
    #[arg(long)]
    ascii: bool,

    /// Draw Black at the bottom
    #[arg(long)]
    flip: bool,

    /// Print all about the position as JSON
    #[arg(long, conflicts_with_all = ["ascii", "flip"])]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let board = arguments.fen.board()?;
    if arguments.json {
        return Ok(screen.json(&Facts::of(&board))?.into());
    }
    let diagram = Diagram {
        position: &board,
        look: if arguments.ascii {
            Look::Letters
        } else {
            Look::suiting(screen)
        },
        flipped: arguments.flip,
        marks: Marks::default(),
    };
    let mut text = format!("{diagram}\n");
    for line in state(&board) {
        text.push_str(&screen.wrap(&line, 2));
    }
    // Never broken, so that it can be copied.
    writeln!(text, "FEN: {board}")?;
    Ok(text.into())
}

/// How the position stands, in words.
fn state(board: &Board) -> Vec<String> {
    let turn = board.turn();
    let mut lines = Vec::new();
    match board.outcome() {
        Some(Outcome::Checkmate { winner }) => {
            lines.push(format!("Checkmate: {winner} has won"));
        }
        Some(Outcome::Stalemate) => {
            lines.push(format!("Draw: {turn} is stalemated"));
        }
        Some(Outcome::DeadPosition) => {
            lines.push("Draw: neither side has the pieces to give mate".to_owned());
        }
        Some(Outcome::SeventyFiveMoves) => lines.push(
            "Draw: seventy-five moves by each side without a capture or a pawn move".to_owned(),
        ),
        Some(end) => lines.push(end.to_string()),
        None => {
            lines.push(format!("{turn} to move"));
            if let Some(claim) = Line::new(*board).claim() {
                lines.push(format!("{turn} may claim a {claim}"));
            }
        }
    }
    if board.is_check() {
        lines.push(format!("Check from {}", checkers(board)));
    }
    lines.push(format!("Castling: {}", castling(board)));
    if let Some(square) = board.en_passant() {
        lines.push(format!("En passant: on {square}"));
    }
    lines
}

fn checkers(board: &Board) -> String {
    list(board.checkers().into_iter().map(|square| {
        let role = board.role_at(square).map_or("piece", |role| role.name());
        format!("the {role} on {square}")
    }))
}

/// The rights to castle in words.
fn castling(board: &Board) -> String {
    let sides: Vec<String> = Color::ALL
        .into_iter()
        .filter_map(|color| castling_of(board, color))
        .collect();
    if sides.is_empty() {
        "no longer possible".to_owned()
    } else {
        sides.join("; ")
    }
}

fn castling_of(board: &Board, color: Color) -> Option<String> {
    let king = board.king(color);
    let rooks = Wing::ALL.map(|wing| board.castling_rook(color, wing));
    let usual = |rook, wing: Wing| wing.is_usual(king, rook);
    Some(match rooks {
        [None, None] => return None,
        [Some(h), Some(a)] if usual(h, Wing::King) && usual(a, Wing::Queen) => {
            format!("{color} on both sides")
        }
        [Some(h), Some(a)] => format!("{color} with the rooks on {a} and {h}"),
        [Some(rook), None] if usual(rook, Wing::King) => {
            format!("{color} on the {} side", Wing::King)
        }
        [None, Some(rook)] if usual(rook, Wing::Queen) => {
            format!("{color} on the {} side", Wing::Queen)
        }
        [Some(rook), None] | [None, Some(rook)] => format!("{color} with the rook on {rook}"),
    })
}

/// All about a position, for programs.
#[derive(Serialize)]
struct Facts {
    fen: String,
    /// Polyglot's Zobrist key in hexadecimal: JavaScript has no integers of 64 bits.
    key: String,
    turn: &'static str,
    /// FEN letters by square.
    pieces: BTreeMap<String, char>,
    castling: Rights,
    en_passant: Option<String>,
    halfmove_clock: u8,
    fullmove_number: u16,
    check: bool,
    checkers: Vec<String>,
    legal_moves: usize,
    outcome: Option<End>,
    claim: Option<&'static str>,
}

#[derive(Serialize)]
struct Rights {
    white: Rooks,
    black: Rooks,
}

/// The rooks with which a side may still castle.
#[derive(Serialize)]
struct Rooks {
    king: Option<String>,
    queen: Option<String>,
}

#[derive(Serialize)]
struct End {
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

impl Facts {
    fn of(board: &Board) -> Self {
        let rooks = |color| {
            let rook = |wing| {
                board
                    .castling_rook(color, wing)
                    .map(|rook| rook.to_string())
            };
            Rooks {
                king: rook(Wing::King),
                queen: rook(Wing::Queen),
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
            castling: Rights {
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
            outcome: board.outcome().map(End::of),
            claim: Line::new(*board).claim().map(|claim| match claim {
                Claim::ThreefoldRepetition => "threefold repetition",
                Claim::FiftyMoves => "fifty moves",
            }),
        }
    }
}

impl End {
    fn of(outcome: Outcome) -> Self {
        Self {
            result: outcome.score(),
            reason: match outcome {
                Outcome::Checkmate { .. } => "checkmate",
                Outcome::Stalemate => "stalemate",
                Outcome::DeadPosition => "dead position",
                Outcome::SeventyFiveMoves => "seventy-five moves",
                Outcome::FivefoldRepetition => "fivefold repetition",
            },
            winner: outcome.winner().map(name),
        }
    }
}
