//! Pairings of a Swiss tournament.

use std::cmp::Reverse;

/// How many pairings to try before players may meet again.
const MAX_ATTEMPTS: usize = 100_000;

/// A player before a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct SwissPlayer {
    /// Half-points, including byes.
    pub(crate) half_points: u32,
    /// How often it has met each player.
    pub(crate) met: Vec<u32>,
    /// The number of byes.
    pub(crate) byes: u32,
}

/// Returns the pairings of a round, the leaders first, and the player with a bye if the number is odd.
///
/// Players with equal points meet, the upper half against the lower half, and no pair meets twice if that can be
/// avoided. The bye goes to the last of the players with the fewest byes.
pub(crate) fn pair(players: &[SwissPlayer]) -> (Vec<[usize; 2]>, Option<usize>) {
    let mut order: Vec<usize> = (0..players.len()).collect();
    // The sort is stable: equal players keep their order.
    order.sort_by_key(|&player| Reverse(players[player].half_points));
    let left_over = if order.len().is_multiple_of(2) {
        None
    } else {
        let least = order.iter().map(|&player| players[player].byes).min();
        let last = order
            .iter()
            .rposition(|&player| Some(players[player].byes) == least);
        last.map(|at| order.remove(at))
    };
    let most_met = players.iter().flat_map(|player| &player.met).max();
    for again in 0..=most_met.copied().unwrap_or(0) {
        let mut search = Search {
            players,
            again,
            attempts: MAX_ATTEMPTS,
            found: Vec::new(),
        };
        if search.pair(&order) {
            return (search.found, left_over);
        }
    }
    // The last search allows everything, so only an empty field gets here.
    (Vec::new(), left_over)
}

struct Search<'a> {
    players: &'a [SwissPlayer],
    /// How often opponents may have met before.
    again: u32,
    attempts: usize,
    found: Vec<[usize; 2]>,
}

impl Search<'_> {
    /// Pairs these players, who are ordered by points.
    fn pair(&mut self, order: &[usize]) -> bool {
        let Some((&first, others)) = order.split_first() else {
            return true;
        };
        for at in self.preferred_opponents(first, others) {
            if self.attempts == 0 {
                return false;
            }
            self.attempts -= 1;
            let opponent = others[at];
            if self.players[first].met[opponent] > self.again {
                continue;
            }
            self.found.push([first, opponent]);
            let mut rest = others.to_vec();
            rest.remove(at);
            if self.pair(&rest) {
                return true;
            }
            self.found.pop();
        }
        false
    }

    /// Returns the opponents by preference: those with equal points from the middle downwards, then from the middle
    /// upwards, then those with fewer points.
    fn preferred_opponents(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let points = self.players[first].half_points;
        let equal = others
            .iter()
            .take_while(|&&player| self.players[player].half_points == points)
            .count();
        let middle = equal / 2;
        (middle..equal)
            .chain((0..middle).rev())
            .chain(equal..others.len())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(half_points: &[u32]) -> Vec<SwissPlayer> {
        let player = |&half_points: &u32| SwissPlayer {
            half_points,
            ..SwissPlayer::default()
        };
        let mut players: Vec<SwissPlayer> = half_points.iter().map(player).collect();
        for player in &mut players {
            player.met = vec![0; half_points.len()];
        }
        players
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half() {
        let (pairs, left_over) = pair(&field(&[0; 8]));
        assert_eq!(pairs, [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(left_over, None);
    }

    #[test]
    fn equal_points_meet_and_the_last_has_a_bye() {
        let (pairs, left_over) = pair(&field(&[0, 4, 2, 4, 2]));
        assert_eq!(pairs, [[1, 3], [2, 4]]);
        assert_eq!(left_over, Some(0));
    }

    #[test]
    fn too_few_players_have_no_pairings() {
        assert_eq!(pair(&[]), (Vec::new(), None));
        assert_eq!(pair(&field(&[0])), (Vec::new(), Some(0)));
    }

    /// Plays whole tournaments in which the player with the smaller number wins.
    #[test]
    fn no_pair_meets_twice_if_avoidable() {
        for count in 2..=17_usize {
            let mut players = field(&vec![0; count]);
            let rounds = count.ilog2() as usize + 2;
            for round in 1..=rounds.min(count - 1) {
                let (pairs, left_over) = pair(&players);
                let mut seen: Vec<usize> = pairs.iter().flatten().copied().collect();
                seen.extend(left_over);
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..count), "{count} {round}");
                for [a, b] in pairs {
                    assert_eq!(players[a].met[b], 0, "{count} players, round {round}");
                    players[a].met[b] += 1;
                    players[b].met[a] += 1;
                    players[a.min(b)].half_points += 2;
                }
                if let Some(player) = left_over {
                    assert_eq!(players[player].byes, 0, "{count} players, round {round}");
                    players[player].byes += 1;
                    players[player].half_points += 2;
                }
            }
            let best = players.iter().map(|player| player.half_points).max();
            assert_eq!(Some(players[0].half_points), best, "{count}");
        }
    }

    #[test]
    fn players_meet_again_if_unavoidable() {
        let mut players = field(&[0; 2]);
        players[0].met[1] = 3;
        players[1].met[0] = 3;
        assert_eq!(pair(&players).0, [[0, 1]]);
    }
}
