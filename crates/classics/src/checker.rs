//! Checks move sequences.
