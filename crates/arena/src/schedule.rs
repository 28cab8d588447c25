//! The schedule of a tournament.

use std::fmt;

/// The place of a game in a tournament, as in the tag `Round`: `3.1.2` is the second game on the first board of the
/// third round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The round, from 1.
    pub round: u32,
    /// The board, from 1.
    pub board: u32,
    /// The game between the two opponents in this round, from 1.
    pub game: u32,
}

impl Slot {
    /// Parses a slot.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| number.parse::<u32>().ok());
        let mut next = || numbers.next().flatten().filter(|&number| number > 0);
        let slot = Self {
            round: next()?,
            board: next()?,
            game: next()?,
        };
        numbers.next().is_none().then_some(slot)
    }

    /// Returns the slot of the other game with the same opening.
    pub(crate) const fn partner(self) -> Self {
        Self {
            game: if self.game % 2 == 1 {
                self.game + 1
            } else {
                self.game - 1
            },
            ..self
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.round, self.board, self.game)
    }
}

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScheduledGame {
    pub(crate) slot: Slot,
    /// The numbers of the engines, White first.
    pub(crate) players: [usize; 2],
    /// The number of the opening; may exceed the number of openings.
    pub(crate) opening: usize,
}

/// Who plays whom. Opponents play pairs of games: each opening with both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentFormat {
    /// Everyone plays everyone. With two engines, this is a match.
    RoundRobin,
    /// The first engines play all others.
    Gauntlet {
        /// How many engines play all others.
        seeds: usize,
    },
    /// Engines with equal points meet round by round.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
}

impl TournamentFormat {
    /// Returns a Swiss tournament of as many rounds as it takes until only one player can have won them all.
    pub const fn swiss(players: usize) -> Self {
        Self::Swiss {
            rounds: players.next_power_of_two().ilog2(),
        }
    }

    /// Returns the pairings of all rounds; `None` for a Swiss tournament, where they depend on results.
    pub(crate) fn rounds(self, players: usize) -> Option<Vec<Vec<[usize; 2]>>> {
        match self {
            Self::RoundRobin => Some(circle_method(players)),
            Self::Gauntlet { seeds } => {
                let meetings = (0..seeds).flat_map(|a| (seeds..players).map(move |b| [a, b]));
                Some(vec![meetings.collect()])
            }
            Self::Swiss { .. } => None,
        }
    }

    /// Returns the number of games if opponents play this many pairs of games.
    pub fn games(self, players: usize, pairs: u32) -> u64 {
        let meetings = match self {
            Self::RoundRobin => players * players.saturating_sub(1) / 2,
            Self::Gauntlet { seeds } => seeds * players.saturating_sub(seeds),
            Self::Swiss { rounds } => rounds as usize * (players / 2),
        };
        meetings as u64 * 2 * u64::from(pairs)
    }
}

/// Returns rounds in which everyone meets everyone once: all but the last player move one seat further each round.
fn circle_method(players: usize) -> Vec<Vec<[usize; 2]>> {
    let seats = players + players % 2;
    if seats < 2 {
        return Vec::new();
    }
    let moving = seats - 1;
    let round = |round: usize| {
        let meeting = |board: usize| {
            let one = (round + board) % moving;
            let other = if board == 0 {
                moving
            } else {
                (round + moving - board) % moving
            };
            [one.min(other), one.max(other)]
        };
        let mut meetings: Vec<_> = (0..seats / 2).map(meeting).collect();
        // With an odd number of players, the last seat is empty.
        meetings.retain(|&[_, other]| other < players);
        meetings.sort_unstable();
        meetings
    };
    (0..moving).map(round).collect()
}

/// Returns a pair of games with both colours.
pub(crate) fn pair(
    round: u32,
    board: usize,
    number: u32,
    players: [usize; 2],
    opening: usize,
) -> [ScheduledGame; 2] {
    [0, 1].map(|second| ScheduledGame {
        slot: Slot {
            round,
            board: board as u32 + 1,
            game: 2 * number + second + 1,
        },
        players: if second == 0 {
            players
        } else {
            [players[1], players[0]]
        },
        opening,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_read_as_they_are_written() {
        let slot = Slot::parse("12.3.4").unwrap();
        assert_eq!((slot.round, slot.board, slot.game), (12, 3, 4));
        assert_eq!(slot.to_string(), "12.3.4");
        assert_eq!(slot.partner().to_string(), "12.3.3");
        assert_eq!(slot.partner().partner(), slot);
        for wrong in [
            "", "1", "1.2", "1.2.0", "1.2.3.4", "a.b.c", "-1.1.1", "?", "1..1",
        ] {
            assert_eq!(Slot::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn everyone_meets_everyone_once() {
        for players in 0..=9_usize {
            let rounds = TournamentFormat::RoundRobin.rounds(players).unwrap();
            let mut met: Vec<[usize; 2]> = Vec::new();
            for round in &rounds {
                let mut busy: Vec<usize> = round.iter().flatten().copied().collect();
                busy.sort_unstable();
                let all = busy.len();
                busy.dedup();
                assert_eq!(busy.len(), all, "someone plays twice in a round: {round:?}");
                met.extend(round);
            }
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), players * players.saturating_sub(1) / 2);
            assert_eq!(
                TournamentFormat::RoundRobin.games(players, 3),
                met.len() as u64 * 6
            );
        }
    }

    #[test]
    fn seeds_meet_all_others() {
        let form = TournamentFormat::Gauntlet { seeds: 2 };
        let meetings = form.rounds(4).unwrap().concat();
        assert_eq!(meetings, [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert_eq!(form.games(4, 1), 8);
        assert_eq!(TournamentFormat::Swiss { rounds: 3 }.games(5, 2), 24);
    }

    #[test]
    fn a_pair_has_both_colours() {
        let [first, second] = pair(2, 0, 1, [5, 7], 9);
        assert_eq!(
            (first.slot.to_string(), first.players),
            ("2.1.3".into(), [5, 7])
        );
        assert_eq!(
            (second.slot.to_string(), second.players),
            ("2.1.4".into(), [7, 5])
        );
        assert_eq!(first.slot.partner(), second.slot);
        assert_eq!((first.opening, second.opening), (9, 9));
    }
}
