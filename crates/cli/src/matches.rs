//! `tabiya match`: lets two engines play.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_arena::{Contestant, Ending, Pace, Played, Series, Sprt, Tally, read_openings};
use tabiya_board::Line;

use crate::input::{name, read_whole};
use crate::screen::Answer;
use crate::{examples, remark};

/// Let two engines play a match
///
/// Every opening is played twice, with colours changed. An engine is a command that speaks UCI; words like Hash=64
/// behind it set its options, and an underscore stands for a space in their names. The result is the difference in Elo
/// points with the error that 95 of 100 matches stay within.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya match \"tabiya uci\" \"tabiya uci Hash=1\" --games 4 --pace depth=3"
    "tabiya match \"tabiya uci\" \"stockfish UCI_LimitStrength=true UCI_Elo=2400\" --pace 2+0.02 --openings games.pgn"
))]
pub(crate) struct Arguments {
    /// The first engine
    first: String,

    /// The second engine
    second: String,

    /// How many games to play; an odd number is made even
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// Seconds and increment, or nodes=, depth= or move= for each move
    #[arg(long, default_value = "10+0.1")]
    pace: Pace,

    /// Where the games begin: a file of games (PGN) or positions (EPD, FEN); without it, the starting position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// The number of the first opening to use
    #[arg(long, value_name = "N", default_value_t = 1, requires = "openings", value_parser = clap::value_parser!(u32).range(1..))]
    first_opening: u32,

    /// How many games to play at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::arguments::parse_threads)]
    concurrency: usize,

    /// Add the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// End games on whose result both engines agree
    #[arg(long)]
    adjudicate: bool,

    /// End the match when it is clear whether the first engine is stronger by the second number rather than the first
    #[arg(long, value_name = "ELO,ELO", value_parser = parse_sprt)]
    sprt: Option<Sprt>,
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let numbers = text.split_once(',').and_then(|(none, gain)| {
        Some(Sprt {
            none: none.trim().parse().ok()?,
            gain: gain.trim().parse().ok()?,
        })
    });
    numbers
        .filter(|test| test.none < test.gain)
        .ok_or_else(|| "give two numbers, the smaller one first, as in 0,5".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let contestant = |line: &str| {
        Contestant::read(line).context("an engine is a command, as in \"stockfish Hash=64\"")
    };
    let openings = match &arguments.openings {
        None => vec![Line::default()],
        Some(path) => {
            let shown = name(path);
            let mut openings = read_openings(&read_whole(path)?).with_context(|| shown.clone())?;
            let skipped = arguments.first_opening as usize - 1;
            if skipped >= openings.len() {
                bail!("{shown} has only {} openings", openings.len());
            }
            openings.rotate_left(skipped);
            openings
        }
    };
    let mut record = match &arguments.pgn {
        None => None,
        Some(path) => Some(
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .with_context(|| format!("cannot write {}", path.display()))?,
        ),
    };
    let series = Series {
        contestants: [
            contestant(&arguments.first)?,
            contestant(&arguments.second)?,
        ],
        openings,
        pairs: arguments.games.div_ceil(2) as usize,
        pace: arguments.pace,
        concurrency: arguments.concurrency,
        adjudicate: arguments.adjudicate,
        sprt: arguments.sprt,
    };
    let mut trouble = None;
    let tally = series.play(|games, tally| {
        for played in games {
            if let Ending::Time(_) | Ending::Forfeit(..) = played.ending {
                remark(format_args!("game {}: {}", tally.games(), played.ending));
            }
        }
        if let Some(file) = &mut record
            && let Err(error) = write_games(file, games)
        {
            trouble = trouble.take().or(Some(error));
        }
        if tally.games().is_multiple_of(20) {
            remark(summary(tally, arguments.sprt));
        }
    })?;
    if let Some(error) = trouble {
        return Err(error).context("some games could not be written");
    }
    let mut text = summary(&tally, arguments.sprt);
    text.push('\n');
    Ok(text.into())
}

fn write_games(file: &mut impl Write, games: &[Played; 2]) -> std::io::Result<()> {
    // In one piece, so that no other match writes in between.
    let [first, second] = games;
    let text = format!("{}\n{}\n", first.game, second.game);
    file.write_all(text.as_bytes())
}

/// The tally in one line.
fn summary(tally: &Tally, sprt: Option<Sprt>) -> String {
    let Tally {
        wins,
        draws,
        losses,
        ..
    } = tally;
    let elo = tally.elo();
    let mut line = format!(
        "{} games: {wins} won, {draws} drawn, {losses} lost; Elo {:+.1} ± {:.1}",
        tally.games(),
        elo.value,
        elo.error
    );
    if let Some(test) = sprt {
        let ratio = tally.likelihood_ratio(test);
        let verdict = if ratio >= Sprt::BOUND {
            "stronger"
        } else if ratio <= -Sprt::BOUND {
            "not stronger"
        } else {
            "open"
        };
        // Writing to a string does not fail.
        let _ = write!(
            line,
            "; SPRT {},{}: {ratio:.2} of {:.2}, {verdict}",
            test.none,
            test.gain,
            Sprt::BOUND
        );
    }
    line
}
