//! Reading games.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};

use super::error::{GameError, GameErrorKind};
use super::{Game, NodeId};
use crate::letters::PieceLetters;
use crate::pgn::reader::Reader;
use crate::pgn::replay::{Visitor, replay};
use crate::pgn::text::{decode, decode_tag, in_one_line};

impl Game {
    /// Reads the next game; `None` at the end of the text. After an error, the next call reads the next game.
    pub fn read(reader: &mut Reader<'_>) -> Option<Result<Self, GameError>> {
        Self::read_with(reader, &PieceLetters::ENGLISH)
    }

    /// Reads the next game, with the piece letters of a language.
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
    /// assert_eq!(error.kind.to_string(), "2. Sf3: 'S' is not a piece letter; the letters are P N B R Q K");
    /// ```
    pub fn read_with(
        reader: &mut Reader<'_>,
        letters: &PieceLetters,
    ) -> Option<Result<Self, GameError>> {
        let mut builder = Builder::new();
        let start = reader.offset();
        let replay = replay(reader, letters, &mut builder)?;
        if let Some(error) = replay.error {
            return Some(Err(error));
        }
        if builder.is_full {
            return Some(Err(GameError {
                offset: start,
                kind: GameErrorKind::TooManyMoves { limit: MAX_MOVES },
            }));
        }
        builder.game.result = replay.result;
        Some(Ok(builder.game))
    }

    /// Reads the next game as far as it can be read: the moves before an error are there.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let (game, error) = Game::read_partial(&mut Reader::new(b"1. e4 e5 2. Ke3 *")).unwrap();
    /// assert_eq!(game.to_string(), "1. e4 e5 *\n");
    /// assert!(error.is_some());
    /// ```
    pub fn read_partial(reader: &mut Reader<'_>) -> Option<(Self, Option<GameError>)> {
        let mut builder = Builder::new();
        let replay = replay(reader, &PieceLetters::ENGLISH, &mut builder)?;
        builder.game.result = replay.result;
        Some((builder.game, replay.error))
    }
}

/// The most moves of a game in memory, with those of its variations, its comments and its tags. A whole book of openings
/// has fewer.
const MAX_MOVES: usize = 1 << 20;

/// Builds the tree of a game as it is replayed.
struct Builder {
    game: Game,
    /// The last moves of the lines that the open variations interrupt.
    outer: Vec<NodeId>,
    /// The last move of the current line.
    at: NodeId,
    /// What comes before the first move of a variation.
    waiting: Waiting,
    at_line_start: bool,
    /// The number of moves, comments and tags.
    count: usize,
    /// Whether there were more than fit.
    is_full: bool,
}

#[derive(Default)]
struct Waiting {
    nags: Vec<u8>,
    comments: Vec<String>,
    escapes: Vec<String>,
}

impl Builder {
    fn new() -> Self {
        Self {
            game: Game::new(Board::start()),
            outer: Vec::new(),
            at: Game::ROOT,
            waiting: Waiting::default(),
            at_line_start: false,
            count: 0,
            is_full: false,
        }
    }

    /// Whether there is room for one more move, comment or tag.
    const fn has_room(&mut self) -> bool {
        self.count += 1;
        self.is_full |= self.count > MAX_MOVES;
        !self.is_full
    }

    fn advance(&mut self, mv: Option<Move>) {
        if !self.has_room() {
            return;
        }
        self.at = self.game.add_unchecked(self.at, mv);
        if std::mem::take(&mut self.at_line_start) {
            let waiting = std::mem::take(&mut self.waiting);
            let node = self.game.node_mut(self.at);
            node.nags = waiting.nags;
            node.comments_before = waiting.comments;
            node.escapes = waiting.escapes;
        }
    }
}

impl Visitor<'_> for Builder {
    type Board = Position;
    const NULL_MOVES: bool = true;
    const ESCAPES: bool = true;

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        if !self.has_room() {
            return;
        }
        let name = decode(name).into_owned();
        let value = in_one_line(&decode_tag(value));
        self.game.tags.push((name, value));
    }

    fn set_up(&mut self, start: &Board) {
        self.game.start = *start;
        self.game.last = (0, *start);
    }

    fn play(&mut self, mv: Move, _after: &Position, _depth: usize) {
        self.advance(Some(mv));
    }

    fn null_move(&mut self, _after: &Position, _depth: usize) {
        self.advance(None);
    }

    fn nag(&mut self, nag: u8) {
        if self.at_line_start {
            self.waiting.nags.push(nag);
        } else {
            self.game.node_mut(self.at).nags.push(nag);
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        if !self.has_room() {
            return;
        }
        let comment = in_one_line(&decode(comment)).trim().to_owned();
        if self.at_line_start {
            self.waiting.comments.push(comment);
        } else {
            self.game.node_mut(self.at).comments.push(comment);
        }
    }

    fn begin_variation(&mut self) {
        self.outer.push(self.at);
        self.at = self.game.parent(self.at).unwrap_or(Game::ROOT);
        self.at_line_start = true;
    }

    /// Annotations in a variation without moves belong to the move before it.
    fn end_variation(&mut self) {
        self.at = self.outer.pop().unwrap_or(Game::ROOT);
        self.at_line_start = false;
        let waiting = std::mem::take(&mut self.waiting);
        let node = self.game.node_mut(self.at);
        node.nags.extend(waiting.nags);
        node.comments.extend(waiting.comments);
        node.escapes.extend(waiting.escapes);
    }

    fn escape(&mut self, line: &[u8]) {
        if !self.has_room() {
            return;
        }
        let line = decode(line).into_owned();
        if self.at_line_start {
            self.waiting.escapes.push(line);
        } else {
            self.game.node_mut(self.at).escapes.push(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte of text must not become a hundred in memory.
    #[test]
    fn crowded_games_are_refused() {
        for (start, part) in [
            ("", "Nf3 Nf6 Ng1 Ng8 "),
            ("1. e4 ", "{}"),
            ("1. e4 ", "\n%\n"),
            ("", "[A \"b\"]\n"),
            ("1. e4 ", "(1. d4) "),
        ] {
            let crowded = format!("{start}{}", part.repeat(MAX_MOVES + 1));
            let read = Game::read(&mut Reader::new(crowded.as_bytes())).unwrap();
            let kind = GameErrorKind::TooManyMoves { limit: MAX_MOVES };
            assert_eq!(read.err().map(|error| error.kind), Some(kind), "{part}");
            let sparse = format!("{start}{}", part.repeat(MAX_MOVES / 8));
            let read = Game::read(&mut Reader::new(sparse.as_bytes())).unwrap();
            assert!(read.is_ok(), "{part}");
        }
    }
}
