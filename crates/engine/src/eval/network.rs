//! The neural network (NNUE): one hidden layer, computed for both sides.
//!
//! Each piece on its square is one of 768 inputs, times the number of king buckets if the network has any. The first
//! layer is updated incrementally from move to move ([`accumulator`]). The second layer is one dot product, with
//! weights selected by the number of pieces ([`kernels`]).

mod accumulator;
mod file;
mod kernels;
#[cfg(not(tabiya_network_beside))]
mod packed;
#[cfg(test)]
mod tests;

pub(super) use accumulator::NetworkEvaluator;
pub use file::{Network, NetworkError};
