//! `tabiya play`: a game against the computer, another engine or a person.

use std::cell::Cell;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tabiya_board::GameHistory;
use tabiya_display::diagram::DiagramStyle;
use tabiya_games::{GameFile, is_standard_input};
use tabiya_notation::{PieceLetters, pgn};
use tabiya_play::{
    Chess960Start, Console, ConsoleIo, ConsoleOptions, GameSetup, Level, LineInput, LineReader,
    Opponent, SavedGame, Session, SessionOptions, Settings, SideChoice, Store, TimeControl,
    config_file, data_folder,
};

use crate::pgn::history_at;
use crate::pgn::letters::placed_sentence;
use crate::pgn::show::parse_number;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};
use crate::{config, examples, fullscreen, remark, target};

/// Play against the computer, another engine or a person
///
/// On a terminal the game fills the screen. Type moves like Nf3, exd5, O-O or e2e4, or make them with the arrow keys or
/// the mouse; help lists the commands. Every move is saved at once, and --resume continues an unfinished game. Finished
/// games are added to games.pgn in your platform's data folder.
///
/// Through a pipe, the game is played line by line; the end of the input saves the game.
///
/// Options that are not given come from the settings: see tabiya config.
// Flags of a command line are independent of each other.
#[allow(clippy::struct_excessive_bools)]
#[derive(Args)]
#[command(override_usage = "tabiya play [OPTIONS] [FEN]", after_help = examples!(
    "tabiya play"
    "tabiya play --level 5 --side black --clock 10+5"
    "tabiya play --resume"
    "tabiya play --fen \"8/8/8/4k3/8/8/3QK3/8 w - - 0 1\""
    "tabiya play --pgn games.pgn --game 1 --ply 1"
    "tabiya play --chess960 random"
    "tabiya play --opponent person"
    "tabiya play --opponent \"stockfish UCI_Elo=1500 UCI_LimitStrength=true\""
))]
pub(crate) struct Arguments {
    /// Continue the last unfinished game
    ///
    /// A game against another engine continues if you have named that engine before, or name it now with --opponent.
    #[arg(long, conflicts_with_all = [
        "level", "side", "clock", "fen", "pgn", "chess960", "both", "name"
    ])]
    resume: bool,

    /// Strength of the computer, 1 to 10
    #[arg(long, value_name = "N", value_parser = parse_level)]
    level: Option<Level>,

    /// Your colour
    #[arg(long, value_name = "SIDE", value_parser = side_parser())]
    side: Option<SideChoice>,

    /// Time control: 5+3 (5 minutes, plus 3 seconds per move), 30s/move, or none
    #[arg(long, value_name = "TIME")]
    clock: Option<TimeControl>,

    #[command(flatten)]
    fen: FenOption,

    /// Start from a game in this file, compressed or not
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pgn: Option<PathBuf>,

    /// Number of the game in the file
    #[arg(long, value_name = "N", requires = "pgn", default_value = "1", value_parser = parse_number)]
    game: usize,

    /// Start after this many half-moves instead of at the end of the game
    #[arg(long, value_name = "N", requires = "pgn")]
    ply: Option<usize>,

    /// Start from a Chess960 position: 0 to 959, or random
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "pgn"])]
    chess960: Option<Chess960Start>,

    /// Opponent: computer, person, or the command line of a UCI engine
    #[arg(long, value_name = "WHO", default_value = "computer")]
    opponent: Opponent,

    /// Let the computer play your side too
    #[arg(long)]
    both: bool,

    /// Your name
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,

    /// Seed of the computer's random choices
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Reply at once, even at the weaker levels
    #[arg(long)]
    no_pace: bool,

    /// Play line by line, even on a terminal
    #[arg(long)]
    lines: bool,

    /// Play line by line and in words, for a screen reader
    #[arg(long)]
    speak: bool,
}

fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| format!("use a number from 1 to {}", Level::FULL.number()))
}

fn side_parser() -> impl TypedValueParser<Value = SideChoice> {
    PossibleValuesParser::new(SideChoice::ALL.map(SideChoice::code))
        .map(|side| side.parse().unwrap_or_default())
}

fn parse_name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Err("enter one line of text");
    }
    Ok(name.to_owned())
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let mut settings = Settings::load(config_file()?)?;
    config::warn_of_unknown(&settings);
    arguments.opponent.check()?;
    if let Opponent::Engine(engine) = &arguments.opponent {
        settings.remember_engine(engine).unwrap_or_else(remark);
    }
    let store = Store::new(data_folder()?);
    // Cleaning up after an earlier game may fail again; this game does not depend on it.
    if let Err(error) = store.tidy() {
        remark(error);
    }
    let interactive = io::stdin().is_terminal();
    let seed = arguments
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(()));
    let options = SessionOptions {
        seed,
        paced: interactive && !arguments.no_pace && settings.is_on("pace")?,
        resigns: settings.is_on("resigns")?,
        offers_draws: true,
    };
    let setup = setup(arguments, &settings)?;
    let game = if arguments.resume {
        let Some(game) = store.resume(&settings.engines())? else {
            bail!("no unfinished game; start one with: tabiya play");
        };
        game
    } else {
        setup.game(seed)
    };
    let session = Session::new(game, store, options);
    let next_seed = Cell::new(seed);
    let mut new_game = move || {
        next_seed.set(next_seed.get().wrapping_add(1));
        setup.game(next_seed.get())
    };
    let speaks = arguments.speak || settings.is_on("speak")?;
    if fullscreen::is_possible(screen) && !arguments.lines && !speaks {
        return fullscreen::play(session, Box::new(new_game), settings, screen);
    }
    let options = ConsoleOptions {
        diagram: DiagramStyle::for_screen(screen.color, screen.columns),
        interactive,
        shows_thinking: settings.is_on("thinking")?,
        speaks,
        rings: interactive && settings.is_on("bell")?,
    };
    let mut io = StandardIo(LineReader::spawn(|| io::stdin().lock()));
    Console::new(session, &mut new_game, &mut io, options).run()?;
    Ok(CommandOutput::default())
}

fn setup(arguments: &Arguments, settings: &Settings) -> anyhow::Result<GameSetup> {
    if arguments.both && arguments.opponent == Opponent::Person {
        bail!("--both cannot be used with --opponent person");
    }
    let start = match &arguments.pgn {
        Some(file) => history_from_file(file, arguments.game, arguments.ply)?,
        None => arguments.fen.game_board()?.into(),
    };
    let name = arguments.name.clone();
    Ok(GameSetup {
        start,
        chess960: arguments.chess960,
        side: match arguments.side {
            Some(side) => side,
            None => settings.get("side")?.parse().unwrap_or_default(),
        },
        level: arguments.level.map_or_else(|| settings.level(), Ok)?,
        clock: arguments.clock.map_or_else(|| settings.clock(), Ok)?,
        person: if arguments.both {
            None
        } else {
            Some(name.map_or_else(|| settings.get("name"), Ok)?)
        },
        opponent: arguments.opponent.clone(),
    })
}

/// The moves of a game in a file, all of them or the first few.
fn history_from_file(
    file: &Path,
    number: usize,
    plies: Option<usize>,
) -> anyhow::Result<GameHistory> {
    let found = GameFile::open(file, PieceLetters::ENGLISH)?.find(number)?;
    let all = found.game.main_line().count();
    let plies = plies.filter(|&plies| plies <= all || found.error.is_none());
    match (plies, &found.error) {
        (None, Some(error)) => bail!("{}", placed_sentence(error)),
        (plies, _) => history_at(&found, plies.unwrap_or(all)),
    }
}

/// Standard input, output and error.
struct StandardIo(LineReader);

impl ConsoleIo for StandardIo {
    fn print(&mut self, line: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    }

    fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        write!(out, "{prompt}")?;
        out.flush()
    }

    fn warn(&mut self, message: &str) {
        remark(message);
    }

    fn read_line(&mut self, deadline: Option<Instant>) -> LineInput {
        self.0.next_line(deadline)
    }

    fn save(&mut self, path: &Path, game: &pgn::Game) -> Result<SavedGame, Box<dyn Error>> {
        if is_standard_input(path) {
            self.print(&game.to_string())?;
            return Ok(SavedGame::Alone);
        }
        target::append_game(path, game)
    }
}
