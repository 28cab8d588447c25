//! The games of a stream, one after another.

use std::io::{self, Read};
use std::iter::FusedIterator;

use tabiya_board::{Board, Move};
use thiserror::Error;

use super::game::{Game, GameError, GameErrorKind};
use super::reader::Reader;
use super::replay::{Replay, Visitor, replay};
use super::stream::{Batch, BatchKind, Batches};
use crate::letters::PieceLetters;

/// The number of bytes to read at a time.
const SIZE: usize = 1 << 16;

/// Reads the games of a file, of bytes or of any other stream, one after another. Memory does not grow with the stream.
///
/// A game that cannot be read is an error with its line, column and reason; the next item is the next game. After an
/// error of the stream itself there are no more items.
///
/// ```
/// use tabiya_notation::pgn;
///
/// let text = "[White \"A\"]\n\n1. e4 e5 *\n\n1. e4 Ke6 *\n\n1. d4 d5 1/2-1/2\n";
/// // Usually: std::fs::File::open("games.pgn")?
/// let games: Vec<_> = pgn::games(text.as_bytes()).collect();
/// assert_eq!(games[0].as_ref().unwrap().tag("White"), Some("A"));
/// assert_eq!(
///     games[1].as_ref().unwrap_err().to_string(),
///     "line 5, column 7: 1... Ke6: kings move one square in any direction"
/// );
/// assert_eq!(games[2].as_ref().unwrap().main_line().count(), 2);
/// ```
pub fn games<R: Read>(stream: R) -> Games<R> {
    Games {
        batches: Some(Batches::new(stream, SIZE)),
        batch: Batch::default(),
        offset: 0,
        letters: PieceLetters::ENGLISH,
    }
}

/// The games of a stream; see [`games`].
#[derive(Debug)]
pub struct Games<R> {
    /// `None` after an error.
    batches: Option<Batches<R>>,
    batch: Batch,
    /// The end of the last game in the batch.
    offset: usize,
    letters: PieceLetters,
}

impl<R> Games<R> {
    /// Reads moves with the piece letters of a language.
    #[must_use]
    pub fn with_letters(mut self, letters: PieceLetters) -> Self {
        self.letters = letters;
        self
    }
}

/// Why the next game of a stream cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The stream cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The game is broken.
    #[error("line {line}, column {column}: {kind}")]
    Game {
        /// The line in the stream, from 1.
        line: usize,
        /// The column in the line, from 1, in characters.
        column: usize,
        /// What is wrong.
        kind: GameErrorKind,
    },
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, ReadGameError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut reader = Reader::resume(&self.batch.text, self.offset);
            if let Some(game) = Game::read_with(&mut reader, &self.letters) {
                self.offset = reader.offset();
                return Some(game.map_err(|error| self.placed(error)));
            }
            match self.batches.as_mut()?.next_batch() {
                Ok(Some(batch)) => self.batch = batch,
                Ok(None) => {
                    self.batches = None;
                    return None;
                }
                Err(error) => {
                    self.batches = None;
                    return Some(Err(error.into()));
                }
            }
            self.offset = 0;
            if self.batch.kind == BatchKind::Games {
                continue;
            }
            // Pieces of a game are not read.
            self.offset = self.batch.text.len();
            if let BatchKind::TooLarge { limit } = self.batch.kind {
                let kind = GameErrorKind::TooLarge { limit };
                return Some(Err(self.placed(GameError { offset: 0, kind })));
            }
        }
    }
}

impl<R: Read> FusedIterator for Games<R> {}

impl<R> Games<R> {
    fn placed(&self, error: GameError) -> ReadGameError {
        let (line, column) = self.batch.line_and_column(error.offset);
        ReadGameError::Game {
            line,
            column,
            kind: error.kind,
        }
    }
}

/// Replays the main line of the next game and calls a function with each move and the board after it; `None` at the end
/// of the text. The game starts from the position of its `FEN` tag, if it has one.
///
/// This is [`replay`] without a visitor of your own: it keeps nothing in memory and skips variations unread.
///
/// ```
/// use tabiya_notation::pgn::{Reader, replay_main_line};
///
/// let text = b"[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ (1. a8=N) 1... Kd7 1-0";
/// let mut fens = Vec::new();
/// let game = replay_main_line(&mut Reader::new(text), |_, after| fens.push(after.to_string()));
/// assert!(game.unwrap().error.is_none());
/// assert_eq!(fens, ["Q3k3/8/8/8/8/8/8/4K3 b - - 0 1", "Q7/3k4/8/8/8/8/8/4K3 w - - 1 2"]);
/// ```
pub fn replay_main_line(reader: &mut Reader<'_>, play: impl FnMut(Move, &Board)) -> Option<Replay> {
    replay(reader, &PieceLetters::ENGLISH, &mut MainLine(play))
}

struct MainLine<F>(F);

impl<F: FnMut(Move, &Board)> Visitor<'_> for MainLine<F> {
    type Board = Board;
    const VARIATIONS: bool = false;

    #[inline]
    fn play(&mut self, mv: Move, after: &Board, _depth: usize) {
        (self.0)(mv, after);
    }
}
