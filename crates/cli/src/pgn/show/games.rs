//! The games of a file by their numbers.

use std::error::Error;
use std::path::{Path, PathBuf};

use anyhow::bail;
use tabiya_board::Board;
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Batch, Batches, Event, Game, Reader};
use tabiya_terminal::{LoadedGame, GameSource};

use crate::input::{Failure, Input, Unreadable, is_standard_input, name};
use crate::pgn::letters::sentence;

/// How many bytes of games are in memory at a time, about.
const BATCH: usize = 1 << 20;

/// So many games tell which language a file is written in.
const SAMPLE: usize = 20;

/// The games of a file. Only a piece of it is in memory, and read again from the start where one goes back beyond that;
/// but standard input, which cannot be read twice, is kept.
pub(crate) struct Games {
    path: PathBuf,
    letters: PieceLetters,
    batches: Batches<Input>,
    failure: Failure,
    /// The batch behind those on the shelves, read ahead to know whether there is one.
    ahead: Option<Batch>,
    shelves: Vec<Shelf>,
    /// How many games have been read since the start of the file.
    seen: usize,
    at_end: bool,
}

/// Games in memory.
struct Shelf {
    batch: Batch,
    /// The number of the first game.
    first: usize,
    /// Where each game starts, and where the last ends.
    borders: Vec<usize>,
}

impl Games {
    pub(crate) fn open(path: &Path, letters: PieceLetters) -> Result<Self, Unreadable> {
        Ok(Self::new(path, Input::open(path)?, letters))
    }

    /// The games of a file in whatever language it is written: in English, unless another one reads more of its first
    /// games.
    pub(crate) fn open_in_any_language(path: &Path) -> Result<Self, Unreadable> {
        let mut best = Self::open(path, PieceLetters::ENGLISH)?;
        // What is no file cannot be read again.
        if !path.is_file() {
            return Ok(best);
        }
        let (mut sound, tried) = best.sound()?;
        for letters in PieceLetters::all() {
            if sound == tried {
                break;
            }
            let mut other = Self::open(path, letters)?;
            let (more, _) = other.sound()?;
            if more > sound {
                (best, sound) = (other, more);
            }
        }
        Ok(best)
    }

    /// How many of the first games can be read to their end, and how many those are.
    fn sound(&mut self) -> Result<(usize, usize), Unreadable> {
        let (mut sound, mut tried) = (0, 0);
        while tried < SAMPLE
            && let Some(loaded) = self.get(tried + 1)?
        {
            tried += 1;
            sound += usize::from(loaded.problem.is_none());
        }
        Ok((sound, tried))
    }

    /// The games of a file that is open already.
    pub(crate) fn new(path: &Path, input: Input, letters: PieceLetters) -> Self {
        Self {
            path: path.to_owned(),
            letters,
            failure: input.failure(),
            batches: Batches::new(input, BATCH),
            ahead: None,
            shelves: Vec::new(),
            seen: 0,
            at_end: false,
        }
    }

    /// The game with this number, or without one the first; an error if there is none.
    pub(crate) fn find(&mut self, number: Option<usize>) -> anyhow::Result<LoadedGame> {
        let wanted = number.unwrap_or(1);
        if let Some(game) = self.get(wanted)? {
            return Ok(game);
        }
        let file = name(&self.path);
        match self.seen {
            0 => bail!("there is no game in {file}"),
            last => bail!("there is no game {wanted} in {file}: the last is game {last}"),
        }
    }

    /// How many games are known to be there.
    pub(crate) const fn seen(&self) -> usize {
        self.seen
    }

    /// A game by its number, from 1; nothing behind the last.
    pub(crate) fn get(&mut self, number: usize) -> Result<Option<LoadedGame>, Unreadable> {
        let kept_from = self.shelves.first().map_or(1, |shelf| shelf.first);
        if number < kept_from {
            *self = Self::open(&self.path, self.letters)?;
        }
        while number > self.seen && self.read_on()? {}
        let shelf = self.shelf(number);
        Ok(shelf.map(|shelf| shelf.load(number, &self.path, &self.letters)))
    }

    /// The text of a game that was asked for last, as it stands in the file.
    pub(crate) fn source(&self, number: usize) -> &[u8] {
        self.shelf(number)
            .map_or(b"", |shelf| shelf.text(number - shelf.first))
    }

    fn shelf(&self, number: usize) -> Option<&Shelf> {
        let shelf = self.shelves.iter().rfind(|shelf| shelf.first <= number);
        shelf.filter(|_| number <= self.seen)
    }

    fn next_batch(&mut self) -> Result<Option<Batch>, Unreadable> {
        let batch = self.batches.next_batch();
        batch.map_err(|error| Unreadable::new(&self.path, error))
    }

    /// Reads the next batch, if there is one.
    fn read_on(&mut self) -> Result<bool, Unreadable> {
        if self.at_end {
            return Ok(false);
        }
        let batch = match self.ahead.take() {
            Some(batch) => Some(batch),
            None => self.next_batch()?,
        };
        let Some(batch) = batch else {
            self.at_end = true;
            return match self.failure.take() {
                Some(error) => Err(Unreadable::new(&self.path, error)),
                None => Ok(false),
            };
        };
        self.ahead = self.next_batch()?;
        self.at_end = self.ahead.is_none() && !self.failure.is_there();
        let shelf = Shelf::new(batch, self.seen + 1);
        self.seen += shelf.borders.len() - 1;
        if !is_standard_input(&self.path) {
            self.shelves.clear();
        }
        self.shelves.push(shelf);
        Ok(true)
    }
}

impl GameSource for Games {
    fn get(&mut self, number: usize) -> Result<Option<LoadedGame>, Box<dyn Error>> {
        Ok(Self::get(self, number)?)
    }

    /// Known once the file has been read to its end.
    fn total(&self) -> Option<usize> {
        self.at_end.then_some(self.seen)
    }

    fn letters(&self) -> PieceLetters {
        self.letters
    }
}

impl Shelf {
    fn new(batch: Batch, first: usize) -> Self {
        let mut borders = vec![0];
        let mut reader = Reader::new(&batch.text);
        while let Some(event) = reader.next() {
            if let Event::End(_) = event {
                borders.push(reader.offset());
            }
        }
        Self {
            batch,
            first,
            borders,
        }
    }

    fn text(&self, index: usize) -> &[u8] {
        match self.borders.get(index..index + 2) {
            Some(&[start, end]) => &self.batch.text[start..end],
            _ => b"",
        }
    }

    fn load(&self, number: usize, path: &Path, letters: &PieceLetters) -> LoadedGame {
        let index = number - self.first;
        let text = self.text(index);
        let (game, problem) = match Game::read_with(&mut Reader::new(text), letters) {
            Some(Ok(game)) => (Some(game), None),
            None => (None, None),
            Some(Err(error)) => {
                let (line, column) = self
                    .batch
                    .line_and_column(self.borders[index] + error.offset);
                let problem = format!(
                    "{}:{line}:{column}: {}",
                    name(path),
                    sentence(&error.kind)
                );
                // What comes before can still be shown, if only that is a game.
                let sound = &text[..error.offset.min(text.len())];
                let before = Game::read_with(&mut Reader::new(sound), letters);
                (before.and_then(Result::ok), Some(problem))
            }
        };
        LoadedGame {
            number,
            game: game.unwrap_or_else(|| Game::new(Board::start())),
            problem,
        }
    }
}
