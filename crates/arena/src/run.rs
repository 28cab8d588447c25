//! Playing a tournament: threads that play games, and the loop that counts and records them.

use std::collections::HashMap;
use std::iter;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::Color;
use tabiya_notation::printable;
use tabiya_uci::ClientError;

use crate::engine_pool::EnginePool;
use crate::game::{self, PlayedGame};
use crate::record::{RecordedGame, TournamentRecord};
use crate::schedule::{ScheduledGame, Slot, TournamentFormat, pair};
use crate::sprt::SprtDecision;
use crate::standings::Standings;
use crate::swiss;
use crate::tournament::{MAX_START_FAILURES, Tournament, TournamentError, TournamentEvent};

/// How often to report that time has passed.
const TICK: Duration = Duration::from_millis(250);

/// A game that a thread has finished.
struct Finished {
    fixture: ScheduledGame,
    played: PlayedGame,
    /// Whether the engines started, White's first.
    has_started: [bool; 2],
    /// The time it took to get the engines ready.
    preparing: Duration,
}

/// A tournament in progress.
pub(crate) struct TournamentRun<'a> {
    pub(crate) tournament: &'a Tournament,
    pub(crate) pool: &'a EnginePool<'a>,
    pub(crate) record: Option<TournamentRecord>,
    /// Games of earlier runs that have not been counted yet.
    pub(crate) recorded: HashMap<Slot, RecordedGame>,
    pub(crate) standings: Standings,
    /// For how many games in a row each engine failed to start.
    pub(crate) failures: Vec<u32>,
    pub(crate) show: &'a mut dyn FnMut(TournamentEvent<'_>, &Standings),
}

impl TournamentRun<'_> {
    /// Plays all missing games.
    pub(crate) fn run(&mut self) -> Result<(), TournamentError> {
        if let Some(fixtures) = self.tournament.schedule() {
            self.play_all(fixtures)?;
        } else if let TournamentFormat::Swiss { rounds } = self.tournament.format {
            for round in 1..=rounds {
                let fixtures = self.pair_round(round);
                self.play_all(fixtures)?;
                if self.pool.is_stopped() {
                    break;
                }
            }
        }
        self.standings.complete =
            self.standings.played == self.standings.games || self.is_decided();
        Ok(())
    }

    /// Pairs the next round of a Swiss tournament.
    fn pair_round(&mut self, round: u32) -> Vec<ScheduledGame> {
        let (meetings, left_over) = swiss::pair(&self.standings.before_round());
        if let Some(player) = left_over {
            self.standings.add_bye(player);
        }
        let pairs = self.tournament.pairs;
        let mut fixtures = Vec::new();
        for number in 0..pairs {
            let opening = ((round - 1) * pairs + number) as usize;
            for (board, &players) in meetings.iter().enumerate() {
                fixtures.extend(pair(round, board, number, players, opening));
            }
        }
        fixtures
    }

    /// Whether the SPRT has reached a decision.
    fn is_decided(&self) -> bool {
        let test = self.tournament.sprt;
        test.is_some_and(|test| {
            test.decision(self.standings.table[0][1].pairs) != SprtDecision::Continue
        })
    }

    /// Plays the games that are not recorded yet.
    fn play_all(&mut self, fixtures: Vec<ScheduledGame>) -> Result<(), TournamentError> {
        let missing = self.count_recorded(fixtures);
        if missing.is_empty() || self.is_decided() {
            return Ok(());
        }
        let threads = self.tournament.concurrency.clamp(1, missing.len());
        let queue = Mutex::new(missing.into_iter());
        let (tournament, pool) = (self.tournament, self.pool);
        thread::scope(|scope| {
            // The channel is short, so that few finished games wait for the disk.
            let (sender, finished) = mpsc::sync_channel(threads);
            for running in 0..threads {
                let (sender, queue) = (sender.clone(), &queue);
                let play = move || play_games(tournament, pool, queue, &sender);
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, play) {
                    if running == 0 {
                        return Err(TournamentError::Thread(error));
                    }
                    let event = TournamentEvent::FewerThreads {
                        running,
                        wanted: threads,
                    };
                    (self.show)(event, &self.standings);
                    break;
                }
            }
            drop(sender);
            let mut outcome = Ok(());
            let mut is_over = false;
            loop {
                match finished.recv_timeout(TICK) {
                    // Games that end after the decision do not count, so that the same command gives the same result.
                    Ok(_) if is_over => {}
                    Ok(finished) => {
                        outcome = self.count(&finished);
                        is_over = outcome.is_err() || self.is_decided();
                        if is_over {
                            pool.stop();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        (self.show)(TournamentEvent::Tick, &self.standings);
                    }
                    Err(RecvTimeoutError::Disconnected) => return outcome,
                }
            }
        })
    }

    /// Counts the games that are already recorded, and returns the others.
    fn count_recorded(&mut self, fixtures: Vec<ScheduledGame>) -> Vec<ScheduledGame> {
        fixtures
            .into_iter()
            .filter(|fixture| match self.recorded.remove(&fixture.slot) {
                Some(game) => {
                    self.standings.add(fixture, game.result, &game.termination);
                    self.standings.resumed += 1;
                    false
                }
                None => true,
            })
            .collect()
    }

    /// Records a game and counts it.
    fn count(&mut self, finished: &Finished) -> Result<(), TournamentError> {
        let Finished {
            fixture,
            played,
            has_started,
            preparing,
        } = finished;
        let termination = played.termination.pgn_tag();
        if let Some(record) = &mut self.record {
            let names = fixture
                .players
                .map(|player| self.standings.names[player].as_str());
            let time_control = self.tournament.limit.to_tag();
            record.add(
                &played.game,
                fixture.slot,
                names,
                &time_control,
                termination,
            )?;
        }
        let result = game::result(played.termination.winner());
        self.standings.add(fixture, result, termination);
        let cost = &mut self.standings.timing;
        cost.moves += played.timing.moves;
        cost.thinking += played.timing.thinking;
        cost.between += played.timing.between;
        cost.preparing += *preparing;
        let news = TournamentEvent::GameEnded {
            slot: fixture.slot,
            players: fixture.players,
            played,
        };
        (self.show)(news, &self.standings);
        for (player, has_started) in iter::zip(fixture.players, *has_started) {
            let failures = &mut self.failures[player];
            *failures = if has_started { 0 } else { *failures + 1 };
            if *failures == MAX_START_FAILURES {
                return Err(TournamentError::KeepsFailing {
                    name: self.standings.names[player].clone(),
                    reason: played.termination.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Plays games until there are no more, or the tournament is stopped.
fn play_games(
    tournament: &Tournament,
    pool: &EnginePool<'_>,
    queue: &Mutex<std::vec::IntoIter<ScheduledGame>>,
    sender: &SyncSender<Finished>,
) {
    while !pool.is_stopped() {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let finished = next.and_then(|fixture| play_one(tournament, fixture, pool));
        let Some(finished) = finished else { return };
        if sender.send(finished).is_err() {
            return;
        }
    }
}

/// Plays a game with engines from the pool; `None` if it is interrupted.
fn play_one(
    tournament: &Tournament,
    fixture: ScheduledGame,
    pool: &EnginePool<'_>,
) -> Option<Finished> {
    let start = Instant::now();
    let opening = &tournament.openings[fixture.opening % tournament.openings.len()];
    let [white, black] = fixture.players.map(|player| pool.acquire(player));
    let preparing = start.elapsed();
    let has_started = [white.is_ok(), black.is_ok()];
    let played = match (white, black) {
        (Ok(white), Ok(black)) => {
            let mut engines = [white, black];
            let played = game::play(
                &mut engines,
                opening,
                tournament.limit,
                &tournament.adjudication,
            );
            let broken = played.as_ref().map(|played| played.broken);
            for (color, client) in Color::ALL.into_iter().zip(engines) {
                // An interrupted engine still thinks, and a broken one is useless.
                if broken.is_some_and(|broken| broken != Some(color)) {
                    pool.release(fixture.players[color.index()], client);
                }
            }
            played?
        }
        (Err(ClientError::Interrupted), _) | (_, Err(ClientError::Interrupted)) => return None,
        (Err(error), other) => {
            if let Ok(client) = other {
                pool.release(fixture.players[1], client);
            }
            game::not_begun(opening, Color::White, printable(&error.to_string()))
        }
        (Ok(client), Err(error)) => {
            pool.release(fixture.players[0], client);
            game::not_begun(opening, Color::Black, printable(&error.to_string()))
        }
    };
    Some(Finished {
        fixture,
        played,
        has_started,
        preparing,
    })
}
