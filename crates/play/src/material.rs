//! What has been captured, and who has more.

use tabiya_board::{Board, Color, Line, Piece, Role};

/// What has been captured in a game, and who has more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Material {
    /// The white and the black pieces that are gone, the most valuable first.
    pub captured: [Vec<Role>; 2],
    /// By how many pawns White has more on the board, with the usual values.
    pub balance: i32,
}

/// What a piece is worth in pawns.
const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

impl Material {
    /// The material at the end of a line.
    pub fn of(line: &Line) -> Self {
        let mut captured = [const { Vec::new() }; 2];
        for piece in captures(line) {
            captured[piece.color.index()].push(piece.role);
        }
        for roles in &mut captured {
            roles.sort_by_key(|&role| std::cmp::Reverse((value(role), role.index())));
        }
        Self {
            captured,
            balance: balance(line.board()),
        }
    }
}

/// The pieces captured in a line, in that order.
pub fn captures(line: &Line) -> impl Iterator<Item = Piece> + '_ {
    line.played().iter().filter_map(|(board, mv)| {
        let role = board.captured(*mv)?;
        Some(Piece::new(!board.turn(), role))
    })
}

fn balance(board: &Board) -> i32 {
    let worth = |color| -> i32 {
        let count = |role| board.pieces(color, role).len() as i32;
        Role::ALL
            .iter()
            .map(|&role| count(role) * value(role))
            .sum()
    };
    worth(Color::White) - worth(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refused::read_text;

    #[test]
    fn captures_are_counted() {
        let mut line = Line::default();
        for text in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2", "a5"] {
            line.play(read_text(text, line.board()).unwrap());
        }
        let material = Material::of(&line);
        assert_eq!(material.captured[0], [Role::Pawn, Role::Pawn]);
        assert_eq!(material.captured[1], [Role::Queen, Role::Pawn]);
        assert_eq!(material.balance, 8);
    }

    #[test]
    fn a_promotion_changes_the_balance_and_captures_nothing() {
        let board: Board = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let mut line = Line::new(board);
        line.play(read_text("a8=Q", &board).unwrap());
        let material = Material::of(&line);
        assert_eq!(material.captured, [const { Vec::new() }; 2]);
        assert_eq!(material.balance, 9);
    }
}
