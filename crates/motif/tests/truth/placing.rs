//! The motifs about the square that a piece moves to, by their definitions.

use tabiya_board::{Board, Role, Square};
use tabiya_motif::Motif;

use super::oracle::{Case, is, is_central, owned, sees};

impl Case {
    /// The same for motifs about the square that a piece moves to.
    pub(crate) fn is_well_placed(&self, motif: &Motif) -> bool {
        let (board, after, mv, us, them) = (&self.board, &self.after, self.mv, self.us, !self.us);
        let moved = board.role_at(mv.from());
        let up = if us.is_white() { 1 } else { -1 };
        let newly =
            |square: Square| sees(after, mv.to(), square) && !sees(board, mv.from(), square);
        match motif {
            Motif::BlocksPassedPawn { square } => {
                mv.to().offset(0, up) == Some(*square)
                    && after.color_at(*square) == Some(them)
                    && is_free_pawn(after, *square)
            }
            Motif::BehindPassedPawn { square } => {
                let steps =
                    (square.rank().index() as i32 - mv.to().rank().index() as i32) * i32::from(up);
                moved == Some(Role::Rook)
                    && after.color_at(*square) == Some(us)
                    && is_free_pawn(after, *square)
                    && mv.to().file() == square.file()
                    && steps > 0
                    && newly(*square)
            }
            Motif::KeepsOff { target, square } => {
                let could_come = board.null_move().is_some_and(|passed| {
                    let mut moves = passed.legal_moves().into_iter();
                    moves.any(|mv| mv.from() == target.square && mv.to() == *square)
                });
                let is_guarded = |board: &Board| {
                    owned(board, us).into_iter().any(|from| {
                        board.role_at(from) == Some(Role::Pawn) && sees(board, from, *square)
                    })
                };
                is(board, them, *target)
                    && could_come
                    && is_guarded(after)
                    && !is_guarded(board)
                    && matches!(target.role, Role::Knight | Role::Bishop)
            }
            Motif::HalfOpenFile { file } => {
                let has_pawn = |color| {
                    Square::all().any(|square| {
                        square.file() == *file
                            && after.role_at(square) == Some(Role::Pawn)
                            && after.color_at(square) == Some(color)
                    })
                };
                moved == Some(Role::Rook)
                    && mv.to().file() == *file
                    && !has_pawn(us)
                    && has_pawn(them)
            }
            Motif::OpensLine { target } => {
                let more = Square::all()
                    .filter(|&square| sees(after, target.square, square))
                    .filter(|&square| !sees(board, target.square, square));
                moved == Some(Role::Pawn) && is(after, us, *target) && more.count() > 1
            }
            Motif::Supports { target } => {
                let is_attacked = owned(after, them)
                    .into_iter()
                    .any(|from| sees(after, from, target.square));
                is(after, us, *target) && is_attacked && newly(target.square)
            }
            Motif::KingToPawn { square } => {
                let steps = |from: Square| {
                    let files = from.file().index() as i32 - square.file().index() as i32;
                    let ranks = from.rank().index() as i32 - square.rank().index() as i32;
                    files.abs().max(ranks.abs())
                };
                moved == Some(Role::King)
                    && is_free_pawn(after, *square)
                    && steps(mv.to()) < steps(mv.from())
            }
            Motif::CoversCenter { squares } => {
                !squares.is_empty()
                    && squares
                        .iter()
                        .all(|&square| is_central(square) && newly(square))
            }
            other => panic!("no definition of {other:?}"),
        }
    }
}

/// Whether there is a pawn here that no pawn of the opponent's can stop or take on its way.
fn is_free_pawn(board: &Board, pawn: Square) -> bool {
    let Some(owner) = board.color_at(pawn) else {
        return false;
    };
    let up = if owner.is_white() { 1 } else { -1 };
    let stops = |file: i8| {
        let mut at = pawn.offset(file, up);
        while let Some(square) = at {
            if board.role_at(square) == Some(Role::Pawn) && board.color_at(square) == Some(!owner) {
                return true;
            }
            at = square.offset(0, up);
        }
        false
    };
    board.role_at(pawn) == Some(Role::Pawn) && ![-1, 0, 1].into_iter().any(stops)
}
