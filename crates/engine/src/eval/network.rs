//! A learned evaluation: a network with one hidden layer, seen from both sides.
//!
//! Every piece on its square is an input of 768, or of several times as many where the square of the own king counts.
//! The sums of the first layer change little from move to move and are kept up to date ([`accumulator`]); the second
//! layer is a single sum, one set of weights for each number of pieces ([`kernels`]).

mod accumulator;
mod file;
mod kernels;
#[cfg(test)]
mod proof;

pub(super) use accumulator::NetworkEvaluator;
pub use file::{Network, NetworkError};
