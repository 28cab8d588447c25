//! Finding a move by its piece and target square, as notation names it, without generating all moves.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::{PAWNS, Position};
use crate::side::{Side, by_side};
use crate::square::{Rank, Square};

/// The legal moves that match a description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMatch {
    /// Exactly one move.
    Unique(Move),
    /// No move.
    None,
    /// Several moves, from these squares.
    Ambiguous(Bitboard),
}

impl Position {
    /// Finds the legal move of a piece of this role from one of these squares to that square. For castling, use
    /// [`legal_castling`](Self::legal_castling).
    ///
    /// Give a promotion exactly if a pawn reaches the last rank.
    ///
    /// ```
    /// use tabiya_board::{Bitboard, Board, MoveMatch, Role, Square};
    /// let board = Board::start();
    /// let MoveMatch::Unique(mv) = board.find_move(Role::Knight, Bitboard::FULL, Square::F3, None) else { panic!() };
    /// assert_eq!(mv.to_string(), "g1f3");
    /// assert_eq!(board.find_move(Role::Knight, Bitboard::FULL, Square::E4, None), MoveMatch::None);
    /// ```
    #[inline]
    pub fn find_move(
        &self,
        role: Role,
        from: Bitboard,
        to: Square,
        promotion: Option<Role>,
    ) -> MoveMatch {
        by_side!(self.turn(), S => find_move::<S>(self, role, from, to, promotion))
    }

    /// Returns the squares from which pieces of this role can legally move to a square, castling excluded.
    ///
    /// ```
    /// use tabiya_board::{Board, Role, Square};
    /// let origins = Board::start().legal_origins(Role::Knight, Square::F3);
    /// assert_eq!(origins.first(), Some(Square::G1));
    /// ```
    #[inline]
    pub fn legal_origins(&self, role: Role, to: Square) -> Bitboard {
        by_side!(self.turn(), S => {
            let mut legal = Bitboard::EMPTY;
            for from in origins::<S>(self, role, to) {
                if is_safe::<S>(self, role, from, to) {
                    legal.insert(from);
                }
            }
            legal
        })
    }

    /// Returns the squares from which pieces of this role can move to a square if checks are ignored, castling
    /// excluded.
    ///
    /// ```
    /// use tabiya_board::{Board, Role, Square};
    /// let board: Board = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(board.pseudo_legal_origins(Role::Knight, Square::C3).first(), Some(Square::E2));
    /// assert!(board.legal_origins(Role::Knight, Square::C3).is_empty());
    /// ```
    #[inline]
    pub fn pseudo_legal_origins(&self, role: Role, to: Square) -> Bitboard {
        by_side!(self.turn(), S => origins::<S>(self, role, to))
    }
}

#[inline(always)]
fn find_move<S: Side>(
    position: &Position,
    role: Role,
    from: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> MoveMatch {
    let promotes = role == Role::Pawn && to.rank() == S::COLOR.relative_rank(Rank::Eighth);
    let fits = match promotion {
        None => !promotes,
        Some(into) => promotes && Role::PROMOTIONS.contains(&into),
    };
    if !fits {
        return MoveMatch::None;
    }
    let candidates = origins::<S>(position, role, to) & from;
    let Some(mut origin) = candidates.first() else {
        return MoveMatch::None;
    };
    if candidates.more_than_one() {
        let mut legal = candidates;
        for candidate in candidates {
            if !is_safe::<S>(position, role, candidate, to) {
                legal.remove(candidate);
            }
        }
        match legal.first() {
            None => return MoveMatch::None,
            Some(_) if legal.more_than_one() => return MoveMatch::Ambiguous(legal),
            Some(only) => origin = only,
        }
    } else if !is_safe::<S>(position, role, origin, to) {
        return MoveMatch::None;
    }
    let kind = match promotion {
        Some(into) => MoveKind::promotion(into),
        None if role != Role::Pawn => MoveKind::of(role),
        None if origin.index().abs_diff(to.index()) == 16 => MoveKind::DoublePush,
        None if position.is_en_passant(origin, to) => MoveKind::EnPassant,
        None => MoveKind::Pawn,
    };
    MoveMatch::Unique(Move::new(kind, origin, to))
}

/// The squares of the pieces of a role that can move to a square if checks are ignored.
#[inline(always)]
fn origins<S: Side>(position: &Position, role: Role, to: Square) -> Bitboard {
    let (us, them) = (position.colors[S::US], position.colors[S::THEM]);
    let occupied = Bitboard(us | them);
    let bit = 1u64 << to.index();
    if us & bit != 0 {
        return Bitboard::EMPTY;
    }
    let own = |set: Bitboard| Bitboard(set.0 & us);
    match role {
        Role::Knight => attacks::knight(to) & own(position.by_role(Role::Knight)),
        Role::Bishop => attacks::bishop(to, occupied) & own(position.by_role(Role::Bishop)),
        Role::Rook => attacks::rook(to, occupied) & own(position.by_role(Role::Rook)),
        Role::Queen => attacks::queen(to, occupied) & own(position.by_role(Role::Queen)),
        Role::King => attacks::king(to) & Bitboard::from(position.kings[S::US]),
        Role::Pawn => {
            let pawns = position.movers[PAWNS] & us;
            if them & bit != 0 {
                return Bitboard(attacks::PAWN[S::THEM][to.index()] & pawns);
            }
            let one = S::Other::ahead(bit);
            let from = if one & occupied.0 != 0 {
                one & pawns
            } else if to.rank() == S::COLOR.relative_rank(Rank::Fourth) {
                S::Other::ahead(one) & pawns
            } else {
                0
            };
            Bitboard(from) | position.en_passant_capturers::<S>(to)
        }
    }
}

/// Whether a move is legal that is no castling, capture en passant or promotion.
#[inline(always)]
pub(crate) fn is_legal_plain<S: Side>(position: &Position, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let (us, them) = (position.colors[S::US], position.colors[S::THEM]);
    let (start, end) = (1_u64 << from.index(), 1_u64 << to.index());
    let occupied = us | them;
    let [pawns, knights, diagonal, straight] = position.movers;
    let (diagonals, straights) = (
        attacks::DIAGONALS[from.index()],
        attacks::STRAIGHT_LINES[from.index()],
    );
    let on_rank = |nth| Bitboard::rank(S::COLOR.relative_rank(nth)).0;
    let unless_blocked = |lines: u64| {
        if attacks::between(from, to).intersects(Bitboard(occupied)) {
            0
        } else {
            lines
        }
    };
    // The pieces that move like this, and the squares that they reach from here.
    let (pieces, targets) = match mv.kind() {
        MoveKind::King => {
            return position.kings[S::US] == from
                && attacks::KING[from.index()] & !us & end != 0
                && is_safe_king_move::<S>(position, to);
        }
        MoveKind::Knight => (knights, attacks::KNIGHT[from.index()]),
        MoveKind::Bishop => (diagonal & !straight, unless_blocked(diagonals)),
        MoveKind::Rook => (straight & !diagonal, unless_blocked(straights)),
        MoveKind::Queen => (diagonal & straight, unless_blocked(diagonals | straights)),
        MoveKind::DoublePush => {
            let ahead = S::ahead(start) & !occupied;
            (pawns, S::ahead(ahead) & !occupied & on_rank(Rank::Fourth))
        }
        // A pawn's step or capture; other kinds do not come here.
        _ => {
            let captures = attacks::PAWN[S::US][from.index()] & them;
            let steps = S::ahead(start) & !occupied | captures;
            (pawns, steps & !on_rank(Rank::Eighth))
        }
    };
    (pieces & us) >> from.index() & (targets & !us) >> to.index() & 1 != 0
        && is_safe_other_move::<S>(position, from, to)
}

/// Whether a pseudo-legal move leaves the king safe.
#[inline(always)]
fn is_safe<S: Side>(position: &Position, role: Role, from: Square, to: Square) -> bool {
    if role == Role::Pawn && position.is_en_passant(from, to) {
        return is_safe_en_passant::<S>(position, from, to);
    }
    is_safe_plain::<S>(position, role, from, to)
}

/// Whether a pseudo-legal move that is no capture en passant leaves the king safe.
#[inline(always)]
fn is_safe_plain<S: Side>(position: &Position, role: Role, from: Square, to: Square) -> bool {
    if role == Role::King {
        is_safe_king_move::<S>(position, to)
    } else {
        is_safe_other_move::<S>(position, from, to)
    }
}

/// Whether no enemy attacks the king after its move to a square.
#[inline(always)]
fn is_safe_king_move<S: Side>(position: &Position, to: Square) -> bool {
    let occupied = position.occupied() - Bitboard::from(position.kings[S::US]);
    position.attackers(to, S::Other::COLOR, occupied).is_empty()
}

/// Whether no enemy attacks the king after a move of another piece that is no capture en passant.
#[inline(always)]
fn is_safe_other_move<S: Side>(position: &Position, from: Square, to: Square) -> bool {
    let (start, end) = (1u64 << from.index(), 1u64 << to.index());
    let king = position.kings[S::US];
    let [pawns, knights, diagonal, straight] = position.movers;
    let them = position.colors[S::THEM] & !end;
    let leapers =
        attacks::KNIGHT[king.index()] & knights | attacks::PAWN[S::US][king.index()] & pawns;
    if leapers & them != 0 {
        return false;
    }
    // Few enemy sliders share a line with the king: checking those is cheaper than following all its lines.
    let aligned = attacks::STRAIGHT_LINES[king.index()] & straight
        | attacks::DIAGONALS[king.index()] & diagonal;
    let occupied = position.occupied().0 & !start | end;
    Bitboard(aligned & them)
        .into_iter()
        .all(|slider| attacks::between(king, slider).intersects(Bitboard(occupied)))
}

/// Out of line, because it is rare and would take registers from the common case.
#[cold]
#[inline(never)]
fn is_safe_en_passant<S: Side>(position: &Position, from: Square, to: Square) -> bool {
    position.checkers_after_en_passant::<S>(from, to).is_empty()
}
