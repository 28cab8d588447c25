//! A short text that tells one set of settings from all others.

use std::fmt;

/// A number that is made from bytes and, for all that can happen by chance, differs where they do. It is the same on
/// every machine and in every version: it is written into files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        // As FNV-1a begins.
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds bytes, and where they end.
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
        // Multiplying carries upwards only, so that the upper half has to come down.
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
    fn small_changes_show() {
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
