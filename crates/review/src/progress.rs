//! Progress of the review of many games.

use std::time::Duration;

use tabiya_display::text::format_duration;

/// Progress through the games of a file, with an estimate of the time left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReviewProgress {
    /// The number of the current game.
    game: usize,
    /// The number of games, if known.
    total: Option<usize>,
    /// Positions in the current game.
    positions: usize,
    games_done: usize,
    positions_done: usize,
}

impl ReviewProgress {
    /// Starts the next game.
    pub const fn start_game(&mut self, game: usize, total: Option<usize>) {
        self.game = game;
        self.total = total;
        self.positions = 0;
    }

    /// Ends the current game.
    pub const fn end_game(&mut self) {
        self.games_done += 1;
        self.positions_done += self.positions;
    }

    /// Formats the progress: `game 1 of 3, position 41 of 81, 3 min 22 s left`.
    pub fn text(&mut self, position: usize, positions: usize, elapsed: Duration) -> String {
        self.positions = positions;
        // Assume that the games to come are as long as those so far.
        let games = self.games_done as f64 + 1.0;
        let length = (self.positions_done + positions) as f64 / games;
        let later = self
            .total
            .map(|total| total.saturating_sub(self.games_done + 1) as f64 * length);
        let each = elapsed.as_secs_f64() / (self.positions_done + position).max(1) as f64;
        let left = (positions - position) as f64 + later.unwrap_or(0.0);
        let left = format_duration((left * each).ceil() as u64);
        let game = self.game;
        match self.total {
            Some(1) => format!("position {position} of {positions}, {left} left"),
            Some(total) => {
                format!("game {game} of {total}, position {position} of {positions}, {left} left")
            }
            None => {
                format!("game {game}, position {position} of {positions}, {left} left in this game")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_estimated() {
        let second = Duration::from_secs(1);
        let mut progress = ReviewProgress::default();
        progress.start_game(1, Some(1));
        assert_eq!(
            progress.text(1, 81, second),
            "position 1 of 81, 1 min 20 s left"
        );
        progress.start_game(1, Some(3));
        assert_eq!(
            progress.text(41, 81, 41 * second),
            "game 1 of 3, position 41 of 81, 3 min 22 s left"
        );
        progress.end_game();
        progress.start_game(2, None);
        assert_eq!(
            progress.text(40, 41, 121 * second),
            "game 2, position 40 of 41, 1 s left in this game"
        );
    }
}
