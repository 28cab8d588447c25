//! Reading a file of self-play, whatever its kind.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::blocks::{self, BLOCK_HEADER, Block, FILE_HEADER};
use crate::error::SelfplayFileError;
use crate::player::SelfplaySettings;
use crate::record::TrainingRecord;
use crate::replay::{check_block, replay};
use crate::{FileKind, SelfplayGame, sample};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileItem {
    /// A game with its records, and how it was played.
    Block(Block, SelfplaySettings),
    /// A whole game.
    Game(SelfplayGame),
    /// A record without its game.
    Record(TrainingRecord),
}

/// Passes every item of a file to a visitor, and returns the kind of the file.
pub fn read_file(
    path: &Path,
    visit: &mut dyn FnMut(FileItem),
) -> Result<FileKind, SelfplayFileError> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let kind = FileKind::detect(file.fill_buf()?);
    match kind {
        FileKind::Blocks => read_blocks(&mut file, visit),
        FileKind::Sample => read_sample(&mut file, visit),
        FileKind::Records => read_records(&mut file, visit),
    }?;
    Ok(kind)
}

fn read_blocks(
    file: &mut impl Read,
    visit: &mut dyn FnMut(FileItem),
) -> Result<(), SelfplayFileError> {
    let settings = blocks::read_header(file)?;
    let mut at = FILE_HEADER as u64;
    while let Some(block) = Block::read(file, at)? {
        at += (BLOCK_HEADER + TrainingRecord::BYTES * block.records.len()) as u64;
        visit(FileItem::Block(block, settings));
    }
    Ok(())
}

fn read_sample(
    file: &mut impl Read,
    visit: &mut dyn FnMut(FileItem),
) -> Result<(), SelfplayFileError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    for game in sample::read(&bytes)? {
        visit(FileItem::Game(game));
    }
    Ok(())
}

fn read_records(
    file: &mut impl Read,
    visit: &mut dyn FnMut(FileItem),
) -> Result<(), SelfplayFileError> {
    let mut at = 0;
    loop {
        let mut bytes = Vec::with_capacity(TrainingRecord::BYTES);
        file.by_ref()
            .take(TrainingRecord::BYTES as u64)
            .read_to_end(&mut bytes)?;
        let Ok(bytes) = <[u8; TrainingRecord::BYTES]>::try_from(&bytes[..]) else {
            if bytes.is_empty() && at > 0 {
                return Ok(());
            }
            return Err(if at == 0 {
                SelfplayFileError::NotSelfplay
            } else {
                SelfplayFileError::Truncated { at }
            });
        };
        let record = TrainingRecord::from_bytes(&bytes);
        // These files have no magic number: a first record that makes no sense is the only sign of another file.
        if at == 0 && record.check().is_err() {
            return Err(SelfplayFileError::NotSelfplay);
        }
        at += TrainingRecord::BYTES as u64;
        visit(FileItem::Record(record));
    }
}

/// The result of [`check_file`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileCheck {
    /// The kind of the file.
    pub kind: FileKind,
    /// Games in it; none in bare records.
    pub games: u64,
    /// Positions in it.
    pub positions: u64,
    /// Errors found.
    pub errors: u64,
}

/// Checks every game and record of a file, and reports each error with its place, such as `game 3`.
pub fn check_file(
    path: &Path,
    report: &mut dyn FnMut(&str, &str),
) -> Result<FileCheck, SelfplayFileError> {
    let (mut games, mut positions, mut errors) = (0_u64, 0_u64, 0_u64);
    let mut numbers = HashSet::new();
    let mut complain = |place: String, error: &dyn std::fmt::Display| {
        errors += 1;
        report(&place, &error.to_string());
    };
    let kind = read_file(path, &mut |item| match item {
        FileItem::Block(block, settings) => {
            games += 1;
            positions += block.records.len() as u64;
            let place = format!("game {}", block.number);
            if let Err(error) = check_block(&block, settings.adjudication) {
                complain(place.clone(), &error);
            }
            if !numbers.insert(block.number) {
                complain(place, &"two games have this number");
            }
        }
        FileItem::Game(game) => {
            games += 1;
            positions += game.searched.len() as u64;
            if let Err(error) = replay(&game, None) {
                complain(format!("game {games}"), &error);
            }
        }
        FileItem::Record(record) => {
            positions += 1;
            if let Err(error) = record.check() {
                complain(format!("record {positions}"), &error);
            }
        }
    })?;
    Ok(FileCheck {
        kind,
        games,
        positions,
        errors,
    })
}
