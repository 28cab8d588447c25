//! A short hash that identifies settings.

use std::fmt;

/// A hash of bytes. It is written to files, so it must be the same on every machine and in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        // The offset basis of FNV-1a.
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds bytes and their number.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            self.mix(u64::from_le_bytes(eight));
        }
        for &byte in words.remainder() {
            self.mix(u64::from(byte));
        }
        self.mix(bytes.len() as u64);
    }

    fn mix(&mut self, word: u64) {
        // Multiplication carries only upwards, so mix the upper half back down.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_changes_change_the_hash() {
        let of = |parts: &[&[u8]]| {
            let mut fingerprint = Fingerprint::default();
            for part in parts {
                fingerprint.add(part);
            }
            fingerprint.to_string()
        };
        let mut seen = std::collections::HashSet::new();
        for parts in [
            &[&b"abcdefgh"[..]][..],
            &[b"abcdefgi"],
            &[b"abcdefg"],
            &[b"abcd", b"efgh"],
            &[b"abcdefgh", b""],
            &[],
        ] {
            assert_eq!(of(parts).len(), 16);
            assert!(seen.insert(of(parts)), "{parts:?}");
        }
    }
}
