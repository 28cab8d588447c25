//! Counting games, results and openings.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};
use tabiya_notation::pgn::{
    Batch, BatchKind, GameErrorKind, Reader, Visitor, decode_tag, replay, result_in_tag,
};
use tabiya_notation::{GameResult, Opening, PieceLetters, opening, openings};

use crate::check::Players;

/// Games in numbers. Broken games count up to their error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The number of moves of both sides on the main lines.
    pub plies: u64,
    /// The number of games with an error.
    pub broken: u64,
    /// The number of games of other variants. They count as games, with their results, and not as broken.
    pub other_variants: u64,
    /// The number of games with each result, in the order of [`GameResult::ALL`].
    pub results: [u64; 4],
    /// The number of games with each opening, by ECO code and name.
    pub openings: HashMap<(&'static str, &'static str), u64>,
    /// The number of games in each year.
    pub years: BTreeMap<u16, u64>,
    /// The first of the longest games.
    pub longest: Option<LongestGame>,
}

/// The longest game of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongestGame {
    /// Its length in moves of both sides.
    pub plies: u64,
    /// The number of games before it in its batch.
    pub index: u64,
    /// White's name; empty if not known.
    pub white: String,
    /// Black's name; empty if not known.
    pub black: String,
}

impl Stats {
    /// Adds the numbers of other games. Returns whether the longest game is one of those.
    pub fn add(&mut self, mut other: Self) -> bool {
        self.games += other.games;
        self.plies += other.plies;
        self.broken += other.broken;
        self.other_variants += other.other_variants;
        for (count, more) in self.results.iter_mut().zip(other.results) {
            *count += more;
        }
        for (opening, more) in other.openings {
            *self.openings.entry(opening).or_default() += more;
        }
        for (year, more) in other.years {
            *self.years.entry(year).or_default() += more;
        }
        let plies = |longest: &Option<LongestGame>| longest.as_ref().map_or(0, |game| game.plies);
        let is_longer = plies(&other.longest) > plies(&self.longest);
        if is_longer {
            self.longest = other.longest.take();
        }
        is_longer
    }
}

/// The longest opening of the table, in moves of both sides.
static LONGEST_OPENING: LazyLock<u64> =
    LazyLock::new(|| openings().map(|opening| opening.plies()).max().unwrap_or(0) as u64);

/// What is known of a game while it is replayed.
struct Counter<'a> {
    players: Players<'a>,
    board: Board,
    plies: u64,
    opening: Option<Opening>,
    /// Whether the opening can still change.
    in_opening: bool,
    result: Option<GameResult>,
    year: Option<u16>,
}

impl Counter<'_> {
    fn new(start: Board) -> Self {
        Self {
            players: Players::default(),
            board: start,
            plies: 0,
            opening: None,
            in_opening: true,
            result: None,
            year: None,
        }
    }
}

impl<'a> Visitor<'a> for Counter<'a> {
    type Board = Position;
    const NULL_MOVES: bool = true;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        match name {
            b"Result" => {
                self.result = result_in_tag(&decode_tag(value)).ok().flatten();
            }
            b"Date" => self.year = year(value),
            b"UTCDate" => self.year = self.year.or_else(|| year(value)),
            _ => self.players.tag(name, value),
        }
    }

    fn set_up(&mut self, start: &Board) {
        self.board = *start;
    }

    #[inline]
    fn play(&mut self, mv: Move, _after: &Position, depth: usize) {
        if depth > 0 {
            return;
        }
        self.plies += 1;
        if self.in_opening {
            self.board.play_unchecked(mv);
            self.opening = opening(&self.board).or(self.opening);
            self.in_opening = self.plies < *LONGEST_OPENING;
        }
    }

    fn null_move(&mut self, _after: &Position, depth: usize) {
        if depth == 0 {
            self.plies += 1;
            self.in_opening = false;
        }
    }
}

/// The year of a date such as 1857.10.??.
fn year(date: &[u8]) -> Option<u16> {
    let digits = date.get(..4)?;
    let is_year = digits.iter().all(u8::is_ascii_digit) && date.get(4).is_none_or(|&b| b == b'.');
    let year = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_year && year > 0).then_some(year)
}

/// Counts the games of a batch.
pub fn count(batch: &Batch, letters: &PieceLetters) -> Stats {
    let start = Board::start();
    let mut reader = Reader::new(&batch.text);
    let mut stats = Stats::default();
    match batch.kind {
        BatchKind::Games => {}
        BatchKind::TooLarge { .. } => {
            (stats.games, stats.broken) = (1, 1);
            stats.results[GameResult::Unknown as usize] = 1;
            return stats;
        }
        BatchKind::Rest => return stats,
    }
    let mut counter = Counter::new(start);
    while let Some(replayed) = replay(&mut reader, letters, &mut counter) {
        let game = std::mem::replace(&mut counter, Counter::new(start));
        let result = replayed.result.or(game.result);
        stats.results[result.unwrap_or(GameResult::Unknown) as usize] += 1;
        if let Some(Opening { eco, name, .. }) = game.opening {
            *stats.openings.entry((eco, name)).or_default() += 1;
        }
        if let Some(year) = game.year {
            *stats.years.entry(year).or_default() += 1;
        }
        let longest = stats.longest.as_ref();
        if longest.is_none_or(|longest| game.plies > longest.plies) {
            stats.longest = Some(LongestGame {
                plies: game.plies,
                index: stats.games,
                white: decode_tag(game.players.white).into_owned(),
                black: decode_tag(game.players.black).into_owned(),
            });
        }
        stats.games += 1;
        stats.plies += game.plies;
        match replayed.error.map(|error| error.kind) {
            None => {}
            Some(GameErrorKind::Variant(_)) => stats.other_variants += 1,
            Some(_) => stats.broken += 1,
        }
    }
    stats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(games: &str) -> Stats {
        count(&Batch::new(games), &PieceLetters::ENGLISH)
    }

    #[test]
    fn years_of_dates() {
        for (date, expected) in [
            ("1857.10.??", Some(1857)),
            ("2024", Some(2024)),
            ("????.??.??", None),
            ("0000.00.00", None),
            ("18571010", None),
            ("", None),
        ] {
            assert_eq!(year(date.as_bytes()), expected, "{date}");
        }
    }

    #[test]
    fn games_are_counted() {
        let stats = counted(
            "[White \"A\"]\n[Date \"1999.??.??\"]\n\n1. e4 c5 (1... e5 2. Nf3) 1-0\n\n\
             [White \"B\"]\n[Result \"0-1\"]\n[UTCDate \"2001.01.01\"]\n\n1. d4 d5 2. c4 e6\n\n\
             [White \"C\"]\n\n1. e4 e5 2. Ke3 1/2-1/2\n",
        );
        assert_eq!((stats.games, stats.plies, stats.broken), (3, 8, 1));
        assert_eq!(stats.results, [1, 1, 1, 0]);
        assert_eq!(stats.years, [(1999, 1), (2001, 1)].into());
        assert_eq!(stats.openings[&("B20", "Sicilian Defense")], 1);
        let longest = stats.longest.unwrap();
        assert_eq!(
            (longest.plies, longest.index, longest.white.as_str()),
            (4, 1, "B")
        );
    }

    #[test]
    fn other_variants_are_counted_apart() {
        let stats = counted("[Variant \"Atomic\"]\n\n1. e4 Nf6 1-0\n\n1. e4 e5 0-1\n");
        assert_eq!((stats.games, stats.plies), (2, 2));
        assert_eq!((stats.broken, stats.other_variants), (0, 1));
        assert_eq!(stats.results, [1, 1, 0, 0]);
    }

    #[test]
    fn sums_keep_the_longest_game() {
        let mut sum = counted("1. e4 e5 *\n");
        assert!(!sum.add(counted("1. d4 d5 *\n")));
        assert!(sum.add(counted("1. d4 d5 2. c4 *\n")));
        assert_eq!((sum.games, sum.plies), (3, 7));
        assert_eq!(sum.longest.unwrap().plies, 3);
    }
}
