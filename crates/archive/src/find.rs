//! Finding games.

use tabiya_board::Board;
use tabiya_games::Pattern;
use tabiya_notation::GameResult;

use crate::archive::Archive;
use crate::date;
use crate::error::ArchiveError;
use crate::games::{Condition, GameRow, Games, SUMMARY, Test, Value, boards};
use crate::parse::key;
use crate::sums::rating;
use crate::table::Table;

/// Reads a date as `2025.05.01` or `2025-05-01`, and returns the days since 1970.
pub fn parse_day(text: &str) -> Option<i32> {
    date::parse(text)
}

/// Which games count. Every field narrows them down; the default takes all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// The least average rating of the players.
    pub min_rating: Option<i32>,
    /// The largest average rating of the players.
    pub max_rating: Option<i32>,
    /// The first day, counted since 1970.
    pub since: Option<i32>,
    /// The last day, counted since 1970.
    pub until: Option<i32>,
    /// A time control as PGN writes it (`300+3`), or bullet, blitz, rapid, classical.
    pub time_control: Option<String>,
    /// Part of either player's name.
    pub player: Option<String>,
    /// Part of White's name.
    pub white: Option<String>,
    /// Part of Black's name.
    pub black: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Part of the name of the event.
    pub event: Option<String>,
    /// The beginning of the ECO code.
    pub eco: Option<String>,
    /// Part of the name of the opening.
    pub opening: Option<String>,
    /// Patterns that a position of the game matches, all at the same time.
    pub patterns: Vec<Pattern>,
    /// The number of positions in a row that match all patterns; 0 is like 1.
    pub in_a_row: usize,
    /// Whether only games count that could not be read to their end.
    pub broken: bool,
}

/// The estimated length of a game in seconds: the base, and the increment of forty moves.
fn estimated_seconds(tag: &str) -> Option<f64> {
    let (base, increment) = tag.split_once('+').unwrap_or((tag, "0"));
    // Periods such as 40/7200: the time of the first.
    let base = base.rsplit('/').next()?;
    Some(base.parse::<f64>().ok()? + 40.0 * increment.parse::<f64>().ok()?)
}

/// The class of a time control, as Lichess divides them.
fn class(tag: &str) -> Option<&'static str> {
    Some(match estimated_seconds(tag)? {
        seconds if seconds < 180.0 => "bullet",
        seconds if seconds < 480.0 => "blitz",
        seconds if seconds < 1500.0 => "rapid",
        _ => "classical",
    })
}

/// Whether a text has another in it, whatever the case of their letters.
fn has(text: Option<&str>, lower: &str) -> bool {
    text.is_some_and(|text| text.to_lowercase().contains(lower))
}

/// The average rating of two columns.
fn average(white: Option<i32>, black: Option<i32>) -> Option<i32> {
    rating(white.unwrap_or(0) as u16, black.unwrap_or(0) as u16)
}

impl Filter {
    /// Whether all games pass.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn allows_rating(&self, rating: Option<i32>) -> bool {
        (self.min_rating.is_none() && self.max_rating.is_none())
            || rating.is_some_and(|rating| {
                self.min_rating.is_none_or(|min| rating >= min)
                    && self.max_rating.is_none_or(|max| rating <= max)
            })
    }

    pub(crate) fn allows_result(&self, result: GameResult) -> bool {
        self.result.is_none_or(|wanted| wanted == result)
    }

    /// Whether positions in a row match all patterns.
    fn has_patterns(&self, boards: impl Iterator<Item = Board>) -> bool {
        let mut in_a_row = 0;
        for board in boards {
            let is_match = self.patterns.iter().all(|pattern| pattern.matches(&board));
            in_a_row = if is_match { in_a_row + 1 } else { 0 };
            if is_match && in_a_row >= self.in_a_row {
                return true;
            }
        }
        false
    }

    /// The conditions on the games table. Ratings and results are in the positions table too.
    pub(crate) fn conditions(&self, with_positions_columns: bool) -> Vec<Condition> {
        let mut conditions = Vec::new();
        let mut add = |columns, test| conditions.push(Condition { columns, test });
        if with_positions_columns {
            if let Some(result) = self.result {
                let test = move |row: &[&Value]| row[0].text() == Some(result.as_str());
                add(&["Result"], Box::new(test) as Test);
            }
            if self.min_rating.is_some() || self.max_rating.is_some() {
                let filter = self.clone();
                let test =
                    move |row: &[&Value]| filter.allows_rating(average(row[0].int(), row[1].int()));
                add(&["WhiteElo", "BlackElo"], Box::new(test));
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let (since, until) = (self.since, self.until);
            let test = move |row: &[&Value]| {
                row[0].int().is_some_and(|day| {
                    since.is_none_or(|since| day >= since) && until.is_none_or(|until| day <= until)
                })
            };
            add(&["UTCDate"], Box::new(test));
        }
        if let Some(control) = self.time_control.clone() {
            let test = move |row: &[&Value]| {
                let tag = row[0].text();
                tag.is_some_and(|tag| {
                    tag == control || class(tag) == Some(control.to_lowercase().as_str())
                })
            };
            add(&["TimeControl"], Box::new(test));
        }
        let parts: [(&'static [&'static str], &Option<String>); 5] = [
            (&["White", "Black"], &self.player),
            (&["White"], &self.white),
            (&["Black"], &self.black),
            (&["Event"], &self.event),
            (&["Opening"], &self.opening),
        ];
        for (columns, part) in parts {
            if let Some(part) = part {
                let lower = part.to_lowercase();
                let test = move |row: &[&Value]| row.iter().any(|value| has(value.text(), &lower));
                add(columns, Box::new(test));
            }
        }
        if let Some(eco) = self.eco.clone() {
            let test = move |row: &[&Value]| {
                let code = row[0].text();
                code.is_some_and(|code| code.to_uppercase().starts_with(&eco.to_uppercase()))
            };
            add(&["ECO"], Box::new(test));
        }
        if self.broken {
            let test = move |row: &[&Value]| row[0].text().is_some();
            add(&["error"], Box::new(test));
        }
        if !self.patterns.is_empty() {
            let filter = self.clone();
            let test = move |row: &[&Value]| {
                let (fen, moves) = (row[0].text(), row[1].bytes().unwrap_or_default());
                // A game that was refused before its first move has no positions.
                let is_unread = moves.is_empty() && row[2].bytes().is_some();
                !is_unread && filter.has_patterns(boards(fen, moves))
            };
            // Last, because it takes longest.
            add(&["FEN", "moves", "error"], Box::new(test));
        }
        conditions
    }
}

impl Archive {
    /// Returns the games that have a position, in order.
    fn games_with(&self, board: &Board) -> Result<Vec<u32>, ArchiveError> {
        let key = key(board);
        let mut ids = Vec::new();
        for file in self.manifest().files(Table::Positions) {
            if !file.may_have(key) {
                continue;
            }
            let table = self.table(file)?;
            let column = table.column("game_id")?;
            for (group, rows) in table.find(key)? {
                let found = group.ints(column, &[rows])?;
                ids.extend(found.into_iter().flatten().map(|id| id as u32));
            }
        }
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }

    /// Returns the duplicates, in order.
    fn duplicates(&self) -> Result<Vec<u32>, ArchiveError> {
        let mut ids = Vec::new();
        for file in self.manifest().files(Table::Duplicates) {
            if file.rows > 0 {
                let found = self.table(file)?.ints("game_id")?;
                ids.extend(found.into_iter().map(|id| id as u32));
            }
        }
        Ok(ids)
    }

    /// Returns the numbers of the games that pass a filter and reach a position, if one is given, up to a limit. Only
    /// the first copy of a duplicate is found.
    pub fn find(
        &self,
        filter: &Filter,
        position: Option<&Board>,
        limit: usize,
    ) -> Result<Vec<u32>, ArchiveError> {
        let with_position = position.map(|board| self.games_with(board)).transpose()?;
        let games = with_position.as_deref().map_or(Games::All, Games::Only);
        let duplicates = self.duplicates()?;
        let most = limit.saturating_add(duplicates.len());
        let mut found = self.select(games, &filter.conditions(true), most)?;
        found.retain(|id| duplicates.binary_search(id).is_err());
        found.truncate(limit);
        Ok(found)
    }

    /// Returns the tags that a list of games shows, of games by their numbers.
    pub fn list(&self, ids: &[u32]) -> Result<Vec<GameRow>, ArchiveError> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        self.summaries(&ids, &SUMMARY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_have_a_class() {
        for (tag, expected) in [
            ("60+0", Some("bullet")),
            ("120+1", Some("bullet")),
            ("180+0", Some("blitz")),
            ("300+3", Some("blitz")),
            ("600+0", Some("rapid")),
            ("1800+0", Some("classical")),
            ("40/7200", Some("classical")),
            ("900", Some("rapid")),
            ("-", None),
            ("?", None),
        ] {
            assert_eq!(class(tag), expected, "{tag}");
        }
    }
}
