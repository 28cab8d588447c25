//! `Arbitrary`, for fuzzing.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::game_history::GameHistory;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::position::CastlingSide;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// Implements the trait for an enum by choosing one of all values.
macro_rules! one_of_all {
    ($($type:ty),*) => {$(
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                u.choose(&Self::ALL).copied()
            }
        }
    )*};
}

one_of_all!(Color, Role, File, Rank, CastlingSide);

impl<'a> Arbitrary<'a> for Square {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::wrapping(u.int_in_range(0..=63)?))
    }
}

impl<'a> Arbitrary<'a> for Piece {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self::new(u.arbitrary()?, u.arbitrary()?))
    }
}

impl<'a> Arbitrary<'a> for Bitboard {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.arbitrary().map(Self)
    }
}

/// Any two squares and any kind of move. It is rarely legal.
impl<'a> Arbitrary<'a> for Move {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.arbitrary().map(Self::from_bits)
    }
}

impl<'a> Arbitrary<'a> for Placement {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut pieces = Self::EMPTY;
        for square in u.arbitrary::<Bitboard>()? {
            pieces.put(square, u.arbitrary()?);
        }
        Ok(pieces)
    }
}

/// Any parts, hardly ever a legal position.
impl<'a> Arbitrary<'a> for Setup {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            pieces: u.arbitrary()?,
            turn: u.arbitrary()?,
            castling_rooks: u.arbitrary()?,
            en_passant: u.arbitrary()?,
            halfmove_clock: u.arbitrary()?,
            fullmove_number: u.arbitrary()?,
        })
    }
}

/// A position that legal moves lead to from a starting position, half of the time one of Chess960.
impl<'a> Arbitrary<'a> for Board {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(*GameHistory::arbitrary(u)?.board())
    }
}

/// Legal moves from a starting position, half of the time one of Chess960.
impl<'a> Arbitrary<'a> for GameHistory {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let start = if u.arbitrary()? {
            Board::start()
        } else {
            Board::chess960_start(u.int_in_range(0..=959)?)
        };
        let mut game = Self::new(start);
        for _ in 0..u.int_in_range(0..=300)? {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[u.choose_index(moves.len())?]);
        }
        Ok(game)
    }
}
