//! Playing a move: the one place where a position changes.

use crate::moves::{Kind, Move};
use crate::piece::{Color, Piece, Role};
use crate::position::{CastlingRights, DIAGONAL, KNIGHTS, PAWNS, Position, STRAIGHT, Wing};
use crate::side::{Side, by_side};
use crate::square::Square;
use crate::{attacks, zobrist};

/// What keeps a Zobrist key while a move is played, or does not.
pub(crate) trait KeyKeeper {
    /// Puts a key in or takes it out. The argument is only computed if somebody keeps it.
    fn toggle(&mut self, key: impl FnOnce() -> u64);
}

impl KeyKeeper for u64 {
    #[inline(always)]
    fn toggle(&mut self, key: impl FnOnce() -> u64) {
        *self ^= key();
    }
}

/// Keeps no key.
pub(crate) struct NoKey;

impl KeyKeeper for NoKey {
    #[inline(always)]
    fn toggle(&mut self, _: impl FnOnce() -> u64) {}
}

/// The keys of all rights to castle.
fn castling_keys(position: &Position) -> u64 {
    let mut keys = 0;
    for color in Color::ALL {
        for wing in Wing::ALL {
            if position.castling_rook(color, wing).is_some() {
                keys ^= zobrist::castling(color, wing);
            }
        }
    }
    keys
}

/// The Zobrist key of a position, computed from nothing.
pub(crate) fn key_of(position: &Position) -> u64 {
    let mut key = castling_keys(position);
    for color in Color::ALL {
        for role in Role::ALL {
            for square in position.pieces(color, role) {
                key ^= zobrist::piece(Piece::new(color, role), square);
            }
        }
    }
    if let Some(square) = position.en_passant() {
        key ^= zobrist::en_passant(square.file());
    }
    if position.turn() == Color::White {
        key ^= zobrist::WHITE_TO_MOVE;
    }
    key
}

/// Plays a legal move of the side to move.
#[inline]
pub(crate) fn play<K: KeyKeeper>(position: &mut Position, key: &mut K, mv: Move) {
    by_side!(position.turn(), S => play_as::<S, K>(position, key, mv));
}

/// Plays a legal move of a side known at compile time.
#[inline(always)]
pub(crate) fn play_as<S: Side, K: KeyKeeper>(position: &mut Position, key: &mut K, mv: Move) {
    if let Some(square) = position.en_passant() {
        key.toggle(|| zobrist::en_passant(square.file()));
        position.en_passant = 0;
    }
    key.toggle(|| zobrist::WHITE_TO_MOVE);
    // A game of 32,768 moves starts its numbers again, still with the right side to move.
    position.ply = position.ply.wrapping_add(1);

    let (from, to) = (mv.from(), mv.to());
    match mv.kind() {
        Kind::Knight => relocate::<S, K, KNIGHT>(position, key, from, to),
        Kind::Bishop => relocate::<S, K, BISHOP>(position, key, from, to),
        Kind::Rook => relocate::<S, K, ROOK>(position, key, from, to),
        Kind::Queen => relocate::<S, K, QUEEN>(position, key, from, to),
        Kind::King => {
            // The rights first: on which wing a rook stands is told by where the king is.
            forfeit(position, key, CastlingRights::all::<S>());
            relocate::<S, K, KING>(position, key, from, to);
            position.kings[S::US] = to;
        }
        Kind::Pawn => relocate::<S, K, PAWN>(position, key, from, to),
        Kind::DoubleStep => {
            relocate::<S, K, PAWN>(position, key, from, to);
            let passed = S::ahead(1 << from.index());
            let square = Square::wrapping(passed.trailing_zeros());
            let ready = attacks::PAWN[S::US][square.index()] & position.movers[PAWNS] & position.colors[S::THEM];
            if ready != 0 {
                position.en_passant = square.index() as u8;
                key.toggle(|| zobrist::en_passant(square.file()));
            }
        }
        Kind::EnPassant => {
            relocate::<S, K, PAWN>(position, key, from, to);
            let victim = S::Other::ahead(1 << to.index());
            position.movers[PAWNS] ^= victim;
            position.colors[S::THEM] ^= victim;
            key.toggle(|| piece_key::<PAWN>(S::THEM, Square::wrapping(victim.trailing_zeros())));
        }
        Kind::Castle => castle::<S, K>(position, key, from, to),
        kind @ (Kind::ToKnight | Kind::ToBishop | Kind::ToRook | Kind::ToQueen) => {
            relocate::<S, K, PAWN>(position, key, from, to);
            let bit = 1 << to.index();
            position.movers[PAWNS] ^= bit;
            let role = match kind {
                Kind::ToKnight => {
                    position.movers[KNIGHTS] |= bit;
                    KNIGHT
                }
                Kind::ToBishop => {
                    position.movers[DIAGONAL] |= bit;
                    BISHOP
                }
                Kind::ToRook => {
                    position.movers[STRAIGHT] |= bit;
                    ROOK
                }
                _ => {
                    position.movers[DIAGONAL] |= bit;
                    position.movers[STRAIGHT] |= bit;
                    QUEEN
                }
            };
            key.toggle(|| piece_key::<PAWN>(S::US, to) ^ zobrist::PIECES[S::US][role][to.index()]);
        }
    }
}

const PAWN: usize = Role::Pawn as usize;
const KNIGHT: usize = Role::Knight as usize;
const BISHOP: usize = Role::Bishop as usize;
const ROOK: usize = Role::Rook as usize;
const QUEEN: usize = Role::Queen as usize;
const KING: usize = Role::King as usize;

#[inline(always)]
fn piece_key<const ROLE: usize>(color: usize, square: Square) -> u64 {
    zobrist::PIECES[color][ROLE][square.index()]
}

/// Moves a piece of a known role, captures what stands there, and keeps the clock and the rights to castle.
#[inline(always)]
fn relocate<S: Side, K: KeyKeeper, const ROLE: usize>(
    position: &mut Position,
    key: &mut K,
    from: Square,
    to: Square,
) {
    let bit = 1u64 << to.index();
    let both = 1 << from.index() | bit;
    position.halfmove_clock = if ROLE == PAWN {
        0
    } else {
        position.halfmove_clock.saturating_add(1)
    };
    if position.colors[S::THEM] & bit != 0 {
        let captured = position.role_of(bit);
        key.toggle(|| zobrist::PIECES[S::THEM][captured.index()][to.index()]);
        position.colors[S::THEM] ^= bit;
        for set in &mut position.movers {
            *set &= !bit;
        }
        position.halfmove_clock = 0;
        forfeit(position, key, CastlingRights::of(bit));
    }
    position.colors[S::US] ^= both;
    match ROLE {
        PAWN => position.movers[PAWNS] ^= both,
        KNIGHT => position.movers[KNIGHTS] ^= both,
        BISHOP => position.movers[DIAGONAL] ^= both,
        ROOK => {
            position.movers[STRAIGHT] ^= both;
            forfeit(position, key, CastlingRights::of(1 << from.index()));
        }
        QUEEN => {
            position.movers[DIAGONAL] ^= both;
            position.movers[STRAIGHT] ^= both;
        }
        _ => {}
    }
    key.toggle(|| piece_key::<ROLE>(S::US, from) ^ piece_key::<ROLE>(S::US, to));
}

/// Takes rights to castle away.
#[inline(always)]
fn forfeit<K: KeyKeeper>(position: &mut Position, key: &mut K, rights: u16) {
    if position.castling.0 & rights != 0 {
        key.toggle(|| castling_keys(position));
        position.castling.0 &= !rights;
        key.toggle(|| castling_keys(position));
    }
}

/// Castles: the king goes to the square of the move, its rook to the other side of it.
fn castle<S: Side, K: KeyKeeper>(position: &mut Position, key: &mut K, king: Square, to: Square) {
    let wing = if to.file() == Wing::King.king_file() {
        Wing::King
    } else {
        Wing::Queen
    };
    let rook = u64::from(position.castling.on_wing(S::COLOR, king, wing)) << S::BACK_RANK;
    let rook_to = Square::new(wing.rook_file(), to.rank());
    // In Chess960 the four squares may overlap: first everything off the board, then everything on.
    let off = 1 << king.index() | rook;
    let on = 1 << to.index() | 1 << rook_to.index();
    position.colors[S::US] = position.colors[S::US] & !off | on;
    position.movers[STRAIGHT] = position.movers[STRAIGHT] & !rook | 1 << rook_to.index();
    key.toggle(|| {
        let rook_from = Square::wrapping(rook.trailing_zeros());
        piece_key::<KING>(S::US, king)
            ^ piece_key::<KING>(S::US, to)
            ^ piece_key::<ROOK>(S::US, rook_from)
            ^ piece_key::<ROOK>(S::US, rook_to)
    });
    forfeit(position, key, CastlingRights::all::<S>());
    position.kings[S::US] = to;
    position.halfmove_clock = position.halfmove_clock.saturating_add(1);
}
