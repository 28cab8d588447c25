//! Positions and moves for programs, to be serialised as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use tabiya_board::{
    Board, CastlingSide, Color, DrawClaim, GameHistory, Move, Outcome, Role, Square,
};
use tabiya_notation::{uci, write_san};

use crate::explain::{Explanation, explain_no_moves};

/// A position with everything that follows from it.
#[derive(Serialize)]
pub struct PositionJson {
    fen: String,
    /// Polyglot's Zobrist key in hexadecimal, because JavaScript has no 64-bit integers.
    key: String,
    turn: &'static str,
    /// FEN letters by square.
    pieces: BTreeMap<String, char>,
    castling: CastlingJson,
    en_passant: Option<String>,
    halfmove_clock: u16,
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
    /// Collects the facts about a position.
    pub fn new(board: &Board) -> Self {
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
            claim: GameHistory::new(*board).claim().map(DrawClaim::reason),
        }
    }
}

impl OutcomeJson {
    fn of(outcome: Outcome) -> Self {
        Self {
            result: outcome.result(),
            reason: outcome.reason(),
            winner: outcome.winner().map(name),
        }
    }
}

/// Legal moves.
#[derive(Serialize)]
pub struct MovesJson {
    fen: String,
    count: usize,
    moves: Vec<MoveJson>,
    /// Why the piece on the given square has no legal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct MoveJson {
    san: String,
    uci: String,
    role: &'static str,
    from: String,
    to: String,
    captures: Option<&'static str>,
    promotion: Option<&'static str>,
    castling: Option<&'static str>,
    en_passant: bool,
}

impl MovesJson {
    /// Lists moves of a position. If there are none, says why the piece on `square` has none.
    pub fn new(board: &Board, moves: impl Iterator<Item = Move>, square: Option<Square>) -> Self {
        let moves: Vec<MoveJson> = moves
            .map(|mv| MoveJson {
                san: write_san(board, mv).to_string(),
                uci: uci::write(board, mv).to_string(),
                role: mv.role().name(),
                from: mv.from().to_string(),
                to: mv.to().to_string(),
                captures: board.captured(mv).map(Role::name),
                promotion: mv.promotion().map(Role::name),
                castling: mv.castling_side().map(|side| match side {
                    CastlingSide::KingSide => "O-O",
                    CastlingSide::QueenSide => "O-O-O",
                }),
                en_passant: mv.is_en_passant(),
            })
            .collect();
        Self {
            fen: board.to_string(),
            count: moves.len(),
            reason: square
                .filter(|_| moves.is_empty())
                .map(|square| explain_no_moves(board, square)),
            moves,
        }
    }
}

/// An explained move.
#[derive(Serialize)]
pub struct ExplanationJson {
    fen: String,
    /// The move in UCI notation, if it is legal.
    uci: Option<String>,
    legal: bool,
    sentence: String,
    /// The squares of the pieces that forbid the move.
    squares: Vec<String>,
}

impl ExplanationJson {
    /// Takes the explanation of a move of a position.
    pub fn new(board: &Board, explanation: Explanation) -> Self {
        let squares = explanation.highlights.culprits.into_iter();
        Self {
            fen: board.to_string(),
            uci: explanation
                .legal
                .map(|mv| uci::write(board, mv).to_string()),
            legal: explanation.legal.is_some(),
            sentence: explanation.sentence,
            squares: squares.map(|square| square.to_string()).collect(),
        }
    }
}
