//! The numbers of all games, in the form in which programs get them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::stats::{LongestGame, Stats};

/// A game and its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlacedGame {
    /// Its length in moves of both sides.
    pub plies: u64,
    /// The name of its file.
    pub file: String,
    /// Its number in that file, from 1.
    pub game: u64,
    /// White's name; empty if not known.
    pub white: String,
    /// Black's name; empty if not known.
    pub black: String,
}

impl PlacedGame {
    /// The longest game of a batch, before which its file has some games.
    pub fn of(longest: &LongestGame, file: String, games_before: u64) -> Self {
        Self {
            plies: longest.plies,
            file,
            game: games_before + longest.index + 1,
            white: longest.white.clone(),
            black: longest.black.clone(),
        }
    }
}

/// The numbers of all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StatsReport {
    /// The number of games.
    pub games: u64,
    /// The number of moves of both sides.
    pub plies: u64,
    /// The average number of those per game.
    pub average_plies: f64,
    /// The number of games with an error.
    pub broken: u64,
    /// The number of games of other variants.
    pub other_variants: u64,
    /// The number of games with each result.
    pub results: ResultCounts,
    /// The most common openings.
    pub openings: Vec<OpeningCount>,
    /// The longest game.
    pub longest: Option<PlacedGame>,
    /// The number of games in each year.
    pub years: BTreeMap<u16, u64>,
}

/// How many games ended how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ResultCounts {
    /// The wins of White.
    pub white_wins: u64,
    /// The wins of Black.
    pub black_wins: u64,
    /// The draws.
    pub draws: u64,
    /// The games without a known result.
    pub unknown: u64,
}

/// How many games had an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningCount {
    /// The ECO code.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// The number of games.
    pub games: u64,
}

impl StatsReport {
    /// The numbers, with the `top` most common openings.
    pub fn of(stats: Stats, longest: Option<PlacedGame>, top: usize) -> Self {
        let openings = stats.openings.into_iter();
        let mut openings: Vec<OpeningCount> = openings
            .map(|((eco, name), games)| OpeningCount { eco, name, games })
            .collect();
        openings
            .sort_by_key(|opening| (std::cmp::Reverse(opening.games), opening.eco, opening.name));
        openings.truncate(top);
        let [white_wins, black_wins, draws, unknown] = stats.results;
        Self {
            games: stats.games,
            plies: stats.plies,
            average_plies: stats.plies as f64 / stats.games.max(1) as f64,
            broken: stats.broken,
            other_variants: stats.other_variants,
            results: ResultCounts {
                white_wins,
                black_wins,
                draws,
                unknown,
            },
            openings,
            longest,
            years: stats.years,
        }
    }
}
