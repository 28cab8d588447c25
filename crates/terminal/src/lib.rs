//! Chess on a full screen of text.
//!
//! Each screen keeps its state apart from its drawing: [`run`](app::run) hands it what the user does and what has
//! happened elsewhere, and asks it to draw itself.
#![forbid(unsafe_code)]
#![allow(dead_code)]

mod app;
mod board;
mod hand;
mod keys;
mod layout;
mod list;
mod look;
mod moves;
mod overlay;
mod prompt;
mod scene;
mod sprite;
mod text;
mod theme;
mod thinker;
mod tty;

pub use app::Errand;
pub use look::{Colors, Figures, Look};
pub use theme::Theme;
