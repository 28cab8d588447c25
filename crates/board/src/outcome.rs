//! How a game ends.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::position::Position;

/// How a game ends automatically, without a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has the material to mate, however badly the other plays.
    InsufficientMaterial,
    /// Each side has made seventy-five moves without a capture or a pawn move.
    SeventyFiveMoves,
    /// The position has occurred five times.
    FivefoldRepetition,
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawClaim {
    /// The position has occurred three times.
    ThreefoldRepetition,
    /// Each side has made fifty moves without a capture or a pawn move.
    FiftyMoves,
}

impl DrawClaim {
    /// The claims in the order in which [`DrawClaims`] lists them.
    const ALL: [Self; 2] = [Self::ThreefoldRepetition, Self::FiftyMoves];

    /// Returns the reason in a few words, as in data for programs: `threefold repetition` or `fifty moves`.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
        }
    }
}

/// The draws that a side may claim: none, one, or both.
///
/// ```
/// use tabiya_board::{Board, DrawClaim, GameHistory};
///
/// let board: Board = "4k3/8/8/8/8/8/8/4K2R w - - 100 80".parse().unwrap();
/// let claims = GameHistory::new(board).claims();
/// assert!(claims.contains(DrawClaim::FiftyMoves));
/// assert_eq!(claims.into_iter().collect::<Vec<_>>(), [DrawClaim::FiftyMoves]);
/// assert_eq!(format!("{claims:?}"), "{FiftyMoves}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DrawClaims {
    /// One bit for each claim.
    bits: u8,
}

impl DrawClaims {
    /// No claim.
    pub const NONE: Self = Self { bits: 0 };

    /// Whether there is no claim.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether a claim holds.
    pub const fn contains(self, claim: DrawClaim) -> bool {
        self.bits >> claim as u8 & 1 != 0
    }

    /// Returns the first claim, repetition before the fifty-move rule.
    pub fn first(self) -> Option<DrawClaim> {
        DrawClaim::ALL
            .into_iter()
            .find(|&claim| self.contains(claim))
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn insert_if(&mut self, condition: bool, claim: DrawClaim) {
        self.bits |= u8::from(condition) << claim as u8;
    }
}

impl fmt::Debug for DrawClaims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl IntoIterator for DrawClaims {
    type Item = DrawClaim;
    type IntoIter = DrawClaimsIter;

    fn into_iter(self) -> DrawClaimsIter {
        DrawClaimsIter(self)
    }
}

/// An iterator over [`DrawClaims`].
#[derive(Clone, Debug)]
pub struct DrawClaimsIter(DrawClaims);

impl Iterator for DrawClaimsIter {
    type Item = DrawClaim;

    fn next(&mut self) -> Option<DrawClaim> {
        let claim = self.0.first()?;
        self.0.bits &= !(1 << claim as u8);
        Some(claim)
    }
}

impl core::iter::FusedIterator for DrawClaimsIter {}

impl Outcome {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Returns the reason in a few words, as in data for programs, such as `checkmate` or `fivefold repetition`.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "dead position",
            Self::SeventyFiveMoves => "seventy-five moves",
            Self::FivefoldRepetition => "fivefold repetition",
        }
    }

    /// Returns the result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    ///
    /// ```
    /// use tabiya_board::{Color, Outcome};
    /// assert_eq!(Outcome::Checkmate { winner: Color::Black }.result(), "0-1");
    /// assert_eq!(Outcome::Stalemate.result(), "1/2-1/2");
    /// ```
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
            Self::InsufficientMaterial => f.write_str("draw by insufficient material"),
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
    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is stalemated: not in check and without a legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Whether neither side has the material to mate, however badly the other plays: bare kings, a single knight or
    /// bishop, or only bishops on squares of one colour.
    ///
    /// This does not find positions that are dead because all pawns are blocked.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// let board: Board = "4k3/8/8/8/8/8/8/4KB2 w - - 0 1".parse().unwrap();
    /// assert!(board.is_insufficient_material());
    /// ```
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

    /// Whether a side has the material to mate if the opponent helps. Only then does it win when the opponent runs out
    /// of time.
    ///
    /// A lone knight needs an enemy piece that blocks its own king; a queen does not help, because it could capture the
    /// knight. Bishops on squares of one colour need a pawn or a knight of either side.
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

    /// Returns how the game has ended, if it has. Only a [`GameHistory`](crate::GameHistory) knows about repetitions.
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
