//! What happens in the thread of a player who thinks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use tabiya_board::Line;
use tabiya_engine::{Engine, GameClock, Limits, News, Signal, book};
use tabiya_uci::{Client, ClientError, Goal, Program};

use super::{Report, Thinks};
use crate::clock::TimeControl;
use crate::game::is_chess960;
use crate::player::Player;

/// How long another engine may take to start and to get ready.
const STARTING: Duration = Duration::from_secs(20);
/// How long another engine may take for a move without a clock, and how long it thinks then.
const LONGEST_MOVE: Duration = Duration::from_secs(600);
const USUAL_MOVE: Duration = Duration::from_secs(3);
/// What an engine may be late by before it counts as silent. Its flag falls earlier.
const GRACE: Duration = Duration::from_secs(5);
/// Time lost between the search and the clock.
const OVERHEAD: Duration = Duration::from_millis(30);
/// Plies in which the computer plays from its book.
const BOOK_PLIES: usize = 12;

/// A position to think about.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) line: Line,
    pub(super) control: TimeControl,
    pub(super) clocks: [Option<Duration>; 2],
    /// Ends the search with what it has found.
    pub(super) signal: Signal,
    /// Nobody wants the move any more.
    pub(super) cancelled: Arc<AtomicBool>,
}

/// Who thinks.
pub(super) enum Worker {
    Computer {
        engine: Box<Engine>,
        /// Chooses among the moves of the book; nothing for a player without one.
        book: Option<u64>,
        /// What it may use for a move besides what the clock allows.
        bounds: Limits,
    },
    Program {
        program: Program,
        /// The engine, when it runs, and whether it plays Chess960.
        client: Option<(Client, bool)>,
    },
}

impl Worker {
    pub(super) fn new(player: &Player, seed: u64) -> Option<Self> {
        match player {
            Player::Person(_) => None,
            Player::Computer(level) => {
                let mut engine = Box::new(Engine::default());
                engine.set_strength(level.strength(), seed);
                Some(Self::Computer {
                    engine,
                    book: Some(seed),
                    bounds: Limits::default(),
                })
            }
            Player::Bounded { depth, nodes } => Some(Self::Computer {
                engine: Box::default(),
                book: None,
                bounds: Limits {
                    depth: Some(*depth),
                    nodes: Some(*nodes),
                    ..Limits::default()
                },
            }),
            Player::Engine(program) => Some(Self::Program {
                program: program.clone(),
                client: None,
            }),
        }
    }

    /// Does one job after the other, until nobody sends any.
    pub(super) fn run(mut self, jobs: &Receiver<Job>, reports: &Sender<(u64, Report)>) {
        while let Ok(job) = jobs.recv() {
            if job.cancelled.load(Ordering::Relaxed) {
                continue;
            }
            let mut tell = |report| {
                // Nobody may be there to hear it.
                let _ = reports.send((job.number, report));
            };
            let report = match &mut self {
                Self::Computer {
                    engine,
                    book,
                    bounds,
                } => think(engine, *book, bounds, &job, &mut tell),
                Self::Program { program, client } => ask(program, client, &job, &mut tell),
            };
            tell(report);
        }
    }
}

/// The computer's move.
fn think(
    engine: &mut Engine,
    book: Option<u64>,
    bounds: &Limits,
    job: &Job,
    tell: &mut dyn FnMut(Report),
) -> Report {
    let board = job.line.board();
    if job.line.moves().len() < BOOK_PLIES
        && let Some(mv) = book.and_then(|seed| book::choose(board, seed))
    {
        return Report::Move { mv, thinks: None };
    }
    let thought = engine.think_until(&job.line, &job.limits(bounds), &job.signal, &mut |news| {
        if let News::Line(info) = news
            && info.rank == 1
        {
            tell(Report::Thinks(Thinks::of(info)));
        }
    });
    match thought {
        Some(thought) => Report::Move {
            mv: thought.best,
            thinks: Some(Thinks::of(&thought.info)),
        },
        None => Report::Failed("there is no legal move".to_owned()),
    }
}

impl Thinks {
    fn of(info: &tabiya_engine::Info) -> Self {
        Self {
            depth: info.depth,
            score: info.score,
            nodes: info.nodes,
            pv: info.pv.clone(),
        }
    }
}

impl Job {
    /// What our engine may use: within bounds of its own, what the clock allows. The limits of a level come on top.
    fn limits(&self, bounds: &Limits) -> Limits {
        let mut limits = bounds.clone();
        let left = self.clocks[self.line.board().turn().index()];
        match (self.control, left) {
            (TimeControl::Game { increment, .. }, Some(left)) => {
                limits.clock = Some(GameClock {
                    left,
                    increment,
                    moves_to_go: None,
                    overhead: OVERHEAD,
                });
            }
            (TimeControl::Move(_), Some(left)) => {
                limits.time = Some(left.saturating_sub(OVERHEAD * 2).min(USUAL_MOVE));
            }
            // Who has bounds comes to an end without a clock.
            _ if bounds.nodes.is_some() => {}
            _ => limits.time = Some(USUAL_MOVE),
        }
        limits
    }

    /// What another engine is asked for, and how long to wait for it.
    fn goal(&self) -> (Goal, Duration) {
        let mut goal = Goal::default();
        let left = self.clocks[self.line.board().turn().index()];
        match (self.control, left) {
            (TimeControl::Game { increment, .. }, Some(left)) => {
                goal.clocks = Some(self.clocks.map(Option::unwrap_or_default));
                goal.increments = [increment; 2];
                (goal, left + GRACE)
            }
            (TimeControl::Move(_), Some(left)) => {
                goal.time = Some(left.saturating_sub(OVERHEAD * 2).min(USUAL_MOVE));
                (goal, left + GRACE)
            }
            _ => {
                goal.time = Some(USUAL_MOVE);
                (goal, LONGEST_MOVE)
            }
        }
    }
}

/// The move of another engine, which is started if it does not run.
fn ask(
    program: &Program,
    client: &mut Option<(Client, bool)>,
    job: &Job,
    tell: &mut dyn FnMut(Report),
) -> Report {
    let found = ready(program, client, job).and_then(|client| {
        let (goal, timeout) = job.goal();
        client.go_until(
            &job.line,
            &goal,
            timeout,
            &job.signal,
            &mut |reported, pv| {
                if let Some(score) = reported.score {
                    tell(Report::Thinks(Thinks {
                        depth: reported.depth.unwrap_or_default(),
                        score,
                        nodes: reported.nodes.unwrap_or_default(),
                        pv: pv.to_vec(),
                    }));
                }
            },
        )
    });
    match found {
        Ok((found, pv)) => Report::Move {
            mv: found.best,
            thinks: found.reported.score.map(|score| Thinks {
                depth: found.reported.depth.unwrap_or_default(),
                score,
                nodes: found.reported.nodes.unwrap_or_default(),
                pv,
            }),
        },
        Err(error) => {
            // It is started again if it is asked again.
            *client = None;
            Report::Failed(error.to_string())
        }
    }
}

/// The engine, started and told which game it plays.
fn ready<'a>(
    program: &Program,
    client: &'a mut Option<(Client, bool)>,
    job: &Job,
) -> Result<&'a mut Client, ClientError> {
    let (client, chess960) = match client {
        Some(running) => running,
        none => {
            let mut started = program.start(STARTING)?;
            started.new_game(STARTING)?;
            none.insert((started, false))
        }
    };
    let wanted = is_chess960(job.line.start());
    if *chess960 != wanted {
        client.set_option("UCI_Chess960", if wanted { "true" } else { "false" })?;
        *chess960 = wanted;
    }
    Ok(client)
}

/// Positions that are looked at to judge another one: a fraction of a second.
const NODES: u64 = 50_000;

pub(super) fn judge(line: &Line) -> Option<Thinks> {
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let thought = Engine::default().think(line, &limits, &mut |_| {})?;
    Some(Thinks::of(&thought.info))
}
