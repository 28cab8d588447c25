//! Runs the program. `docs/sql.md` describes what is expected of it.

mod cluster;
mod common;
mod damaged;
mod docs;
#[path = "../../../archive/tests/archive/fixtures.rs"]
mod fixtures;
mod functions;
mod licences;
mod output;
mod pgn;
mod prompt;
mod s3;
