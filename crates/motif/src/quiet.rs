//! What quiet moves do, as the board alone shows.

use tabiya_board::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use crate::finder::Finder;
use crate::motif::{Motif, Target};
use crate::solver::piece_value;

/// d4, e4, d5 and e5.
pub(crate) const CENTER: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

impl Finder<'_> {
    /// Captures that win nothing.
    pub(crate) fn captures(&mut self) {
        let Some(target) = self.captured() else {
            return;
        };
        if self.idea.taken_back(self.mv).is_some() {
            self.motifs.push(Motif::TakesBack { target });
        }
        let to = self.mv.to();
        let own = self.mv.role();
        if own != Role::Pawn
            && own != Role::King
            && piece_value(own) == piece_value(target.role)
            && self
                .after
                .legal_captures()
                .iter()
                .any(|reply| reply.to() == to)
            && self.settles_even()
        {
            self.motifs.push(Motif::Trades {
                own,
                other: target.role,
            });
        }
    }

    /// Castling, development and answers to checks.
    pub(crate) fn quiet(&mut self, is_safe: bool) {
        if let Some(side) = self.mv.castling_side() {
            self.motifs.push(Motif::Castles { side });
        }
        if let Some(checker) = self.board.checkers().first() {
            self.motifs.push(
                if self.board.captured(self.mv).is_some() && self.mv.to() == checker {
                    Motif::TakesChecker {
                        target: Target::on(self.board, checker),
                    }
                } else if self.mv.role() == Role::King {
                    Motif::LeavesCheck
                } else {
                    Motif::BlocksCheck
                },
            );
        }
        if is_safe && self.develops() {
            self.motifs.push(Motif::Develops {
                role: self.mv.role(),
            });
        }
        if let Some(square) = self.weak_pawn() {
            self.motifs.push(Motif::AttacksWeakPawn { square });
        }
        if self.after.is_check() {
            self.motifs.push(Motif::Check);
        }
    }

    /// The rest, the most telling first.
    pub(crate) fn modest(&mut self, is_safe: bool) {
        let (mv, to) = (self.mv, self.mv.to());
        let role = mv.role();
        if are_connected(&self.after, self.us) && !are_connected(self.board, self.us) {
            self.motifs.push(Motif::ConnectsRooks);
        }
        if let Some(target) = self.defended() {
            self.motifs.push(Motif::Defends { target });
        }
        if role == Role::Pawn && mv.promotion().is_none() {
            if is_passed(&self.after, self.us, to) {
                self.motifs.push(Motif::PushesPassedPawn { square: to });
            } else if CENTER.contains(&to) {
                self.motifs.push(Motif::PawnToCenter);
            } else if to.rank() == self.us.relative_rank(Rank::Fifth)
                && self.board.captured(mv).is_none()
                && is_safe
            {
                self.motifs.push(Motif::GainsSpace);
            }
            if let Some(square) = self.escape_square() {
                self.motifs.push(Motif::EscapeSquare { square });
            }
        }
        if is_safe && matches!(role, Role::Knight | Role::Queen) && CENTER.contains(&to) {
            self.motifs.push(Motif::PieceToCenter { role });
        }
        if role == Role::Rook && is_safe {
            let file = to.file();
            let was_doubled = are_doubled(self.board, self.us, file);
            if are_doubled(&self.after, self.us, file) && !was_doubled {
                self.motifs.push(Motif::DoublesRooks { file });
            }
            let pawns = self.after.by_role(Role::Pawn);
            let was_open = mv.from().file() == to.file();
            if (Bitboard::file(to.file()) & pawns).is_empty() && !was_open {
                self.motifs.push(Motif::OpenFile { file: to.file() });
            }
            let seventh = self.us.relative_rank(Rank::Seventh);
            if to.rank() == seventh && mv.from().rank() != seventh {
                self.motifs.push(Motif::SeventhRank);
            }
        }
        if role == Role::King
            && !mv.is_castling()
            && self.after.by_role(Role::Queen).is_empty()
            && distance_to_center(to) < distance_to_center(mv.from())
        {
            self.motifs.push(Motif::KingToCenter);
        }
        if let Some(target) = self.captured() {
            self.motifs.push(Motif::Takes { target });
        }
    }

    /// Whether a minor piece leaves its first square and the back rank.
    fn develops(&self) -> bool {
        let back = self.us.relative_rank(Rank::First);
        let files = match self.mv.role() {
            Role::Knight => [File::B, File::G],
            Role::Bishop => [File::C, File::F],
            _ => return false,
        };
        let from = self.mv.from();
        from.rank() == back && files.contains(&from.file()) && self.mv.to().rank() != back
    }

    /// The pawn beside the opponent's king on its first square that the moved piece newly attacks and only the king
    /// defends.
    fn weak_pawn(&self) -> Option<Square> {
        let them = !self.us;
        let home = Square::new(File::E, them.relative_rank(Rank::First));
        let square = Square::new(File::F, them.relative_rank(Rank::Second));
        let king = self.after.king(them);
        let defenders = self.after.attackers(square, them, self.after.occupied());
        let attacked_before = attacks::of(
            self.mv.role(),
            self.us,
            self.mv.from(),
            self.board.occupied(),
        );
        (king == home
            && !self.mv.is_castling()
            && self.after.pieces(them, Role::Pawn).contains(square)
            && self.attacked().contains(square)
            && !attacked_before.contains(square)
            && defenders == Bitboard::from(king))
        .then_some(square)
    }

    /// A safe square ahead of the king on its back rank, if there was none before.
    fn escape_square(&self) -> Option<Square> {
        let king = self.after.king(self.us);
        let back = self.us.relative_rank(Rank::First);
        let ahead = attacks::king(king) - Bitboard::rank(back);
        let first_safe = |board: &Board| {
            let others = board.occupied() - king.into();
            let is_free = |&square: &Square| {
                board.role_at(square).is_none()
                    && board.attackers(square, !self.us, others).is_empty()
            };
            ahead.into_iter().find(is_free)
        };
        if king.rank() != back || king.file() == File::E || first_safe(self.board).is_some() {
            return None;
        }
        first_safe(&self.after)
    }

    /// A piece that was attacked and undefended, and that the moved piece now defends.
    fn defended(&self) -> Option<Target> {
        let (us, them) = (self.us, !self.us);
        if self.mv.is_castling() {
            return None;
        }
        let cover = attacks::of(self.moved_role(), us, self.mv.to(), self.after.occupied());
        let own = self.after.by_color(us) - self.after.by_role(Role::King);
        let is_hanging = |&square: &Square| {
            let attackers = |board: &Board, color| board.attackers(square, color, board.occupied());
            !attackers(self.board, them).is_empty()
                && attackers(self.board, us).is_empty()
                && !attackers(&self.after, them).is_empty()
        };
        let square = (cover & own).into_iter().find(is_hanging)?;
        Some(Target::on(&self.after, square))
    }
}

/// Whether two rooks on the back rank see each other.
fn are_connected(board: &Board, color: Color) -> bool {
    let back = Bitboard::rank(color.relative_rank(Rank::First));
    let rooks = board.pieces(color, Role::Rook) & back;
    match (rooks.first(), rooks.last()) {
        (Some(first), Some(last)) if rooks.len() == 2 => {
            !attacks::between(first, last).intersects(board.occupied())
        }
        _ => false,
    }
}

/// Whether two rooks on a file see each other.
fn are_doubled(board: &Board, color: Color, file: File) -> bool {
    let rooks = board.pieces(color, Role::Rook) & Bitboard::file(file);
    match (rooks.first(), rooks.last()) {
        (Some(first), Some(last)) if rooks.len() == 2 => {
            !attacks::between(first, last).intersects(board.occupied())
        }
        _ => false,
    }
}

/// Whether no enemy pawn is ahead on this file or the ones beside it.
pub(crate) fn is_passed(board: &Board, color: Color, pawn: Square) -> bool {
    let ahead = |other: Square| {
        if color.is_white() {
            other.rank() > pawn.rank()
        } else {
            other.rank() < pawn.rank()
        }
    };
    let is_near = |other: Square| other.file().index().abs_diff(pawn.file().index()) <= 1;
    !board
        .pieces(!color, Role::Pawn)
        .into_iter()
        .any(|other| ahead(other) && is_near(other))
}

/// The king's moves to the nearest of the four squares in the centre.
fn distance_to_center(square: Square) -> usize {
    let steps = |other: Square| {
        let files = square.file().index().abs_diff(other.file().index());
        let ranks = square.rank().index().abs_diff(other.rank().index());
        files.max(ranks)
    };
    CENTER.into_iter().map(steps).min().unwrap_or(0)
}
