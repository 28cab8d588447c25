//! The search: iterative deepening of a principal variation search.
//!
//! With several threads, each runs the same search with its own histories, and all share the transposition table (lazy
//! SMP).

mod deepening;
mod draw;
mod extensions;
mod learning;
mod move_pruning;
mod moves;
mod node;
pub(crate) mod parameters;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod upcoming_repetition;
mod vote;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tabiya_board::{Board, Color, GameHistory, Move, Piece, Role};

use crate::correction::{CorrectionContext, CorrectionHistory};
use crate::eval::{Evaluator, Network};
use crate::history::{ContinuationContext, History, PawnRow, PieceTo, QuietContext};
use crate::limits::{Limits, StopSignal};
use crate::move_picker::{ScoredMove, is_tactical};
use crate::score::MAX_PLY;
use crate::strength::EvalNoise;
use crate::threats::Threats;
use crate::time::TimeManager;
use crate::tt::{NO_EVAL, TranspositionTable};

pub(crate) use root::{RootMove, RootReport};
pub(crate) use vote::best_worker;

/// How many nodes a thread searches between two checks of the limits.
const CHECK_INTERVAL: u64 = 512;

/// How many nodes the main thread searches to complete the first depth when it is to stop.
const MAX_FIRST_DEPTH_NODES: u64 = 20_000;

/// What all threads of a search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) limits: &'a Limits,
    pub(crate) signal: &'a StopSignal,
    pub(crate) time: TimeManager,
    /// How many best lines to find.
    pub(crate) multipv: usize,
    /// The evaluation noise of a weaker level.
    pub(crate) eval_noise: EvalNoise,
    /// Nodes of all threads, as far as they have been published.
    nodes: AtomicU64,
    /// Set when the main thread is done.
    finished: AtomicBool,
    /// How long the search has pondered, in microseconds. That time was on the opponent's clock.
    pondered: AtomicU64,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        table: &'a TranspositionTable,
        limits: &'a Limits,
        signal: &'a StopSignal,
        multipv: usize,
        eval_noise: EvalNoise,
    ) -> Self {
        Self {
            table,
            limits,
            signal,
            time: TimeManager::start(limits),
            multipv,
            eval_noise,
            nodes: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            pondered: AtomicU64::new(0),
        }
    }

    /// Returns the nodes of all threads, as far as they have been published.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Stops the helper threads.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// Returns the time that was not on our clock.
    fn pondered(&self) -> Duration {
        if self.signal.is_pondering() {
            let now = self.time.elapsed();
            self.pondered
                .store(now.as_micros() as u64, Ordering::Relaxed);
        }
        Duration::from_micros(self.pondered.load(Ordering::Relaxed))
    }
}

/// What the search keeps for each ply of the current line.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The corrected static evaluation; [`NO_EVAL`] in check.
    eval: i32,
    /// The move made from here; `None` for a null move.
    piece_to: Option<PieceTo>,
    /// The same move, if it is quiet.
    quiet: Option<Move>,
    /// Its place in the move order, from 1; 0 outside the search of a node's moves.
    number: usize,
    /// The move left out by a singular search.
    excluded: Option<Move>,
    /// The squares that the opponent attacks, and the pawns, once the moves are searched.
    threats: Threats,
    pawns: PawnRow,
    /// Whether the node is, or was, on a principal variation.
    tt_pv: bool,
    /// By how much the static evaluation was corrected, and what that depends on; not in check.
    correction: i32,
    correction_context: CorrectionContext,
    /// By how many plies the search of the move made from here is reduced.
    reduction: i32,
    killers: [Option<Move>; 2],
    /// Plies since the last null move, or since the game began.
    plies_since_null: usize,
    /// Double extensions on the line to here.
    double_extensions: i32,
    /// How many nodes at this ply failed high since the node two plies above began.
    cutoffs: u32,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            eval: NO_EVAL,
            piece_to: None,
            quiet: None,
            number: 0,
            excluded: None,
            threats: Threats::default(),
            pawns: PawnRow::default(),
            tt_pv: false,
            correction: 0,
            correction_context: CorrectionContext::default(),
            reduction: 0,
            killers: [None; 2],
            plies_since_null: 0,
            double_extensions: 0,
            cutoffs: 0,
        }
    }
}

/// One thread of a search, with what it remembers from one search to the next.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The main thread reports and watches the time.
    is_main: bool,
    history: History,
    corrections: CorrectionHistory,
    evaluator: Evaluator,
    /// The moves of all nodes from the root to here.
    moves: Vec<ScoredMove>,
    /// The keys of the game's positions and of the current line, for repetitions. The last is the current position's.
    keys: Vec<u64>,
    stack: Vec<Frame>,
    /// The principal variation from each ply on.
    variations: Vec<Vec<Move>>,
    root_moves: Vec<RootMove>,
    /// The depth of the current iteration.
    root_depth: i32,
    /// The width of the window at the root.
    root_window: i32,
    ply: usize,
    seldepth: usize,
    /// The moves made, as other engines count them: searching a position again is no new node.
    nodes: u64,
    /// How many of the nodes are in [`Shared::nodes`].
    published_nodes: u64,
    next_check: u64,
    stopped: bool,
    /// No null moves before this ply, while a null-move cutoff is verified.
    null_move_min_ply: usize,
    /// By how much keys change with the side to move.
    turn_key: u64,
}

impl Worker {
    pub(crate) fn new(is_main: bool, network: Arc<Network>) -> Self {
        Self {
            is_main,
            history: History::default(),
            corrections: CorrectionHistory::default(),
            evaluator: Evaluator::new(&Board::start(), network),
            moves: Vec::with_capacity(4096),
            keys: Vec::with_capacity(1024),
            stack: vec![Frame::default(); MAX_PLY + 2],
            variations: vec![Vec::new(); MAX_PLY + 2],
            root_moves: Vec::new(),
            root_depth: 0,
            root_window: 1,
            ply: 0,
            seldepth: 0,
            nodes: 0,
            published_nodes: 0,
            next_check: 0,
            stopped: false,
            null_move_min_ply: 0,
            turn_key: draw::turn_key(),
        }
    }

    /// Returns whether there is memory for another worker. Without it, making one would end the program.
    pub(crate) fn fits_into_memory(network: &Network) -> bool {
        // The histories take most of it. The rest, and what the system needs for a thread, is less than as much again.
        let needed = 2 * (History::SIZE + CorrectionHistory::SIZE + network.cache_size());
        Vec::<u8>::new().try_reserve_exact(needed).is_ok()
    }

    /// Clears what was learnt in earlier games.
    pub(crate) fn new_game(&mut self) {
        self.history = History::default();
        self.corrections = CorrectionHistory::default();
    }

    /// Prepares a search.
    pub(crate) fn prepare(&mut self, game: &GameHistory, legal: &[Move], eval_noise: EvalNoise) {
        let board = game.board();
        self.evaluator.reset(board, eval_noise);
        self.moves.clear();
        self.keys.clear();
        let boards = game.played().iter().map(|(board, _)| board);
        self.keys.extend(boards.map(draw::key));
        self.keys.push(draw::key(board));
        self.stack.fill(Frame::default());
        self.stack[0].plies_since_null = self.keys.len();
        self.root_moves = legal.iter().map(|&mv| RootMove::new(mv)).collect();
        self.root_depth = 0;
        self.ply = 0;
        self.nodes = 0;
        self.published_nodes = 0;
        self.next_check = 0;
        self.stopped = false;
        self.null_move_min_ply = 0;
    }

    /// Makes a move and returns the board after it. Undone by [`unmake`](Self::unmake).
    #[inline]
    fn make(&mut self, table: &TranspositionTable, board: &Board, mv: Move) -> Board {
        let next = board.after_unchecked(mv);
        table.prefetch(next.key());
        self.nodes += 1;
        self.evaluator.push(board, mv, &next);
        self.keys.push(draw::key(&next));
        let quiet = Some(mv).filter(|&mv| !is_tactical(board, mv));
        let plies_since_null = self.stack[self.ply].plies_since_null + 1;
        self.descend(Some(PieceTo::of(board.turn(), mv)), quiet, plies_since_null);
        next
    }

    /// Returns the key of the position after a move, early enough to prefetch its entry. It is wrong for special moves
    /// and for those that end a right to castle.
    #[inline]
    fn likely_key(&self, board: &Board, mv: Move) -> u64 {
        let us = board.turn();
        let piece = Piece::new(us, mv.role());
        let mut key = board.key()
            ^ self.turn_key
            ^ Board::piece_key(piece, mv.from())
            ^ Board::piece_key(piece, mv.to());
        if let Some(captured) = board.captured(mv) {
            key ^= Board::piece_key(Piece::new(!us, captured), mv.to());
        }
        key
    }

    /// Makes a null move, after which the board is `next`. Undone by [`unmake`](Self::unmake).
    fn make_null(&mut self, next: &Board) {
        self.evaluator.push_null();
        self.keys.push(next.key());
        self.descend(None, None, 0);
    }

    /// Notes the move in this frame, and goes to the next one.
    #[inline(always)]
    fn descend(&mut self, piece_to: Option<PieceTo>, quiet: Option<Move>, plies_since_null: usize) {
        let frame = &mut self.stack[self.ply];
        frame.piece_to = piece_to;
        frame.quiet = quiet;
        frame.number = 0;
        frame.reduction = 0;
        let double_extensions = frame.double_extensions;
        self.ply += 1;
        let child = &mut self.stack[self.ply];
        child.plies_since_null = plies_since_null;
        child.double_extensions = double_extensions;
    }

    /// Unmakes the last move or null move.
    #[inline]
    fn unmake(&mut self) {
        self.evaluator.pop();
        self.keys.pop();
        self.ply -= 1;
    }

    /// Returns the moves before a ply of the current line, for the continuation history.
    fn continuation_context(&self, ply: usize) -> ContinuationContext {
        [1, 2, 3, 4, 6].map(|ago| self.stack[ply.checked_sub(ago)?].piece_to)
    }

    /// Remembers what the histories of the quiet moves depend on, for the nodes below.
    fn note_quiet_context(&mut self, board: &Board) {
        let frame = &mut self.stack[self.ply];
        frame.threats = Threats::of(board, !board.turn());
        frame.pawns = PawnRow::of(board);
    }

    /// Returns what the histories of the quiet moves depend on, and remembers it.
    fn quiet_context(&mut self, board: &Board) -> QuietContext {
        self.note_quiet_context(board);
        self.quiet_context_at(self.ply, board.turn())
    }

    /// Returns what the histories of the quiet moves at a ply depend on.
    fn quiet_context_at(&self, ply: usize, color: Color) -> QuietContext {
        QuietContext {
            color,
            threats: self.stack[ply].threats,
            continuation: self.continuation_context(ply),
            pawns: self.stack[ply].pawns,
        }
    }

    /// Returns what the correction of a position depends on.
    fn correction_context(&self, board: &Board) -> CorrectionContext {
        let ago = |ago| self.stack[self.ply.checked_sub(ago)?].piece_to;
        CorrectionContext::of(board, ago(1), [ago(2), ago(4)])
    }

    /// Checks the limits now and then.
    #[inline]
    fn watch_limits(&mut self, shared: &Shared) {
        if self.nodes >= self.next_check {
            self.check_limits(shared);
        }
    }

    #[cold]
    fn check_limits(&mut self, shared: &Shared) {
        let total = self.publish_nodes(shared);
        self.next_check = self.nodes + CHECK_INTERVAL;
        self.stopped |= shared.finished.load(Ordering::Relaxed);
        // On a busy machine, the time can be up before the main thread has begun. It completes a depth first, which
        // takes no time worth mentioning except in very wild positions.
        let must_go_on = self.is_main && self.root_depth <= 1 && self.nodes < MAX_FIRST_DEPTH_NODES;
        self.stopped |= shared.signal.is_stopped() && !must_go_on;
        if let Some(limit) = shared.limits.nodes {
            let left = limit.saturating_sub(total);
            self.stopped |= left == 0;
            self.next_check = self.nodes + CHECK_INTERVAL.min(left);
        }
        if self.is_main {
            let pondered = shared.pondered();
            let is_up = !shared.signal.is_pondering() && shared.time.is_up(pondered);
            self.stopped |= is_up && !must_go_on;
        }
    }

    /// Adds this thread's nodes to the shared count, and returns that of all threads.
    fn publish_nodes(&mut self, shared: &Shared) -> u64 {
        let new = self.nodes - self.published_nodes;
        self.published_nodes = self.nodes;
        shared.nodes.fetch_add(new, Ordering::Relaxed) + new
    }
}

/// Returns whether a side has pieces besides its king and pawns. Without them zugzwang is likely.
fn has_pieces(board: &Board, color: Color) -> bool {
    let pieces =
        board.by_role(Role::Knight) | board.diagonal_sliders() | board.orthogonal_sliders();
    pieces.intersects(board.by_color(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_inherit_the_double_extensions_of_their_line() {
        let mut worker = Worker::new(true, Network::embedded());
        let table = TranspositionTable::smallest();
        let game = GameHistory::default();
        let legal: Vec<Move> = game.board().legal_moves().into_iter().collect();
        worker.prepare(&game, &legal, EvalNoise::default());
        worker.stack[0].double_extensions = 2;
        // What a sibling left behind.
        worker.stack[1].double_extensions = 5;
        worker.make_null(&game.board().null_move().unwrap());
        assert_eq!(worker.stack[1].double_extensions, 2);
        worker.unmake();
        worker.stack[1].double_extensions = 5;
        worker.make(&table, game.board(), legal[0]);
        assert_eq!(worker.stack[1].double_extensions, 2);
    }
}
