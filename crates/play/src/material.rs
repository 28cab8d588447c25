//! Captured pieces and the material balance.

use tabiya_board::{Board, Color, GameHistory, Piece, Role};
use tabiya_motif::piece_value;

/// The captured pieces and the material balance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Material {
    /// The captured white and black pieces, the most valuable first.
    pub captured: [Vec<Role>; 2],
    /// White's material advantage in pawns: 1 for a pawn, 3 for a knight or bishop, 5 for a rook, 9 for a queen.
    pub balance: i32,
}

impl Material {
    /// Counts the material of a game.
    pub fn of(line: &GameHistory) -> Self {
        let mut captured = [const { Vec::new() }; 2];
        for piece in captures(line) {
            captured[piece.color.index()].push(piece.role);
        }
        for roles in &mut captured {
            roles.sort_by_key(|&role| std::cmp::Reverse((piece_value(role), role.index())));
        }
        Self {
            captured,
            balance: balance(line.board()),
        }
    }
}

/// The pieces captured in a game, in order.
pub fn captures(line: &GameHistory) -> impl Iterator<Item = Piece> + '_ {
    line.played().iter().filter_map(|(board, mv)| {
        let role = board.captured(*mv)?;
        Some(Piece::new(!board.turn(), role))
    })
}

fn balance(board: &Board) -> i32 {
    let total = |color| -> i32 {
        let count = |role| board.pieces(color, role).len() as i32;
        Role::ALL
            .iter()
            .map(|&role| count(role) * piece_value(role))
            .sum()
    };
    total(Color::White) - total(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_move::parse_move;

    #[test]
    fn captures_are_counted() {
        let mut line = GameHistory::default();
        for text in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2", "a5"] {
            line.play(parse_move(text, line.board()).unwrap());
        }
        let material = Material::of(&line);
        assert_eq!(material.captured[0], [Role::Pawn, Role::Pawn]);
        assert_eq!(material.captured[1], [Role::Queen, Role::Pawn]);
        assert_eq!(material.balance, 8);
    }

    #[test]
    fn a_promotion_changes_the_balance_and_captures_nothing() {
        let board: Board = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let mut line = GameHistory::new(board);
        line.play(parse_move("a8=Q", &board).unwrap());
        let material = Material::of(&line);
        assert_eq!(material.captured, [const { Vec::new() }; 2]);
        assert_eq!(material.balance, 9);
    }
}
