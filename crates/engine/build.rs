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

fn pack(bytes: &[u8]) -> Vec<u8> {
    let numbers: Vec<u32> = bytes
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .map(|number| u32::from((number << 1 ^ number >> 15) as u16))
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
    assert!(
        network.len().is_multiple_of(2),
        "network.nn is made of numbers of 16 bits"
    );
    let mut packed = (network.len() as u32).to_le_bytes().to_vec();
    packed.extend(pack(&network));
    let folder = env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("network.packed"), packed).expect("writing to OUT_DIR");
}
