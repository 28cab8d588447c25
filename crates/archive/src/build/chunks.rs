//! Reading games, chunk by chunk.

use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use tabiya_games::{Collector, InputError, Place as BatchPlace, ProcessError, Resources, process};
use tabiya_notation::pgn::MAX_GAME;

use super::{Build, BuildProgress};
use crate::entry::Entry;
use crate::error::ArchiveError;
use crate::journal::{Chunk, Place, Step};
use crate::manifest::DataFile;
use crate::parse::{Parsed, parse};
use crate::run::{Bucketed, write_run};
use crate::table::{Column, Table, TableWriter};
use crate::testing;

impl From<ProcessError> for ArchiveError {
    fn from(error: ProcessError) -> Self {
        Self::Threads(std::io::Error::other(error))
    }
}

/// The games that are not on the disk yet.
struct Pending {
    number: usize,
    first_game: u32,
    games: u32,
    broken: u64,
    memory: usize,
    /// The positions, batch by batch.
    entries: Vec<Bucketed>,
    prints: Vec<Entry>,
    /// The columns of the games table, batch by batch, with the number of rows.
    batches: Vec<(usize, Vec<Column>)>,
}

impl Pending {
    const fn new(number: usize, first_game: u32) -> Self {
        Self {
            number,
            first_game,
            games: 0,
            broken: 0,
            memory: 0,
            entries: Vec::new(),
            prints: Vec::new(),
            batches: Vec::new(),
        }
    }

    fn push(&mut self, parsed: Parsed) {
        let first = self.first_game + self.games;
        self.memory += parsed.memory() + parsed.games * size_of::<Entry>();
        let mut entries = parsed.entries;
        entries.first_game = first;
        self.entries.push(entries);
        let prints = parsed.fingerprints.into_iter().zip(first..);
        self.prints
            .extend(prints.map(|(key, game_id)| fingerprint(key, game_id)));
        let mut columns = parsed.columns;
        if let Some(ids) = columns.first_mut() {
            let last = first + parsed.games as u32;
            *ids = Column::Int((first..last).map(|id| id as i32).collect());
        }
        self.games += parsed.games as u32;
        self.broken += parsed.broken;
        self.batches.push((parsed.games, columns));
    }

    /// Writes everything to the disk: the table of games beside the sorted runs.
    fn write(mut self, paths: &Paths, place: Place) -> Result<Chunk, ArchiveError> {
        let positions = std::mem::take(&mut self.entries);
        let prints = std::mem::take(&mut self.prints);
        let (entries, file) = thread::scope(|scope| {
            let write_games = || self.write_games(paths);
            let games = thread::Builder::new().spawn_scoped(scope, write_games);
            let games = games.map_err(ArchiveError::Threads)?;
            let entries = write_run(&paths.run, &positions)?;
            drop(positions);
            testing::point();
            write_run(&paths.prints, &[Bucketed::new(&prints)])?;
            testing::point();
            Ok::<_, ArchiveError>((entries, joined(games)?))
        })?;
        Ok(Chunk {
            number: self.number,
            games: self.games,
            broken: self.broken,
            entries,
            place,
            file,
        })
    }

    fn write_games(&self, paths: &Paths) -> Result<DataFile, ArchiveError> {
        let path = paths.building.join(Table::Games.name()).join(&paths.name);
        let mut writer = TableWriter::create(Table::Games, &path)?;
        let mut group: Vec<&[Column]> = Vec::new();
        let mut rows = 0;
        for (count, columns) in &self.batches {
            group.push(columns);
            rows += count;
            if rows >= Table::Games.group_rows() {
                writer.write_group(rows, &group)?;
                group.clear();
                rows = 0;
            }
        }
        writer.write_group(rows, &group)?;
        testing::point();
        let (rows, seal) = writer.finish()?;
        let last = i64::from(self.first_game) + i64::from(self.games) - 1;
        let range = (self.games > 0).then_some((i64::from(self.first_game), last));
        let file = DataFile::new(Table::Games, paths.name.clone(), rows, &seal, range);
        file.write_sums(&paths.building, &seal)?;
        Ok(file)
    }
}

/// Waits for a thread, and goes on with its panic if it has one.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    let result = thread.join();
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// A fingerprint as an entry, so that both are sorted in the same way.
pub(super) const fn fingerprint(key: i64, game_id: u32) -> Entry {
    Entry {
        key,
        game_id,
        ply: 0,
        mv: 0,
        white_elo: 0,
        black_elo: 0,
        day_and_result: 0,
    }
}

/// Where a chunk is written.
struct Paths {
    building: PathBuf,
    run: PathBuf,
    prints: PathBuf,
    name: String,
}

/// Gathers batches into chunks. While one is written, the next is filled.
struct Gatherer<'scope, 'env, 'b, 'a, 'p> {
    scope: &'scope thread::Scope<'scope, 'env>,
    build: &'b mut Build<'a>,
    pending: Pending,
    writing: Vec<ScopedJoinHandle<'scope, Result<Chunk, ArchiveError>>>,
    /// The file that is read, and how far.
    place: Place,
    sum: crc32fast::Hasher,
    /// The beginning of this file that was read before.
    skipped: Place,
    path: PathBuf,
    /// The bytes of the files before it.
    bytes_before: u64,
    progress: &'p mut dyn FnMut(BuildProgress),
}

impl Gatherer<'_, '_, '_, '_, '_> {
    /// Starts writing what is pending.
    fn start_writing(&mut self) -> Result<(), ArchiveError> {
        let (number, first_game) = (
            self.pending.number + 1,
            self.pending.first_game + self.pending.games,
        );
        let pending = std::mem::replace(&mut self.pending, Pending::new(number, first_game));
        let paths = Paths {
            building: self.build.building.to_owned(),
            run: self.build.run_path(pending.number),
            prints: self.build.prints_path(pending.number),
            name: self.build.file_name(pending.number),
        };
        let place = self.place;
        let work = move || pending.write(&paths, place);
        let thread = thread::Builder::new().spawn_scoped(self.scope, work);
        self.writing.push(thread.map_err(ArchiveError::Threads)?);
        Ok(())
    }

    fn finish_writing(&mut self) -> Result<(), ArchiveError> {
        for thread in self.writing.drain(..) {
            let chunk = joined(thread)?;
            self.build.done(Step::Chunk(chunk))?;
        }
        Ok(())
    }

    /// Starts a file.
    fn open(&mut self, input: usize, path: &Path) {
        self.skipped = if self.place.input == input {
            self.place
        } else {
            Place::default()
        };
        self.place = Place {
            input,
            ..Place::default()
        };
        self.sum = crc32fast::Hasher::new();
        path.clone_into(&mut self.path);
    }

    fn take(&mut self, parsed: Parsed) -> Result<u64, ArchiveError> {
        self.sum.combine(&parsed.sum);
        self.place.bytes += parsed.bytes;
        self.place.sum = self.sum.clone().finalize();
        let games = parsed.games as u64;
        if parsed.columns.is_empty() {
            let wrong =
                self.place.bytes == self.skipped.bytes && self.place.sum != self.skipped.sum;
            if wrong || self.place.bytes > self.skipped.bytes {
                return Err(self.changed());
            }
            return Ok(games);
        }
        let count = i64::from(self.pending.first_game) + i64::from(self.pending.games);
        if count + games as i64 > i64::from(i32::MAX) {
            return Err(ArchiveError::TooManyGames);
        }
        self.pending.push(parsed);
        if self.pending.memory >= self.build.begin.chunk_memory {
            // No more than two chunks in memory.
            self.finish_writing()?;
            self.start_writing()?;
        }
        Ok(games)
    }

    fn changed(&self) -> ArchiveError {
        ArchiveError::InputChanged {
            file: self.path.clone(),
            building: self.build.building.to_owned(),
        }
    }
}

impl Collector<Parsed> for &mut Gatherer<'_, '_, '_, '_, '_> {
    type Error = ArchiveError;

    fn collect(
        &mut self,
        _place: BatchPlace,
        parsed: Result<Parsed, InputError>,
    ) -> Result<u64, ArchiveError> {
        self.take(parsed?)
    }

    fn progress(&mut self, bytes_read: u64) {
        let first = self.build.begin.first_game;
        (self.progress)(BuildProgress::Reading {
            bytes: self.bytes_before + bytes_read,
            games: u64::from(self.pending.first_game + self.pending.games - first),
        });
    }
}

impl Build<'_> {
    /// Reads the games that have not been read yet.
    pub(super) fn read_games(
        &mut self,
        progress: &mut dyn FnMut(BuildProgress),
    ) -> Result<(), ArchiveError> {
        if self.duplicates.is_some() || !self.sorted.is_empty() {
            return Ok(());
        }
        let inputs = self.options.inputs.clone();
        let resources = Resources {
            threads: self.threads,
            // A game must not take more than a small part of the memory.
            max_game: MAX_GAME.min(self.options.memory / 16),
        };
        let place = self.place();
        let number = self.chunks.len();
        let first_game = self.begin.first_game + self.games();
        thread::scope(|scope| {
            let mut gatherer = Gatherer {
                scope,
                build: self,
                pending: Pending::new(number, first_game),
                writing: Vec::new(),
                place,
                sum: crc32fast::Hasher::new(),
                skipped: Place::default(),
                path: PathBuf::new(),
                bytes_before: 0,
                progress,
            };
            for (index, path) in inputs.iter().enumerate() {
                let size = gatherer.build.begin.inputs[index].size.unwrap_or(0);
                if index >= place.input {
                    gatherer.open(index, path);
                    let skipped = gatherer.skipped.bytes;
                    process(
                        std::slice::from_ref(path),
                        resources,
                        |batch| {
                            if batch.bytes_before < skipped {
                                Parsed::skipped(&batch.text)
                            } else {
                                parse(batch)
                            }
                        },
                        &mut gatherer,
                    )?;
                    if gatherer.place.bytes < skipped {
                        return Err(gatherer.changed());
                    }
                }
                gatherer.bytes_before += size;
            }
            // An archive without games has files too.
            if gatherer.pending.games > 0 || gatherer.pending.number == 0 {
                gatherer.start_writing()?;
            }
            gatherer.finish_writing()
        })
    }
}
