//! Names of openings, found by position, so that the order of the moves does not matter.

use std::collections::HashMap;
use std::sync::LazyLock;

use tabiya_board::Board;

use crate::san::{Dialect, parse_san};

/// A named opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its ECO code, A00 to E99.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its usual moves, in SAN with numbers.
    pub moves: &'static str,
}

impl Opening {
    /// Returns its moves in SAN, without numbers.
    pub fn sans(&self) -> impl Iterator<Item = &'static str> {
        let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
        let words = self.moves.split_whitespace();
        words.filter(move |word| !is_number(word))
    }

    /// Returns the number of its moves, those of both sides counted.
    pub fn plies(&self) -> usize {
        self.sans().count()
    }
}

/// The table: code, name and moves, separated by tabs.
static TABLE: &str = include_str!("openings.tsv");

/// The openings by the hash key of their positions.
static BY_KEY: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let positions = openings().filter_map(|opening| {
        let board = position(opening.moves)?;
        Some((board.repetition_key(), opening))
    });
    positions.collect()
});

/// Returns the position after moves in SAN with numbers, from the start of the game.
fn position(moves: &str) -> Option<Board> {
    let mut board = Board::start();
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    for word in moves.split_whitespace().filter(|word| !is_number(word)) {
        board.play_unchecked(parse_san(word, &board, Dialect::Strict).ok()?);
    }
    Some(board)
}

/// Returns all openings, in the order of their codes.
pub fn openings() -> impl Iterator<Item = Opening> {
    TABLE.lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Opening {
            eco: columns.next()?,
            name: columns.next()?,
            moves: columns.next()?,
        })
    })
}

/// Returns the opening with this position.
///
/// ```
/// use tabiya_notation::{opening, opening_of_game, parse_san, Dialect};
/// use tabiya_board::Board;
///
/// let mut boards = vec![Board::start()];
/// for san in ["c4", "e6", "d4", "d5"] {
///     let board = *boards.last().unwrap();
///     boards.push(board.after(parse_san(san, &board, Dialect::Strict).unwrap()));
/// }
/// let found = opening_of_game(&boards).unwrap();
/// assert!(found.name.starts_with("Queen's Gambit Declined"));
/// assert!(opening(&Board::start()).is_none());
/// ```
pub fn opening(board: &Board) -> Option<Opening> {
    BY_KEY.get(&board.repetition_key()).copied()
}

/// Returns the opening of a game, by the last of its boards that is an opening.
pub fn opening_of_game<'a>(boards: impl IntoIterator<Item = &'a Board>) -> Option<Opening> {
    boards.into_iter().filter_map(opening).last()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_lines_are_legal_and_have_different_positions() {
        assert!(openings().count() >= 500, "{}", openings().count());
        assert_eq!(TABLE.lines().count(), openings().count() + 1);
        let mut keys = HashSet::new();
        for opening in openings() {
            let board = position(opening.moves);
            let board = board.unwrap_or_else(|| panic!("{} is not legal", opening.moves));
            assert!(
                keys.insert(board.repetition_key()),
                "{} occurs twice",
                opening.name
            );
            let code = opening.eco.as_bytes();
            assert!(
                matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']),
                "{}",
                opening.eco
            );
        }
        assert_eq!(BY_KEY.len(), openings().count());
    }

    #[test]
    fn transpositions_are_found() {
        let usual = position("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4").unwrap();
        let other = position("1. c4 e6 2. Nc3 Nf6 3. d4 Bb4").unwrap();
        let found = opening(&other).unwrap();
        assert_eq!(found.name, "Nimzo-Indian Defense");
        assert_eq!(opening(&usual), Some(found));
    }
}
