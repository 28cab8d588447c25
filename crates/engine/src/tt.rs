//! The transposition table: what earlier searches know about positions. All threads share it without locks.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_board::Move;

use crate::score::{MATE_BOUND, is_mate};
use crate::search::parameters::{TT_AGE_PENALTY, TT_REPLACE_DEPTH};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// No score is stored, only the evaluation.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
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

    /// Returns what a score says that was found with a window.
    pub(crate) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Returns whether a stored score proves that the true one is on the same side of a limit.
    pub(crate) const fn proves(self, score: i32, limit: i32) -> bool {
        self as u8 & if score >= limit { 2 } else { 1 } != 0
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    /// Mate scores count from the root of the search.
    pub(crate) score: i32,
    /// The static evaluation; [`NO_EVAL`] in check.
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position has been on a principal variation.
    pub(crate) pv: bool,
}

/// Stands for the evaluation of positions in check, which have none.
pub(crate) const NO_EVAL: i32 = -32_002;

/// The depth of entries from the quiescence search.
pub(crate) const QUIESCENCE_DEPTH: i32 = 0;

/// Ages are counted modulo this.
const AGES: u8 = 32;

/// The data, and the key XORed with the data. A reader that sees halves of two writes sees a key that does not match,
/// and ignores the entry.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

/// A cache line of entries. A position may be in any entry of its bucket.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u8,
}

impl TranspositionTable {
    /// Allocates a table.
    pub(crate) fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = megabytes.saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len)?;
        advise_huge_pages(&mut buckets);
        buckets.resize_with(len, Bucket::default);
        Ok(Self { buckets, age: 0 })
    }

    /// Allocates a table of this many megabytes, or half as many, and so on. Returns it with its size.
    pub(crate) fn up_to(megabytes: usize) -> (Self, usize) {
        let mut size = megabytes;
        while size > 0 {
            if let Ok(table) = Self::new(size) {
                return (table, size);
            }
            size /= 2;
        }
        (Self::smallest(), 0)
    }

    /// Creates a table of one bucket.
    pub(crate) fn smallest() -> Self {
        Self {
            buckets: vec![Bucket::default()],
            age: 0,
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.age = 0;
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// Starts a new search: all entries age by one.
    pub(crate) fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Returns how full the table is with entries of this search, in thousandths, from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
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

    /// Prefetches the bucket of a position.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch has no effect on memory for any address, and every x86-64 processor has SSE.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Looks up a position `ply` plies from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0)
                .then(|| unpack(data, ply))
        })
    }

    /// Stores an entry for a position `ply` plies from the root.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let bucket = &self.bucket(key).0;
        // Replace the entry of the same position, or else the one worth least: shallow and old.
        let mut chosen = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.mixed.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data, ply);
                let fresh = age(data) == self.age;
                if fresh
                    && entry.bound != Bound::Exact
                    && entry.depth + TT_REPLACE_DEPTH < old.depth
                {
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
                depth(data) - TT_AGE_PENALTY * old
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

/// Asks the system for huge pages. The table is read at random, and with small pages nearly every access misses the
/// TLB. Without huge pages everything still works.
#[allow(unsafe_code)]
fn advise_huge_pages(buckets: &mut Vec<Bucket>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const HUGE: usize = 2 << 20;
        let free = buckets.spare_capacity_mut();
        let start = free.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(HUGE);
        let len = size_of_val(free).saturating_sub(before) / HUGE * HUGE;
        if len > 0 {
            // SAFETY: the range lies within the spare capacity of the vector: `before + len` is at most its size. This
            // advice does not change the content of the pages.
            let _ = unsafe { madvise(start.add(before).cast(), len, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = buckets;
}

// Bits of the data, from the lowest: move 16, score 16, evaluation 16, depth 8, bound 2, pv 1, age 5.

const fn age(data: u64) -> u8 {
    (data >> 59) as u8
}

const fn depth(data: u64) -> i32 {
    (data >> 48) as u8 as i32
}

fn pack(entry: &Entry, ply: usize, age: u8) -> u64 {
    // Mate scores are stored relative to the position: it may be reached at another ply.
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
        // Zero would be a pawn move from a1 to a1, so it stands for no move.
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
        let mv = Board::start().legal_move(Square::E2, Square::E4, None);
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
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1).unwrap();
        for (i, score) in [0, -5, 31_000 - 200, -20_000, MATE - 7, mated_in(9)]
            .into_iter()
            .enumerate()
        {
            let key = 0x1234_5678_9abc_def0_u64.wrapping_mul(i as u64 + 1);
            assert_eq!(table.probe(key, 5), None);
            table.store(key, 5, entry(score, 12));
            assert_eq!(table.probe(key, 5), Some(entry(score, 12)));
        }
        let mut no_eval = entry(3, 0);
        no_eval.eval = NO_EVAL;
        table.store(42, 0, no_eval);
        assert_eq!(table.probe(42, 0), Some(no_eval));
    }

    #[test]
    fn mate_scores_are_relative_to_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        // A mate two plies after ply 5 is seven plies from the root. Reached at ply 1, it is three plies from the root.
        table.store(99, 5, entry(MATE - 7, 3));
        assert_eq!(table.probe(99, 1).unwrap().score, MATE - 3);
        table.store(99, 5, entry(mated_in(7), 3));
        assert_eq!(table.probe(99, 1).unwrap().score, mated_in(3));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let mut table = TranspositionTable::new(1).unwrap();
        // Keys with equal high bits share a bucket.
        for (key, depth) in [(1, 20), (2, 3), (3, 10), (4, 11)] {
            table.store(key, 0, entry(0, depth));
        }
        table.store(5, 0, entry(0, 5));
        assert_eq!(table.probe(2, 0), None);
        assert!(table.probe(5, 0).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        table.store(6, 0, entry(0, 1));
        table.store(7, 0, entry(0, 1));
        assert!(table.probe(6, 0).is_some() && table.probe(7, 0).is_some());
        assert!(table.probe(1, 0).is_some());
    }
}
