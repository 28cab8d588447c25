//! Why a move is illegal: a value for programs that prints as a sentence for people.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling;
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Role};
use crate::position::{CastlingSide, Position};
use crate::side::by_side;
use crate::square::{File, Rank, Square};

/// The rule that forbids a move, with the squares and pieces concerned.
///
/// ```
/// use tabiya_board::{Board, Square};
///
/// let board: Board = "4k3/1b6/8/8/8/5N2/8/7K w - - 0 1".parse().unwrap();
/// let refusal = board.legal_move(Square::F3, Square::D4, None).unwrap_err();
/// assert_eq!(refusal.to_string(), "the knight on f3 is pinned to the king on h1 by the bishop on b7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no piece on the starting square.
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The piece belongs to the side that is not to move.
    NotYourPiece {
        /// Its square.
        square: Square,
        /// The side that it belongs to.
        owner: Color,
        /// Its role.
        role: Role,
    },
    /// The move ends where it starts.
    SameSquare {
        /// That square.
        square: Square,
    },
    /// Pieces of this role never move like that, even on an empty board.
    NotHowItMoves {
        /// The role.
        role: Role,
        /// The starting square.
        from: Square,
        /// The target square.
        to: Square,
    },
    /// A pawn would move backwards.
    PawnBackwards {
        /// The starting square.
        from: Square,
        /// The target square.
        to: Square,
    },
    /// A piece stands between the two squares.
    PathBlocked {
        /// The square of that piece.
        square: Square,
        /// Its role.
        role: Role,
    },
    /// A piece of the same side is on the target square.
    OwnPiece {
        /// The target square.
        square: Square,
        /// The role of that piece.
        role: Role,
    },
    /// A pawn would capture straight ahead.
    PawnBlocked {
        /// The square ahead.
        square: Square,
        /// The role of the piece there.
        role: Role,
    },
    /// A pawn that is not on its starting square would move two squares.
    NoDoublePush {
        /// The pawn's square.
        from: Square,
    },
    /// A pawn would move diagonally to an empty square.
    NothingToCapture {
        /// The empty square.
        square: Square,
    },
    /// A pawn would capture en passant, but the pawn beside it did not just move two squares.
    EnPassantExpired {
        /// The target square, behind that pawn.
        square: Square,
        /// The square of that pawn.
        pawn: Square,
    },
    /// A pawn reaches the last rank, but the move does not say what it becomes.
    MissingPromotion {
        /// The square on the last rank.
        square: Square,
    },
    /// A pawn cannot become this.
    InvalidPromotion {
        /// A pawn or a king.
        role: Role,
    },
    /// The move names a promotion but is none.
    NotAPromotion {
        /// The role of the moving piece.
        role: Role,
        /// The target square.
        to: Square,
    },
    /// The king would step onto an attacked square.
    IntoCheck {
        /// That square.
        king: Square,
        /// The square of an attacker.
        by: Square,
        /// The attacker's role.
        attacker: Role,
    },
    /// The king is in check and the move does not stop that.
    StillInCheck {
        /// The king's square.
        king: Square,
        /// The square of a piece that would still give check.
        by: Square,
        /// The role of that piece.
        attacker: Role,
    },
    /// The piece is pinned and would leave the line to its king.
    Pinned {
        /// The square of the pinned piece.
        square: Square,
        /// Its role.
        role: Role,
        /// The king's square.
        king: Square,
        /// The square of the piece that pins it.
        by: Square,
        /// The role of that piece.
        attacker: Role,
    },
    /// Capturing en passant removes two pawns, and together they shield the king.
    EnPassantExposesKing {
        /// The king's square.
        king: Square,
        /// The square of the piece that would give check.
        by: Square,
        /// The role of that piece.
        attacker: Role,
    },
    /// The squares fit, but the move was made for a position with another piece there.
    WrongPosition {
        /// The starting square.
        from: Square,
        /// The target square.
        to: Square,
    },
    /// Castling after the king has moved.
    KingHasMoved {
        /// The king's square.
        king: Square,
    },
    /// Castling with a rook that has moved, or with another rook on its square.
    RookHasMoved {
        /// The rook's square.
        rook: Square,
    },
    /// Castling without the right to it. The position does not show which of the two has moved.
    KingOrRookHasMoved {
        /// The rook's square.
        rook: Square,
    },
    /// Castling to a side without a rook.
    NoRookToCastle {
        /// That side.
        side: CastlingSide,
    },
    /// Castling out of check.
    CastlingInCheck {
        /// The square of the piece that gives check.
        by: Square,
        /// The role of that piece.
        attacker: Role,
    },
    /// Castling across or onto an attacked square.
    CastlingThroughCheck {
        /// The attacked square.
        square: Square,
        /// The square of an attacker.
        by: Square,
        /// The attacker's role.
        attacker: Role,
    },
    /// Castling with a piece in the way.
    CastlingBlocked {
        /// The square of that piece.
        square: Square,
        /// Its role.
        role: Role,
    },
}

/// Starts with a small letter and has no full stop, so that callers can put it after a colon or make it a sentence.
impl fmt::Display for Refusal {
    #[expect(clippy::too_many_lines, reason = "one sentence for each rule")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoPiece { square } => write!(f, "there is no piece on {square}"),
            Self::NotYourPiece {
                square,
                owner,
                role,
            } => {
                let turn = !owner;
                write!(
                    f,
                    "the {role} on {square} is {owner}'s, but it's {turn}'s turn"
                )
            }
            Self::SameSquare { square } => write!(f, "the move starts and ends on {square}"),
            Self::NotHowItMoves { role, .. } => f.write_str(match role {
                Role::Pawn => "pawns move one square forward, or two from their starting square",
                Role::Knight => {
                    "knights move two squares in one direction and one square to the side"
                }
                Role::Bishop => "bishops move diagonally",
                Role::Rook => "rooks move along ranks and files",
                Role::Queen => "queens move along ranks, files and diagonals",
                Role::King => "kings move one square in any direction",
            }),
            Self::PawnBackwards { .. } => f.write_str("pawns never move backwards"),
            Self::PathBlocked { square, role } => write!(f, "the {role} on {square} is in the way"),
            Self::OwnPiece { square, role } => write!(f, "your own {role} is on {square}"),
            Self::PawnBlocked { square, role } => write!(
                f,
                "the {role} on {square} blocks the pawn; pawns capture only diagonally"
            ),
            Self::NoDoublePush { .. } => {
                f.write_str("pawns move two squares only from their starting square")
            }
            Self::NothingToCapture { square } => write!(
                f,
                "pawns move diagonally only to capture, and {square} is empty"
            ),
            Self::EnPassantExpired { pawn, .. } => write!(
                f,
                "the pawn on {pawn} can't be captured en passant: it didn't just move two squares"
            ),
            Self::MissingPromotion { square } => write!(
                f,
                "the pawn promotes on {square}: choose a queen, rook, bishop or knight"
            ),
            Self::InvalidPromotion { role } => write!(
                f,
                "pawns promote to a queen, rook, bishop or knight, not to a {role}"
            ),
            Self::NotAPromotion {
                role: Role::Pawn,
                to,
            } => write!(f, "pawns promote only on the last rank, not on {to}"),
            Self::NotAPromotion { role, .. } => {
                write!(f, "only pawns promote, and this is a {role}")
            }
            Self::IntoCheck { king, by, attacker } => {
                write!(f, "the {attacker} on {by} would attack the king on {king}")
            }
            Self::StillInCheck { king, by, attacker } => write!(
                f,
                "the king on {king} would still be in check from the {attacker} on {by}"
            ),
            Self::Pinned {
                square,
                role,
                king,
                by,
                attacker,
            } => write!(
                f,
                "the {role} on {square} is pinned to the king on {king} by the {attacker} on {by}"
            ),
            Self::EnPassantExposesKing { king, by, attacker } => write!(
                f,
                "capturing en passant would expose the king on {king} to the {attacker} on {by}"
            ),
            Self::WrongPosition { from, to } => write!(
                f,
                "the move from {from} to {to} belongs to a different position"
            ),
            Self::KingHasMoved { .. } => f.write_str("the king can't castle because it has moved"),
            Self::RookHasMoved { rook } => write!(
                f,
                "the king can't castle because the rook on {rook} has moved"
            ),
            Self::KingOrRookHasMoved { rook } => write!(
                f,
                "the king can't castle because it or the rook on {rook} has moved"
            ),
            Self::NoRookToCastle { side } => write!(
                f,
                "the king can't castle {side} because there is no rook to castle with"
            ),
            Self::CastlingInCheck { by, attacker } => write!(
                f,
                "the king can't castle while in check from the {attacker} on {by}"
            ),
            Self::CastlingThroughCheck {
                square,
                by,
                attacker,
            } => write!(
                f,
                "the king can't castle because the {attacker} on {by} attacks {square}"
            ),
            Self::CastlingBlocked { square, role } => write!(
                f,
                "the king can't castle because the {role} on {square} is in the way"
            ),
        }
    }
}

impl core::error::Error for Refusal {}

impl Refusal {
    /// Returns the squares to highlight: of pieces in the way, attackers, missing pieces. It is empty if the move
    /// itself is wrong.
    ///
    /// ```
    /// use tabiya_board::{Bitboard, Board, Square};
    ///
    /// let refusal = Board::start().legal_move(Square::F1, Square::C4, None).unwrap_err();
    /// assert_eq!(refusal.squares(), Bitboard::from(Square::E2));
    /// ```
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
            Self::StillInCheck { king, by, .. }
            | Self::Pinned { king, by, .. }
            | Self::EnPassantExposesKing { king, by, .. } => {
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
    /// Returns the legal move from one square to another, or the reason why there is none.
    ///
    /// For castling, give the king's two squares (`e1`, `g1`) or the squares of the king and its rook (`e1`, `h1`). In
    /// Chess960 the latter always means castling, the former only if the king cannot simply step there.
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
        // Most moves are legal and of no special kind: they need no reasons, which take longer to find.
        if promotion.is_none() {
            let double = role == Role::Pawn && from.index().abs_diff(to.index()) == 16;
            let kind = if double {
                MoveKind::DoublePush
            } else {
                MoveKind::of(role)
            };
            let mv = Move::new(kind, from, to);
            if self.is_legal(mv) {
                return Ok(mv);
            }
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

    /// Checks that a move, perhaps from another position, is legal here, or returns the reason why it is not.
    ///
    /// ```
    /// use tabiya_board::{Board, Square};
    ///
    /// let board = Board::start();
    /// let e4 = board.legal_move(Square::E2, Square::E4, None).unwrap();
    /// assert_eq!(board.validate(e4), Ok(()));
    /// let refusal = board.after(e4).validate(e4).unwrap_err();
    /// assert_eq!(refusal.to_string(), "there is no piece on e2");
    /// ```
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
        // The squares fit, but the piece there does not make a move of this kind.
        Err(Refusal::WrongPosition {
            from: mv.from(),
            to: mv.to(),
        })
    }

    /// The castling side that a pair of squares means, if it means castling.
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
        // Moving the king onto its own rook means castling even if the right to it is lost.
        let onto_rook =
            self.pieces(us, Role::Rook).contains(to) && self.home_rook(side) == Some(to);
        let to_destination = to.file() == side.king_file()
            && (from.file() == File::E || self.castling_rook(us, side).is_some());
        (onto_rook || to_destination).then_some(side)
    }

    /// The rook that the king would castle with: the one with the right to it, or else the outermost one.
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

    /// Returns the castling move to a side, or the reason why it is illegal.
    ///
    /// ```
    /// use tabiya_board::{Board, CastlingSide};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1".parse().unwrap();
    /// assert_eq!(board.legal_castling(CastlingSide::QueenSide).unwrap().to_string(), "e1c1");
    /// let refusal = board.legal_castling(CastlingSide::KingSide).unwrap_err();
    /// assert_eq!(refusal.to_string(), "the king can't castle because the bishop on f1 is in the way");
    /// ```
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
        // The king has not moved if it may still castle to the other side.
        if self.castling_rook(us, other_side).is_some() {
            return Refusal::RookHasMoved { rook };
        }
        // Both kings start on the same file: that of a king that may still castle, or else the e-file.
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

    /// The reason why a pawn does not capture en passant, if there is an enemy pawn to capture.
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
        } else if is_en_passant && !self.pinned().contains(from) {
            Refusal::EnPassantExposesKing { king, by, attacker }
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
