//! The thread of a computer player.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use tabiya_board::GameHistory;
use tabiya_engine::{Engine, GameClock, Limits, SearchEvent, StopSignal, book};
use tabiya_notation::uci::SearchInfo;
use tabiya_uci::{Client, ClientError, EngineCommand, GoLimits};

use super::PlayerUpdate;
use crate::game::is_chess960;
use crate::player::Player;
use tabiya_notation::TimeControl;

/// Time limit for another engine to start and get ready.
const STARTING: Duration = Duration::from_secs(20);
/// Time limit for another engine's move without a clock, and the time it is asked to think.
const MOVE_TIMEOUT: Duration = Duration::from_secs(600);
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(3);
/// How late an engine's move may be before it counts as hung. Its flag falls earlier.
const GRACE: Duration = Duration::from_secs(5);
/// Time lost between the search and the clock.
const OVERHEAD: Duration = Duration::from_millis(30);

/// A position to think about.
pub(super) struct Job {
    pub(super) history: GameHistory,
    pub(super) control: TimeControl,
    pub(super) clocks: [Option<Duration>; 2],
    /// Set when the move is no longer needed.
    pub(super) cancelled: Arc<AtomicBool>,
}

/// How a player uses the opening book.
#[derive(Clone, Copy)]
pub(super) struct Book {
    /// For choosing moves at random.
    seed: u64,
    /// The number of plies, from the start of the game, that it knows.
    plies: usize,
}

/// The engine behind a computer player.
pub(super) enum ComputerWorker {
    Computer {
        engine: Box<Engine>,
        book: Option<Book>,
        /// Limits for each move in addition to the clock.
        limits: Limits,
    },
    Program {
        command: EngineCommand,
        /// The running engine, and whether it is in Chess960 mode.
        client: Option<(Client, bool)>,
        /// Set when the engine is no longer needed.
        given_up: Arc<AtomicBool>,
    },
}

impl ComputerWorker {
    pub(super) fn new(player: &Player, seed: u64, given_up: &Arc<AtomicBool>) -> Option<Self> {
        match player {
            Player::Person(_) => None,
            Player::Computer(level) => {
                let mut engine = Box::new(Engine::default());
                engine.set_strength(level.strength(), seed);
                Some(Self::Computer {
                    engine,
                    book: Some(Book {
                        seed,
                        plies: level.book_plies(),
                    }),
                    limits: Limits::default(),
                })
            }
            Player::Limited { depth, nodes } => Some(Self::Computer {
                engine: Box::default(),
                book: None,
                limits: Limits {
                    depth: Some(*depth),
                    nodes: Some(*nodes),
                    ..Limits::default()
                },
            }),
            Player::Engine(command) => Some(Self::Program {
                command: command.clone(),
                client: None,
                given_up: Arc::clone(given_up),
            }),
        }
    }

    /// Finds a move. Stopping the signal ends the search with the best move so far.
    pub(super) fn run(&mut self, job: &Job, signal: &StopSignal, updates: &Sender<PlayerUpdate>) {
        if job.cancelled.load(Ordering::Relaxed) {
            return;
        }
        let mut send = |update| {
            // The player may have been dropped.
            let _ = updates.send(update);
        };
        let update = match self {
            Self::Computer {
                engine,
                book,
                limits,
            } => search(engine, *book, limits, job, signal, &mut send),
            Self::Program {
                command,
                client,
                given_up,
            } => {
                let running = ready(command, client, given_up, job);
                let update = running.and_then(|running| ask(running, job, signal, &mut send));
                update.unwrap_or_else(|error| {
                    // The next job starts it again.
                    *client = None;
                    PlayerUpdate::Failed(error.to_string())
                })
            }
        };
        send(update);
    }
}

/// Finds a move with Tabiya's engine.
fn search(
    engine: &mut Engine,
    book: Option<Book>,
    limits: &Limits,
    job: &Job,
    signal: &StopSignal,
    send: &mut dyn FnMut(PlayerUpdate),
) -> PlayerUpdate {
    let board = job.history.board();
    if let Some(Book { seed, plies }) = book
        && job.history.moves().len() < plies
        && let Some(mv) = book::choose(board, seed)
    {
        return PlayerUpdate::Move {
            mv,
            search_info: None,
        };
    }
    let limits = job.limits(limits);
    let found = engine.think_until(&job.history, &limits, signal, &mut |event| {
        if let SearchEvent::Info(info) = event
            && info.multipv == 1
        {
            send(PlayerUpdate::SearchInfo(info.clone()));
        }
    });
    match found {
        Some(found) => PlayerUpdate::Move {
            mv: found.best,
            search_info: Some(found.info),
        },
        None => PlayerUpdate::Failed("it has no legal move".to_owned()),
    }
}

impl Job {
    /// The limits for Tabiya's engine: the player's own limits and the clock. The level adds its limits to these.
    fn limits(&self, own: &Limits) -> Limits {
        let mut limits = own.clone();
        let left = self.clocks[self.history.board().turn().index()];
        match (self.control, left) {
            (TimeControl::Game { increment, .. }, Some(left)) => {
                limits.clock = Some(GameClock {
                    remaining: left,
                    increment,
                    moves_to_go: None,
                    overhead: OVERHEAD,
                });
            }
            (TimeControl::Move(_), Some(left)) => {
                limits.time = Some(left.saturating_sub(OVERHEAD * 2).min(DEFAULT_MOVE_TIME));
            }
            // A node limit ends the search without a clock.
            _ if own.nodes.is_some() => {}
            _ => limits.time = Some(DEFAULT_MOVE_TIME),
        }
        limits
    }

    /// The limits for another engine, and how long to wait for its move.
    fn goal(&self) -> (GoLimits, Duration) {
        let mut goal = GoLimits::default();
        let left = self.clocks[self.history.board().turn().index()];
        match (self.control, left) {
            (TimeControl::Game { increment, .. }, Some(left)) => {
                goal.clocks = Some(self.clocks.map(Option::unwrap_or_default));
                goal.increments = [increment; 2];
                (goal, left + GRACE)
            }
            (TimeControl::Move(_), Some(left)) => {
                goal.time = Some(left.saturating_sub(OVERHEAD * 2).min(DEFAULT_MOVE_TIME));
                (goal, left + GRACE)
            }
            _ => {
                goal.time = Some(DEFAULT_MOVE_TIME);
                (goal, MOVE_TIMEOUT)
            }
        }
    }
}

/// Asks another engine for a move.
fn ask(
    client: &mut Client,
    job: &Job,
    signal: &StopSignal,
    send: &mut dyn FnMut(PlayerUpdate),
) -> Result<PlayerUpdate, ClientError> {
    let (goal, timeout) = job.goal();
    let found = client.go_until(
        &job.history,
        &goal,
        timeout,
        &|| signal.is_stopped(),
        &mut |info| send(PlayerUpdate::SearchInfo(info.clone())),
    )?;
    Ok(PlayerUpdate::Move {
        mv: found.best,
        search_info: found.info,
    })
}

/// Starts the engine if necessary, and sets it up for the game.
fn ready<'a>(
    command: &EngineCommand,
    client: &'a mut Option<(Client, bool)>,
    given_up: &Arc<AtomicBool>,
    job: &Job,
) -> Result<&'a mut Client, ClientError> {
    let (client, chess960) = match client {
        Some(running) => running,
        none => {
            let mut started = command.start(STARTING)?;
            started.interrupt_on(Arc::clone(given_up));
            started.new_game(STARTING)?;
            none.insert((started, false))
        }
    };
    let wanted = is_chess960(job.history.start());
    if *chess960 != wanted {
        client.set_option("UCI_Chess960", if wanted { "true" } else { "false" })?;
        *chess960 = wanted;
    }
    Ok(client)
}

/// Nodes for a quick evaluation, which takes a fraction of a second.
const QUICK_EVAL_NODES: u64 = 50_000;

pub(super) fn quick_eval(history: &GameHistory) -> Option<SearchInfo> {
    let limits = Limits {
        nodes: Some(QUICK_EVAL_NODES),
        ..Limits::default()
    };
    let found = Engine::default().think(history, &limits, &mut |_| {})?;
    Some(found.info)
}
