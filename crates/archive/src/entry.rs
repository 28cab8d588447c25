//! One position of one game, as it is sorted.

use tabiya_notation::GameResult;

/// The size of an entry in bytes.
pub(crate) const ENTRY: usize = 24;

/// Says that no move was played: the game ends here.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// A position of a game, and what was played in it. The order is that of the positions table.
///
/// The key is signed, as in the table: most SQL engines know no unsigned numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    pub(crate) key: i64,
    pub(crate) game_id: u32,
    pub(crate) ply: u16,
    /// As in Polyglot's books, or [`NO_MOVE`].
    pub(crate) mv: u16,
    /// The players' ratings; 0 if not known.
    pub(crate) white_elo: u16,
    pub(crate) black_elo: u16,
    /// The day of the game and, in the lowest two bits, the result.
    pub(crate) day_and_result: u32,
}

impl Entry {
    pub(crate) fn result(self) -> GameResult {
        GameResult::ALL[(self.day_and_result & 3) as usize]
    }

    pub(crate) const fn day(self) -> u32 {
        self.day_and_result >> 2
    }

    pub(crate) fn pack(day: u32, result: GameResult) -> u32 {
        day << 2 | result as u32
    }

    pub(crate) fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game_id.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.ply.to_le_bytes());
        bytes[14..16].copy_from_slice(&self.mv.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.white_elo.to_le_bytes());
        bytes[18..20].copy_from_slice(&self.black_elo.to_le_bytes());
        bytes[20..].copy_from_slice(&self.day_and_result.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; ENTRY]) -> Self {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| u32::from(short(at + 2)) << 16 | u32::from(short(at));
        Self {
            key: (u64::from(word(4)) << 32 | u64::from(word(0))) as i64,
            game_id: word(8),
            ply: short(12),
            mv: short(14),
            white_elo: short(16),
            black_elo: short(18),
            day_and_result: word(20),
        }
    }

    /// The bucket of a key: there are 256, in the order of the keys.
    pub(crate) const fn bucket(key: i64) -> usize {
        ((key as u64 ^ 1 << 63) >> 56) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_they_are_written() {
        let entry = Entry {
            key: -0x0123_4567_89ab_cdef,
            game_id: 0x8765_4321,
            ply: 0x1234,
            mv: NO_MOVE,
            white_elo: 2851,
            black_elo: 1,
            day_and_result: Entry::pack(739_000, GameResult::Draw),
        };
        assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
        assert_eq!((entry.day(), entry.result()), (739_000, GameResult::Draw));
        assert_eq!(size_of::<Entry>(), ENTRY);
    }

    #[test]
    fn buckets_are_in_the_order_of_the_keys() {
        let keys = [i64::MIN, -1 << 56, -1, 0, 1 << 56, i64::MAX];
        let buckets = keys.map(Entry::bucket);
        assert_eq!(buckets, [0, 127, 127, 128, 129, 255]);
    }
}
