//! Walking through a game and its variations.

use tabiya_board::{Board, Move};

use super::{Game, NodeId};

/// A move of a game, met on a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ply {
    /// The node after the move, which has its annotations.
    pub node: NodeId,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The board before the move.
    pub before: Board,
    /// The board after the move.
    pub board: Board,
    /// The number of variations that the move is inside of: 0 on the main line.
    pub depth: usize,
}

/// A step of [`Game::walk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A move.
    Move(Ply),
    /// A variation starts, which replaces the last move of the line.
    VariationStart,
    /// The last variation that started ends.
    VariationEnd,
}

/// What a walk has yet to do.
enum Task {
    /// Play a move on this board.
    Move(NodeId, Board),
    VariationStart,
    VariationEnd,
}

impl Game {
    /// Returns the moves of the game and its variations, with their boards, in the order in which PGN writes them. Each
    /// move is played once.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader, Step};
    /// use tabiya_notation::write_san;
    ///
    /// let mut reader = Reader::new(b"1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
    /// let game = Game::read(&mut reader).unwrap().unwrap();
    /// let walk = game.walk().map(|step| match step {
    ///     Step::Move(ply) => write_san(&ply.before, ply.mv.unwrap()).to_string(),
    ///     Step::VariationStart => "(".to_owned(),
    ///     Step::VariationEnd => ")".to_owned(),
    /// });
    /// assert_eq!(walk.collect::<Vec<_>>(), ["e4", "e5", "(", "c5", "Nf3", ")", "Nc3"]);
    /// ```
    pub fn walk(&self) -> impl Iterator<Item = Step> + '_ {
        let mut tasks = Vec::new();
        let next = |id: NodeId, board: Board| {
            let mut next = self.children(id);
            next.next().map(|id| Task::Move(id, board))
        };
        tasks.extend(next(Self::ROOT, self.start));
        let mut depth = 0;
        std::iter::from_fn(move || {
            Some(match tasks.pop()? {
                Task::Move(id, before) => {
                    let node = &self.nodes[id.0];
                    let board = node.board_after(&before);
                    tasks.extend(next(id, board));
                    for other in self.alternatives(id).rev() {
                        tasks.push(Task::VariationEnd);
                        tasks.push(Task::Move(other, before));
                        tasks.push(Task::VariationStart);
                    }
                    Step::Move(Ply {
                        node: id,
                        mv: node.mv,
                        before,
                        board,
                        depth,
                    })
                }
                Task::VariationStart => {
                    depth += 1;
                    Step::VariationStart
                }
                Task::VariationEnd => {
                    depth -= 1;
                    Step::VariationEnd
                }
            })
        })
    }

    /// Returns the moves of the game and its variations, with their boards, in the order in which PGN writes them. Each
    /// move is played once. [`walk`](Self::walk) also says where variations start and end.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let mut reader = Reader::new(b"1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
    /// let game = Game::read(&mut reader).unwrap().unwrap();
    /// assert_eq!(game.plies().map(|ply| ply.depth).collect::<Vec<_>>(), [0, 0, 1, 1, 0]);
    /// let fens: Vec<String> = game.plies().map(|ply| ply.board.to_string()).collect();
    /// assert_eq!(fens[1], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    /// ```
    pub fn plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.walk().filter_map(|step| match step {
            Step::Move(ply) => Some(ply),
            Step::VariationStart | Step::VariationEnd => None,
        })
    }

    /// Returns the moves of the main line with their boards. Each move is played once.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let mut reader = Reader::new(b"1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
    /// let game = Game::read(&mut reader).unwrap().unwrap();
    /// let last = game.main_plies().last().unwrap();
    /// assert_eq!(last.board, game.board(last.node));
    /// ```
    pub fn main_plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.main_line().scan(self.start, |board, id| {
            let node = &self.nodes[id.0];
            let before = *board;
            *board = node.board_after(&before);
            Some(Ply {
                node: id,
                mv: node.mv,
                before,
                board: *board,
                depth: 0,
            })
        })
    }

    /// Returns the moves that variations play instead of a move of their main line. A variation's own first move has
    /// none.
    pub fn alternatives(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let parent = self.nodes[id.0].parent;
        let siblings = parent.map_or(&[][..], |parent| &self.nodes[parent].children);
        let others = match siblings {
            [first, others @ ..] if *first == id.0 => others,
            _ => &[],
        };
        others.iter().map(|&other| NodeId(other))
    }
}
