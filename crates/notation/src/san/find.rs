//! Finding the move of a position that a SAN means.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Move, MoveMatch, Role};

use super::Dialect;
use super::error::SanError;
use super::parts::{PieceMove, San, SanParts, field};
use super::write::is_capture;

impl San {
    /// Returns the move of a position.
    ///
    /// With [`Dialect::Strict`] this does not check the spelling: [`parse_san`](super::parse_san) does.
    #[inline]
    pub fn to_move(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        if dialect == Dialect::Import
            && let Some(mv) = self.find_fast(position)
        {
            return Ok(mv);
        }
        self.find_or_explain(position, dialect)
    }

    /// The fast path: returns the move as [`Dialect::Import`] reads it, unless it is castling or there is none.
    fn find_fast(self, position: &Position) -> Option<Move> {
        let role = *Role::ALL.get(self.get(field::ROLE, 3) as usize)?;
        let to = self.to();
        let mut from = self.origins();
        if role == Role::Pawn
            && self.get(field::FILE, 4) == field::ABSENT
            && self.get(field::CAPTURE, 1) == 0
        {
            // A pawn capture names its file: `d5` is a step, even where a pawn could capture on d5.
            from &= Bitboard::file(to.file());
        }
        match position.find_move(role, from, to, self.promotion()) {
            MoveMatch::Unique(mv) if self.get(field::EN_PASSANT, 1) == 0 || mv.is_en_passant() => {
                Some(mv)
            }
            _ => None,
        }
    }

    /// Returns the move in any dialect, or the reason why there is none.
    #[cold]
    #[inline(never)]
    fn find_or_explain(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        match self.parts() {
            SanParts::Null => Err(SanError::NullMove),
            SanParts::Castle(wing) => position
                .legal_castling(wing)
                .map_err(|reason| SanError::Illegal { reason }),
            SanParts::Piece(piece) => piece.find(position, dialect),
        }
    }
}

impl PieceMove {
    fn find(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        let mut from = San::from(self).origins();
        let leaves_file_out = self.role == Role::Pawn && self.file.is_none();
        if leaves_file_out && !self.capture {
            from &= Bitboard::file(self.to.file());
        }
        if dialect == Dialect::PseudoLegal {
            return self.find_by_movement(position, from);
        }
        match position.find_move(self.role, from, self.to, self.promotion) {
            MoveMatch::Unique(mv) => {
                if self.en_passant && !mv.is_en_passant() {
                    return Err(SanError::NotEnPassant);
                }
                self.check_capture(position, mv, dialect)?;
                Ok(mv)
            }
            MoveMatch::Ambiguous(from) => Err(SanError::Ambiguous {
                role: self.role,
                to: self.to,
                from,
            }),
            MoveMatch::None => Err(self.explain(position, from)),
        }
    }

    /// Checks that the `x` is right for the dialect.
    fn check_capture(
        self,
        position: &Position,
        mv: Move,
        dialect: Dialect,
    ) -> Result<(), SanError> {
        let fits = match dialect {
            Dialect::Import => true,
            // It may be missing but not wrong.
            Dialect::Lenient => !self.capture || is_capture(position, mv),
            Dialect::Strict | Dialect::PseudoLegal => self.capture == is_capture(position, mv),
        };
        if fits {
            Ok(())
        } else {
            Err(SanError::Capture {
                written: self.capture,
            })
        }
    }

    /// Chooses the piece by how pieces move, and only then checks that the move is legal.
    fn find_by_movement(self, position: &Position, from: Bitboard) -> Result<Move, SanError> {
        let mut candidates = position.pseudo_legal_origins(self.role, self.to) & from;
        if self.role == Role::Pawn {
            // A pawn captures if and only if there is an x.
            let file = Bitboard::file(self.to.file());
            candidates = if self.capture {
                candidates - file
            } else {
                candidates & file
            };
        } else if self.capture != position.color_at(self.to).is_some() {
            candidates = Bitboard::EMPTY;
        }
        let (role, to) = (self.role, self.to);
        match candidates.first() {
            None => Err(SanError::NoSuchPiece { role, to }),
            Some(_) if candidates.more_than_one() => Err(SanError::Ambiguous {
                role,
                to,
                from: candidates,
            }),
            Some(from) => position
                .legal_move(from, to, self.promotion)
                .map_err(|reason| SanError::Illegal { reason }),
        }
    }

    /// Explains why there is no such move.
    #[cold]
    fn explain(self, position: &Position, from: Bitboard) -> SanError {
        let own = position.pieces(position.turn(), self.role) & from;
        let close = position.pseudo_legal_origins(self.role, self.to) & from;
        let legal = position.legal_origins(self.role, self.to) & from;
        // Explain the pawn that can move there but lacks its promotion, or else a piece that moves there illegally, or
        // else the only piece of its kind.
        let candidate = match (legal.first().or(close.first()), own.first()) {
            (Some(square), _) => Some(square),
            (None, Some(square)) if !own.more_than_one() => Some(square),
            _ => None,
        };
        let refusal =
            candidate.and_then(|from| position.legal_move(from, self.to, self.promotion).err());
        match refusal {
            Some(reason) => SanError::Illegal { reason },
            None => SanError::NoSuchPiece {
                role: self.role,
                to: self.to,
            },
        }
    }
}
