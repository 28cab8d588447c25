//! A whole game in memory: tags, moves, variations, comments.

use std::borrow::Cow;
use std::fmt;

use tabiya_board::{Board, FenError, Move};
use thiserror::Error;

use super::reader::{Event, GameResult, Problem, Reader};
use crate::san::{Dialect, San, SanError, write_move};

/// A place in a game: the start, or after a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(usize);

/// A move of a game and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The move; nothing at the start of the game, and for a null move.
    mv: Option<Move>,
    parent: Option<usize>,
    /// What may follow; the first is the main line.
    children: Vec<usize>,
    /// Numeric annotation glyphs; at the start of the game, those before the first move.
    pub nags: Vec<u8>,
    /// Comments before the move, where it starts a variation.
    pub comments_before: Vec<String>,
    /// Comments after the move; at the start of the game, those before the first move.
    pub comments: Vec<String>,
}

/// A game with its variations.
///
/// ```
/// use tabiya_notation::pgn::{Game, Reader};
///
/// let mut reader = Reader::new(b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
/// let game = Game::read(&mut reader).unwrap().unwrap();
/// assert_eq!(game.main_line().count(), 3);
/// assert!(game.to_string().contains("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// Names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    start: Board,
    nodes: Vec<Node>,
    /// The result behind the moves. Nothing if it is missing; it is then written as unknown.
    pub result: Option<GameResult>,
}

/// Games are equal if their moves, variations and all that is said about them are, in whatever order they were added.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        if self.tags != other.tags || self.start != other.start || self.result != other.result {
            return false;
        }
        let mut pairs = vec![(0, 0)];
        while let Some((ours, theirs)) = pairs.pop() {
            let (ours, theirs) = (&self.nodes[ours], &other.nodes[theirs]);
            if !ours.says_the_same(theirs) || ours.children.len() != theirs.children.len() {
                return false;
            }
            pairs.extend(
                ours.children
                    .iter()
                    .copied()
                    .zip(theirs.children.iter().copied()),
            );
        }
        true
    }
}

impl Eq for Game {}

impl Node {
    /// Whether the move and the annotations are the same, whatever follows.
    fn says_the_same(&self, other: &Self) -> bool {
        self.mv == other.mv
            && self.nags == other.nags
            && self.comments_before == other.comments_before
            && self.comments == other.comments
    }
}

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// The number of bytes before the place in the text.
    pub offset: usize,
    /// What is wrong there.
    pub problem: GameProblem,
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// The text is not PGN there.
    #[error("{0}")]
    Syntax(String),
    /// The FEN tag is no position.
    #[error("the FEN tag is wrong: {0}")]
    Start(FenError),
    /// A move is not legal.
    #[error("{number}{} {text}: {reason}", if *white { "." } else { "..." })]
    Move {
        /// The number of the move.
        number: u16,
        /// Whether White moves.
        white: bool,
        /// How it is written.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// A variation before there is a move that it could replace.
    #[error("a variation stands before the first move")]
    EarlyVariation,
    /// A null move of a side that is in check.
    #[error("a side that is in check cannot pass")]
    NullMoveInCheck,
}

impl From<Problem<'_>> for GameProblem {
    fn from(problem: Problem<'_>) -> Self {
        let shown = |bytes: &[u8]| {
            let text = text(bytes);
            let short: String = text.chars().take(40).collect();
            if short.len() < text.len() {
                format!("{short}…")
            } else {
                short
            }
        };
        Self::Syntax(match problem {
            Problem::Word(word) => match San::read(&text(word), Dialect::Import) {
                // Where only the letter is wrong, those that are known help.
                Err(reason @ SanError::UnknownPiece { .. }) if ends_in_square(word) => {
                    format!("{:?} is no move: {reason}", shown(word))
                }
                _ => format!("{:?} is no move", shown(word)),
            },
            Problem::Tag(tag) => format!("{:?} is no tag: a tag is [Name \"value\"]", shown(tag)),
            Problem::UnclosedComment => "a comment is opened with { and never closed".to_owned(),
            Problem::UnclosedVariation => {
                "a variation is opened with ( and never closed".to_owned()
            }
            Problem::Unopened(byte) => format!("{} closes nothing", byte as char),
        })
    }
}

/// Whether a word ends in a square, as moves do, but for what may follow it.
fn ends_in_square(word: &[u8]) -> bool {
    let rank = word.iter().rposition(|byte| matches!(byte, b'1'..=b'8'));
    rank.is_some_and(|rank| rank > 0 && matches!(word[rank - 1], b'a'..=b'h'))
}

/// Bytes as text: UTF-8, or else Latin-1, in which older files are written.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| byte as char).collect()),
    }
}

/// The value of a tag as text, without its backslashes.
pub fn tag_value(value: &[u8]) -> Cow<'_, str> {
    let value = text(value);
    if !value.contains('\\') {
        return value;
    }
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(escaped @ ('"' | '\\')) => plain.push(escaped),
                Some(other) => plain.extend(['\\', other]),
                None => plain.push('\\'),
            },
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

impl Game {
    /// A game without moves that starts here, with the tags that say so unless it is the usual start.
    pub fn new(start: Board) -> Self {
        let tag = |name: &str, value: String| (name.to_owned(), value);
        let tags = if start == Board::start() {
            Vec::new()
        } else {
            vec![tag("SetUp", "1".to_owned()), tag("FEN", start.to_string())]
        };
        Self {
            tags,
            start,
            nodes: vec![Node::default()],
            result: None,
        }
    }

    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// Gives a tag a value, in its old place or at the end.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The board at the start.
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// A move and what is said about it.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The same, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// The move that leads to a place; nothing at the start and for a null move.
    pub fn move_to(&self, id: NodeId) -> Option<Move> {
        self.nodes[id.0].mv
    }

    /// The place before a move.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.0].parent.map(NodeId)
    }

    /// The places one move on, the main line first.
    pub fn children(&self, id: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.nodes[id.0].children.iter().map(|&child| NodeId(child))
    }

    /// The places of the main line, without the start.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: &NodeId| self.children(*id).next();
        std::iter::successors(next(&Self::ROOT), next)
    }

    /// The board at a place.
    pub fn board(&self, id: NodeId) -> Board {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.pop();
        path.into_iter()
            .rev()
            .fold(self.start, |board, id| match self.move_to(id) {
                Some(mv) => board.after_unchecked(mv),
                None => board.pass().unwrap_or(board),
            })
    }

    /// Adds a move behind a place: the main line if it is the first there, otherwise a variation. Whether it is legal is
    /// not asked; nothing is a null move.
    pub fn add(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node {
            mv,
            parent: Some(parent.0),
            ..Node::default()
        });
        self.nodes[parent.0].children.push(id);
        NodeId(id)
    }

    /// Reads the next game; nothing at the end of the text. After an error, the next call reads the next game.
    pub fn read(reader: &mut Reader<'_>) -> Option<Result<Self, GameError>> {
        let mut builder = Builder::default();
        let mut failure = None;
        while let Some(event) = reader.next() {
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

/// Text in one line: PGN breaks lines where it likes.
fn in_one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
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

#[derive(Default)]
struct Builder {
    game: Option<Game>,
    tags: Vec<(String, String)>,
    /// The number of bytes before the FEN tag.
    fen_at: usize,
    /// The places of the open variations and, last, of the current line.
    lines: Vec<Place>,
    /// What stands before the first move of a variation.
    waiting: Waiting,
    at_line_start: bool,
}

#[derive(Default)]
struct Waiting {
    nags: Vec<u8>,
    comments: Vec<String>,
}

impl Builder {
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
                problem: GameProblem::Start(error),
            })?,
            None => Board::start(),
        };
        let mut game = Game::new(start);
        game.tags = tags;
        self.game = Some(game);
        self.lines.push(Place {
            node: Game::ROOT,
            before: start,
            board: start,
            opened: 0,
        });
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, offset: usize) -> Result<(), GameError> {
        if let Event::Tag { name, value } = event {
            let name = text(name).into_owned();
            if name == "FEN" && self.tags.iter().all(|(tag, _)| *tag != name) {
                self.fen_at = offset;
            }
            self.tags.push((name, in_one_line(&tag_value(value))));
            return Ok(());
        }
        self.begin()?;
        let failure = |problem| GameError { offset, problem };
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return Ok(());
        };
        let node = &mut game.nodes[place.node.0];
        match event {
            Event::Tag { .. } | Event::End(_) => {}
            Event::Move(token) => {
                let found = token.san.find(&place.board, Dialect::Import);
                let mv = found.map_err(|reason| {
                    failure(GameProblem::Move {
                        number: place.board.fullmove_number(),
                        white: place.board.turn().is_white(),
                        text: text(token.text).into_owned(),
                        reason,
                    })
                })?;
                let next = place.board.after_unchecked(mv);
                self.advance(Some(mv), next);
            }
            Event::NullMove => {
                let next = place.board.pass();
                let next = next.ok_or_else(|| failure(GameProblem::NullMoveInCheck))?;
                self.advance(None, next);
            }
            Event::Nag(nag) if self.at_line_start => self.waiting.nags.push(nag),
            Event::Nag(nag) => node.nags.push(nag),
            Event::Comment(comment) => {
                let comment = in_one_line(&text(comment)).trim().to_owned();
                if self.at_line_start {
                    self.waiting.comments.push(comment);
                } else {
                    node.comments.push(comment);
                }
            }
            Event::VariationStart => {
                let parent = node.parent.filter(|_| !self.at_line_start);
                let parent = parent.ok_or_else(|| failure(GameProblem::EarlyVariation))?;
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
            Event::Problem(problem) => {
                // What is never closed is best sought where it was opened.
                let is_unclosed = problem == Problem::UnclosedVariation;
                return Err(GameError {
                    offset: if is_unclosed { place.opened } else { offset },
                    problem: problem.into(),
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
        }
    }

    fn advance(&mut self, mv: Option<Move>, next: Board) {
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return;
        };
        place.node = game.add(place.node, mv);
        place.before = place.board;
        place.board = next;
        let waiting = std::mem::take(&mut self.waiting);
        let node = &mut game.nodes[place.node.0];
        node.nags = waiting.nags;
        node.comments_before = waiting.comments;
        self.at_line_start = false;
    }
}

/// Words of movetext, wrapped into lines.
struct Movetext<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// The last word, which may go on: it is written when the next one comes.
    word: String,
    /// Whether the next word follows without a space, as behind a parenthesis.
    glued: bool,
}

/// Lines of movetext end before this column, as the standard asks.
const WIDTH: usize = 80;

impl Movetext<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        if !self.glued {
            self.flush()?;
        }
        self.glued = false;
        self.word.push_str(word);
        Ok(())
    }

    /// Writes the last word, in a new line if need be.
    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let length = self.word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length >= WIDTH {
                self.out.write_str("\n")?;
                self.column = 0;
            } else {
                self.out.write_str(" ")?;
                self.column += 1;
            }
        }
        self.column += length;
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        let comment = in_one_line(comment);
        if comment.contains('}') {
            // Braces cannot hold it: a comment to the end of the line can.
            self.word(&format!("; {comment}"))?;
            self.flush()?;
            self.column = 0;
            return self.out.write_str("\n");
        }
        self.word("{")?;
        let (mut spaces, mut whole) = (0, true);
        for word in comment.split(' ') {
            // Of several spaces, one may become a line break.
            if word.is_empty() {
                spaces += 1;
                continue;
            }
            // No line starts with what would mean something else there.
            if whole || word.starts_with("[Event") || word.starts_with('%') {
                self.word.push(' ');
                self.glued = true;
            }
            let spaces = " ".repeat(std::mem::take(&mut spaces));
            self.word(&format!("{spaces}{word}"))?;
            // `[%clk 0:05:00]` stays in one line.
            whole = word.starts_with("[%") && !word.contains(']');
        }
        self.word.push_str(" }");
        Ok(())
    }

    /// A closing parenthesis, which stands directly behind what comes before it.
    fn close(&mut self) -> fmt::Result {
        self.glued = !self.word.is_empty() && self.word.len() + 1 < WIDTH;
        self.word(")")
    }

    fn open(&mut self) -> fmt::Result {
        self.word("(")?;
        self.glued = true;
        Ok(())
    }
}

/// What is still to be written.
enum Task {
    /// A move, and then all that follows it.
    Line {
        node: usize,
        /// Whether the number is needed even before a move of Black.
        numbered: bool,
    },
    /// The parentheses around a variation.
    Open,
    Close,
}

impl Game {
    fn write_moves(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Movetext {
            out,
            column: 0,
            word: String::new(),
            glued: false,
        };
        for nag in &self.nodes[0].nags {
            text.word(&format!("${nag}"))?;
        }
        for comment in &self.nodes[0].comments {
            text.comment(comment)?;
        }
        // The boards of the places on the way, so that none has to be found from the start again.
        let mut boards: Vec<Option<Board>> = vec![None; self.nodes.len()];
        boards[0] = Some(self.start);
        let mut tasks = Vec::new();
        if let Some(&first) = self.nodes[0].children.first() {
            tasks.push(Task::Line {
                node: first,
                numbered: true,
            });
        }
        while let Some(task) = tasks.pop() {
            let (node, numbered) = match task {
                Task::Line { node, numbered } => (node, numbered),
                Task::Open => {
                    text.open()?;
                    continue;
                }
                Task::Close => {
                    text.close()?;
                    continue;
                }
            };
            let Node {
                mv,
                parent,
                nags,
                comments_before,
                comments,
                ..
            } = &self.nodes[node];
            let parent = parent.unwrap_or(0);
            let before = boards[parent].unwrap_or(self.start);
            for comment in comments_before {
                text.comment(comment)?;
            }
            if before.turn().is_white() {
                text.word(&format!("{}.", before.fullmove_number()))?;
            } else if numbered || !comments_before.is_empty() {
                text.word(&format!("{}...", before.fullmove_number()))?;
            }
            match mv {
                Some(mv) => text.word(&write_move(&before, *mv))?,
                None => text.word("--")?,
            }
            boards[node] = match mv {
                Some(mv) => Some(before.after_unchecked(*mv)),
                None => Some(before.pass().unwrap_or(before)),
            };
            for nag in nags {
                text.word(&format!("${nag}"))?;
            }
            for comment in comments {
                text.comment(comment)?;
            }
            // Behind the main move come its alternatives in parentheses, and then what follows it.
            let siblings = &self.nodes[parent].children;
            let is_main = siblings.first() == Some(&node);
            let alternatives = if is_main { &siblings[1..] } else { &[] };
            let interrupted = !comments.is_empty() || !alternatives.is_empty();
            if let Some(&next) = self.nodes[node].children.first() {
                tasks.push(Task::Line {
                    node: next,
                    numbered: interrupted,
                });
            }
            for &alternative in alternatives.iter().rev() {
                tasks.push(Task::Close);
                tasks.push(Task::Line {
                    node: alternative,
                    numbered: true,
                });
                tasks.push(Task::Open);
            }
        }
        text.word(self.result.unwrap_or(GameResult::Unknown).as_str())?;
        text.flush()
    }
}

/// Writes the game as the standard's export format wants it. Tags are written in the order they are in.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = in_one_line(value);
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            f.write_str("\n")?;
        }
        self.write_moves(f)?;
        f.write_str("\n")
    }
}
