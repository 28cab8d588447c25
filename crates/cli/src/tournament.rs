//! `tabiya tournament`: lets many engines play.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use tabiya_arena::{EngineSpec, TournamentFormat};

use crate::arena::{Settings, contestant};
use crate::examples;
use crate::input::{name, read_whole};
use crate::screen::{CommandOutput, Screen};

/// Let several engines play a tournament
///
/// Everybody plays everybody (round-robin), the first ones play all others (gauntlet), or players with equal points meet
/// round by round (swiss). Whoever meets plays every opening twice, with colours changed. Engines are written as for
/// tabiya match; their ratings have zero in the middle.
///
/// With --pgn every game is on the disk when it ends: whatever stops the tournament, the same command goes on.
///
/// The exit code is 0 when the tournament is over, and 130 when it was interrupted.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya tournament \"a: tabiya uci\" \"b: tabiya uci Hash=1\" \"c: tabiya uci Hash=2\" --depth 2"
    "tabiya tournament --form gauntlet \"./new uci\" \"./old uci\" stockfish --games 100 --pgn games.pgn"
    "tabiya tournament --form swiss --rounds 7 --engines engines.txt --openings games.pgn"
))]
pub(crate) struct Arguments {
    /// The engines
    #[arg(value_name = "ENGINE")]
    contestants: Vec<String>,

    /// More engines: a file with one in each line; lines that begin with # are skipped
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,

    /// Who meets whom
    #[arg(long, value_name = "FORM", default_value = "round-robin")]
    form: Kind,

    /// How many first ones play all others in a gauntlet; without it, one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,

    /// How many rounds a Swiss tournament has; without it, as many as it takes to find the best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// How many games two players play when they meet; an odd number is made even
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    RoundRobin,
    Gauntlet,
    Swiss,
}

/// Everybody is started once before the first game, and more would not fit a table.
const MOST_PLAYERS: usize = 256;

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let given = arguments.contestants.iter().map(|line| contestant(line));
    let mut contestants: Vec<EngineSpec> = given.collect::<anyhow::Result<_>>()?;
    if let Some(path) = &arguments.engines {
        let text = read_whole(path)?;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = || format!("{}:{}", name(path), index + 1);
                contestants.push(contestant(line).with_context(place)?);
            }
        }
    }
    let players = contestants.len();
    if !(2..=MOST_PLAYERS).contains(&players) {
        bail!("a tournament has from 2 to {MOST_PLAYERS} engines, and here are {players}");
    }
    let seeds = arguments.seeds.unwrap_or(1) as usize;
    let form = match arguments.form {
        Kind::RoundRobin | Kind::Swiss if arguments.seeds.is_some() => {
            bail!("--seeds is for --form gauntlet")
        }
        Kind::RoundRobin | Kind::Gauntlet if arguments.rounds.is_some() => {
            bail!("--rounds is for --form swiss")
        }
        Kind::RoundRobin => TournamentFormat::RoundRobin,
        Kind::Gauntlet if seeds >= players => bail!(
            "in a gauntlet {seeds} of {players} engines play all others: give more engines or smaller --seeds"
        ),
        Kind::Gauntlet => TournamentFormat::Gauntlet { seeds },
        Kind::Swiss => TournamentFormat::Swiss {
            rounds: arguments.rounds.unwrap_or_else(|| enough_rounds(players)),
        },
    };
    arguments
        .settings
        .play(contestants, form, arguments.games, None, screen)
}

/// The rounds after which only one can have won all of them.
fn enough_rounds(players: usize) -> u32 {
    players.next_power_of_two().ilog2()
}
