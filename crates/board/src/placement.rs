//! Pieces on squares, without the guarantees of a board.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::by::{ByColor, ByRole};
use crate::piece::{Color, Piece, Role};
use crate::refusal::Refusal;
use crate::square::Square;

/// Any pieces on any squares: no kings or five, pawns on the last rank, nine queens.
///
/// It is a part of a [`Setup`](crate::Setup), and enough by itself for puzzles. Pieces move as on a
/// [`Board`](crate::Board), except for castling, en passant and promotion.
///
/// ```
/// use tabiya_board::{Color, Piece, Placement, Role, Square};
///
/// let mut pieces = Placement::EMPTY;
/// pieces.put(Square::A1, Piece::new(Color::White, Role::Rook));
/// assert_eq!(pieces.pseudo_legal_targets(Square::A1).len(), 14);
/// pieces.put(Square::A3, Piece::new(Color::White, Role::King));
/// assert_eq!(
///     pieces.pseudo_legal_move(Square::A1, Square::A5).unwrap_err().to_string(),
///     "the king on a3 is in the way"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Placement {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Placement {
    /// An empty board.
    pub const EMPTY: Self = Self {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    /// The pieces of twelve sets that share no square: White's from the pawn to the king, then Black's.
    #[inline]
    pub(crate) fn from_sets(sets: &[u64; 16]) -> Self {
        let mut pieces = Self::EMPTY;
        for color in 0..2 {
            for role in 0..6 {
                let set = Bitboard(sets[color * 6 + role]);
                pieces.roles[role] |= set;
                pieces.colors[color] |= set;
            }
        }
        pieces
    }

    /// Returns the occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// Returns the squares of the pieces of a colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns the squares of the pieces of a role, of both colours.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// Returns the squares of the pieces of a colour and role.
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.colors[color.index()].0 & self.roles[role.index()].0)
    }

    /// Returns the number of pieces of each colour and role.
    pub fn material(&self) -> ByColor<ByRole<u8>> {
        ByColor::from_fn(|color| ByRole::from_fn(|role| self.pieces(color, role).len() as u8))
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.colors[0].contains(square) {
            Color::White
        } else if self.colors[1].contains(square) {
            Color::Black
        } else {
            return None;
        };
        // Exactly one role has the square, so a sum finds it without unpredictable branches.
        let role: usize = (1..6)
            .map(|role| role * usize::from(self.roles[role].contains(square)))
            .sum();
        Some(Piece::new(color, Role::ALL[role]))
    }

    /// Puts a piece on a square and removes the one there.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.roles[piece.role.index()].insert(square);
        self.colors[piece.color.index()].insert(square);
    }

    /// Puts a piece on a square known to be empty.
    #[inline(always)]
    pub(crate) fn put_on_empty(&mut self, square: Square, piece: Piece) {
        self.roles[piece.role.index()].insert(square);
        self.colors[piece.color.index()].insert(square);
    }

    /// Empties a square and returns the piece from it.
    #[inline]
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.roles[piece.role.index()].remove(square);
        self.colors[piece.color.index()].remove(square);
        Some(piece)
    }

    /// Moves a piece to another square, whatever the rules say, and returns the piece that it captures.
    #[inline]
    pub fn relocate(&mut self, from: Square, to: Square) -> Option<Piece> {
        let piece = self.remove(from)?;
        let captured = self.remove(to);
        self.put_on_empty(to, piece);
        captured
    }

    /// Returns the pieces of a colour that attack a square.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let queens = self.by_role(Role::Queen);
        let attackers = attacks::pawn(!by, square) & self.by_role(Role::Pawn)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::bishop(square, occupied) & (self.by_role(Role::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.by_role(Role::Rook) | queens)
            | attacks::king(square) & self.by_role(Role::King);
        attackers & self.by_color(by)
    }

    /// Returns the squares to which the piece on a square can move if checks are ignored, without castling and en
    /// passant. Either side may move.
    pub fn pseudo_legal_targets(&self, from: Square) -> Bitboard {
        self.piece_at(from)
            .map_or(Bitboard::EMPTY, |piece| self.reach_of(piece, from))
    }

    /// The squares that a piece can move to from a square.
    #[inline]
    fn reach_of(&self, Piece { color, role }: Piece, from: Square) -> Bitboard {
        let occupied = self.occupied();
        let attacked = attacks::of(role, color, from, occupied);
        if role == Role::Pawn {
            attacked & self.by_color(!color) | attacks::pawn_pushes(color, from, occupied)
        } else {
            attacked - self.by_color(color)
        }
    }

    /// Returns the piece on a square if it can move to another, or the reason why it cannot.
    ///
    /// Like [`pseudo_legal_targets`](Self::pseudo_legal_targets), this ignores checks and the side to move.
    pub fn pseudo_legal_move(&self, from: Square, to: Square) -> Result<Piece, Refusal> {
        let piece = self
            .piece_at(from)
            .ok_or(Refusal::NoPiece { square: from })?;
        if self.reach_of(piece, from).contains(to) {
            return Ok(piece);
        }
        Err(self.obstacle(piece, from, to))
    }

    /// Returns the square of a king of a colour that is in check and the square of an attacker. A side without a king
    /// is never in check.
    pub fn checker(&self, color: Color) -> Option<(Square, Square)> {
        self.pieces(color, Role::King).into_iter().find_map(|king| {
            let by = self.attackers(king, !color).first()?;
            Some((king, by))
        })
    }

    /// Returns the pieces after a move of a side, or the reason why it is illegal. The move may not leave a king of
    /// that side in check.
    ///
    /// There is no castling, no en passant and no promotion: a pawn on the last rank stays a pawn and cannot move.
    /// Kings can be captured like other pieces.
    ///
    /// ```
    /// use tabiya_board::{Color, Piece, Placement, Role, Square};
    ///
    /// let mut pieces = Placement::EMPTY;
    /// pieces.put(Square::E1, Piece::new(Color::White, Role::King));
    /// pieces.put(Square::E2, Piece::new(Color::White, Role::Knight));
    /// pieces.put(Square::E8, Piece::new(Color::Black, Role::Rook));
    /// let after = pieces.after(Color::White, Square::E1, Square::D2)?;
    /// assert_eq!(after.piece_at(Square::E1), None);
    /// let refusal = pieces.after(Color::White, Square::E2, Square::C3).unwrap_err();
    /// assert_eq!(
    ///     refusal.to_string(),
    ///     "the knight on e2 is pinned to the king on e1 by the rook on e8"
    /// );
    /// # Ok::<(), tabiya_board::Refusal>(())
    /// ```
    pub fn after(&self, side: Color, from: Square, to: Square) -> Result<Self, Refusal> {
        let piece = self
            .piece_at(from)
            .ok_or(Refusal::NoPiece { square: from })?;
        if piece.color != side {
            return Err(Refusal::NotYourPiece {
                square: from,
                owner: piece.color,
                role: piece.role,
            });
        }
        if !self.reach_of(piece, from).contains(to) {
            return Err(self.obstacle(piece, from, to));
        }
        let after = self.relocated(piece, from, to);
        match after.checker(side) {
            None => Ok(after),
            Some((king, by)) => Err(self.exposed(piece, from, to, king, by)),
        }
    }

    /// The pieces after one of them has moved.
    #[inline]
    fn relocated(&self, Piece { color, role }: Piece, from: Square, to: Square) -> Self {
        let mut after = *self;
        for set in after.roles.iter_mut().chain(&mut after.colors) {
            set.remove(to);
        }
        for set in [
            &mut after.roles[role.index()],
            &mut after.colors[color.index()],
        ] {
            set.remove(from);
            set.insert(to);
        }
        after
    }

    /// The reason why a move is illegal that leaves a king attacked.
    fn exposed(&self, piece: Piece, from: Square, to: Square, king: Square, by: Square) -> Refusal {
        let Piece { color, role } = piece;
        let attacker = self
            .piece_at(by)
            .map_or(Role::Pawn, |attacker| attacker.role);
        if role == Role::King && king == to {
            Refusal::IntoCheck { king, by, attacker }
        } else if self.attackers(king, !color).contains(by) {
            Refusal::StillInCheck { king, by, attacker }
        } else {
            // Only the square that the piece leaves can have opened the line.
            Refusal::Pinned {
                square: from,
                role,
                king,
                by,
                attacker,
            }
        }
    }

    /// The reason why a piece cannot move to a square.
    fn obstacle(&self, piece: Piece, from: Square, to: Square) -> Refusal {
        let Piece { color, role } = piece;
        if from == to {
            return Refusal::SameSquare { square: from };
        }
        if role == Role::Pawn {
            return self.pawn_obstacle(color, from, to);
        }
        if !attacks::of(role, color, from, Bitboard::EMPTY).contains(to) {
            return Refusal::NotHowItMoves { role, from, to };
        }
        let between = attacks::between(from, to) & self.occupied();
        let nearest = if from < to {
            between.first()
        } else {
            between.last()
        };
        if let Some((square, blocker)) =
            nearest.and_then(|square| Some((square, self.piece_at(square)?)))
        {
            return Refusal::PathBlocked {
                square,
                role: blocker.role,
            };
        }
        // The path is clear, so only a piece of its own side on the target can stop it.
        let own = self.piece_at(to).map_or(role, |piece| piece.role);
        Refusal::OwnPiece {
            square: to,
            role: own,
        }
    }

    fn pawn_obstacle(&self, color: Color, from: Square, to: Square) -> Refusal {
        let there = self.piece_at(to);
        if attacks::pawn(color, from).contains(to) {
            return match there {
                Some(own) => Refusal::OwnPiece {
                    square: to,
                    role: own.role,
                },
                None => Refusal::NothingToCapture { square: to },
            };
        }
        let ahead = if color.is_white() { 1 } else { -1 };
        let one = from.offset(0, ahead);
        let two = one.and_then(|one| one.offset(0, ahead));
        if one != Some(to) && two != Some(to) {
            let backwards =
                (to.rank() < from.rank()) == color.is_white() && to.rank() != from.rank();
            return if backwards {
                Refusal::PawnBackwards { from, to }
            } else {
                Refusal::NotHowItMoves {
                    role: Role::Pawn,
                    from,
                    to,
                }
            };
        }
        let blocker = one.and_then(|one| Some((one, self.piece_at(one)?)));
        match (blocker, there) {
            (Some((square, blocker)), _) if square != to => Refusal::PathBlocked {
                square,
                role: blocker.role,
            },
            _ if two == Some(to)
                && from.rank() != color.relative_rank(crate::square::Rank::Second) =>
            {
                Refusal::NoDoublePush { from }
            }
            (_, Some(piece)) if piece.color == color => Refusal::OwnPiece {
                square: to,
                role: piece.role,
            },
            (_, Some(piece)) => Refusal::PawnBlocked {
                square: to,
                role: piece.role,
            },
            (_, None) => Refusal::NotHowItMoves {
                role: Role::Pawn,
                from,
                to,
            },
        }
    }
}
