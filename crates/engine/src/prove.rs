//! Proofs of mate.
