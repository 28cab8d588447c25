//! The file that games are added to, one after the other. Whenever its writer is killed, all of it but the last game can
//! be used, and the next writer goes on.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use crate::blocks::{BLOCK_HEADER, Block, FILE_HEADER, read_header, write_header};
use crate::error::ReadError;
use crate::player::SelfplaySettings;
use crate::record::TrainingRecord;

/// Why games cannot be added to a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is not one of ours, or is damaged before its end.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The games in the file were played otherwise.
    #[error("its games were played with {there}, not with {asked}; add them to another file")]
    OtherSettings {
        /// The first setting that is another one, as the file has it.
        there: String,
        /// And as it was asked for.
        asked: String,
    },
    /// Somebody else is writing.
    #[error("another program is adding games to it")]
    Locked,
    /// The system does not want to.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file that games are added to.
#[derive(Debug)]
pub struct GameLog {
    file: File,
    length: u64,
    /// The numbers of the games that are there.
    done: HashSet<u64>,
    positions: u64,
    /// Bytes of a game that was not written to its end, cut off when the file was opened.
    cut: u64,
}

impl GameLog {
    /// Opens a file for games that are played so, or makes a new one. What a writer that was killed has left of its last
    /// game is cut off. A file that is damaged elsewhere is left as it is.
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
            // Some file systems know no locks; most users are alone.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let header = write_header(settings);
        let size = file.metadata()?.len();
        if size < FILE_HEADER as u64 {
            // New, or its first writer was killed at once; but it might be something else.
            let mut start = Vec::new();
            file.read_to_end(&mut start)?;
            if !header.starts_with(&start) {
                return Err(ReadError::NotSelfplay.into());
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

    /// Reads all games that are there, up to one that is not whole at the end.
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
                Err(ReadError::Io(error)) => return Err(error.into()),
                // The end is cut off only if nothing behind it is of use.
                Err(error) if holds_block(&self.file, self.length)? => return Err(error.into()),
                Ok(None) | Err(_) => return Ok(()),
            }
        }
    }

    /// Adds a game. It is in the file when this returns, whatever becomes of the program.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        let bytes = block.to_bytes();
        if let Err(error) = self.file.write_all(&bytes) {
            // As on a full disk. Where this fails too, the next writer will cut it off.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(error);
        }
        self.length += bytes.len() as u64;
        self.positions += block.records.len() as u64;
        self.done.insert(block.number);
        Ok(())
    }

    /// Waits until the disk has it all.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The numbers of the games in the file.
    pub fn done(&self) -> &HashSet<u64> {
        &self.done
    }

    /// How many positions are in the file.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How many bytes of a game that was not whole were cut off when the file was opened.
    pub fn truncated_bytes(&self) -> u64 {
        self.cut
    }
}

fn size_of_block(block: &Block) -> u64 {
    (BLOCK_HEADER + block.records.len() * TrainingRecord::BYTES) as u64
}

/// Whether a whole game begins anywhere behind a place. Blocks begin at multiples of 32 bytes.
fn holds_block(mut file: &File, place: u64) -> io::Result<bool> {
    /// The largest block that there can be.
    const LARGEST: usize = BLOCK_HEADER + u16::MAX as usize * TrainingRecord::BYTES;
    let mut start = place + TrainingRecord::BYTES as u64;
    loop {
        file.seek(SeekFrom::Start(start))?;
        let mut window = Vec::new();
        file.take(2 * LARGEST as u64).read_to_end(&mut window)?;
        for at in (0..window.len().min(LARGEST)).step_by(TrainingRecord::BYTES) {
            // Nothing but zeros is what a system that has crashed may leave, and is no game.
            if Block::from_bytes(&window[at..], 0).is_ok() {
                return Ok(true);
            }
        }
        if window.len() <= LARGEST {
            return Ok(false);
        }
        start += LARGEST as u64;
    }
}
