//! Time controls: how much time the players have.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// How much time the players have.
///
/// People write it as `5+3` (5 minutes and 3 seconds per move), `10s+0.1` (10 seconds and a tenth per move), `15` (15
/// minutes for the game), `30s/move` or `none`. A number before the plus sign is in minutes unless it has a unit (`s`,
/// `m` or `h`); a number after it is in seconds.
///
/// ```
/// use tabiya_notation::TimeControl;
///
/// let blitz: TimeControl = "5+3".parse()?;
/// assert_eq!(blitz.to_string(), "5 min + 3 s per move");
/// assert_eq!(blitz.to_tag(), "300+3");
/// assert_eq!(blitz.to_notation(), "5+3");
/// let bullet: TimeControl = "10s+0.1".parse()?;
/// assert_eq!(bullet.to_string(), "10 s + 0.1 s per move");
/// # Ok::<(), tabiya_notation::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum TimeControl {
    /// No clock.
    #[default]
    None,
    /// A time for the whole game, and more with every move.
    Game {
        /// The time at the start.
        base: Duration,
        /// The time that each move adds.
        increment: Duration,
    },
    /// A time for each move.
    Move(Duration),
}

/// A text that is not a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TimeControlError {
    /// The text cannot be read.
    #[error(
        "write 5+3 for 5 minutes and 3 seconds per move, 10s+0.1 for 10 seconds and a tenth per move, \
         30s/move for 30 seconds per move, or none"
    )]
    Syntax,
    /// A time per move without a unit.
    #[error("say whether these are seconds or minutes, as in 30s/move or 1m/move")]
    NoUnit,
    /// The players have no time to move.
    #[error("this is too short: each player needs at least 0.01 seconds")]
    TooShort,
    /// The time is absurd.
    #[error("this is too long: the limit is 24 hours")]
    TooLong,
}

impl TimeControl {
    /// The longest time on a clock: a day.
    pub const MAX: Duration = Duration::from_secs(86_400);
    /// The shortest time on a clock at the start.
    const MIN: Duration = Duration::from_millis(10);

    /// Returns the time on each clock at the start; `None` without a clock.
    pub const fn base(self) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Game { base, .. } => Some(base),
            Self::Move(limit) => Some(limit),
        }
    }

    /// Writes the time control as people type it: `5+3`, `10s+0.1`, `30s/move` or `none`.
    pub fn to_notation(self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Game { base, increment } => {
                let increment = increment.as_secs_f64();
                if base.subsec_nanos() == 0 && base.as_secs().is_multiple_of(60) {
                    format!("{}+{increment}", base.as_secs() / 60)
                } else {
                    format!("{}s+{increment}", base.as_secs_f64())
                }
            }
            Self::Move(limit) => format!("{}s/move", limit.as_secs_f64()),
        }
    }

    /// Writes the value of the PGN tag `TimeControl`: `300+3`, `-` without a clock, or `1/30` for 30 seconds per move.
    pub fn to_tag(self) -> String {
        match self {
            Self::None => "-".to_owned(),
            Self::Game { base, increment } => {
                format!("{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            Self::Move(limit) => format!("1/{}", limit.as_secs_f64()),
        }
    }

    /// Reads the value of the PGN tag `TimeControl`, as [`to_tag`](Self::to_tag) writes it.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            let time = Duration::try_from_secs_f64(seconds).ok();
            time.filter(|time| *time <= Self::MAX)
        };
        if tag == "-" {
            return Some(Self::None);
        }
        if let Some(limit) = tag.strip_prefix("1/") {
            return Some(Self::Move(seconds(limit)?));
        }
        let (base, increment) = tag.split_once('+').unwrap_or((tag, "0"));
        Some(Self::Game {
            base: seconds(base)?,
            increment: seconds(increment)?,
        })
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let text = text.trim();
        let control = if text.eq_ignore_ascii_case("none") {
            Self::None
        } else if let Some(limit) = text.strip_suffix("/move") {
            if limit.trim_end().ends_with(|c: char| c.is_ascii_digit()) {
                return Err(TimeControlError::NoUnit);
            }
            Self::Move(parse_time(limit, 1.0)?)
        } else {
            let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
            Self::Game {
                base: parse_time(base, 60.0)?,
                increment: parse_time(increment, 1.0)?,
            }
        };
        match control.base() {
            Some(base) if base < Self::MIN => Err(TimeControlError::TooShort),
            _ => Ok(control),
        }
    }
}

/// Reads a time with a unit, or a plain number in the default unit of this many seconds.
fn parse_time(text: &str, usual_unit: f64) -> Result<Duration, TimeControlError> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) if text.ends_with('s') => (number, 1.0),
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) => (number, 3600.0),
        None => (text, usual_unit),
    };
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let number: f64 = match number.trim_end().parse() {
        Ok(parsed) if number.trim_end().chars().all(is_number) => parsed,
        _ => return Err(TimeControlError::Syntax),
    };
    let seconds = number * unit;
    if seconds > TimeControl::MAX.as_secs_f64() {
        return Err(TimeControlError::TooLong);
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// With units: `5 min + 3 s per move`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no clock"),
            Self::Game { base, increment } => {
                f.write_str(&with_unit(*base))?;
                if increment.is_zero() {
                    return f.write_str(" per game");
                }
                write!(f, " + {} per move", with_unit(*increment))
            }
            Self::Move(limit) => write!(f, "{} per move", with_unit(*limit)),
        }
    }
}

/// Writes whole minutes as minutes, and any other time as seconds.
fn with_unit(time: Duration) -> String {
    if time.subsec_nanos() == 0 && time.as_secs() >= 60 && time.as_secs().is_multiple_of(60) {
        format!("{} min", time.as_secs() / 60)
    } else {
        format!("{} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for (text, shown, tag) in [
            ("none", "no clock", "-"),
            ("5+3", "5 min + 3 s per move", "300+3"),
            ("90+30", "90 min + 30 s per move", "5400+30"),
            ("15+0", "15 min per game", "900+0"),
            ("10s+0.1", "10 s + 0.1 s per move", "10+0.1"),
            ("0.5s+0", "0.5 s per game", "0.5+0"),
            ("30s/move", "30 s per move", "1/30"),
            ("0.05s/move", "0.05 s per move", "1/0.05"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_notation(), text);
            assert_eq!(control.to_string(), shown);
            assert_eq!(control.to_tag(), tag);
            assert_eq!(TimeControl::from_tag(tag), Some(control));
        }
    }

    #[test]
    fn one_time_control_can_be_written_in_several_ways() {
        for (text, same) in [
            ("15", "15+0"),
            ("0.5", "30s+0"),
            (" 5 + 3 ", "5+3"),
            ("5m+3s", "5+3"),
            ("300s+3", "5+3"),
            ("1h+30", "60+30"),
            ("1m/move", "60s/move"),
            ("NONE", "none"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_notation(), same);
        }
    }

    #[test]
    fn bad_time_controls_are_explained() {
        use TimeControlError::*;
        for (text, error) in [
            ("", Syntax),
            ("x", Syntax),
            ("5+", Syntax),
            ("-1+0", Syntax),
            ("1e9", Syntax),
            ("nan", Syntax),
            ("inf", Syntax),
            ("5+3+2", Syntax),
            ("s/move", Syntax),
            ("move=10", Syntax),
            ("40/90", Syntax),
            ("30/move", NoUnit),
            ("0", TooShort),
            ("0+5", TooShort),
            ("0s/move", TooShort),
            ("0.001s", TooShort),
            ("25h", TooLong),
            ("5+100000", TooLong),
            ("99999999999999999999", TooLong),
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(error), "{text}");
        }
    }
}
