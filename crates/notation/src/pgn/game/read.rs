//! Reading games.

use std::ops::Range;

use tabiya_board::{Board, Move, Position};

use super::error::{GameError, GameErrorKind};
use super::{Game, NodeId};
use crate::GameResult;
use crate::letters::PieceLetters;
use crate::pgn::event::{Event, SanToken, SyntaxError};
use crate::pgn::reader::Reader;
use crate::pgn::text::{decode, decode_tag, in_one_line};
use crate::san::{Dialect, San, SanError};

impl Game {
    /// Reads the next game; nothing at the end of the text. After an error, the next call reads the next game.
    pub fn read(reader: &mut Reader<'_>) -> Option<Result<Self, GameError>> {
        Self::read_with(reader, &PieceLetters::ENGLISH)
    }

    /// Reads the next game, in which the pieces have the letters of a language.
    ///
    /// ```
    /// use tabiya_notation::PieceLetters;
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let text = b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *";
    /// let german: PieceLetters = "de".parse().unwrap();
    /// let game = Game::read_with(&mut Reader::new(text), &german).unwrap().unwrap();
    /// assert_eq!(game.to_string(), "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n");
    /// let error = Game::read(&mut Reader::new(text)).unwrap().unwrap_err();
    /// assert_eq!(error.kind.to_string(), "2. Sf3: 'S' is no piece: the pieces are P N B R Q K");
    /// ```
    pub fn read_with(
        reader: &mut Reader<'_>,
        letters: &PieceLetters,
    ) -> Option<Result<Self, GameError>> {
        let mut builder = Builder::new(letters);
        let mut failure = None;
        let mut end = None;
        while let Some(event) = reader.next() {
            if let Some(end) = end.replace(reader.offset()) {
                // Between two events of a game stands only what is skipped.
                builder.skipped(reader.text(), end..reader.event_offset());
            }
            let result = match event {
                Event::End(result) => Some(result),
                _ => None,
            };
            if failure.is_none() {
                let offset = reader.event_offset();
                failure = builder.event(event, offset).err();
            }
            if let Some(result) = result {
                return Some(builder.finish(failure, result));
            }
        }
        None
    }
}

/// Where a line of moves is while a game is read.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    before: Board,
    board: Board,
    /// The number of bytes before the parenthesis that opened it.
    opened: usize,
}

/// Reads a word of movetext as a move of a position, with the letters of a language. A [`Reader`] knows the English ones
/// alone, and takes words that are no moves in English for problems.
#[cold]
pub fn read_word(
    word: &[u8],
    position: &Position,
    letters: &PieceLetters,
) -> Result<San, GameErrorKind> {
    San::parse_with(&decode(word), Dialect::Import, letters).map_err(|reason| match reason {
        // Where only the letter is wrong, those that are known help.
        SanError::UnknownPiece { .. } if ends_in_square(word) => {
            GameErrorKind::of_move(position, word, reason)
        }
        _ => SyntaxError::Word(word).into(),
    })
}

/// Whether a word ends in a square, as moves do, but for what may follow it.
fn ends_in_square(word: &[u8]) -> bool {
    let rank = word.iter().rposition(|byte| matches!(byte, b'1'..=b'8'));
    rank.is_some_and(|rank| rank > 0 && matches!(word[rank - 1], b'a'..=b'h'))
}

struct Builder<'a> {
    letters: &'a PieceLetters,
    game: Option<Game>,
    tags: Vec<(String, String)>,
    /// The number of bytes before the FEN tag.
    fen_at: usize,
    /// The places of the open variations and, last, of the current line.
    lines: Vec<Place>,
    /// What stands before the first move of a variation, or among the tags.
    waiting: Waiting,
    at_line_start: bool,
}

#[derive(Default)]
struct Waiting {
    nags: Vec<u8>,
    comments: Vec<String>,
    escapes: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(letters: &'a PieceLetters) -> Self {
        Self {
            letters,
            game: None,
            tags: Vec::new(),
            fen_at: 0,
            lines: Vec::new(),
            waiting: Waiting::default(),
            at_line_start: false,
        }
    }

    fn finish(
        self,
        failure: Option<GameError>,
        result: Option<GameResult>,
    ) -> Result<Game, GameError> {
        if let Some(failure) = failure {
            return Err(failure);
        }
        let mut game = self.game.unwrap_or_else(|| Game::new(Board::start()));
        game.result = result;
        Ok(game)
    }

    /// The game, which begins with the first thing behind its tags.
    fn begin(&mut self) -> Result<(), GameError> {
        if self.game.is_some() {
            return Ok(());
        }
        let tags = std::mem::take(&mut self.tags);
        let fen = tags.iter().find(|(name, _)| name == "FEN");
        let start = match fen {
            Some((_, fen)) => fen.parse().map_err(|error| GameError {
                offset: self.fen_at,
                kind: GameErrorKind::Start(error),
            })?,
            None => Board::start(),
        };
        let mut game = Game::new(start);
        game.tags = tags;
        game.nodes[0].escapes = std::mem::take(&mut self.waiting.escapes);
        self.game = Some(game);
        self.lines.push(Place {
            node: Game::ROOT,
            before: start,
            board: start,
            opened: 0,
        });
        Ok(())
    }

    /// Keeps the lines that start with a percent sign of what was skipped.
    fn skipped(&mut self, text: &[u8], range: Range<usize>) {
        let start = range.start;
        let skipped = text.get(range).unwrap_or_default();
        if memchr::memchr(b'%', skipped).is_some() {
            self.escapes(&text[..start], skipped);
        }
    }

    #[cold]
    fn escapes(&mut self, before: &[u8], skipped: &[u8]) {
        let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
        // The first line may be the rest of one.
        let starts_line = before.last().is_none_or(is_newline);
        let lines = skipped.split(is_newline).skip(usize::from(!starts_line));
        let escapes = lines.filter_map(|line| Some(decode(line.strip_prefix(b"%")?).into_owned()));
        match (&mut self.game, self.lines.last()) {
            (Some(game), Some(place)) if !self.at_line_start => {
                game.nodes[place.node.0].escapes.extend(escapes);
            }
            _ => self.waiting.escapes.extend(escapes),
        }
    }

    fn event(&mut self, event: Event<'_>, offset: usize) -> Result<(), GameError> {
        if let Event::Tag { name, value } = event {
            let name = decode(name).into_owned();
            if name == "FEN" && self.tags.iter().all(|(tag, _)| *tag != name) {
                self.fen_at = offset;
            }
            self.tags.push((name, in_one_line(&decode_tag(value))));
            return Ok(());
        }
        self.begin()?;
        let failure = |problem| GameError {
            offset,
            kind: problem,
        };
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return Ok(());
        };
        let node = &mut game.nodes[place.node.0];
        match event {
            Event::Tag { .. } | Event::End(_) => {}
            Event::Move(SanToken { text: word, .. }) | Event::Error(SyntaxError::Word(word)) => {
                let san = match event {
                    Event::Move(token) if self.letters.is_english() => Ok(token.san),
                    _ => read_word(word, &place.board, self.letters),
                };
                let found = san.and_then(|san| {
                    let found = san.to_move(&place.board, Dialect::Import);
                    found.map_err(|reason| GameErrorKind::of_move(&place.board, word, reason))
                });
                let mv = found.map_err(failure)?;
                let next = place.board.after_unchecked(mv);
                self.advance(Some(mv), next);
            }
            Event::NullMove => {
                let next = place.board.null_move();
                let next = next.ok_or_else(|| failure(GameErrorKind::NullMoveInCheck))?;
                self.advance(None, next);
            }
            Event::Nag(nag) if self.at_line_start => self.waiting.nags.push(nag),
            Event::Nag(nag) => node.nags.push(nag),
            Event::Comment(comment) => {
                let comment = in_one_line(&decode(comment)).trim().to_owned();
                if self.at_line_start {
                    self.waiting.comments.push(comment);
                } else {
                    node.comments.push(comment);
                }
            }
            Event::VariationStart => {
                let parent = node.parent.filter(|_| !self.at_line_start);
                let parent = parent.ok_or_else(|| failure(GameErrorKind::EarlyVariation))?;
                let before = place.before;
                self.lines.push(Place {
                    node: NodeId(parent),
                    before,
                    board: before,
                    opened: offset,
                });
                self.at_line_start = true;
            }
            Event::VariationEnd => self.close(),
            Event::Error(problem) => {
                // What is never closed is best sought where it was opened.
                let is_unclosed = problem == SyntaxError::UnclosedVariation;
                return Err(GameError {
                    offset: if is_unclosed { place.opened } else { offset },
                    kind: problem.into(),
                });
            }
        }
        Ok(())
    }

    /// Ends a variation. What stands in one without moves is said about the move before it.
    fn close(&mut self) {
        if self.lines.len() > 1 {
            self.lines.pop();
        }
        self.at_line_start = false;
        let waiting = std::mem::take(&mut self.waiting);
        if let (Some(game), Some(place)) = (&mut self.game, self.lines.last()) {
            let node = &mut game.nodes[place.node.0];
            node.nags.extend(waiting.nags);
            node.comments.extend(waiting.comments);
            node.escapes.extend(waiting.escapes);
        }
    }

    fn advance(&mut self, mv: Option<Move>, next: Board) {
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return;
        };
        place.node = game.add_move(place.node, mv);
        place.before = place.board;
        place.board = next;
        let waiting = std::mem::take(&mut self.waiting);
        let node = &mut game.nodes[place.node.0];
        node.nags = waiting.nags;
        node.comments_before = waiting.comments;
        node.escapes = waiting.escapes;
        self.at_line_start = false;
    }
}
