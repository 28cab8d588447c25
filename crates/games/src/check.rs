//! Checking that games are legal.

use tabiya_board::Move;
use tabiya_board::unkeyed::Position;
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Batch, GameErrorKind, Reader, Visitor, decode_tag, replay};

/// The names of the two players, as they are written in the tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Players<'a> {
    /// The value of the White tag.
    pub white: &'a [u8],
    /// The value of the Black tag.
    pub black: &'a [u8],
}

impl<'a> Players<'a> {
    /// Keeps a tag, if it is one of the two.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: &'a [u8]) {
        match name {
            b"White" => self.white = value,
            b"Black" => self.black = value,
            _ => {}
        }
    }
}

/// What [`check`] found in a batch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The number of games.
    pub games: u64,
    /// The number of legal moves, up to the first error of each game, including those of variations.
    pub moves: u64,
    /// The size of the batch in bytes.
    pub bytes: u64,
    /// The games with an error.
    pub broken: Vec<BrokenGame>,
}

/// A game with an error, and where that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenGame {
    /// The number of games before it in its batch.
    pub index: u64,
    /// The line in the file, from 1.
    pub line: usize,
    /// The column in that line, in characters from 1.
    pub column: usize,
    /// White's name; empty if not known.
    pub white: String,
    /// Black's name; empty if not known.
    pub black: String,
    /// The reason.
    pub error: GameErrorKind,
}

impl BrokenGame {
    pub(crate) fn new(
        batch: &Batch,
        index: u64,
        players: Players<'_>,
        error: tabiya_notation::pgn::GameError,
    ) -> Self {
        let (line, column) = batch.line_and_column(error.offset);
        Self {
            index,
            line,
            column,
            white: decode_tag(players.white).into_owned(),
            black: decode_tag(players.black).into_owned(),
            error: error.kind,
        }
    }
}

#[derive(Default)]
struct Checker<'a> {
    players: Players<'a>,
    moves: u64,
}

impl<'a> Visitor<'a> for Checker<'a> {
    type Board = Position;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        self.players.tag(name, value);
    }

    #[inline(always)]
    fn play(&mut self, _mv: Move, _after: &Position, _depth: usize) {
        self.moves += 1;
    }
}

/// Replays the games of a batch, with their variations.
pub fn check(batch: &Batch, letters: &PieceLetters) -> Checked {
    let mut reader = Reader::new(&batch.text);
    let mut checked = Checked {
        bytes: batch.text.len() as u64,
        ..Checked::default()
    };
    let mut checker = Checker::default();
    while let Some(game) = replay(&mut reader, letters, &mut checker) {
        let players = std::mem::take(&mut checker.players);
        if let Some(error) = game.error {
            let broken = BrokenGame::new(batch, checked.games, players, error);
            checked.broken.push(broken);
        }
        checked.games += 1;
    }
    checked.moves = checker.moves;
    checked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_place_and_players() {
        let batch = Batch {
            text: "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 (1... Ke6) 2. Nf3 *\n\n\
                   1. e4 *\n\n1. Ke2 *\n"
                .into(),
            lines_before: 100,
            bytes_before: 0,
        };
        let checked = check(&batch, &PieceLetters::ENGLISH);
        assert_eq!((checked.games, checked.moves), (3, 3));
        let [first, second] = &checked.broken[..] else {
            panic!("{checked:?}");
        };
        assert_eq!((first.index, first.line, first.column), (0, 104, 16));
        assert_eq!((first.white.as_str(), first.black.as_str()), ("A", "B"));
        assert_eq!((second.index, second.line, second.column), (2, 108, 4));
        assert_eq!((second.white.as_str(), second.black.as_str()), ("", ""));
    }
}
