//! How a game ends.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::position::Position;

/// An end that nobody has to ask for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The other side.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has the pieces to give mate, whatever the other does.
    InsufficientMaterial,
    /// Seventy-five moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// The same position for the fifth time.
    FivefoldRepetition,
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawClaim {
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
}

impl Outcome {
    /// Who has won; nobody in a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            Self::Stalemate => f.write_str("draw by stalemate"),
            Self::InsufficientMaterial => {
                f.write_str("draw: neither side can give mate with these pieces")
            }
            Self::SeventyFiveMoves => f.write_str("draw by the seventy-five-move rule"),
            Self::FivefoldRepetition => f.write_str("draw by fivefold repetition"),
        }
    }
}

impl fmt::Display for DrawClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ThreefoldRepetition => "draw by threefold repetition",
            Self::FiftyMoves => "draw by the fifty-move rule",
        })
    }
}

impl Position {
    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move has no move and is not in check.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Whether neither side can give mate with the pieces there are, however badly the other plays: bare kings, a
    /// single knight or bishop, or bishops on squares of one colour only.
    ///
    /// Positions that are dead because all pawns are locked are not found.
    pub fn is_insufficient_material(&self) -> bool {
        let mating = [Role::Pawn, Role::Rook, Role::Queen];
        if mating.iter().any(|&role| !self.by_role(role).is_empty()) {
            return false;
        }
        let (knights, bishops) = (self.by_role(Role::Knight), self.by_role(Role::Bishop));
        if knights.is_empty() {
            let on = |squares: Bitboard| (bishops & squares).is_empty();
            return on(Bitboard::LIGHT) || on(Bitboard::DARK);
        }
        !knights.more_than_one() && bishops.is_empty()
    }

    /// Whether a side has the pieces to give mate if the other one helps. When the time of the other one is up, it wins
    /// only then.
    ///
    /// A lone knight needs a piece of the other side that takes a square from its king (a queen would rather capture the
    /// knight), and bishops on squares of one colour need a pawn or a knight for that, of whichever side.
    ///
    /// ```
    /// use tabiya_board::{Board, Color};
    /// let board: Board = "4k3/p7/8/8/8/8/8/4K1N1 w - - 0 1".parse().unwrap();
    /// assert!(board.has_mating_material(Color::White) && board.has_mating_material(Color::Black));
    /// let board: Board = "4k3/q7/8/8/8/8/8/4K1N1 w - - 0 1".parse().unwrap();
    /// assert!(!board.has_mating_material(Color::White));
    /// ```
    pub fn has_mating_material(&self, color: Color) -> bool {
        let (own, other) = (self.by_color(color), self.by_color(!color));
        let strong = [Role::Pawn, Role::Rook, Role::Queen];
        if strong
            .iter()
            .any(|&role| own.intersects(self.by_role(role)))
        {
            return true;
        }
        let (knights, bishops) = (self.by_role(Role::Knight), self.by_role(Role::Bishop));
        if own.intersects(knights) {
            let helpful = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
            return own.len() > 2
                || helpful
                    .iter()
                    .any(|&role| other.intersects(self.by_role(role)));
        }
        let on_both = bishops.intersects(Bitboard::LIGHT) && bishops.intersects(Bitboard::DARK);
        let pawns = self.by_role(Role::Pawn);
        own.intersects(bishops) && (on_both || !pawns.is_empty() || !knights.is_empty())
    }

    /// How the game has ended, as far as this position tells: repetitions are known to a [`GameHistory`](crate::GameHistory) only.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Outcome};
    /// let mated: Board = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse().unwrap();
    /// assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
    /// assert_eq!(Board::start().outcome(), None);
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                Outcome::Checkmate {
                    winner: !self.turn(),
                }
            } else {
                Outcome::Stalemate
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        (self.halfmove_clock() >= 150).then_some(Outcome::SeventyFiveMoves)
    }
}
