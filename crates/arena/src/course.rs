//! How a tournament is played: tables, what they have finished, and what is still missing.

use std::collections::HashMap;
use std::iter;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::Color;
use tabiya_uci::ClientError;

use crate::game::{self, Played};
use crate::pool::Pool;
use crate::record::{Past, Record};
use crate::schedule::{Fixture, Form, Slot, pair};
use crate::sprt::Verdict;
use crate::standings::Standings;
use crate::swiss;
use crate::tournament::{MOST_FAILURES, News, Tournament, TournamentError};

/// How often somebody is told that time goes by.
const TICK: Duration = Duration::from_millis(250);

/// A game that a table has finished.
struct Finished {
    fixture: Fixture,
    played: Played,
    /// Whether the engines were there, White's first.
    has_started: [bool; 2],
    preparing: Duration,
}

/// All that goes on while a tournament is played.
pub(crate) struct Course<'a> {
    pub(crate) tournament: &'a Tournament,
    pub(crate) pool: &'a Pool<'a>,
    pub(crate) record: Option<Record>,
    /// The games that were played before and have not taken their places yet.
    pub(crate) past: HashMap<Slot, Past>,
    pub(crate) standings: Standings,
    /// How many games in a row each player could not be started for.
    pub(crate) failures: Vec<u32>,
    pub(crate) show: &'a mut dyn FnMut(News<'_>, &Standings),
}

impl Course<'_> {
    /// Plays all that is missing.
    pub(crate) fn run(&mut self) -> Result<(), TournamentError> {
        if let Some(fixtures) = self.tournament.fixtures() {
            self.play_all(fixtures)?;
        } else if let Form::Swiss { rounds } = self.tournament.form {
            for round in 1..=rounds {
                let fixtures = self.draw_round(round);
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

    /// The games of a round of a Swiss tournament.
    fn draw_round(&mut self, round: u32) -> Vec<Fixture> {
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

    /// Whether the test has an answer.
    fn is_decided(&self) -> bool {
        let test = self.tournament.sprt;
        test.is_some_and(|test| test.verdict(self.standings.table[0][1].pairs) != Verdict::Open)
    }

    /// Plays those of the games that have not been played.
    fn play_all(&mut self, fixtures: Vec<Fixture>) -> Result<(), TournamentError> {
        let missing = self.take_places(fixtures);
        if missing.is_empty() || self.is_decided() {
            return Ok(());
        }
        let tables = self.tournament.concurrency.clamp(1, missing.len());
        let queue = Mutex::new(missing.into_iter());
        let (tournament, pool) = (self.tournament, self.pool);
        thread::scope(|scope| {
            // Nobody plays far ahead of what is on the disk.
            let (sender, finished) = mpsc::sync_channel(tables);
            for _ in 0..tables {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || sit(tournament, pool, queue, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            let mut is_over = false;
            loop {
                match finished.recv_timeout(TICK) {
                    // What ends after the end is not counted, so that the same command gives the same result.
                    Ok(_) if is_over => {}
                    Ok(finished) => {
                        outcome = self.count(&finished);
                        is_over = outcome.is_err() || self.is_decided();
                        if is_over {
                            pool.stop();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => (self.show)(News::Nothing, &self.standings),
                    Err(RecvTimeoutError::Disconnected) => return outcome,
                }
            }
        })
    }

    /// Gives the games that were played before their places, and returns the others.
    fn take_places(&mut self, fixtures: Vec<Fixture>) -> Vec<Fixture> {
        fixtures
            .into_iter()
            .filter(|fixture| match self.past.remove(&fixture.slot) {
                Some(game) => {
                    self.standings.add(fixture, game.result, &game.termination);
                    self.standings.resumed += 1;
                    false
                }
                None => true,
            })
            .collect()
    }

    /// Keeps a game and counts it.
    fn count(&mut self, finished: &Finished) -> Result<(), TournamentError> {
        let Finished {
            fixture,
            played,
            has_started,
            preparing,
        } = finished;
        let termination = played.ending.termination();
        if let Some(record) = &mut self.record {
            let names = fixture
                .players
                .map(|player| self.standings.names[player].as_str());
            let pace = self.tournament.pace.to_string();
            record.add(&played.game, fixture.slot, names, &pace, termination)?;
        }
        let result = game::result(played.ending.winner());
        self.standings.add(fixture, result, termination);
        let cost = &mut self.standings.cost;
        cost.moves += played.effort.moves;
        cost.thinking += played.effort.thinking;
        cost.between += played.effort.between;
        cost.preparing += *preparing;
        let news = News::Ended {
            slot: fixture.slot,
            players: fixture.players,
            played,
        };
        (self.show)(news, &self.standings);
        for (player, has_started) in iter::zip(fixture.players, *has_started) {
            let failures = &mut self.failures[player];
            *failures = if has_started { 0 } else { *failures + 1 };
            if *failures == MOST_FAILURES {
                return Err(TournamentError::KeepsFailing {
                    name: self.standings.names[player].clone(),
                    reason: played.ending.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// Plays one game after the other, until there are no more or it is told to stop.
fn sit(
    tournament: &Tournament,
    pool: &Pool<'_>,
    queue: &Mutex<std::vec::IntoIter<Fixture>>,
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

/// Plays one game with engines from the pool. Nothing if it is interrupted.
fn play_one(tournament: &Tournament, fixture: Fixture, pool: &Pool<'_>) -> Option<Finished> {
    let start = Instant::now();
    let opening = &tournament.openings[fixture.opening % tournament.openings.len()];
    let [white, black] = fixture.players.map(|player| pool.take(player));
    let preparing = start.elapsed();
    let has_started = [white.is_ok(), black.is_ok()];
    let played = match (white, black) {
        (Ok(white), Ok(black)) => {
            let mut engines = [white, black];
            let played = game::play(
                &mut engines,
                opening,
                tournament.pace,
                &tournament.adjudication,
            );
            let broken = played.as_ref().map(|played| played.broken);
            for (color, client) in Color::ALL.into_iter().zip(engines) {
                // An interrupted one still thinks, and a broken one is of no use.
                if broken.is_some_and(|broken| broken != Some(color)) {
                    pool.give_back(fixture.players[color.index()], client);
                }
            }
            played?
        }
        (Err(ClientError::Interrupted), _) | (_, Err(ClientError::Interrupted)) => return None,
        (Err(error), other) => {
            if let Ok(client) = other {
                pool.give_back(fixture.players[1], client);
            }
            game::not_begun(opening, Color::White, game::sentence(&error))
        }
        (Ok(client), Err(error)) => {
            pool.give_back(fixture.players[0], client);
            game::not_begun(opening, Color::Black, game::sentence(&error))
        }
    };
    Some(Finished {
        fixture,
        played,
        has_started,
        preparing,
    })
}
