//! An editor's setup, and pieces on their own.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use tabiya_board::{
    Board, Color, FenErrorKind, File, Piece, Placement, Rank, Refusal, Role, SetupError, Square,
    attacks,
};

use crate::problem::{Problem, names, sentence};

pub(super) struct Fields<'a> {
    pub(super) pieces: &'a BTreeMap<String, char>,
    pub(super) turn: &'a str,
    pub(super) castling: &'a str,
    pub(super) en_passant: Option<&'a str>,
    pub(super) halfmove_clock: u32,
    pub(super) fullmove_number: u32,
}

#[derive(Serialize)]
pub(super) struct SetupAnswer {
    fen: String,
    ok: bool,
    problems: Vec<Problem>,
}

fn placement(pieces: &BTreeMap<String, char>) -> Result<Placement, Problem> {
    let mut placement = Placement::EMPTY;
    for (name, &letter) in pieces {
        let square = super::square(name)?;
        let piece = Piece::from_char(letter)
            .ok_or_else(|| Problem::new(&format!("{letter:?} is not a piece")))?;
        placement.put(square, piece);
    }
    Ok(placement)
}

/// Checks the parts of a position, and collects everything that is wrong.
pub(super) fn check(fields: &Fields) -> Result<SetupAnswer, Problem> {
    let pieces = placement(fields.pieces)?;
    let mut castling = field(fields.castling);
    let mut en_passant = field(fields.en_passant.unwrap_or(""));
    let turn = if fields.turn == "black" { "b" } else { "w" };
    let mut halfmove_clock = fields.halfmove_clock;
    let mut fullmove_number = fields.fullmove_number;
    let placed = write_placement(&pieces);
    let shown =
        format!("{placed} {turn} {castling} {en_passant} {halfmove_clock} {fullmove_number}");

    let mut problems = Vec::new();
    for color in Color::ALL {
        match pieces.pieces(color, Role::King).len() {
            0 => problems.push(SetupError::NoKing(color).into()),
            1 => {}
            _ => {
                let kings = pieces.pieces(color, Role::King);
                problems.push(Problem::at(
                    &SetupError::TooManyKings(color).to_string(),
                    kings,
                ));
            }
        }
    }
    let has_kings = problems.is_empty();
    let mut fen = shown.clone();
    // A field that is wrong is noted and left out, until the rest stands or the pieces themselves are wrong.
    for _ in 0..5 {
        fen = format!("{placed} {turn} {castling} {en_passant} {halfmove_clock} {fullmove_number}");
        let error = match fen.parse::<Board>() {
            Ok(board) => {
                fen = board.to_string();
                break;
            }
            Err(error) => error,
        };
        let is_of = |kind: &FenErrorKind, field: tabiya_board::FenField| matches!(kind, FenErrorKind::Unreadable(of) | FenErrorKind::Missing(of) if *of == field);
        let kind = error.kind;
        let problem = match kind {
            FenErrorKind::Invalid(SetupError::NoKing(_) | SetupError::TooManyKings(_))
                if !has_kings =>
            {
                break;
            }
            _ => Problem::from(error),
        };
        problems.push(problem);
        match kind {
            FenErrorKind::Invalid(
                SetupError::CastlingKing(_)
                | SetupError::CastlingRook(..)
                | SetupError::NoCastlingRook(..)
                | SetupError::TwoCastlingRooks(..),
            ) => "-".clone_into(&mut castling),
            _ if is_of(&kind, tabiya_board::FenField::Castling) => "-".clone_into(&mut castling),
            FenErrorKind::Invalid(SetupError::EnPassant(_)) => "-".clone_into(&mut en_passant),
            _ if is_of(&kind, tabiya_board::FenField::EnPassant) => "-".clone_into(&mut en_passant),
            FenErrorKind::Invalid(SetupError::HalfmoveClock(_)) => halfmove_clock = 0,
            FenErrorKind::Invalid(SetupError::FullmoveNumber(_)) => fullmove_number = 1,
            _ => break,
        }
    }
    let ok = problems.is_empty();
    Ok(SetupAnswer {
        fen: if ok { fen } else { shown },
        ok,
        problems,
    })
}

/// A field of a FEN: a dash if it is empty.
fn field(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(10)
        .collect();
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

fn write_placement(pieces: &Placement) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        if !text.is_empty() {
            text.push('/');
        }
        let mut empty = 0;
        for file in File::ALL {
            let piece = pieces.piece_at(Square::new(file, rank));
            if piece.is_some() && empty > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            match piece {
                Some(piece) => text.push(piece.char()),
                None => empty += 1,
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
    }
    text
}

#[derive(Serialize)]
pub(super) struct LoneMoves {
    targets: Vec<String>,
    captures: Vec<String>,
    blocked: Vec<Blocked>,
}

#[derive(Serialize)]
struct Blocked {
    square: String,
    message: String,
    squares: Vec<String>,
}

/// The squares that a piece reaches among others, whoever is to move and whether or not there are kings.
pub(super) fn lone_moves(
    pieces: &BTreeMap<String, char>,
    from: Square,
) -> Result<LoneMoves, Problem> {
    let placement = placement(pieces)?;
    let piece = placement
        .piece_at(from)
        .ok_or_else(|| Problem::from_refusal(&Refusal::NoPiece { square: from }))?;
    let targets = placement.pseudo_legal_targets(from);
    let alone = attacks::of(piece.role, piece.color, from, tabiya_board::Bitboard::EMPTY)
        | if piece.role == Role::Pawn {
            attacks::pawn_pushes(piece.color, from, tabiya_board::Bitboard::EMPTY)
        } else {
            tabiya_board::Bitboard::EMPTY
        };
    let blocked = (alone - targets)
        .into_iter()
        .filter_map(|to| {
            let refusal = placement.pseudo_legal_move(from, to).err()?;
            Some(Blocked {
                square: to.to_string(),
                message: sentence(&refusal.to_string()),
                squares: names(refusal.squares()),
            })
        })
        .collect();
    Ok(LoneMoves {
        captures: names(targets & placement.occupied()),
        targets: names(targets),
        blocked,
    })
}
