//! The loops over the layers, for AVX-512, AVX2, WebAssembly's vectors and any machine. All give exactly the same
//! numbers.

// SIMD intrinsics, and calls of functions that use them.
#![allow(unsafe_code)]

use super::file::QA;
#[cfg(target_arch = "x86_64")]
use super::hidden::FIRST_UNIT;
use super::hidden::{
    BlockInputs, FirstLayer, HIDDEN, HiddenState, HiddenSums, LaterLayers, SECOND, first_value,
};
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

/// The values of the first hidden layer's neurons.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct HiddenValues([f32; HIDDEN]);

#[cfg(target_arch = "x86_64")]
impl HiddenValues {
    const ZERO: Self = Self([0.0; HIDDEN]);
}

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
    output: unsafe fn([Row; 2], [Row; 2]) -> i32,
    output_and_hidden: unsafe fn([Row; 2], [Row; 2], &FirstLayer, &mut HiddenState) -> i32,
    later_layers: unsafe fn(&HiddenSums, &LaterLayers) -> f32,
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

    /// Returns the dot product of the second layer: the activations of both sides, clamped to 0..=[`QA`] and squared,
    /// times the weights. Weights are below 128, so that the product of a weight and a clamped activation fits 16 bits.
    #[inline]
    pub(super) fn output(self, sums: [&[Chunk]; 2], weights: [&[Chunk]; 2]) -> i32 {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.output)(sums, weights) }
    }

    /// Returns the same, and computes the sums of the first hidden layer. Its inputs are the squared activations
    /// divided by 512, so that they are 127 at most, and its weights are within ±127: the sum of two products fits 16
    /// bits.
    #[inline]
    pub(super) fn output_and_hidden(
        self,
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        hidden: &FirstLayer,
        state: &mut HiddenState,
    ) -> i32 {
        // SAFETY: the processor has the instruction set (invariant of `Kernels`).
        unsafe { (self.output_and_hidden)(sums, weights, hidden, state) }
    }

    /// Returns the output of the later layers for the sums of the first hidden one.
    #[inline]
    pub(super) fn later_layers(self, sums: &HiddenSums, layers: &LaterLayers) -> f32 {
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
                output_and_hidden,
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
    };
}

/// The later layers, in loops that the compiler vectorises.
fn later_layers(sums: &HiddenSums, layers: &LaterLayers) -> f32 {
    let values = sums.0.map(first_value);
    // Two sums for each neuron, so that an addition waits for half of the others only.
    let (mut totals, mut of_squares) = (layers.bias, [0.0; SECOND]);
    let (weights, square_weights) = layers.second.split_at(HIDDEN);
    for ((value, weights), square_weights) in values.iter().zip(weights).zip(square_weights) {
        let square = value * value;
        for i in 0..SECOND {
            totals[i] += value * weights[i];
            of_squares[i] += square * square_weights[i];
        }
    }
    for i in 0..SECOND {
        let active = (totals[i] + of_squares[i]).clamp(0.0, 1.0);
        totals[i] = active * active * layers.last[i];
    }
    // The order in which vectors of eight are added, then their halves.
    let mut parts: [f32; 8] =
        std::array::from_fn(|i| totals[i] + totals[i + 8] + totals[i + 16] + totals[i + 24]);
    for half in [4, 2, 1] {
        for i in 0..half {
            parts[i] += parts[i + half];
        }
    }
    parts[0]
}

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable {
    use super::*;

    kernels!(());

    fn output(sums: [&[Chunk]; 2], weights: [&[Chunk]; 2]) -> i32 {
        activate::<false>(sums, weights, &mut [])
    }

    fn output_and_hidden(
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        hidden: &FirstLayer,
        state: &mut HiddenState,
    ) -> i32 {
        let output = activate::<true>(sums, weights, &mut state.inputs);
        first_hidden(hidden, state);
        output
    }

    fn activate<const KEEP: bool>(
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        inputs: &mut [BlockInputs],
    ) -> i32 {
        let (mut total, mut at) = (0, 0);
        for (sums, weights) in sums.into_iter().zip(weights) {
            for (sums, weights) in sums.iter().zip(weights) {
                for i in 0..LANES {
                    let active = i32::from(sums.0[i]).clamp(0, QA);
                    total += active * active * i32::from(weights.0[i]);
                    if KEEP {
                        inputs[at / 2].0[at % 2][i] = (active * active >> 9) as u8;
                    }
                }
                at += 1;
            }
        }
        total
    }

    fn first_hidden(hidden: &FirstLayer, state: &mut HiddenState) {
        let mut sums = hidden.bias.0;
        for (inputs, weights) in state.inputs.iter().zip(&hidden.weights) {
            let inputs = inputs.0.map(|half| half.map(i16::from));
            for (sum, weights) in sums.iter_mut().zip(&weights.0) {
                for (inputs, weights) in inputs.iter().zip(weights) {
                    let weights = weights.map(i16::from);
                    // The compiler turns this into vector instructions.
                    for i in 0..LANES {
                        *sum += i32::from(inputs[i]) * i32::from(weights[i]);
                    }
                }
            }
        }
        state.sums = HiddenSums(sums);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    kernels!(Avx2, "avx2");

    #[target_feature(enable = "avx2")]
    fn output(sums: [&[Chunk]; 2], weights: [&[Chunk]; 2]) -> i32 {
        activate::<false>(sums, weights, &mut [])
    }

    #[target_feature(enable = "avx2")]
    fn activate<const KEEP: bool>(
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        inputs: &mut [BlockInputs],
    ) -> i32 {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
        let (mut total, mut at) = (zero, 0);
        for (sums, weights) in sums.into_iter().zip(weights) {
            for (sums, weights) in sums.iter().zip(weights) {
                let [low, high] = [0, 1].map(|half| {
                    let load = |chunk: &Chunk| {
                        // SAFETY: a chunk holds two vectors of 16 numbers and is aligned to 64 bytes; `half` is 0 or 1.
                        unsafe { _mm256_load_si256(chunk.0.as_ptr().add(16 * half).cast()) }
                    };
                    let active = _mm256_min_epi16(_mm256_max_epi16(load(sums), zero), most);
                    let weighted = _mm256_mullo_epi16(active, load(weights));
                    total = _mm256_add_epi32(total, _mm256_madd_epi16(weighted, active));
                    active
                });
                if KEEP {
                    let [low, high] = [low, high]
                        .map(|active| _mm256_srli_epi16::<9>(_mm256_mullo_epi16(active, active)));
                    // The lower eight of each come first, then the upper eight of each: put them in order.
                    let kept = _mm256_packus_epi16(low, high);
                    let kept = _mm256_permute4x64_epi64::<0b11_01_10_00>(kept);
                    let to = inputs[at / 2].0[at % 2].as_mut_ptr();
                    // SAFETY: there is room for 32 bytes, aligned to as many.
                    unsafe { _mm256_store_si256(to.cast(), kept) };
                }
                at += 1;
            }
        }
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
        let output_and_hidden = output_and_hidden_vnni;
        Kernels {
            output_and_hidden,
            ..kernels(proof.0)
        }
    }

    /// `$add` adds the products of inputs and weights to sums.
    macro_rules! output_and_hidden {
        ($name:ident, $features:literal, $add:expr) => {
            #[target_feature(enable = $features)]
            fn $name(
                sums: [&[Chunk]; 2],
                weights: [&[Chunk]; 2],
                hidden: &FirstLayer,
                state: &mut HiddenState,
            ) -> i32 {
                let output = activate::<true>(sums, weights, &mut state.inputs);
                let HiddenState { inputs, sums } = state;
                *sums = hidden.bias;
                // There are registers for eight neurons at a time.
                for (part, sums) in sums.0.as_chunks_mut().0.iter_mut().enumerate() {
                    let mut totals = [_mm256_setzero_si256(); 8];
                    for (inputs, weights) in inputs.iter().zip(&hidden.weights) {
                        let weights = &weights.0[8 * part..][..8];
                        for half in 0..2 {
                            let inputs = inputs.0[half].as_ptr();
                            // SAFETY: this is a vector of 32 bytes, aligned to as many.
                            let inputs = unsafe { _mm256_load_si256(inputs.cast()) };
                            for (total, weights) in totals.iter_mut().zip(weights) {
                                let weights = weights[half].as_ptr();
                                // SAFETY: this is a vector of 32 bytes, aligned to as many.
                                let weights = unsafe { _mm256_load_si256(weights.cast()) };
                                *total = $add(*total, inputs, weights);
                            }
                        }
                    }
                    add_totals(sums, &totals);
                }
                output
            }
        };
    }

    output_and_hidden!(output_and_hidden, "avx2", |total, inputs, weights| {
        let pairs = _mm256_maddubs_epi16(inputs, weights);
        _mm256_add_epi32(total, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    });
    output_and_hidden!(
        output_and_hidden_vnni,
        "avx2,avxvnni",
        |total, inputs, weights| _mm256_dpbusd_avx_epi32(total, inputs, weights)
    );

    #[target_feature(enable = "avx2")]
    fn later_layers(sums: &HiddenSums, layers: &LaterLayers) -> f32 {
        let mut values = [HiddenValues::ZERO; 2];
        for (part, sums) in sums.0.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: there are eight numbers in `sums`, and from there on room for as many in `values`.
            unsafe {
                let sums = _mm256_cvtepi32_ps(_mm256_loadu_si256(sums.as_ptr().cast()));
                let value = clamp(_mm256_mul_ps(sums, _mm256_set1_ps(FIRST_UNIT)));
                _mm256_store_ps(values[0].0[8 * part..].as_mut_ptr(), value);
                let square = _mm256_mul_ps(value, value);
                _mm256_store_ps(values[1].0[8 * part..].as_mut_ptr(), square);
            }
        }
        let load = |row: &[f32; SECOND], at: usize| {
            // SAFETY: the rows are aligned to 64 bytes and have 32 numbers; `at` is 0 to 3.
            unsafe { _mm256_load_ps(row.as_ptr().add(8 * at)) }
        };
        // The sums of the values and of their squares.
        let mut totals = [
            [0, 1, 2, 3].map(|at| load(&layers.bias, at)),
            [_mm256_setzero_ps(); 4],
        ];
        for neuron in 0..HIDDEN {
            for (part, totals) in totals.iter_mut().enumerate() {
                let value = _mm256_set1_ps(values[part].0[neuron]);
                let weights = &layers.second[HIDDEN * part + neuron];
                for (at, total) in totals.iter_mut().enumerate() {
                    *total = _mm256_add_ps(*total, _mm256_mul_ps(value, load(weights, at)));
                }
            }
        }
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|at| {
            let active = clamp(_mm256_add_ps(totals[0][at], totals[1][at]));
            _mm256_mul_ps(_mm256_mul_ps(active, active), load(&layers.last, at))
        });
        let first = _mm256_add_ps(first, second);
        add_floats(_mm256_add_ps(_mm256_add_ps(first, third), fourth))
    }

    #[target_feature(enable = "avx2")]
    fn clamp(values: __m256) -> __m256 {
        let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
        _mm256_min_ps(_mm256_max_ps(values, zero), one)
    }

    /// Returns the sum of eight numbers, in the order of the portable version.
    #[target_feature(enable = "avx2")]
    pub(super) fn add_floats(eight: __m256) -> f32 {
        let (low, high) = (
            _mm256_castps256_ps128(eight),
            _mm256_extractf128_ps::<1>(eight),
        );
        let four = _mm_add_ps(low, high);
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }

    /// Adds the sum of a vector to each number.
    #[target_feature(enable = "avx2")]
    fn add_totals(to: &mut [i32; 8], totals: &[__m256i; 8]) {
        let [a, b, c, d] = [0, 2, 4, 6].map(|i| _mm256_hadd_epi32(totals[i], totals[i + 1]));
        // In each half of a vector, its part of four sums.
        let [first, last] = [_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d)];
        let low = _mm256_permute2x128_si256::<0x20>(first, last);
        let high = _mm256_permute2x128_si256::<0x31>(first, last);
        let to: *mut __m256i = to.as_mut_ptr().cast();
        // SAFETY: `to` has eight numbers.
        unsafe {
            let sums = _mm256_add_epi32(_mm256_loadu_si256(to), _mm256_add_epi32(low, high));
            _mm256_storeu_si256(to, sums);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    kernels!(Avx512, "avx512f,avx512bw");

    pub(super) fn kernels_with_vnni(proof: Avx512Vnni) -> Kernels {
        let output_and_hidden = output_and_hidden_vnni;
        Kernels {
            output_and_hidden,
            ..kernels(proof.0)
        }
    }

    /// Returns activations.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn activate(sums: &Chunk) -> __m512i {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
        _mm512_min_epi16(_mm512_max_epi16(load(sums), zero), most)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(chunk: &Chunk) -> __m512i {
        // SAFETY: a chunk holds one vector of 32 numbers and is aligned to 64 bytes.
        unsafe { _mm512_load_si512(chunk.0.as_ptr().cast()) }
    }

    /// Returns products of weights and squared activations, neighbours added.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn multiply(active: __m512i, weights: &Chunk) -> __m512i {
        _mm512_madd_epi16(_mm512_mullo_epi16(active, load(weights)), active)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn output(sums: [&[Chunk]; 2], weights: [&[Chunk]; 2]) -> i32 {
        let mut total = _mm512_setzero_si512();
        for (sums, weights) in sums.into_iter().zip(weights) {
            for (sums, weights) in sums.iter().zip(weights) {
                total = _mm512_add_epi32(total, multiply(activate(sums), weights));
            }
        }
        _mm512_reduce_add_epi32(total)
    }

    /// `$add` adds the products of inputs and weights to sums.
    macro_rules! output_and_hidden {
        ($name:ident, $features:literal, $add:expr) => {
            #[target_feature(enable = $features)]
            fn $name(
                sums: [&[Chunk]; 2],
                weights: [&[Chunk]; 2],
                hidden: &FirstLayer,
                state: &mut HiddenState,
            ) -> i32 {
                let mut output = _mm512_setzero_si512();
                let mut totals = [_mm512_setzero_si512(); HIDDEN];
                // The inputs stay in registers: there are enough for all neurons.
                let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                let mut blocks = hidden.weights.iter();
                for (sums, weights) in sums.into_iter().zip(weights) {
                    let pairs = sums
                        .as_chunks::<2>()
                        .0
                        .iter()
                        .zip(weights.as_chunks::<2>().0);
                    for ((sums, weights), block) in pairs.zip(&mut blocks) {
                        let active = [activate(&sums[0]), activate(&sums[1])];
                        for (active, weights) in active.into_iter().zip(weights) {
                            output = _mm512_add_epi32(output, multiply(active, weights));
                        }
                        let [low, high] = active.map(|active| {
                            _mm512_srli_epi16::<9>(_mm512_mullo_epi16(active, active))
                        });
                        // Eight of each in turn: put them in order.
                        let inputs = _mm512_packus_epi16(low, high);
                        let inputs = _mm512_permutexvar_epi64(order, inputs);
                        for (total, weights) in totals.iter_mut().zip(&block.0) {
                            // SAFETY: this is a vector of 64 bytes, aligned to as many.
                            let weights = unsafe { _mm512_load_si512(weights.as_ptr().cast()) };
                            *total = $add(*total, inputs, weights);
                        }
                    }
                }
                let sums = add_totals(&hidden.bias, &totals);
                // SAFETY: there is room for a vector, aligned to 64 bytes.
                unsafe { _mm512_store_si512(state.sums.0.as_mut_ptr().cast(), sums) };
                _mm512_reduce_add_epi32(output)
            }
        };
    }

    output_and_hidden!(
        output_and_hidden,
        "avx512f,avx512bw",
        |total, inputs, weights| {
            let pairs = _mm512_maddubs_epi16(inputs, weights);
            _mm512_add_epi32(total, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
        }
    );
    output_and_hidden!(
        output_and_hidden_vnni,
        "avx512f,avx512bw,avx512vnni",
        |total, inputs, weights| _mm512_dpbusd_epi32(total, inputs, weights)
    );

    /// Returns numbers with the sum of a vector added to each.
    #[target_feature(enable = "avx512f")]
    fn add_totals(to: &HiddenSums, totals: &[__m512i; HIDDEN]) -> __m512i {
        // In each quarter of a vector, its part of four sums.
        let fours = [0, 4, 8, 12].map(|first| {
            let [a, b] = [first, first + 2].map(|i| {
                let (a, b) = (totals[i], totals[i + 1]);
                _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
            });
            _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
        });
        let add_quarters = |a, b| {
            let even = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
            _mm512_add_epi32(even, _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b))
        };
        let [a, b, c, d] = fours;
        let all = add_quarters(add_quarters(a, b), add_quarters(c, d));
        // SAFETY: this is a vector of 16 numbers, aligned to 64 bytes.
        let to = unsafe { _mm512_load_si512(to.0.as_ptr().cast()) };
        _mm512_add_epi32(to, all)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn later_layers(sums: &HiddenSums, layers: &LaterLayers) -> f32 {
        let mut values = [HiddenValues::ZERO; 2];
        // SAFETY: `sums` has a vector of 16 numbers, aligned to 64 bytes. Each of `values` has room for one.
        unsafe {
            let sums = _mm512_cvtepi32_ps(_mm512_load_si512(sums.0.as_ptr().cast()));
            let value = clamp(_mm512_mul_ps(sums, _mm512_set1_ps(FIRST_UNIT)));
            _mm512_store_ps(values[0].0.as_mut_ptr(), value);
            _mm512_store_ps(values[1].0.as_mut_ptr(), _mm512_mul_ps(value, value));
        }
        let load = |row: &[f32; SECOND], at: usize| {
            // SAFETY: the rows are aligned to 64 bytes and have 32 numbers; `at` is 0 or 1.
            unsafe { _mm512_load_ps(row.as_ptr().add(16 * at)) }
        };
        // The sums of the values and of their squares.
        let mut totals = [
            [0, 1].map(|at| load(&layers.bias, at)),
            [_mm512_setzero_ps(); 2],
        ];
        for neuron in 0..HIDDEN {
            for (part, totals) in totals.iter_mut().enumerate() {
                let value = _mm512_set1_ps(values[part].0[neuron]);
                let weights = &layers.second[HIDDEN * part + neuron];
                for (at, total) in totals.iter_mut().enumerate() {
                    *total = _mm512_add_ps(*total, _mm512_mul_ps(value, load(weights, at)));
                }
            }
        }
        let [low, high] = [0, 1].map(|at| {
            let active = clamp(_mm512_add_ps(totals[0][at], totals[1][at]));
            let product = _mm512_mul_ps(_mm512_mul_ps(active, active), load(&layers.last, at));
            let halves = _mm512_castps_pd(product);
            let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(halves));
            [_mm512_castps512_ps256(product), upper]
        });
        let first = _mm256_add_ps(low[0], low[1]);
        avx2::add_floats(_mm256_add_ps(_mm256_add_ps(first, high[0]), high[1]))
    }

    #[target_feature(enable = "avx512f")]
    fn clamp(values: __m512) -> __m512 {
        let (zero, one) = (_mm512_setzero_ps(), _mm512_set1_ps(1.0));
        _mm512_min_ps(_mm512_max_ps(values, zero), one)
    }
}

/// Whether a browser has these vectors is decided when the module is built: there is nothing to detect.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::*;

    use super::*;

    kernels!(());

    fn output(sums: [&[Chunk]; 2], weights: [&[Chunk]; 2]) -> i32 {
        activate::<false>(sums, weights, &mut [])
    }

    fn output_and_hidden(
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        hidden: &FirstLayer,
        state: &mut HiddenState,
    ) -> i32 {
        let output = activate::<true>(sums, weights, &mut state.inputs);
        first_hidden(hidden, state);
        output
    }

    fn activate<const KEEP: bool>(
        sums: [&[Chunk]; 2],
        weights: [&[Chunk]; 2],
        inputs: &mut [BlockInputs],
    ) -> i32 {
        let (zero, most) = (i16x8_splat(0), i16x8_splat(QA as i16));
        let (mut totals, mut at) = ([i32x4_splat(0); 4], 0);
        for (sums, weights) in sums.into_iter().zip(weights) {
            for (sums, weights) in sums.iter().zip(weights) {
                let active = [0, 1, 2, 3].map(|quarter| {
                    let load = |chunk: &Chunk| {
                        // SAFETY: a chunk holds four vectors of 8 numbers; `quarter` is 0 to 3.
                        unsafe { v128_load(chunk.0.as_ptr().add(8 * quarter).cast()) }
                    };
                    let active = i16x8_min(i16x8_max(load(sums), zero), most);
                    let weighted = i16x8_mul(active, load(weights));
                    let product = i32x4_dot_i16x8(weighted, active);
                    totals[quarter] = i32x4_add(totals[quarter], product);
                    active
                });
                if KEEP {
                    let kept = active.map(|active| u16x8_shr(i16x8_mul(active, active), 9));
                    let half = &mut inputs[at / 2].0[at % 2];
                    for (to, kept) in half
                        .as_chunks_mut::<16>()
                        .0
                        .iter_mut()
                        .zip(kept.as_chunks::<2>().0)
                    {
                        let kept = u8x16_narrow_i16x8(kept[0], kept[1]);
                        // SAFETY: there is room for 16 bytes.
                        unsafe { v128_store(to.as_mut_ptr().cast(), kept) };
                    }
                }
                at += 1;
            }
        }
        let [a, b, c, d] = totals;
        add_lanes(i32x4_add(i32x4_add(a, b), i32x4_add(c, d)))
    }

    fn first_hidden(hidden: &FirstLayer, state: &mut HiddenState) {
        let HiddenState { inputs, sums } = state;
        *sums = hidden.bias;
        // There are registers for eight neurons at a time.
        for (part, sums) in sums.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut totals = [i32x4_splat(0); 8];
            for (inputs, weights) in inputs.iter().zip(&hidden.weights) {
                let weights = &weights.0[8 * part..][..8];
                for at in (0..2 * LANES).step_by(8) {
                    let (half, at) = (at / LANES, at % LANES);
                    // SAFETY: there are 32 inputs; `at` is 24 at most.
                    let inputs = unsafe { i16x8_load_extend_u8x8(inputs.0[half].as_ptr().add(at)) };
                    for (total, weights) in totals.iter_mut().zip(weights) {
                        // SAFETY: there are 32 weights; `at` is 24 at most.
                        let weights =
                            unsafe { i16x8_load_extend_i8x8(weights[half].as_ptr().add(at)) };
                        *total = i32x4_add(*total, i32x4_dot_i16x8(inputs, weights));
                    }
                }
            }
            for (sum, total) in sums.iter_mut().zip(totals) {
                *sum += add_lanes(total);
            }
        }
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
    use super::super::hidden::BlockWeights;
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
            let more_weights = chunks(8, count, 127);
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
                (all, kernels.output([&from, a], [&weights, &more_weights]))
            };
            let all = Kernels::all();
            let expected = results(all[0]);
            for &kernels in &all[1..] {
                assert!(results(kernels) == expected, "{count} chunks");
            }
        }
    }

    /// Returns pseudo-random weights of the first hidden layer, one for each block of its inputs.
    fn hidden_weights(seed: u64, count: usize) -> Vec<BlockWeights> {
        let numbers = chunks(seed, 2 * HIDDEN * count, 127);
        let half = |i: usize, half: usize| numbers[2 * i + half].0.map(|n| n as i8);
        let weights = |block: usize| {
            std::array::from_fn(|neuron| [0, 1].map(|i| half(HIDDEN * block + neuron, i)))
        };
        (0..count)
            .map(|block| BlockWeights(weights(block)))
            .collect()
    }

    #[test]
    fn all_kernels_agree_on_the_first_hidden_layer() {
        let full = |weight| vec![BlockWeights([[[weight; LANES]; 2]; HIDDEN]); 16];
        let same = |sum| vec![Chunk([sum; LANES]); 16];
        let bias: [i32; HIDDEN] = std::array::from_fn(|i| 4001 * i as i32 - i32::from(i16::MAX));
        // Inputs of 0, of 1 (from a sum of 23 on), of 127, and different ones with zeros among them.
        let mut sparse = chunks(1, 16, 300);
        sparse[3] = Chunk::ZERO;
        sparse[7].0[4..20].fill(-9);
        let output_weights = [chunks(3, 16, 127), chunks(4, 16, 127)];
        let views = [0, 22, 23, 255, 256, i16::MAX, -1, i16::MIN].map(same);
        for own in views.iter().chain([&sparse]) {
            for weights in [full(127), full(-127), hidden_weights(2, 16)] {
                for count in [2, 4, 6, 16] {
                    let sums = [&own[..count], &sparse[16 - count..]];
                    let output_weights = [&output_weights[0][..count], &output_weights[1][..count]];
                    let mut expected = bias;
                    for (at, chunk) in sums.into_iter().flatten().enumerate() {
                        for (sum, weights) in expected.iter_mut().zip(weights[at / 2].0) {
                            for (value, weight) in chunk.0.into_iter().zip(weights[at % 2]) {
                                let active = i32::from(value).clamp(0, 255);
                                *sum += active * active / 512 * i32::from(weight);
                            }
                        }
                    }
                    let hidden = FirstLayer {
                        weights: weights[..count].to_vec(),
                        bias: HiddenSums(bias),
                    };
                    for kernels in Kernels::all() {
                        let mut state = HiddenState::new(count);
                        let output =
                            kernels.output_and_hidden(sums, output_weights, &hidden, &mut state);
                        assert_eq!(output, kernels.output(sums, output_weights));
                        assert_eq!(state.sums.0, expected);
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
                let mut totals = [layers.bias[neuron], 0.0];
                for (i, (input, weights)) in inputs.iter().zip(&layers.second).enumerate() {
                    let weighted = input * weights[neuron];
                    totals[i / HIDDEN] += weighted;
                }
                let active = (totals[0] + totals[1]).clamp(0.0, 1.0);
                *product = active * active * layers.last[neuron];
            }
            let p: [f32; 8] = std::array::from_fn(|l| {
                ((products[l] + products[l + 8]) + products[l + 16]) + products[l + 24]
            });
            let q: [f32; 4] = std::array::from_fn(|l| p[l] + p[l + 4]);
            let r: [f32; 2] = std::array::from_fn(|l| q[l] + q[l + 2]);
            let expected = r[0] + r[1];
            for kernels in Kernels::all() {
                let value = kernels.later_layers(&HiddenSums(sums), &layers);
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
                kernels.output([&[sums], &[sums]], [&[weights], &[Chunk::ZERO]]),
                -127 * 255 * 255 + 3 * 100
            );
        }
    }
}
