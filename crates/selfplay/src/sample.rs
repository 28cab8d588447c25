//! Samples of whole games from self-play on a GPU.

use crate::error::{SelfplayFileError, bytes_at};
use crate::game::{SelfplayGame, Termination, Wdl};
use crate::moves::PackedMove;

/// The first bytes of a sample.
pub const MAGIC: &[u8; 8] = b"TABIYAGM";
const VERSION: u32 = 1;
const HEADER: usize = 24;
const GAME_HEADER: usize = 8;
const UNKNOWN_SCORE: i16 = 32767;

/// Reads the games of a sample.
pub fn read(bytes: &[u8]) -> Result<Vec<SelfplayGame>, SelfplayFileError> {
    if !bytes.starts_with(MAGIC) {
        return Err(SelfplayFileError::NotSelfplay);
    }
    if bytes.len() < HEADER {
        return Err(SelfplayFileError::Truncated { at: 0 });
    }
    let version = u32::from_le_bytes(bytes_at(bytes, 8));
    if version != VERSION {
        return Err(SelfplayFileError::Version(version));
    }
    let checksum = u32::from_le_bytes(bytes_at(bytes, 12));
    let length = u64::from_le_bytes(bytes_at(bytes, 16));
    let games = &bytes[HEADER..];
    if (games.len() as u64) < length {
        return Err(SelfplayFileError::Truncated { at: HEADER as u64 });
    }
    if games.len() as u64 > length {
        let (at, what) = (HEADER as u64 + length, "there is something after the games");
        return Err(SelfplayFileError::Damaged { at, what });
    }
    if crc32fast::hash(games) != checksum {
        return Err(damaged(HEADER, "the checksum of the games is wrong"));
    }
    let mut read = Vec::new();
    let mut at = HEADER;
    while at < bytes.len() {
        let (game, length) = read_game(&bytes[at..], at)?;
        read.push(game);
        at += length;
    }
    Ok(read)
}

fn damaged(at: usize, what: &'static str) -> SelfplayFileError {
    SelfplayFileError::Damaged {
        at: at as u64,
        what,
    }
}

/// Reads the game at the start of these bytes, and returns its length, too. `at` is their offset in the file.
fn read_game(bytes: &[u8], at: usize) -> Result<(SelfplayGame, usize), SelfplayFileError> {
    if bytes.len() < GAME_HEADER {
        return Err(damaged(at, "a game is incomplete"));
    }
    let number = |at| usize::from(u16::from_le_bytes(bytes_at(bytes, at)));
    let (plies, random) = (number(0), number(2));
    let length = GAME_HEADER + 4 * plies;
    if bytes.len() < length {
        return Err(damaged(at, "a game is incomplete"));
    }
    if random > plies {
        return Err(damaged(at, "there are more random moves than moves"));
    }
    if number(6) != 0 {
        return Err(damaged(at, "bytes that should be zero are not"));
    }
    let result = Wdl::from_number(bytes[4]).ok_or(damaged(at, "the result is invalid"))?;
    let termination = Termination::from_number(bytes[5])
        .ok_or(damaged(at, "the code for how the game ended is invalid"))?;
    let mut moves = bytes[GAME_HEADER..length].chunks_exact(4).map(|pair| {
        let mv = PackedMove(u16::from_le_bytes(bytes_at(pair, 0)));
        (mv, i16::from_le_bytes(bytes_at(pair, 2)))
    });
    let opening: Vec<_> = moves.by_ref().take(random).collect();
    let searched: Vec<_> = moves.collect();
    if opening.iter().any(|&(_, score)| score != UNKNOWN_SCORE)
        || searched.iter().any(|&(_, score)| score == UNKNOWN_SCORE)
    {
        let what = "a random move has a score, or a searched move has none";
        return Err(damaged(at, what));
    }
    let game = SelfplayGame {
        opening: opening.into_iter().map(|(mv, _)| mv).collect(),
        searched,
        result,
        termination,
    };
    Ok((game, length))
}

/// Writes games as a sample.
///
/// # Panics
///
/// If a game has more than 65,535 moves.
pub fn write(games: &[SelfplayGame]) -> Vec<u8> {
    let mut body = Vec::new();
    for game in games {
        let plies = u16::try_from(game.plies()).expect("a game has fewer than 65,536 plies");
        body.extend(plies.to_le_bytes());
        body.extend((game.opening.len() as u16).to_le_bytes());
        body.extend([game.result as u8, game.termination as u8, 0, 0]);
        let random = game.opening.iter().map(|&mv| (mv, UNKNOWN_SCORE));
        for (mv, score) in random.chain(game.searched.iter().copied()) {
            body.extend(mv.0.to_le_bytes());
            body.extend(score.to_le_bytes());
        }
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes
}
