//! The full screen of the terminal: when it is opened, and what it cannot do for itself.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tabiya_notation::Letters;
use tabiya_play::{Level, Store, TimeControl};
use tabiya_terminal::{Errand, Home, Look, Manners, Preferences, Seat, Source, Theme};

use crate::pgn::Games;
use crate::screen::{Answer, Screen};

/// Whether somebody sits in front of a screen that can be drawn on.
pub(crate) fn is_possible(screen: Screen) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    screen.terminal && io::stdin().is_terminal() && !is_dumb
}

/// How things are drawn on this screen.
pub(crate) fn look(screen: Screen) -> Look {
    Look::suiting(screen.color, Theme::usual())
}

/// Opens the menu.
pub(crate) fn menu(screen: Screen) -> anyhow::Result<Answer> {
    let errand = tabiya_terminal::menu(home(), look(screen))?;
    run(errand, screen)
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

fn home() -> Home {
    Home {
        preferences: Preferences {
            name: "You".to_owned(),
            level: Level::ALL[2],
            seat: Seat::White,
            control: TimeControl::None,
            manners: Manners {
                paced: true,
                shows_thinking: false,
                shows_worth: false,
                store: Store::new(folder().unwrap_or_else(|| ".".into())),
            },
        },
        open: Box::new(|path: &Path| {
            let games = Games::open(path, Letters::ENGLISH)?;
            Ok(Box::new(games) as Box<dyn Source>)
        }),
        keep: Box::new(|_, _| Ok(())),
    }
}

/// The folder for what the program keeps.
fn folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = variable("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local/share")))?;
    Some(data.join("tabiya"))
}
