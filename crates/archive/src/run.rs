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

/// Sorts entries and writes them to a file.
pub(crate) fn write_run(path: &Path, entries: &mut [Entry]) -> Result<u64, ArchiveError> {
    entries.sort_unstable();
    let mut run = RunWriter::create(path)?;
    for entry in entries.iter() {
        run.push(entry)?;
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
    readers: Vec<RunReader<'a>>,
    heap: BinaryHeap<Reverse<(Entry, usize)>>,
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
                merge.heap.push(Reverse((entry, merge.readers.len())));
            }
            merge.readers.push(reader);
        }
        Ok(merge)
    }

    pub(crate) fn next(&mut self) -> Result<Option<Entry>, ArchiveError> {
        let Some(mut top) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let Reverse((entry, index)) = *top;
        match self.readers[index].next()? {
            // Replacing the top is cheaper than popping it and pushing another.
            Some(next) => *top = Reverse((next, index)),
            None => {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        Ok(Some(entry))
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
            assert_eq!(write_run(&path, &mut entries).unwrap(), 2 * length as u64);
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
        let mut entries: Vec<Entry> = keys(1).take(3000).map(|key| entry(key, 0)).collect();
        write_run(&path, &mut entries).unwrap();
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
