//! The Universal Chess Interface, both ends: being an engine ([`serve`]) and driving one ([`Client`]).
#![forbid(unsafe_code)]

mod answer;
mod client;
mod command;
mod go;
mod lines;
mod options;
mod program;
mod serve;

pub use client::{Client, ClientError, Found, Goal, Reported};
pub use program::Program;
pub use serve::serve;
