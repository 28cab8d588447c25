//! The full-screen terminal interface: menu, games, replay, analysis and settings.
//!
//! Each screen separates state from drawing. An event loop passes user input and ticks to the top screen and redraws
//! it. No screen ever waits for an engine.
#![forbid(unsafe_code)]

mod analysis_thread;
mod app;
mod appearance;
mod board;
mod context;
mod explorer;
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
use tabiya_explorer::Explorer;
use tabiya_notation::{PieceLetters, pgn};
use tabiya_play::Session;

pub use app::{Exit, MenuCommand};
pub use appearance::{Appearance, ColorDepth, PieceStyle};
pub use context::{Context, NewGame, OpenGames, SaveGame};
pub use replay::{GameSource, LoadedGame};
pub use theme::Theme;

/// Opens the menu. Returns what the caller has to do next, if anything.
pub fn menu(context: Context, mut appearance: Appearance) -> io::Result<Exit> {
    let context = Rc::new(RefCell::new(context));
    app::run(
        vec![Box::new(menu::MenuScreen::new(context))],
        &mut appearance,
    )
}

/// Opens a game on top of the menu. `new_game` sets up further games like it.
pub fn play(
    session: Session,
    new_game: Box<NewGame>,
    context: Context,
    mut appearance: Appearance,
) -> io::Result<Exit> {
    let context = Rc::new(RefCell::new(context));
    let menu = menu::MenuScreen::new(context.clone());
    let game = game::GameScreen::new(session, Some(new_game), context);
    app::run(vec![Box::new(menu), Box::new(game)], &mut appearance)
}

/// Opens a game on the analysis board, with the explorer of an archive if there is one.
pub fn analyse(
    game: pgn::Game,
    explorer: Option<Explorer>,
    save: Rc<SaveGame>,
    mut appearance: Appearance,
) -> io::Result<()> {
    let explorer = explorer.map(explorer::ExplorerPanel::new);
    let screen = replay::ReplayScreen::analysis(game, save).with_explorer(explorer);
    app::run(vec![Box::new(screen)], &mut appearance).map(drop)
}

/// Replays the games of a source, starting with one of them, with the explorer of an archive if there is one.
pub fn replay(
    source: Box<dyn GameSource>,
    first: LoadedGame,
    letters: PieceLetters,
    explorer: Option<Explorer>,
    save: Rc<SaveGame>,
    mut appearance: Appearance,
) -> io::Result<()> {
    let explorer = explorer.map(explorer::ExplorerPanel::new);
    let replay =
        replay::ReplayScreen::new(Some(source), first, letters, save).with_explorer(explorer);
    app::run(vec![Box::new(replay)], &mut appearance).map(drop)
}
