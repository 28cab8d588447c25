//! A tournament: its players, its rules, and its errors.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tabiya_board::GameHistory;
use tabiya_notation::printable;
use tabiya_uci::ClientError;
use thiserror::Error;

use crate::adjudication::AdjudicationRules;
use crate::engine_pool::EnginePool;
use crate::engine_spec::EngineSpec;
use crate::fingerprint::Fingerprint;
use crate::game::PlayedGame;
use crate::record::{self, MatchRecordError, TournamentRecord};
use crate::run::TournamentRun;
use crate::schedule::{ScheduledGame, Slot, TournamentFormat, pair};
use crate::search_limit::SearchLimit;
use crate::sprt::Sprt;
use crate::standings::Standings;

/// How many games in a row an engine may fail to start before the tournament ends.
pub(crate) const MAX_START_FAILURES: u32 = 5;

/// A tournament, or a match if there are two players.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: TournamentFormat,
    /// How many pairs of games two opponents play.
    pub pairs: u32,
    /// The openings, used in order, and again from the first if there are too few.
    pub openings: Vec<GameHistory>,
    /// How long the engines may think.
    pub limit: SearchLimit,
    /// When to end games whose result is clear.
    pub adjudication: AdjudicationRules,
    /// How many games to play at the same time.
    pub concurrency: usize,
    /// A test that can end a match early.
    pub sprt: Option<Sprt>,
    /// The file for the games. Games of this tournament that it already has are not played again.
    pub record: Option<PathBuf>,
}

/// Why a tournament cannot start or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// An engine did not start.
    #[error("{name} cannot play: {error}")]
    Start {
        /// The name of the engine.
        name: String,
        /// The reason.
        error: ClientError,
    },
    /// An engine no longer starts.
    #[error(
        "{name} could not be started for {MAX_START_FAILURES} games in a row: {reason}; the games so far are kept"
    )]
    KeepsFailing {
        /// The name of the engine.
        name: String,
        /// What went wrong the last time.
        reason: String,
    },
    /// The system starts no thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The file of games cannot be used.
    #[error(transparent)]
    Record(#[from] MatchRecordError),
    /// There are too few engines.
    #[error("a tournament needs two engines or more, and a gauntlet fewer seeds than engines")]
    TooFew,
    /// There are no openings.
    #[error("a tournament needs at least one opening")]
    NoOpenings,
}

/// Something that happened in a tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// It starts or continues: every engine has been started once.
    Started {
        /// How many games of this tournament the file already has.
        games: u64,
        /// How many other games it has.
        others: u64,
    },
    /// A game ended.
    GameEnded {
        /// Its place in the tournament.
        slot: Slot,
        /// The numbers of the engines, White first.
        players: [usize; 2],
        /// The game.
        played: &'a PlayedGame,
    },
    /// The system did not start all threads. Fewer games are played at the same time.
    FewerThreads {
        /// How many games are played at the same time.
        running: usize,
        /// How many were to be.
        wanted: usize,
    },
    /// Time has passed.
    Tick,
}

impl Tournament {
    /// Plays the missing games until the tournament is over or `stop` is set, and reports what happens. Stopping loses
    /// the games in progress and ends their engines; all other games are kept.
    ///
    /// An engine that crashes, hangs or makes an illegal move loses that game, and is restarted for the next. An engine
    /// that does not start loses the game, too. If it never starts, or fails to start for several games in a row, the
    /// tournament ends with an error.
    pub fn play(
        &self,
        stop: &Arc<AtomicBool>,
        show: &mut dyn FnMut(TournamentEvent<'_>, &Standings),
    ) -> Result<Standings, TournamentError> {
        let players = self.engines.len();
        let seeds_fit = !matches!(self.format, TournamentFormat::Gauntlet { seeds } if seeds == 0 || seeds >= players);
        if players < 2 || !seeds_fit {
            return Err(TournamentError::TooFew);
        }
        if self.openings.is_empty() {
            return Err(TournamentError::NoOpenings);
        }
        let pool = EnginePool::new(&self.engines, self.concurrency.max(1), stop);
        let names = self.start_all(&pool)?;
        let standings = Standings::new(
            names,
            self.format.games(players, self.pairs),
            2 * self.pairs,
        );
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

    /// Returns how many openings it takes to use none twice.
    pub fn openings_needed(&self) -> usize {
        let rounds = match self.format {
            TournamentFormat::Swiss { rounds } => rounds as usize,
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet { .. } => 1,
        };
        rounds * self.pairs as usize
    }

    /// Starts every engine once, so that a wrong command is an error at once, and returns their names.
    fn start_all(&self, pool: &EnginePool<'_>) -> Result<Vec<String>, TournamentError> {
        let mut names: Vec<String> = Vec::new();
        for (player, engine) in self.engines.iter().enumerate() {
            let client = pool.start(player).map_err(|error| TournamentError::Start {
                name: engine
                    .name
                    .clone()
                    .unwrap_or_else(|| engine.program.program.clone()),
                error,
            })?;
            let name = engine.name.as_deref().unwrap_or(client.name());
            // Names appear in tables and tags.
            names.push(printable(name));
            pool.release(player, client);
        }
        Ok(unique_names(&names))
    }

    /// Returns the tag `Event`, which depends on everything that the games depend on, but not on their number.
    fn event(&self) -> String {
        let mut fingerprint = Fingerprint::default();
        for engine in &self.engines {
            engine.identify(&mut fingerprint);
        }
        fingerprint.add(self.limit.to_tag().as_bytes());
        fingerprint.add(format!("{:?}", self.adjudication).as_bytes());
        let form = match self.format {
            TournamentFormat::RoundRobin => "everybody".to_owned(),
            TournamentFormat::Gauntlet { seeds } => format!("gauntlet {seeds}"),
            // The pairings depend on the results of whole meetings.
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

    /// Returns the games of all rounds; `None` if the pairings depend on results.
    pub(crate) fn schedule(&self) -> Option<Vec<ScheduledGame>> {
        let rounds = self.format.rounds(self.engines.len())?;
        let mut fixtures = Vec::new();
        // All meetings play one opening before any plays the next.
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

/// Numbers the names that appear more than once.
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
    fn equal_names_are_numbered() {
        let names = ["a", "b", "a"].map(str::to_owned);
        assert_eq!(unique_names(&names), ["a #1", "b", "a #2"]);
    }

    fn tournament(players: usize, form: TournamentFormat) -> Tournament {
        let engine = EngineSpec::parse("no-such-engine").unwrap();
        Tournament {
            engines: vec![engine; players],
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
    fn every_game_has_its_own_slot() {
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
    fn more_games_extend_the_same_match() {
        let short = tournament(2, TournamentFormat::RoundRobin);
        let mut long = short.clone();
        long.pairs = 50;
        long.concurrency = 4;
        assert_eq!(short.event(), long.event());
        long.limit = SearchLimit::Depth(2);
        assert_ne!(short.event(), long.event());
    }

    #[test]
    fn impossible_tournaments_are_errors() {
        let play = |tournament: &Tournament| {
            let stop = Arc::new(AtomicBool::new(false));
            let error = tournament.play(&stop, &mut |_, _| {}).unwrap_err();
            error.to_string()
        };
        assert!(play(&tournament(1, TournamentFormat::RoundRobin)).contains("two engines"));
        assert!(play(&tournament(2, TournamentFormat::Gauntlet { seeds: 2 })).contains("fewer"));
        let error = play(&tournament(2, TournamentFormat::RoundRobin));
        assert!(
            error.starts_with("no-such-engine cannot play: the engine no-such-engine cannot be"),
            "{error}"
        );
    }
}
