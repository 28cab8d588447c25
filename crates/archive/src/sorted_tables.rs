//! Writing the sorted tables: positions, and the explorer's sums of them.

use std::path::Path;

use tabiya_notation::GameResult;

use crate::entry::{Entry, NO_MOVE};
use crate::error::ArchiveError;
use crate::manifest::DataFile;
use crate::sums::{MoveSums, PositionSums, Ranked};
use crate::table::{Column, Lists, Optional, Table, TableWriter};
use crate::testing;

/// A position with fewer games than this is not in the explorer table: adding up its rows in the positions table takes
/// no longer than reading another file. All positions of all games would make the table as large as that one.
pub(crate) const EXPLORER_GAMES: usize = 16;

/// The rows of a file of positions, about: so few that a hundred thousand games already keep several threads busy.
pub(crate) const FILE_ROWS: u64 = 1 << 21;

/// The result in the positions table: a win for White, a draw, a win for Black, not known.
pub(crate) const fn result_number(result: GameResult) -> Option<i32> {
    match result {
        GameResult::WhiteWins => Some(1),
        GameResult::Draw => Some(0),
        GameResult::BlackWins => Some(-1),
        GameResult::Unknown => None,
    }
}

/// Undoes [`result_number`].
pub(crate) const fn result_of_number(number: Option<i32>) -> GameResult {
    match number {
        Some(1) => GameResult::WhiteWins,
        Some(0) => GameResult::Draw,
        Some(-1) => GameResult::BlackWins,
        _ => GameResult::Unknown,
    }
}

#[derive(Default)]
struct PositionRows {
    key: Vec<i64>,
    game_id: Vec<i32>,
    ply: Vec<i32>,
    mv: Optional<i32>,
    result: Optional<i32>,
    white_elo: Optional<i32>,
    black_elo: Optional<i32>,
}

impl PositionRows {
    fn push(&mut self, entry: &Entry) {
        let known = |elo: u16| (elo > 0).then_some(i32::from(elo));
        self.key.push(entry.key);
        self.game_id.push(entry.game_id as i32);
        self.ply.push(i32::from(entry.ply));
        self.mv.push(move_number(entry.mv));
        self.result.push(result_number(entry.result()));
        self.white_elo.push(known(entry.white_elo));
        self.black_elo.push(known(entry.black_elo));
    }

    fn take(&mut self) -> [Column; 7] {
        let rows = std::mem::take(self);
        [
            Column::Long(rows.key),
            Column::Int(rows.game_id),
            Column::Int(rows.ply),
            Column::OptionalInt(rows.mv),
            Column::OptionalInt(rows.result),
            Column::OptionalInt(rows.white_elo),
            Column::OptionalInt(rows.black_elo),
        ]
    }

    /// Takes columns back that have been written, for their memory.
    fn reuse(&mut self, mut columns: [Column; 7]) {
        columns.iter_mut().for_each(Column::clear);
        if let [
            Column::Long(key),
            Column::Int(game_id),
            Column::Int(ply),
            Column::OptionalInt(mv),
            Column::OptionalInt(result),
            Column::OptionalInt(white_elo),
            Column::OptionalInt(black_elo),
        ] = columns
        {
            *self = Self {
                key,
                game_id,
                ply,
                mv,
                result,
                white_elo,
                black_elo,
            };
        }
    }
}

/// A move in a table; `None` where the game ends.
fn move_number(mv: u16) -> Option<i32> {
    (mv != NO_MOVE).then_some(i32::from(mv))
}

struct ExplorerRows {
    key: Vec<i64>,
    mv: Optional<i32>,
    results: [Vec<i32>; 4],
    rating_sum: Vec<i64>,
    rating_count: Vec<i32>,
    last_played: Optional<i32>,
    lists: [Lists; 4],
}

impl ExplorerRows {
    fn new() -> Self {
        Self {
            key: Vec::new(),
            mv: Optional::default(),
            results: [const { Vec::new() }; 4],
            rating_sum: Vec::new(),
            rating_count: Vec::new(),
            last_played: Optional::default(),
            lists: std::array::from_fn(|_| Lists::new(false)),
        }
    }

    fn push(&mut self, key: i64, sums: &MoveSums) {
        self.key.push(key);
        self.mv.push(move_number(sums.mv));
        for (column, count) in self.results.iter_mut().zip(sums.results) {
            column.push(count as i32);
        }
        self.rating_sum.push(sums.rating_sum);
        self.rating_count.push(sums.rating_count as i32);
        self.last_played.push(sums.last_played);
        let games =
            |list: &[Ranked]| -> Vec<_> { list.iter().map(|game| Some(game.1 as i32)).collect() };
        let ranks = |list: &[Ranked]| -> Vec<_> { list.iter().map(|game| Some(game.0)).collect() };
        let lists = [
            games(&sums.top),
            ranks(&sums.top),
            games(&sums.recent),
            ranks(&sums.recent),
        ];
        for (column, list) in self.lists.iter_mut().zip(lists) {
            column.push(Some(&list));
        }
    }

    fn take(&mut self) -> Vec<Column> {
        let rows = std::mem::replace(self, Self::new());
        let [white, black, draws, unknown] = rows.results.map(Column::Int);
        let mut columns = vec![
            Column::Long(rows.key),
            Column::OptionalInt(rows.mv),
            white,
            draws,
            black,
            unknown,
            Column::Long(rows.rating_sum),
            Column::Int(rows.rating_count),
            Column::OptionalInt(rows.last_played),
        ];
        columns.extend(rows.lists.map(Column::List));
        columns
    }
}

/// A table, filled row group by row group.
struct Filling<'a> {
    writer: TableWriter<'a>,
    table: Table,
    range: Option<(i64, i64)>,
}

impl<'a> Filling<'a> {
    fn new(table: Table, path: &'a Path) -> Result<Self, ArchiveError> {
        Ok(Self {
            writer: TableWriter::create(table, path)?,
            table,
            range: None,
        })
    }

    fn extend_range(&mut self, key: i64) {
        let first = self.range.map_or(key, |range| range.0);
        self.range = Some((first, key));
    }

    fn finish(self, building: &Path, name: &str) -> Result<DataFile, ArchiveError> {
        testing::point();
        let (rows, seal) = self.writer.finish()?;
        let file = DataFile::new(self.table, name.to_owned(), rows, &seal, self.range);
        file.write_sums(building, &seal)?;
        Ok(file)
    }
}

/// Writes a file of positions and one of the explorer from entries, which must come in order. Games that are in the
/// archive already are left out.
pub(crate) fn write_sorted(
    mut next: impl FnMut() -> Result<Option<Entry>, ArchiveError>,
    is_duplicate: impl Fn(u32) -> bool,
    building: &Path,
    name: &str,
) -> Result<[DataFile; 2], ArchiveError> {
    let path = |table: Table| building.join(table.name()).join(name);
    let (positions_path, explorer_path) = (path(Table::Positions), path(Table::Explorer));
    let mut positions = Filling::new(Table::Positions, &positions_path)?;
    let mut explorer = Filling::new(Table::Explorer, &explorer_path)?;
    let (mut rows, mut explorer_rows) = (PositionRows::default(), ExplorerRows::new());
    let mut sums = PositionSums::default();
    // The games of a position until it has enough for the explorer. Most have one.
    let mut few: Vec<Entry> = Vec::with_capacity(EXPLORER_GAMES);
    let mut last: Option<Entry> = None;
    loop {
        let next = next()?;
        if let Some(last) = last
            && next.is_none_or(|next| next.key != last.key)
        {
            few.clear();
            if !sums.moves.is_empty() {
                explorer.extend_range(last.key);
                sums.moves.sort_unstable_by_key(|sums| sums.mv);
                for sums in sums.moves.drain(..) {
                    explorer_rows.push(last.key, &sums);
                }
            }
        }
        if next.is_none() || explorer_rows.key.len() >= Table::Explorer.group_rows() {
            let count = explorer_rows.key.len();
            explorer
                .writer
                .write_group(count, &[&explorer_rows.take()])?;
        }
        if next.is_none() || rows.key.len() >= Table::Positions.group_rows() {
            let count = rows.key.len();
            let columns = rows.take();
            positions.writer.write_group(count, &[&columns])?;
            rows.reuse(columns);
        }
        let Some(entry) = next else {
            break;
        };
        if is_duplicate(entry.game_id) {
            continue;
        }
        positions.extend_range(entry.key);
        rows.push(&entry);
        // A game that repeats a position counts once, with the first move played there.
        let is_repeated =
            last.is_some_and(|last| (last.key, last.game_id) == (entry.key, entry.game_id));
        if !is_repeated {
            few.push(entry);
            if few.len() == EXPLORER_GAMES || !sums.moves.is_empty() {
                few.drain(..).for_each(|entry| sums.add(&entry));
            }
        }
        last = Some(entry);
    }
    let positions = positions.finish(building, name)?;
    Ok([positions, explorer.finish(building, name)?])
}
