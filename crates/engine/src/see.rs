//! Static exchange evaluation (SEE): the material won or lost by captures on one square, the least valuable piece
//! first.

use tabiya_board::{Bitboard, Board, Color, Move, Role, attacks};

/// Piece values in exchanges, by role.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

pub(crate) const fn value(role: Role) -> i32 {
    VALUES[role.index()]
}

/// Returns whether the exchange that a move starts wins at least `threshold` for the side to move. Either side may stop
/// at any time. Pins are ignored.
pub(crate) fn wins_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let mut on_square = mv.role();
    let mut gain = board.captured(mv).map_or(0, value) - threshold;
    if let Some(role) = mv.promotion() {
        gain += value(role) - value(Role::Pawn);
        on_square = role;
    }
    if gain < 0 {
        return false;
    }
    // The worst case: the moved piece is lost for nothing.
    let mut balance = gain - value(on_square);
    if balance >= 0 {
        return true;
    }

    // A pawn captures it, and the pawn is worth less than what that wins: no need to find all attackers.
    let us = board.turn();
    if -balance - 1 - value(Role::Pawn) >= 0
        && attacks::pawn(us, to).intersects(board.pieces(!us, Role::Pawn))
    {
        return false;
    }

    let mut occupied = (board.occupied() - from.into()) | to.into();
    if mv.is_en_passant() {
        occupied ^= Bitboard::from(
            to.offset(0, if board.turn() == Color::White { -1 } else { 1 })
                .unwrap_or(to),
        );
    }
    let (diagonal, straight) = (board.diagonal_sliders(), board.orthogonal_sliders());
    let mut attackers = board.all_attackers(to, occupied);
    let mut side = !board.turn();
    loop {
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        let Some((role, square)) = least_valuable(board, own) else {
            break;
        };
        // A king captures last, and only if the square is not protected.
        if role == Role::King && attackers.intersects(board.by_color(!side)) {
            break;
        }
        occupied ^= square;
        side = !side;
        // Is the side that just captured ahead even if it loses the capturing piece?
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
    }
    // The side to capture next cannot or need not continue, so it lost the exchange.
    side != board.turn()
}

fn least_valuable(board: &Board, of: Bitboard) -> Option<(Role, Bitboard)> {
    if of.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| {
        let square = (of & board.by_role(role)).first()?;
        Some((role, square.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_board::Square;

    /// Returns the exact result of the exchange by searching it.
    fn exchange(board: &Board, mv: Move) -> i32 {
        let gain = board.captured(mv).map_or(0, value)
            + mv.promotion()
                .map_or(0, |role| value(role) - value(Role::Pawn));
        let next = board.after(mv);
        gain - best_recapture(&next, mv.to())
    }

    fn best_recapture(board: &Board, to: Square) -> i32 {
        let least = board
            .legal_captures_and_promotions()
            .into_iter()
            .filter(|mv| mv.to() == to && matches!(mv.promotion(), None | Some(Role::Queen)))
            .min_by_key(|mv| match mv.role() {
                Role::King => 10_000,
                role => value(role),
            });
        least.map_or(0, |mv| exchange(board, mv).max(0))
    }

    #[test]
    fn see_agrees_with_a_search_of_the_exchange() {
        // Positions without pins, promotions or checks in the exchange.
        for fen in [
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "4k3/8/2n2b2/8/3P4/2P2N2/8/3QK3 b - - 0 1",
            "2r1k3/2r5/8/8/2p5/1P6/2R5/2R1K3 w - - 0 1",
            "4k3/8/3p4/4n3/3B4/2P5/8/4K3 w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "r3k3/8/8/8/4q3/3P1P2/8/R3K3 w - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            for mv in board.legal_captures_and_promotions() {
                let exact = exchange(&board, mv);
                assert!(wins_at_least(&board, mv, exact), "{mv} wins {exact}: {fen}");
                assert!(
                    !wins_at_least(&board, mv, exact + 1),
                    "{mv} wins no more than {exact}: {fen}"
                );
            }
        }
    }

    #[test]
    fn quiet_moves_can_lose_material() {
        let board: Board = "4k3/8/3p4/8/8/3N4/8/4K3 w - - 0 1".parse().unwrap();
        let to = |square| board.legal_move(Square::D3, square, None).unwrap();
        assert!(wins_at_least(&board, to(Square::F4), 0));
        assert!(!wins_at_least(&board, to(Square::E5), 0));
        assert!(wins_at_least(&board, to(Square::E5), -value(Role::Knight)));
    }
}
