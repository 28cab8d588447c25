//! The search: iterative deepening over principal variation search, by one or more threads that share a table.

mod cycles;
mod draw;
mod moves;
mod node;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod singular;
mod team;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tabiya_board::{Bitboard, Board, Color, Line, Move, Role, attacks};

use crate::clock::Stopwatch;
use crate::eval::{Evaluator, Network};
use crate::history::{Arrival, Context, History};
use crate::limits::{Limits, Signal};
use crate::ordering::Scored;
use crate::score::MAX_PLY;
use crate::strength::Misjudgement;
use crate::tt::{Table, UNKNOWN};

use root::Stage;
pub(crate) use root::{Reported, RootMove};
use team::{Joint, Team};

/// How many positions are looked at before anybody asks for the time.
const CHECK_INTERVAL: u64 = 512;

/// What all threads of a search have in common.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) limits: &'a Limits,
    pub(crate) signal: &'a Signal,
    pub(crate) watch: Stopwatch,
    /// How many best lines to find.
    pub(crate) lines: usize,
    /// What the threads tell each other, if there are several.
    team: Option<Team>,
    /// The errors of a weaker player.
    pub(crate) misjudgement: Misjudgement,
    /// Positions that the threads have looked at, as far as they have told.
    nodes: AtomicU64,
    /// The first thread has made up its mind.
    finished: AtomicBool,
    /// How long the search was pondering, in microseconds: that was on the other side's clock.
    pondered: AtomicU64,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        table: &'a Table,
        limits: &'a Limits,
        signal: &'a Signal,
        lines: usize,
        threads: usize,
        misjudgement: Misjudgement,
    ) -> Self {
        Self {
            table,
            limits,
            signal,
            watch: Stopwatch::start(limits),
            lines,
            team: (threads > 1).then(Team::new),
            misjudgement,
            nodes: AtomicU64::new(0),
            finished: AtomicBool::new(false),
            pondered: AtomicU64::new(0),
        }
    }

    /// Positions that the threads have looked at, as far as they have told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Tells the other threads that the search is over.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    /// The time that was not on our clock.
    fn pondered(&self) -> Duration {
        if self.signal.is_pondering() {
            let now = self.watch.elapsed();
            self.pondered
                .store(now.as_micros() as u64, Ordering::Relaxed);
        }
        Duration::from_micros(self.pondered.load(Ordering::Relaxed))
    }
}

/// What is known about each ply of the line that is being looked at.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The evaluation; [`UNKNOWN`] in check.
    eval: i32,
    /// The move played from here, and its arrival; none for a pass.
    arrival: Option<Arrival>,
    /// A move that is left out to see whether the others are worse.
    excluded: Option<Move>,
    killers: [Option<Move>; 2],
    /// How many plies ago a side has passed, or the game began.
    since_pass: usize,
    /// How many double extensions led here.
    double_extensions: i32,
    /// How many nodes one ply deeper failed high of late.
    cutoffs: u32,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            eval: UNKNOWN,
            arrival: None,
            excluded: None,
            killers: [None; 2],
            since_pass: 0,
            double_extensions: 0,
            cutoffs: 0,
        }
    }
}

/// One thread of a search, and what it remembers from one search to the next.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The first one reports and minds the time.
    is_first: bool,
    history: History,
    evaluator: Evaluator,
    /// The moves of all nodes from the root to here.
    moves: Vec<Scored>,
    /// The keys of all positions of the game and of the line that is being looked at; the last is the present one.
    keys: Vec<u64>,
    stack: Vec<Frame>,
    /// The principal variation from each ply on.
    variations: Vec<Vec<Move>>,
    root_moves: Vec<RootMove>,
    /// What they were when the last depth was completed.
    completed: Vec<RootMove>,
    ply: usize,
    deepest: usize,
    nodes: u64,
    /// The positions that others know of.
    nodes_told: u64,
    next_check: u64,
    stopped: bool,
    /// Stopped only since another thread has done with the node at this ply, or with this stage at ply 0.
    overtaken: Option<usize>,
    /// The nodes of the principal variation that lead here, as far as threads search them together.
    joints: Vec<Joint>,
    /// How many such nodes the threads were done with when this one last looked.
    settled: u32,
    /// How far the search has come.
    stage: Stage,
    /// No passing above this ply: a result got by passing is being checked.
    pass_from: usize,
}

impl Worker {
    pub(crate) fn new(is_first: bool, network: Option<Arc<Network>>) -> Self {
        Self {
            is_first,
            history: History::default(),
            evaluator: Evaluator::new(&Board::start(), network),
            moves: Vec::with_capacity(4096),
            keys: Vec::with_capacity(1024),
            stack: vec![Frame::default(); MAX_PLY + 2],
            variations: vec![Vec::new(); MAX_PLY + 2],
            root_moves: Vec::new(),
            completed: Vec::new(),
            ply: 0,
            deepest: 0,
            nodes: 0,
            nodes_told: 0,
            next_check: 0,
            stopped: false,
            overtaken: None,
            joints: Vec::new(),
            settled: 0,
            stage: Stage::default(),
            pass_from: 0,
        }
    }

    /// Forgets all games.
    pub(crate) fn forget(&mut self) {
        self.history = History::default();
    }

    /// Makes ready for a search.
    fn prepare(&mut self, line: &Line, legal: &[Move], misjudgement: Misjudgement) {
        let board = line.board();
        self.evaluator.reset(board, misjudgement);
        self.moves.clear();
        self.keys.clear();
        let boards = line.played().iter().map(|(board, _)| board);
        self.keys.extend(boards.map(draw::key));
        self.keys.push(draw::key(board));
        self.stack.fill(Frame::default());
        self.stack[0].since_pass = self.keys.len();
        self.root_moves = legal.iter().map(|&mv| RootMove::new(mv)).collect();
        self.stage = Stage::default();
        self.ply = 0;
        self.nodes = 0;
        self.nodes_told = 0;
        self.next_check = 0;
        self.stopped = false;
        self.overtaken = None;
        self.joints.clear();
        self.settled = 0;
        self.pass_from = 0;
    }

    /// Plays a move and gives the board after it. Whoever calls it takes it [`back`](Self::back).
    #[inline]
    fn forward(&mut self, table: &Table, board: &Board, mv: Move) -> Board {
        let next = board.after_unchecked(mv);
        table.prefetch(next.key());
        self.evaluator.push(board, mv, &next);
        self.keys.push(draw::key(&next));
        let since_pass = self.stack[self.ply].since_pass + 1;
        self.stack[self.ply].arrival = Some(Arrival::of(board.turn(), mv));
        self.ply += 1;
        self.stack[self.ply].since_pass = since_pass;
        next
    }

    /// The same for a pass, which must be possible.
    fn pass(&mut self, next: &Board) {
        self.evaluator.push_pass();
        self.keys.push(next.key());
        self.stack[self.ply].arrival = None;
        self.ply += 1;
        self.stack[self.ply].since_pass = 0;
    }

    /// Takes the last move or pass back.
    #[inline]
    fn back(&mut self) {
        self.evaluator.pop();
        self.keys.pop();
        self.ply -= 1;
    }

    /// The arrivals one, two and four plies ago.
    fn context(&self) -> Context {
        [1, 2, 4].map(|ago| {
            let ply = self.ply.checked_sub(ago)?;
            self.stack[ply].arrival
        })
    }

    /// Counts a position, and now and then looks whether the search has to end.
    #[inline]
    fn visit(&mut self, shared: &Shared) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check(shared);
        }
    }

    #[cold]
    fn check(&mut self, shared: &Shared) {
        let total = self.tell_nodes(shared);
        self.next_check = self.nodes + CHECK_INTERVAL;
        let mut over = shared.signal.is_stopped() || shared.finished.load(Ordering::Relaxed);
        if let Some(limit) = shared.limits.nodes {
            let left = limit.saturating_sub(total);
            over |= left == 0;
            self.next_check = self.nodes + CHECK_INTERVAL.min(left);
        }
        if self.is_first {
            let pondered = shared.pondered();
            over |= !shared.signal.is_pondering() && shared.watch.is_over(pondered);
        }
        if over {
            self.stopped = true;
            self.overtaken = None;
        } else if let Some(team) = &shared.team
            && let Some(ply) = self.overtaken_at(team)
        {
            self.stopped = true;
            self.overtaken = Some(ply);
        }
    }

    /// Tells the others how many positions this thread has looked at, and gives the number of all threads.
    fn tell_nodes(&mut self, shared: &Shared) -> u64 {
        let untold = self.nodes - self.nodes_told;
        self.nodes_told = self.nodes;
        shared.nodes.fetch_add(untold, Ordering::Relaxed) + untold
    }
}

/// The squares that a side attacks.
fn attacked_by(board: &Board, color: Color) -> Bitboard {
    let own = board.by_color(color);
    let occupied = board.occupied();
    let mut attacked = attacks::pawns(color, board.pieces(color, Role::Pawn));
    for square in own & board.by_role(Role::Knight) {
        attacked |= attacks::knight(square);
    }
    for square in own & board.diagonal_movers() {
        attacked |= attacks::bishop(square, occupied);
    }
    for square in own & board.straight_movers() {
        attacked |= attacks::rook(square, occupied);
    }
    attacked | attacks::king(board.king(color))
}

/// Whether a side has pieces besides its king and pawns: without them, having to move may be a burden.
fn has_pieces(board: &Board, color: Color) -> bool {
    let pieces = board.by_role(Role::Knight) | board.diagonal_movers() | board.straight_movers();
    pieces.intersects(board.by_color(color))
}
