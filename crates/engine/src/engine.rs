//! The engine: the one entry that everything else calls.

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tabiya_board::{Board, Line, Move};

use crate::eval::{Evaluator, Network};
use crate::history::mix;
use crate::limits::{Limits, Signal};
use crate::score::{INFINITE, Score, centipawns};
use crate::search::{Reported, RootMove, Shared, Worker};
use crate::strength::{Misjudgement, Strength};
use crate::tt::{Bound, Table};

/// Megabytes of the transposition table where nobody says.
const DEFAULT_HASH: usize = 16;

/// What a reported score says about the real one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certainty {
    /// It is the score.
    #[default]
    Exact,
    /// The real one is at least this: it is still being found out.
    AtLeast,
    /// The real one is at most this.
    AtMost,
}

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: u32,
    /// The most plies looked ahead where it was interesting.
    pub deepest: u32,
    /// The number of this line among the best ones, from 1.
    pub rank: usize,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Whether that is all there is to say.
    pub certainty: Certainty,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub fullness: u32,
    /// The line expected.
    pub pv: Vec<Move>,
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move to play.
    pub best: Move,
    /// The last report.
    pub info: Info,
}

/// News from a search.
#[derive(Clone, Debug)]
pub enum News {
    /// A line has been found, or found to be better or worse than thought.
    Line(Info),
    /// A first move is being looked at; only told when the search takes long.
    Trying {
        /// Plies to look ahead.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order in which they are tried, from 1.
        number: usize,
    },
}

/// There is no memory for a table of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory {
    /// The size asked for.
    pub megabytes: usize,
}

impl std::error::Error for NoMemory {}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a table of {} MB", self.megabytes)
    }
}

/// A chess engine.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_engine::{Engine, Limits, Score};
///
/// let board: Board = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().unwrap();
/// let limits = Limits { depth: Some(3), ..Default::default() };
/// let thought = Engine::default().think(&board.into(), &limits, &mut |_| {}).unwrap();
/// assert_eq!(thought.best.to_string(), "d1d8");
/// assert_eq!(thought.info.score, Score::Mate(1));
/// ```
#[derive(Debug)]
pub struct Engine {
    table: Table,
    workers: Vec<Worker>,
    network: Option<Arc<Network>>,
    lines: usize,
    strength: Strength,
    /// What the errors of a weaker player are drawn from; another one for every search.
    seed: u64,
}

impl Default for Engine {
    /// An engine of one thread, with a table of 16 megabytes.
    fn default() -> Self {
        Self {
            table: Table::new(DEFAULT_HASH).expect("there is memory for a small table"),
            workers: vec![Worker::new(true, Some(Network::shipped()))],
            network: Some(Network::shipped()),
            lines: 1,
            strength: Strength::FULL,
            seed: 0,
        }
    }
}

impl Engine {
    /// Gives the transposition table another size, at least one megabyte, and forgets what was in it. Where there is no
    /// memory for it, everything stays as it is.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), NoMemory> {
        let megabytes = megabytes.max(1);
        if free_megabytes().is_some_and(|free| megabytes > free) {
            return Err(NoMemory { megabytes });
        }
        self.table = Table::new(megabytes).map_err(|_| NoMemory { megabytes })?;
        Ok(())
    }

    /// Thinks with so many threads, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.workers.truncate(threads.max(1));
        let network = &self.network;
        self.workers
            .resize_with(threads.max(1), || Worker::new(false, network.clone()));
    }

    /// Finds so many best lines instead of one.
    pub fn set_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// Evaluates with a network, or with the small evaluation, and forgets what was found with another.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        let threads = self.workers.len();
        self.network.clone_from(&network);
        self.workers = vec![Worker::new(true, network)];
        self.set_threads(threads);
        self.table.clear();
    }

    /// Plays with another strength. The seed decides which errors a weaker player makes.
    pub fn set_strength(&mut self, strength: Strength, seed: u64) {
        self.strength = strength;
        self.seed = seed;
        // What was found with other errors is of no use.
        self.forget();
    }

    /// Forgets everything about the games before.
    pub fn forget(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.forget();
        }
    }

    /// Thinks about the position at the end of a line; `None` if there is no legal move.
    pub fn think(
        &mut self,
        line: &Line,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        self.think_until(line, limits, &Signal::default(), &mut |news| {
            if let News::Line(info) = news {
                report(info);
            }
        })
    }

    /// Thinks about the position at the end of a line until a limit is reached or a signal is given; `None` if there is
    /// no legal move.
    pub fn think_until(
        &mut self,
        line: &Line,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&News),
    ) -> Option<Thought> {
        let board = line.board();
        let mut legal: Vec<Move> = board.legal_moves().into_iter().collect();
        if legal.iter().any(|mv| limits.moves.contains(mv)) {
            legal.retain(|mv| limits.moves.contains(mv));
        }
        if legal.is_empty() {
            return None;
        }
        self.table.grow_older();
        self.seed = mix(self.seed, 1);
        let strength = self.strength.for_move(self.seed);
        let limits = &handicapped(limits, strength);
        let misjudgement = Misjudgement::new(strength.error, self.seed);
        let shared = Shared::new(
            &self.table,
            limits,
            signal,
            self.lines,
            self.workers.len(),
            misjudgement,
        );
        let (first, others) = self.workers.split_first_mut()?;
        let mut last = None;
        let (roots, depth) = thread::scope(|scope| {
            for worker in others {
                let (shared, legal) = (&shared, &legal);
                // A system that has no more threads to give leaves us with fewer.
                let _ = thread::Builder::new().spawn_scoped(scope, move || {
                    worker.think(shared, line, legal, &mut |_| {});
                });
            }
            let found = first.think(&shared, line, &legal, &mut |reported| {
                let news = news(&shared, reported);
                if let News::Line(info) = &news
                    && info.rank == 1
                {
                    last = Some(info.clone());
                }
                report(&news);
            });
            shared.finish();
            found
        });
        let best = roots[0].clone();
        // A search that was stopped early may have found a better move since its last report.
        let mut info = info(&shared, &best, depth, 1, Bound::Exact, shared.nodes());
        match last {
            Some(last) if best.score == -INFINITE || last.pv.first() == Some(&best.mv) => {
                info.score = last.score;
                info.certainty = last.certainty;
                info.pv = last.pv;
                info.deepest = last.deepest;
            }
            _ if best.score == -INFINITE => {
                info.score = Score::Centipawns(self.evaluate(board));
            }
            _ => {}
        }
        Some(Thought {
            best: best.mv,
            info,
        })
    }

    /// What a position is worth to the side to move without looking ahead, in hundredths of a pawn.
    pub fn evaluate(&self, board: &Board) -> i32 {
        centipawns(Evaluator::new(board, self.network.clone()).evaluate(board))
    }
}

/// The limits of a player of this strength.
fn handicapped(limits: &Limits, strength: Strength) -> Limits {
    let mut limits = limits.clone();
    let nodes = [limits.nodes, strength.nodes];
    limits.nodes = nodes.into_iter().flatten().min();
    limits
}

/// How much memory is free, where the system tells. It may promise more than it has and end the program that uses it.
fn free_megabytes() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

fn news(shared: &Shared, reported: &Reported) -> News {
    match *reported {
        Reported::Line {
            depth,
            rank,
            best,
            bound,
            nodes,
        } => News::Line(info(shared, best, depth, rank + 1, bound, nodes)),
        Reported::Trying { depth, mv, number } => News::Trying {
            depth: depth as u32,
            mv,
            number,
        },
    }
}

fn info(
    shared: &Shared,
    best: &RootMove,
    depth: i32,
    rank: usize,
    bound: Bound,
    nodes: u64,
) -> Info {
    Info {
        depth: depth as u32,
        deepest: best.deepest.max(depth as usize) as u32,
        rank,
        score: Score::of(best.score),
        certainty: match bound {
            Bound::Lower => Certainty::AtLeast,
            Bound::Upper => Certainty::AtMost,
            _ => Certainty::Exact,
        },
        nodes,
        time: shared.watch.elapsed(),
        fullness: shared.table.fullness(),
        pv: best.variation.clone(),
    }
}
