//! The network as the build script packs it: Rice codes, which fit weights well and take half the space.
//!
//! After the header of the file, its weights follow in blocks of 64. A block begins with four bits that say how many
//! low bits of each number are stored as they are. A number (the zigzag of the file: 0, −1, 1, −2, …) is the rest of
//! its bits as so many ones, a zero, and the low bits. The lowest bit of a byte comes first.

use super::file::number;

const BLOCK: usize = 64;

struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bits, lowest first. There are at least 32 until the end, where zeros follow.
    buffer: u64,
    filled: u32,
}

impl Bits<'_> {
    fn refill(&mut self) {
        while self.filled <= 56 {
            let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
            self.buffer |= u64::from(*byte) << self.filled;
            self.filled += 8;
            self.bytes = rest;
        }
    }

    fn take(&mut self, count: u32) -> u32 {
        self.refill();
        let value = self.buffer & ((1 << count) - 1);
        self.buffer >>= count;
        self.filled -= count;
        value as u32
    }

    /// Counts the ones before the next zero, and drops all of them.
    fn ones(&mut self) -> u32 {
        let mut ones = 0;
        loop {
            self.refill();
            let run = self.buffer.trailing_ones();
            if run < 32 {
                self.take(run + 1);
                return ones + run;
            }
            self.take(32);
            ones += 32;
        }
    }
}

/// Returns the network file.
pub(super) fn unpack(packed: &[u8]) -> Vec<u8> {
    let word = |at| u32::from_le_bytes(number(packed, at)) as usize;
    // The header's length, and the number of weights.
    let (length, count) = (word(12), word(40));
    let (header, bytes) = packed.split_at(length);
    let mut bits = Bits {
        bytes,
        buffer: 0,
        filled: 0,
    };
    let mut file = header.to_vec();
    file.resize(length + 2 * count, 0);
    let (low_bytes, high_bytes) = file[length..].split_at_mut(count);
    let mut low = 0;
    for (index, bytes) in low_bytes.iter_mut().zip(high_bytes).enumerate() {
        if index.is_multiple_of(BLOCK) {
            low = bits.take(4);
        }
        let zigzag = (bits.ones() << low | bits.take(low)) as u16;
        [*bytes.0, *bytes.1] = zigzag.to_le_bytes();
    }
    file
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_network_unpacks_to_its_file() {
        let packed = include_bytes!(concat!(env!("OUT_DIR"), "/network.packed"));
        let file = include_bytes!("../../../network.nn");
        assert!(super::unpack(packed) == file);
    }
}
