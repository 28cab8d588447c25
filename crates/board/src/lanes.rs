//! Eight sets of squares at once, one for each direction of [`DIRECTIONS`](crate::attacks::DIRECTIONS).
//!
//! All sliders of a side are moved in all directions together by parallel prefix fills (Kogge and Stone's carry
//! look-ahead on the rays): no loop over pieces, no table, nothing for the branch predictor to guess. That needs
//! shifts by a different amount in every lane, which AVX2 and AVX-512 have; elsewhere eight plain integers do.

use crate::attacks::{DIRECTIONS, JUMPS, KNIGHT};
use crate::square::Square;

/// How far each direction moves a bit, as a rotation to the left.
const STEP: [u64; 8] = rotations(DIRECTIONS);
/// The squares that a single step in each direction can end on: what else comes there came over the edge.
const WRAP: [u64; 8] = landing_squares(DIRECTIONS);
const JUMP: [u64; 8] = rotations(JUMPS);
const JUMP_WRAP: [u64; 8] = landing_squares(JUMPS);

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

/// Eight sets of squares, one a direction. The methods work on all of them at once.
pub(crate) trait Lanes: Copy {
    /// The same set in every lane.
    fn splat(set: u64) -> Self;
    /// One set for the straight directions, one for the diagonal ones.
    fn sliders(straight: u64, diagonal: u64) -> Self;
    /// The squares on which a single step does not come over the edge.
    fn wrap() -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`
    fn without(self, other: Self) -> Self;
    /// `self | a & b`
    fn or_both(self, a: Self, b: Self) -> Self;

    /// Every square moved by so many steps in its lane's direction, over the edge if need be.
    fn step_1(self) -> Self;
    fn step_2(self) -> Self;
    fn step_4(self) -> Self;

    /// Every lane exchanged with that of the opposite direction.
    fn opposite(self) -> Self;
    /// For lanes that are equal to their opposites: all axes united, in every lane.
    fn any_axis(self) -> Self;
    /// All lanes united, with the squares that knights on some squares attack.
    fn union_with_jumps(self, knights: u64) -> u64;
    /// The four axes: file, rank, rising diagonal, falling diagonal.
    fn axes(self) -> [u64; 4];
    fn to_array(self) -> [u64; 8];
    /// How many squares there are in all lanes together, and how many jumps to these targets knights have.
    fn count_with_jumps(self, knights: u64, targets: u64) -> u32;
}

/// The empty squares, prepared for fills: lanes of squares that 1, 2 and 4 steps arrive at over nothing but empty
/// squares.
#[derive(Clone, Copy)]
pub(crate) struct Paths<L>(L, L, L);

impl<L: Lanes> Paths<L> {
    #[inline(always)]
    pub(crate) fn over(empty: u64) -> Self {
        let one = L::wrap().and(L::splat(empty));
        let two = one.and(one.step_1());
        let four = two.and(two.step_2());
        Self(one, two, four)
    }

    /// The squares attacked from each lane's squares in its direction, up to and with the first piece.
    #[inline(always)]
    pub(crate) fn attacks(&self, from: L) -> L {
        let reached = from.or_both(self.0, from.step_1());
        let reached = reached.or_both(self.1, reached.step_2());
        let reached = reached.or_both(self.2, reached.step_4());
        reached.step_1().and(L::wrap())
    }
}

/// Calls a function with the attacks of each knight of a set, without a branch for up to two of them.
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

/// Eight integers: for every machine.
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
    #[inline(always)]
    fn splat(set: u64) -> Self {
        Self([set; 8])
    }

    #[inline(always)]
    fn sliders(s: u64, d: u64) -> Self {
        Self([s, s, d, d, s, s, d, d])
    }

    #[inline(always)]
    fn wrap() -> Self {
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
        Self::splat(self.0[0] | self.0[1] | self.0[2] | self.0[3])
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

/// The same with vector instructions.
///
/// # Soundness
///
/// The instructions may only run on a processor that has them. The two types are named by nobody but the functions
/// that [`dispatch`](crate::dispatch) compiles for such a processor and calls after having looked for it.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod x86 {
    use core::arch::x86_64::*;
    use core::mem::transmute;

    use super::{JUMP, JUMP_WRAP, Lanes, STEP, WRAP, count_jumps, knight_attacks, times};

    /// AVX-512 with its population count: the eight lanes in one register.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(__m512i);

    impl Avx512 {
        #[inline(always)]
        fn new(lanes: [u64; 8]) -> Self {
            // SAFETY: both types are 64 bytes in which every value is valid.
            Self(unsafe { transmute::<[u64; 8], __m512i>(lanes) })
        }

        #[inline(always)]
        fn rotate(self, amounts: [u64; 8]) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm512_rolv_epi64(self.0, Self::new(amounts).0) })
        }

        /// Where knights jump, a lane for each of the eight jumps.
        #[inline(always)]
        fn jumps(knights: u64) -> Self {
            Self::splat(knights).rotate(JUMP).and(Self::new(JUMP_WRAP))
        }
    }

    // SAFETY of all blocks: see the module.
    impl Lanes for Avx512 {
        #[inline(always)]
        fn splat(set: u64) -> Self {
            Self(unsafe { _mm512_set1_epi64(set as i64) })
        }

        #[inline(always)]
        fn sliders(s: u64, d: u64) -> Self {
            Self::new([s, s, d, d, s, s, d, d])
        }

        #[inline(always)]
        fn wrap() -> Self {
            Self::new(WRAP)
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm512_and_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(unsafe { _mm512_or_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(unsafe { _mm512_xor_si512(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
        }

        #[inline(always)]
        fn or_both(self, a: Self, b: Self) -> Self {
            // The truth table of self | a & b, read from the bottom up.
            Self(unsafe { _mm512_ternarylogic_epi64::<0b1111_1000>(self.0, a.0, b.0) })
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
            Self(unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0) })
        }

        #[inline(always)]
        fn any_axis(self) -> Self {
            unsafe {
                let pairs = _mm512_or_si512(
                    self.0,
                    _mm512_shuffle_i64x2::<0b10_11_00_01>(self.0, self.0),
                );
                Self(_mm512_or_si512(
                    pairs,
                    _mm512_shuffle_epi32::<0b01_00_11_10>(pairs),
                ))
            }
        }

        #[inline(always)]
        fn union_with_jumps(self, knights: u64) -> u64 {
            let all = self.or(Self::jumps(knights)).0;
            unsafe {
                let high = _mm512_extracti64x4_epi64::<1>(all);
                union(_mm256_or_si256(_mm512_castsi512_si256(all), high))
            }
        }

        #[inline(always)]
        fn axes(self) -> [u64; 4] {
            unsafe { transmute::<__m256i, [u64; 4]>(_mm512_castsi512_si256(self.0)) }
        }

        #[inline(always)]
        fn to_array(self) -> [u64; 8] {
            unsafe { transmute::<__m512i, [u64; 8]>(self.0) }
        }

        #[inline(always)]
        fn count_with_jumps(self, knights: u64, targets: u64) -> u32 {
            let jumps = Self::jumps(knights).and(Self::splat(targets));
            unsafe {
                let counts =
                    _mm512_add_epi64(_mm512_popcnt_epi64(self.0), _mm512_popcnt_epi64(jumps.0));
                let high = _mm512_extracti64x4_epi64::<1>(counts);
                let four = _mm256_add_epi64(_mm512_castsi512_si256(counts), high);
                let two = _mm_add_epi64(
                    _mm256_castsi256_si128(four),
                    _mm256_extracti128_si256::<1>(four),
                );
                _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
            }
        }
    }

    /// AVX2: the directions to higher squares in one register, their opposites in the other.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256i, __m256i);

    impl Avx2 {
        #[inline(always)]
        fn new(lanes: [u64; 8]) -> Self {
            // SAFETY: both types are 64 bytes in which every value is valid.
            let [up, down] = unsafe { transmute::<[u64; 8], [__m256i; 2]>(lanes) };
            Self(up, down)
        }

        #[inline(always)]
        fn step(self, steps: u64) -> Self {
            // Shifts instead of the rotations that AVX2 lacks: what would come over the edge falls off it.
            let [a, b, c, d, ..] = times(STEP, steps);
            let amounts = Self::new([a, b, c, d, 0, 0, 0, 0]).0;
            // SAFETY: see the module.
            unsafe {
                Self(
                    _mm256_sllv_epi64(self.0, amounts),
                    _mm256_srlv_epi64(self.1, amounts),
                )
            }
        }
    }

    // SAFETY of all blocks: see the module.
    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(set: u64) -> Self {
            let four = unsafe { _mm256_set1_epi64x(set as i64) };
            Self(four, four)
        }

        #[inline(always)]
        fn sliders(s: u64, d: u64) -> Self {
            let four = Self::new([s, s, d, d, 0, 0, 0, 0]).0;
            Self(four, four)
        }

        #[inline(always)]
        fn wrap() -> Self {
            Self::new(WRAP)
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            unsafe {
                Self(
                    _mm256_and_si256(self.0, other.0),
                    _mm256_and_si256(self.1, other.1),
                )
            }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            unsafe {
                Self(
                    _mm256_or_si256(self.0, other.0),
                    _mm256_or_si256(self.1, other.1),
                )
            }
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            unsafe {
                Self(
                    _mm256_xor_si256(self.0, other.0),
                    _mm256_xor_si256(self.1, other.1),
                )
            }
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            unsafe {
                Self(
                    _mm256_andnot_si256(other.0, self.0),
                    _mm256_andnot_si256(other.1, self.1),
                )
            }
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
            unsafe {
                let pairs =
                    _mm256_or_si256(self.0, _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
                let all = _mm256_or_si256(pairs, _mm256_shuffle_epi32::<0b01_00_11_10>(pairs));
                Self(all, all)
            }
        }

        #[inline(always)]
        fn union_with_jumps(self, knights: u64) -> u64 {
            unsafe { union(_mm256_or_si256(self.0, self.1)) | knight_attacks(knights) }
        }

        #[inline(always)]
        fn axes(self) -> [u64; 4] {
            unsafe { transmute::<__m256i, [u64; 4]>(self.0) }
        }

        #[inline(always)]
        fn to_array(self) -> [u64; 8] {
            unsafe { transmute::<[__m256i; 2], [u64; 8]>([self.0, self.1]) }
        }

        #[inline(always)]
        fn count_with_jumps(self, knights: u64, targets: u64) -> u32 {
            let slides: u32 = self.to_array().iter().map(|lane| lane.count_ones()).sum();
            slides + count_jumps(knights, targets)
        }
    }

    /// The union of four lanes.
    ///
    /// # Safety
    ///
    /// The processor must have AVX2.
    #[inline(always)]
    unsafe fn union(four: __m256i) -> u64 {
        unsafe {
            let two = _mm_or_si128(
                _mm256_castsi256_si128(four),
                _mm256_extracti128_si256::<1>(four),
            );
            _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
        }
    }
}
