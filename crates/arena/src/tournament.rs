//! A tournament: who plays, how, and what may go wrong.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tabiya_board::GameHistory;
use tabiya_uci::ClientError;
use thiserror::Error;

use crate::adjudication::AdjudicationRules;
use crate::engine_spec::EngineSpec;
use crate::run::TournamentRun;
use crate::fingerprint::Fingerprint;
use crate::game::PlayedGame;
use crate::search_limit::SearchLimit;
use crate::engine_pool::EnginePool;
use crate::record::{self, TournamentRecord, RecordError};
use crate::schedule::{ScheduledGame, TournamentFormat, Slot, pair};
use crate::sprt::Sprt;
use crate::standings::Standings;

/// An engine that could not be started for so many games in a row ends the tournament.
pub(crate) const MOST_FAILURES: u32 = 5;

/// A tournament, or a match if there are two players.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The players.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// How many pairs of games a meeting has.
    pub pairs: u32,
    /// Where the games begin: one after the other, and again from the first when there are too few.
    pub openings: Vec<GameHistory>,
    /// How much thought a move may take.
    pub limit: SearchLimit,
    /// When a game ends though the rules of chess would let it go on.
    pub adjudication: AdjudicationRules,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// A test that may end a match early.
    pub sprt: Option<Sprt>,
    /// The file that the games are kept in. What is there already of this tournament is not played again.
    pub record: Option<PathBuf>,
}

/// Why a tournament cannot begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// An engine does not start.
    #[error("{name} cannot play: {error}")]
    Start {
        /// What the engine is called.
        name: String,
        /// Why.
        error: ClientError,
    },
    /// An engine has stopped to start.
    #[error(
        "{name} could not be started for {MOST_FAILURES} games in a row: {reason}; the games up to now are kept"
    )]
    KeepsFailing {
        /// What the engine is called.
        name: String,
        /// What was wrong the last time.
        reason: String,
    },
    /// Games cannot be kept.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There are too few players.
    #[error("a tournament needs two players or more, and a gauntlet fewer first ones than players")]
    TooFew,
    /// There is no opening.
    #[error("there are no openings")]
    NoOpenings,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// It begins, or goes on: all engines have been started.
    Started {
        /// How many games of this tournament are in the file.
        games: u64,
        /// How many there are of others, which stay as they are.
        others: u64,
    },
    /// A game has ended.
    GameEnded {
        /// Which one.
        slot: Slot,
        /// The numbers of the players, White first.
        players: [usize; 2],
        /// The game.
        played: &'a PlayedGame,
    },
    /// Nothing but that time goes by.
    Tick,
}

impl Tournament {
    /// Plays what is missing, until all is over or somebody sets `stop`, and shows what happens. Games in progress are
    /// then lost, and their engines ended; all others are kept.
    ///
    /// An engine that crashes, hangs or makes a move that is not legal loses that game, and is started anew for the
    /// next. One that does not start loses the game, too; but if it does not start at all, or not for several games in a
    /// row, that ends the tournament.
    pub fn play(
        &self,
        stop: &Arc<AtomicBool>,
        show: &mut dyn FnMut(TournamentEvent<'_>, &Standings),
    ) -> Result<Standings, TournamentError> {
        let players = self.engines.len();
        let seeds_fit =
            !matches!(self.format, TournamentFormat::Gauntlet { seeds } if seeds == 0 || seeds >= players);
        if players < 2 || !seeds_fit {
            return Err(TournamentError::TooFew);
        }
        if self.openings.is_empty() {
            return Err(TournamentError::NoOpenings);
        }
        let pool = EnginePool::new(&self.engines, self.concurrency.max(1), stop);
        let names = self.start_all(&pool)?;
        let standings = Standings::new(names, self.format.games(players, self.pairs), 2 * self.pairs);
        let (record, past, others) = match &self.record {
            None => (None, HashMap::new(), 0),
            Some(path) => {
                let (record, past, others) = TournamentRecord::open(path, &self.event())?;
                (Some(record), past, others)
            }
        };
        let games = past.len() as u64;
        show(TournamentEvent::Started { games, others }, &standings);
        let mut course = TournamentRun {
            tournament: self,
            pool: &pool,
            record,
            recorded: past,
            standings,
            failures: vec![0; players],
            show,
        };
        course.run()?;
        course.standings.timing.ping = pool.ping();
        Ok(course.standings)
    }

    /// How many openings there have to be for none to come again.
    pub fn openings_needed(&self) -> usize {
        let rounds = match self.format {
            TournamentFormat::Swiss { rounds } => rounds as usize,
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet { .. } => 1,
        };
        rounds * self.pairs as usize
    }

    /// Starts every engine once, so that whatever is wrong is known at once, and asks for their names.
    fn start_all(&self, pool: &EnginePool<'_>) -> Result<Vec<String>, TournamentError> {
        let mut names: Vec<String> = Vec::new();
        for (player, contestant) in self.engines.iter().enumerate() {
            let client = pool.start(player).map_err(|error| TournamentError::Start {
                name: contestant
                    .name
                    .clone()
                    .unwrap_or_else(|| contestant.program.program.clone()),
                error,
            })?;
            let name = contestant.name.as_deref().unwrap_or(client.name());
            // Names get into tables and tags.
            names.push(name.chars().filter(|letter| !letter.is_control()).collect());
            pool.release(player, client);
        }
        Ok(unique_names(&names))
    }

    /// What the tournament is called in the tag `Event`: all that its games depend on, but not how many there are to be.
    fn event(&self) -> String {
        let mut fingerprint = Fingerprint::default();
        for contestant in &self.engines {
            contestant.identify(&mut fingerprint);
        }
        fingerprint.add(self.limit.to_tag().as_bytes());
        fingerprint.add(format!("{:?}", self.adjudication).as_bytes());
        let form = match self.format {
            TournamentFormat::RoundRobin => "everybody".to_owned(),
            TournamentFormat::Gauntlet { seeds } => format!("gauntlet {seeds}"),
            // The pairings depend on whole meetings.
            TournamentFormat::Swiss { .. } => format!("swiss {}", self.pairs),
        };
        fingerprint.add(form.as_bytes());
        for opening in &self.openings {
            fingerprint.add(opening.start().to_string().as_bytes());
            for mv in opening.moves() {
                fingerprint.add(mv.to_string().as_bytes());
            }
        }
        record::event(self.engines.len() == 2, fingerprint)
    }

    /// The games of all rounds, where they do not depend on results.
    pub(crate) fn schedule(&self) -> Option<Vec<ScheduledGame>> {
        let rounds = self.format.rounds(self.engines.len())?;
        let mut fixtures = Vec::new();
        // Everybody plays an opening before anybody plays the next one.
        for number in 0..self.pairs {
            for (index, meetings) in rounds.iter().enumerate() {
                let round = number * rounds.len() as u32 + index as u32 + 1;
                for (board, &players) in meetings.iter().enumerate() {
                    fixtures.extend(pair(round, board, 0, players, number as usize));
                }
            }
        }
        Some(fixtures)
    }
}

/// Names with a number behind those that come twice.
fn unique_names(names: &[String]) -> Vec<String> {
    let number = |at: usize| {
        names[..=at]
            .iter()
            .filter(|&name| *name == names[at])
            .count()
    };
    let is_twice = |at: usize| names.iter().filter(|&name| *name == names[at]).count() > 1;
    (0..names.len())
        .map(|at| {
            if is_twice(at) {
                format!("{} #{}", names[at], number(at))
            } else {
                names[at].clone()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let names = ["a", "b", "a"].map(str::to_owned);
        assert_eq!(unique_names(&names), ["a #1", "b", "a #2"]);
    }

    fn tournament(players: usize, form: TournamentFormat) -> Tournament {
        let contestant = EngineSpec::parse("no-such-engine").unwrap();
        Tournament {
            engines: vec![contestant; players],
            format: form,
            pairs: 2,
            openings: vec![GameHistory::default()],
            limit: SearchLimit::Depth(1),
            adjudication: AdjudicationRules::default(),
            concurrency: 1,
            sprt: None,
            record: None,
        }
    }

    #[test]
    fn every_game_has_its_own_place() {
        for (players, form) in [
            (2, TournamentFormat::RoundRobin),
            (5, TournamentFormat::RoundRobin),
            (6, TournamentFormat::Gauntlet { seeds: 2 }),
        ] {
            let tournament = tournament(players, form);
            let fixtures = tournament.schedule().unwrap();
            assert_eq!(fixtures.len() as u64, form.games(players, 2));
            let places: std::collections::HashSet<Slot> =
                fixtures.iter().map(|fixture| fixture.slot).collect();
            assert_eq!(places.len(), fixtures.len());
        }
    }

    #[test]
    fn more_games_are_the_same_match() {
        let short = tournament(2, TournamentFormat::RoundRobin);
        let mut long = short.clone();
        long.pairs = 50;
        long.concurrency = 4;
        assert_eq!(short.event(), long.event());
        long.limit = SearchLimit::Depth(2);
        assert_ne!(short.event(), long.event());
    }

    #[test]
    fn what_cannot_begin() {
        let play = |tournament: &Tournament| {
            let stop = Arc::new(AtomicBool::new(false));
            let error = tournament.play(&stop, &mut |_, _| {}).unwrap_err();
            error.to_string()
        };
        assert!(play(&tournament(1, TournamentFormat::RoundRobin)).contains("two players"));
        assert!(play(&tournament(2, TournamentFormat::Gauntlet { seeds: 2 })).contains("fewer"));
        let error = play(&tournament(2, TournamentFormat::RoundRobin));
        assert!(
            error.starts_with("no-such-engine cannot play: the engine no-such-engine cannot be"),
            "{error}"
        );
    }
}
