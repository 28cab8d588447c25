//! Sorted runs of entries on the disk, and merging them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::entry::{ENTRY, Entry};
use crate::error::{ArchiveError, Context};
use crate::testing;

/// The number of buckets that a run is divided into, by key.
pub(crate) const BUCKETS: usize = 256;
/// The number of entries up to the end of a bucket, and its checksum.
const BUCKET: usize = 12;
/// All buckets, and their checksum.
const FOOTER: usize = BUCKETS * BUCKET + 4;

/// The memory of a writer.
const BUFFER: usize = 1 << 18;

/// Writes sorted entries to a file.
pub(crate) struct RunWriter {
    path: PathBuf,
    file: File,
    /// What is not in the file yet.
    buffer: Vec<u8>,
    /// How much of it is in the checksum: short pieces would take long.
    summed: usize,
    bucket: usize,
    sum: crc32fast::Hasher,
    count: u64,
    footer: Vec<u8>,
}

impl RunWriter {
    pub(crate) fn create(path: &Path) -> Result<Self, ArchiveError> {
        let file = File::create(path).context("create", path)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            buffer: Vec::with_capacity(BUFFER),
            summed: 0,
            bucket: 0,
            sum: crc32fast::Hasher::new(),
            count: 0,
            footer: Vec::with_capacity(FOOTER),
        })
    }

    /// Adds an entry, which must not be less than the one before.
    pub(crate) fn push(&mut self, entry: &Entry) -> Result<(), ArchiveError> {
        self.close_buckets(Entry::bucket(entry.key));
        if self.buffer.len() + ENTRY > BUFFER {
            self.write()?;
        }
        self.buffer.extend(entry.to_bytes());
        self.count += 1;
        Ok(())
    }

    fn update_sum(&mut self) {
        self.sum.update(&self.buffer[self.summed..]);
        self.summed = self.buffer.len();
    }

    fn write(&mut self) -> Result<(), ArchiveError> {
        self.update_sum();
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        self.summed = 0;
        written.context("write", &self.path)
    }

    fn close_buckets(&mut self, next: usize) {
        while self.bucket < next {
            self.update_sum();
            self.footer.extend(self.count.to_le_bytes());
            let sum = std::mem::take(&mut self.sum);
            self.footer.extend(sum.finalize().to_le_bytes());
            self.bucket += 1;
        }
    }

    /// Returns the number of entries once they are on the disk.
    pub(crate) fn finish(mut self) -> Result<u64, ArchiveError> {
        self.close_buckets(BUCKETS);
        self.write()?;
        let sum = crc32fast::hash(&self.footer);
        self.footer.extend(sum.to_le_bytes());
        let written = self.file.write_all(&self.footer);
        written.context("write", &self.path)?;
        testing::sync(&self.file).context("write", &self.path)?;
        Ok(self.count)
    }
}

/// Entries by bucket, in a bucket as they came.
///
/// Sorting begins here: in many small pieces, by all threads that read games, while the pieces are in the cache.
#[derive(Debug)]
pub(crate) struct Bucketed {
    entries: Vec<Entry>,
    /// The number of entries up to the end of each bucket.
    ends: Vec<u32>,
    /// Added to the number of each game.
    pub(crate) first_game: u32,
}

impl Bucketed {
    /// Divides at most `u32::MAX` entries.
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let mut ends = vec![0; BUCKETS];
        let mut divided = Vec::new();
        divide(
            entries.iter().copied(),
            |entry| Entry::bucket(entry.key),
            &mut ends,
            &mut divided,
        );
        Self {
            entries: divided,
            ends,
            first_game: 0,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    fn bucket(&self, bucket: usize) -> impl Iterator<Item = Entry> + Clone + '_ {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        let entries = &self.entries[start as usize..self.ends[bucket] as usize];
        entries.iter().map(|entry| Entry {
            game_id: entry.game_id + self.first_game,
            ..*entry
        })
    }
}

/// Moves entries into places by number, in a place as they came. Afterwards `ends` has the number of entries up to the
/// end of each place.
fn divide(
    entries: impl Iterator<Item = Entry> + Clone,
    place: impl Fn(&Entry) -> usize,
    ends: &mut [u32],
    divided: &mut Vec<Entry>,
) {
    ends.fill(0);
    let mut some = None;
    for entry in entries.clone() {
        ends[place(&entry)] += 1;
        some = Some(entry);
    }
    let mut count = 0;
    for end in ends.iter_mut() {
        // For now, the start.
        count += std::mem::replace(end, count);
    }
    divided.clear();
    if let Some(some) = some {
        divided.resize(count as usize, some);
    }
    for entry in entries {
        let at = &mut ends[place(&entry)];
        divided[*at as usize] = entry;
        *at += 1;
    }
}

/// Sorts the entries of a bucket from all parts.
///
/// Keys are random numbers, so their bits after those of the bucket divide the entries into groups of a few, except
/// for the keys that many games have.
fn sort_bucket(parts: &[Bucketed], bucket: usize, ends: &mut Vec<u32>, sorted: &mut Vec<Entry>) {
    let entries = parts.iter().flat_map(|part| part.bucket(bucket));
    let count: usize = parts.iter().map(|part| part.bucket(bucket).count()).sum();
    let bits = count.max(8).ilog2().saturating_sub(2).min(16);
    ends.resize(1 << bits, 0);
    let place = |entry: &Entry| ((entry.key as u64) << 8 >> (64 - bits)) as usize;
    divide(entries, place, ends, sorted);
    let mut start = 0;
    for &end in ends.iter() {
        sorted[start..end as usize].sort_unstable();
        start = end as usize;
    }
}

/// Sorts entries and writes them to a file.
pub(crate) fn write_run(path: &Path, parts: &[Bucketed]) -> Result<u64, ArchiveError> {
    let mut run = RunWriter::create(path)?;
    let (mut ends, mut sorted) = (Vec::new(), Vec::new());
    for bucket in 0..BUCKETS {
        sort_bucket(parts, bucket, &mut ends, &mut sorted);
        for entry in &sorted {
            run.push(entry)?;
        }
    }
    run.finish()
}

/// A run on the disk.
pub(crate) struct Run {
    path: PathBuf,
    file: Mutex<File>,
    /// The number of entries up to the end of each bucket, and its checksum.
    buckets: Vec<(u64, u32)>,
}

impl Run {
    pub(crate) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let mut file = File::open(path).context("read", path)?;
        let size = file.metadata().context("read", path)?.len();
        let damaged = || ArchiveError::damaged(path, "it is not a whole run of positions");
        let start = size.checked_sub(FOOTER as u64).ok_or_else(damaged)?;
        let mut footer = vec![0; FOOTER];
        let read = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.read_exact(&mut footer));
        read.context("read", path)?;
        let (rows, sum) = footer.split_at(BUCKETS * BUCKET);
        if crc32fast::hash(rows).to_le_bytes() != *sum {
            return Err(damaged());
        }
        let (rows, _) = rows.as_chunks::<BUCKET>();
        let buckets: Vec<(u64, u32)> = rows
            .iter()
            .map(|row| {
                let (mut count, mut sum) = ([0; 8], [0; 4]);
                count.copy_from_slice(&row[..8]);
                sum.copy_from_slice(&row[8..]);
                (u64::from_le_bytes(count), u32::from_le_bytes(sum))
            })
            .collect();
        if buckets.last().map(|last| last.0 * ENTRY as u64) != Some(start) {
            return Err(damaged());
        }
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            buckets,
        })
    }

    /// The entries of some buckets, read with this much memory.
    fn read(&self, buckets: Range<usize>, buffer: usize) -> RunReader<'_> {
        let at = match buckets.start {
            0 => 0,
            start => self.buckets[start - 1].0,
        };
        let end = match buckets.end {
            0 => 0,
            end => self.buckets[end - 1].0,
        };
        RunReader {
            run: self,
            at,
            end,
            bucket: buckets.start,
            sum: crc32fast::Hasher::new(),
            buffer: Vec::new(),
            used: 0,
            capacity: (buffer / ENTRY).max(64) as u64,
        }
    }
}

struct RunReader<'a> {
    run: &'a Run,
    /// The next entry that is not in the buffer.
    at: u64,
    end: u64,
    bucket: usize,
    sum: crc32fast::Hasher,
    buffer: Vec<u8>,
    used: usize,
    capacity: u64,
}

impl RunReader<'_> {
    fn next(&mut self) -> Result<Option<Entry>, ArchiveError> {
        if self.used == self.buffer.len() {
            if self.at == self.end {
                return Ok(None);
            }
            self.fill()?;
        }
        let Some(bytes) = self.buffer[self.used..].first_chunk() else {
            return Ok(None);
        };
        self.used += ENTRY;
        Ok(Some(Entry::from_bytes(bytes)))
    }

    /// Refills the buffer. Each bucket is checked at its end; if it is damaged, the work that used its beginning fails
    /// too.
    fn fill(&mut self) -> Result<(), ArchiveError> {
        let count = self.capacity.min(self.end - self.at);
        self.buffer.resize(count as usize * ENTRY, 0);
        self.used = 0;
        {
            let lock = self.run.file.lock();
            let mut file = lock.unwrap_or_else(std::sync::PoisonError::into_inner);
            let read = file
                .seek(SeekFrom::Start(self.at * ENTRY as u64))
                .and_then(|_| file.read_exact(&mut self.buffer));
            read.context("read", &self.run.path)?;
        }
        let mut rest = &self.buffer[..];
        while let Some(&(bucket_end, sum)) = self.run.buckets.get(self.bucket) {
            let here = (bucket_end - self.at).min((rest.len() / ENTRY) as u64);
            let (now, later) = rest.split_at(here as usize * ENTRY);
            self.sum.update(now);
            self.at += here;
            rest = later;
            if self.at < bucket_end {
                break;
            }
            if std::mem::take(&mut self.sum).finalize() != sum {
                let reason = "a checksum does not match";
                return Err(ArchiveError::damaged(&self.run.path, reason));
            }
            self.bucket += 1;
            if self.at == self.end {
                break;
            }
        }
        Ok(())
    }
}

/// The entries of all runs in some buckets, in order.
pub(crate) struct Merge<'a> {
    /// Each with its next entry.
    readers: Vec<(Entry, RunReader<'a>)>,
    heap: BinaryHeap<Reverse<u128>>,
}

/// The order of the next entry of a reader among those of the others, with the number of the reader. All entries of a
/// game are in one run, so no two are equal.
fn rank(entry: &Entry, reader: usize) -> u128 {
    let key = entry.key as u64 ^ 1 << 63;
    u128::from(key) << 64 | u128::from(entry.game_id) << 32 | reader as u128
}

impl<'a> Merge<'a> {
    /// Merges with about so much memory.
    pub(crate) fn new(
        runs: &'a [Run],
        buckets: Range<usize>,
        memory: usize,
    ) -> Result<Self, ArchiveError> {
        let buffer = (memory / runs.len().max(1)).min(1 << 20);
        let mut merge = Self {
            readers: Vec::with_capacity(runs.len()),
            heap: BinaryHeap::with_capacity(runs.len()),
        };
        for run in runs {
            let mut reader = run.read(buckets.clone(), buffer);
            if let Some(entry) = reader.next()? {
                let rank = rank(&entry, merge.readers.len());
                merge.heap.push(Reverse(rank));
                merge.readers.push((entry, reader));
            }
        }
        Ok(merge)
    }

    pub(crate) fn next(&mut self) -> Result<Option<Entry>, ArchiveError> {
        let Some(mut top) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let index = top.0 as u32 as usize;
        let (entry, reader) = &mut self.readers[index];
        let first = *entry;
        match reader.next()? {
            // Replacing the top is cheaper than popping it and pushing another.
            Some(next) => {
                *entry = next;
                *top = Reverse(rank(entry, index));
            }
            None => {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        Ok(Some(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: i64, game_id: u32) -> Entry {
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

    /// Numbers that look random.
    fn keys(seed: u64) -> impl Iterator<Item = i64> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state ^ state >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd) as i64
        })
    }

    #[test]
    fn parts_are_sorted_as_one() {
        let folder = std::env::temp_dir().join(format!("tabiya-parts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run");
        for lengths in [&[][..], &[0], &[1, 0, 3], &[40_000, 1, 0, 70_000]] {
            let (mut parts, mut all, mut first_game) = (Vec::new(), Vec::new(), 0);
            for &length in lengths {
                let mut entries = Vec::new();
                for (game, key) in (0..length as u32).zip(keys(u64::from(first_game))) {
                    // Two frequent keys that differ in their last bits, and keys that differ in few of the others.
                    entries.extend([entry(43, game), entry(42, game), entry(key, game)]);
                    entries.extend([entry(key >> 40, game), entry(key & 0xfff, game)]);
                }
                let mut part = Bucketed::new(&entries);
                part.first_game = first_game;
                parts.push(part);
                all.extend(entries.iter().map(|entry| Entry {
                    game_id: entry.game_id + first_game,
                    ..*entry
                }));
                first_game += length as u32;
            }
            assert_eq!(write_run(&path, &parts).unwrap(), all.len() as u64);
            all.sort_unstable();
            let runs = [Run::open(&path).unwrap()];
            let mut merge = Merge::new(&runs, 0..BUCKETS, 100_000).unwrap();
            let mut read = Vec::new();
            while let Some(entry) = merge.next().unwrap() {
                read.push(entry);
            }
            assert!(read == all, "{lengths:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn merged_runs_are_sorted_and_complete_in_any_parts() {
        let folder = std::env::temp_dir().join(format!("tabiya-runs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut all = Vec::new();
        let mut runs = Vec::new();
        for (number, length) in [1000, 0, 1, 5000, 777].into_iter().enumerate() {
            let mut entries: Vec<Entry> = keys(number as u64)
                .take(length)
                .map(|key| entry(key, number as u32))
                .collect();
            // A key that all runs have many times.
            entries.extend((0..length as u32).map(|game| entry(42, game)));
            all.extend(entries.iter().copied());
            let path = folder.join(format!("run-{number}"));
            assert_eq!(
                write_run(&path, &[Bucketed::new(&entries)]).unwrap(),
                2 * length as u64
            );
            runs.push(Run::open(&path).unwrap());
        }
        all.sort_unstable();
        for parts in [1, 4, 256] {
            for memory in [1, 100_000] {
                let mut merged = Vec::new();
                for part in 0..parts {
                    let width = BUCKETS / parts;
                    let buckets = part * width..(part + 1) * width;
                    let mut merge = Merge::new(&runs, buckets, memory).unwrap();
                    while let Some(entry) = merge.next().unwrap() {
                        merged.push(entry);
                    }
                }
                assert!(merged == all, "{parts} parts");
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_runs_are_refused() {
        let folder = std::env::temp_dir().join(format!("tabiya-bad-run-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("run");
        let entries: Vec<Entry> = keys(1).take(3000).map(|key| entry(key, 0)).collect();
        write_run(&path, &[Bucketed::new(&entries)]).unwrap();
        let good = std::fs::read(&path).unwrap();
        let read_all = || -> Result<u64, ArchiveError> {
            let runs = [Run::open(&path)?];
            let mut merge = Merge::new(&runs, 0..BUCKETS, 2000)?;
            let mut count = 0;
            while merge.next()?.is_some() {
                count += 1;
            }
            Ok(count)
        };
        assert_eq!(read_all().unwrap(), 3000);
        for at in (0..good.len()).step_by(97) {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(&path, &bad).unwrap();
            assert!(read_all().is_err(), "byte {at}");
        }
        for length in [0, 10, FOOTER, good.len() - 1] {
            std::fs::write(&path, &good[..length]).unwrap();
            assert!(read_all().is_err(), "{length} bytes");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
