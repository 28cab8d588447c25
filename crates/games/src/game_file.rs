//! The games of a file by their number.

use std::io;
use std::path::{Path, PathBuf};

use tabiya_board::Board;
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{
    Batch, BatchKind, Batches, Event, Game, GameErrorKind, MAX_GAME, Reader,
};
use thiserror::Error;

use crate::encoding::{Encoding, EncodingSlot};
use crate::input::{Input, InputError, ReadErrorSlot, display_name, is_standard_input};

/// The size of a batch in bytes, about.
const BATCH: usize = 1 << 20;

/// This many bytes of standard input are kept.
const KEPT: usize = 256_000_000;

/// The language of a file is guessed from this many games.
const SAMPLE: usize = 20;

/// Reads the games of a file by their number.
///
/// Only one batch is in memory: to go back beyond it, the file is read again from the start. Standard input cannot be
/// read twice, so the last 256 MB of it are kept.
pub struct GameFile {
    path: PathBuf,
    letters: PieceLetters,
    batches: Batches<Input>,
    error: ReadErrorSlot,
    encoding: EncodingSlot,
    max_game: usize,
    /// The batch after those in memory, read early to know whether there is one.
    ahead: Option<Batch>,
    loaded: Vec<LoadedBatch>,
    /// The number of games read since the start of the file.
    seen: usize,
    at_end: bool,
}

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberedGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game, up to its first error.
    pub game: Game,
    /// The error in it.
    pub error: Option<PlacedError>,
}

/// The error in a game, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{line}:{column}: {kind}")]
pub struct PlacedError {
    /// The name of the file, for messages.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The reason.
    pub kind: GameErrorKind,
}

/// A file has no such game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file has no games.
    #[error("{file} contains no games")]
    Empty {
        /// The name of the file, for messages.
        file: String,
    },
    /// The file has fewer games.
    #[error("{file} has no game {wanted}: its last game is {last}")]
    NoSuchGame {
        /// The name of the file, for messages.
        file: String,
        /// The number that was asked for.
        wanted: usize,
        /// The number of games.
        last: usize,
    },
}

/// A batch in memory.
struct LoadedBatch {
    batch: Batch,
    /// The number of its first game.
    first: usize,
    /// Where each game starts, and where the last one ends.
    borders: Vec<usize>,
}

impl GameFile {
    /// Opens a file whose moves use the piece letters of a language.
    pub fn open(path: &Path, letters: PieceLetters) -> Result<Self, InputError> {
        Ok(Self::new(path, Input::open(path)?, letters))
    }

    /// Opens a file in any language: English, unless another one can read more of its first games.
    pub fn open_in_any_language(path: &Path) -> Result<Self, InputError> {
        let mut best = Self::open(path, PieceLetters::ENGLISH)?;
        // Pipes cannot be read again.
        if !path.is_file() {
            return Ok(best);
        }
        let (mut legal, tried) = best.count_legal()?;
        for letters in PieceLetters::all() {
            if legal == tried {
                break;
            }
            let mut other = Self::open(path, letters)?;
            let (more, _) = other.count_legal()?;
            if more > legal {
                (best, legal) = (other, more);
            }
        }
        Ok(best)
    }

    /// How many of the first games have no error, and how many were read.
    fn count_legal(&mut self) -> Result<(usize, usize), InputError> {
        let (mut legal, mut tried) = (0, 0);
        while tried < SAMPLE
            && let Some(game) = self.get(tried + 1)?
        {
            tried += 1;
            legal += usize::from(game.error.is_none());
        }
        Ok((legal, tried))
    }

    /// The games of a file that is already open.
    pub fn new(path: &Path, input: Input, letters: PieceLetters) -> Self {
        Self {
            path: path.to_owned(),
            letters,
            error: input.error(),
            encoding: input.encoding_slot(),
            batches: Batches::new(input, BATCH),
            max_game: MAX_GAME,
            ahead: None,
            loaded: Vec::new(),
            seen: 0,
            at_end: false,
        }
    }

    /// Reads games up to this many bytes: see [`Batches::with_max_game`].
    #[must_use]
    pub fn with_max_game(mut self, bytes: usize) -> Self {
        self.batches = self.batches.with_max_game(bytes);
        self.max_game = bytes;
        self
    }

    /// Returns the encoding of the file, once some of it has been read.
    pub fn encoding(&self) -> Encoding {
        self.encoding.get()
    }

    /// Returns the game with a number, from 1; it is an error if there is none.
    pub fn find(&mut self, wanted: usize) -> Result<NumberedGame, GameFileError> {
        if let Some(game) = self.get(wanted)? {
            return Ok(game);
        }
        let file = display_name(&self.path);
        Err(match self.seen {
            0 => GameFileError::Empty { file },
            last => GameFileError::NoSuchGame { file, wanted, last },
        })
    }

    /// Returns the game with a number, from 1; `None` after the last.
    pub fn get(&mut self, number: usize) -> Result<Option<NumberedGame>, InputError> {
        let kept_from = self.loaded.first().map_or(1, |loaded| loaded.first);
        if number < kept_from {
            if is_standard_input(&self.path) {
                let reason = "game {number} is too far back; save the games to a file first";
                let reason = reason.replace("{number}", &number.to_string());
                return Err(InputError::new(&self.path, io::Error::other(reason)));
            }
            *self = Self::open(&self.path, self.letters)?.with_max_game(self.max_game);
        }
        while number > self.seen && self.read_on()? {}
        let loaded = self.batch_of(number);
        Ok(loaded.map(|loaded| loaded.game(number, &self.path, &self.letters)))
    }

    /// Returns the text of the game that was read last, as it is in the file.
    pub fn source(&self, number: usize) -> &[u8] {
        self.batch_of(number)
            .map_or(b"", |loaded| loaded.text(number - loaded.first))
    }

    /// Copies the text of the game that was read last, without the white space around it. A game that is too large to be
    /// read comes in pieces, the rest of it straight from the file.
    pub fn copy<E: From<InputError>>(
        &mut self,
        number: usize,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let loaded = self.batch_of(number);
        let is_whole = loaded.is_none_or(|loaded| loaded.batch.kind == BatchKind::Games);
        if is_whole || number != self.seen {
            return write(self.source(number).trim_ascii());
        }
        let piece = loaded.map_or(&b""[..], |loaded| loaded.batch.text.trim_ascii_start());
        if !self.is_inside_game() {
            return write(piece.trim_ascii_end());
        }
        write(piece)?;
        while let Some(batch) = self.ahead.take_if(|batch| batch.kind == BatchKind::Rest) {
            self.ahead = self.next_batch()?;
            let piece = batch.text.as_slice();
            write(if self.is_inside_game() {
                piece
            } else {
                piece.trim_ascii_end()
            })?;
            self.batches.reuse(batch);
        }
        self.at_end = self.ahead.is_none() && !self.error.is_some();
        Ok(())
    }

    /// Whether more follows of a game that is too large to be read.
    fn is_inside_game(&self) -> bool {
        let ahead = self.ahead.as_ref();
        ahead.is_some_and(|batch| batch.kind == BatchKind::Rest)
    }

    /// Returns the number of games read so far.
    pub const fn seen(&self) -> usize {
        self.seen
    }

    /// Returns the number of games, once the file has been read to its end.
    pub fn total(&self) -> Option<usize> {
        self.at_end.then_some(self.seen)
    }

    /// Returns the piece letters of the file.
    pub const fn letters(&self) -> PieceLetters {
        self.letters
    }

    fn batch_of(&self, number: usize) -> Option<&LoadedBatch> {
        let loaded = self.loaded.iter().rfind(|loaded| loaded.first <= number);
        loaded.filter(|_| number <= self.seen)
    }

    fn next_batch(&mut self) -> Result<Option<Batch>, InputError> {
        let batch = self.batches.next_batch();
        batch.map_err(|error| InputError::new(&self.path, error))
    }

    /// Reads the next batch, if there is one.
    fn read_on(&mut self) -> Result<bool, InputError> {
        if self.at_end {
            return Ok(false);
        }
        let batch = match self.ahead.take() {
            Some(batch) => Some(batch),
            None => self.next_batch()?,
        };
        let Some(batch) = batch else {
            self.at_end = true;
            return match self.error.take() {
                Some(error) => Err(InputError::new(&self.path, error)),
                None => Ok(false),
            };
        };
        self.ahead = self.next_batch()?;
        self.at_end = self.ahead.is_none() && !self.error.is_some();
        let loaded = LoadedBatch::new(batch, self.seen + 1);
        self.seen += loaded.borders.len() - 1;
        let mut kept = if is_standard_input(&self.path) {
            KEPT
        } else {
            0
        };
        // Distant batches are dropped, and batches without a game are not kept at all.
        let start = self.loaded.iter().rposition(|loaded| {
            kept = kept.saturating_sub(loaded.batch.text.len());
            kept == 0
        });
        self.loaded.drain(..start.map_or(0, |start| start + 1));
        if loaded.borders.len() > 1 {
            self.loaded.push(loaded);
        }
        Ok(true)
    }
}

impl LoadedBatch {
    fn new(batch: Batch, first: usize) -> Self {
        let mut borders = vec![0];
        match batch.kind {
            BatchKind::Games => {
                let mut reader = Reader::new(&batch.text);
                while let Some(event) = reader.next() {
                    if let Event::End(_) = event {
                        borders.push(reader.offset());
                    }
                }
            }
            BatchKind::TooLarge { .. } => borders.push(batch.text.len()),
            BatchKind::Rest => {}
        }
        Self {
            batch,
            first,
            borders,
        }
    }

    /// The text of a game; nothing if only a part of it is here.
    fn text(&self, index: usize) -> &[u8] {
        match self.borders.get(index..index + 2) {
            Some(&[start, end]) if self.batch.kind == BatchKind::Games => {
                &self.batch.text[start..end]
            }
            _ => b"",
        }
    }

    fn game(&self, number: usize, path: &Path, letters: &PieceLetters) -> NumberedGame {
        let start = self.borders[number - self.first];
        let text = &self.batch.text;
        let placed = |offset, kind| {
            let (line, column) = self.batch.line_and_column(offset);
            PlacedError {
                file: display_name(path),
                line,
                column,
                kind,
            }
        };
        let (game, error) = if let BatchKind::TooLarge { limit } = self.batch.kind {
            let blank = text.iter().take_while(|&&byte| byte <= b' ');
            let error = placed(blank.count(), GameErrorKind::TooLarge { limit });
            (None, Some(error))
        } else {
            match Game::read_with(&mut Reader::resume(text, start), letters) {
                Some(Ok(game)) => (Some(game), None),
                None => (None, None),
                Some(Err(error)) => {
                    // What comes before the error may still be a game.
                    let legal = &text[..error.offset.clamp(start, text.len())];
                    let before = Game::read_with(&mut Reader::resume(legal, start), letters);
                    let error = placed(error.offset, error.kind);
                    (before.and_then(Result::ok), Some(error))
                }
            }
        };
        NumberedGame {
            number,
            game: game.unwrap_or_else(|| Game::new(Board::start())),
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let name = format!("tabiya-games-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn games_are_found_forwards_and_backwards() {
        let games: Vec<_> = (1..=30_000)
            .map(|number| format!("[Event \"{number}\"]\n[White \"A\"]\n\n1. e4 *\n"))
            .collect();
        let text = games.join("\n");
        let path = file("numbers.pgn", &text);
        let mut games = GameFile::open(&path, PieceLetters::ENGLISH).unwrap();
        for number in [1, 2, 30_000, 3, 15_000] {
            let game = games.find(number).unwrap();
            assert_eq!(game.number, number);
            assert_eq!(game.game.tag("Event"), Some(number.to_string().as_str()));
            assert!(games.source(number).trim_ascii().starts_with(b"[Event "));
        }
        assert!(games.get(30_001).unwrap().is_none());
        assert_eq!(games.total(), Some(30_000));
        let error = games.find(40_000).unwrap_err().to_string();
        assert!(
            error.ends_with("has no game 40000: its last game is 30000"),
            "{error}"
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn broken_game_is_kept_up_to_its_error() {
        let path = file("broken.pgn", "1. e4 e5 2. Ke3 *\n");
        let mut games = GameFile::open(&path, PieceLetters::ENGLISH).unwrap();
        let game = games.find(1).unwrap();
        assert_eq!(game.game.main_line().count(), 2);
        let error = game.error.unwrap();
        assert_eq!((error.line, error.column), (1, 13));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn game_above_the_limit_has_its_number() {
        let large = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(3_000_000));
        let small = "[White \"B\"]\n\n1. d4 *\n\n";
        let path = file("limit.pgn", &[small, &large, small].concat());
        let games = GameFile::open(&path, PieceLetters::ENGLISH).unwrap();
        let mut games = games.with_max_game(1_000_000);
        for number in [3, 2, 1] {
            let game = games.find(number).unwrap();
            assert_eq!(game.error.is_some(), number == 2);
            assert_eq!(games.source(number).is_empty(), number == 2);
        }
        let error = games.find(2).unwrap().error.unwrap();
        assert_eq!((error.line, error.column), (5, 1));
        assert_eq!(
            error.kind.to_string(),
            "the game is larger than 1 MB, the limit"
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn game_above_the_limit_is_copied_from_the_file() {
        let small = "[White \"B\"]\n\n1. d4 *\n\n";
        // Of many pieces, of one, and at the end of the file.
        for (length, last) in [(3_500_000, false), (1_010_000, false), (3_000_000, true)] {
            let comment = "x".repeat(length);
            let large = format!("[White \"A\"]\n\n1. e4 {{{comment}}} *");
            let mut text = [small, "\n", &large, "\n\n"].concat();
            if !last {
                text.push_str(small);
            }
            let path = file("copied.pgn", &text);
            let games = GameFile::open(&path, PieceLetters::ENGLISH).unwrap();
            let mut games = games.with_max_game(1_000_000);
            let mut copied = Vec::new();
            let mut number = 1;
            while games.get(number).unwrap().is_some() {
                let mut text = Vec::new();
                let write = |piece: &[u8]| {
                    assert!(piece.len() < 1_100_000, "in pieces");
                    text.extend_from_slice(piece);
                    Ok::<_, InputError>(())
                };
                games.copy(number, write).unwrap();
                copied.push(String::from_utf8(text).unwrap());
                number += 1;
            }
            let small = small.trim();
            let wanted = [small, &large, small];
            assert!(copied == wanted[..if last { 2 } else { 3 }], "{length}");
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn language_is_guessed() {
        let path = file("german.pgn", "1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n");
        let games = GameFile::open_in_any_language(&path).unwrap();
        // Several languages share these letters.
        assert!(games.letters().role("S").is_some());
        std::fs::remove_file(path).unwrap();
    }
}
