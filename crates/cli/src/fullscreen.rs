//! The full screen of the terminal: when it is opened, and what it cannot do for itself.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::rc::Rc;

use tabiya_games::{GameFile, NumberedGame, is_standard_input};
use tabiya_notation::{PieceLetters, pgn};
use tabiya_play::{Session, Settings, Store, config_file, data_folder};
use tabiya_terminal::{NewGame, Exit, Context, LoadedGame, GameSource};

use crate::pgn::letters::placed_sentence;
use crate::screen::{CommandOutput, Screen};
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
pub(crate) fn menu(screen: Screen) -> anyhow::Result<CommandOutput> {
    // What could not be done when an earlier game ended may be possible now, or not; the menu does not depend on it.
    if let Err(error) = Store::new(data_folder()?).tidy() {
        remark(error);
    }
    let home = home(Settings::load(config_file()?)?)?;
    let appearance = home.appearance(screen.color)?;
    run(tabiya_terminal::menu(home, appearance)?, screen)
}

/// Opens a game, with a way to begin another one like it.
pub(crate) fn play(
    session: Session,
    again: Box<NewGame>,
    settings: Settings,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let home = home(settings)?;
    let appearance = home.appearance(screen.color)?;
    run(tabiya_terminal::play(session, again, home, appearance)?, screen)
}

/// Shows the games of a file, from one of them on.
pub(crate) fn replay(
    games: GameFile,
    first: NumberedGame,
    letters: PieceLetters,
    screen: Screen,
) -> anyhow::Result<()> {
    let appearance = home(Settings::load(config_file()?)?)?.appearance(screen.color)?;
    tabiya_terminal::replay(Box::new(FileSource(games)), loaded(first), letters, Rc::new(save), appearance)?;
    Ok(())
}

/// Does what was chosen in the menu, as if it had been typed.
fn run(errand: Option<Exit>, screen: Screen) -> anyhow::Result<CommandOutput> {
    let arguments = match errand {
        Some(Exit::Herochess) => ["tabiya", "classic", "herochess"].map(OsString::from),
        None => return Ok(String::new().into()),
    };
    match crate::parse(&arguments)?.command {
        Some(command) => command.run(screen),
        None => Ok(String::new().into()),
    }
}

fn home(settings: Settings) -> anyhow::Result<Context> {
    let open = |path: &Path| -> Result<Box<dyn GameSource>, Box<dyn Error>> {
        // Standard input is what is typed on.
        if is_standard_input(path) {
            return Err("give the name of a file".into());
        }
        Ok(Box::new(FileSource(GameFile::open_in_any_language(path)?)))
    };
    let store = Store::new(data_folder()?);
    Ok(Context::new(settings, store, Box::new(open), Rc::new(save))?)
}

fn save(path: &Path, game: &pgn::Game) -> Result<(), Box<dyn Error>> {
    // Standard output is what is drawn on.
    if is_standard_input(path) {
        return Err("give the name of a file".into());
    }
    Ok(target::write(path, game)?)
}

/// The games of a file, for the full screen.
struct FileSource(GameFile);

impl GameSource for FileSource {
    fn get(&mut self, number: usize) -> Result<Option<LoadedGame>, Box<dyn Error>> {
        Ok(self.0.get(number)?.map(loaded))
    }

    fn total(&self) -> Option<usize> {
        self.0.total()
    }

    fn letters(&self) -> PieceLetters {
        self.0.letters()
    }
}

fn loaded(game: NumberedGame) -> LoadedGame {
    LoadedGame {
        number: game.number,
        problem: game.error.as_ref().map(placed_sentence),
        game: game.game,
    }
}
