//! The transposition table: what is known about positions seen before, shared by all threads without locks.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_board::Move;

use crate::score::{MATE_BOUND, is_mate};

/// What a stored score says about the real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// Nothing: only the evaluation is stored.
    None,
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    Exact,
}

impl Bound {
    const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }

    /// What the score of a search with a window says.
    pub(crate) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether a stored score proves that the real one is on the same side of a limit.
    pub(crate) const fn proves(self, score: i32, limit: i32) -> bool {
        self as u8 & if score >= limit { 2 } else { 1 } != 0
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    /// Seen from the position: mates count from here.
    pub(crate) score: i32,
    /// The evaluation without search; [`UNKNOWN`] in check.
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether it has been on a principal variation.
    pub(crate) pv: bool,
}

/// The evaluation of positions that have none.
pub(crate) const UNKNOWN: i32 = -32_002;

/// The depth of an entry from the quiescence search.
pub(crate) const QUIET_DEPTH: i32 = 0;

/// How many searches an entry can be told to be old.
const AGES: u8 = 32;

/// Two words: the data, and the key with the data mixed in. A reader that catches two writers halfway sees a key that
/// does not fit and takes the entry for another position's.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

/// A cache line of entries, any of which may hold a position whose key leads here.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The transposition table.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    age: u8,
}

impl Table {
    /// A table of so many megabytes, or the news that there is no memory for it.
    pub(crate) fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = (megabytes << 20) / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len)?;
        ask_for_large_pages(&mut buckets);
        buckets.resize_with(len, Bucket::default);
        Ok(Self { buckets, age: 0 })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.age = 0;
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// Makes what is stored older by one search.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// How full the table is with entries of this search, in thousandths.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age(data) == self.age
        });
        (used.count() * 1000 / (sample.len() * 4)) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((key as u128 * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Has the entries of a position brought near: they will be asked for soon, and memory is slow.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch changes nothing, whatever the address; every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about a position that is so many plies from the root.
    #[inline]
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0)
                .then(|| unpack(data, ply))
        })
    }

    /// Stores what is known about a position that is so many plies from the root.
    pub(crate) fn put(&self, key: u64, ply: usize, mut entry: Entry) {
        let bucket = &self.bucket(key).0;
        // The place of the same position, or of the entry that is worth least: shallow and old.
        let mut chosen = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data, ply);
                let fresh = age(data) == self.age;
                if fresh && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                    return;
                }
                entry.mv = entry.mv.or(old.mv);
                chosen = slot;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                let old = i32::from((AGES + self.age - age(data)) % AGES);
                depth(data) - 8 * old
            };
            if worth < least {
                least = worth;
                chosen = slot;
            }
        }
        let data = pack(&entry, ply, self.age);
        chosen.mixed.store(key ^ data, Ordering::Relaxed);
        chosen.data.store(data, Ordering::Relaxed);
    }
}

/// Asks the system for large pages where a table will be: it is read here and there, and with small pages the processor
/// has to look up where nearly every one of them is. A system that has none to give loses nothing.
#[allow(unsafe_code)]
fn ask_for_large_pages(buckets: &mut Vec<Bucket>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const LARGE: usize = 2 << 20;
        let free = buckets.spare_capacity_mut();
        let start = free.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(LARGE);
        let len = size_of_val(free).saturating_sub(before) / LARGE * LARGE;
        if len > 0 {
            // SAFETY: these pages are ours and whole, nothing is in them yet, and their content would stay the same.
            let _ = unsafe { madvise(start.add(before).cast(), len, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = buckets;
}

// The data: move 16, score 16, evaluation 16, depth 8, bound 2, on a principal variation 1, age 5.

const fn age(data: u64) -> u8 {
    (data >> 59) as u8
}

const fn depth(data: u64) -> i32 {
    (data >> 48) as u8 as i32
}

fn pack(entry: &Entry, ply: usize, age: u8) -> u64 {
    // Mates are stored as seen from the position, since another way may lead to it.
    let score = match entry.score {
        score if score >= MATE_BOUND => score + ply as i32,
        score if is_mate(score) => score - ply as i32,
        score => score,
    };
    u64::from(entry.mv.map_or(0, Move::to_bits))
        | (score as u16 as u64) << 16
        | (entry.eval as u16 as u64) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

fn unpack(data: u64, ply: usize) -> Entry {
    let score = match i32::from((data >> 16) as i16) {
        score if score >= MATE_BOUND => score - ply as i32,
        score if is_mate(score) => score + ply as i32,
        score => score,
    };
    Entry {
        // The move a1a1 of a pawn is none.
        mv: (data as u16 != 0).then(|| Move::from_bits(data as u16)),
        score,
        eval: i32::from((data >> 32) as i16),
        depth: depth(data),
        bound: Bound::from_bits(data >> 56),
        pv: data >> 58 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MATE, mated_in};
    use tabiya_board::{Board, Square};

    fn entry(score: i32, depth: i32) -> Entry {
        let mv = Board::start().why_not(Square::E2, Square::E4, None);
        Entry {
            mv: mv.ok(),
            score,
            eval: -17,
            depth,
            bound: Bound::Exact,
            pv: true,
        }
    }

    #[test]
    fn what_is_put_comes_back() {
        let table = Table::new(1).unwrap();
        for (i, score) in [0, -5, 31_000 - 200, -20_000, MATE - 7, mated_in(9)]
            .into_iter()
            .enumerate()
        {
            let key = 0x1234_5678_9abc_def0_u64.wrapping_mul(i as u64 + 1);
            assert_eq!(table.get(key, 5), None);
            table.put(key, 5, entry(score, 12));
            assert_eq!(table.get(key, 5), Some(entry(score, 12)));
        }
        let mut unknown = entry(3, 0);
        unknown.eval = UNKNOWN;
        table.put(42, 0, unknown);
        assert_eq!(table.get(42, 0), Some(unknown));
    }

    #[test]
    fn mates_count_from_the_position() {
        let table = Table::new(1).unwrap();
        // Mate in two plies seen at ply 5 is a mate seven plies from the root; at ply 1 it is three plies away.
        table.put(99, 5, entry(MATE - 7, 3));
        assert_eq!(table.get(99, 1).unwrap().score, MATE - 3);
        table.put(99, 5, entry(mated_in(7), 3));
        assert_eq!(table.get(99, 1).unwrap().score, mated_in(3));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = Table::new(1).unwrap();
        // Keys with equal high bits share a bucket.
        for (key, depth) in [(1, 20), (2, 3), (3, 10), (4, 11)] {
            table.put(key, 0, entry(0, depth));
        }
        table.put(5, 0, entry(0, 5));
        assert_eq!(table.get(2, 0), None);
        assert!(table.get(5, 0).is_some());
        for _ in 0..3 {
            table.grow_older();
        }
        table.put(6, 0, entry(0, 1));
        table.put(7, 0, entry(0, 1));
        assert!(table.get(6, 0).is_some() && table.get(7, 0).is_some());
        assert!(table.get(1, 0).is_some());
    }
}
