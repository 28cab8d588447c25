//! Playing many games at the same time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_engine::{Engine, HashSizeError, Network, StopSignal};
use thiserror::Error;

use crate::log::GameLog;
use crate::player::{SelfplaySettings, play_game};

/// How often to report progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// Megabytes of each thread's transposition table: enough for the nodes of a whole game.
const HASH: usize = 8;

/// Plays games until a file has enough.
#[derive(Clone, Debug)]
pub struct Generator {
    /// How to play them.
    pub settings: SelfplaySettings,
    /// The network to evaluate with; `None` for the built-in one.
    pub network: Option<Arc<Network>>,
    /// How many games to play at the same time.
    pub threads: usize,
    /// How many games the file should have.
    pub games: Option<u64>,
    /// How many positions it should have at least.
    pub positions: Option<u64>,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GenerationProgress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games played by this run.
    pub new_games: u64,
    /// Positions of these games.
    pub new_positions: u64,
    /// Openings that were discarded.
    pub rejected: u64,
    /// Time since the start of this run.
    pub time: Duration,
}

/// Why a run failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A game could not be written.
    #[error("cannot write a game: {0}")]
    Write(io::Error),
    /// The system starts no thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// There is not enough memory.
    #[error(transparent)]
    NoMemory(#[from] HashSizeError),
}

impl Generator {
    /// Plays games and adds them to a file until it has enough, or a signal stops it, which discards the games in
    /// progress. Reports progress from time to time.
    pub fn run(
        &self,
        log: &mut GameLog,
        signal: &StopSignal,
        report: &mut dyn FnMut(&GenerationProgress),
    ) -> Result<GenerationProgress, GenerateError> {
        let engines: Vec<Engine> = (0..self.threads.max(1))
            .map(|_| self.engine())
            .collect::<Result<_, _>>()?;
        let start = Instant::now();
        let done = log.done().clone();
        let mut progress = GenerationProgress {
            games: done.len() as u64,
            positions: log.positions(),
            ..GenerationProgress::default()
        };
        let next = AtomicU64::new(0);
        let positions = AtomicU64::new(progress.positions);
        // The number of the next game to play, if one is still needed.
        let take = || loop {
            let wanted = self.positions;
            if wanted.is_some_and(|wanted| positions.load(Ordering::Relaxed) >= wanted) {
                return None;
            }
            let number = next.fetch_add(1, Ordering::Relaxed);
            if self.games.is_some_and(|games| number >= games) {
                return None;
            }
            if !done.contains(&number) {
                return Some(number);
            }
        };
        let mut failed = None;
        thread::scope(|scope| {
            // No queue: a finished game waiting in it would be lost if the program were killed.
            let (sender, receiver) = sync_channel(0);
            let mut is_playing = false;
            for mut engine in engines {
                let (sender, take, settings) = (sender.clone(), &take, &self.settings);
                let positions = &positions;
                let play = move || {
                    while let Some(number) = take() {
                        let Some(game) = play_game(&mut engine, settings, number, signal) else {
                            break;
                        };
                        let new = game.0.records.len() as u64;
                        positions.fetch_add(new, Ordering::Relaxed);
                        if sender.send(game).is_err() {
                            break;
                        }
                    }
                };
                match thread::Builder::new().spawn_scoped(scope, play) {
                    Ok(_) => is_playing = true,
                    // Those that run play all games.
                    Err(_) if is_playing => break,
                    Err(error) => failed = Some(GenerateError::Thread(error)),
                }
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(REPORT_INTERVAL) {
                    Ok((block, rejected)) => {
                        if let Err(error) = log.append(&block) {
                            failed = Some(GenerateError::Write(error));
                            signal.stop();
                            break;
                        }
                        let new = block.records.len() as u64;
                        progress.games += 1;
                        progress.positions += new;
                        progress.new_games += 1;
                        progress.new_positions += new;
                        progress.rejected += rejected;
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                progress.time = start.elapsed();
                report(&progress);
            }
        });
        log.sync().map_err(GenerateError::Write)?;
        progress.time = start.elapsed();
        failed.map_or(Ok(progress), Err)
    }

    fn engine(&self) -> Result<Engine, HashSizeError> {
        let mut engine = Engine::default();
        engine.set_hash(HASH)?;
        if let Some(network) = &self.network {
            engine.set_network(network.clone());
        }
        Ok(engine)
    }
}
