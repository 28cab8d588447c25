//! `tabiya tournament`: a tournament of several engines.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use tabiya_arena::{EngineSpec, TournamentFormat};
use tabiya_games::{display_name, read_text};

use crate::arena::{GameArguments, parse_engine};
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Play a tournament between several engines
///
/// In a round robin everyone plays everyone, in a gauntlet the first engines play all others, and in a Swiss tournament
/// engines with equal points meet round by round. Opponents play every opening twice, with colours reversed. Engines
/// are written as for tabiya match. Their ratings average zero.
///
/// With --pgn, every game is on disk as soon as it ends: whatever stops the tournament, repeat the command to continue
/// it.
///
/// The exit code is 0 if the tournament is complete, and 130 if it was interrupted.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya tournament \"a: tabiya uci\" \"b: tabiya uci Hash=1\" \"c: tabiya uci Hash=2\" --depth 2"
    "tabiya tournament --format gauntlet \"./new uci\" \"./old uci\" stockfish --games 100 --pgn games.pgn"
    "tabiya tournament --format swiss --rounds 7 --engines engines.txt --openings games.pgn"
))]
pub(crate) struct Arguments {
    /// Engines
    #[arg(value_name = "ENGINE")]
    given: Vec<String>,

    /// File of more engines, one per line; lines that begin with # are skipped
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,

    /// Who plays whom
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    format: FormatArgument,

    /// Number of engines at the start of the list that play all others in a gauntlet [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,

    /// Number of rounds of a Swiss tournament [default: as many as it takes to find a winner]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// Number of games that two opponents play, rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    #[command(flatten)]
    settings: GameArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArgument {
    RoundRobin,
    Gauntlet,
    Swiss,
}

/// All engines are started before the first game.
const MAX_ENGINES: usize = 256;

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let given = arguments.given.iter().map(|line| parse_engine(line));
    let mut engines: Vec<EngineSpec> = given.collect::<anyhow::Result<_>>()?;
    if let Some(path) = &arguments.engines {
        for (index, line) in read_text(path)?.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = || format!("{}:{}", display_name(path), index + 1);
                engines.push(parse_engine(line).with_context(place)?);
            }
        }
    }
    let count = engines.len();
    if !(2..=MAX_ENGINES).contains(&count) {
        bail!("a tournament needs 2 to {MAX_ENGINES} engines, but you gave {count}");
    }
    let seeds = arguments.seeds.unwrap_or(1) as usize;
    let format = match arguments.format {
        FormatArgument::RoundRobin | FormatArgument::Swiss if arguments.seeds.is_some() => {
            bail!("--seeds works only with --format gauntlet")
        }
        FormatArgument::RoundRobin | FormatArgument::Gauntlet if arguments.rounds.is_some() => {
            bail!("--rounds works only with --format swiss")
        }
        FormatArgument::RoundRobin => TournamentFormat::RoundRobin,
        FormatArgument::Gauntlet if seeds >= count => {
            bail!("a gauntlet with --seeds {seeds} needs more than {count} engines")
        }
        FormatArgument::Gauntlet => TournamentFormat::Gauntlet { seeds },
        FormatArgument::Swiss => match arguments.rounds {
            Some(rounds) => TournamentFormat::Swiss { rounds },
            None => TournamentFormat::swiss(count),
        },
    };
    arguments
        .settings
        .play(engines, format, arguments.games, None, screen)
}
