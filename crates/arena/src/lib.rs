//! Many games between engines: matches and tournaments in which each opening is played twice with colours changed, with
//! clocks, a record that survives a crash, and what the results are worth.
#![forbid(unsafe_code)]

mod adjudication;
mod contestant;
mod course;
mod fingerprint;
mod game;
mod openings;
mod pace;
mod pool;
mod ratings;
mod record;
mod schedule;
mod sprt;
mod standings;
mod swiss;
mod tally;
mod tournament;

pub use adjudication::{Adjudication, Agreement, Resignation, RuleError};
pub use contestant::Contestant;
pub use game::{Ending, Played};
pub use openings::{OpeningsError, read_openings};
pub use pace::{Pace, PaceError};
pub use ratings::ratings;
pub use record::RecordError;
pub use schedule::{Form, Slot};
pub use sprt::{Model, Sprt, Verdict};
pub use standings::{Cost, Faults, Standings};
pub use tally::{Elo, Tally};
pub use tournament::{News, Tournament, TournamentError};
