//! Files with a checksum for every block, so that damage is always noticed.
//!
//! Parquet files of other programs have no checksums of their own that all readers understand. An archive keeps a list
//! of CRC-32 sums for each file, one for every 64 KiB. To read a page, the sums of its blocks are checked.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::error::{ArchiveError, Context};
use crate::testing;

/// The bytes of a file that share a checksum.
pub const BLOCK: usize = 1 << 16;

/// What a finished file must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seal {
    pub(crate) size: u64,
    /// The sums of all blocks.
    pub(crate) blocks: Vec<u32>,
}

impl Seal {
    /// The sum of the sums, for the manifest.
    pub(crate) fn root(&self) -> u32 {
        crc32fast::hash(&self.to_bytes())
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.blocks
            .iter()
            .flat_map(|block| block.to_le_bytes())
            .collect()
    }
}

/// Writes a file and computes the checksums of its blocks.
pub(crate) struct SealedWriter {
    file: BufWriter<File>,
    path: PathBuf,
    block: crc32fast::Hasher,
    in_block: usize,
    seal: Seal,
}

impl SealedWriter {
    pub(crate) fn create(path: &Path) -> Result<Self, ArchiveError> {
        let file = File::create(path).context("create", path)?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 18, file),
            path: path.to_owned(),
            block: crc32fast::Hasher::new(),
            in_block: 0,
            seal: Seal {
                size: 0,
                blocks: Vec::new(),
            },
        })
    }

    /// Returns once everything is on the disk.
    pub(crate) fn finish(mut self) -> Result<Seal, ArchiveError> {
        if self.in_block > 0 {
            self.seal.blocks.push(self.block.finalize());
        }
        self.file.flush().context("write", &self.path)?;
        let synced = testing::sync(self.file.get_ref());
        synced.context("write", &self.path)?;
        Ok(self.seal)
    }
}

impl Write for SealedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all(bytes)?;
        self.seal.size += bytes.len() as u64;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(BLOCK - self.in_block));
            self.block.update(now);
            self.in_block += now.len();
            if self.in_block == BLOCK {
                let block = std::mem::take(&mut self.block);
                self.seal.blocks.push(block.finalize());
                self.in_block = 0;
            }
            rest = later;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file whose blocks are compared with their checksums when they are read.
pub(crate) struct SealedFile {
    path: PathBuf,
    file: Mutex<File>,
    seal: Seal,
    /// Blocks that are known to be good.
    seen: Mutex<Vec<bool>>,
}

impl SealedFile {
    /// Opens a file. Its checksums are in another file, whose own checksum is in the manifest.
    pub(crate) fn open(
        path: &Path,
        sums: &Path,
        size: u64,
        root: u32,
    ) -> Result<Self, ArchiveError> {
        let file = File::open(path).context("read", path)?;
        let actual = file.metadata().context("read", path)?.len();
        if actual != size {
            let what = if actual < size { "cut off" } else { "too long" };
            let reason = format!("it is {what}: it has {actual} bytes and should have {size}");
            return Err(ArchiveError::damaged(path, reason));
        }
        let bytes = std::fs::read(sums).context("read", sums)?;
        if crc32fast::hash(&bytes) != root || bytes.len() as u64 != size.div_ceil(BLOCK as u64) * 4
        {
            return Err(ArchiveError::damaged(
                sums,
                "it has changed since it was written",
            ));
        }
        let (sums, _) = bytes.as_chunks();
        let blocks: Vec<u32> = sums.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            seen: Mutex::new(vec![false; blocks.len()]),
            seal: Seal { size, blocks },
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads bytes, and checks the blocks they are in.
    pub(crate) fn read(&self, start: u64, length: usize) -> Result<Bytes, ArchiveError> {
        let end = start.saturating_add(length as u64);
        if end > self.seal.size {
            return Err(ArchiveError::damaged(
                &self.path,
                "it points beyond its end",
            ));
        }
        let first = start / BLOCK as u64;
        let last = end.div_ceil(BLOCK as u64).max(first + 1);
        let is_known = {
            let seen = lock(&self.seen);
            (first..last).all(|block| seen.get(block as usize) == Some(&true))
        };
        if is_known {
            return self.read_plain(start, length).map(Bytes::from);
        }
        let from = first * BLOCK as u64;
        let to = (last * BLOCK as u64).min(self.seal.size);
        let bytes = self.read_plain(from, (to - from) as usize)?;
        for (index, block) in (first..).zip(bytes.chunks(BLOCK)) {
            if self.seal.blocks.get(index as usize) != Some(&crc32fast::hash(block)) {
                let at = index * BLOCK as u64;
                let reason = format!(
                    "bytes {at} to {} have changed since they were written",
                    at + block.len() as u64
                );
                return Err(ArchiveError::damaged(&self.path, reason));
            }
            if let Some(seen) = lock(&self.seen).get_mut(index as usize) {
                *seen = true;
            }
        }
        let offset = (start - from) as usize;
        Ok(Bytes::from(bytes).slice(offset..offset + length))
    }

    fn read_plain(&self, start: u64, length: usize) -> Result<Vec<u8>, ArchiveError> {
        let mut bytes = vec![0; length];
        let mut file = lock(&self.file);
        let read = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.read_exact(&mut bytes));
        read.context("read", &self.path)?;
        Ok(bytes)
    }

    /// Compares all blocks with their sums.
    pub(crate) fn check(&self) -> Result<(), ArchiveError> {
        // Large reads, for speed.
        let step = 64 * BLOCK as u64;
        let mut at = 0;
        while at < self.seal.size {
            let length = step.min(self.seal.size - at);
            self.read(at, length as usize)?;
            at += length;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Length for SealedFile {
    fn len(&self) -> u64 {
        self.seal.size
    }
}

impl ChunkReader for SealedFile {
    type T = BufReader<SealedRead>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        // Only page headers are read like this, and those are short: a block or two will do.
        let length = (2 * BLOCK as u64).min(self.seal.size.saturating_sub(start));
        let bytes = self
            .read(start, length as usize)
            .map_err(|error| ParquetError::External(Box::new(error)))?;
        Ok(BufReader::new(SealedRead(Cursor::new(bytes))))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.read(start, length)
            .map_err(|error| ParquetError::External(Box::new(error)))
    }
}

/// A stretch of a file that has been checked.
pub(crate) struct SealedRead(Cursor<Bytes>);

impl Read for SealedRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_found() {
        let folder = std::env::temp_dir().join(format!("tabiya-sealed-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, sums) = (folder.join("file"), folder.join("sums"));
        let content: Vec<u8> = (0..BLOCK * 2 + 100)
            .map(|index| (index % 251) as u8)
            .collect();
        let mut writer = SealedWriter::create(&path).unwrap();
        // In pieces that don't match the blocks.
        for piece in content.chunks(1000) {
            writer.write_all(piece).unwrap();
        }
        let seal = writer.finish().unwrap();
        std::fs::write(&sums, seal.to_bytes()).unwrap();
        let open = || SealedFile::open(&path, &sums, seal.size, seal.root());
        let file = open().unwrap();
        file.check().unwrap();
        assert_eq!(
            file.read(BLOCK as u64 - 5, 10).unwrap(),
            content[BLOCK - 5..BLOCK + 5]
        );
        assert!(file.read(seal.size, 1).is_err());

        for at in [0, BLOCK - 1, BLOCK, 2 * BLOCK + 99] {
            let mut bad = content.clone();
            bad[at] ^= 0x10;
            std::fs::write(&path, &bad).unwrap();
            let file = open().unwrap();
            assert!(file.check().is_err(), "{at}");
            assert!(file.read(at as u64, 1).is_err(), "{at}");
        }
        std::fs::write(&path, &content[..content.len() - 1]).unwrap();
        let error = open().err().unwrap().to_string();
        assert!(error.contains("it is cut off"), "{error}");
        std::fs::write(&path, &content).unwrap();
        let mut bad = seal.to_bytes();
        bad[1] ^= 1;
        std::fs::write(&sums, bad).unwrap();
        assert!(open().is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
