//! The full screen of the terminal: when it is opened, and what it cannot do for itself.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::rc::Rc;

use tabiya_notation::{Letters, pgn};
use tabiya_play::{Session, Settings, Store, config_file, data_folder};
use tabiya_terminal::{Again, Errand, Home, Loaded, Source};

use crate::input::is_standard_input;
use crate::pgn::Games;
use crate::screen::{Answer, Screen};
use crate::{remark, target};

/// Whether the screen can be drawn on.
pub(crate) fn is_drawable(screen: Screen) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    screen.terminal && !is_dumb
}

/// Whether somebody sits in front of a screen that can be drawn on, and standard input is theirs.
pub(crate) fn is_possible(screen: Screen) -> bool {
    is_drawable(screen) && io::stdin().is_terminal()
}

/// Opens the menu.
pub(crate) fn menu(screen: Screen) -> anyhow::Result<Answer> {
    // What could not be done when an earlier game ended may be possible now, or not; the menu does not depend on it.
    if let Err(error) = Store::new(data_folder()?).tidy() {
        remark(error);
    }
    let home = home(Settings::load(config_file()?)?)?;
    let look = home.look(screen.color)?;
    run(tabiya_terminal::menu(home, look)?, screen)
}

/// Opens a game, with a way to begin another one like it.
pub(crate) fn play(
    session: Session,
    again: Box<Again>,
    settings: Settings,
    screen: Screen,
) -> anyhow::Result<Answer> {
    let home = home(settings)?;
    let look = home.look(screen.color)?;
    run(tabiya_terminal::play(session, again, home, look)?, screen)
}

/// Shows the games of a file, from one of them on.
pub(crate) fn replay(
    games: Games,
    first: Loaded,
    letters: Letters,
    screen: Screen,
) -> anyhow::Result<()> {
    let look = home(Settings::load(config_file()?)?)?.look(screen.color)?;
    tabiya_terminal::replay(Box::new(games), first, letters, Rc::new(save), look)?;
    Ok(())
}

/// Does what was chosen in the menu, as if it had been typed.
fn run(errand: Option<Errand>, screen: Screen) -> anyhow::Result<Answer> {
    let arguments = match errand {
        Some(Errand::Herochess) => ["tabiya", "classic", "herochess"].map(OsString::from),
        None => return Ok(String::new().into()),
    };
    match crate::parse(&arguments)?.command {
        Some(command) => command.run(screen),
        None => Ok(String::new().into()),
    }
}

fn home(settings: Settings) -> anyhow::Result<Home> {
    let open = |path: &Path| -> Result<Box<dyn Source>, Box<dyn Error>> {
        // Standard input is what is typed on.
        if is_standard_input(path) {
            return Err("give the name of a file".into());
        }
        Ok(Box::new(Games::open_in_any_language(path)?))
    };
    let store = Store::new(data_folder()?);
    Ok(Home::new(settings, store, Box::new(open), Rc::new(save))?)
}

fn save(path: &Path, game: &pgn::Game) -> Result<(), Box<dyn Error>> {
    // Standard output is what is drawn on.
    if is_standard_input(path) {
        return Err("give the name of a file".into());
    }
    Ok(target::write(path, game)?)
}
