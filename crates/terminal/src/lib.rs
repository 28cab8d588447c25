//! Chess on a full screen of text: a menu, games, replay and analysis, settings.
//!
//! Each screen keeps its state apart from its drawing. A loop hands it what the user does and what has happened
//! elsewhere, and asks it to draw itself; nothing in it waits for an engine.
#![forbid(unsafe_code)]

mod analysis_thread;
mod app;
mod appearance;
mod board;
mod context;
mod files;
mod game;
mod game_view;
mod keys;
mod layout;
mod list;
mod menu;
mod move_input;
mod move_list;
mod overlay;
#[cfg(test)]
mod pictures;
mod prompt;
mod replay;
mod settings;
mod setup;
mod sprite;
mod theme;
mod tty;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use tabiya_display::{caption, text, tree};
use tabiya_notation::PieceLetters;
use tabiya_play::Session;

pub use app::Exit;
pub use appearance::{Appearance, ColorDepth, PieceStyle};
pub use context::{Context, NewGame, OpenGames, SaveGame};
pub use replay::{GameSource, LoadedGame};
pub use theme::Theme;

/// Opens the menu. What the user has chosen that is not done here is for the caller to do.
pub fn menu(context: Context, mut appearance: Appearance) -> io::Result<Option<Exit>> {
    let context = Rc::new(RefCell::new(context));
    app::run(
        vec![Box::new(menu::MenuScreen::new(context))],
        &mut appearance,
    )
}

/// Opens a game, with the menu behind it, and a way to begin another one like it.
pub fn play(
    session: Session,
    new_game: Box<NewGame>,
    context: Context,
    mut appearance: Appearance,
) -> io::Result<Option<Exit>> {
    let context = Rc::new(RefCell::new(context));
    let menu = menu::MenuScreen::new(context.clone());
    let game = game::GameScreen::new(session, Some(new_game), context);
    app::run(vec![Box::new(menu), Box::new(game)], &mut appearance)
}

/// Walks through the games of a source, from one of them on, until the user has seen enough.
pub fn replay(
    source: Box<dyn GameSource>,
    first: LoadedGame,
    letters: PieceLetters,
    save: Rc<SaveGame>,
    mut appearance: Appearance,
) -> io::Result<()> {
    let replay = replay::ReplayScreen::new(Some(source), first, letters, save);
    app::run(vec![Box::new(replay)], &mut appearance).map(drop)
}
