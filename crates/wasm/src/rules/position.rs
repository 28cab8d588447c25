//! Positions and moves.

use std::collections::BTreeMap;

use serde::Serialize;
use tabiya_board::{
    Board, CastlingSide, Color, DrawClaim, GameHistory, Move, Outcome, Piece, Role, Square,
};
use tabiya_display::explain::{describe, explain, explain_no_moves};
use tabiya_display::variation::format_variation;
use tabiya_notation::{MoveInput, uci, write_san};

use crate::line::{self, Line};
use crate::problem::{Problem, names, sentence};

#[derive(Serialize)]
pub(super) struct PositionAnswer {
    fen: String,
    key: String,
    turn: &'static str,
    pieces: BTreeMap<String, char>,
    check: Option<String>,
    checkers: Vec<String>,
    moves: Vec<LegalMove>,
    outcome: Option<OutcomeAnswer>,
    claim: Option<&'static str>,
    repetitions: usize,
    halfmove_clock: u32,
    fullmove_number: u16,
    en_passant: Option<String>,
    chess960: bool,
    opening: Option<OpeningAnswer>,
    last_move: Option<PlayedMove>,
    material: i32,
    captured: Captured,
    mating_material: MatingMaterial,
}

/// Which sides have mating material: they win if the other runs out of time, without it the game is drawn.
#[derive(Serialize)]
struct MatingMaterial {
    white: bool,
    black: bool,
}

#[derive(Serialize)]
struct LegalMove {
    uci: String,
    san: String,
    role: &'static str,
    from: String,
    to: String,
    captures: Option<&'static str>,
    capture_square: Option<String>,
    promotion: Option<&'static str>,
    castling: Option<Castling>,
    en_passant: bool,
    check: bool,
}

#[derive(Serialize)]
struct Castling {
    side: &'static str,
    rook_from: String,
    rook_to: String,
}

#[derive(Serialize)]
struct OutcomeAnswer {
    result: &'static str,
    reason: &'static str,
    winner: Option<&'static str>,
    message: String,
}

#[derive(Serialize)]
pub(super) struct OpeningAnswer {
    eco: &'static str,
    name: &'static str,
    plies: usize,
}

#[derive(Serialize)]
struct PlayedMove {
    uci: String,
    san: String,
    from: String,
    to: String,
    words: String,
}

/// Captured pieces by their colour.
#[derive(Serialize)]
struct Captured {
    white: Vec<char>,
    black: Vec<char>,
}

pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl PositionAnswer {
    pub(super) fn of(history: &GameHistory) -> Self {
        let board = history.board();
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some((square.to_string(), piece.char()))
        });
        let is_check = board.is_check();
        Self {
            fen: board.to_string(),
            key: format!("{:016x}", board.key()),
            turn: color_name(board.turn()),
            pieces: pieces.collect(),
            check: is_check.then(|| board.king(board.turn()).to_string()),
            checkers: names(board.checkers()),
            moves: board
                .legal_moves()
                .into_iter()
                .map(|mv| LegalMove::of(board, mv))
                .collect(),
            outcome: history.outcome().map(OutcomeAnswer::of),
            claim: history.claim().map(DrawClaim::reason),
            repetitions: history.repetitions(),
            halfmove_clock: board.halfmove_clock().into(),
            fullmove_number: board.fullmove_number(),
            en_passant: board.en_passant().map(|square| square.to_string()),
            chess960: is_chess960(history),
            opening: opening_of(history),
            last_move: history
                .played()
                .last()
                .map(|(before, mv)| PlayedMove::of(before, *mv)),
            material: material(board),
            captured: captured(history),
            mating_material: MatingMaterial {
                white: board.has_mating_material(Color::White),
                black: board.has_mating_material(Color::Black),
            },
        }
    }
}

impl LegalMove {
    fn of(board: &Board, mv: Move) -> Self {
        let captures = board.captured(mv);
        let capture_square = captures.map(|_| {
            if mv.is_en_passant() {
                Square::new(mv.to().file(), mv.from().rank()).to_string()
            } else {
                mv.to().to_string()
            }
        });
        let castling = mv.castling_side().and_then(|side| {
            let rook = board.castling_rook(board.turn(), side)?;
            Some(Castling {
                side: match side {
                    CastlingSide::KingSide => "O-O",
                    CastlingSide::QueenSide => "O-O-O",
                },
                rook_from: rook.to_string(),
                rook_to: Square::new(side.rook_file(), rook.rank()).to_string(),
            })
        });
        Self {
            uci: uci::write(board, mv).to_string(),
            san: write_san(board, mv).to_string(),
            role: mv.role().name(),
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            captures: captures.map(Role::name),
            capture_square,
            promotion: mv.promotion().map(Role::name),
            castling,
            en_passant: mv.is_en_passant(),
            check: board.after_unchecked(mv).is_check(),
        }
    }
}

impl OutcomeAnswer {
    fn of(outcome: Outcome) -> Self {
        Self {
            result: outcome.result(),
            reason: outcome.reason(),
            winner: outcome.winner().map(color_name),
            message: sentence(&outcome.to_string()),
        }
    }
}

impl PlayedMove {
    fn of(before: &Board, mv: Move) -> Self {
        Self {
            uci: uci::write(before, mv).to_string(),
            san: write_san(before, mv).to_string(),
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            words: sentence(&describe(before, mv)),
        }
    }
}

/// Whether a side can or could castle from other squares than the usual ones.
fn is_chess960(history: &GameHistory) -> bool {
    let start = history.start();
    Color::ALL.into_iter().any(|color| {
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .any(|side| {
                start
                    .castling_rook(color, side)
                    .is_some_and(|rook| !side.is_standard(start.king(color), rook))
            })
    })
}

#[derive(Serialize)]
pub(super) struct Opening {
    opening: Option<OpeningAnswer>,
}

pub(super) fn opening(history: &GameHistory) -> Opening {
    Opening {
        opening: opening_of(history),
    }
}

/// The last named position on the way.
fn opening_of(history: &GameHistory) -> Option<OpeningAnswer> {
    let boards = history.played().iter().map(|(board, _)| board);
    let boards: Vec<&Board> = boards.chain([history.board()]).collect();
    // No opening is longer, so later positions need not be looked up.
    let longest = boards.len().min(MAX_OPENING_PLIES + 1);
    boards[..longest]
        .iter()
        .enumerate()
        .rev()
        .find_map(|(plies, board)| {
            let found = tabiya_notation::opening(board)?;
            Some(OpeningAnswer {
                eco: found.eco,
                name: found.name,
                plies,
            })
        })
}

/// The plies of the longest opening, and some more for transpositions.
const MAX_OPENING_PLIES: usize = 60;

/// White's material advantage in pawns.
fn material(board: &Board) -> i32 {
    board
        .occupied()
        .into_iter()
        .filter_map(|square| board.piece_at(square))
        .map(|piece| {
            let value = match piece.role {
                Role::Pawn => 1,
                Role::Knight | Role::Bishop => 3,
                Role::Rook => 5,
                Role::Queen => 9,
                Role::King => 0,
            };
            if piece.color.is_white() {
                value
            } else {
                -value
            }
        })
        .sum()
}

fn captured(history: &GameHistory) -> Captured {
    let mut counts = [[0_usize; 6]; 2];
    for (board, mv) in history.played() {
        if let Some(role) = board.captured(*mv) {
            counts[(!board.turn()).index()][role.index()] += 1;
        }
    }
    // The most valuable first.
    let [white, black] = Color::ALL.map(|color| {
        let roles = Role::ALL.into_iter().rev();
        let letters = roles.flat_map(|role| {
            let letter = Piece::new(color, role).char();
            std::iter::repeat_n(letter, counts[color.index()][role.index()])
        });
        letters.collect()
    });
    Captured { white, black }
}

#[derive(Serialize)]
pub(super) struct Played {
    r#move: PlayedMove,
    position: PositionAnswer,
}

/// Plays a move in any notation.
pub(super) fn play(mut history: GameHistory, text: &str) -> Result<Played, Problem> {
    let board = history.board();
    let input = MoveInput::parse(text)?;
    let mv = input.to_move(board).map_err(|error| {
        explain(board, input).map_or_else(
            |_| Problem::from(error),
            |why| Problem::at(&why.sentence, why.highlights.culprits),
        )
    })?;
    let played = PlayedMove::of(board, mv);
    history.play(mv);
    Ok(Played {
        r#move: played,
        position: PositionAnswer::of(&history),
    })
}

#[derive(Serialize)]
pub(super) struct Explanation {
    legal: bool,
    uci: Option<String>,
    message: String,
    squares: Vec<String>,
}

/// Says in words what a move does, or why it is illegal.
pub(super) fn why(board: &Board, text: &str) -> Result<Explanation, Problem> {
    let input = MoveInput::parse(text)?;
    let why = explain(board, input)?;
    Ok(Explanation {
        legal: why.legal.is_some(),
        uci: why.legal.map(|mv| uci::write(board, mv).to_string()),
        message: sentence(&why.sentence),
        squares: names(why.highlights.culprits),
    })
}

/// Says why the piece on a square has no legal move.
pub(super) fn why_no_moves(board: &Board, square: Square) -> Explanation {
    let moves = board.legal_moves();
    let count = moves.iter().filter(|mv| mv.from() == square).count();
    Explanation {
        legal: count > 0,
        uci: None,
        message: match count {
            0 => explain_no_moves(board, square),
            1 => format!("The piece on {square} has one legal move."),
            _ => format!("The piece on {square} has {count} legal moves."),
        },
        squares: Vec::new(),
    }
}

#[derive(Serialize)]
pub(super) struct LineAnswer {
    san: Vec<String>,
    uci: Vec<String>,
    text: String,
    fen: String,
}

/// Writes a line in SAN, up to the first illegal move.
pub(super) fn line(line: &Line) -> Result<LineAnswer, Problem> {
    let start = line.start()?;
    let mut board = start;
    let mut answer = LineAnswer {
        san: Vec::new(),
        uci: Vec::new(),
        text: String::new(),
        fen: String::new(),
    };
    let mut moves = Vec::new();
    for text in line.moves.iter().take(line::MAX_MOVES) {
        let Ok(mv) = line::read(&board, text) else {
            break;
        };
        answer.san.push(write_san(&board, mv).to_string());
        answer.uci.push(uci::write(&board, mv).to_string());
        moves.push(mv);
        board = board.after_unchecked(mv);
    }
    answer.text = format_variation(&start, &moves);
    answer.fen = board.to_string();
    Ok(answer)
}
