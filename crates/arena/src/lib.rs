//! Many games between engines: each opening twice with colours changed, clocks, and what the result is worth.
#![forbid(unsafe_code)]

mod contestant;
mod game;
mod openings;
mod pace;
mod series;
mod tally;

pub use contestant::Contestant;
pub use game::{Ending, Played};
pub use openings::{OpeningsError, read_openings};
pub use pace::{Pace, PaceError};
pub use series::{Series, SeriesError};
pub use tally::{Elo, Sprt, Tally};
