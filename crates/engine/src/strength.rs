//! Playing weaker than possible: ten levels, and any strength between them.
//!
//! The handicap is honest. A weaker player looks at fewer positions, misjudges each of them by a random amount that stays
//! the same for a position as long as the search lasts, and at some moves its mind is elsewhere: then it looks at nearly
//! nothing. It does not choose bad moves on purpose.

use std::fmt;

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// How many positions it looks at for a move; all that its time allows if none.
    pub nodes: Option<u64>,
    /// By how much it usually misjudges a position, in hundredths of a pawn.
    pub error: i32,
    /// At how many of a thousand moves its mind is elsewhere: it then moves as the weakest player does.
    pub lapses: u32,
}

/// What a level is made of, and its rating as far as it is known. The last level has no bounds.
struct Rung {
    rating: u32,
    nodes: u64,
    error: i32,
    lapses: u32,
    name: &'static str,
    description: &'static str,
}

/// What is left of any player for a move at which its mind is elsewhere.
const LAPSE_NODES: u64 = 30;
const LAPSE_ERROR: i32 = 300;

const RUNGS: [Rung; 9] = [
    Rung {
        rating: 400,
        nodes: LAPSE_NODES,
        error: LAPSE_ERROR,
        lapses: 1000,
        name: "Newcomer",
        description: "gives most of its pieces away",
    },
    Rung {
        rating: 570,
        nodes: 177,
        error: 198,
        lapses: 733,
        name: "Beginner",
        description: "takes what it sees, and sees little",
    },
    Rung {
        rating: 740,
        nodes: 350,
        error: 135,
        lapses: 570,
        name: "Learner",
        description: "sees simple threats now and then",
    },
    Rung {
        rating: 910,
        nodes: 700,
        error: 90,
        lapses: 433,
        name: "Casual player",
        description: "plays sensibly, until its mind wanders",
    },
    Rung {
        rating: 1250,
        nodes: 1_600,
        error: 53,
        lapses: 304,
        name: "Keen amateur",
        description: "finds short tactics, and overlooks some",
    },
    Rung {
        rating: 1560,
        nodes: 3_600,
        error: 27,
        lapses: 196,
        name: "Club player",
        description: "punishes most mistakes, and makes some",
    },
    Rung {
        rating: 1800,
        nodes: 7_200,
        error: 14,
        lapses: 125,
        name: "Strong club player",
        description: "makes a bad mistake or two in a game",
    },
    Rung {
        rating: 2000,
        nodes: 13_000,
        error: 5,
        lapses: 68,
        name: "Expert",
        description: "calculates well, and seldom errs",
    },
    Rung {
        rating: 2200,
        nodes: 25_000,
        error: 0,
        lapses: 22,
        name: "Candidate master",
        description: "is hard to beat without a plan",
    },
];

impl Strength {
    /// All that the engine can do.
    pub const FULL: Self = Self {
        nodes: None,
        error: 0,
        lapses: 0,
    };
    const LAPSE: Self = Self {
        nodes: Some(LAPSE_NODES),
        error: LAPSE_ERROR,
        lapses: 0,
    };
    /// The least rating that can be asked for.
    pub const LEAST_RATING: u32 = RUNGS[0].rating;
    /// The greatest.
    pub const GREATEST_RATING: u32 = RUNGS[RUNGS.len() - 1].rating;

    /// The strength for one move, which may be a lapse.
    pub(crate) fn for_move(self, seed: u64) -> Self {
        if seed % 1000 < u64::from(self.lapses) {
            Self::LAPSE
        } else {
            self
        }
    }

    /// The strength of a player with this Elo rating, or the nearest that can be asked for. Between two levels it lies
    /// between theirs.
    pub fn of_rating(rating: u32) -> Self {
        let rating = rating.clamp(Self::LEAST_RATING, Self::GREATEST_RATING);
        let above = RUNGS
            .iter()
            .position(|rung| rung.rating >= rating)
            .unwrap_or(RUNGS.len() - 1);
        let (low, high) = (&RUNGS[above.saturating_sub(1)], &RUNGS[above]);
        let span = f64::from(high.rating - low.rating).max(1.0);
        let part = f64::from(rating - low.rating) / span;
        // Every doubling of the positions gains about as much as the last.
        let nodes = (low.nodes as f64).ln() * (1.0 - part) + (high.nodes as f64).ln() * part;
        let error = f64::from(low.error) * (1.0 - part) + f64::from(high.error) * part;
        let lapses = f64::from(low.lapses) * (1.0 - part) + f64::from(high.lapses) * part;
        Self {
            nodes: Some(nodes.exp().round() as u64),
            error: error.round() as i32,
            lapses: lapses.round() as u32,
        }
    }
}

/// A level to play at, from 1 to 10.
///
/// ```
/// use tabiya_engine::{Level, Strength};
/// let level = Level::new(3).unwrap();
/// assert_eq!(level.to_string(), "level 3, Learner");
/// assert_eq!(Level::FULL.strength(), Strength::FULL);
/// assert_eq!(Level::new(11), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// Full strength.
    pub const FULL: Self = Self(10);

    /// All levels, the weakest first.
    pub const ALL: [Self; 10] = {
        let mut all = [Self(1); 10];
        let mut number = 1;
        while number <= 10 {
            all[number - 1] = Self(number as u8);
            number += 1;
        }
        all
    };

    /// The level of a number, if it is from 1 to 10.
    pub fn new(number: u8) -> Option<Self> {
        (1..=10).contains(&number).then_some(Self(number))
    }

    /// Its number, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    fn rung(self) -> Option<&'static Rung> {
        RUNGS.get(usize::from(self.0) - 1)
    }

    /// Its name, such as `Club player`.
    pub fn name(self) -> &'static str {
        self.rung().map_or("Full strength", |rung| rung.name)
    }

    /// What to expect of it, as the end of a sentence that begins with its name.
    pub fn description(self) -> &'static str {
        self.rung()
            .map_or("plays as well as it can", |rung| rung.description)
    }

    /// Its Elo rating, about; none for full strength, which depends on the time it has.
    pub fn rating(self) -> Option<u32> {
        self.rung().map(|rung| rung.rating)
    }

    /// How strong it plays.
    pub fn strength(self) -> Strength {
        self.rung().map_or(Strength::FULL, |rung| Strength {
            nodes: Some(rung.nodes),
            error: rung.error,
            lapses: rung.lapses,
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}, {}", self.0, self.name())
    }
}

/// The errors of judgement of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Misjudgement {
    error: i32,
    seed: u64,
}

impl Misjudgement {
    pub(crate) const fn new(error: i32, seed: u64) -> Self {
        Self { error, seed }
    }

    pub(crate) const fn is_none(self) -> bool {
        self.error == 0
    }

    /// The error for the position with this key: the sum of four lots, which is nearly as errors are spread in nature.
    pub(crate) fn of(self, key: u64) -> i32 {
        const LOTS: i32 = 4;
        const RANGE: i32 = 1 << 10;
        let mixed = crate::history::mix(self.seed, key);
        let sum: i32 = (0..LOTS)
            .map(|lot| (mixed >> (16 * lot)) as i32 & (RANGE - 1))
            .sum();
        let centred = sum - LOTS * (RANGE - 1) / 2;
        // One lot is spread by its range over the root of twelve, four by twice that.
        let spread = 2.0 * f64::from(RANGE) / 12_f64.sqrt();
        (f64::from(centred) * f64::from(self.error) / spread) as i32
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn a_higher_level_is_handicapped_less() {
        for pair in Level::ALL.windows(2) {
            let [weak, strong] = [pair[0], pair[1]].map(|level| {
                let strength = level.strength();
                let nodes = strength.nodes.unwrap_or(u64::MAX);
                [
                    nodes as i128,
                    -i128::from(strength.error),
                    -i128::from(strength.lapses),
                ]
            });
            assert!(iter::zip(weak, strong).all(|(weak, strong)| weak <= strong));
            assert_ne!(weak, strong, "{pair:?}");
        }
    }

    #[test]
    fn ratings_of_levels_are_their_strengths() {
        for level in Level::ALL {
            if let Some(rating) = level.rating() {
                assert_eq!(Strength::of_rating(rating), level.strength(), "{level}");
            }
        }
        assert_eq!(Strength::of_rating(0), Level::ALL[0].strength());
        assert_eq!(Strength::of_rating(9999), Level::ALL[8].strength());
    }

    #[test]
    fn between_levels_strength_rises() {
        let mut last = Strength::of_rating(0);
        for rating in Strength::LEAST_RATING..=Strength::GREATEST_RATING {
            let strength = Strength::of_rating(rating);
            assert!(strength.nodes >= last.nodes && strength.error <= last.error);
            assert!(strength.lapses <= last.lapses);
            last = strength;
        }
    }

    #[test]
    fn lapses_are_as_frequent_as_asked() {
        let strength = Level::ALL[4].strength();
        let mut seed = 1;
        let lapses = (0..20_000).filter(|_| {
            seed = crate::history::mix(seed, 1);
            strength.for_move(seed) == Strength::LAPSE
        });
        let share = lapses.count() as u32 / 20;
        assert!(share.abs_diff(strength.lapses) < 15, "{share}");
        assert_eq!(Strength::FULL.for_move(0), Strength::FULL);
    }

    #[test]
    fn errors_are_spread_as_asked() {
        let misjudgement = Misjudgement::new(100, 7);
        let errors: Vec<f64> = (0..20_000_u64)
            .map(|key| f64::from(misjudgement.of(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
            .collect();
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let spread = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
        assert!(mean.abs() < 3.0, "{mean}");
        assert!((spread - 100.0).abs() < 3.0, "{spread}");
        assert_ne!(misjudgement.of(1), Misjudgement::new(100, 8).of(1));
    }
}
