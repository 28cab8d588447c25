//! How long a person would take for a move.

use std::time::Duration;

use tabiya_board::Line;

use crate::player::Player;

/// Levels above this one answer as fast as they can: who plays against them does so for the chess.
const HIGHEST_LEVEL: u8 = 6;
/// The first moves come from memory.
const KNOWN_MOVES: usize = 8;

/// How long to wait before a move is shown. The same game with the same seed is played at the same pace.
pub(super) fn delay(player: &Player, line: &Line, left: Option<Duration>, seed: u64) -> Duration {
    let Player::Computer(level) = player else {
        return Duration::ZERO;
    };
    if level.number() > HIGHEST_LEVEL {
        return Duration::ZERO;
    }
    let legal = line.board().legal_moves().len();
    let is_obvious = legal == 1 || line.moves().len() < KNOWN_MOVES || line.board().is_check();
    let (least, range) = if is_obvious { (400, 600) } else { (800, 2200) };
    let wait = Duration::from_millis(least + mixed(seed ^ line.board().key()) % range);
    // Nobody loses on time by playing like a person.
    left.map_or(wait, |left| wait.min(left / 40))
}

/// A number in which every bit depends on all of another one.
fn mixed(number: u64) -> u64 {
    // SplitMix64.
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use tabiya_engine::Level;

    use super::*;

    #[test]
    fn weak_players_take_their_time_and_strong_ones_none() {
        let line = Line::default();
        let weak = Player::Computer(Level::ALL[0]);
        let waits = delay(&weak, &line, None, 1);
        assert!((400..1000).contains(&waits.as_millis()), "{waits:?}");
        let hurried = delay(&weak, &line, Some(Duration::from_secs(4)), 1);
        assert!(hurried <= Duration::from_millis(100), "{hurried:?}");
        assert_eq!(
            delay(&Player::Computer(Level::FULL), &line, None, 1),
            Duration::ZERO
        );
    }
}
