//! Opening the full screen, and reading and writing files for it.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::rc::Rc;

use tabiya_explorer::Explorer;
use tabiya_games::{GameFile, NumberedGame, is_standard_input};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::Game;
use tabiya_play::{Session, Settings, Store, config_file, data_folder};
use tabiya_terminal::{Context, Exit, GameSource, LoadedGame, MenuCommand, NewGame};

use crate::pgn::letters::placed_sentence;
use crate::screen::{CommandOutput, Screen};
use crate::{remark, serve, target};

/// Whether a person uses a terminal for both input and output, and no screen reader.
pub(crate) fn is_possible(screen: Screen) -> bool {
    screen.can_redraw() && io::stdin().is_terminal() && !speaks()
}

fn speaks() -> bool {
    let settings = config_file()
        .ok()
        .and_then(|file| Settings::load(file).ok());
    settings.is_some_and(|settings| settings.is_on("speak").unwrap_or(false))
}

/// Opens the menu.
pub(crate) fn menu(screen: Screen) -> anyhow::Result<CommandOutput> {
    // Cleaning up after an earlier game may fail again; the menu does not depend on it.
    if let Err(error) = Store::new(data_folder()?).tidy() {
        remark(error);
    }
    let context = context(Settings::load(config_file()?)?)?;
    let appearance = context.appearance(screen.color)?;
    run(tabiya_terminal::menu(context, appearance)?, screen)
}

/// Opens a game. `new_game` sets up further games like it.
pub(crate) fn play(
    session: Session,
    new_game: Box<NewGame>,
    settings: Settings,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let context = context(settings)?;
    let appearance = context.appearance(screen.color)?;
    run(
        tabiya_terminal::play(session, new_game, context, appearance)?,
        screen,
    )
}

/// Replays the games of a file, starting with one of them.
pub(crate) fn replay(
    games: GameFile,
    first: NumberedGame,
    letters: PieceLetters,
    explorer: Option<Explorer>,
    screen: Screen,
) -> anyhow::Result<()> {
    let settings = Settings::load(config_file()?)?;
    let explorer = match (explorer, settings.archive()?) {
        (None, Some(archive)) => Some(Explorer::new(&tabiya_explorer::program(), &archive)),
        (explorer, _) => explorer,
    };
    let appearance = context(settings)?.appearance(screen.color)?;
    tabiya_terminal::replay(
        Box::new(FileSource(games)),
        loaded(first),
        letters,
        explorer,
        Rc::new(target::append_game),
        appearance,
    )?;
    Ok(())
}

/// Opens a game on the analysis board, with the explorer of an archive.
pub(crate) fn analyse(game: Game, explorer: Explorer, screen: Screen) -> anyhow::Result<()> {
    let appearance = context(Settings::load(config_file()?)?)?.appearance(screen.color)?;
    let save = Rc::new(target::append_game);
    Ok(tabiya_terminal::analyse(
        game,
        Some(explorer),
        save,
        appearance,
    )?)
}

/// Prints what is left to say, or runs a command and opens the menu again.
fn run(exit: Exit, screen: Screen) -> anyhow::Result<CommandOutput> {
    if let Some(command) = exit.command {
        let arguments: &[&str] = match command {
            MenuCommand::Herochess => &["tabiya", "classic", "herochess"],
            // In the menu there is no way to give another port.
            MenuCommand::Serve if serve::is_default_port_taken() => {
                &["tabiya", "serve", "--port", "0"]
            }
            MenuCommand::Serve => &["tabiya", "serve"],
        };
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        if let Some(command) = crate::parse(&arguments)?.command {
            command.run(screen)?;
        }
        return menu(screen);
    }
    let note = exit.note.map(|note| format!("{note}\n"));
    Ok(note.unwrap_or_default().into())
}

fn context(settings: Settings) -> anyhow::Result<Context> {
    let open = |path: &Path| -> Result<Box<dyn GameSource>, Box<dyn Error>> {
        // Standard input is the keyboard.
        if is_standard_input(path) {
            return Err("enter a file name".into());
        }
        Ok(Box::new(FileSource(GameFile::open_in_any_language(path)?)))
    };
    let store = Store::new(data_folder()?);
    Ok(Context::new(
        settings,
        store,
        Box::new(open),
        Rc::new(target::append_game),
    )?)
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
