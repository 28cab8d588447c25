//! Packs the network, so that programs that contain it are half a megabyte smaller. `src/eval/network/packed.rs`
//! describes the format and unpacks it.

use std::path::Path;
use std::{env, fs};

const BLOCK: usize = 64;

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    free: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            if value >> bit & 1 != 0 {
                *self.bytes.last_mut().expect("a byte with free bits") |= 1 << (8 - self.free);
            }
            self.free -= 1;
        }
    }
}

fn pack(weights: &[u8]) -> Vec<u8> {
    let (low, high) = weights.split_at(weights.len() / 2);
    let numbers: Vec<u32> = low
        .iter()
        .zip(high)
        .map(|(&low, &high)| u32::from_le_bytes([low, high, 0, 0]))
        .collect();
    let mut bits = Bits::default();
    for block in numbers.chunks(BLOCK) {
        let length =
            |low: u32| -> u32 { block.iter().map(|number| (number >> low) + 1 + low).sum() };
        let low = (0..16).min_by_key(|&low| length(low)).unwrap_or(0);
        bits.push(low, 4);
        for &number in block {
            for _ in 0..number >> low {
                bits.push(1, 1);
            }
            bits.push(0, 1);
            bits.push(number, low);
        }
    }
    bits.bytes
}

fn main() {
    println!("cargo::rerun-if-changed=network.nn");
    let network = fs::read("network.nn").expect("the file network.nn");
    let [version, length] = [8, 12].map(|at| {
        let bytes = network[at..].first_chunk().expect("a header");
        u32::from_le_bytes(*bytes)
    });
    assert_eq!(version, 2, "the version of network.nn");
    let (header, weights) = network.split_at(length as usize);
    let packed = [header, &pack(weights)].concat();
    let folder = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("network.packed"), packed).expect("writing to OUT_DIR");
}
