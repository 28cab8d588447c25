//! The loops over the layers, for AVX-512, AVX2, WebAssembly's vectors and any machine. All give exactly the same numbers.

// SIMD intrinsics, and calls of functions that use them.
#![allow(unsafe_code)]

use super::file::QA;
use super::hidden::{ChunkWeights, HIDDEN, LaterLayers, SECOND, first_value};
#[cfg(target_arch = "x86_64")]
use token::{Avx2, Avx512, Avx512Vnni, AvxVnni};

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

    /// AVX2 with the dot products of bytes.
    #[derive(Clone, Copy)]
    pub(super) struct AvxVnni(pub(super) Avx2);

    impl AvxVnni {
        pub(super) fn detect() -> Option<Self> {
            let avx2 = Avx2::detect()?;
            is_x86_feature_detected!("avxvnni").then_some(Self(avx2))
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

    /// AVX-512 with the dot products of bytes.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512Vnni(pub(super) Avx512);

    impl Avx512Vnni {
        pub(super) fn detect() -> Option<Self> {
            let avx512 = Avx512::detect()?;
            is_x86_feature_detected!("avx512vnni").then_some(Self(avx512))
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
    first_hidden: unsafe fn(Row, Row, &[ChunkWeights], &[i32; HIDDEN]) -> [i32; HIDDEN],
    later_layers: unsafe fn(&[i32; HIDDEN], &LaterLayers) -> f32,
}

impl Kernels {
    /// Returns the fastest kernels for this machine.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = Avx512Vnni::detect() {
                return avx512::kernels_with_vnni(token);
            }
            if let Some(token) = Avx512::detect() {
                return avx512::kernels(token);
            }
            if let Some(token) = AvxVnni::detect() {
                return avx2::kernels_with_vnni(token);
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
            all.extend(AvxVnni::detect().map(avx2::kernels_with_vnni));
            all.extend(Avx512::detect().map(avx512::kernels));
            all.extend(Avx512Vnni::detect().map(avx512::kernels_with_vnni));
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

    /// Returns the sums of the first hidden layer. Its inputs are the activations of the first layer, clamped to
    /// 0..=[`QA`], squared and divided by 512, so that they are 127 at most. Weights are within ±127, so that the sum of
    /// two products fits 16 bits.
    #[inline]
    pub(super) fn first_hidden(
        self,
        own: &[Chunk],
        other: &[Chunk],
        weights: &[ChunkWeights],
        bias: &[i32; HIDDEN],
    ) -> [i32; HIDDEN] {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.first_hidden)(own, other, weights, bias) }
    }

    /// Returns the output of the later layers for the sums of the first hidden one.
    #[inline]
    pub(super) fn later_layers(self, sums: &[i32; HIDDEN], layers: &LaterLayers) -> f32 {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.later_layers)(sums, layers) }
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
                first_hidden,
                later_layers,
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

        $(#[target_feature(enable = $features)])?
        fn later_layers(sums: &[i32; HIDDEN], layers: &LaterLayers) -> f32 {
            let mut inputs = [0.0; SECOND];
            for i in 0..HIDDEN {
                inputs[i] = first_value(sums[i]);
                inputs[HIDDEN + i] = inputs[i] * inputs[i];
            }
            let mut totals = layers.bias;
            for (input, weights) in inputs.iter().zip(&layers.second) {
                for i in 0..SECOND {
                    totals[i] += input * weights[i];
                }
            }
            for i in 0..SECOND {
                let active = totals[i].clamp(0.0, 1.0);
                totals[i] = active * active * layers.last[i];
            }
            // The order in which vectors of eight are added, then their halves.
            let mut parts: [f32; 8] = std::array::from_fn(|i| {
                totals[i] + totals[i + 8] + totals[i + 16] + totals[i + 24]
            });
            for half in [4, 2, 1] {
                for i in 0..half {
                    parts[i] += parts[i + half];
                }
            }
            parts[0]
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

    fn first_hidden(
        own: &[Chunk],
        other: &[Chunk],
        weights: &[ChunkWeights],
        bias: &[i32; HIDDEN],
    ) -> [i32; HIDDEN] {
        const HALF: usize = LANES / 2;
        // Many sums for each neuron: the compiler turns loops over them into vector instructions.
        let mut totals = [[0; HALF]; HIDDEN];
        for (chunk, weights) in own.iter().chain(other).zip(weights) {
            let inputs = chunk.0.map(|sum| {
                let active = i32::from(sum).clamp(0, QA);
                (active * active >> 9) as i16
            });
            for (totals, weights) in totals.iter_mut().zip(&weights.0) {
                let product = |i: usize| inputs[i] * i16::from(weights[i]);
                for (i, total) in totals.iter_mut().enumerate() {
                    *total += i32::from(product(i) + product(HALF + i));
                }
            }
        }
        std::array::from_fn(|neuron| bias[neuron] + totals[neuron].iter().sum::<i32>())
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

    pub(super) fn kernels_with_vnni(proof: AvxVnni) -> Kernels {
        let first_hidden = first_hidden_vnni;
        Kernels {
            first_hidden,
            ..kernels(proof.0)
        }
    }

    /// `$add` adds the products of inputs and weights to sums.
    macro_rules! first_hidden {
        ($name:ident, $features:literal, $add:expr) => {
            #[target_feature(enable = $features)]
            fn $name(
                own: &[Chunk],
                other: &[Chunk],
                weights: &[ChunkWeights],
                bias: &[i32; HIDDEN],
            ) -> [i32; HIDDEN] {
                let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
                let mut totals = [zero; HIDDEN];
                for (chunk, weights) in own.iter().chain(other).zip(weights) {
                    let [low, high] = [0, 1].map(|half| {
                        let sums = chunk.0[16 * half..].as_ptr();
                        // SAFETY: a chunk holds two vectors of 16 numbers and is aligned to 64 bytes.
                        let sums = unsafe { _mm256_load_si256(sums.cast()) };
                        let active = _mm256_min_epi16(_mm256_max_epi16(sums, zero), most);
                        _mm256_srli_epi16::<9>(_mm256_mullo_epi16(active, active))
                    });
                    // The lower eight of each come first, then the upper eight of each: put them in order.
                    let inputs = _mm256_packus_epi16(low, high);
                    let inputs = _mm256_permute4x64_epi64::<0b11_01_10_00>(inputs);
                    for (total, weights) in totals.iter_mut().zip(&weights.0) {
                        // SAFETY: this is a vector of 32 bytes, aligned to as many.
                        let weights = unsafe { _mm256_load_si256(weights.as_ptr().cast()) };
                        *total = $add(*total, inputs, weights);
                    }
                }
                add_totals(bias, &totals)
            }
        };
    }

    first_hidden!(first_hidden, "avx2", |total, inputs, weights| {
        let pairs = _mm256_maddubs_epi16(inputs, weights);
        _mm256_add_epi32(total, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    });
    first_hidden!(
        first_hidden_vnni,
        "avx2,avxvnni",
        |total, inputs, weights| _mm256_dpbusd_avx_epi32(total, inputs, weights)
    );

    /// Returns numbers with the sum of a vector added to each.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn add_totals(to: &[i32; HIDDEN], totals: &[__m256i; HIDDEN]) -> [i32; HIDDEN] {
        let mut sums = *to;
        for (sums, totals) in sums.chunks_exact_mut(4).zip(totals.chunks_exact(4)) {
            let [a, b] = [[0, 1], [2, 3]].map(|[i, j]| _mm256_hadd_epi32(totals[i], totals[j]));
            // In each half of the vector, its part of the four sums.
            let parts = _mm256_hadd_epi32(a, b);
            let (low, high) = (
                _mm256_castsi256_si128(parts),
                _mm256_extracti128_si256::<1>(parts),
            );
            let mut numbers = [0; 4];
            // SAFETY: there is room for a vector of 4 numbers.
            unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), _mm_add_epi32(low, high)) };
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += number;
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    kernels!(Avx512, "avx512f,avx512bw");

    pub(super) fn kernels_with_vnni(proof: Avx512Vnni) -> Kernels {
        let first_hidden = first_hidden_vnni;
        Kernels {
            first_hidden,
            ..kernels(proof.0)
        }
    }

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

    /// `$add` adds the products of inputs and weights to sums.
    macro_rules! first_hidden {
        ($name:ident, $features:literal, $add:expr) => {
            #[target_feature(enable = $features)]
            fn $name(
                own: &[Chunk],
                other: &[Chunk],
                weights: &[ChunkWeights],
                bias: &[i32; HIDDEN],
            ) -> [i32; HIDDEN] {
                let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
                // Each vector has the sums of a neuron in its lower half and of the next one in its upper half.
                let mut totals = [zero; HIDDEN / 2];
                for (chunk, weights) in own.iter().chain(other).zip(weights) {
                    // SAFETY: a chunk holds one vector of 32 numbers and is aligned to 64 bytes.
                    let sums = unsafe { _mm512_load_si512(chunk.0.as_ptr().cast()) };
                    let active = _mm512_min_epi16(_mm512_max_epi16(sums, zero), most);
                    let squares = _mm512_mullo_epi16(active, active);
                    let inputs = _mm512_cvtepi16_epi8(_mm512_srli_epi16::<9>(squares));
                    let twice = _mm512_broadcast_i64x4(inputs);
                    for (total, weights) in totals.iter_mut().zip(weights.0.as_chunks::<2>().0) {
                        // SAFETY: this is a vector of 64 bytes, aligned to as many.
                        let weights = unsafe { _mm512_load_si512(weights.as_ptr().cast()) };
                        *total = $add(*total, twice, weights);
                    }
                }
                let halves = totals.map(|total| {
                    [
                        _mm512_castsi512_si256(total),
                        _mm512_extracti64x4_epi64::<1>(total),
                    ]
                });
                let halves = std::array::from_fn(|neuron| halves[neuron / 2][neuron % 2]);
                avx2::add_totals(bias, &halves)
            }
        };
    }

    first_hidden!(
        first_hidden,
        "avx512f,avx512bw",
        |total, inputs, weights| {
            let pairs = _mm512_maddubs_epi16(inputs, weights);
            _mm512_add_epi32(total, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
        }
    );
    first_hidden!(
        first_hidden_vnni,
        "avx512f,avx512bw,avx512vnni",
        |total, inputs, weights| _mm512_dpbusd_epi32(total, inputs, weights)
    );
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
        add_lanes(i32x4_add(i32x4_add(a, b), i32x4_add(c, d)))
    }

    fn first_hidden(
        own: &[Chunk],
        other: &[Chunk],
        weights: &[ChunkWeights],
        bias: &[i32; HIDDEN],
    ) -> [i32; HIDDEN] {
        let (zero, most) = (i16x8_splat(0), i16x8_splat(QA as i16));
        let mut totals = [i32x4_splat(0); HIDDEN];
        for (chunk, weights) in own.iter().chain(other).zip(weights) {
            let inputs = [0, 1, 2, 3].map(|quarter| {
                // SAFETY: a chunk holds four vectors of 8 numbers; `quarter` is 0 to 3.
                let sums = unsafe { v128_load(chunk.0.as_ptr().add(8 * quarter).cast()) };
                let active = i16x8_min(i16x8_max(sums, zero), most);
                u16x8_shr(i16x8_mul(active, active), 9)
            });
            for (total, weights) in totals.iter_mut().zip(&weights.0) {
                for (quarter, inputs) in inputs.into_iter().enumerate() {
                    // SAFETY: there are 32 weights; `quarter` is 0 to 3.
                    let weights =
                        unsafe { i16x8_load_extend_i8x8(weights.as_ptr().add(8 * quarter)) };
                    *total = i32x4_add(*total, i32x4_dot_i16x8(inputs, weights));
                }
            }
        }
        let mut sums = *bias;
        for (sum, total) in sums.iter_mut().zip(totals) {
            *sum += add_lanes(total);
        }
        sums
    }

    fn add_lanes(total: v128) -> i32 {
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

    /// Returns pseudo-random weights of the first hidden layer, one for each chunk of its inputs.
    fn hidden_weights(seed: u64, count: usize) -> Vec<ChunkWeights> {
        let numbers = chunks(seed, HIDDEN * count, 127);
        let weights = |numbers: &[Chunk]| std::array::from_fn(|i| numbers[i].0.map(|n| n as i8));
        numbers
            .chunks(HIDDEN)
            .map(|numbers| ChunkWeights(weights(numbers)))
            .collect()
    }

    #[test]
    fn all_kernels_agree_on_the_first_hidden_layer() {
        let full = |weight| vec![ChunkWeights([[weight; LANES]; HIDDEN]); 32];
        let same = |sum| vec![Chunk([sum; LANES]); 16];
        let bias: [i32; HIDDEN] = std::array::from_fn(|i| 4001 * i as i32 - i32::from(i16::MAX));
        // Inputs of 0, of 1 (from a sum of 23 on), of 127, and different ones with zeros among them.
        let mut sparse = chunks(1, 16, 300);
        sparse[3] = Chunk::ZERO;
        sparse[7].0[4..20].fill(-9);
        let views = [0, 22, 23, 255, 256, i16::MAX, -1, i16::MIN].map(same);
        for own in views.iter().chain([&sparse]) {
            for weights in [full(127), full(-127), hidden_weights(2, 32)] {
                for count in [1, 2, 3, 16] {
                    let (own, other) = (&own[..count], &sparse[16 - count..]);
                    let mut expected = bias;
                    for (chunk, weights) in own.iter().chain(other).zip(&weights) {
                        for (sum, weights) in expected.iter_mut().zip(weights.0) {
                            for (value, weight) in chunk.0.into_iter().zip(weights) {
                                let active = i32::from(value).clamp(0, 255);
                                *sum += active * active / 512 * i32::from(weight);
                            }
                        }
                    }
                    for kernels in Kernels::all() {
                        let sums = kernels.first_hidden(own, other, &weights[..2 * count], &bias);
                        assert_eq!(sums, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn all_kernels_round_the_later_layers_the_same_way() {
        let row = |seed, bound: i16| -> [f32; SECOND] {
            chunks(seed, 1, bound)[0].0.map(|n| f32::from(n) / 4096.0)
        };
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            // Small weights let most sums be between 0 and 1; the largest ones clamp most of them.
            let bound = [1000, 4096, 16000][seed as usize % 3];
            let layers = LaterLayers {
                second: std::array::from_fn(|i| row(1000 * seed + i as u64, bound)),
                bias: row(1000 * seed + 32, bound),
                last: row(1000 * seed + 33, 16000),
            };
            let numbers = chunks(1000 * seed + 34, 1, 12000)[0].0;
            let mut sums: [i32; HIDDEN] = std::array::from_fn(|i| i32::from(numbers[i]));
            (sums[0], sums[1], sums[2], sums[3]) = (0, 8128, i32::MIN / 4, i32::MAX / 4);
            let mut inputs = [0.0_f32; SECOND];
            for (i, &sum) in sums.iter().enumerate() {
                let value = (sum as f32 * (1.0_f32 / 8128.0)).clamp(0.0, 1.0);
                (inputs[i], inputs[16 + i]) = (value, value * value);
            }
            let mut products = [0.0_f32; SECOND];
            for (neuron, product) in products.iter_mut().enumerate() {
                let mut total = layers.bias[neuron];
                for (input, weights) in inputs.iter().zip(&layers.second) {
                    let weighted = input * weights[neuron];
                    total += weighted;
                }
                let active = total.clamp(0.0, 1.0);
                *product = active * active * layers.last[neuron];
            }
            let p: [f32; 8] = std::array::from_fn(|l| {
                ((products[l] + products[l + 8]) + products[l + 16]) + products[l + 24]
            });
            let q: [f32; 4] = std::array::from_fn(|l| p[l] + p[l + 4]);
            let r: [f32; 2] = std::array::from_fn(|l| q[l] + q[l + 2]);
            let expected = r[0] + r[1];
            for kernels in Kernels::all() {
                let value = kernels.later_layers(&sums, &layers);
                assert_eq!(value.to_bits(), expected.to_bits(), "{value} {expected}");
            }
            seen.insert(expected.to_bits());
        }
        assert!(seen.len() > 150, "only {} different values", seen.len());
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
