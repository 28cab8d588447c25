//! The network as the build script packs it: Rice codes, which fit weights well and take half the space.
//!
//! After the length of the file, its numbers of 16 bits follow in blocks of 64. A block begins with four bits that say
//! how many low bits of each number are stored as they are. A number (zigzag: 0, −1, 1, −2, …) is the rest of its bits
//! as so many ones, a zero, and the low bits. The lowest bit of a byte comes first.

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
    let (length, bytes) = packed.split_first_chunk().unwrap_or((&[0; 4], &[]));
    let length = u32::from_le_bytes(*length) as usize;
    let mut bits = Bits {
        bytes,
        buffer: 0,
        filled: 0,
    };
    let mut file = Vec::with_capacity(length);
    let mut low = 0;
    for index in 0..length / 2 {
        if index.is_multiple_of(BLOCK) {
            low = bits.take(4);
        }
        let zigzag = (bits.ones() << low | bits.take(low)) as u16;
        let number = zigzag >> 1 ^ (zigzag & 1).wrapping_neg();
        file.extend(number.to_le_bytes());
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
