//! A table of counts that threads share without a lock.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// A table of counts by position and depth.
///
/// An entry is two words, and another thread may write its own entry between them. So the first word is the key
/// combined with the second: two words of different entries do not yield the right key, and the entry is ignored.
pub struct CountTable {
    buckets: Vec<Bucket>,
}

/// As many entries as fit a cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; 4]);

#[derive(Default)]
struct Entry {
    /// The key of the position and the depth, combined with the count by exclusive or.
    check: AtomicU64,
    count: AtomicU64,
}

impl CountTable {
    /// Creates a table of a size in megabytes, at least one.
    pub fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = megabytes
            .max(1)
            .saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len)?;
        buckets.resize_with(len, Bucket::default);
        Ok(Self { buckets })
    }

    /// Returns the count of a position at a depth, if the table has it.
    pub(crate) fn get(&self, position: u64, depth: u32) -> Option<u64> {
        let key = combine(position, depth);
        self.bucket(key).0.iter().find_map(|entry| {
            let count = entry.count.load(Ordering::Relaxed);
            (entry.check.load(Ordering::Relaxed) ^ count == key).then_some(count)
        })
    }

    /// Stores a count in place of the smallest of its bucket: large counts took the longest.
    pub(crate) fn put(&self, position: u64, depth: u32, count: u64) {
        let key = combine(position, depth);
        let smallest = self
            .bucket(key)
            .0
            .iter()
            .min_by_key(|entry| entry.count.load(Ordering::Relaxed));
        if let Some(entry) = smallest {
            entry.check.store(key ^ count, Ordering::Relaxed);
            entry.count.store(count, Ordering::Relaxed);
        }
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product spreads keys evenly over a table of any length.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// One key for a position and a depth.
fn combine(position: u64, depth: u32) -> u64 {
    // Multiples of the golden ratio differ in all bits.
    position ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn get_returns_what_was_put() {
        let table = CountTable::new(1).unwrap();
        assert_eq!(table.get(1, 3), None);
        table.put(1, 3, 42);
        assert_eq!(table.get(1, 3), Some(42));
        assert_eq!(table.get(1, 4), None);
        assert_eq!(table.get(2, 3), None);
        table.put(1, 3, u64::MAX);
        assert_eq!(table.get(1, 4), None);
    }

    #[test]
    fn large_counts_stay_in_a_full_bucket() {
        let table = CountTable::new(1).unwrap();
        // Keys that differ only in the lowest bits share a bucket.
        for (key, count) in [(16, 50), (17, 10), (18, 30), (19, 40), (20, 20)] {
            table.put(key, 0, count);
        }
        let kept: Vec<_> = (16..21).map(|key| table.get(key, 0)).collect();
        assert_eq!(kept, [Some(50), None, Some(30), Some(40), Some(20)]);
    }

    #[test]
    fn a_torn_entry_is_ignored() {
        let table = CountTable::new(1).unwrap();
        table.put(7, 5, 1000);
        let entry = &table.bucket(combine(7, 5)).0[0];
        entry.count.store(2000, Ordering::Relaxed);
        assert_eq!(table.get(7, 5), None);
    }
}
