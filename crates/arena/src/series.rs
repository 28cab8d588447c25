//! A match: many games between two engines, some at the same time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tabiya_board::{Color, Line};
use tabiya_uci::{Client, ClientError};
use thiserror::Error;

use crate::contestant::Contestant;
use crate::game::{self, Played};
use crate::pace::Pace;
use crate::tally::{Sprt, Tally};

/// How long an engine may take to get ready for another game.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A match between two engines.
#[derive(Clone, Debug)]
pub struct Series {
    /// The two engines.
    pub contestants: [Contestant; 2],
    /// Where the games begin: one after the other, and again from the first when there are too few.
    pub openings: Vec<Line>,
    /// How many pairs of games to play: each opening is played with both colours.
    pub pairs: usize,
    /// How much thought a move may take.
    pub pace: Pace,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// Whether a game ends when both engines agree on its result.
    pub adjudicate: bool,
    /// A test that may end the match early.
    pub sprt: Option<Sprt>,
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// An engine does not start.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// The two engines of one table, started anew when they break.
struct Table<'a> {
    contestants: &'a [Contestant; 2],
    clients: [Option<Client>; 2],
}

impl Table<'_> {
    fn play(
        &mut self,
        series: &Series,
        opening: &Line,
        first_is: Color,
    ) -> Result<Played, ClientError> {
        for (client, contestant) in self.clients.iter_mut().zip(self.contestants) {
            let ready = client
                .as_mut()
                .is_some_and(|client| client.new_game(TIMEOUT).is_ok());
            if !ready {
                let mut started = contestant.start()?;
                started.new_game(TIMEOUT)?;
                *client = Some(started);
            }
        }
        let [Some(first), Some(second)] = &mut self.clients else {
            return Err(ClientError::Ended);
        };
        let engines = match first_is {
            Color::White => [first, second],
            Color::Black => [second, first],
        };
        let played = game::play(engines, opening, series.pace, series.adjudicate);
        if let Some(color) = played.broken {
            self.clients[usize::from(color != first_is)] = None;
        }
        Ok(played)
    }
}

/// The half-points of the first engine, which had this colour.
fn half_points(played: &Played, first_is: Color) -> u32 {
    match played.winner {
        None => 1,
        Some(winner) if winner == first_is => 2,
        Some(_) => 0,
    }
}

impl Series {
    /// Plays the match. Every pair of games is shown with the tally so far when it is over.
    pub fn play(&self, mut show: impl FnMut(&[Played; 2], &Tally)) -> Result<Tally, SeriesError> {
        let next = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        let mut tally = Tally::default();
        let mut failure = None;
        thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            for _ in 0..self.concurrency.clamp(1, self.pairs.max(1)) {
                let (sender, next, over) = (sender.clone(), &next, &over);
                scope.spawn(move || {
                    let mut table = Table {
                        contestants: &self.contestants,
                        clients: [None, None],
                    };
                    while !over.load(Ordering::Relaxed) {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= self.pairs {
                            return;
                        }
                        let opening = &self.openings[pair % self.openings.len()];
                        let games = Color::ALL.map(|color| table.play(self, opening, color));
                        let games = match games {
                            [Ok(first), Ok(second)] => Ok([first, second]),
                            [Err(error), _] | [_, Err(error)] => Err(error),
                        };
                        let failed = games.is_err();
                        if sender.send(games).is_err() || failed {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for games in finished {
                match games {
                    Ok(games) => {
                        let [white, black] = &games;
                        tally.add_pair(
                            half_points(white, Color::White),
                            half_points(black, Color::Black),
                        );
                        show(&games, &tally);
                        let decided = self
                            .sprt
                            .is_some_and(|test| tally.likelihood_ratio(test).abs() >= Sprt::BOUND);
                        if decided {
                            over.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        failure = Some(error);
                    }
                }
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(tally),
        }
    }
}
