//! The chess clock.

use std::time::{Duration, Instant};

use tabiya_board::Color;
use tabiya_notation::TimeControl;

/// The clocks of both players. The caller passes the time in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// Both players' remaining time at the last update.
    left: [Duration; 2],
    /// Whose clock is running, and since when.
    running: Option<(Color, Instant)>,
    /// The time already used for the current move before that.
    used: Duration,
}

impl Clock {
    /// Creates stopped clocks.
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: [control.base().unwrap_or_default(); 2],
            running: None,
            used: Duration::ZERO,
        }
    }

    /// The time control.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// A player's remaining time; `None` without a time control.
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

    /// Whose clock is running. Also set without a time control, to measure thinking time.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// When the running clock's flag falls.
    pub fn deadline(&self) -> Option<Instant> {
        self.control.base()?;
        let (color, since) = self.running?;
        since.checked_add(self.left[color.index()])
    }

    /// The player who has run out of time.
    pub fn flagged(&self, now: Instant) -> Option<Color> {
        let deadline = self.deadline()?;
        self.running()
            .filter(|_| now.saturating_duration_since(deadline) > Duration::ZERO)
    }

    /// The time used for the current move.
    pub fn used(&self, now: Instant) -> Duration {
        let running = self.running.map_or(Duration::ZERO, |(_, since)| {
            now.saturating_duration_since(since)
        });
        self.used + running
    }

    /// Starts a player's clock if none is running.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        if self.running.is_none() {
            self.running = Some((color, now));
        }
    }

    /// Stops the clock, keeping the time used.
    pub(crate) fn stop(&mut self, now: Instant) {
        let used = self.used(now);
        if let Some((color, since)) = self.running.take() {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
        self.used = used;
    }

    /// Ends a player's turn and returns the time it took. If a clock was running, the opponent's runs now.
    pub(crate) fn press(&mut self, mover: Color, now: Instant) -> Duration {
        let was_running = self.running.is_some();
        self.stop(now);
        let spent = std::mem::take(&mut self.used);
        let left = &mut self.left[mover.index()];
        match self.control {
            TimeControl::Game { increment, .. } => *left += increment,
            TimeControl::Move(limit) => *left = limit,
            _ => {}
        }
        if was_running {
            self.start(!mover, now);
        }
        spent
    }

    /// Both players' remaining time at the start of a player's turn, for [`set`](Self::set).
    pub(crate) fn at_turn_start(&self, turn: Color) -> [Duration; 2] {
        let mut left = self.left;
        if self.control.base().is_some() {
            left[turn.index()] += self.used;
        }
        left
    }

    /// Resets the time used for the current move.
    pub(crate) fn begin_turn(&mut self) {
        self.used = Duration::ZERO;
    }

    /// The time used for the current move, if the clock is stopped and there is a time control.
    pub(crate) fn stopped_after(&self) -> Option<Duration> {
        self.control.base()?;
        let is_worth_it = self.running.is_none() && !self.used.is_zero();
        is_worth_it.then_some(self.used)
    }

    /// Sets a player's remaining time.
    pub(crate) fn set_remaining(&mut self, color: Color, left: Duration) {
        self.left[color.index()] = left;
    }

    /// Sets both clocks for a new turn. If a clock was running, that of the side to move runs now.
    pub(crate) fn set(&mut self, left: [Duration; 2], turn: Color, now: Instant) {
        let was_running = self.running.take().is_some();
        self.left = left;
        self.used = Duration::ZERO;
        if was_running {
            self.start(turn, now);
        }
    }

    /// Deducts time that was used before the game was interrupted.
    pub(crate) fn charge(&mut self, color: Color, used: Duration) {
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(used);
        self.used += used;
    }
}

/// Formats a time as in PGN: `0:04:58.5`, without trailing zeros.
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
    fn a_stopped_clock_keeps_its_time() {
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
