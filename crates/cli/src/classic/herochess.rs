//! `tabiya classic herochess`.

use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, builder::RangedU64ValueParser};
use tabiya_classics::herochess::{
    AiLevel, HerochessRecord, HerochessRecordError, HerochessSession, HerochessTournamentError,
    Options,
};
use tabiya_games::{InputError, display_name};

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Play at the console, against another person or the computer
///
/// The program asks for everything line by line, at a terminal or through a pipe. The end of the input leaves the game.
/// A move is two squares, such as e2 and e4, on one line or two. To castle, move the king two columns, or the king onto
/// its rook, or the rook onto its king. Q leaves the game, except when a pawn promotes: there it means queen.
///
/// A game is drawn at once by threefold repetition, by the fifty-move rule, or when neither side has enough pieces to
/// give mate.
///
/// In a tournament everyone plays everyone else once. Its file holds the results and the standings and is saved after
/// each game. After an interruption, the same command continues the tournament. A game that someone leaves is played
/// again later.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic herochess"
    "tabiya classic herochess --level 5 --seed 1"
    "tabiya classic herochess --replay herochess-20261115-193012.txt"
    "tabiya classic herochess --tournament club.txt"
))]
pub(crate) struct Arguments {
    /// Replay the game of a record, move by move
    #[arg(long, value_name = "FILE", group = "task")]
    replay: Option<PathBuf>,

    /// Continue the game of a record
    #[arg(long = "continue", value_name = "FILE", group = "task")]
    resume: Option<PathBuf>,

    /// Start or continue the tournament in a file
    #[arg(long, value_name = "FILE", group = "task")]
    tournament: Option<PathBuf>,

    /// Strength of the computer; the settings can change it later
    #[arg(
        long,
        value_name = "N",
        value_parser = RangedU64ValueParser::<u8>::new().range(1..=u64::from(AiLevel::COUNT))
    )]
    level: Option<u8>,

    /// Random seed: the computer chooses the same openings each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Folder for the records of games
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Explain why a move is illegal
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let stdin = io::stdin();
    let terminal = stdin.is_terminal();
    let options = Options {
        seed: arguments.seed,
        level: arguments.level.and_then(AiLevel::new).unwrap_or_default(),
        folder: arguments.folder.clone(),
        explain: arguments.explain,
        terminal,
        ..Options::default()
    };
    let mut output = BufWriter::new(io::stdout().lock());
    let mut session = HerochessSession::new(BufReader::new(stdin.lock()), &mut output, options);
    if let Some(path) = &arguments.replay {
        session.replay(&record(path)?, terminal && screen.terminal)?;
    } else if let Some(path) = &arguments.resume {
        let record = record(path)?;
        if let Some(end) = record.game().end() {
            bail!("the game in {} is over: {end}", display_name(path));
        }
        session.resume(&record)?;
    } else if let Some(path) = &arguments.tournament {
        session.tournament(path).map_err(|error| match error {
            // A closed pipe is not a failure.
            HerochessTournamentError::HerochessConsole(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
    } else {
        session.run()?;
    }
    output.flush()?;
    Ok(String::new().into())
}

fn record(path: &Path) -> anyhow::Result<HerochessRecord> {
    HerochessRecord::read(path).map_err(|error| match error {
        HerochessRecordError::Unreadable(error) => InputError::new(path, error).into(),
        error => anyhow::anyhow!("{}: {error}", display_name(path)),
    })
}
