//! Why a move may not be played: a value for programs that prints as a sentence for people.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling;
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Role};
use crate::position::{CastlingSide, Position};
use crate::side::by_side;
use crate::square::{File, Rank, Square};

/// The rule that forbids a move, and the squares and pieces concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no piece on the square.
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The piece belongs to the side that is not to move.
    NotYourPiece {
        /// Where it stands.
        square: Square,
        /// Whose it is.
        owner: Color,
        /// What it is.
        role: Role,
    },
    /// The move ends where it starts.
    SameSquare {
        /// That square.
        square: Square,
    },
    /// Pieces of this kind do not move from the one square to the other, whatever else is on the board.
    NotHowItMoves {
        /// The kind of piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where it cannot go.
        to: Square,
    },
    /// A pawn would have to move backwards.
    PawnBackwards {
        /// Where it stands.
        from: Square,
        /// Where it cannot go.
        to: Square,
    },
    /// A piece stands between.
    PathBlocked {
        /// Where.
        square: Square,
        /// What stands there.
        role: Role,
    },
    /// A piece of the same side stands on the target square.
    OwnPiece {
        /// Where.
        square: Square,
        /// What stands there.
        role: Role,
    },
    /// A pawn would have to capture straight ahead.
    PawnBlocked {
        /// The square ahead.
        square: Square,
        /// What stands there.
        role: Role,
    },
    /// A pawn would have to move two squares from another rank than its first.
    NoDoublePush {
        /// Where it stands.
        from: Square,
    },
    /// A pawn moves diagonally only to capture, and nothing stands there.
    NothingToCapture {
        /// The empty square.
        square: Square,
    },
    /// The enemy pawn beside did not make its double step just now.
    EnPassantExpired {
        /// The square behind that pawn.
        square: Square,
        /// Where that pawn stands.
        pawn: Square,
    },
    /// A pawn reaches the last rank and nobody has said what it becomes.
    MissingPromotion {
        /// The square on the last rank.
        square: Square,
    },
    /// A pawn cannot become this.
    InvalidPromotion {
        /// A pawn or a king.
        role: Role,
    },
    /// A promotion of something that does not promote there.
    NotAPromotion {
        /// What moves.
        role: Role,
        /// Where it would go.
        to: Square,
    },
    /// The king would step onto an attacked square.
    IntoCheck {
        /// That square.
        king: Square,
        /// A piece that attacks it.
        by: Square,
        /// What that piece is.
        attacker: Role,
    },
    /// The king is in check and the move does nothing about it.
    StillInCheck {
        /// Where the king is.
        king: Square,
        /// A piece that would still give check.
        by: Square,
        /// What that piece is.
        attacker: Role,
    },
    /// The piece shields its king.
    Pinned {
        /// Where the piece stands.
        square: Square,
        /// What it is.
        role: Role,
        /// Where its king is.
        king: Square,
        /// The piece that would give check.
        by: Square,
        /// What that piece is.
        attacker: Role,
    },
    /// The squares fit, but the move was made for a position in which something else stands there.
    WrongPosition {
        /// Where it starts.
        from: Square,
        /// Where it ends.
        to: Square,
    },
    /// Castling after the king has moved.
    KingHasMoved {
        /// Where the king is now.
        king: Square,
    },
    /// Castling with a rook that has moved (or a new one on its square).
    RookHasMoved {
        /// The rook.
        rook: Square,
    },
    /// Castling without a right to it, where the position does not tell which of the two has moved.
    KingOrRookHasMoved {
        /// The rook.
        rook: Square,
    },
    /// Castling to a side where no rook is left to castle with.
    NoRookToCastle {
        /// The side.
        side: CastlingSide,
    },
    /// Castling out of check.
    CastlingInCheck {
        /// The piece that gives check.
        by: Square,
        /// What it is.
        attacker: Role,
    },
    /// Castling over or onto an attacked square.
    CastlingThroughCheck {
        /// The square.
        square: Square,
        /// A piece that attacks it.
        by: Square,
        /// What that piece is.
        attacker: Role,
    },
    /// Castling with a piece in the way.
    CastlingBlocked {
        /// Where.
        square: Square,
        /// What stands there.
        role: Role,
    },
}

#[allow(clippy::too_many_lines)]
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoPiece { square } => write!(f, "there is no piece on {square}"),
            Self::NotYourPiece {
                square,
                owner,
                role,
            } => {
                write!(
                    f,
                    "the {role} on {square} is {owner}'s, and it is {}'s turn",
                    !owner
                )
            }
            Self::SameSquare { square } => write!(f, "the piece on {square} would not move at all"),
            Self::NotHowItMoves { role, from, to } => {
                write!(f, "a {role} does not move from {from} to {to}")
            }
            Self::PawnBackwards { from, to } => {
                write!(f, "a pawn never moves backwards, as from {from} to {to}")
            }
            Self::PathBlocked { square, role } => write!(f, "the {role} on {square} is in the way"),
            Self::OwnPiece { square, role } => write!(f, "your own {role} is on {square}"),
            Self::PawnBlocked { square, role } => {
                write!(
                    f,
                    "a pawn captures only diagonally, and the {role} on {square} is straight ahead"
                )
            }
            Self::NoDoublePush { from } => {
                write!(
                    f,
                    "a pawn moves two squares only from where it started, and {from} is further on"
                )
            }
            Self::NothingToCapture { square } => {
                write!(
                    f,
                    "a pawn moves diagonally only to capture, and there is nothing on {square}"
                )
            }
            Self::EnPassantExpired { square, pawn } => write!(
                f,
                "the pawn on {pawn} can be captured en passant on {square} only right after a step of two squares"
            ),
            Self::MissingPromotion { square } => write!(
                f,
                "the pawn reaches {square}: say what it becomes, a queen, rook, bishop or knight"
            ),
            Self::InvalidPromotion { role } => {
                write!(
                    f,
                    "a pawn becomes a queen, rook, bishop or knight, never a {role}"
                )
            }
            Self::NotAPromotion {
                role: Role::Pawn,
                to,
            } => {
                write!(
                    f,
                    "a pawn promotes only on the last rank, and {to} is not on it"
                )
            }
            Self::NotAPromotion { role, .. } => {
                write!(f, "only a pawn promotes, and this is a {role}")
            }
            Self::IntoCheck { king, by, attacker } => {
                write!(
                    f,
                    "on {king} the king would be in check from the {attacker} on {by}"
                )
            }
            Self::StillInCheck { king, by, attacker } => {
                write!(
                    f,
                    "the king on {king} would be in check from the {attacker} on {by}"
                )
            }
            Self::Pinned {
                square,
                role,
                king,
                by,
                attacker,
            } => write!(
                f,
                "the {role} on {square} is pinned: the king on {king} would be in check from the {attacker} on {by}"
            ),
            Self::WrongPosition { from, to } => {
                write!(
                    f,
                    "the move from {from} to {to} belongs to another position"
                )
            }
            Self::KingHasMoved { king } => {
                write!(f, "castling is not allowed: the king on {king} has moved")
            }
            Self::RookHasMoved { rook } => {
                write!(f, "castling is not allowed: the rook on {rook} has moved")
            }
            Self::KingOrRookHasMoved { rook } => {
                write!(
                    f,
                    "castling is not allowed: the king or the rook on {rook} has moved"
                )
            }
            Self::NoRookToCastle { side } => {
                write!(
                    f,
                    "castling is not allowed: there is no rook to castle with on the {side} side"
                )
            }
            Self::CastlingInCheck { by, attacker } => {
                write!(
                    f,
                    "castling is not allowed: the king is in check from the {attacker} on {by}"
                )
            }
            Self::CastlingThroughCheck {
                square,
                by,
                attacker,
            } => {
                write!(
                    f,
                    "castling is not allowed: {square} is attacked by the {attacker} on {by}"
                )
            }
            Self::CastlingBlocked { square, role } => {
                write!(
                    f,
                    "castling is not allowed: {square} is occupied by a {role}"
                )
            }
        }
    }
}

impl core::error::Error for Refusal {}

impl Refusal {
    /// The squares to blame: of what is in the way, what attacks, what is missing. None where the move itself is what is
    /// wrong.
    pub fn squares(&self) -> Bitboard {
        match *self {
            Self::NoPiece { square }
            | Self::NotYourPiece { square, .. }
            | Self::PathBlocked { square, .. }
            | Self::OwnPiece { square, .. }
            | Self::PawnBlocked { square, .. }
            | Self::NothingToCapture { square }
            | Self::CastlingBlocked { square, .. } => square.into(),
            Self::EnPassantExpired { pawn, .. } => pawn.into(),
            Self::IntoCheck { by, .. } | Self::CastlingInCheck { by, .. } => by.into(),
            Self::StillInCheck { king, by, .. } | Self::Pinned { king, by, .. } => {
                Bitboard::from(king) | Bitboard::from(by)
            }
            Self::CastlingThroughCheck { square, by, .. } => {
                Bitboard::from(square) | Bitboard::from(by)
            }
            Self::KingHasMoved { king } => king.into(),
            Self::RookHasMoved { rook } | Self::KingOrRookHasMoved { rook } => rook.into(),
            _ => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// The legal move from one square to another, or the reason why there is none.
    ///
    /// Castling is asked for by the king's two squares (`e1`, `g1`) or by those of the king and its rook (`e1`, `h1`);
    /// in Chess960 the second always means castling, and the first only where the king does not simply step there.
    ///
    /// ```
    /// use tabiya_board::{Board, Refusal, Role, Square};
    ///
    /// let board = Board::start();
    /// assert!(board.legal_move(Square::G1, Square::F3, None).is_ok());
    /// let refusal = board.legal_move(Square::F1, Square::C4, None).unwrap_err();
    /// assert_eq!(refusal, Refusal::PathBlocked { square: Square::E2, role: Role::Pawn });
    /// assert_eq!(refusal.to_string(), "the pawn on e2 is in the way");
    /// ```
    pub fn legal_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, Refusal> {
        let (us, them) = (self.turn(), !self.turn());
        let role = self
            .role_at(from)
            .ok_or(Refusal::NoPiece { square: from })?;
        if self.by_color(them).contains(from) {
            return Err(Refusal::NotYourPiece {
                square: from,
                owner: them,
                role,
            });
        }
        if let Some(side) = self.castling_attempt(from, to) {
            if promotion.is_some() {
                return Err(Refusal::NotAPromotion { role, to });
            }
            return self.legal_castling(side);
        }

        let is_en_passant = by_side!(us, S => self.en_passant_capturers::<S>(to)).contains(from);
        if !is_en_passant {
            self.placement()
                .pseudo_legal_move(from, to)
                .map_err(|refusal| match refusal {
                    Refusal::NothingToCapture { square } => {
                        self.missed_en_passant(square).unwrap_or(refusal)
                    }
                    _ => refusal,
                })?;
        }
        self.king_stays_safe(role, from, to, is_en_passant)?;

        let promotes = role == Role::Pawn && to.rank() == us.relative_rank(Rank::Eighth);
        let kind = match promotion {
            None if promotes => return Err(Refusal::MissingPromotion { square: to }),
            Some(_) if !promotes => return Err(Refusal::NotAPromotion { role, to }),
            Some(into) if !Role::PROMOTIONS.contains(&into) => {
                return Err(Refusal::InvalidPromotion { role: into });
            }
            Some(into) => MoveKind::promotion(into),
            None if is_en_passant => MoveKind::EnPassant,
            None if role == Role::Pawn && from.index().abs_diff(to.index()) == 16 => {
                MoveKind::DoublePush
            }
            None => MoveKind::of(role),
        };
        Ok(Move::new(kind, from, to))
    }

    /// Whether a move, perhaps of another position, is legal here, or the reason why it is not.
    pub fn validate(&self, mv: Move) -> Result<(), Refusal> {
        if self.is_legal(mv) {
            return Ok(());
        }
        if let Some(side) = mv.castling_side()
            && mv.from() == self.king(self.turn())
        {
            self.legal_castling(side)?;
        }
        self.legal_move(mv.from(), mv.to(), mv.promotion())?;
        // The squares are right, but what stands there moves in another way than the move says.
        Err(Refusal::WrongPosition {
            from: mv.from(),
            to: mv.to(),
        })
    }

    /// The side to which a pair of squares of the side to move castles, if it means castling at all.
    fn castling_attempt(&self, from: Square, to: Square) -> Option<CastlingSide> {
        let us = self.turn();
        let back_rank = us.relative_rank(Rank::First);
        if from != self.king(us) || from.rank() != back_rank || to.rank() != back_rank {
            return None;
        }
        if let Some(side) = CastlingSide::ALL
            .into_iter()
            .find(|&side| self.castling_rook(us, side) == Some(to))
        {
            return Some(side);
        }
        if attacks::king(from).contains(to) || from == to {
            return None;
        }
        let side = if to > from {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        };
        // The king onto a rook with which it may not castle any more is castling too.
        let onto_rook =
            self.pieces(us, Role::Rook).contains(to) && self.home_rook(side) == Some(to);
        let to_destination = to.file() == side.king_file()
            && (from.file() == File::E || self.castling_rook(us, side).is_some());
        (onto_rook || to_destination).then_some(side)
    }

    /// The rook a king would castle with if it could: the one with the right, or the outermost of its side.
    fn home_rook(&self, side: CastlingSide) -> Option<Square> {
        let us = self.turn();
        let king = self.king(us);
        self.castling_rook(us, side).or_else(|| {
            let rooks = self.pieces(us, Role::Rook) & Bitboard::rank(us.relative_rank(Rank::First));
            match side {
                CastlingSide::KingSide => rooks.last().filter(|&rook| rook > king),
                CastlingSide::QueenSide => rooks.first().filter(|&rook| rook < king),
            }
        })
    }

    /// Castling to a side, or the reason why it is not allowed.
    pub fn legal_castling(&self, side: CastlingSide) -> Result<Move, Refusal> {
        let (us, them) = (self.turn(), !self.turn());
        let king = self.king(us);
        let Some(rook) = self.castling_rook(us, side) else {
            return Err(self.lost_castling(side));
        };
        let occupied = self.occupied();
        let attacker_of = |square, occupied| self.attackers(square, them, occupied).first();
        let back_rank = |set: Bitboard| (set.0 >> (king.index() & 0o70)) as u8;
        let obstacles = castling::obstacles(
            side,
            king,
            back_rank(rook.into()),
            back_rank(occupied),
            castling::attacked_files(side, king, |square| attacker_of(square, occupied).is_some()),
            back_rank(self.pinned()),
        );
        let first =
            |files: u8| Square::new(File::wrapping(files.trailing_zeros() as usize), king.rank());
        if let Some(by) = attacker_of(king, occupied) {
            return Err(Refusal::CastlingInCheck {
                by,
                attacker: self.role_or_pawn(by),
            });
        }
        if obstacles.blocked != 0 {
            let square = first(obstacles.blocked);
            return Err(Refusal::CastlingBlocked {
                square,
                role: self.role_or_pawn(square),
            });
        }
        let end = Square::new(side.king_file(), king.rank());
        let danger = if obstacles.attacked != 0 {
            let square = first(obstacles.attacked);
            attacker_of(square, occupied).map(|by| (square, by))
        } else if obstacles.pinned_rook != 0 {
            // The piece that pins the rook attacks the square where the king ends.
            attacker_of(king, occupied - rook.into()).map(|by| (end, by))
        } else {
            None
        };
        if let Some((square, by)) = danger {
            return Err(Refusal::CastlingThroughCheck {
                square,
                by,
                attacker: self.role_or_pawn(by),
            });
        }
        Ok(Move::new(MoveKind::Castling, king, end))
    }

    /// Why there is no right to castle.
    fn lost_castling(&self, side: CastlingSide) -> Refusal {
        let us = self.turn();
        let king = self.king(us);
        let other_side = match side {
            CastlingSide::KingSide => CastlingSide::QueenSide,
            CastlingSide::QueenSide => CastlingSide::KingSide,
        };
        if king.rank() != us.relative_rank(Rank::First) {
            return Refusal::KingHasMoved { king };
        }
        let Some(rook) = self.home_rook(side) else {
            return Refusal::NoRookToCastle { side };
        };
        // With a right on the other side, the king has not moved.
        if self.castling_rook(us, other_side).is_some() {
            return Refusal::RookHasMoved { rook };
        }
        // Both kings start on one file: that of a king which may still castle, or else the e-file.
        let may_castle = |side| self.castling_rook(!us, side).is_some();
        let start = if CastlingSide::ALL.into_iter().any(may_castle) {
            self.king(!us).file()
        } else {
            File::E
        };
        if king.file() == start {
            Refusal::KingOrRookHasMoved { rook }
        } else {
            Refusal::KingHasMoved { king }
        }
    }

    /// If a pawn beside could once have been captured en passant: that it is too late.
    fn missed_en_passant(&self, square: Square) -> Option<Refusal> {
        let (us, them) = (self.turn(), !self.turn());
        if square.rank() != us.relative_rank(Rank::Sixth) {
            return None;
        }
        let pawn = Square::new(square.file(), us.relative_rank(Rank::Fifth));
        self.pieces(them, Role::Pawn)
            .contains(pawn)
            .then_some(Refusal::EnPassantExpired { square, pawn })
    }

    /// Whether a pseudo-legal move leaves the king of the side to move in check.
    fn king_stays_safe(
        &self,
        role: Role,
        from: Square,
        to: Square,
        is_en_passant: bool,
    ) -> Result<(), Refusal> {
        let us = self.turn();
        let king = if role == Role::King {
            to
        } else {
            self.king(us)
        };
        let checkers = if is_en_passant {
            by_side!(us, S => self.checkers_after_en_passant::<S>(from, to))
        } else {
            let target = Bitboard::from(to);
            let occupied = self.occupied() - from.into() | target;
            self.attackers(king, !us, occupied) - target
        };
        let Some(by) = checkers.first() else {
            return Ok(());
        };
        let attacker = self.role_or_pawn(by);
        Err(if role == Role::King {
            Refusal::IntoCheck { king, by, attacker }
        } else if self.checkers().contains(by) {
            Refusal::StillInCheck { king, by, attacker }
        } else {
            Refusal::Pinned {
                square: from,
                role,
                king,
                by,
                attacker,
            }
        })
    }

    /// The role on a square where a piece is known to be.
    fn role_or_pawn(&self, square: Square) -> Role {
        self.role_at(square).unwrap_or(Role::Pawn)
    }
}
