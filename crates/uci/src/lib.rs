//! The Universal Chess Interface: driving an engine that runs as another program ([`Client`]), and with the feature
//! `server` being one ([`serve`]).
#![forbid(unsafe_code)]

mod client;
mod engine_command;
mod lines;
#[cfg(feature = "server")]
mod server;

pub use client::{Client, ClientError, EngineMove, GoLimits};
pub use engine_command::EngineCommand;
#[cfg(feature = "server")]
pub use server::{serve, serve_seeded};
