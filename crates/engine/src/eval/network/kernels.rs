//! The loops over the layers, for AVX-512, AVX2, WebAssembly's vectors and any machine. All give exactly the same numbers.

// SIMD intrinsics, and calls of functions that use them.
#![allow(unsafe_code)]

use super::file::QA;
#[cfg(target_arch = "x86_64")]
use token::{Avx2, Avx512};

/// The numbers in a chunk.
pub(super) const LANES: usize = 32;

/// Neighbouring numbers of a layer, aligned for the widest vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Chunk(pub(super) [i16; LANES]);

impl Chunk {
    pub(super) const ZERO: Self = Self([0; LANES]);
}

/// One number for each neuron of a layer.
type Row<'a> = &'a [Chunk];

/// Proofs that the processor has an instruction set. Detection is the only way to get one.
#[cfg(target_arch = "x86_64")]
mod token {
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        pub(super) fn detect() -> Option<Self> {
            is_x86_feature_detected!("avx2").then_some(Self(()))
        }
    }

    /// AVX-512 with the instructions for bytes and words.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    impl Avx512 {
        pub(super) fn detect() -> Option<Self> {
            let detected =
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            detected.then_some(Self(()))
        }
    }
}

/// The loops compiled for one instruction set.
///
/// Invariant: the processor has that instruction set. The constructors of the vector versions take a token as proof.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    add_sub: unsafe fn(&mut [Chunk], Row, Row, Row),
    add_sub_sub: unsafe fn(&mut [Chunk], Row, Row, [Row; 2]),
    add_add_sub_sub: unsafe fn(&mut [Chunk], Row, [Row; 2], [Row; 2]),
    add: unsafe fn(&mut [Chunk], Row),
    sub: unsafe fn(&mut [Chunk], Row),
    output: unsafe fn(Row, Row) -> i32,
}

impl Kernels {
    /// Returns the fastest kernels for this machine.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = Avx512::detect() {
                return avx512::kernels(token);
            }
            if let Some(token) = Avx2::detect() {
                return avx2::kernels(token);
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        {
            simd128::kernels(())
        }
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        {
            portable::kernels(())
        }
    }

    /// Returns all kernels that this machine can run.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![portable::kernels(())];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(avx2::kernels));
            all.extend(Avx512::detect().map(avx512::kernels));
        }
        all
    }

    /// Sets `to` to `from` plus a row, minus a row.
    #[inline]
    pub(super) fn add_sub(self, to: &mut [Chunk], from: &[Chunk], add: &[Chunk], sub: &[Chunk]) {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.add_sub)(to, from, add, sub) }
    }

    /// Sets `to` to `from` plus a row, minus two rows.
    #[inline]
    pub(super) fn add_sub_sub(
        self,
        to: &mut [Chunk],
        from: &[Chunk],
        add: &[Chunk],
        sub: [&[Chunk]; 2],
    ) {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.add_sub_sub)(to, from, add, sub) }
    }

    /// Sets `to` to `from` plus two rows, minus two rows.
    #[inline]
    pub(super) fn add_add_sub_sub(
        self,
        to: &mut [Chunk],
        from: &[Chunk],
        add: [&[Chunk]; 2],
        sub: [&[Chunk]; 2],
    ) {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.add_add_sub_sub)(to, from, add, sub) }
    }

    /// Adds a row.
    #[inline]
    pub(super) fn add(self, to: &mut [Chunk], row: &[Chunk]) {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.add)(to, row) }
    }

    /// Subtracts a row.
    #[inline]
    pub(super) fn sub(self, to: &mut [Chunk], row: &[Chunk]) {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.sub)(to, row) }
    }

    /// Returns the dot product for one half of the second layer: the activations, clamped to 0..=[`QA`] and squared,
    /// times the weights. Weights are below 128, so that the product of a weight and a clamped activation fits 16 bits.
    #[inline]
    pub(super) fn output(self, sums: &[Chunk], weights: &[Chunk]) -> i32 {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.output)(sums, weights) }
    }
}

/// The loops that the compiler vectorises well. `$token` proves that the processor has the features.
macro_rules! kernels {
    ($token:ty $(, $features:literal)?) => {
        pub(super) fn kernels(_proof: $token) -> Kernels {
            Kernels {
                add_sub,
                add_sub_sub,
                add_add_sub_sub,
                add,
                sub,
                output,
            }
        }

        $(#[target_feature(enable = $features)])?
        fn add_sub(to: &mut [Chunk], from: &[Chunk], add: &[Chunk], sub: &[Chunk]) {
            for (((to, from), add), sub) in to.iter_mut().zip(from).zip(add).zip(sub) {
                for i in 0..LANES {
                    to.0[i] = from.0[i].wrapping_add(add.0[i]).wrapping_sub(sub.0[i]);
                }
            }
        }

        $(#[target_feature(enable = $features)])?
        fn add_sub_sub(to: &mut [Chunk], from: &[Chunk], add: &[Chunk], [sub, sub2]: [&[Chunk]; 2]) {
            let rows = add.iter().zip(sub).zip(sub2);
            for ((to, from), ((add, sub), sub2)) in to.iter_mut().zip(from).zip(rows) {
                for i in 0..LANES {
                    let more = from.0[i].wrapping_add(add.0[i]);
                    to.0[i] = more.wrapping_sub(sub.0[i]).wrapping_sub(sub2.0[i]);
                }
            }
        }

        $(#[target_feature(enable = $features)])?
        fn add_add_sub_sub(to: &mut [Chunk], from: &[Chunk], [add, add2]: [&[Chunk]; 2], [sub, sub2]: [&[Chunk]; 2]) {
            let rows = add.iter().zip(add2).zip(sub.iter().zip(sub2));
            for ((to, from), ((add, add2), (sub, sub2))) in to.iter_mut().zip(from).zip(rows) {
                for i in 0..LANES {
                    let more = from.0[i].wrapping_add(add.0[i]).wrapping_add(add2.0[i]);
                    to.0[i] = more.wrapping_sub(sub.0[i]).wrapping_sub(sub2.0[i]);
                }
            }
        }

        $(#[target_feature(enable = $features)])?
        fn add(to: &mut [Chunk], row: &[Chunk]) {
            for (to, row) in to.iter_mut().zip(row) {
                for i in 0..LANES {
                    to.0[i] = to.0[i].wrapping_add(row.0[i]);
                }
            }
        }

        $(#[target_feature(enable = $features)])?
        fn sub(to: &mut [Chunk], row: &[Chunk]) {
            for (to, row) in to.iter_mut().zip(row) {
                for i in 0..LANES {
                    to.0[i] = to.0[i].wrapping_sub(row.0[i]);
                }
            }
        }
    };
}

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable {
    use super::*;

    kernels!(());

    fn output(sums: &[Chunk], weights: &[Chunk]) -> i32 {
        let mut total = 0;
        for (sums, weights) in sums.iter().zip(weights) {
            for i in 0..LANES {
                let active = i32::from(sums.0[i]).clamp(0, QA);
                total += active * active * i32::from(weights.0[i]);
            }
        }
        total
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    kernels!(Avx2, "avx2");

    #[target_feature(enable = "avx2")]
    fn output(sums: &[Chunk], weights: &[Chunk]) -> i32 {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
        let mut totals = [zero; 2];
        for (sums, weights) in sums.iter().zip(weights) {
            for (half, total) in totals.iter_mut().enumerate() {
                let load = |chunk: &Chunk| {
                    // SAFETY: a chunk holds two vectors of 16 numbers and is aligned to 64 bytes; `half` is 0 or 1.
                    unsafe { _mm256_load_si256(chunk.0.as_ptr().add(16 * half).cast()) }
                };
                let active = _mm256_min_epi16(_mm256_max_epi16(load(sums), zero), most);
                let weighted = _mm256_mullo_epi16(active, load(weights));
                *total = _mm256_add_epi32(*total, _mm256_madd_epi16(weighted, active));
            }
        }
        let total = _mm256_add_epi32(totals[0], totals[1]);
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(total),
            _mm256_extracti128_si256::<1>(total),
        );
        let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
        _mm_cvtsi128_si32(_mm_add_epi32(
            quarter,
            _mm_shuffle_epi32::<0b10_11_00_01>(quarter),
        ))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    kernels!(Avx512, "avx512f,avx512bw");

    #[target_feature(enable = "avx512f,avx512bw")]
    fn output(sums: &[Chunk], weights: &[Chunk]) -> i32 {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
        let mut totals = [zero; 2];
        // Two sums in turn, so that an addition does not wait for the one before.
        for (i, (sums, weights)) in sums.iter().zip(weights).enumerate() {
            let load = |chunk: &Chunk| {
                // SAFETY: a chunk holds one vector of 32 numbers and is aligned to 64 bytes.
                unsafe { _mm512_load_si512(chunk.0.as_ptr().cast()) }
            };
            let active = _mm512_min_epi16(_mm512_max_epi16(load(sums), zero), most);
            let weighted = _mm512_mullo_epi16(active, load(weights));
            let total = &mut totals[i % 2];
            *total = _mm512_add_epi32(*total, _mm512_madd_epi16(weighted, active));
        }
        _mm512_reduce_add_epi32(_mm512_add_epi32(totals[0], totals[1]))
    }
}

/// Whether a browser has these vectors is decided when the module is built: there is nothing to detect.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::*;

    use super::*;

    kernels!(());

    fn output(sums: &[Chunk], weights: &[Chunk]) -> i32 {
        let (zero, most) = (i16x8_splat(0), i16x8_splat(QA as i16));
        let mut totals = [i32x4_splat(0); 4];
        for (sums, weights) in sums.iter().zip(weights) {
            for (quarter, total) in totals.iter_mut().enumerate() {
                let load = |chunk: &Chunk| {
                    // SAFETY: a chunk holds four vectors of 8 numbers; `quarter` is 0 to 3.
                    unsafe { v128_load(chunk.0.as_ptr().add(8 * quarter).cast()) }
                };
                let active = i16x8_min(i16x8_max(load(sums), zero), most);
                let weighted = i16x8_mul(active, load(weights));
                *total = i32x4_add(*total, i32x4_dot_i16x8(weighted, active));
            }
        }
        let [a, b, c, d] = totals;
        let total = i32x4_add(i32x4_add(a, b), i32x4_add(c, d));
        i32x4_extract_lane::<0>(total)
            + i32x4_extract_lane::<1>(total)
            + i32x4_extract_lane::<2>(total)
            + i32x4_extract_lane::<3>(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pseudo-random chunks with numbers up to a bound.
    fn chunks(seed: u64, count: usize, bound: i16) -> Vec<Chunk> {
        let mut state = seed;
        let mut lane = || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            ((state >> 33) % (2 * bound as u64 + 1)) as i16 - bound
        };
        (0..count)
            .map(|_| Chunk(std::array::from_fn(|_| lane())))
            .collect()
    }

    #[test]
    fn all_kernels_agree() {
        for count in [1, 2, 3, 16] {
            let (from, weights) = (chunks(1, count, 600), chunks(2, count, 127));
            let rows: [Vec<Chunk>; 4] = std::array::from_fn(|i| chunks(3 + i as u64, count, 300));
            let [a, b, c, d] = &rows;
            let results = |kernels: Kernels| {
                let mut to = vec![Chunk::ZERO; count];
                let mut all = Vec::new();
                kernels.add_sub(&mut to, &from, a, b);
                all.push(to.clone());
                kernels.add_sub_sub(&mut to, &from, a, [b, c]);
                all.push(to.clone());
                kernels.add_add_sub_sub(&mut to, &from, [a, b], [c, d]);
                all.push(to.clone());
                kernels.add(&mut to, a);
                kernels.sub(&mut to, d);
                all.push(to.clone());
                (all, kernels.output(&from, &weights))
            };
            let all = Kernels::all();
            let expected = results(all[0]);
            for &kernels in &all[1..] {
                assert!(results(kernels) == expected, "{count} chunks");
            }
        }
    }

    #[test]
    fn output_matches_a_hand_computed_sum() {
        let mut sums = Chunk::ZERO;
        let mut weights = Chunk::ZERO;
        (sums.0[0], weights.0[0]) = (-5, 100);
        (sums.0[1], weights.0[1]) = (300, -127);
        (sums.0[31], weights.0[31]) = (10, 3);
        for kernels in Kernels::all() {
            assert_eq!(
                kernels.output(&[sums], &[weights]),
                -127 * 255 * 255 + 3 * 100
            );
        }
    }
}
