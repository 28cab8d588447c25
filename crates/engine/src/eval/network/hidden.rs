//! The hidden layers that a network may have between its first layer and its value.
//!
//! They add to the second layer's dot product. The first has weights of 8 bits and is computed in integers. The others
//! are computed in `f32`, each number rounded the same way and in the same order everywhere.

use super::file::OUTPUTS;
use super::kernels::LANES;

/// The neurons of the first hidden layer.
pub(super) const HIDDEN: usize = 16;
/// The neurons of the second hidden layer, and its inputs: those of the first and their squares.
pub(super) const SECOND: usize = 2 * HIDDEN;
/// The bound of the first hidden layer's weights.
const MAX_WEIGHT: i16 = 127;
/// What stands for 1.0 in the sums of the first hidden layer: an activation of 127 times a weight of 64.
const FIRST_SCALE: f32 = 127.0 * 64.0;
pub(super) const FIRST_UNIT: f32 = 1.0 / FIRST_SCALE;
/// What stands for 1.0 in the file's weights of the later layers.
const LATER_SCALE: f32 = 4096.0;
const SCALE: f32 = 400.0;

/// Inputs of the first hidden layer that are multiplied together, the activations of two chunks: 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct BlockInputs(pub(super) [[u8; LANES]; 2]);

/// The weights of the first hidden layer for a block of its inputs, by neuron: −127 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct BlockWeights(pub(super) [[[i8; LANES]; 2]; HIDDEN]);

impl BlockWeights {
    const ZERO: Self = Self([[[0; LANES]; 2]; HIDDEN]);
}

/// The first hidden layer.
pub(super) struct FirstLayer {
    pub(super) weights: Vec<BlockWeights>,
    pub(super) bias: HiddenSums,
}

/// The sums of the first hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct HiddenSums(pub(super) [i32; HIDDEN]);

/// What the kernels keep between the layers.
pub(super) struct HiddenState {
    pub(super) inputs: Vec<BlockInputs>,
    pub(super) sums: HiddenSums,
}

impl HiddenState {
    pub(super) fn new(blocks: usize) -> Self {
        Self {
            inputs: vec![BlockInputs([[0; LANES]; 2]); blocks],
            sums: HiddenSums([0; HIDDEN]),
        }
    }
}

/// The layers after the first hidden one, for one output.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct LaterLayers {
    /// By input.
    pub(super) second: [[f32; SECOND]; SECOND],
    pub(super) bias: [f32; SECOND],
    pub(super) last: [f32; SECOND],
}

/// The hidden layers of a network.
pub(super) struct HiddenLayers {
    /// The first hidden layer: one for all outputs, or one for each.
    first: Vec<FirstLayer>,
    /// By output.
    later: Vec<LaterLayers>,
}

impl HiddenLayers {
    /// Returns how many numbers a file has for the hidden layers.
    pub(super) const fn count(width: usize, sets: usize) -> usize {
        let first = HIDDEN * 2 * width + HIDDEN;
        let later = SECOND * SECOND + SECOND + SECOND;
        sets * first + OUTPUTS * later
    }

    /// Reads the numbers of a file. Returns `None` if one is out of bounds.
    pub(super) fn read(
        width: usize,
        sets: usize,
        mut numbers: impl Iterator<Item = i16>,
    ) -> Option<Self> {
        let mut next = || numbers.next().unwrap_or_default();
        let mut first = vec![vec![BlockWeights::ZERO; width / LANES]; sets];
        for set in &mut first {
            for neuron in 0..HIDDEN {
                let halves = set.iter_mut().flat_map(|weights| &mut weights.0[neuron]);
                for weight in halves.flatten() {
                    let number = next();
                    if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) {
                        return None;
                    }
                    *weight = number as i8;
                }
            }
        }
        let first = first
            .into_iter()
            .map(|weights| FirstLayer {
                weights,
                bias: HiddenSums(std::array::from_fn(|_| i32::from(next()))),
            })
            .collect();
        let mut next = || f32::from(next()) / LATER_SCALE;
        let mut row = || std::array::from_fn(|_| next());
        let second: [_; OUTPUTS] = std::array::from_fn(|_| std::array::from_fn(|_| row()));
        let bias: [_; OUTPUTS] = std::array::from_fn(|_| row());
        let later = second
            .into_iter()
            .zip(bias)
            .map(|(second, bias)| LaterLayers {
                second,
                bias,
                last: row(),
            })
            .collect();
        Some(Self { first, later })
    }

    /// Returns the first hidden layer and the later ones for an output.
    #[inline]
    pub(super) fn of(&self, output: usize) -> (&FirstLayer, &LaterLayers) {
        (
            &self.first[output.min(self.first.len() - 1)],
            &self.later[output],
        )
    }

    /// Converts the output of the last layer to the network's output units.
    #[inline]
    pub(super) fn score(value: f32) -> i32 {
        (value * SCALE) as i32
    }
}

/// Returns the value of a neuron of the first hidden layer.
#[inline(always)]
pub(super) fn first_value(sum: i32) -> f32 {
    (sum as f32 * FIRST_UNIT).clamp(0.0, 1.0)
}
