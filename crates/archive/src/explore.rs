//! The opening explorer: what was played in a position.

use std::collections::HashMap;

use tabiya_board::Board;
use tabiya_explorer::{Explored, ExploredGame, ExploredMove};
use tabiya_notation::write_san;

use crate::archive::Archive;
use crate::date;
use crate::entry::NO_MOVE;
use crate::error::ArchiveError;
use crate::find::Filter;
use crate::games::Games;
use crate::manifest::{DataFile, Part};
use crate::parse::{key, unpack_move};
use crate::sorted_tables::result_of_number;
use crate::sums::{MoveSums, PositionSums, Ranked, keep, rating};
use crate::table::Table;

/// A row of the positions table.
struct Row {
    game_id: u32,
    mv: u16,
    result: Option<i32>,
    rating: Option<i32>,
}

impl Archive {
    /// Returns what the games that pass a filter played in a position.
    pub fn explore(&self, board: &Board, filter: &Filter) -> Result<Explored, ArchiveError> {
        let key = key(board);
        let mut sums = PositionSums::default();
        for part in &self.manifest().parts {
            if filter.is_empty()
                && let Some(known) = self.known_sums(part, key)?
            {
                sums.merge(&known);
            } else {
                sums.merge(&self.count(part, key, filter)?);
            }
        }
        self.describe(board, sums)
    }

    /// The files of a part that may have a key.
    fn files(part: &Part, table: Table, key: i64) -> impl Iterator<Item = &DataFile> {
        let files = part.files.iter();
        files.filter(move |file| file.table == table && file.may_have(key))
    }

    /// Reads the sums of a position from the explorer table, if it is frequent enough to be there.
    fn known_sums(&self, part: &Part, key: i64) -> Result<Option<PositionSums>, ArchiveError> {
        let mut sums = PositionSums::default();
        for file in Self::files(part, Table::Explorer, key) {
            let table = self.table(file)?;
            for (group, rows) in table.find(key)? {
                let rows = [rows];
                let ints = |name: &str| group.ints(table.column(name)?, &rows);
                let lists = |name: &str| group.lists(table.column(name)?, &rows);
                let moves = ints("move")?;
                let results = [
                    ints("white_wins")?,
                    ints("black_wins")?,
                    ints("draws")?,
                    ints("unknown")?,
                ];
                let rating_sums = group.longs(table.column("rating_sum")?, &rows)?;
                let rating_counts = ints("rating_count")?;
                let last_played = ints("last_played")?;
                let (top, ratings) = (lists("top_games")?, lists("top_ratings")?);
                let (recent, days) = (lists("recent_games")?, lists("recent_days")?);
                for (index, mv) in moves.iter().enumerate() {
                    sums.moves.push(MoveSums {
                        mv: mv.map_or(NO_MOVE, |mv| mv as u16),
                        results: results
                            .each_ref()
                            .map(|column| column[index].unwrap_or(0) as u32),
                        rating_sum: rating_sums[index],
                        rating_count: rating_counts[index].unwrap_or(0) as u32,
                        last_played: last_played[index],
                        top: ranked(&ratings[index], &top[index]),
                        recent: ranked(&days[index], &recent[index]),
                    });
                }
            }
        }
        Ok((!sums.moves.is_empty()).then_some(sums))
    }

    /// Adds a position up from the positions table.
    fn count(&self, part: &Part, key: i64, filter: &Filter) -> Result<PositionSums, ArchiveError> {
        let mut rows: Vec<Row> = Vec::new();
        for file in Self::files(part, Table::Positions, key) {
            let table = self.table(file)?;
            for (group, range) in table.find(key)? {
                let range = [range];
                let ints = |name: &str| group.ints(table.column(name)?, &range);
                let (ids, moves, results) = (ints("game_id")?, ints("move")?, ints("result")?);
                let (white, black) = (ints("white_elo")?, ints("black_elo")?);
                for (index, id) in ids.into_iter().enumerate() {
                    let elo = |column: &[Option<i32>]| column[index].unwrap_or(0) as u16;
                    let game_id = id.unwrap_or(0) as u32;
                    // The rows of a game are in order: the first of them counts.
                    if rows.last().is_none_or(|last| last.game_id != game_id) {
                        rows.push(Row {
                            game_id,
                            mv: moves[index].map_or(NO_MOVE, |mv| mv as u16),
                            result: results[index],
                            rating: rating(elo(&white), elo(&black)),
                        });
                    }
                }
            }
        }
        rows.retain(|row| {
            filter.allows_rating(row.rating) && filter.allows_result(result_of_number(row.result))
        });
        let mut ids: Vec<u32> = rows.iter().map(|row| row.game_id).collect();
        let conditions = filter.conditions(false);
        if !conditions.is_empty() {
            ids = self.select(Games::Only(&ids), &conditions, usize::MAX)?;
            rows.retain(|row| ids.binary_search(&row.game_id).is_ok());
        }
        let days = self.days(&ids)?;
        let mut sums = PositionSums::default();
        for (row, day) in rows.iter().zip(days) {
            let result = result_of_number(row.result);
            sums.of(row.mv).add(row.game_id, result, row.rating, day);
        }
        Ok(sums)
    }

    /// Turns numbers into moves and games.
    fn describe(&self, board: &Board, sums: PositionSums) -> Result<Explored, ArchiveError> {
        let mut explored = Explored::default();
        let (mut top, mut recent): (Vec<Ranked>, Vec<Ranked>) = (Vec::new(), Vec::new());
        for sums in sums.moves {
            let mv = if sums.mv == NO_MOVE {
                None
            } else {
                // An illegal move is that of another position with the same key.
                match unpack_move(board, sums.mv) {
                    Some(mv) => Some(mv),
                    None => continue,
                }
            };
            sums.top.iter().for_each(|game| keep(&mut top, *game));
            sums.recent.iter().for_each(|game| keep(&mut recent, *game));
            let [white_wins, black_wins, draws, unknown] = sums.results;
            let count = i64::from(sums.rating_count);
            explored.games += sums.games();
            explored.moves.push(ExploredMove {
                uci: mv.map(|mv| mv.to_string()),
                san: mv.map(|mv| write_san(board, mv).to_string()),
                games: sums.games(),
                white_wins,
                draws,
                black_wins,
                unknown,
                average_rating: (count > 0).then(|| ((sums.rating_sum + count / 2) / count) as i32),
                last_played: sums.last_played.map(date::format),
            });
        }
        // Sorted by the number of games; games that end here come last.
        explored.moves.sort_by_cached_key(|explored| {
            let uci = explored.uci.clone();
            (uci.is_none(), u64::MAX - explored.games, uci)
        });
        let mut ids: Vec<u32> = top.iter().chain(&recent).map(|game| game.1).collect();
        ids.sort_unstable();
        ids.dedup();
        let games = self.summaries(
            &ids,
            &[
                "White", "Black", "Result", "WhiteElo", "BlackElo", "UTCDate", "Site",
            ],
        )?;
        let by_id: HashMap<u32, ExploredGame> = games
            .into_iter()
            .map(|game| {
                let tags = game.tags.into_iter();
                let tags = tags.map(|(name, value)| (name.to_owned(), value)).collect();
                let game_id = game.game_id;
                (game_id, ExploredGame { game_id, tags })
            })
            .collect();
        let rows = |list: &[Ranked]| {
            list.iter()
                .filter_map(|game| by_id.get(&game.1).cloned())
                .collect()
        };
        explored.top = rows(&top);
        explored.recent = rows(&recent);
        Ok(explored)
    }
}

fn ranked(ranks: &[Option<i32>], games: &[Option<i32>]) -> Vec<Ranked> {
    let pairs = ranks.iter().zip(games);
    pairs
        .filter_map(|(rank, game)| Some(((*rank)?, (*game)? as u32)))
        .collect()
}
