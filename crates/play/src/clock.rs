//! The chess clock.

use std::time::{Duration, Instant};

use tabiya_board::Color;
use tabiya_notation::TimeControl;

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
            left: [control.base().unwrap_or_default(); 2],
            running: None,
            used: Duration::ZERO,
        }
    }

    /// How much time the players have.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left to a player; nothing without a clock.
    pub fn remaining(&self, color: Color, now: Instant) -> Option<Duration> {
        self.control.base()?;
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
        self.control.base()?;
        let (color, since) = self.running?;
        since.checked_add(self.left[color.index()])
    }

    /// The player whose time is up.
    pub fn flagged(&self, now: Instant) -> Option<Color> {
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
        if self.control.base().is_some() {
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
        self.control.base()?;
        let is_worth_it = self.running.is_none() && !self.used.is_zero();
        is_worth_it.then_some(self.used)
    }

    /// Sets the clock of a player.
    pub(crate) fn set_remaining(&mut self, color: Color, left: Duration) {
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
pub fn format_clock(time: Duration) -> String {
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
    fn time_passes_for_the_player_to_move() {
        let mut clock = Clock::new("1+2".parse().unwrap());
        let start = Instant::now();
        assert_eq!(
            clock.remaining(Color::White, start + SECOND),
            Some(60 * SECOND)
        );
        clock.start(Color::White, start);
        assert_eq!(
            clock.remaining(Color::White, start + SECOND),
            Some(59 * SECOND)
        );
        assert_eq!(
            clock.remaining(Color::Black, start + SECOND),
            Some(60 * SECOND)
        );
        assert_eq!(clock.press(Color::White, start + 10 * SECOND), 10 * SECOND);
        assert_eq!(
            clock.remaining(Color::White, start + 99 * SECOND),
            Some(52 * SECOND)
        );
        assert_eq!(clock.running(), Some(Color::Black));
        assert_eq!(clock.flagged(start + 70 * SECOND), None);
        assert_eq!(clock.flagged(start + 71 * SECOND), Some(Color::Black));
        assert_eq!(clock.deadline(), Some(start + 70 * SECOND));
    }

    #[test]
    fn a_stopped_clock_keeps_what_was_used() {
        let mut clock = Clock::new("1+0".parse().unwrap());
        let start = Instant::now();
        clock.start(Color::White, start);
        clock.stop(start + 5 * SECOND);
        assert_eq!(
            clock.remaining(Color::White, start + 50 * SECOND),
            Some(55 * SECOND)
        );
        clock.start(Color::White, start + 100 * SECOND);
        assert_eq!(clock.press(Color::White, start + 102 * SECOND), 7 * SECOND);
        assert_eq!(clock.remaining(Color::White, start), Some(53 * SECOND));
    }

    #[test]
    fn each_move_has_its_own_time() {
        let mut clock = Clock::new("10s/move".parse().unwrap());
        let start = Instant::now();
        clock.start(Color::White, start);
        clock.press(Color::White, start + 9 * SECOND);
        assert_eq!(clock.remaining(Color::White, start), Some(10 * SECOND));
        assert_eq!(clock.flagged(start + 20 * SECOND), Some(Color::Black));
    }

    #[test]
    fn times_as_text() {
        for (milliseconds, text) in [
            (0, "0:00:00"),
            (298_512, "0:04:58.512"),
            (3_600_500, "1:00:00.5"),
            (59_999, "0:00:59.999"),
        ] {
            assert_eq!(format_clock(Duration::from_millis(milliseconds)), text);
        }
    }
}
