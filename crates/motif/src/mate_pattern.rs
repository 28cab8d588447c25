//! Mates with a name.

use tabiya_board::{Bitboard, Board, Role};

/// A mate with a name of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatePattern {
    /// A rook or queen mates on the back rank a king that its own men lock in.
    BackRank,
    /// A knight mates a king that its own men surround.
    Smothered,
}

impl MatePattern {
    /// The pattern of a checkmate on the board, if it has a name.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_motif::MatePattern;
    ///
    /// let mated: Board = "3R2k1/5ppp/8/8/8/8/8/K7 b - - 0 1".parse().unwrap();
    /// assert_eq!(MatePattern::of(&mated), Some(MatePattern::BackRank));
    /// ```
    pub fn of(board: &Board) -> Option<Self> {
        if !board.is_checkmate() {
            return None;
        }
        let loser = board.turn();
        let king = board.king(loser);
        let around = tabiya_board::attacks::king(king);
        let own = board.by_color(loser);
        let checkers = board.checkers();
        let checker = checkers.first().filter(|_| !checkers.more_than_one())?;
        match board.role_at(checker)? {
            Role::Knight if (around - own).is_empty() => Some(Self::Smothered),
            Role::Rook | Role::Queen => {
                let back = loser.relative_rank(tabiya_board::Rank::First);
                let rank = Bitboard::rank(back);
                let is_locked_in = (around - rank - own).is_empty();
                (king.rank() == back && checker.rank() == back && is_locked_in)
                    .then_some(Self::BackRank)
            }
            _ => None,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BackRank => "back-rank mate",
            Self::Smothered => "smothered mate",
        }
    }
}
