//! What was played in a position: counts, results, ratings, the best and the latest games.

use tabiya_notation::GameResult;

use crate::entry::Entry;

/// How many of the best and of the latest games are kept for a move.
pub(crate) const KEPT: usize = 8;

/// A game with what it is ranked by: a rating or a day.
pub(crate) type Ranked = (i32, u32);

/// Keeps the largest few, the largest first.
pub(crate) fn keep(list: &mut Vec<Ranked>, game: Ranked) {
    if list.len() == KEPT && list.last().is_some_and(|last| *last >= game) {
        return;
    }
    let at = list.partition_point(|other| *other > game);
    list.insert(at, game);
    list.truncate(KEPT);
}

/// The games of a position in which the same move was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MoveSums {
    /// As in Polyglot's books, or [`NO_MOVE`](crate::entry::NO_MOVE).
    pub(crate) mv: u16,
    /// By result, in the order of [`GameResult::ALL`].
    pub(crate) results: [u32; 4],
    pub(crate) rating_sum: i64,
    pub(crate) rating_count: u32,
    /// The last day, counted since 1970.
    pub(crate) last_played: Option<i32>,
    /// By the average rating of the players.
    pub(crate) top: Vec<Ranked>,
    /// By the day.
    pub(crate) recent: Vec<Ranked>,
}

impl MoveSums {
    pub(crate) fn new(mv: u16) -> Self {
        Self {
            mv,
            results: [0; 4],
            rating_sum: 0,
            rating_count: 0,
            last_played: None,
            top: Vec::new(),
            recent: Vec::new(),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.results.iter().map(|&count| u64::from(count)).sum()
    }

    /// Adds a game.
    pub(crate) fn add(
        &mut self,
        game: u32,
        result: GameResult,
        rating: Option<i32>,
        day: Option<i32>,
    ) {
        self.results[result as usize] += 1;
        if let Some(rating) = rating {
            self.rating_sum += i64::from(rating);
            self.rating_count += 1;
            keep(&mut self.top, (rating, game));
        }
        if let Some(day) = day {
            self.last_played = self.last_played.max(Some(day));
            keep(&mut self.recent, (day, game));
        }
    }

    fn merge(&mut self, other: &Self) {
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        self.rating_sum += other.rating_sum;
        self.rating_count += other.rating_count;
        self.last_played = self.last_played.max(other.last_played);
        for &game in &other.top {
            keep(&mut self.top, game);
        }
        for &game in &other.recent {
            keep(&mut self.recent, game);
        }
    }
}

/// All games of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PositionSums {
    pub(crate) moves: Vec<MoveSums>,
}

impl PositionSums {
    /// The sums of a move.
    pub(crate) fn of(&mut self, mv: u16) -> &mut MoveSums {
        let known = self.moves.iter().position(|sums| sums.mv == mv);
        let at = known.unwrap_or(self.moves.len());
        if known.is_none() {
            self.moves.push(MoveSums::new(mv));
        }
        &mut self.moves[at]
    }

    /// Adds the sums of another part of the archive.
    pub(crate) fn merge(&mut self, other: &Self) {
        for sums in &other.moves {
            self.of(sums.mv).merge(sums);
        }
    }

    pub(crate) fn add(&mut self, entry: &Entry) {
        let rating = rating(entry.white_elo, entry.black_elo);
        let day = crate::date::from_positive(entry.day());
        self.of(entry.mv)
            .add(entry.game_id, entry.result(), rating, day);
    }
}

/// The average of two ratings, or the one that is known. Zero is not known.
pub(crate) fn rating(white: u16, black: u16) -> Option<i32> {
    match (i32::from(white), i32::from(black)) {
        (0, 0) => None,
        (0, one) | (one, 0) => Some(one),
        (white, black) => Some(i32::midpoint(white, black)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_few_are_kept_in_order() {
        let mut list = Vec::new();
        for game in 0..100 {
            keep(&mut list, ((game * 37 % 50) as i32, game));
        }
        let mut all: Vec<Ranked> = (0..100)
            .map(|game| ((game * 37 % 50) as i32, game))
            .collect();
        all.sort_unstable();
        all.reverse();
        assert_eq!(list, all[..KEPT]);
    }

    #[test]
    fn merged_sums_equal_the_sums_of_all() {
        let games = |range: std::ops::Range<u32>| {
            let mut sums = PositionSums::default();
            for game in range {
                let result = GameResult::ALL[game as usize % 4];
                let rating = (game % 5 > 0).then_some((game * 7919 % 3000) as i32);
                let day = (game % 7 > 0).then_some((game * 104_729 % 9000) as i32);
                sums.of((game % 3) as u16).add(game, result, rating, day);
            }
            sums
        };
        let mut merged = games(0..400);
        merged.merge(&games(400..1000));
        assert_eq!(merged, games(0..1000));
        assert_eq!(merged.moves.iter().map(MoveSums::games).sum::<u64>(), 1000);
    }

    #[test]
    fn ratings_that_are_not_known_do_not_count() {
        assert_eq!(rating(2000, 2101), Some(2050));
        assert_eq!(rating(0, 2101), Some(2101));
        assert_eq!(rating(0, 0), None);
    }
}
