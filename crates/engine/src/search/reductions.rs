//! How much less deep moves are searched that come late.

use std::sync::LazyLock;

/// One ply, in the unit of reductions.
pub(super) const PLY: i32 = 1024;

const SIZE: usize = 64;

/// Natural logarithms of depths and numbers of moves.
static LOGARITHMS: LazyLock<[f64; SIZE]> =
    LazyLock::new(|| std::array::from_fn(|i| (i.max(1) as f64).ln()));

static QUIET: LazyLock<Vec<[i32; SIZE]>> = LazyLock::new(|| table(0.9375, 1.92));
static TACTICAL: LazyLock<Vec<[i32; SIZE]>> = LazyLock::new(|| table(0.07, 3.19));

fn table(base: f64, divisor: f64) -> Vec<[i32; SIZE]> {
    let entry = |depth: usize, number: usize| {
        let plies = base + LOGARITHMS[depth] * LOGARITHMS[number] / divisor;
        (plies * f64::from(PLY)) as i32
    };
    (0..SIZE)
        .map(|depth| std::array::from_fn(|number| entry(depth, number)))
        .collect()
}

/// The reduction of the move of a number in a node of a depth, in parts of a [`PLY`].
pub(super) fn reduction(depth: i32, number: usize, quiet: bool) -> i32 {
    let table = if quiet { &QUIET } else { &TACTICAL };
    table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
}
