//! Archives as their users see them: built, killed, damaged, explored.

mod common;
mod damaged;
mod explorer;
mod fixtures;
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod odd_games;
mod patterns;
mod search;
mod stream;
