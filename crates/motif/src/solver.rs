//! Small searches that prove what a move gains.

use tabiya_board::{Board, Color, Move, Role, Square};

/// What a piece is worth in pawns. The king is never counted.
pub const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The material of a side less that of its opponent, in pawns.
pub(crate) fn material(board: &Board, color: Color) -> i32 {
    const COUNTED: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let count = |color, role| board.pieces(color, role).len() as i32;
    let balance = |role| piece_value(role) * (count(color, role) - count(!color, role));
    COUNTED.into_iter().map(balance).sum()
}

/// More than all the material on a board: the value of mate.
const MATED: i32 = 1000;
/// The longest sequence of captures and evasions to search.
const MAX_DEPTH: u32 = 24;

/// The search ran out of nodes, so nothing is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OutOfNodes;

/// Searches that prove things about one move, with a limited number of nodes.
///
/// The side is the one that benefits from the claim. When the nodes run out, nothing is proved.
pub(crate) struct Solver {
    side: Color,
    nodes: u32,
}

impl Solver {
    pub(crate) const fn new(side: Color, nodes: u32) -> Self {
        Self { side, nodes }
    }

    /// Runs a search for another side or with fewer nodes, and takes the unused nodes back.
    pub(crate) fn scoped<T>(
        &mut self,
        side: Color,
        nodes: u32,
        search: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let granted = nodes.min(self.nodes);
        let mut solver = Self::new(side, granted);
        let found = search(&mut solver);
        self.nodes -= granted - solver.nodes;
        found
    }

    fn visit(&mut self) -> Option<()> {
        self.nodes = self.nodes.checked_sub(1)?;
        Some(())
    }

    /// Quiescence search over material: the balance that the side to move can keep if both sides only capture,
    /// promote and answer checks, and may stop when not in check. Stalemate is the worst for the side.
    ///
    /// `None` when the nodes run out.
    pub(crate) fn settle(
        &mut self,
        board: &Board,
        mut alpha: i32,
        beta: i32,
        depth: u32,
    ) -> Option<i32> {
        self.visit()?;
        let turn = board.turn();
        let stand = material(board, turn);
        if depth >= MAX_DEPTH {
            return Some(stand);
        }
        let is_check = board.is_check();
        let mut best = -MATED;
        let mut moves = if is_check {
            board.legal_moves().to_vec()
        } else {
            board.legal_captures_and_promotions().to_vec()
        };
        if !is_check {
            if moves.is_empty() && !board.has_legal_move() {
                return Some(if turn == self.side { -MATED } else { MATED });
            }
            best = stand;
            if best >= beta {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        // The most valuable victim first, taken by the least valuable piece.
        moves.sort_unstable_by_key(|&mv| {
            let victim =
                board.captured(mv).map_or(0, piece_value) + mv.promotion().map_or(0, piece_value);
            piece_value(mv.role()) - 16 * victim
        });
        for mv in moves {
            let value = -self.settle(&board.after(mv), -beta, -alpha, depth + 1)?;
            best = best.max(value);
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        Some(best)
    }

    /// Whether the side's balance settles at this value or above, whoever is to move.
    pub(crate) fn settles_at(&mut self, board: &Board, least: i32) -> Option<bool> {
        Some(if board.turn() == self.side {
            self.settle(board, least - 1, least, 0)? >= least
        } else {
            -self.settle(board, -least, 1 - least, 0)? >= least
        })
    }

    /// Whether the side, to move, reaches a balance: by captures alone, or after `plies` forcing moves of the side
    /// to which every reply is tried.
    fn reaches(
        &mut self,
        board: &Board,
        least: i32,
        plies: u32,
        guide: Option<Move>,
    ) -> Option<bool> {
        if self.settles_at(board, least)? {
            return Some(true);
        }
        if plies == 0 {
            return Some(false);
        }
        for mv in board.legal_moves() {
            let after = board.after(mv);
            let forces =
                after.is_check() || board.captured(mv).is_some() || mv.promotion().is_some();
            if (forces || guide == Some(mv)) && self.guarantees(&after, least, plies - 1, &[])? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side reaches a balance after every reply of the opponent, who is to move. Mate counts as reaching
    /// it, stalemate does not. `line` is the expected continuation.
    pub(crate) fn guarantees(
        &mut self,
        board: &Board,
        least: i32,
        plies: u32,
        line: &[Move],
    ) -> Option<bool> {
        let replies = board.legal_moves();
        if replies.is_empty() {
            return Some(board.is_check());
        }
        for &reply in &replies {
            self.visit()?;
            let guide = match line {
                [expected, next, ..] if *expected == reply => Some(*next),
                _ => None,
            };
            if !self.reaches(&board.after(reply), least, plies, guide)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the side, to move, captures the piece on a square, with any piece or the one on `by`, and settles at
    /// this balance or above.
    pub(crate) fn captures(
        &mut self,
        board: &Board,
        by: Option<Square>,
        target: Square,
        least: i32,
    ) -> Option<bool> {
        for mv in board.legal_captures_and_promotions() {
            let fits = mv.to() == target
                && board.captured(mv).is_some()
                && by.is_none_or(|by| mv.from() == by);
            if fits && self.settles_at(&board.after(mv), least)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether, after every reply of the opponent, the side captures the piece that now stands on a square and settles
    /// at this balance or above.
    pub(crate) fn traps(&mut self, board: &Board, target: Square, least: i32) -> Option<bool> {
        let replies = board.legal_moves();
        let role = board.role_at(target);
        for &reply in &replies {
            self.visit()?;
            let target = if reply.from() == target {
                reply.to()
            } else {
                target
            };
            let after = board.after(reply);
            // Castling moves a rook that the reply does not name.
            if after.role_at(target) != role || !self.captures(&after, None, target, least)? {
                return Some(false);
            }
        }
        Some(!replies.is_empty())
    }

    /// Whether the side, not to move, threatens to capture a piece with the piece on `by` and to settle at this
    /// balance or above: if the opponent passed, or, in check, after a reply that leaves both pieces where they are.
    pub(crate) fn threatens(
        &mut self,
        board: &Board,
        by: Square,
        target: Square,
        least: i32,
    ) -> Option<bool> {
        if let Some(passed) = board.null_move() {
            return self.captures(&passed, Some(by), target, least);
        }
        for reply in board.legal_moves() {
            self.visit()?;
            let stays = reply.from() != target && reply.to() != by && !reply.is_castling();
            if stays && self.captures(&board.after(reply), Some(by), target, least)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Finds a mate for the side to move within a number of moves: the first move of the shortest one and its length.
    /// With `checks`, only checks are tried, so that a mate may be overlooked but none is invented.
    ///
    /// `Ok(None)` if there is no mate.
    pub(crate) fn mate(
        &mut self,
        board: &Board,
        moves: u32,
        checks: bool,
    ) -> Result<Option<(Move, u32)>, OutOfNodes> {
        for length in 1..=moves {
            for mv in board.legal_moves() {
                if self
                    .mates_with(board, mv, length, checks)
                    .ok_or(OutOfNodes)?
                {
                    return Ok(Some((mv, length)));
                }
            }
        }
        Ok(None)
    }

    /// Whether a move of the side to move mates within a number of moves, itself included.
    pub(crate) fn mates_with(
        &mut self,
        board: &Board,
        mv: Move,
        moves: u32,
        checks: bool,
    ) -> Option<bool> {
        self.visit()?;
        let after = board.after(mv);
        if after.is_checkmate() {
            return Some(true);
        }
        if moves <= 1 || checks && !after.is_check() {
            return Some(false);
        }
        let replies = after.legal_moves();
        for &reply in &replies {
            if self
                .mate(&after.after(reply), moves - 1, checks)
                .ok()?
                .is_none()
            {
                return Some(false);
            }
        }
        // Without replies this is stalemate.
        Some(!replies.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn exchanges_are_settled() {
        // The pawn on d5 is defended twice and attacked twice.
        let even = board("4k3/8/2p1n3/3p4/8/2N5/8/3RK3 w - - 0 1");
        let mut solver = Solver::new(Color::White, 10_000);
        assert_eq!(solver.settle(&even, -99, 99, 0), Some(3));
        // Without a defender it falls.
        let won = board("4k3/8/8/3p4/8/2N5/8/3RK3 w - - 0 1");
        assert_eq!(solver.settles_at(&won, 8), Some(true));
        assert_eq!(solver.settles_at(&won, 9), Some(false));
    }

    #[test]
    fn stalemate_is_no_gain() {
        // Taking the queen stalemates Black.
        let board = board("7k/5K2/8/8/8/3Bq3/3P4/8 w - - 0 1");
        let mut solver = Solver::new(Color::White, 10_000);
        assert_eq!(solver.captures(&board, None, Square::E3, 1), Some(false));
    }

    #[test]
    fn nothing_is_proved_without_nodes() {
        let mut solver = Solver::new(Color::White, 3);
        assert_eq!(solver.guarantees(&Board::start(), 0, 0, &[]), None);
    }

    #[test]
    fn mates_are_proved() {
        let ladder = board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
        let mut solver = Solver::new(Color::White, 100_000);
        let (_, moves) = solver.mate(&ladder, 3, false).unwrap().unwrap();
        assert_eq!(moves, 2);
        assert_eq!(solver.mate(&Board::start(), 1, false), Ok(None));
    }
}
