//! Moves packed into sixteen bits, as in the files.

use std::fmt;

use tabiya_board::{Board, Move, Refusal, Role, Square};

/// A move: its squares (6 bits each) and the promotion (2 knight … 5 queen, 0 none). Castling is the king's move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedMove(pub u16);

impl PackedMove {
    /// Flips the ranks of both squares.
    const FLIP: u16 = 0o70 | 0o70 << 6;

    /// Packs a move.
    pub fn new(mv: Move) -> Self {
        // Roles count from 1, so that 0 can mean no promotion.
        let promotion = mv.promotion().map_or(0, |role| role.index() as u16 + 1);
        Self(mv.from().index() as u16 | (mv.to().index() as u16) << 6 | promotion << 12)
    }

    /// Returns the move on the flipped board.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ Self::FLIP)
    }

    /// Returns the from and to squares.
    pub fn squares(self) -> [Square; 2] {
        let square = |bits: u16| Square::from_index(usize::from(bits & 63)).unwrap_or(Square::A1);
        [square(self.0), square(self.0 >> 6)]
    }

    /// Returns the promotion; an error if the bits are invalid.
    fn promotion(self) -> Result<Option<Role>, u16> {
        match self.0 >> 12 {
            0 => Ok(None),
            number @ 2..=5 => Ok(Some(Role::ALL[usize::from(number) - 1])),
            number => Err(number),
        }
    }

    /// Returns the legal move, or why it is illegal; `Err(None)` if the bits are not a move.
    pub fn on(self, board: &Board) -> Result<Move, Option<Refusal>> {
        let promotion = self.promotion().map_err(|_| None)?;
        let [from, to] = self.squares();
        let legal = board.legal_moves();
        let found = legal
            .iter()
            .find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
        // The board accepts king takes rook as castling, but these files do not.
        found
            .copied()
            .ok_or_else(|| board.legal_move(from, to, promotion).err())
    }
}

impl fmt::Display for PackedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.squares();
        write!(f, "{from}{to}")?;
        match self.promotion() {
            Ok(None) => Ok(()),
            Ok(Some(role)) => write!(f, "{}", role.char()),
            Err(number) => write!(f, "={number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_survive_packing() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            for &mv in &board.legal_moves() {
                let packed = PackedMove::new(mv);
                assert_eq!(packed.on(&board), Ok(mv));
                assert_eq!(packed.to_string(), mv.to_string());
                assert_eq!(packed.flip().squares(), packed.squares().map(Square::flip));
                assert_eq!(packed.flip().flip(), packed);
            }
        }
    }

    #[test]
    fn invalid_moves_are_errors() {
        let board: Board = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let packed = |from: Square, to: Square, promotion: u16| {
            PackedMove(from.index() as u16 | (to.index() as u16) << 6 | promotion << 12)
        };
        assert!(packed(Square::E1, Square::G1, 0).on(&board).is_ok());
        assert!(packed(Square::A7, Square::A8, 5).on(&board).is_ok());
        // King takes rook is not castling here, and a pawn cannot become a king or stay a pawn.
        assert_eq!(packed(Square::E1, Square::H1, 0).on(&board), Err(None));
        assert_eq!(packed(Square::A7, Square::A8, 6).on(&board), Err(None));
        assert_eq!(packed(Square::A7, Square::A8, 1).on(&board), Err(None));
        assert!(matches!(
            packed(Square::A7, Square::A8, 0).on(&board),
            Err(Some(Refusal::MissingPromotion { .. }))
        ));
    }
}
