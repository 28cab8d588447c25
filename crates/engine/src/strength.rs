//! Playing strength: ten levels, and any strength between them.
//!
//! The handicap is honest: a weaker level never chooses a bad move on purpose. It searches fewer nodes, adds noise to
//! the evaluation of each position, which stays the same during a search, and has lapses: moves for which it searches
//! hardly anything.

use std::fmt;

/// The playing strength of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// Nodes per move; `None` for no limit.
    pub nodes: Option<u64>,
    /// Standard deviation of the evaluation noise, in centipawns.
    pub eval_noise: i32,
    /// Lapses per thousand moves. At a lapse it moves like the weakest level.
    pub lapses: u32,
}

/// The settings of a level below full strength, and its approximate rating.
struct LevelSettings {
    rating: u32,
    nodes: u64,
    noise: i32,
    lapses: u32,
    name: &'static str,
    description: &'static str,
}

/// The strength of a lapse.
const LAPSE_NODES: u64 = 30;
const LAPSE_NOISE: i32 = 300;

const SETTINGS: [LevelSettings; 9] = [
    LevelSettings {
        rating: 400,
        nodes: LAPSE_NODES,
        noise: LAPSE_NOISE,
        lapses: 1000,
        name: "Newcomer",
        description: "gives most of its pieces away",
    },
    LevelSettings {
        rating: 570,
        nodes: 177,
        noise: 198,
        lapses: 733,
        name: "Beginner",
        description: "captures what it sees, but sees little",
    },
    LevelSettings {
        rating: 740,
        nodes: 350,
        noise: 135,
        lapses: 570,
        name: "Learner",
        description: "sees simple threats now and then",
    },
    LevelSettings {
        rating: 910,
        nodes: 700,
        noise: 90,
        lapses: 433,
        name: "Casual player",
        description: "plays sensibly until it stops paying attention",
    },
    LevelSettings {
        rating: 1250,
        nodes: 1_600,
        noise: 53,
        lapses: 304,
        name: "Keen amateur",
        description: "finds short tactics but overlooks some",
    },
    LevelSettings {
        rating: 1560,
        nodes: 3_600,
        noise: 27,
        lapses: 196,
        name: "Club player",
        description: "punishes most mistakes but makes some",
    },
    LevelSettings {
        rating: 1800,
        nodes: 7_200,
        noise: 14,
        lapses: 125,
        name: "Strong club player",
        description: "makes one or two bad mistakes in a game",
    },
    LevelSettings {
        rating: 2000,
        nodes: 13_000,
        noise: 5,
        lapses: 68,
        name: "Expert",
        description: "calculates well and rarely errs",
    },
    LevelSettings {
        rating: 2200,
        nodes: 25_000,
        noise: 0,
        lapses: 22,
        name: "Candidate master",
        description: "is hard to beat without a plan",
    },
];

impl Strength {
    /// Full strength.
    pub const FULL: Self = Self {
        nodes: None,
        eval_noise: 0,
        lapses: 0,
    };
    const LAPSE: Self = Self {
        nodes: Some(LAPSE_NODES),
        eval_noise: LAPSE_NOISE,
        lapses: 0,
    };
    /// The lowest rating that can be set.
    pub const MIN_RATING: u32 = SETTINGS[0].rating;
    /// The highest rating that can be set.
    pub const MAX_RATING: u32 = SETTINGS[SETTINGS.len() - 1].rating;

    /// Returns the strength for one move, which may be a lapse.
    pub(crate) fn for_move(self, seed: u64) -> Self {
        if seed % 1000 < u64::from(self.lapses) {
            Self::LAPSE
        } else {
            self
        }
    }

    /// Returns the strength for an Elo rating, clamped to the range that can be set. Ratings between two levels are
    /// interpolated.
    pub fn from_rating(rating: u32) -> Self {
        let rating = rating.clamp(Self::MIN_RATING, Self::MAX_RATING);
        let above = SETTINGS
            .iter()
            .position(|settings| settings.rating >= rating)
            .unwrap_or(SETTINGS.len() - 1);
        let (low, high) = (&SETTINGS[above.saturating_sub(1)], &SETTINGS[above]);
        let span = f64::from(high.rating - low.rating).max(1.0);
        let part = f64::from(rating - low.rating) / span;
        // Each doubling of the nodes gains about the same.
        let nodes = (low.nodes as f64).ln() * (1.0 - part) + (high.nodes as f64).ln() * part;
        let noise = f64::from(low.noise) * (1.0 - part) + f64::from(high.noise) * part;
        let lapses = f64::from(low.lapses) * (1.0 - part) + f64::from(high.lapses) * part;
        Self {
            nodes: Some(nodes.exp().round() as u64),
            eval_noise: noise.round() as i32,
            lapses: lapses.round() as u32,
        }
    }
}

/// A playing level from 1 to 10.
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

    /// Returns the level with a number from 1 to 10.
    pub fn new(number: u8) -> Option<Self> {
        (1..=10).contains(&number).then_some(Self(number))
    }

    /// Returns its number, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    fn settings(self) -> Option<&'static LevelSettings> {
        SETTINGS.get(usize::from(self.0) - 1)
    }

    /// Returns its name, such as `Club player`.
    pub fn name(self) -> &'static str {
        self.settings()
            .map_or("Full strength", |settings| settings.name)
    }

    /// Returns a description that completes a sentence starting with its name.
    pub fn description(self) -> &'static str {
        self.settings()
            .map_or("plays as well as it can", |settings| settings.description)
    }

    /// Returns its approximate Elo rating; `None` for full strength, which depends on the time control.
    pub fn rating(self) -> Option<u32> {
        self.settings().map(|settings| settings.rating)
    }

    /// Returns the number of plies, counted from the start of a game, that it may play from an opening book. Beginners
    /// know no theory.
    ///
    /// ```
    /// use tabiya_engine::Level;
    /// let plies = Level::ALL.map(Level::book_plies);
    /// assert_eq!(plies, [0, 0, 0, 4, 6, 8, 10, 12, 12, 12]);
    /// ```
    pub fn book_plies(self) -> usize {
        match self.0 {
            ..=3 => 0,
            number => (2 * usize::from(number) - 4).min(12),
        }
    }

    /// Returns its strength.
    pub fn strength(self) -> Strength {
        self.settings().map_or(Strength::FULL, |settings| Strength {
            nodes: Some(settings.nodes),
            eval_noise: settings.noise,
            lapses: settings.lapses,
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {}, {}", self.0, self.name())
    }
}

/// The evaluation noise of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvalNoise {
    /// The standard deviation, in centipawns.
    deviation: i32,
    seed: u64,
}

impl EvalNoise {
    pub(crate) const fn new(deviation: i32, seed: u64) -> Self {
        Self { deviation, seed }
    }

    pub(crate) const fn is_none(self) -> bool {
        self.deviation == 0
    }

    /// Returns the noise at the position with a key. The sum of four uniform numbers is nearly normal.
    pub(crate) fn at(self, key: u64) -> i32 {
        const TERMS: i32 = 4;
        const RANGE: i32 = 1 << 10;
        let mixed = crate::history::mix(self.seed, key);
        let sum: i32 = (0..TERMS)
            .map(|term| (mixed >> (16 * term)) as i32 & (RANGE - 1))
            .sum();
        let centred = sum - TERMS * (RANGE - 1) / 2;
        // The standard deviation of one term is its range over the root of twelve; that of four terms, twice that.
        let deviation = 2.0 * f64::from(RANGE) / 12_f64.sqrt();
        (f64::from(centred) * f64::from(self.deviation) / deviation) as i32
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    #[test]
    fn higher_levels_have_smaller_handicaps() {
        for pair in Level::ALL.windows(2) {
            let [weak, strong] = [pair[0], pair[1]].map(|level| {
                let strength = level.strength();
                let nodes = strength.nodes.unwrap_or(u64::MAX);
                [
                    nodes as i128,
                    -i128::from(strength.eval_noise),
                    -i128::from(strength.lapses),
                ]
            });
            assert!(iter::zip(weak, strong).all(|(weak, strong)| weak <= strong));
            assert_ne!(weak, strong, "{pair:?}");
        }
    }

    #[test]
    fn level_ratings_give_level_strengths() {
        for level in Level::ALL {
            if let Some(rating) = level.rating() {
                assert_eq!(Strength::from_rating(rating), level.strength(), "{level}");
            }
        }
        assert_eq!(Strength::from_rating(0), Level::ALL[0].strength());
        assert_eq!(Strength::from_rating(9999), Level::ALL[8].strength());
    }

    #[test]
    fn strength_rises_with_the_rating() {
        let mut last = Strength::from_rating(0);
        for rating in Strength::MIN_RATING..=Strength::MAX_RATING {
            let strength = Strength::from_rating(rating);
            assert!(strength.nodes >= last.nodes && strength.eval_noise <= last.eval_noise);
            assert!(strength.lapses <= last.lapses);
            last = strength;
        }
    }

    #[test]
    fn lapses_have_the_set_frequency() {
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
    fn noise_has_the_set_deviation() {
        let eval_noise = EvalNoise::new(100, 7);
        let errors: Vec<f64> = (0..20_000_u64)
            .map(|key| f64::from(eval_noise.at(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
            .collect();
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let spread = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
        assert!(mean.abs() < 3.0, "{mean}");
        assert!((spread - 100.0).abs() < 3.0, "{spread}");
        assert_ne!(eval_noise.at(1), EvalNoise::new(100, 8).at(1));
    }
}
