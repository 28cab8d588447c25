//! Computer players, which think in their own threads.

mod move_delay;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::{Color, GameHistory, Move};
use tabiya_engine::StopSignal;
use tabiya_notation::uci::SearchInfo;

use crate::game::Game;
use crate::player::Player;
use worker::{Job, Worker};

/// A computer player that thinks in its own thread.
///
/// [`start`](Self::start) starts a search; [`poll`](Self::poll) and [`wait`](Self::wait) return its updates;
/// [`stop`](Self::stop) abandons it, for example after a takeback. Dropping the player ends the thread and the engine
/// process.
#[derive(Debug)]
pub struct ComputerPlayer {
    player: Player,
    /// Whether the player moves at a human pace.
    paced: bool,
    jobs: Sender<Job>,
    reports: Receiver<(u64, PlayerUpdate)>,
    /// The number of the latest job. Updates of earlier jobs are ignored.
    number: u64,
    /// The running job.
    current: Option<Current>,
    seed: u64,
}

#[derive(Debug)]
struct Current {
    signal: StopSignal,
    cancelled: Arc<AtomicBool>,
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
        let worker = Worker::new(player, seed)?;
        let (jobs, receiver) = mpsc::channel();
        let (sender, reports) = mpsc::channel();
        // If no thread can be started, the first update is a failure.
        let _ = thread::Builder::new()
            .name("thinker".to_owned())
            .spawn(move || worker.run(&receiver, &sender));
        Some(Self {
            player: player.clone(),
            paced,
            jobs,
            reports,
            number: 0,
            current: None,
            seed,
        })
    }

    /// The player.
    pub const fn player(&self) -> &Player {
        &self.player
    }

    /// Whether it is thinking, or has a move that was not returned yet.
    pub const fn is_thinking(&self) -> bool {
        self.current.is_some()
    }

    /// Starts thinking about the position of a game, and abandons an earlier search.
    pub fn start(&mut self, game: &Game, now: Instant) {
        self.stop();
        self.number += 1;
        let signal = StopSignal::default();
        let cancelled = Arc::<AtomicBool>::default();
        let turn = game.turn();
        let clocks = Color::ALL.map(|color| game.clock().remaining(color, now));
        let delay = if self.paced {
            move_delay::delay(
                &self.player,
                game.history(),
                clocks[turn.index()],
                self.seed,
            )
        } else {
            Duration::ZERO
        };
        self.current = Some(Current {
            signal: signal.clone(),
            cancelled: Arc::clone(&cancelled),
            due: now + delay,
            ready: None,
        });
        // If the thread has ended, `next` reports it.
        let _ = self.jobs.send(Job {
            number: self.number,
            line: game.history().clone(),
            control: game.clock().control(),
            clocks,
            signal,
            cancelled,
        });
    }

    /// Abandons the search without a move.
    pub fn stop(&mut self) {
        if let Some(current) = self.current.take() {
            current.cancelled.store(true, Ordering::Relaxed);
            current.signal.stop();
        }
    }

    /// Makes it move at once with the best move found so far.
    pub fn move_now(&mut self) {
        if let Some(current) = &mut self.current {
            current.due = Instant::now();
            current.signal.stop();
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
            let current = self.current.as_mut()?;
            let now = if most.is_zero() { now } else { Instant::now() };
            if let Some(ready) = current.ready.take() {
                if now >= current.due {
                    self.current = None;
                    return Some(ready);
                }
                let due = current.due;
                current.ready = Some(ready);
                if now >= until {
                    return None;
                }
                thread::sleep(due.min(until).saturating_duration_since(now));
                continue;
            }
            let report = match self
                .reports
                .recv_timeout(until.saturating_duration_since(now))
            {
                Ok((number, _)) if number != self.number => continue,
                Ok((_, report)) => report,
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    PlayerUpdate::Failed("the engine's thread has ended".to_owned())
                }
            };
            match report {
                PlayerUpdate::SearchInfo(_) => return Some(report),
                PlayerUpdate::Failed(_) => {
                    self.current = None;
                    return Some(report);
                }
                PlayerUpdate::Move { .. } => current.ready = Some(report),
            }
        }
    }
}

impl Drop for ComputerPlayer {
    fn drop(&mut self) {
        // The thread ends when its job channel is closed.
        self.stop();
    }
}

/// Evaluates a position with a short search; `None` if there is no legal move.
pub fn quick_eval(history: &GameHistory) -> Option<SearchInfo> {
    worker::judge(history)
}
