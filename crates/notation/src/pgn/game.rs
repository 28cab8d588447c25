//! A whole game in memory: tags, moves, variations, comments.

mod error;
mod read;
mod walk;
mod write;

pub use error::{GameError, GameErrorKind};
pub use walk::Step;

use tabiya_board::{Board, Move};

use crate::GameResult;

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
    /// Comments before the move, where it starts a variation. Like all comments, they are read with spaces for line
    /// breaks and without white space around them.
    pub comments_before: Vec<String>,
    /// Comments after the move; at the start of the game, those before the first move.
    pub comments: Vec<String>,
    /// Lines after the move that start with a percent sign, which the standard leaves to programs, without that sign. At
    /// the start of the game, those behind the first tag and before the first move; what stands before the first tag
    /// belongs to no game.
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
            && self.escapes == other.escapes
    }
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
                None => board.null_move().unwrap_or(board),
            })
    }

    /// Adds a move behind a place: the main line if it is the first there, otherwise a variation. Whether it is legal is
    /// not asked; nothing is a null move.
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

    /// Takes a move out of the game, and all that follows it. If there are other moves in its place, the next is the main
    /// line. The start stays.
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
        // What is cut off stays in memory, so that the names of all other places are still right.
        if let Some(parent) = self.nodes[id.0].parent {
            self.nodes[parent].children.retain(|&child| child != id.0);
        }
    }
}
