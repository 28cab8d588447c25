//! Files of games with their records: a header with the settings, then one block per game.
//!
//! The length of everything is a multiple of 32 bytes, and headers have zeros where a record has its occupied squares.
//! To read only the records, take 32 bytes at a time and skip those that begin with eight zeros.

use std::io::Read;

use crate::error::{SelfplayFileError, bytes_at};
use crate::game::{SelfplayGame, Termination, Wdl};
use crate::moves::PackedMove;
use crate::player::{NetworkId, SelfplaySettings};
use crate::record::TrainingRecord;
use crate::referee::ScoreAdjudication;

/// The first bytes of such a file.
pub const MAGIC: &[u8; 8] = b"TABIYARC";
const VERSION: u32 = 1;
/// The size of the header of the file.
pub const FILE_HEADER: usize = 64;
/// The size of the header of a block.
pub const BLOCK_HEADER: usize = 64;
/// The offsets of the checksums, which are computed with zeros in their place.
const FILE_CHECKSUM: usize = 12;
const BLOCK_CHECKSUM: usize = 16;
/// The offset of the random moves.
const OPENING: usize = 40;
/// The number of random moves that fit into a block.
pub const MAX_RANDOM_PLIES: usize = 12;

/// A game with its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of the game, from 0. With the seed, it decides how the game goes.
    pub number: u64,
    /// The random moves at the start, at most [`MAX_RANDOM_PLIES`].
    pub opening: Vec<PackedMove>,
    /// White's result.
    pub result: Wdl,
    /// How it ended.
    pub termination: Termination,
    /// The positions after the random moves.
    pub records: Vec<TrainingRecord>,
}

impl Block {
    /// Returns the game.
    pub fn game(&self) -> SelfplayGame {
        let searched = |record: &TrainingRecord| (record.best_move(), record.score);
        SelfplayGame {
            opening: self.opening.clone(),
            searched: self.records.iter().map(searched).collect(),
            result: self.result,
            termination: self.termination,
        }
    }

    /// Writes the block.
    ///
    /// # Panics
    ///
    /// If there are too many random moves or records for a block.
    pub fn to_bytes(&self) -> Vec<u8> {
        assert!(
            self.opening.len() <= MAX_RANDOM_PLIES,
            "too many random moves"
        );
        let count = u16::try_from(self.records.len()).expect("a game has fewer than 65,536 plies");
        let mut bytes = vec![0; BLOCK_HEADER];
        bytes[8..16].copy_from_slice(&self.number.to_le_bytes());
        bytes[20..22].copy_from_slice(&count.to_le_bytes());
        bytes[22] = self.opening.len() as u8;
        bytes[23] = self.result as u8;
        bytes[24] = self.termination as u8;
        for (i, mv) in self.opening.iter().enumerate() {
            bytes[OPENING + 2 * i..][..2].copy_from_slice(&mv.0.to_le_bytes());
        }
        for record in &self.records {
            bytes.extend(record.to_bytes());
        }
        let checksum = crc32fast::hash(&bytes).to_le_bytes();
        bytes[BLOCK_CHECKSUM..][..4].copy_from_slice(&checksum);
        bytes
    }

    /// Reads the block at the start of these bytes, and returns its length, too. `at` is their offset in the file.
    pub fn from_bytes(bytes: &[u8], at: u64) -> Result<(Self, usize), SelfplayFileError> {
        let mut rest = bytes;
        let block = Self::read(&mut rest, at)?.ok_or(SelfplayFileError::Truncated { at })?;
        Ok((block, bytes.len() - rest.len()))
    }

    /// Reads the next block; `None` at the end of the file. `at` is its offset in the file.
    pub fn read(file: &mut impl Read, at: u64) -> Result<Option<Self>, SelfplayFileError> {
        let damaged = |what| SelfplayFileError::Damaged { at, what };
        let mut bytes = Vec::new();
        file.by_ref()
            .take(BLOCK_HEADER as u64)
            .read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() < BLOCK_HEADER {
            return Err(SelfplayFileError::Truncated { at });
        }
        let count = usize::from(u16::from_le_bytes(bytes_at(&bytes, 20)));
        let length = BLOCK_HEADER + count * TrainingRecord::BYTES;
        let random = usize::from(bytes[22]);
        let moves_end = OPENING + 2 * random;
        let gaps = [0..8, 25..OPENING, moves_end.min(BLOCK_HEADER)..BLOCK_HEADER];
        if random > MAX_RANDOM_PLIES
            || gaps
                .into_iter()
                .any(|gap| bytes[gap].iter().any(|&byte| byte != 0))
        {
            return Err(damaged("this is not the header of a game"));
        }
        let rest = (length - BLOCK_HEADER) as u64;
        file.by_ref().take(rest).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(SelfplayFileError::Truncated { at });
        }
        let checksum = u32::from_le_bytes(bytes_at(&bytes, BLOCK_CHECKSUM));
        bytes[BLOCK_CHECKSUM..][..4].fill(0);
        if crc32fast::hash(&bytes) != checksum {
            return Err(damaged("the checksum of a game is wrong"));
        }
        let (header, records) = bytes.split_at(BLOCK_HEADER);
        let opening = header[OPENING..moves_end].chunks_exact(2);
        let records = records.chunks_exact(TrainingRecord::BYTES);
        Ok(Some(Self {
            number: u64::from_le_bytes(bytes_at(header, 8)),
            opening: opening
                .map(|mv| PackedMove(u16::from_le_bytes(bytes_at(mv, 0))))
                .collect(),
            result: Wdl::from_number(header[23]).ok_or(damaged("the result is invalid"))?,
            termination: Termination::from_number(header[24])
                .ok_or(damaged("the code for how the game ended is invalid"))?,
            records: records
                .map(|record| TrainingRecord::from_bytes(&bytes_at(record, 0)))
                .collect(),
        }))
    }
}

/// Writes the header of a file.
pub fn write_header(settings: &SelfplaySettings) -> [u8; FILE_HEADER] {
    let mut bytes = [0; FILE_HEADER];
    let mut put = |at: usize, number: &[u8]| bytes[at..][..number.len()].copy_from_slice(number);
    let rule = &settings.adjudication;
    put(0, MAGIC);
    put(8, &VERSION.to_le_bytes());
    put(16, &settings.seed.to_le_bytes());
    put(24, &settings.nodes.to_le_bytes());
    put(28, &settings.network.0.to_le_bytes());
    let numbers = [
        settings.random_plies,
        settings.max_opening_score,
        rule.win_score,
        rule.win_plies,
        rule.draw_score,
        rule.draw_plies,
        rule.draw_after,
    ];
    for (i, number) in numbers.into_iter().enumerate() {
        put(32 + 2 * i, &number.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes).to_le_bytes();
    bytes[FILE_CHECKSUM..][..4].copy_from_slice(&checksum);
    bytes
}

/// Reads the header of a file.
pub fn read_header(file: &mut impl Read) -> Result<SelfplaySettings, SelfplayFileError> {
    let mut bytes = Vec::new();
    file.by_ref()
        .take(FILE_HEADER as u64)
        .read_to_end(&mut bytes)?;
    if !bytes.starts_with(MAGIC) {
        return Err(SelfplayFileError::NotSelfplay);
    }
    if bytes.len() < FILE_HEADER {
        return Err(SelfplayFileError::Truncated { at: 0 });
    }
    let version = u32::from_le_bytes(bytes_at(&bytes, 8));
    if version != VERSION {
        return Err(SelfplayFileError::Version(version));
    }
    let number = |i: usize| u16::from_le_bytes(bytes_at(&bytes, 32 + 2 * i));
    let settings = SelfplaySettings {
        seed: u64::from_le_bytes(bytes_at(&bytes, 16)),
        nodes: u32::from_le_bytes(bytes_at(&bytes, 24)),
        network: NetworkId(u32::from_le_bytes(bytes_at(&bytes, 28))),
        random_plies: number(0),
        max_opening_score: number(1),
        adjudication: ScoreAdjudication {
            win_score: number(2),
            win_plies: number(3),
            draw_score: number(4),
            draw_plies: number(5),
            draw_after: number(6),
        },
    };
    // Everything else in the header is the checksum or zero, so comparing it with a new one checks all of it.
    if write_header(&settings)[..] != bytes[..] {
        return Err(SelfplayFileError::Damaged {
            at: 0,
            what: "the checksum of the header is wrong",
        });
    }
    Ok(settings)
}
