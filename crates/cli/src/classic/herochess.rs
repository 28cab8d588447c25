//! `tabiya classic herochess`.

use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, builder::RangedU64ValueParser};
use tabiya_classics::herochess::{Level, Options, Record, RecordError, Session, TournamentError};

use crate::examples;
use crate::input::{Unreadable, name};
use crate::screen::{Answer, Screen};

/// Play at the console: two people, or you and the computer
///
/// Everything is asked line by line, at a terminal or through a pipe, and the end of the input leaves the game. A move is
/// two squares, e2 and e4, in one line or in two. Castling is the king two columns, or the king onto its rook, or the
/// rook onto its king. Q leaves the game, but where a pawn promotes it is the queen.
///
/// The third time of a position, fifty moves without a capture or a pawn move, and too few pieces to give mate end the
/// game as a draw, without anyone asking for it.
///
/// In a tournament everyone plays everyone once. Its file keeps the results and the standings; it is written after every
/// game, and the same command goes on after an interruption. A game that someone leaves stays to be played.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic herochess"
    "tabiya classic herochess --level 5 --seed 1"
    "tabiya classic herochess --replay herochess-20261115-193012.txt"
    "tabiya classic herochess --tournament club.txt"
))]
pub(crate) struct Arguments {
    /// Show the game of a record again, move by move
    #[arg(long, value_name = "FILE", group = "task")]
    replay: Option<PathBuf>,

    /// Go on with the game of a record
    #[arg(long = "continue", value_name = "FILE", group = "task")]
    resume: Option<PathBuf>,

    /// Play the tournament of a file, a new one or the rest of one
    #[arg(long, value_name = "FILE", group = "task")]
    tournament: Option<PathBuf>,

    /// How strong the computer is, until that is changed in the settings
    #[arg(
        long,
        value_name = "N",
        value_parser = RangedU64ValueParser::<u8>::new().range(1..=u64::from(Level::COUNT))
    )]
    level: Option<u8>,

    /// Make the computer choose the same openings each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Where records of games are saved
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Say why a move is refused
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let stdin = io::stdin();
    let terminal = stdin.is_terminal();
    let options = Options {
        seed: arguments.seed,
        level: arguments.level.and_then(Level::new).unwrap_or_default(),
        folder: arguments.folder.clone(),
        explain: arguments.explain,
        terminal,
        ..Options::default()
    };
    let mut output = BufWriter::new(io::stdout().lock());
    let mut session = Session::new(BufReader::new(stdin.lock()), &mut output, options);
    if let Some(path) = &arguments.replay {
        session.replay(&record(path)?, terminal && screen.terminal)?;
    } else if let Some(path) = &arguments.resume {
        let record = record(path)?;
        if let Some(end) = record.game().end() {
            bail!("the game in {} is over: {end}", name(path));
        }
        session.resume(&record)?;
    } else if let Some(path) = &arguments.tournament {
        session.tournament(path).map_err(|error| match error {
            // A reader that has gone away is told from other failures.
            TournamentError::Console(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
    } else {
        session.run()?;
    }
    output.flush()?;
    Ok(String::new().into())
}

fn record(path: &Path) -> anyhow::Result<Record> {
    Record::read(path).map_err(|error| match error {
        RecordError::Unreadable(error) => Unreadable::new(path, error).into(),
        error => anyhow::anyhow!("{}: {error}", name(path)),
    })
}
