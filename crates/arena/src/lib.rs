//! Matches and tournaments between engines. Each opening is played twice, with colours reversed. The games are kept in
//! a record that survives a crash, and the results come with their statistical error.
#![forbid(unsafe_code)]

mod adjudication;
mod engine_pool;
mod engine_spec;
mod fingerprint;
mod game;
mod json;
mod openings;
mod ratings;
mod record;
pub mod report;
mod run;
mod schedule;
mod search_limit;
mod sprt;
mod standings;
mod swiss;
mod tally;
mod tournament;

pub use adjudication::{AdjudicationRules, Adjudicator, DrawRule, ParseRuleError, ResignRule};
pub use engine_spec::EngineSpec;
pub use game::{PlayedGame, Termination};
pub use json::{StandingsJson, standings_json};
pub use openings::{OpeningsError, read_openings, shuffle_openings};
pub use ratings::ratings;
pub use record::MatchRecordError;
pub use schedule::{Slot, TournamentFormat};
pub use search_limit::SearchLimit;
pub use sprt::{EloModel, Sprt, SprtDecision};
pub use standings::{Forfeits, Standings, Timing};
pub use tally::{Elo, Tally};
pub use tournament::{Tournament, TournamentError, TournamentEvent};
