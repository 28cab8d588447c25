//! Rules and engine by messages in JSON.
//!
//! Built for `wasm32-unknown-unknown`, this crate is the page's view of Tabiya: the feature `rules` gives the small
//! module that answers every question about positions and games, `engine` the one that searches. Built for any other
//! target it is a library with the same functions: the server answers scripts with them, so that page and API agree,
//! and tests need no browser.
//!
//! [`rules::answer`] takes a request and returns an answer. `web/src/rules.ts` and `web/src/engine.ts` describe the
//! messages as types; `docs/api.md` describes them with examples.
//!
//! ```
//! let answer = tabiya_wasm::rules::answer(br#"{"op": "why", "move": "f1c4"}"#);
//! assert_eq!(
//!     String::from_utf8(answer).unwrap(),
//!     r#"{"ok":true,"value":{"legal":false,"uci":null,"message":"The pawn on e2 is in the way.","squares":["e2"]}}"#
//! );
//! ```

#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(feature = "engine")]
pub mod engine;
mod line;
mod problem;
#[cfg(feature = "rules")]
pub mod rules;

pub use line::Line;
pub use problem::Problem;
