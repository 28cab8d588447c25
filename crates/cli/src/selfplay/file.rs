//! A file of self-play, whatever its kind, read piece by piece.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use tabiya_selfplay::blocks::{BLOCK_HEADER, Block, FILE_HEADER, read_header};
use tabiya_selfplay::{Game, Kind, ReadError, Record, Settings, sample};

use crate::input::{Unreadable, name};

/// A piece of a file.
pub(crate) enum Piece {
    /// A game with its records, and how it was played.
    Block(Block, Settings),
    /// A whole game.
    Game(Game),
    /// A record without its game.
    Record(Record),
}

/// Opens a file and says of what kind it is.
fn open(path: &Path) -> anyhow::Result<(Kind, BufReader<File>)> {
    let unreadable = |error| Unreadable::new(path, error);
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(std::io::ErrorKind::IsADirectory.into()).into());
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let kind = Kind::of(file.fill_buf().map_err(unreadable)?);
    Ok((kind, file))
}

/// Shows every piece of a file to a visitor, and says of what kind it is.
pub(crate) fn read(path: &Path, visit: &mut dyn FnMut(Piece)) -> anyhow::Result<Kind> {
    let (kind, mut file) = open(path)?;
    let result = match kind {
        Kind::Blocks => read_blocks(&mut file, visit),
        Kind::Sample => read_sample(&mut file, visit),
        Kind::Records => read_records(&mut file, visit),
    };
    result.with_context(|| name(path))?;
    Ok(kind)
}

fn read_blocks(file: &mut impl Read, visit: &mut dyn FnMut(Piece)) -> Result<(), ReadError> {
    let settings = read_header(file)?;
    let mut at = FILE_HEADER as u64;
    while let Some(block) = Block::read(file, at)? {
        at += (BLOCK_HEADER + Record::BYTES * block.records.len()) as u64;
        visit(Piece::Block(block, settings));
    }
    Ok(())
}

fn read_sample(file: &mut impl Read, visit: &mut dyn FnMut(Piece)) -> Result<(), ReadError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    for game in sample::read(&bytes)? {
        visit(Piece::Game(game));
    }
    Ok(())
}

fn read_records(file: &mut impl Read, visit: &mut dyn FnMut(Piece)) -> Result<(), ReadError> {
    let mut at = 0;
    loop {
        let mut bytes = Vec::with_capacity(Record::BYTES);
        file.by_ref()
            .take(Record::BYTES as u64)
            .read_to_end(&mut bytes)?;
        let Ok(bytes) = <[u8; Record::BYTES]>::try_from(&bytes[..]) else {
            if bytes.is_empty() && at > 0 {
                return Ok(());
            }
            // There is no mark at the start, so nothing else tells what it is.
            return Err(if at == 0 {
                ReadError::NotOurs
            } else {
                ReadError::BreaksOff { at }
            });
        };
        let record = Record::from_bytes(&bytes);
        if at == 0 && record.check().is_err() {
            return Err(ReadError::NotOurs);
        }
        at += Record::BYTES as u64;
        visit(Piece::Record(record));
    }
}
