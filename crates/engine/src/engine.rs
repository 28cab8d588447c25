//! The engine's entry point.

use std::sync::Arc;
use std::thread;

use tabiya_board::{Board, GameHistory, Move};
use tabiya_notation::Score;
use tabiya_notation::uci::{self, SearchInfo};
use thiserror::Error;

use crate::eval::{Evaluator, Network};
use crate::history::mix;
use crate::limits::{Limits, StopSignal};
use crate::score::{INFINITE, centipawns, to_score, win_draw_loss};
use crate::search::{RootMove, RootReport, Shared, Worker, best_worker};
use crate::strength::{EvalNoise, Strength};
use crate::tt::{Bound, TranspositionTable};

/// The default size of the transposition table, in megabytes.
const DEFAULT_HASH: usize = 16;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move.
    pub best: Move,
    /// The last report.
    pub info: SearchInfo,
}

/// What a search reports while it runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SearchEvent {
    /// A new principal variation, or a new score for it.
    Info(SearchInfo),
    /// The root move being searched; reported only in long searches.
    CurrentMove {
        /// Search depth in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order of the search, from 1.
        number: usize,
    },
    /// The system did not start all threads. The search continues with fewer.
    FewerThreads {
        /// How many threads search.
        running: usize,
        /// How many were to search.
        wanted: usize,
    },
}

/// There is not enough memory for a transposition table of this size. The engine has a smaller one.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not enough memory for a hash table of {megabytes} MB: it has {allocated} MB")]
pub struct HashSizeError {
    /// The requested size.
    pub megabytes: usize,
    /// The size of the table that there was memory for; 0 if that is less than a megabyte.
    pub allocated: usize,
}

/// There is not enough memory for this many threads. The engine has fewer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not enough memory for {wanted} threads: there are {available}")]
pub struct ThreadsError {
    /// The requested number.
    pub wanted: usize,
    /// The number of threads that there was memory for.
    pub available: usize,
}

/// A chess engine.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_engine::{Engine, Limits};
/// use tabiya_notation::Score;
///
/// let board: Board = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().unwrap();
/// let limits = Limits { depth: Some(3), ..Default::default() };
/// let result = Engine::default().think(&board.into(), &limits, &mut |_| {}).unwrap();
/// assert_eq!(result.best.to_string(), "d1d8");
/// assert_eq!(result.info.score, Score::Mate(1));
/// ```
#[derive(Debug)]
pub struct Engine {
    table: TranspositionTable,
    /// The first is the main thread's.
    workers: Vec<Worker>,
    network: Arc<Network>,
    multipv: usize,
    strength: Strength,
    /// The source of a weaker level's noise and lapses. It changes with each search.
    seed: u64,
}

impl Default for Engine {
    /// Creates an engine with one thread and a transposition table of 16 megabytes.
    fn default() -> Self {
        Self {
            table: TranspositionTable::up_to(DEFAULT_HASH).0,
            workers: vec![Worker::new(true, Network::embedded())],
            network: Network::embedded(),
            multipv: 1,
            strength: Strength::FULL,
            seed: 0,
        }
    }
}

impl Engine {
    /// Resizes the transposition table and clears it. The least size is one megabyte. If there is not enough memory,
    /// the error says how large the table has become.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), HashSizeError> {
        let megabytes = megabytes.max(1);
        // Its memory may be what the new table needs.
        self.table = TranspositionTable::smallest();
        let mut most = megabytes;
        while most > 1 && free_megabytes().is_some_and(|free| most > free) {
            most /= 2;
        }
        let (table, allocated) = TranspositionTable::up_to(most);
        self.table = table;
        if allocated == megabytes {
            Ok(())
        } else {
            Err(HashSizeError {
                megabytes,
                allocated,
            })
        }
    }

    /// Sets the number of threads, at least one. If there is not enough memory, the error says how many there are.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        let wanted = threads.max(1);
        self.workers.truncate(wanted);
        while self.workers.len() < wanted {
            if !Worker::fits_into_memory(&self.network) {
                return Err(ThreadsError {
                    wanted,
                    available: self.workers.len(),
                });
            }
            self.workers.push(Worker::new(false, self.network.clone()));
        }
        Ok(())
    }

    /// Sets how many best lines a search finds, at least one.
    pub fn set_multipv(&mut self, multipv: usize) {
        self.multipv = multipv.max(1);
    }

    /// Sets the network that evaluates positions, and clears everything learnt with the last one.
    pub fn set_network(&mut self, network: Arc<Network>) {
        let threads = self.workers.len();
        self.network.clone_from(&network);
        self.workers = vec![Worker::new(true, network)];
        // The old ones had the memory for it.
        let _ = self.set_threads(threads);
        self.table.clear();
    }

    /// Sets the playing strength. The seed decides the errors of a weaker level: the same seed gives the same play.
    pub fn set_strength(&mut self, strength: Strength, seed: u64) {
        self.strength = strength;
        self.seed = seed;
        // Scores in the table depend on the noise.
        self.new_game();
    }

    /// Clears everything learnt in earlier searches.
    pub fn new_game(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.new_game();
        }
    }

    /// Searches the last position of a game. Returns `None` if it has no legal move.
    pub fn think(
        &mut self,
        game: &GameHistory,
        limits: &Limits,
        report: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        self.think_until(game, limits, &StopSignal::default(), &mut |event| {
            if let SearchEvent::Info(info) = event {
                report(info);
            }
        })
    }

    /// Searches the last position of a game until a limit is reached or the search is stopped. Returns `None` if the
    /// position has no legal move.
    pub fn think_until(
        &mut self,
        game: &GameHistory,
        limits: &Limits,
        signal: &StopSignal,
        report: &mut dyn FnMut(&SearchEvent),
    ) -> Option<SearchResult> {
        let board = game.board();
        let mut legal: Vec<Move> = board.legal_moves().into_iter().collect();
        if legal.iter().any(|mv| limits.search_moves.contains(mv)) {
            legal.retain(|mv| limits.search_moves.contains(mv));
        }
        if legal.is_empty() {
            return None;
        }
        self.table.new_search();
        self.seed = mix(self.seed, 1);
        let strength = self.strength.for_move(self.seed);
        let limits = &limited(limits, strength);
        let eval_noise = EvalNoise::new(strength.eval_noise, self.seed);
        let shared = Shared::new(&self.table, limits, signal, self.multipv, eval_noise);
        let mut last: Option<SearchInfo> = None;
        let mut watched = |event: SearchEvent| {
            if let SearchEvent::Info(info) = &event
                && info.multipv == 1
            {
                last = Some(info.clone());
            }
            report(&event);
        };
        run(&mut self.workers, &shared, game, &legal, &mut watched);

        let index = if self.multipv == 1 {
            best_worker(&self.workers)
        } else {
            0
        };
        let worker = &self.workers[index];
        let best = worker.best();
        let depth = worker.completed_depth();
        let mut info = info(&shared, best, depth, 1, Bound::Exact, shared.nodes());
        match &last {
            // The last depth was interrupted: its best move may have no score, or not the one reported.
            Some(last) if last.pv.first() == Some(&best.mv) && index == 0 => {
                info.score = last.score;
                info.wdl = last.wdl;
                info.bound = last.bound;
                info.pv.clone_from(&last.pv);
                info.seldepth = last.seldepth;
            }
            _ if best.score == -INFINITE => {
                info.score = Score::Cp(self.evaluate(board));
                info.wdl = Some(win_draw_loss(info.score));
            }
            _ => {}
        }
        // Other programs expect that the last line begins with the move played, but the move may come from another
        // thread or from an interrupted depth.
        let last_move = last.and_then(|last| last.pv.first().copied());
        if last_move != Some(best.mv) || index > 0 {
            report(&SearchEvent::Info(info.clone()));
        }
        Some(SearchResult {
            best: best.mv,
            info,
        })
    }

    /// Returns the static evaluation of a position for the side to move, in centipawns.
    pub fn evaluate(&self, board: &Board) -> i32 {
        centipawns(Evaluator::new(board, self.network.clone()).evaluate(board))
    }
}

/// Runs the search in all threads, the main thread's in this one.
fn run(
    workers: &mut [Worker],
    shared: &Shared,
    game: &GameHistory,
    legal: &[Move],
    report: &mut dyn FnMut(SearchEvent),
) {
    let Some((main, helpers)) = workers.split_first_mut() else {
        return;
    };
    // A helper that cannot be started must not take part in the vote with an old result.
    for helper in &mut *helpers {
        helper.prepare(game, legal, shared.eval_noise);
    }
    let wanted = 1 + helpers.len();
    thread::scope(|scope| {
        for (running, helper) in (1..).zip(helpers) {
            let started = leaves_headroom().then(|| {
                thread::Builder::new().spawn_scoped(scope, move || {
                    helper.think(shared, game, legal, &mut |_| {});
                })
            });
            if !matches!(started, Some(Ok(_))) {
                report(SearchEvent::FewerThreads { running, wanted });
                break;
            }
        }
        main.think(shared, game, legal, &mut |reported| {
            report(event(shared, reported));
        });
        shared.finish();
    });
}

/// Returns whether memory is left after another thread has taken its stack. Without it, the search would end the program.
fn leaves_headroom() -> bool {
    const HEADROOM: usize = 8 << 20;
    Vec::<u8>::new().try_reserve_exact(HEADROOM).is_ok()
}

/// Returns the limits of a search at a strength.
fn limited(limits: &Limits, strength: Strength) -> Limits {
    let nodes = [limits.nodes, strength.nodes];
    Limits {
        nodes: nodes.into_iter().flatten().min(),
        ..limits.clone()
    }
}

/// Returns how much memory is free, if the system says so. Linux may grant more and kill the process when it is used.
fn free_megabytes() -> Option<usize> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

fn event(shared: &Shared, report: &RootReport) -> SearchEvent {
    match *report {
        RootReport::Line {
            depth,
            line,
            best,
            bound,
            nodes,
        } => SearchEvent::Info(info(shared, best, depth, line + 1, bound, nodes)),
        RootReport::CurrentMove { depth, mv, number } => SearchEvent::CurrentMove {
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
    multipv: usize,
    bound: Bound,
    nodes: u64,
) -> SearchInfo {
    let score = to_score(best.score);
    SearchInfo {
        depth: depth as u32,
        seldepth: best.seldepth.max(depth as usize) as u32,
        multipv,
        score,
        bound: match bound {
            Bound::Lower => uci::Bound::Lower,
            Bound::Upper => uci::Bound::Upper,
            _ => uci::Bound::Exact,
        },
        wdl: Some(win_draw_loss(score)),
        nodes,
        time: shared.time.elapsed(),
        hashfull: shared.table.hashfull(),
        pv: best.variation.clone(),
    }
}
