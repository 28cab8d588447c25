//! Archives of any size without real games, to measure what a question costs in a large one.
//!
//! The named openings and some positions behind them occur as often as they would in so many games; all other rows are
//! positions of one game each, with random keys. Every row is written as a build writes it.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tabiya_board::Board;
use tabiya_notation::{Dialect, GameResult, openings, parse_san};

use crate::entry::{Entry, NO_MOVE};
use crate::error::{ArchiveError, Context};
use crate::manifest::{DataFile, FORMAT, Manifest, Part, building, create_folders};
use crate::parse::{Rows, key, pack_move};
use crate::run::BUCKETS;
use crate::sorted_tables::{FILE_ROWS, write_sorted};
use crate::table::{Table, TableWriter};

/// The positions of a game.
const PLIES: u64 = 66;
/// The games of a file.
const FILE_GAMES: u32 = 1 << 20;
/// The rows of a batch that is written at once, as a build has them.
const BATCH: u32 = 1 << 12;
/// The day of the first game, counted since the year 0.
const FIRST_DAY: u32 = 739_000;

/// A position that an archive has, and how many games have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The position.
    pub board: Board,
    /// The number of games.
    pub games: u64,
}

/// Mixes a number, as SplitMix64 does.
const fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// All positions but the fillers: the start, the named openings, and positions after random moves, which a few games
/// have. Sorted by key.
pub fn known(games: u32) -> Vec<Known> {
    let mut known = vec![(Board::start(), 1.0)];
    for (number, opening) in (0..).zip(openings()) {
        let mut board = Board::start();
        let mut share = 1.0;
        for san in opening.sans() {
            if let Ok(mv) = parse_san(san, &board, Dialect::Strict) {
                board.play_unchecked(mv);
            }
            share *= 0.4;
        }
        known.push((board, share));
        let moves = board.legal_moves();
        if !moves.is_empty() {
            let mv = moves[mix(number) as usize % moves.len()];
            known.push((board.after_unchecked(mv), share / 1000.0));
        }
    }
    let mut known: Vec<Known> = known
        .into_iter()
        .map(|(board, share)| Known {
            board,
            games: ((f64::from(games) * share) as u64).max(1),
        })
        .collect();
    known.sort_by_key(|known| key(&known.board));
    known.dedup_by_key(|known| key(&known.board));
    known
}

/// A position of a game. Everything but the key follows from the game.
fn entry(key: i64, game_id: u32, ply: u16, mv: u16) -> Entry {
    let bits = mix(u64::from(game_id));
    let elo = 1200 + (bits & 1023) as u16;
    Entry {
        key,
        game_id,
        ply,
        mv,
        white_elo: elo,
        black_elo: elo + (bits >> 10 & 127) as u16,
        day_and_result: Entry::pack(
            FIRST_DAY + (bits >> 20 & 2047) as u32,
            GameResult::ALL[(bits >> 40) as usize % 3],
        ),
    }
}

/// The entries of an archive in a range of keys, in order.
struct Entries<'a> {
    games: u32,
    /// The known positions from here on.
    known: &'a [Known],
    /// The rows of the next of these that are done, and its moves.
    done: u64,
    moves: Vec<u16>,
    /// The next filler, and the last possible key.
    filler: u128,
    end: u128,
    gap: u128,
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let filler = (self.filler as u64 ^ 1 << 63) as i64;
        if let Some((next, rest)) = self.known.split_first()
            && (self.filler >= self.end || key(&next.board) <= filler)
        {
            if self.done == 0 {
                let moves = next.board.legal_moves();
                self.moves = moves
                    .iter()
                    .take(20)
                    .map(|mv| pack_move(&next.board, *mv))
                    .collect();
            }
            let game_id = (self.done * u64::from(self.games) / next.games) as u32;
            let choice = mix(u64::from(game_id) ^ 1) as usize;
            // The first moves are played more often than the last.
            let index = choice % 97 * (choice / 97 % 97) * self.moves.len() / (97 * 97);
            let mv = self.moves.get(index).copied().unwrap_or(NO_MOVE);
            let ply = next.board.fullmove_number() * 2;
            let entry = entry(key(&next.board), game_id, ply, mv);
            self.done += 1;
            if self.done == next.games {
                (self.known, self.done) = (rest, 0);
            }
            return Some(entry);
        }
        if self.filler >= self.end {
            return None;
        }
        let bits = mix(self.filler as u64);
        self.filler += 1 + (self.gap * u128::from(bits & 0xffff) >> 15);
        let game_id = (bits >> 16) as u32 % self.games;
        Some(entry(
            filler,
            game_id,
            (bits >> 48) as u16 % 100,
            (bits >> 32) as u16 & 0xfff,
        ))
    }
}

/// Writes an archive of this many games into a new folder.
pub fn write(folder: &Path, games: u32, threads: usize) -> Result<(), ArchiveError> {
    fs::create_dir(folder).context("create", folder)?;
    create_folders(folder)?;
    fs::create_dir(building(folder)).context("create", folder)?;
    let rows = u64::from(games) * PLIES;
    let known = known(games);
    let of_known: u64 = known.iter().map(|known| known.games).sum();
    let parts = (rows / FILE_ROWS).next_power_of_two().min(BUCKETS as u64) as usize;
    let gap = (1_u128 << 64) / u128::from(rows.saturating_sub(of_known).max(1));
    let game_files = games.div_ceil(FILE_GAMES) as usize;
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<DataFile>, ArchiveError> {
        let mut files = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number < game_files {
                files.push(write_games(folder, games, number as u32)?);
                continue;
            }
            let part = number - game_files;
            if part >= parts {
                return Ok(files);
            }
            let [start, end] =
                [part, part + 1].map(|part| (part as u128) << 64 >> parts.trailing_zeros());
            let ordered = |known: &Known| u128::from(key(&known.board) as u64 ^ 1 << 63);
            let mut entries = Entries {
                games,
                known: &known[known.partition_point(|known| ordered(known) < start)
                    ..known.partition_point(|known| ordered(known) < end)],
                done: 0,
                moves: Vec::new(),
                filler: start,
                end,
                gap,
            };
            let name = format!("0000-{part:05}.parquet");
            files.extend(write_sorted(
                || Ok(entries.next()),
                |_| false,
                folder,
                &name,
            )?);
        }
    };
    let mut files = Vec::new();
    thread::scope(|scope| -> Result<(), ArchiveError> {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(written) => files.extend(written?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    files.sort_by(|a, b| (a.table, &a.name).cmp(&(b.table, &b.name)));
    let positions = files.iter().filter(|file| file.table == Table::Positions);
    let part = Part {
        inputs: Vec::new(),
        first_game: 0,
        games,
        broken: 0,
        duplicates: 0,
        positions: positions.map(|file| file.rows).sum(),
        files,
    };
    let manifest = Manifest {
        format: FORMAT,
        parts: vec![part],
    };
    manifest.write(folder)?;
    fs::remove_dir(building(folder)).context("remove", folder)
}

/// Writes a file of games: their tags, without moves.
fn write_games(folder: &Path, games: u32, number: u32) -> Result<DataFile, ArchiveError> {
    let name = format!("0000-{number:05}.parquet");
    let path = folder.join(Table::Games.name()).join(&name);
    let mut writer = TableWriter::create(Table::Games, &path)?;
    let (first, last) = (number * FILE_GAMES, games.min((number + 1) * FILE_GAMES));
    let mut from = first;
    while from < last {
        let to = last.min(from + Table::Games.group_rows() as u32);
        let batches: Vec<_> = (from..to)
            .step_by(BATCH as usize)
            .map(|from| {
                Rows::synthetic(
                    (from..to.min(from + BATCH)).map(|game| (game, entry(0, game, 0, 0))),
                )
            })
            .collect();
        let pieces: Vec<_> = batches.iter().map(Vec::as_slice).collect();
        writer.write_group((to - from) as usize, &pieces)?;
        from = to;
    }
    let (rows, seal) = writer.finish()?;
    let range = (i64::from(first), i64::from(last) - 1);
    let file = DataFile::new(Table::Games, name, rows, &seal, Some(range));
    file.write_sums(folder, &seal)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Archive, Filter};

    #[test]
    fn a_synthetic_archive_answers_like_any_other() {
        let folder = std::env::temp_dir().join(format!("tabiya-synthetic-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let games = 2_000;
        write(&folder, games, 2).unwrap();
        let archive = Archive::open(&folder).unwrap();
        let problems = archive.check(|_| {});
        assert!(problems.is_empty(), "{problems:?}");
        let info = archive.info();
        assert_eq!(info.games, u64::from(games));
        let expected = u64::from(games) * PLIES;
        assert!(
            info.positions.abs_diff(expected) < expected / 20,
            "{}",
            info.positions
        );
        for known in known(games).iter().step_by(200) {
            let explored = archive.explore(&known.board, &Filter::default()).unwrap();
            assert_eq!(explored.games, known.games, "{}", known.board);
            let found = archive
                .find(&Filter::default(), Some(&known.board), usize::MAX)
                .unwrap();
            assert_eq!(found.len() as u64, known.games);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
