//! How much thought a move may take.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// How much thought a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A clock for the whole game.
    Clock {
        /// The time at the start.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
    /// Positions to look at for each move.
    Nodes(u64),
    /// Plies to look ahead.
    Depth(u32),
    /// Time for each move.
    Move(Duration),
}

/// A text is no pace.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "give seconds and increment as in 60+0.6, or a limit for each move as in nodes=20000, depth=8 or move=0.5"
)]
pub struct PaceError;

impl FromStr for Pace {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Self, PaceError> {
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().map_err(|_| PaceError)?;
            if !(0.0..=1e6).contains(&seconds) {
                return Err(PaceError);
            }
            Ok(Duration::from_secs_f64(seconds))
        };
        if let Some((name, value)) = text.split_once('=') {
            return match name {
                "nodes" => value.parse().map(Self::Nodes).map_err(|_| PaceError),
                "depth" => value.parse().map(Self::Depth).map_err(|_| PaceError),
                "move" => seconds(value).map(Self::Move),
                _ => Err(PaceError),
            };
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Ok(Self::Clock {
            base: seconds(base)?,
            increment: seconds(increment)?,
        })
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock { base, increment } => {
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
            Self::Move(time) => write!(f, "move={}", time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read_as_they_are_written() {
        for text in [
            "60+0.6",
            "2+0.02",
            "0.5+0",
            "nodes=20000",
            "depth=8",
            "move=0.25",
        ] {
            assert_eq!(text.parse::<Pace>().unwrap().to_string(), text);
        }
        assert_eq!("5".parse::<Pace>().unwrap().to_string(), "5+0");
        for wrong in [
            "", "x", "1+", "-1+0", "nodes=", "nodes=-1", "plies=3", "1e99", "inf+1",
        ] {
            assert_eq!(wrong.parse::<Pace>(), Err(PaceError), "{wrong}");
        }
    }
}
