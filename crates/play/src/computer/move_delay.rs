//! Delays that make the weaker levels move at a human pace.

use std::time::Duration;

use tabiya_board::GameHistory;

use crate::player::Player;

/// Levels above this one move without delay.
const MAX_LEVEL: u8 = 6;
/// Plies at the start of the game that are played quickly.
const OPENING_PLIES: usize = 8;

/// How long to wait before playing a move. Depends only on the position, the clock and the seed.
pub(super) fn delay(
    player: &Player,
    line: &GameHistory,
    left: Option<Duration>,
    seed: u64,
) -> Duration {
    let Player::Computer(level) = player else {
        return Duration::ZERO;
    };
    if level.number() > MAX_LEVEL {
        return Duration::ZERO;
    }
    let legal = line.board().legal_moves().len();
    let is_obvious = legal == 1 || line.moves().len() < OPENING_PLIES || line.board().is_check();
    let (least, range) = if is_obvious { (400, 600) } else { (800, 2200) };
    let wait = Duration::from_millis(least + mixed(seed ^ line.board().key()) % range);
    // The delay must not cost the game on time.
    left.map_or(wait, |left| wait.min(left / 40))
}

/// Hashes a number (SplitMix64).
fn mixed(number: u64) -> u64 {
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
    fn only_weak_levels_are_delayed() {
        let line = GameHistory::default();
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
