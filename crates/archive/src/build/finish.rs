//! From runs to tables, and the end of a build.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::chunks::fingerprint;
use super::{Build, BuildProgress, discard};
use crate::error::{ArchiveError, Context};
use crate::journal::Step;
use crate::manifest::{DataFile, Manifest, Part, create_folders, sync_folder};
use crate::read::TableFile;
use crate::run::{BUCKETS, Bucketed, Merge, Run, RunWriter, write_run};
use crate::sorted_tables::write_sorted;
use crate::table::{Column, Table, TableWriter};
use crate::testing;

impl Build<'_> {
    /// Finds the games that are in the archive already, or earlier in the same files, and lists them.
    pub(super) fn find_duplicates(&mut self) -> Result<(), ArchiveError> {
        if self.duplicates.is_some() {
            return Ok(());
        }
        let mut paths: Vec<_> = self
            .chunks
            .iter()
            .map(|chunk| self.prints_path(chunk.number))
            .collect();
        // The fingerprints of the games in the archive: a run for each file, made again after a crash.
        for (index, file) in self.manifest.files(Table::Games).enumerate() {
            let path = self
                .building
                .join(format!("old-fingerprints-{index:05}.run"));
            let table = TableFile::open(&self.options.folder, file)?;
            let prints = table.longs("fingerprint")?;
            let first = file.range.map_or(0, |range| range.0) as u32;
            let entries: Vec<_> = prints
                .into_iter()
                .zip(first..)
                .map(|(key, game)| fingerprint(key, game))
                .collect();
            write_run(&path, &[Bucketed::new(&entries)])?;
            paths.push(path);
        }
        let runs: Vec<Run> = paths
            .iter()
            .map(|path| Run::open(path))
            .collect::<Result<_, _>>()?;
        let mut merge = Merge::new(&runs, 0..BUCKETS, self.options.memory / 4)?;
        let mut found: Vec<(i32, i32)> = Vec::new();
        let mut first: Option<crate::entry::Entry> = None;
        while let Some(entry) = merge.next()? {
            match first {
                Some(first) if first.key == entry.key => {
                    if entry.game_id >= self.begin.first_game {
                        found.push((entry.game_id as i32, first.game_id as i32));
                    }
                }
                _ => first = Some(entry),
            }
        }
        drop(merge);
        drop(runs);
        found.sort_unstable();
        let name = self.file_name(0);
        let path = self.building.join(Table::Duplicates.name()).join(&name);
        let mut writer = TableWriter::create(Table::Duplicates, &path)?;
        for rows in found.chunks(Table::Duplicates.group_rows()) {
            let (ids, originals) = rows.iter().copied().unzip();
            let columns = [Column::Int(ids), Column::Int(originals)];
            writer.write_group(rows.len(), &[&columns])?;
        }
        let (rows, seal) = writer.finish()?;
        let range = found.first().zip(found.last());
        let range = range.map(|(first, last)| (i64::from(first.0), i64::from(last.0)));
        let file = DataFile::new(Table::Duplicates, name, rows, &seal, range);
        file.write_sums(self.building, &seal)?;
        self.done(Step::Duplicates { file })?;
        for path in paths {
            discard(&path);
        }
        Ok(())
    }

    /// Merges the runs into the sorted tables.
    pub(super) fn sort_positions(
        &mut self,
        progress: &mut dyn FnMut(BuildProgress),
    ) -> Result<(), ArchiveError> {
        self.merge_early()?;
        let rows: u64 = self.chunks.iter().map(|chunk| chunk.entries).sum();
        let parts = (rows / self.begin.file_rows)
            .next_power_of_two()
            .min(BUCKETS as u64) as usize;
        let left: Vec<usize> = (0..parts)
            .filter(|number| self.sorted.iter().all(|(done, _)| done != number))
            .collect();
        progress(BuildProgress::Sorting {
            done: parts - left.len(),
            parts,
        });
        if left.is_empty() {
            return Ok(());
        }
        let runs: Vec<Run> = self
            .runs
            .iter()
            .map(|&number| Run::open(&self.run_path(number)))
            .collect::<Result<_, _>>()?;
        let duplicates = self.duplicate_bits()?;
        let first = self.begin.first_game;
        let is_duplicate = |game: u32| {
            let index = (game - first) as usize;
            duplicates
                .get(index / 64)
                .is_some_and(|bits| bits >> (index % 64) & 1 == 1)
        };
        let names: Vec<String> = (0..parts).map(|number| self.file_name(number)).collect();
        let (building, next) = (self.building, AtomicUsize::new(0));
        let threads = self.threads.min(left.len());
        let memory = self.options.memory / 4 / threads;
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                let (runs, left, names, next, is_duplicate) =
                    (&runs, &left, &names, &next, &is_duplicate);
                let work = move || {
                    while let Some(&number) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let width = BUCKETS / parts;
                        let buckets = number * width..(number + 1) * width;
                        let files = Merge::new(runs, buckets, memory).and_then(|mut merge| {
                            let next = || merge.next();
                            write_sorted(next, is_duplicate, building, &names[number])
                        });
                        if sender.send((number, files)).is_err() {
                            return;
                        }
                    }
                };
                let thread = thread::Builder::new().spawn_scoped(scope, work);
                thread.map_err(ArchiveError::Threads)?;
            }
            drop(sender);
            for (number, files) in results {
                self.done(Step::Sorted {
                    number,
                    files: files?,
                })?;
                let done = self.sorted.len();
                progress(BuildProgress::Sorting { done, parts });
            }
            Ok(())
        })
    }

    /// Merges runs into larger ones until few enough are left to merge at once: reading each run takes memory.
    fn merge_early(&mut self) -> Result<(), ArchiveError> {
        let most = (self.options.memory / 4 / self.threads / (1 << 16)).max(16) as u64;
        let most = testing::size("TABIYA_ARCHIVE_RUNS", most) as usize;
        let mut number = self
            .runs
            .iter()
            .max()
            .map_or(0, |last| last + 1)
            .max(self.chunks.len());
        while self.runs.len() > most {
            let numbers: Vec<usize> = self.runs[..most].to_vec();
            let runs: Vec<Run> = numbers
                .iter()
                .map(|&number| Run::open(&self.run_path(number)))
                .collect::<Result<_, _>>()?;
            let mut merge = Merge::new(&runs, 0..BUCKETS, self.options.memory / 4)?;
            let mut writer = RunWriter::create(&self.run_path(number))?;
            while let Some(entry) = merge.next()? {
                writer.push(&entry)?;
            }
            writer.finish()?;
            drop(merge);
            drop(runs);
            self.done(Step::Merged {
                count: numbers.len(),
                number,
            })?;
            for old in numbers {
                discard(&self.run_path(old));
            }
            number += 1;
        }
        Ok(())
    }

    /// The games that are duplicates, one bit each; nothing if there are none.
    fn duplicate_bits(&self) -> Result<Vec<u64>, ArchiveError> {
        let Some(file) = self.duplicates.as_ref().filter(|file| file.rows > 0) else {
            return Ok(Vec::new());
        };
        let mut bits = vec![0; self.games().div_ceil(64) as usize];
        for id in TableFile::open(self.building, file)?.ints("game_id")? {
            let index = (id as u32).wrapping_sub(self.begin.first_game) as usize;
            if let Some(word) = bits.get_mut(index / 64) {
                *word |= 1 << (index % 64);
            }
        }
        Ok(bits)
    }

    /// Moves the files to their places and makes them part of the archive.
    pub(super) fn commit(mut self) -> Result<Part, ArchiveError> {
        self.sorted.sort_unstable_by_key(|(number, _)| *number);
        let positions: u64 = self.sorted.iter().map(|(_, files)| files[0].rows).sum();
        let mut files: Vec<DataFile> = self.chunks.iter().map(|chunk| chunk.file.clone()).collect();
        let duplicates = self.duplicates.take();
        let duplicate_count = duplicates.as_ref().map_or(0, |file| file.rows);
        files.extend(duplicates);
        let sorted = self.sorted.iter().flat_map(|(_, files)| files);
        files.extend(sorted.cloned());
        files.sort_by_key(|file| file.table);
        let part = Part {
            inputs: self.begin.inputs.clone(),
            first_game: self.begin.first_game,
            games: self.games(),
            broken: self.chunks.iter().map(|chunk| chunk.broken).sum(),
            duplicates: duplicate_count,
            positions,
            files,
        };
        let folder = &self.options.folder;
        create_folders(folder)?;
        for file in &part.files {
            testing::point();
            move_file(&file.sums_path(self.building), &file.sums_path(folder))?;
            move_file(&file.path(self.building), &file.path(folder))?;
        }
        for table in Table::ALL {
            sync_folder(&folder.join(table.name()));
        }
        testing::point();
        let mut manifest = Manifest::clone(&self.manifest);
        manifest.parts.push(part.clone());
        manifest.write(folder)?;
        testing::point();
        clean_up(self.building)?;
        Ok(part)
    }
}

/// Moves a file, unless that is done already.
fn move_file(from: &Path, to: &Path) -> Result<(), ArchiveError> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && to.is_file() => Ok(()),
        moved => moved.context("write", to),
    }
}

/// Removes the folder of unfinished work. The journal goes last: while it exists, the same command sees that everything
/// is done.
pub(super) fn clean_up(building: &Path) -> Result<(), ArchiveError> {
    for entry in fs::read_dir(building).context("read", building)? {
        let path = entry.context("read", building)?.path();
        let name = path.file_name().unwrap_or_default();
        if name == "journal" || name == "lock" {
            continue;
        }
        testing::point();
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.context("remove", &path)?;
    }
    fs::remove_dir_all(building).context("remove", building)
}
