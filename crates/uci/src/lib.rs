//! The Universal Chess Interface, both ends: being an engine ([`serve`]) and driving one ([`Client`]).
#![forbid(unsafe_code)]

mod answer;

mod command;
mod go;
mod lines;
mod options;
mod serve;

pub use serve::serve;
