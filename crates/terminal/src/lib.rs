//! Chess on a full screen of text: a menu, games, replay and analysis, settings.
//!
//! Each screen keeps its state apart from its drawing. A loop hands it what the user does and what has happened
//! elsewhere, and asks it to draw itself; nothing in it waits for an engine.
#![forbid(unsafe_code)]

mod app;
mod board;
mod caption;
mod files;
mod game;
mod hand;
mod home;
mod keys;
mod layout;
mod list;
mod look;
mod menu;
mod moves;
mod overlay;
#[cfg(test)]
mod pictures;
mod prompt;
mod replay;
mod scene;
mod settings;
mod setup;
mod sprite;
mod text;
mod theme;
mod thinker;
mod tree;
mod tty;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use tabiya_notation::Letters;
use tabiya_play::Session;

pub use app::Errand;
pub use caption::{comment, occasion, result, title};
pub use home::{Again, Home, Open, Save};
pub use look::{Colors, Figures, Look};
pub use replay::{Loaded, Source};
pub use text::{columns, padded, printable};
pub use theme::Theme;
pub use tree::{Tree, TreeWord, alternatives};

/// Opens the menu. What the user has chosen that is not done here is for the caller to do.
pub fn menu(home: Home, mut look: Look) -> io::Result<Option<Errand>> {
    let home = Rc::new(RefCell::new(home));
    app::run(vec![Box::new(menu::Menu::new(home))], &mut look)
}

/// Opens a game, with the menu behind it, and a way to begin another one like it.
pub fn play(
    session: Session,
    again: Box<Again>,
    home: Home,
    mut look: Look,
) -> io::Result<Option<Errand>> {
    let home = Rc::new(RefCell::new(home));
    let menu = menu::Menu::new(home.clone());
    let game = game::GameScreen::new(session, Some(again), home);
    app::run(vec![Box::new(menu), Box::new(game)], &mut look)
}

/// Walks through the games of a source, from one of them on, until the user has seen enough.
pub fn replay(
    source: Box<dyn Source>,
    first: Loaded,
    letters: Letters,
    save: Rc<Save>,
    mut look: Look,
) -> io::Result<()> {
    let replay = replay::Replay::new(Some(source), first, letters, save);
    app::run(vec![Box::new(replay)], &mut look).map(drop)
}
