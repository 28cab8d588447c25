//! The computer and other engines: players who think in a thread of their own.

mod pace;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::{Color, Line, Move};
use tabiya_engine::{Score, Signal};

use crate::game::Game;
use crate::player::Player;
use work::{Job, Worker};

/// A player who thinks while the view stays alive.
///
/// Thinking begins with [`start`](Self::start); what comes of it is asked for with [`poll`](Self::poll) or
/// [`wait`](Self::wait). It ends early with [`stop`](Self::stop), as when a move is taken back. Dropping it ends the
/// thread, and the engine if it is another program.
#[derive(Debug)]
pub struct Thinker {
    player: Player,
    /// Whether moves come at a human pace.
    paced: bool,
    jobs: Sender<Job>,
    reports: Receiver<(u64, Report)>,
    /// The number of the last job; reports about earlier ones are old news.
    number: u64,
    /// The job that goes on: how to stop it, and when its move may be told.
    current: Option<Current>,
    seed: u64,
}

#[derive(Debug)]
struct Current {
    signal: Signal,
    cancelled: Arc<AtomicBool>,
    due: Instant,
    /// A move that is ready but not due yet.
    ready: Option<Report>,
}

/// What a player who thinks has to say.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// What it expects so far.
    Thinks(Thinks),
    /// Its move.
    Move {
        /// The move.
        mv: Move,
        /// What it expected last; nothing for a move of the book, and for engines that do not say.
        thinks: Option<Thinks>,
    },
    /// It cannot play on, and why. The game can: it is for the person to choose another player.
    Failed(String),
}

/// What a player who thinks expects.
#[derive(Clone, PartialEq, Debug)]
pub struct Thinks {
    /// Plies looked ahead.
    pub depth: u32,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// The line expected.
    pub pv: Vec<Move>,
}

impl Thinker {
    /// A player of a game who is not a person; nothing for a person. The seed decides what the computer chooses where it
    /// has a choice. With pace, a weak computer takes about as long for a move as a person.
    pub fn new(player: &Player, seed: u64, paced: bool) -> Option<Self> {
        let worker = Worker::new(player, seed)?;
        let (jobs, receiver) = mpsc::channel();
        let (sender, reports) = mpsc::channel();
        // A system that has no thread to give leaves us with a player who fails at once.
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

    /// Who it is.
    pub const fn player(&self) -> &Player {
        &self.player
    }

    /// Whether it thinks, or has a move that nobody has asked for.
    pub const fn is_thinking(&self) -> bool {
        self.current.is_some()
    }

    /// Begins to think about the position of a game. What it thought about before is forgotten.
    pub fn start(&mut self, game: &Game, now: Instant) {
        self.stop();
        self.number += 1;
        let signal = Signal::default();
        let cancelled = Arc::<AtomicBool>::default();
        let turn = game.turn();
        let clocks = Color::ALL.map(|color| game.clock().left(color, now));
        let delay = if self.paced {
            pace::delay(&self.player, game.line(), clocks[turn.index()], self.seed)
        } else {
            Duration::ZERO
        };
        self.current = Some(Current {
            signal: signal.clone(),
            cancelled: Arc::clone(&cancelled),
            due: now + delay,
            ready: None,
        });
        // Where the thread is gone, asking for news tells so.
        let _ = self.jobs.send(Job {
            number: self.number,
            line: game.line().clone(),
            control: game.clock().control(),
            clocks,
            signal,
            cancelled,
        });
    }

    /// Stops thinking. No move comes of it.
    pub fn stop(&mut self) {
        if let Some(current) = self.current.take() {
            current.cancelled.store(true, Ordering::Relaxed);
            current.signal.stop();
        }
    }

    /// Has it move with what it has found so far.
    pub fn hurry(&mut self) {
        if let Some(current) = &mut self.current {
            current.due = Instant::now();
            current.signal.stop();
        }
    }

    /// What it has to say now, if anything. After a move or a failure it does not think any more.
    pub fn poll(&mut self, now: Instant) -> Option<Report> {
        self.next(now, Duration::ZERO)
    }

    /// What it has to say, waiting for it so long; nothing if that is not long enough or it does not think.
    pub fn wait(&mut self, most: Duration) -> Option<Report> {
        self.next(Instant::now(), most)
    }

    fn next(&mut self, now: Instant, most: Duration) -> Option<Report> {
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
                    Report::Failed("the thread that thinks has ended".to_owned())
                }
            };
            match report {
                Report::Thinks(_) => return Some(report),
                Report::Failed(_) => {
                    self.current = None;
                    return Some(report);
                }
                Report::Move { .. } => current.ready = Some(report),
            }
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        // The thread ends when it sees that nobody sends it jobs any more.
        self.stop();
    }
}

impl Thinks {
    /// What our engine thinks of a position after a short look, a fraction of a second; nothing where there is no move.
    pub fn about(line: &Line) -> Option<Self> {
        work::judge(line)
    }
}
