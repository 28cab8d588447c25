//! What was played in a position.

use serde::{Deserialize, Serialize};

/// What was played in a position, as `tabiya archive explore --json` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Explored {
    /// The number of games that had the position. A game that repeats it counts once.
    pub games: u64,
    /// The moves, the most frequent first; the games that end here come last.
    pub moves: Vec<ExploredMove>,
    /// The games with the highest ratings, the highest first.
    pub top: Vec<ExploredGame>,
    /// The latest games, the latest first.
    pub recent: Vec<ExploredGame>,
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExploredMove {
    /// The move in UCI notation; `None` for the games that end here.
    pub uci: Option<String>,
    /// The move in SAN.
    pub san: Option<String>,
    /// The number of games.
    pub games: u64,
    /// How many of them White won.
    pub white_wins: u32,
    /// How many were drawn.
    pub draws: u32,
    /// How many Black won.
    pub black_wins: u32,
    /// How many have no result.
    pub unknown: u32,
    /// The average rating of the players.
    pub average_rating: Option<i32>,
    /// The last day on which it was played, as PGN writes it.
    pub last_played: Option<String>,
}

impl ExploredMove {
    /// The move in SAN, or `(end)`.
    pub fn name(&self) -> &str {
        self.san.as_deref().unwrap_or("(end)")
    }

    /// The year in which it was last played, if it is known.
    pub fn last_year(&self) -> Option<&str> {
        let year = self.last_played.as_deref()?.get(..4)?;
        year.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(year)
    }

    /// White's wins, draws and Black's wins in whole percent, which add up to 100; `None` if no game has a result.
    pub fn percentages(&self) -> Option<[u64; 3]> {
        let counts = [self.white_wins, self.draws, self.black_wins].map(u64::from);
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return None;
        }
        // Each is rounded down; those that lost most get one more.
        let mut percent = counts.map(|count| 100 * count / all);
        let mut order = [0, 1, 2];
        order.sort_by_key(|&i| std::cmp::Reverse(100 * counts[i] % all));
        let missing = 100 - percent.iter().sum::<u64>();
        for &i in order.iter().take(missing as usize) {
            percent[i] += 1;
        }
        Some(percent)
    }
}

/// A game of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExploredGame {
    /// Its number in the archive.
    pub game_id: u32,
    /// Its tags, as PGN writes them.
    pub tags: Vec<(String, String)>,
}

impl ExploredGame {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_add_up_to_a_hundred() {
        for (counts, expected) in [
            ([0, 0, 0], None),
            ([1, 0, 0], Some([100, 0, 0])),
            ([1, 1, 1], Some([34, 33, 33])),
            ([2, 1, 3], Some([33, 17, 50])),
            ([0, 999, 1], Some([0, 100, 0])),
            ([u32::MAX; 3], Some([34, 33, 33])),
        ] {
            let [white_wins, draws, black_wins] = counts;
            let explored = ExploredMove {
                white_wins,
                draws,
                black_wins,
                unknown: 7,
                ..ExploredMove::default()
            };
            assert_eq!(explored.percentages(), expected, "{counts:?}");
        }
    }

    #[test]
    fn a_year_is_four_digits() {
        for (day, year) in [
            (Some("2024.05.31"), Some("2024")),
            (Some("????.??.??"), None),
            (Some("20é4"), None),
            (Some("7"), None),
            (None, None),
        ] {
            let explored = ExploredMove {
                last_played: day.map(str::to_owned),
                ..ExploredMove::default()
            };
            assert_eq!(explored.last_year(), year, "{day:?}");
        }
    }
}
