//! The chess clock.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use tabiya_board::Color;
use thiserror::Error;

/// How much time the players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// As much as they like.
    #[default]
    None,
    /// So much for the whole game, and more with every move.
    Game {
        /// The time at the start.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
    /// So much for each move.
    Move(Duration),
}

/// A text is no time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "give minutes and the seconds that each move adds, as in 5+3, or the seconds for each move, as in move=10, or none"
)]
pub struct TimeControlError;

/// No clock shows more: a day.
pub(crate) const LONGEST: Duration = Duration::from_secs(86_400);
/// No clock shows less at its start: nobody can move faster.
const SHORTEST: Duration = Duration::from_millis(100);

/// Reads `none`, minutes and seconds as in `5+3` or `0.5`, or the seconds for each move as in `move=10`.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let seconds = |text: &str, unit: f64| {
            let number: f64 = text.trim().parse().map_err(|_| TimeControlError)?;
            let seconds = number * unit;
            if !(0.0..=LONGEST.as_secs_f64()).contains(&seconds) {
                return Err(TimeControlError);
            }
            Ok(Duration::from_secs_f64(seconds))
        };
        let text = text.trim();
        let control = if text.eq_ignore_ascii_case("none") {
            Self::None
        } else if let Some(limit) = text.strip_prefix("move=") {
            Self::Move(seconds(limit, 1.0)?)
        } else {
            let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
            Self::Game {
                base: seconds(base, 60.0)?,
                increment: seconds(increment, 1.0)?,
            }
        };
        match control.at_start() {
            Some(least) if least < SHORTEST => Err(TimeControlError),
            _ => Ok(control),
        }
    }
}

/// As it is read.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Game { base, increment } => {
                let minutes = base.as_secs_f64() / 60.0;
                write!(f, "{minutes}+{}", increment.as_secs_f64())
            }
            Self::Move(limit) => write!(f, "move={}", limit.as_secs_f64()),
        }
    }
}

impl TimeControl {
    /// What a clock shows at the start; nothing without a clock.
    pub const fn at_start(self) -> Option<Duration> {
        match self {
            Self::None => None,
            Self::Game { base, .. } => Some(base),
            Self::Move(limit) => Some(limit),
        }
    }

    /// The value of the tag `TimeControl` in a PGN: `-`, seconds as in `300+3`, or one move in so many seconds as in
    /// `1/10`.
    pub(crate) fn tag(self) -> String {
        match self {
            Self::None => "-".to_owned(),
            Self::Game { base, increment } => {
                format!("{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            Self::Move(limit) => format!("1/{}", limit.as_secs_f64()),
        }
    }

    /// Reads what [`tag`](Self::tag) writes.
    pub(crate) fn of_tag(text: &str) -> Option<Self> {
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            let time = Duration::try_from_secs_f64(seconds).ok();
            time.filter(|time| *time <= LONGEST)
        };
        if text == "-" {
            return Some(Self::None);
        }
        if let Some(limit) = text.strip_prefix("1/") {
            return Some(Self::Move(seconds(limit)?));
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Some(Self::Game {
            base: seconds(base)?,
            increment: seconds(increment)?,
        })
    }
}

/// The clocks of both players. They are told what time it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// What the clocks showed when they were last looked at.
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
    /// What the player to move has used of this turn before that.
    used: Duration,
}

impl Clock {
    /// Clocks that do not run yet.
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: [control.at_start().unwrap_or_default(); 2],
            running: None,
            used: Duration::ZERO,
        }
    }

    /// How much time the players have.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left to a player; nothing without a clock.
    pub fn left(&self, color: Color, now: Instant) -> Option<Duration> {
        self.control.at_start()?;
        let left = self.left[color.index()];
        Some(match self.running {
            Some((runs, since)) if runs == color => {
                left.saturating_sub(now.saturating_duration_since(since))
            }
            _ => left,
        })
    }

    /// Whose clock runs. Without a time control, too, it is known since when somebody has been thinking.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// When the flag of the player to move falls, if the clock runs.
    pub fn deadline(&self) -> Option<Instant> {
        self.control.at_start()?;
        let (color, since) = self.running?;
        since.checked_add(self.left[color.index()])
    }

    /// The player whose time is up.
    pub fn fallen(&self, now: Instant) -> Option<Color> {
        let deadline = self.deadline()?;
        self.running()
            .filter(|_| now.saturating_duration_since(deadline) > Duration::ZERO)
    }

    /// What the player to move has used of this turn.
    pub fn used(&self, now: Instant) -> Duration {
        let running = self.running.map_or(Duration::ZERO, |(_, since)| {
            now.saturating_duration_since(since)
        });
        self.used + running
    }

    /// Lets the clock of a player run, if none does.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        if self.running.is_none() {
            self.running = Some((color, now));
        }
    }

    /// Stops the clock. What has been used stays used.
    pub(crate) fn stop(&mut self, now: Instant) {
        let used = self.used(now);
        if let Some((color, since)) = self.running.take() {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
        self.used = used;
    }

    /// The player to move has moved: what that took. The clock of the other player runs now, if one ran.
    pub(crate) fn press(&mut self, mover: Color, now: Instant) -> Duration {
        let was_running = self.running.is_some();
        self.stop(now);
        let spent = std::mem::take(&mut self.used);
        let left = &mut self.left[mover.index()];
        match self.control {
            TimeControl::None => {}
            TimeControl::Game { increment, .. } => *left += increment,
            TimeControl::Move(limit) => *left = limit,
        }
        if was_running {
            self.start(!mover, now);
        }
        spent
    }

    /// What both clocks showed when the turn of a player began, to be set again by [`set`](Self::set).
    pub(crate) fn at_turn_start(&self, turn: Color) -> [Duration; 2] {
        let mut left = self.left;
        if self.control.at_start().is_some() {
            left[turn.index()] += self.used;
        }
        left
    }

    /// Nothing has been used of this turn yet.
    pub(crate) fn begin_turn(&mut self) {
        self.used = Duration::ZERO;
    }

    /// What has been used of this turn, where time counts and the clock does not run.
    pub(crate) fn stopped_after(&self) -> Option<Duration> {
        self.control.at_start()?;
        let is_worth_it = self.running.is_none() && !self.used.is_zero();
        is_worth_it.then_some(self.used)
    }

    /// Sets the clock of a player.
    pub(crate) fn set_left(&mut self, color: Color, left: Duration) {
        self.left[color.index()] = left;
    }

    /// Sets both clocks. A new turn begins; the clock of the player to move runs if one ran.
    pub(crate) fn set(&mut self, left: [Duration; 2], turn: Color, now: Instant) {
        let was_running = self.running.take().is_some();
        self.left = left;
        self.used = Duration::ZERO;
        if was_running {
            self.start(turn, now);
        }
    }

    /// Takes time that was used before the clock could run, as before a game was interrupted.
    pub(crate) fn charge(&mut self, color: Color, used: Duration) {
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(used);
        self.used += used;
    }
}

/// A time as PGN writes it: `0:04:58.5`, with no more decimals than needed.
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let mut text = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if time.subsec_millis() > 0 {
        let fraction = format!(".{:03}", time.subsec_millis());
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["none", "5+3", "0.5+0", "90+30", "move=10", "move=0.5"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
            assert_eq!(TimeControl::of_tag(&control.tag()), Some(control), "{text}");
        }
        assert_eq!("15".parse::<TimeControl>().unwrap().to_string(), "15+0");
        for wrong in [
            "", "x", "5+", "-1+0", "move=", "move=-1", "0+0", "0+5", "1e9", "nan", "inf", "5+3+2",
        ] {
            assert_eq!(
                wrong.parse::<TimeControl>(),
                Err(TimeControlError),
                "{wrong}"
            );
        }
    }

    #[test]
    fn time_passes_for_the_player_to_move() {
        let mut clock = Clock::new("1+2".parse().unwrap());
        let start = Instant::now();
        assert_eq!(clock.left(Color::White, start + SECOND), Some(60 * SECOND));
        clock.start(Color::White, start);
        assert_eq!(clock.left(Color::White, start + SECOND), Some(59 * SECOND));
        assert_eq!(clock.left(Color::Black, start + SECOND), Some(60 * SECOND));
        assert_eq!(clock.press(Color::White, start + 10 * SECOND), 10 * SECOND);
        assert_eq!(
            clock.left(Color::White, start + 99 * SECOND),
            Some(52 * SECOND)
        );
        assert_eq!(clock.running(), Some(Color::Black));
        assert_eq!(clock.fallen(start + 70 * SECOND), None);
        assert_eq!(clock.fallen(start + 71 * SECOND), Some(Color::Black));
        assert_eq!(clock.deadline(), Some(start + 70 * SECOND));
    }

    #[test]
    fn a_stopped_clock_keeps_what_was_used() {
        let mut clock = Clock::new("1+0".parse().unwrap());
        let start = Instant::now();
        clock.start(Color::White, start);
        clock.stop(start + 5 * SECOND);
        assert_eq!(
            clock.left(Color::White, start + 50 * SECOND),
            Some(55 * SECOND)
        );
        clock.start(Color::White, start + 100 * SECOND);
        assert_eq!(clock.press(Color::White, start + 102 * SECOND), 7 * SECOND);
        assert_eq!(clock.left(Color::White, start), Some(53 * SECOND));
    }

    #[test]
    fn each_move_has_its_own_time() {
        let mut clock = Clock::new("move=10".parse().unwrap());
        let start = Instant::now();
        clock.start(Color::White, start);
        clock.press(Color::White, start + 9 * SECOND);
        assert_eq!(clock.left(Color::White, start), Some(10 * SECOND));
        assert_eq!(clock.fallen(start + 20 * SECOND), Some(Color::Black));
    }

    #[test]
    fn times_as_text() {
        for (milliseconds, text) in [
            (0, "0:00:00"),
            (298_512, "0:04:58.512"),
            (3_600_500, "1:00:00.5"),
            (59_999, "0:00:59.999"),
        ] {
            assert_eq!(clock_text(Duration::from_millis(milliseconds)), text);
        }
    }
}
