//! The neural network (NNUE): a first layer, computed for both sides, and a second one.
//!
//! Each piece on its square is one of 768 inputs, times the number of king buckets if the network has any. The first
//! layer is updated incrementally from move to move ([`accumulator`]). The second layer is one dot product, with
//! weights selected by the number of pieces ([`kernels`]). A network may have more layers beside it ([`hidden`]).

mod accumulator;
mod file;
mod hidden;
mod kernels;
#[cfg(not(tabiya_network_beside))]
mod packed;
#[cfg(test)]
mod tests;

pub(super) use accumulator::NetworkEvaluator;
pub use file::{Network, NetworkError};
