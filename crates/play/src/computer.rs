//! Computer players, which think in their own threads.

mod move_delay;
mod worker;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::{Color, GameHistory, Move};
use tabiya_engine::{EngineThread, StopSignal};
use tabiya_notation::uci::SearchInfo;

use crate::game::Game;
use crate::player::Player;
use worker::{ComputerWorker, Job};

/// The most time to wait for another engine to end. One that does not quit is killed sooner.
const ENDING: Duration = Duration::from_secs(5);

/// A computer player that thinks in its own thread.
///
/// [`start`](Self::start) starts a search; [`poll`](Self::poll) and [`wait`](Self::wait) return its updates;
/// [`stop`](Self::stop) abandons it, for example after a takeback. Dropping the player ends the thread, and waits until
/// the engine's process has ended with all its child processes.
pub struct ComputerPlayer {
    player: Player,
    /// Whether the player moves at a human pace.
    paced: bool,
    /// `None` if the system could not start a thread.
    thread: Option<EngineThread<'static, Option<ComputerWorker>>>,
    search: Option<Search>,
    seed: u64,
    /// Set when the player is dropped and its engine no longer needed.
    dropped: Arc<AtomicBool>,
}

/// A running search.
#[derive(Debug)]
struct Search {
    signal: StopSignal,
    cancelled: Arc<AtomicBool>,
    updates: Receiver<PlayerUpdate>,
    /// When the move may be played.
    due: Instant,
    /// The move, if it was found before it is due.
    ready: Option<PlayerUpdate>,
}

/// An update from a computer player.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerUpdate {
    /// The search has made progress.
    SearchInfo(SearchInfo),
    /// The player's move.
    Move {
        /// The move.
        mv: Move,
        /// The last search info; `None` for a book move, or if the engine sends none.
        search_info: Option<SearchInfo>,
    },
    /// The player cannot move, for this reason. The game continues when the user chooses another player.
    Failed(String),
}

impl ComputerPlayer {
    /// Starts a computer player; `None` for a person. The seed fixes its random choices. A paced player at one of the
    /// weaker levels takes as long for a move as a person would.
    pub fn new(player: &Player, seed: u64, paced: bool) -> Option<Self> {
        if player.is_person() {
            return None;
        }
        let of_thread = player.clone();
        let dropped = Arc::<AtomicBool>::default();
        let given_up = Arc::clone(&dropped);
        let make = move || ComputerWorker::new(&of_thread, seed, &given_up);
        Some(Self {
            player: player.clone(),
            paced,
            thread: EngineThread::spawn(make).ok(),
            search: None,
            seed,
            dropped,
        })
    }

    /// The player.
    pub const fn player(&self) -> &Player {
        &self.player
    }

    /// Whether it is thinking, or has a move that was not returned yet.
    pub const fn is_thinking(&self) -> bool {
        self.search.is_some()
    }

    /// Starts thinking about the position of a game, and abandons an earlier search.
    pub fn start(&mut self, game: &Game, now: Instant) {
        self.stop();
        let turn = game.turn();
        let clocks = Color::ALL.map(|color| game.clock().remaining(color, now));
        let delay = if self.paced {
            let left = clocks[turn.index()];
            move_delay::delay(&self.player, game.history(), left, self.seed)
        } else {
            Duration::ZERO
        };
        let signal = StopSignal::default();
        let cancelled = Arc::<AtomicBool>::default();
        let (sender, updates) = mpsc::channel();
        let job = Job {
            history: game.history().clone(),
            control: game.clock().control(),
            clocks,
            cancelled: Arc::clone(&cancelled),
        };
        if let Some(thread) = &mut self.thread {
            thread.start(signal.clone(), move |worker, signal| {
                if let Some(worker) = worker {
                    worker.run(&job, signal, &sender);
                }
            });
        }
        self.search = Some(Search {
            signal,
            cancelled,
            updates,
            due: now + delay,
            ready: None,
        });
    }

    /// Abandons the search without a move.
    pub fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.cancelled.store(true, Ordering::Relaxed);
            search.signal.stop();
        }
    }

    /// Makes it move at once with the best move found so far.
    pub fn move_now(&mut self) {
        if let Some(search) = &mut self.search {
            search.due = Instant::now();
            search.signal.stop();
        }
    }

    /// Returns the next update if there is one. A move or a failure ends the search.
    pub fn poll(&mut self, now: Instant) -> Option<PlayerUpdate> {
        self.next(now, Duration::ZERO)
    }

    /// Waits for the next update, up to a time limit.
    pub fn wait(&mut self, most: Duration) -> Option<PlayerUpdate> {
        self.next(Instant::now(), most)
    }

    fn next(&mut self, now: Instant, most: Duration) -> Option<PlayerUpdate> {
        let until = now + most;
        loop {
            let search = self.search.as_mut()?;
            let now = if most.is_zero() { now } else { Instant::now() };
            if search.ready.is_some() {
                if now >= search.due {
                    return self.search.take()?.ready;
                }
                if now >= until {
                    return None;
                }
                thread::sleep(search.due.min(until).saturating_duration_since(now));
                continue;
            }
            let left = until.saturating_duration_since(now);
            let update = match search.updates.recv_timeout(left) {
                Ok(update) => update,
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    PlayerUpdate::Failed("the engine's thread has ended".to_owned())
                }
            };
            match update {
                PlayerUpdate::SearchInfo(_) => return Some(update),
                PlayerUpdate::Failed(_) => {
                    self.search = None;
                    return Some(update);
                }
                PlayerUpdate::Move { .. } => search.ready = Some(update),
            }
        }
    }
}

impl fmt::Debug for ComputerPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ComputerPlayer");
        debug.field("player", &self.player);
        debug.field("is_thinking", &self.is_thinking());
        debug.finish_non_exhaustive()
    }
}

impl Drop for ComputerPlayer {
    fn drop(&mut self) {
        self.stop();
        self.dropped.store(true, Ordering::Relaxed);
        if let (Player::Engine(_), Some(thread)) = (&self.player, &mut self.thread) {
            // If this program ended first, the child processes of the engine would go on running.
            thread.start(StopSignal::default(), |worker, _| *worker = None);
            thread.wait(ENDING);
        }
    }
}

/// Evaluates a position with a short search; `None` if there is no legal move.
pub fn quick_eval(history: &GameHistory) -> Option<SearchInfo> {
    worker::quick_eval(history)
}
