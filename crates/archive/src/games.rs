//! Reading games from the games table.

use std::num::NonZero;
use std::ops::Range;
use std::thread::{self, available_parallelism};

use parquet::data_type::ByteArray;
use serde::Serialize;
use tabiya_board::Board;
use tabiya_notation::pgn::Game;
use tabiya_notation::{GameResult, Score};

use crate::archive::Archive;
use crate::date;
use crate::error::ArchiveError;
use crate::parse::{MATE, unpack_move};
use crate::read::{Group, TableFile};
use crate::table::Table;

/// The columns that are tags, in the order in which PGN wants them.
pub(crate) const TAG_COLUMNS: [&str; 21] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
    "UTCTime",
    "ECO",
    "Opening",
    "Termination",
    "TimeControl",
    "Variant",
    "FEN",
];
/// The columns with numbers, and those of them that are dates.
const NUMBERS: [&str; 5] = [
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
];
const DAYS: [&str; 1] = ["UTCDate"];
/// The tags that a list of games shows.
pub(crate) const SUMMARY: [&str; 9] = [
    "White", "Black", "Result", "WhiteElo", "BlackElo", "UTCDate", "Event", "Site", "ECO",
];

/// A game of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GameRow {
    /// Its number in the archive.
    pub game_id: u32,
    /// Its tags, as PGN writes them; those that are not known are left out.
    pub tags: Vec<(&'static str, String)>,
    /// Its moves, as Polyglot's books pack them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<u16>,
    /// The time left after each move in milliseconds, if there are clocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Option<i32>>,
    /// The evaluation after each move, if there are evaluations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evals: Vec<Option<i32>>,
    /// What could not be read, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl GameRow {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(tag, _)| *tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the game as PGN.
    pub fn to_pgn(&self) -> String {
        let start = self.tag("FEN").and_then(|fen| fen.parse().ok());
        let mut board = start.unwrap_or_else(Board::start);
        let mut game = Game::new(board);
        for (name, value) in &self.tags {
            game.set_tag(name, value);
        }
        if let Some(error) = &self.error {
            game.set_tag("Error", error);
        }
        let mut node = Game::ROOT;
        for (index, &packed) in self.moves.iter().enumerate() {
            let Some(mv) = unpack_move(&board, packed) else {
                break;
            };
            node = game.add_unchecked(node, Some(mv));
            board.play_unchecked(mv);
            let eval = self.evals.get(index).copied().flatten().map(eval_text);
            let clock = self.clocks.get(index).copied().flatten().map(clock_text);
            let commands: Vec<String> = eval.into_iter().chain(clock).collect();
            if !commands.is_empty() {
                game.node_mut(node).comments.push(commands.join(" "));
            }
        }
        let result = self.tag("Result").and_then(|text| text.parse().ok());
        game.set_result(result.unwrap_or(GameResult::Unknown));
        game.to_string()
    }
}

fn eval_text(number: i32) -> String {
    let score = match number {
        mate if mate >= MATE - 1000 => Score::Mate(MATE - mate),
        mate if mate <= 1000 - MATE => Score::Mate(-MATE - mate),
        centipawns => Score::Cp(centipawns),
    };
    format!("[%eval {score}]")
}

fn clock_text(milliseconds: i32) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    if rest > 0 {
        text.push_str(format!(".{rest:03}").trim_end_matches('0'));
    }
    format!("[%clk {text}]")
}

/// The moves of a game, as the table packs them.
fn packed_moves(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let (pairs, _) = bytes.as_chunks();
    pairs.iter().map(|pair| u16::from_le_bytes(*pair))
}

/// The positions of a game, by its columns `FEN` and `moves`.
pub(crate) fn boards(fen: Option<&str>, moves: &[u8]) -> impl Iterator<Item = Board> {
    let start = match fen {
        None => Some(Board::start()),
        Some(fen) => fen.parse().ok(),
    };
    let mut moves = packed_moves(moves);
    std::iter::successors(start, move |board| {
        let mv = unpack_move(board, moves.next()?)?;
        Some(board.after_unchecked(mv))
    })
}

/// A value of a column.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Int(Option<i32>),
    Text(Option<ByteArray>),
}

impl Value {
    pub(crate) const fn int(&self) -> Option<i32> {
        match self {
            Self::Int(number) => *number,
            Self::Text(_) => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => text.as_ref().map(ByteArray::data),
            Self::Int(_) => None,
        }
    }
}

/// A test of the values of some columns.
pub(crate) type Test = Box<dyn Fn(&[&Value]) -> bool + Send + Sync>;

/// A condition on columns of the games table.
pub(crate) struct Condition {
    pub(crate) columns: &'static [&'static str],
    pub(crate) test: Test,
}

impl Condition {
    /// Whether a test is so slow, because it replays the moves, that all cores should share the work.
    fn is_slow(&self) -> bool {
        self.columns.contains(&"moves")
    }

    /// Tests rows. The values are those of each column, one for a row.
    fn passed(&self, columns: &[Vec<Value>], rows: usize) -> Vec<bool> {
        let test = |row: usize| {
            let row: Vec<&Value> = columns.iter().map(|column| &column[row]).collect();
            (self.test)(&row)
        };
        let threads = if self.is_slow() {
            available_parallelism().map_or(1, NonZero::get)
        } else {
            1
        };
        if threads == 1 || rows < MIN_ROWS {
            return (0..rows).map(test).collect();
        }
        let mut passed = vec![false; rows];
        let share = rows.div_ceil(threads);
        thread::scope(|scope| {
            for (index, passed) in passed.chunks_mut(share).enumerate() {
                scope.spawn(move || {
                    for (offset, passed) in passed.iter_mut().enumerate() {
                        *passed = test(index * share + offset);
                    }
                });
            }
        });
        passed
    }
}

/// Fewer games than this are not worth a thread.
const MIN_ROWS: usize = 64;

/// Which games to look at.
#[derive(Clone, Copy)]
pub(crate) enum Games<'a> {
    All,
    /// These, in order.
    Only(&'a [u32]),
}

/// The ranges of numbers in a list that is in order.
fn ranges(rows: &[usize]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for &row in rows {
        match ranges.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => ranges.push(Range {
                start: row,
                end: row + 1,
            }),
        }
    }
    ranges
}

fn values(
    table: &TableFile,
    group: &Group<'_>,
    name: &str,
    rows: &[Range<usize>],
) -> Result<Vec<Value>, ArchiveError> {
    let column = table.column(name)?;
    Ok(if NUMBERS.contains(&name) {
        group
            .ints(column, rows)?
            .into_iter()
            .map(Value::Int)
            .collect()
    } else {
        group
            .texts(column, rows)?
            .into_iter()
            .map(Value::Text)
            .collect()
    })
}

impl Archive {
    /// Calls a function for each row group of the games table that has some of these games, with the number of its
    /// first game and the rows.
    fn for_each_group(
        &self,
        games: Games<'_>,
        mut visit: impl FnMut(&TableFile, &Group<'_>, u32, Vec<usize>) -> Result<bool, ArchiveError>,
    ) -> Result<(), ArchiveError> {
        for file in self.manifest().files(Table::Games) {
            let Some((first, last)) = file.range else {
                continue;
            };
            let wanted = |from: u32, to: u32| match games {
                Games::All => None,
                Games::Only(ids) => {
                    let start = ids.partition_point(|id| *id < from);
                    let end = ids.partition_point(|id| *id < to);
                    Some(&ids[start..end])
                }
            };
            if wanted(first as u32, last as u32 + 1).is_some_and(<[u32]>::is_empty) {
                continue;
            }
            let table = self.table(file)?;
            let mut from = first as u32;
            for index in 0..table.groups() {
                let count = table.group_rows(index);
                let to = from + count as u32;
                let rows: Vec<usize> = match wanted(from, to) {
                    None => (0..count).collect(),
                    Some(ids) => ids.iter().map(|id| (id - from) as usize).collect(),
                };
                if !rows.is_empty() && !visit(&table, &table.group(index)?, from, rows)? {
                    return Ok(());
                }
                from = to;
            }
        }
        Ok(())
    }

    /// Returns the games that meet all conditions, in order, up to a limit.
    pub(crate) fn select(
        &self,
        games: Games<'_>,
        conditions: &[Condition],
        limit: usize,
    ) -> Result<Vec<u32>, ArchiveError> {
        let mut selected = Vec::new();
        self.for_each_group(games, |table, group, first, mut rows| {
            for condition in conditions {
                let ranges = ranges(&rows);
                let columns: Vec<Vec<Value>> = condition
                    .columns
                    .iter()
                    .map(|name| values(table, group, name, &ranges))
                    .collect::<Result<_, _>>()?;
                let mut passed = condition.passed(&columns, rows.len()).into_iter();
                rows.retain(|_| passed.next() == Some(true));
                if rows.is_empty() {
                    return Ok(true);
                }
            }
            selected.extend(rows.into_iter().map(|row| first + row as u32));
            Ok(selected.len() < limit)
        })?;
        selected.truncate(limit);
        Ok(selected)
    }

    /// Returns the days of games, in order.
    pub(crate) fn days(&self, ids: &[u32]) -> Result<Vec<Option<i32>>, ArchiveError> {
        let mut days = Vec::with_capacity(ids.len());
        self.for_each_group(Games::Only(ids), |table, group, _, rows| {
            days.extend(group.ints(table.column("UTCDate")?, &ranges(&rows))?);
            Ok(true)
        })?;
        Ok(days)
    }

    /// Returns the given tags of games by their numbers, which must be in order.
    pub(crate) fn summaries(
        &self,
        ids: &[u32],
        tags: &[&'static str],
    ) -> Result<Vec<GameRow>, ArchiveError> {
        let mut found = Vec::with_capacity(ids.len());
        self.for_each_group(Games::Only(ids), |table, group, first, rows| {
            found.extend(read_rows(table, group, first, &rows, tags)?);
            Ok(true)
        })?;
        Ok(found)
    }

    /// Returns a game with its moves; `None` if there is no game with this number.
    pub fn game(&self, id: u32) -> Result<Option<GameRow>, ArchiveError> {
        Ok(self.games(&[id])?.pop())
    }

    /// Returns games with their moves by their numbers, in the order of these.
    pub fn games(&self, ids: &[u32]) -> Result<Vec<GameRow>, ArchiveError> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let mut found = Vec::with_capacity(ids.len());
        self.for_each_group(Games::Only(&ids), |table, group, first, rows| {
            let ranges = ranges(&rows);
            let mut games = read_rows(table, group, first, &rows, &TAG_COLUMNS)?;
            let moves = group.texts(table.column("moves")?, &ranges)?;
            let clocks = group.lists(table.column("clocks")?, &ranges)?;
            let evals = group.lists(table.column("evals")?, &ranges)?;
            let errors = group.texts(table.column("error")?, &ranges)?;
            let lists = moves.into_iter().zip(clocks).zip(evals).zip(errors);
            for (game, (((moves, clocks), evals), error)) in games.iter_mut().zip(lists) {
                let bytes = moves.as_ref().map_or(&[][..], ByteArray::data);
                game.moves = packed_moves(bytes).collect();
                game.clocks = clocks;
                game.evals = evals;
                game.error = error.map(|error| String::from_utf8_lossy(error.data()).into_owned());
            }
            found.extend(games);
            Ok(true)
        })?;
        Ok(found)
    }
}

fn read_rows(
    table: &TableFile,
    group: &Group<'_>,
    first: u32,
    rows: &[usize],
    tags: &[&'static str],
) -> Result<Vec<GameRow>, ArchiveError> {
    let ranges = ranges(rows);
    let mut games: Vec<GameRow> = rows
        .iter()
        .map(|&row| GameRow {
            game_id: first + row as u32,
            ..GameRow::default()
        })
        .collect();
    for &name in tags {
        for (game, value) in games.iter_mut().zip(values(table, group, name, &ranges)?) {
            let text = match &value {
                Value::Int(Some(day)) if DAYS.contains(&name) => date::format(*day),
                Value::Int(Some(difference)) if name.ends_with("RatingDiff") => {
                    format!("{difference:+}")
                }
                Value::Int(Some(number)) => number.to_string(),
                other => match other.text() {
                    Some(text) => text.to_owned(),
                    None => continue,
                },
            };
            game.tags.push((name, text));
        }
    }
    Ok(games)
}
