//! `tabiya play`: a game against the computer, another engine or a person.

mod line;
mod start;

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tabiya_play::{
    Level, Manners, Options, Session, Settings, Store, TimeControl, config_file, data_folder,
};

use crate::pgn::show::parse_number;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use crate::{config, examples, fullscreen, remark};
use start::{Chess960, Side, Starter};

/// Play against the computer, another engine or a person
///
/// On a terminal the game fills the screen, and moves are typed as in Nf3, exd5, O-O or e2e4, or made with the arrow keys
/// or the mouse; help lists everything else that can be typed. Every move is on the disk
/// before it is answered: however the program ends, --resume goes on with the game. Finished games are added to
/// games.pgn in the folder where your platform keeps data.
///
/// Through a pipe everything works line by line, and the end of the input keeps the game and ends the program.
///
/// What is not given is taken from the settings: see tabiya config.
// Flags of a command line are what they are.
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
    /// Go on with the game that was played last and is not finished
    #[arg(long, conflicts_with_all = [
        "level", "side", "clock", "fen", "pgn", "chess960", "opponent", "both", "name"
    ])]
    resume: bool,

    /// How strong the computer is, from 1 to 10
    #[arg(long, value_name = "N", value_parser = parse_level)]
    level: Option<Level>,

    /// The pieces that you play with
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,

    /// How much time you have: minutes and seconds for each move as in 5+3, seconds as in move=10, or none
    #[arg(long, value_name = "TIME")]
    clock: Option<TimeControl>,

    #[command(flatten)]
    fen: FenOption,

    /// Start from a game of this file, compressed or not
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pgn: Option<PathBuf>,

    /// The number of the game in the file, from 1
    #[arg(long, value_name = "N", requires = "pgn", default_value = "1", value_parser = parse_number)]
    game: usize,

    /// Start after so many moves of White and Black together, and not at the end of the game
    #[arg(long, value_name = "N", requires = "pgn")]
    ply: Option<usize>,

    /// Start from a position of Chess960, by its number from 0 to 959, or random
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "pgn"])]
    chess960: Option<Chess960>,

    /// Who plays against you: computer, person, or the command line of a UCI engine
    #[arg(long, value_name = "WHO", default_value = "computer", value_parser = start::parse_opponent)]
    opponent: start::Opponent,

    /// Let the computer play both sides, or one side where another engine plays the other
    #[arg(long)]
    both: bool,

    /// Your name
    #[arg(long, value_parser = parse_name)]
    name: Option<String>,

    /// Make the computer choose the same each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Do not let a weak computer take as long for a move as a person
    #[arg(long)]
    no_pace: bool,

    /// Play line by line, even on a terminal
    #[arg(long)]
    lines: bool,
}

fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| {
        format!(
            "the levels are the numbers from 1 to {}",
            Level::FULL.number()
        )
    })
}

fn parse_name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Err("give a text in one line");
    }
    Ok(name.to_owned())
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let settings = Settings::load(config_file()?)?;
    config::warn_of_unknown(&settings);
    let store = Store::new(data_folder()?);
    // What could not be done when an earlier game ended may be possible now, or not; this game does not depend on it.
    if let Err(error) = store.tidy() {
        remark(error);
    }
    let is_person = io::stdin().is_terminal();
    let seed = arguments
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(()));
    let options = Options {
        seed,
        // A script does not care for company.
        paced: is_person && !arguments.no_pace && settings.is_on("pace")?,
    };
    let starter = Starter::new(arguments, &settings)?;
    let game = if arguments.resume {
        let Some(game) = store.resume()? else {
            bail!("there is no unfinished game; begin one with: tabiya play");
        };
        game
    } else {
        starter.game(seed)?
    };
    let manners = Manners {
        resigns: settings.is_on("resigns")?,
        draws: true,
    };
    let session = Session::new(game, store, options).with_manners(manners);
    if fullscreen::is_possible(screen) && !arguments.lines {
        let next = Cell::new(seed);
        let again = move || {
            next.set(next.get().wrapping_add(1));
            Ok(starter.game(next.get())?)
        };
        return fullscreen::play(session, Box::new(again), settings, screen);
    }
    let is_shown = settings.is_on("thinking")?;
    line::run(session, &starter, seed, is_shown, screen)?;
    Ok(String::new().into())
}
