//! The hot functions, compiled for each SIMD level, and the choice between them at run time.

use crate::count::{self, Rare};
use crate::generate::{self, Legal, Selection};
#[cfg(target_arch = "x86_64")]
use crate::lanes::x86::{Avx2, Avx512, HasAvx2, HasAvx512};
use crate::lanes::{Lanes, Portable};
use crate::move_list::MoveList;
use crate::play::play_as;
use crate::position::Position;
use crate::side::{Side, by_side};

/// The vector instructions that move generation uses, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum SimdLevel {
    /// No vector instructions.
    Portable = 1,
    /// AVX2 and the other instructions of x86-64-v3: nearly all PCs since 2015.
    Avx2 = 2,
    /// AVX-512 with population count and compression: Ice Lake, Zen 4 and later.
    Avx512 = 3,
}

/// A module with the hot functions compiled for some lanes. `$cpu` is the token of the lanes, which only functions with
/// their target features can make.
macro_rules! version {
    ($module:ident, $lanes:ty, $cpu:expr $(, $features:literal)?) => {
        mod $module {
            use super::*;

            type Cpu = <$lanes as Lanes>::Cpu;

            $(#[target_feature(enable = $features)])?
            pub(super) fn count(position: &Position) -> u32 {
                by_side!(position.turn(), S => count::count::<S, $lanes>($cpu, position))
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn legal(position: &Position) -> Legal {
                by_side!(position.turn(), S => Legal::of::<S, $lanes>($cpu, position))
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn list(position: &Position, moves: &mut MoveList) {
                by_side!(position.turn(), S => {
                    let legal = Legal::of::<S, $lanes>($cpu, position);
                    generate::list::<S, $lanes>($cpu, position, &legal, moves);
                    generate::list_en_passant::<S>(position, moves);
                });
            }

            // Inside a large function of another crate, the lanes would not fit into the registers.
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            pub(super) fn list_selected(
                position: &Position,
                selection: Selection,
                moves: &mut MoveList,
            ) {
                by_side!(position.turn(), S => {
                    let mut legal = Legal::of::<S, $lanes>($cpu, position);
                    legal.keep::<S>(position, selection);
                    generate::list::<S, $lanes>($cpu, position, &legal, moves);
                    if selection != Selection::Quiets {
                        generate::list_en_passant::<S>(position, moves);
                    }
                });
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn perft(position: &Position, depth: u32) -> u64 {
                match depth {
                    0 => 1,
                    1 => u64::from(count(position)),
                    _ => by_side!(position.turn(), S => tree::<S>(position, depth)),
                }
            }

            $(#[target_feature(enable = $features)])?
            fn tree<S: Side>(position: &Position, depth: u32) -> u64 {
                let mut moves = MoveList::new();
                generate::list::<S, $lanes>($cpu, position, &Legal::of::<S, $lanes>($cpu, position), &mut moves);
                generate::list_en_passant::<S>(position, &mut moves);
                let mut nodes = 0;
                if depth == 2 {
                    for &mv in &moves {
                        // Nothing takes the address of this position, so it never leaves the registers.
                        let mut next = *position;
                        play_as::<S, _>(&mut next, mv);
                        nodes += u64::from(count::count::<S::Other, $lanes>($cpu, &next));
                    }
                } else {
                    for &mv in &moves {
                        let mut next = *position;
                        play_as::<S, _>(&mut next, mv);
                        nodes += tree::<S::Other>(&next, depth - 1);
                    }
                }
                nodes
            }

            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn evasions<S: Side>(position: Position) -> u32 {
                count::count_evasions::<S, $lanes>($cpu, &position)
            }

            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn en_passant<S: Side>(position: Position) -> u32 {
                count::count_en_passant::<S>(&position)
            }

            #[allow(unsafe_code, unused_unsafe)]
            impl Rare for $lanes {
                #[inline(always)]
                fn evasions<S: Side>(_: Cpu, position: Position) -> u32 {
                    // SAFETY: the token proves that the processor has the features.
                    unsafe { evasions::<S>(position) }
                }

                #[inline(always)]
                fn en_passant<S: Side>(_: Cpu, position: Position) -> u32 {
                    // SAFETY: the token proves that the processor has the features.
                    unsafe { en_passant::<S>(position) }
                }
            }
        }
    };
}

version!(portable, Portable, ());
#[cfg(target_arch = "x86_64")]
version!(avx2, Avx2, HasAvx2::new(), "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
version!(
    avx512,
    Avx512,
    HasAvx512::new(),
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vbmi2,avx512vl,avx512vpopcntdq"
);

macro_rules! dispatched {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline]
        #[allow(unsafe_code)]
        pub(crate) fn $name($($argument: $type),*) -> $result {
            match simd_level() {
                // SAFETY: `simd_level` has found that the processor has the features.
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx512 => unsafe { avx512::$name($($argument),*) },
                // SAFETY: `simd_level` has found that the processor has the features.
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx2 => unsafe { avx2::$name($($argument),*) },
                _ => portable::$name($($argument),*),
            }
        }
    )*};
}

dispatched! {
    fn count(position: &Position) -> u32;
    fn legal(position: &Position) -> Legal;
    fn list(position: &Position, moves: &mut MoveList) -> ();
    fn list_selected(position: &Position, selection: Selection, moves: &mut MoveList) -> ();
    fn perft(position: &Position, depth: u32) -> u64;
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod detected {
    use core::sync::atomic::{AtomicU8, Ordering};

    use super::SimdLevel;

    /// The level in use, or 0 before detection.
    static IN_USE: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub(super) fn simd_level() -> SimdLevel {
        match IN_USE.load(Ordering::Relaxed) {
            3 => SimdLevel::Avx512,
            2 => SimdLevel::Avx2,
            1 => SimdLevel::Portable,
            _ => set_max(SimdLevel::Avx512),
        }
    }

    #[cold]
    pub(super) fn set_max(most: SimdLevel) -> SimdLevel {
        let available = if !(std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt"))
        {
            SimdLevel::Portable
        } else if std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vbmi2")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vpopcntdq")
        {
            SimdLevel::Avx512
        } else {
            SimdLevel::Avx2
        };
        let chosen = available.min(most);
        IN_USE.store(chosen as u8, Ordering::Relaxed);
        chosen
    }
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
mod detected {
    use super::SimdLevel;

    /// Run-time detection needs the standard library. Without it, the target features of the build count.
    #[inline(always)]
    pub(super) fn simd_level() -> SimdLevel {
        if cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        )) {
            SimdLevel::Avx2
        } else {
            SimdLevel::Portable
        }
    }

    pub(super) fn set_max(_: SimdLevel) -> SimdLevel {
        simd_level()
    }
}

/// Returns the SIMD level in use.
///
/// ```
/// use tabiya_board::{SimdLevel, simd_level};
/// assert!(simd_level() >= SimdLevel::Portable);
/// ```
#[inline(always)]
pub fn simd_level() -> SimdLevel {
    detected::simd_level()
}

/// Limits the SIMD level from now on, and returns the level in use. It only changes the speed, and is meant for
/// measurements and tests.
///
/// ```
/// use tabiya_board::{SimdLevel, set_max_simd};
/// assert_eq!(set_max_simd(SimdLevel::Portable), SimdLevel::Portable);
/// ```
pub fn set_max_simd(most: SimdLevel) -> SimdLevel {
    detected::set_max(most)
}
