//! A game in memory: tags, moves, variations, comments.

mod error;
mod read;
mod tags;
mod walk;
mod write;

pub use error::{GameError, GameErrorKind};
pub use walk::{Ply, Step};

use tabiya_board::{Board, GameHistory, Move, Refusal};

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
///
/// A game is built move by move. Illegal moves are refused, with the reason:
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::pgn::Game;
///
/// let mut game = Game::new(Board::start());
/// let e4 = game.start().legal_move(Square::E2, Square::E4, None)?;
/// let after_e4 = game.play(Game::ROOT, e4)?;
/// let refusal = game.play(after_e4, e4).unwrap_err();
/// assert_eq!(refusal.to_string(), "there is no piece on e2");
/// assert_eq!(game.to_string(), "1. e4 *\n");
/// # Ok::<(), tabiya_board::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    start: Board,
    nodes: Vec<Node>,
    /// The node that [`play`](Self::play) came to last, and its board: a game played move by move is not replayed.
    last: (usize, Board),
    /// The result after the moves; `None` if it is missing. [`set_result`](Self::set_result) keeps the tag in step.
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
    /// Returns the board after the move, which is played without checks.
    fn board_after(&self, before: &Board) -> Board {
        match self.mv {
            Some(mv) => before.after_unchecked(mv),
            None => before.null_move().unwrap_or(*before),
        }
    }

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
        Self {
            tags: tags::of_start(&start),
            start,
            nodes: vec![Node::default()],
            last: (0, start),
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

    /// Sets the result after the moves and, if there is one, the tag `Result`.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = Some(result);
        if self.tag("Result").is_some() {
            self.set_tag("Result", result.as_str());
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

    /// Returns the moves of the main line. [`main_plies`](Self::main_plies) adds their boards.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: &NodeId| self.children(*id).next();
        std::iter::successors(next(&Self::ROOT), next)
    }

    /// Returns the board at a node.
    ///
    /// This replays the moves that lead there, unless the node is the last that [`play`](Self::play) came to. To visit
    /// many nodes, use [`walk`](Self::walk), [`plies`](Self::plies) or [`main_plies`](Self::main_plies), which play
    /// each move once.
    pub fn board(&self, id: NodeId) -> Board {
        let (known, mut board) = self.last;
        let mut path = Vec::new();
        let mut at = id.0;
        while at != known {
            let Some(parent) = self.nodes[at].parent else {
                board = self.start;
                break;
            };
            path.push(at);
            at = parent;
        }
        for &at in path.iter().rev() {
            board = self.nodes[at].board_after(&board);
        }
        board
    }

    /// Returns the node of the main line after this many half-moves, if the game is long enough; 0 is the start.
    pub fn at_ply(&self, ply: usize) -> Option<NodeId> {
        let mut nodes = std::iter::once(Self::ROOT).chain(self.main_line());
        nodes.nth(ply)
    }

    /// Returns the moves up to a node, with the boards that repetitions are found by. A history cannot contain a null
    /// move, so it starts after the last one.
    ///
    /// ```
    /// use tabiya_notation::pgn;
    ///
    /// let game = pgn::games(&b"1. Nf3 Nf6 2. Ng1 Ng8 *"[..]).next().unwrap().unwrap();
    /// let last = game.at_ply(4).unwrap();
    /// assert_eq!(game.history(last).repetitions(), 2);
    /// assert_eq!(game.at_ply(5), None);
    /// ```
    pub fn history(&self, id: NodeId) -> GameHistory {
        let path = std::iter::successors(Some(id), |&at| self.parent(at));
        let mut path: Vec<NodeId> = path.collect();
        path.reverse();
        let mut history = GameHistory::new(self.start);
        for &at in path.iter().skip(1) {
            if let Some(mv) = self.move_to(at) {
                if history.try_play(mv).is_err() {
                    return GameHistory::new(self.board(id));
                }
            } else {
                let board = history.board();
                history = GameHistory::new(board.null_move().unwrap_or(*board));
            }
        }
        history
    }

    /// Plays a move after a node, or returns the reason why it is illegal there.
    ///
    /// If the move is already there, this returns its node. Otherwise it adds the move: as the main line if it is the
    /// first after this node, as a variation if not.
    pub fn play(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, Refusal> {
        let mut board = self.board(parent);
        board.try_play(mv)?;
        let id = self.child_or_new(parent, Some(mv));
        self.last = (id.0, board);
        Ok(id)
    }

    /// Plays a null move after a node, as [`play`](Self::play) plays moves; `None` if the side to move is in check.
    pub fn play_null(&mut self, parent: NodeId) -> Option<NodeId> {
        let board = self.board(parent).null_move()?;
        let id = self.child_or_new(parent, None);
        self.last = (id.0, board);
        Some(id)
    }

    fn child_or_new(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
        let known = self.children(parent).find(|&id| self.move_to(id) == mv);
        known.unwrap_or_else(|| self.add_unchecked(parent, mv))
    }

    /// Adds a move after a node without checking that it is legal: for moves that have just been checked or generated,
    /// because this is faster than [`play`](Self::play). `None` is a null move.
    ///
    /// The move is the main line if it is the first there, otherwise a variation, even if the same move is there. After
    /// an illegal move, the boards of the game are meaningless.
    pub fn add_unchecked(&mut self, parent: NodeId, mv: Option<Move>) -> NodeId {
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
