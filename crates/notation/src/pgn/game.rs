//! A game in memory: tags, moves, variations, comments.

mod error;
mod read;
mod walk;
mod write;

pub use error::{GameError, GameErrorKind};
pub use walk::Step;

use tabiya_board::{Board, Move};

use crate::GameResult;

/// A node of a game: the start, or the position after a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(usize);

/// A move of a game with its annotations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The move; `None` at the start of the game, and for a null move.
    mv: Option<Move>,
    parent: Option<usize>,
    /// The next moves; the first is the main line.
    children: Vec<usize>,
    /// Numeric annotation glyphs; at the start of the game, those before the first move.
    pub nags: Vec<u8>,
    /// Comments before the move, if it starts a variation. All comments are read without white space around them, and
    /// with spaces for line breaks.
    pub comments_before: Vec<String>,
    /// Comments after the move; at the start of the game, those before the first move.
    pub comments: Vec<String>,
    /// Lines after the move that start with a percent sign, without that sign: the standard leaves these to programs.
    /// At the start of the game, those between the first tag and the first move; lines before the first tag belong to
    /// no game.
    pub escapes: Vec<String>,
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
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    start: Board,
    nodes: Vec<Node>,
    /// The result after the moves; `None` if it is missing, which is written as unknown.
    pub result: Option<GameResult>,
}

/// Games are equal if their tags, moves, variations and annotations are, in whatever order these were added.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        if self.tags != other.tags || self.start != other.start || self.result != other.result {
            return false;
        }
        let mut pairs = vec![(0, 0)];
        while let Some((ours, theirs)) = pairs.pop() {
            let (ours, theirs) = (&self.nodes[ours], &other.nodes[theirs]);
            if !ours.has_same_content(theirs) || ours.children.len() != theirs.children.len() {
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
    /// Whether the move and its annotations are the same.
    fn has_same_content(&self, other: &Self) -> bool {
        self.mv == other.mv
            && self.nags == other.nags
            && self.comments_before == other.comments_before
            && self.comments == other.comments
            && self.escapes == other.escapes
    }
}

impl Game {
    /// A game without moves. If it does not start from the normal position, it has the tags that say so.
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

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// Sets a tag, or adds it at the end.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Returns the board at the start.
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Returns a move and its annotations.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Returns a move and its annotations, to change them.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Returns the move that leads to a node; `None` at the start and for a null move.
    pub fn move_to(&self, id: NodeId) -> Option<Move> {
        self.nodes[id.0].mv
    }

    /// Returns the node before a move.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.0].parent.map(NodeId)
    }

    /// Returns the next moves, the main line first.
    pub fn children(&self, id: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.nodes[id.0].children.iter().map(|&child| NodeId(child))
    }

    /// Returns the moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: &NodeId| self.children(*id).next();
        std::iter::successors(next(&Self::ROOT), next)
    }

    /// Returns the board at a node.
    pub fn board(&self, id: NodeId) -> Board {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.pop();
        path.into_iter()
            .rev()
            .fold(self.start, |board, id| match self.move_to(id) {
                Some(mv) => board.after_unchecked(mv),
                None => board.null_move().unwrap_or(board),
            })
    }

    /// Adds a move after a node: the main line if it is the first there, otherwise a variation. `None` is a null move.
    /// The move must be legal; this is not checked.
    pub fn add_move(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node {
            mv,
            parent: Some(parent.0),
            ..Node::default()
        });
        self.nodes[parent.0].children.push(id);
        NodeId(id)
    }

    /// Removes a move and all that follows it. If it was the main line, the first variation takes its place. The start
    /// cannot be removed.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let text = b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *";
    /// let mut game = Game::read(&mut Reader::new(text)).unwrap().unwrap();
    /// let first = game.main_line().next().unwrap();
    /// let sicilian = game.children(first).nth(1).unwrap();
    /// game.remove(sicilian);
    /// assert_eq!(game.to_string(), "1. e4 e5 2. Nf3 *\n");
    /// ```
    pub fn remove(&mut self, id: NodeId) {
        // The removed nodes stay in memory, so that the other ids stay valid.
        if let Some(parent) = self.nodes[id.0].parent {
            self.nodes[parent].children.retain(|&child| child != id.0);
        }
    }
}
