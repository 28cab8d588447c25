//! Counts remembered, shared by all threads without a lock.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// A table of counts by position and depth.
///
/// An entry is two words that are written one after the other, and another thread may write its own in between. So the
/// first word holds the key mixed with the second: words that do not belong together do not give the key that is looked
/// for, and such an entry is not believed.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
}

/// As many entries as a line of the processor's cache holds.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; 4]);

#[derive(Default)]
struct Entry {
    /// The key of the position and the depth, combined with the count by exclusive or.
    check: AtomicU64,
    count: AtomicU64,
}

impl Table {
    /// A table of so many megabytes, at least one.
    pub(crate) fn new(megabytes: usize) -> Result<Self, TryReserveError> {
        let len = megabytes
            .max(1)
            .saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(len)?;
        buckets.resize_with(len, Bucket::default);
        Ok(Self { buckets })
    }

    /// The count of a position to a depth, if it is remembered.
    pub(crate) fn get(&self, position: u64, depth: u32) -> Option<u64> {
        let key = combine(position, depth);
        self.bucket(key).0.iter().find_map(|entry| {
            let count = entry.count.load(Ordering::Relaxed);
            (entry.check.load(Ordering::Relaxed) ^ count == key).then_some(count)
        })
    }

    /// Remembers a count, in place of the smallest of its bucket: the large ones took the longest.
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
        // The high half of the product spreads the keys evenly over a table of any length.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// One key for a position and a depth.
fn combine(position: u64, depth: u32) -> u64 {
    // The golden ratio: multiples of it differ in all bits.
    position ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.get(1, 3), None);
        table.put(1, 3, 42);
        assert_eq!(table.get(1, 3), Some(42));
        assert_eq!(table.get(1, 4), None);
        assert_eq!(table.get(2, 3), None);
        table.put(1, 3, u64::MAX);
        assert_eq!(table.get(1, 4), None);
    }

    #[test]
    fn the_largest_counts_stay() {
        let table = Table::new(1).unwrap();
        // Keys that differ in the lowest bits only share a bucket.
        for (key, count) in [(16, 50), (17, 10), (18, 30), (19, 40), (20, 20)] {
            table.put(key, 0, count);
        }
        let kept: Vec<_> = (16..21).map(|key| table.get(key, 0)).collect();
        assert_eq!(kept, [Some(50), None, Some(30), Some(40), Some(20)]);
    }

    #[test]
    fn a_torn_entry_is_not_believed() {
        let table = Table::new(1).unwrap();
        table.put(7, 5, 1000);
        let entry = &table.bucket(combine(7, 5)).0[0];
        entry.count.store(2000, Ordering::Relaxed);
        assert_eq!(table.get(7, 5), None);
    }
}
