//! The Universal Chess Interface, both ends: being an engine ([`serve`]) and driving one ([`Client`]).
#![forbid(unsafe_code)]

mod answer;
mod client;
mod command;
mod go;
mod lines;
mod options;
mod engine_command;
mod serve;

pub use client::{Client, ClientError, EngineMove, GoLimits};
pub use engine_command::EngineCommand;
pub use serve::serve;
