//! Chess: the rules, every way to write them down, and an engine.

#![forbid(unsafe_code)]

#[doc(inline)]
pub use tabiya_board::*;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use tabiya_engine as engine;
#[doc(inline)]
pub use tabiya_notation::*;
