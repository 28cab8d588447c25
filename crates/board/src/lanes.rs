//! Eight sets of squares at once, one for each direction of [`DIRECTIONS`](crate::attacks::DIRECTIONS).
//!
//! Kogge-Stone fills move all sliders of a side in all directions together, without loops over pieces, tables or
//! branches to mispredict. They need shifts by a different amount in every lane, which AVX2 and AVX-512 have; other
//! processors use eight plain integers.

use crate::attacks::{self, DIRECTIONS, JUMPS, KNIGHT};
use crate::bitboard::Bitboard;
use crate::move_list::MoveList;
use crate::moves::MovePattern;
use crate::square::Square;

/// The left rotation that moves a square one step in each direction.
const STEP: [u64; 8] = rotations(DIRECTIONS);
/// The squares that a single step in each direction can end on. Other squares have wrapped around the edge.
const WRAP: [u64; 8] = landing_squares(DIRECTIONS);
// Only the vector instructions of x86-64 fill the jumps of knights in lanes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
const JUMP: [u64; 8] = rotations(JUMPS);
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
const JUMP_WRAP: [u64; 8] = landing_squares(JUMPS);

/// The indices of all squares.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
const INDICES: [u8; 64] = {
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = i as u8;
        i += 1;
    }
    indices
};

const fn rotations(steps: [(i8, i8); 8]) -> [u64; 8] {
    let mut amounts = [0; 8];
    let mut i = 0;
    while i < 8 {
        amounts[i] = (steps[i].0 as i64 + 8 * steps[i].1 as i64).rem_euclid(64) as u64;
        i += 1;
    }
    amounts
}

const fn times(amounts: [u64; 8], factor: u64) -> [u64; 8] {
    let mut result = [0; 8];
    let mut i = 0;
    while i < 8 {
        result[i] = amounts[i] * factor % 64;
        i += 1;
    }
    result
}

const fn landing_squares(steps: [(i8, i8); 8]) -> [u64; 8] {
    let mut sets = [0; 8];
    let mut i = 0;
    while i < 8 {
        let mut square = 0;
        while square < 64 {
            if let Some(to) = Square::wrapping(square).offset(steps[i].0, steps[i].1) {
                sets[i] |= 1 << to.index();
            }
            square += 1;
        }
        i += 1;
    }
    sets
}

/// A role of sliders, as the lanes of the directions in which it moves.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum Slider {
    Bishop = 0b1100_1100,
    Rook = 0b0011_0011,
    Queen = 0b1111_1111,
}

/// Eight sets of squares, one for each direction. The methods work on all of them at once.
///
/// A value proves that the processor has the instructions of its type: it can only be made with a [`Cpu`](Self::Cpu)
/// token or from other values. That is why the methods are safe.
pub(crate) trait Lanes: Copy {
    /// A token that proves that the processor has the instructions.
    type Cpu: Copy;

    /// The same set in every lane.
    fn splat(cpu: Self::Cpu, set: u64) -> Self;
    /// One set for the orthogonal directions, one for the diagonal ones.
    fn sliders(cpu: Self::Cpu, orthogonal: u64, diagonal: u64) -> Self;
    /// The squares that a single step can end on without wrapping around the edge.
    fn wrap(cpu: Self::Cpu) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`
    fn without(self, other: Self) -> Self;
    /// `self | a & b`
    fn or_both(self, a: Self, b: Self) -> Self;

    /// Moves every square one step in its lane's direction, wrapping around the edge.
    fn step_1(self) -> Self;
    /// Moves every square two steps.
    fn step_2(self) -> Self;
    /// Moves every square four steps.
    fn step_4(self) -> Self;

    /// Swaps every lane with that of the opposite direction.
    fn opposite(self) -> Self;
    /// The union of all axes, in every lane. Each lane must equal its opposite.
    fn any_axis(self) -> Self;
    /// The union of all lanes and of the squares that these knights attack.
    fn union_with_jumps(self, knights: u64) -> u64;
    /// The four axes: file, rank, rising diagonal, falling diagonal.
    fn axes(self) -> [u64; 4];
    fn to_array(self) -> [u64; 8];
    /// The number of squares in all lanes, plus the number of jumps from these knights to these targets.
    fn count_with_jumps(self, knights: u64, targets: u64) -> u32;

    /// The squares that a bishop, rook or queen attacks.
    #[inline(always)]
    fn slider_attacks(_: Self::Cpu, slider: Slider, from: Square, occupied: u64) -> u64 {
        let occupied = Bitboard(occupied);
        match slider {
            Slider::Bishop => attacks::bishop(from, occupied).0,
            Slider::Rook => attacks::rook(from, occupied).0,
            Slider::Queen => attacks::queen(from, occupied).0,
        }
    }

    /// Appends a move to each of these squares to a list. It is fastest for at most `N` squares.
    #[inline(always)]
    fn list_moves<const N: usize>(
        _: Self::Cpu,
        list: &mut MoveList,
        squares: u64,
        pattern: MovePattern,
    ) {
        list.push_each(squares, |to| pattern.to(to));
    }
}

/// The empty squares, prepared for fills: lanes of the squares that 1, 2 and 4 steps reach across empty squares only.
#[derive(Clone, Copy)]
pub(crate) struct Paths<L: Lanes> {
    one: L,
    two: L,
    four: L,
    wrap: L,
}

impl<L: Lanes> Paths<L> {
    #[inline(always)]
    pub(crate) fn over(cpu: L::Cpu, empty: u64) -> Self {
        let wrap = L::wrap(cpu);
        let one = wrap.and(L::splat(cpu, empty));
        let two = one.and(one.step_1());
        let four = two.and(two.step_2());
        Self {
            one,
            two,
            four,
            wrap,
        }
    }

    /// The squares attacked from each lane's squares in its direction, up to and including the first piece.
    #[inline(always)]
    pub(crate) fn attacks(&self, from: L) -> L {
        let reached = from.or_both(self.one, from.step_1());
        let reached = reached.or_both(self.two, reached.step_2());
        let reached = reached.or_both(self.four, reached.step_4());
        reached.step_1().and(self.wrap)
    }
}

/// Visits the attacks of each knight of a set, without a branch for up to two knights.
#[inline(always)]
fn for_each_knight(knights: u64, mut visit: impl FnMut(u64)) {
    let rest = knights & knights.wrapping_sub(1);
    visit(KNIGHT[knights.trailing_zeros() as usize]);
    visit(KNIGHT[rest.trailing_zeros() as usize]);
    let mut rest = rest & rest.wrapping_sub(1);
    while rest != 0 {
        visit(KNIGHT[rest.trailing_zeros() as usize]);
        rest &= rest - 1;
    }
}

#[inline(always)]
fn knight_attacks(knights: u64) -> u64 {
    let mut union = 0;
    for_each_knight(knights, |attacks| union |= attacks);
    union
}

#[inline(always)]
fn count_jumps(knights: u64, targets: u64) -> u32 {
    let mut count = 0;
    for_each_knight(knights, |attacks| count += (attacks & targets).count_ones());
    count
}

/// Eight integers, for every processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable([u64; 8]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut result = self.0;
        for (lane, other) in result.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        Self(result)
    }

    #[inline(always)]
    fn rotate(self, amounts: [u64; 8]) -> Self {
        self.zip(Self(amounts), |set, by| set.rotate_left(by as u32))
    }
}

impl Lanes for Portable {
    type Cpu = ();

    #[inline(always)]
    fn splat((): (), set: u64) -> Self {
        Self([set; 8])
    }

    #[inline(always)]
    fn sliders((): (), o: u64, d: u64) -> Self {
        Self([o, o, d, d, o, o, d, d])
    }

    #[inline(always)]
    fn wrap((): ()) -> Self {
        Self(WRAP)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        self.or(a.and(b))
    }

    #[inline(always)]
    fn step_1(self) -> Self {
        self.rotate(STEP)
    }

    #[inline(always)]
    fn step_2(self) -> Self {
        self.rotate(const { times(STEP, 2) })
    }

    #[inline(always)]
    fn step_4(self) -> Self {
        self.rotate(const { times(STEP, 4) })
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        let [a, b, c, d, e, f, g, h] = self.0;
        Self([e, f, g, h, a, b, c, d])
    }

    #[inline(always)]
    fn any_axis(self) -> Self {
        Self([self.0[0] | self.0[1] | self.0[2] | self.0[3]; 8])
    }

    #[inline(always)]
    fn union_with_jumps(self, knights: u64) -> u64 {
        self.0
            .iter()
            .fold(knight_attacks(knights), |union, lane| union | lane)
    }

    #[inline(always)]
    fn axes(self) -> [u64; 4] {
        [self.0[0], self.0[1], self.0[2], self.0[3]]
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        self.0
    }

    #[inline(always)]
    fn count_with_jumps(self, knights: u64, targets: u64) -> u32 {
        let slides: u32 = self.0.iter().map(|lane| lane.count_ones()).sum();
        slides + count_jumps(knights, targets)
    }
}

/// Eight lanes in vector registers.
///
/// # Soundness
///
/// [`HasAvx2`] and [`HasAvx512`] are made by functions with these target features, which the compiler lets only code
/// call that has the features too (or that vouches for them with `unsafe`). The lane types are made from such tokens.
/// So wherever a value of them exists, the processor has the instructions of its methods.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod x86 {
    use core::arch::x86_64::*;
    use core::mem::transmute;

    use super::{
        INDICES, JUMP, JUMP_WRAP, Lanes, MoveList, MovePattern, STEP, Slider, Square, WRAP,
        count_jumps, knight_attacks, times,
    };
    use crate::attacks::RAYS;

    /// Proves that the processor has AVX2 and the bit instructions of x86-64-v3.
    #[derive(Clone, Copy)]
    pub(crate) struct HasAvx2(());

    impl HasAvx2 {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline]
        pub(crate) fn new() -> Self {
            Self(())
        }
    }

    /// Proves that the processor has AVX-512 with its population count, besides AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct HasAvx512(());

    impl HasAvx512 {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vbmi2,avx512vl,avx512vpopcntdq"
        )]
        #[inline]
        pub(crate) fn new() -> Self {
            Self(())
        }
    }

    /// Runs vector instructions, in a method of a lane type or where its token is in scope.
    macro_rules! simd {
        ($instructions:expr) => {
            // SAFETY: a lane value or a token exists, so the processor has the instructions: see the module.
            unsafe { $instructions }
        };
    }

    /// The lanes of the directions to lower squares.
    const DOWN: u8 = 0b1111_0000;

    /// AVX-512: the eight lanes in one register.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(__m512i);

    impl Avx512 {
        #[inline(always)]
        fn new(_: HasAvx512, lanes: [u64; 8]) -> Self {
            // SAFETY: both types are 64 bytes in which every value is valid.
            Self(unsafe { transmute::<[u64; 8], __m512i>(lanes) })
        }

        /// The token that made this value.
        #[expect(clippy::unused_self, reason = "the value itself is the proof")]
        #[inline(always)]
        fn cpu(self) -> HasAvx512 {
            HasAvx512(())
        }

        #[inline(always)]
        fn rotate(self, amounts: [u64; 8]) -> Self {
            let amounts = Self::new(self.cpu(), amounts).0;
            Self(simd!(_mm512_rolv_epi64(self.0, amounts)))
        }

        /// The squares that knights attack, one lane for each of the eight jumps.
        #[inline(always)]
        fn jumps(cpu: HasAvx512, knights: u64) -> Self {
            Self::splat(cpu, knights)
                .rotate(JUMP)
                .and(Self::new(cpu, JUMP_WRAP))
        }
    }

    impl Lanes for Avx512 {
        type Cpu = HasAvx512;

        #[inline(always)]
        fn splat(_: HasAvx512, set: u64) -> Self {
            Self(simd!(_mm512_set1_epi64(set as i64)))
        }

        #[inline(always)]
        fn sliders(cpu: HasAvx512, o: u64, d: u64) -> Self {
            Self::new(cpu, [o, o, d, d, o, o, d, d])
        }

        #[inline(always)]
        fn wrap(cpu: HasAvx512) -> Self {
            Self::new(cpu, WRAP)
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(simd!(_mm512_and_si512(self.0, other.0)))
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(simd!(_mm512_or_si512(self.0, other.0)))
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(simd!(_mm512_xor_si512(self.0, other.0)))
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(simd!(_mm512_andnot_si512(other.0, self.0)))
        }

        #[inline(always)]
        fn or_both(self, a: Self, b: Self) -> Self {
            // The truth table of self | a & b, read from the bottom up.
            Self(simd!(_mm512_ternarylogic_epi64::<0b1111_1000>(
                self.0, a.0, b.0
            )))
        }

        #[inline(always)]
        fn step_1(self) -> Self {
            self.rotate(STEP)
        }

        #[inline(always)]
        fn step_2(self) -> Self {
            self.rotate(const { times(STEP, 2) })
        }

        #[inline(always)]
        fn step_4(self) -> Self {
            self.rotate(const { times(STEP, 4) })
        }

        #[inline(always)]
        fn opposite(self) -> Self {
            Self(simd!(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)))
        }

        #[inline(always)]
        fn any_axis(self) -> Self {
            let swapped = simd!(_mm512_shuffle_i64x2::<0b10_11_00_01>(self.0, self.0));
            let pairs = self.or(Self(swapped));
            let swapped = simd!(_mm512_shuffle_epi32::<0b01_00_11_10>(pairs.0));
            pairs.or(Self(swapped))
        }

        #[inline(always)]
        fn union_with_jumps(self, knights: u64) -> u64 {
            let all = self.or(Self::jumps(self.cpu(), knights)).0;
            let four = simd!({
                let high = _mm512_extracti64x4_epi64::<1>(all);
                _mm256_or_si256(_mm512_castsi512_si256(all), high)
            });
            union(HasAvx2(()), four)
        }

        #[inline(always)]
        fn axes(self) -> [u64; 4] {
            let low = simd!(_mm512_castsi512_si256(self.0));
            // SAFETY: both types are 32 bytes in which every value is valid.
            unsafe { transmute::<__m256i, [u64; 4]>(low) }
        }

        #[inline(always)]
        fn to_array(self) -> [u64; 8] {
            // SAFETY: both types are 64 bytes in which every value is valid.
            unsafe { transmute::<__m512i, [u64; 8]>(self.0) }
        }

        #[inline(always)]
        fn count_with_jumps(self, knights: u64, targets: u64) -> u32 {
            let cpu = self.cpu();
            let jumps = Self::jumps(cpu, knights).and(Self::splat(cpu, targets));
            simd!({
                let counts =
                    _mm512_add_epi64(_mm512_popcnt_epi64(self.0), _mm512_popcnt_epi64(jumps.0));
                let high = _mm512_extracti64x4_epi64::<1>(counts);
                let four = _mm256_add_epi64(_mm512_castsi512_si256(counts), high);
                let two = _mm_add_epi64(
                    _mm256_castsi256_si128(four),
                    _mm256_extracti128_si256::<1>(four),
                );
                _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
            })
        }

        /// Cuts all rays at once, as [`attacks::rook`](crate::attacks::rook) does one by one.
        #[inline(always)]
        fn slider_attacks(_: HasAvx512, slider: Slider, from: Square, occupied: u64) -> u64 {
            let rays = RAYS.0[from.index()];
            let four = simd!({
                let rays = transmute::<[u64; 8], __m512i>(rays);
                let rays = _mm512_maskz_mov_epi64(slider as u8, rays);
                let obstacles = _mm512_and_si512(rays, _mm512_set1_epi64(occupied as i64));
                let minus_one = _mm512_add_epi64(obstacles, _mm512_set1_epi64(-1));
                let up = _mm512_xor_si512(obstacles, minus_one);
                // Without an obstacle, the shift by 64 squares leaves all of them.
                let highest = _mm512_lzcnt_epi64(obstacles);
                let cut = _mm512_mask_srav_epi64(up, DOWN, _mm512_set1_epi64(i64::MIN), highest);
                let reached = _mm512_and_si512(rays, cut);
                let high = _mm512_extracti64x4_epi64::<1>(reached);
                _mm256_or_si256(_mm512_castsi512_si256(reached), high)
            });
            union(HasAvx2(()), four)
        }

        #[inline(always)]
        fn list_moves<const N: usize>(
            cpu: HasAvx512,
            list: &mut MoveList,
            squares: u64,
            pattern: MovePattern,
        ) {
            if squares.count_ones() as usize <= N {
                list_at_most::<N>(cpu, list, squares, pattern);
            } else {
                list_at_most::<32>(cpu, list, squares & 0xffff_ffff, pattern);
                list_at_most::<32>(cpu, list, squares & !0xffff_ffff, pattern);
            }
        }
    }

    /// Appends a move to each of at most 32 squares.
    ///
    /// One instruction collects the indices of the squares. The rest of the register are moves that don't count; the
    /// next ones overwrite them.
    #[inline(always)]
    fn list_at_most<const N: usize>(
        _: HasAvx512,
        list: &mut MoveList,
        squares: u64,
        pattern: MovePattern,
    ) {
        let moves = simd!({
            let indices = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(_mm512_maskz_compress_epi8(
                squares,
                transmute::<[u8; 64], __m512i>(INDICES),
            )));
            let factor = _mm512_set1_epi16(pattern.factor as i16);
            let first = _mm512_set1_epi16(pattern.first as i16);
            _mm512_add_epi16(_mm512_mullo_epi16(indices, factor), first)
        });
        // SAFETY: both types are 64 bytes in which every value is valid.
        let moves = unsafe { transmute::<__m512i, [u16; 32]>(moves) };
        list.push_first::<N>(
            squares.count_ones() as usize,
            core::array::from_fn(|i| moves[i]),
        );
    }

    /// AVX2: the directions to higher squares in one register, their opposites in the other.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256i, __m256i);

    impl Avx2 {
        #[inline(always)]
        fn new(_: HasAvx2, lanes: [u64; 8]) -> Self {
            // SAFETY: both types are 64 bytes in which every value is valid.
            let [up, down] = unsafe { transmute::<[u64; 8], [__m256i; 2]>(lanes) };
            Self(up, down)
        }

        /// The token that made this value.
        #[expect(clippy::unused_self, reason = "the value itself is the proof")]
        #[inline(always)]
        fn cpu(self) -> HasAvx2 {
            HasAvx2(())
        }

        #[inline(always)]
        fn step(self, steps: u64) -> Self {
            // Shifts instead of the rotations that AVX2 lacks: squares fall off the edge instead of wrapping around.
            let [a, b, c, d, ..] = times(STEP, steps);
            let amounts = Self::new(self.cpu(), [a, b, c, d, 0, 0, 0, 0]).0;
            Self(
                simd!(_mm256_sllv_epi64(self.0, amounts)),
                simd!(_mm256_srlv_epi64(self.1, amounts)),
            )
        }
    }

    impl Lanes for Avx2 {
        type Cpu = HasAvx2;

        #[inline(always)]
        fn splat(_: HasAvx2, set: u64) -> Self {
            let four = simd!(_mm256_set1_epi64x(set as i64));
            Self(four, four)
        }

        #[inline(always)]
        fn sliders(cpu: HasAvx2, o: u64, d: u64) -> Self {
            let four = Self::new(cpu, [o, o, d, d, 0, 0, 0, 0]).0;
            Self(four, four)
        }

        #[inline(always)]
        fn wrap(cpu: HasAvx2) -> Self {
            Self::new(cpu, WRAP)
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(
                simd!(_mm256_and_si256(self.0, other.0)),
                simd!(_mm256_and_si256(self.1, other.1)),
            )
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(
                simd!(_mm256_or_si256(self.0, other.0)),
                simd!(_mm256_or_si256(self.1, other.1)),
            )
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(
                simd!(_mm256_xor_si256(self.0, other.0)),
                simd!(_mm256_xor_si256(self.1, other.1)),
            )
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(
                simd!(_mm256_andnot_si256(other.0, self.0)),
                simd!(_mm256_andnot_si256(other.1, self.1)),
            )
        }

        #[inline(always)]
        fn or_both(self, a: Self, b: Self) -> Self {
            self.or(a.and(b))
        }

        #[inline(always)]
        fn step_1(self) -> Self {
            self.step(1)
        }

        #[inline(always)]
        fn step_2(self) -> Self {
            self.step(2)
        }

        #[inline(always)]
        fn step_4(self) -> Self {
            self.step(4)
        }

        #[inline(always)]
        fn opposite(self) -> Self {
            Self(self.1, self.0)
        }

        #[inline(always)]
        fn any_axis(self) -> Self {
            let all = simd!({
                let pairs =
                    _mm256_or_si256(self.0, _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
                _mm256_or_si256(pairs, _mm256_shuffle_epi32::<0b01_00_11_10>(pairs))
            });
            Self(all, all)
        }

        #[inline(always)]
        fn union_with_jumps(self, knights: u64) -> u64 {
            union(self.cpu(), simd!(_mm256_or_si256(self.0, self.1))) | knight_attacks(knights)
        }

        #[inline(always)]
        fn axes(self) -> [u64; 4] {
            // SAFETY: both types are 32 bytes in which every value is valid.
            unsafe { transmute::<__m256i, [u64; 4]>(self.0) }
        }

        #[inline(always)]
        fn to_array(self) -> [u64; 8] {
            // SAFETY: both types are 64 bytes in which every value is valid.
            unsafe { transmute::<[__m256i; 2], [u64; 8]>([self.0, self.1]) }
        }

        #[inline(always)]
        fn count_with_jumps(self, knights: u64, targets: u64) -> u32 {
            let slides: u32 = self.to_array().iter().map(|lane| lane.count_ones()).sum();
            slides + count_jumps(knights, targets)
        }
    }

    /// The union of four lanes.
    #[inline(always)]
    fn union(_: HasAvx2, four: __m256i) -> u64 {
        simd!({
            let two = _mm_or_si128(
                _mm256_castsi256_si128(four),
                _mm256_extracti128_si256::<1>(four),
            );
            _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
        })
    }
}
