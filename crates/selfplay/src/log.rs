//! A file that games are appended to. If its writer is killed, only the game being written is lost, and the next writer
//! continues.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use crate::blocks::{BLOCK_HEADER, Block, FILE_HEADER, read_header, write_header};
use crate::error::SelfplayFileError;
use crate::player::SelfplaySettings;
use crate::record::TrainingRecord;

/// Why games cannot be added to a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is of another kind, or damaged.
    #[error(transparent)]
    Read(#[from] SelfplayFileError),
    /// The games in the file have other settings.
    #[error("its games were played with {there}, not with {asked}: use another file")]
    OtherSettings {
        /// The first setting that differs, as in the file.
        there: String,
        /// The same setting as requested.
        asked: String,
    },
    /// Another program is writing to it.
    #[error("another program is adding games to it")]
    Locked,
    /// The system cannot write the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file that games are appended to.
#[derive(Debug)]
pub struct GameLog {
    file: File,
    length: u64,
    /// The numbers of the games in the file.
    done: HashSet<u64>,
    positions: u64,
    /// Bytes of an incomplete game, removed when the file was opened.
    cut: u64,
}

impl GameLog {
    /// Opens or creates a file for games with these settings. An incomplete game at the end is removed. A file that is
    /// damaged elsewhere is an error and stays as it is.
    pub fn open(path: &Path, settings: &SelfplaySettings) -> Result<Self, LogError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Locked),
            // Some file systems have no locks, and most users run one writer at a time.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let header = write_header(settings);
        let size = file.metadata()?.len();
        if size < FILE_HEADER as u64 {
            // A new file, or one whose writer was killed immediately, or not a log at all.
            let mut start = Vec::new();
            file.read_to_end(&mut start)?;
            if !header.starts_with(&start) {
                return Err(SelfplayFileError::NotSelfplay.into());
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            return Ok(Self {
                file,
                length: header.len() as u64,
                done: HashSet::new(),
                positions: 0,
                cut: 0,
            });
        }
        let mut log = Self {
            file,
            length: FILE_HEADER as u64,
            done: HashSet::new(),
            positions: 0,
            cut: 0,
        };
        log.read_games(settings)?;
        if log.length < size {
            log.cut = size - log.length;
            log.file.set_len(log.length)?;
        }
        log.file.seek(SeekFrom::Start(log.length))?;
        Ok(log)
    }

    /// Reads all complete games.
    fn read_games(&mut self, settings: &SelfplaySettings) -> Result<(), LogError> {
        let mut file = BufReader::with_capacity(1 << 16, &self.file);
        let there = read_header(&mut file)?;
        let named = there.named().into_iter().zip(settings.named());
        if let Some((there, asked)) = named.into_iter().find(|(there, asked)| there != asked) {
            return Err(LogError::OtherSettings { there, asked });
        }
        loop {
            match Block::read(&mut file, self.length) {
                Ok(Some(block)) => {
                    self.length += size_of_block(&block);
                    self.positions += block.records.len() as u64;
                    self.done.insert(block.number);
                }
                Err(SelfplayFileError::Io(error)) => return Err(error.into()),
                // Only an error at the end may be removed: complete games after it are worth keeping.
                Err(error) if holds_block(&self.file, self.length)? => return Err(error.into()),
                Ok(None) | Err(_) => return Ok(()),
            }
        }
    }

    /// Appends a game. It survives the end of the program from then on.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        let bytes = block.to_bytes();
        if let Err(error) = self.file.write_all(&bytes) {
            // The disk may be full. If this fails as well, the next writer removes the rest.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(error);
        }
        self.length += bytes.len() as u64;
        self.positions += block.records.len() as u64;
        self.done.insert(block.number);
        Ok(())
    }

    /// Waits until everything is on disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Returns the numbers of the games in the file.
    pub fn done(&self) -> &HashSet<u64> {
        &self.done
    }

    /// Returns the number of positions in the file.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns how many bytes of an incomplete game were removed when the file was opened.
    pub fn truncated_bytes(&self) -> u64 {
        self.cut
    }
}

fn size_of_block(block: &Block) -> u64 {
    (BLOCK_HEADER + block.records.len() * TrainingRecord::BYTES) as u64
}

/// Whether there is a complete game after an offset. Blocks begin at multiples of 32 bytes.
fn holds_block(mut file: &File, place: u64) -> io::Result<bool> {
    /// The size of the largest possible block.
    const MAX_BLOCK: usize = BLOCK_HEADER + u16::MAX as usize * TrainingRecord::BYTES;
    let mut start = place + TrainingRecord::BYTES as u64;
    loop {
        file.seek(SeekFrom::Start(start))?;
        let mut window = Vec::new();
        file.take(2 * MAX_BLOCK as u64).read_to_end(&mut window)?;
        for at in (0..window.len().min(MAX_BLOCK)).step_by(TrainingRecord::BYTES) {
            // Zeros, as a system crash may leave them, are not a game: their checksum is wrong.
            if Block::from_bytes(&window[at..], 0).is_ok() {
                return Ok(true);
            }
        }
        if window.len() <= MAX_BLOCK {
            return Ok(false);
        }
        start += MAX_BLOCK as u64;
    }
}
