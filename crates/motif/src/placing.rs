//! What a piece does on its new square, if nothing more important can be said.

use tabiya_board::{Bitboard, Board, Role, Square, attacks};

use crate::finder::Finder;
use crate::motif::{Motif, Target};
use crate::quiet::{CENTER, is_passed};

impl Finder<'_> {
    /// The facts about a safe and quiet move, the most telling first.
    pub(crate) fn placing(&mut self) {
        let found = [
            self.blocked_pawn(),
            self.pawn_in_front(),
            self.kept_off(),
            self.half_open_file(),
            self.opened_line(),
            self.supported(),
            self.nearer_pawn(),
            self.covered_center(),
        ];
        self.motifs.extend(found.into_iter().flatten());
    }

    /// What the moved piece attacks, and attacked before it moved.
    fn reach(&self) -> [Bitboard; 2] {
        let now = attacks::of(
            self.moved_role(),
            self.us,
            self.mv.to(),
            self.after.occupied(),
        );
        let before = attacks::of(
            self.mv.role(),
            self.us,
            self.mv.from(),
            self.board.occupied(),
        );
        [now, before]
    }

    /// The opponent's passed pawn in front of which the moved piece stands.
    fn blocked_pawn(&self) -> Option<Motif> {
        let to = self.mv.to();
        let pawns = self.after.pieces(!self.us, Role::Pawn);
        let square = to.offset(0, if self.us.is_white() { 1 } else { -1 })?;
        let holds = pawns.contains(square)
            && is_passed(&self.after, !self.us, square)
            && !self.mv.is_castling();
        holds.then_some(Motif::BlocksPassedPawn { square })
    }

    /// The player's own passed pawn that a rook newly stands behind.
    fn pawn_in_front(&self) -> Option<Motif> {
        let [now, before] = self.reach();
        let ahead = |square: &Square| {
            let to = self.mv.to();
            let is_ahead = if self.us.is_white() {
                square.rank() > to.rank()
            } else {
                square.rank() < to.rank()
            };
            is_ahead && square.file() == to.file() && is_passed(&self.after, self.us, *square)
        };
        let pawns = self.after.pieces(self.us, Role::Pawn) & now - before;
        let square = pawns.into_iter().find(ahead)?;
        (self.mv.role() == Role::Rook).then_some(Motif::BehindPassedPawn { square })
    }

    /// The knight or bishop that could go to a square which a pawn now guards.
    fn kept_off(&self) -> Option<Motif> {
        if self.mv.role() != Role::Pawn || self.mv.promotion().is_some() {
            return None;
        }
        let guarded = |board: &Board| {
            let pawns = board.pieces(self.us, Role::Pawn).into_iter();
            let attacks =
                pawns.map(|pawn| attacks::of(Role::Pawn, self.us, pawn, board.occupied()));
            attacks.fold(Bitboard::EMPTY, |all, more| all | more)
        };
        let [now, _] = self.reach();
        let fresh = now - guarded(self.board) - self.board.occupied();
        let passed = self.board.null_move()?;
        let minors = [Role::Knight, Role::Bishop];
        let could_come = passed
            .legal_moves()
            .into_iter()
            .find(|mv| minors.contains(&mv.role()) && fresh.contains(mv.to()))?;
        Some(Motif::KeepsOff {
            target: Target::on(self.board, could_come.from()),
            square: could_come.to(),
        })
    }

    /// The file without pawns of the player that a rook moves to.
    fn half_open_file(&self) -> Option<Motif> {
        let (from, to) = (self.mv.from(), self.mv.to());
        let pawns = Bitboard::file(to.file()) & self.after.by_role(Role::Pawn);
        let own = pawns & self.after.by_color(self.us);
        let holds = self.mv.role() == Role::Rook
            && from.file() != to.file()
            && own.is_empty()
            && !pawns.is_empty();
        holds.then_some(Motif::HalfOpenFile { file: to.file() })
    }

    /// The bishop, rook or queen that a pawn's move gives more squares.
    fn opened_line(&self) -> Option<Motif> {
        if self.mv.role() != Role::Pawn || self.mv.promotion().is_some() {
            return None;
        }
        [Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .flat_map(|role| self.board.pieces(self.us, role))
            .find(|&square| {
                let role = self.board.role_at(square).unwrap_or(Role::Queen);
                let reach = |board: &Board| attacks::of(role, self.us, square, board.occupied());
                let [before, now] = [reach(self.board), reach(&self.after)];
                // A square or two behind the pawn is no line.
                before.contains(self.mv.from()) && (now - before).len() >= 2
            })
            .map(|square| Motif::OpensLine {
                target: Target::on(self.board, square),
            })
    }

    /// One of the player's pieces that is attacked, and that the moved piece now protects.
    fn supported(&self) -> Option<Motif> {
        let [now, before] = self.reach();
        if self.mv.is_castling() {
            return None;
        }
        let own = self.after.by_color(self.us) - self.after.by_role(Role::King);
        let is_attacked = |&square: &Square| {
            let attackers = self
                .after
                .attackers(square, !self.us, self.after.occupied());
            !attackers.is_empty()
        };
        let square = (own & now - before).into_iter().find(is_attacked)?;
        Some(Motif::Supports {
            target: Target::on(&self.after, square),
        })
    }

    /// The passed pawn, of either side, that the king approaches when the queens are gone.
    fn nearer_pawn(&self) -> Option<Motif> {
        if self.mv.role() != Role::King
            || self.mv.is_castling()
            || !self.after.by_role(Role::Queen).is_empty()
        {
            return None;
        }
        let (from, to) = (self.mv.from(), self.mv.to());
        let square = self
            .after
            .by_role(Role::Pawn)
            .into_iter()
            .filter(|&pawn| {
                let owner = self.after.color_at(pawn);
                owner.is_some_and(|owner| is_passed(&self.after, owner, pawn))
                    && distance(to, pawn) < distance(from, pawn)
            })
            .min_by_key(|&pawn| distance(to, pawn))?;
        Some(Motif::KingToPawn { square })
    }

    /// The squares in the centre that the moved piece newly attacks.
    fn covered_center(&self) -> Option<Motif> {
        let [now, before] = self.reach();
        let is_king = self.mv.role() == Role::King;
        let center: Bitboard = CENTER.into_iter().collect();
        let squares: Vec<Square> = (center & now - before).into_iter().collect();
        (!is_king && !squares.is_empty()).then_some(Motif::CoversCenter { squares })
    }
}

/// The king's moves between two squares.
fn distance(one: Square, other: Square) -> usize {
    let files = one.file().index().abs_diff(other.file().index());
    let ranks = one.rank().index().abs_diff(other.rank().index());
    files.max(ranks)
}
