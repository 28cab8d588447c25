//! `tabiya selfplay generate`: plays training games.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::{ArgGroup, Args};
use tabiya_engine::{Network, StopSignal};
use tabiya_games::{InputError, display_name};
use tabiya_selfplay::{
    GameLog, GenerationProgress, Generator, NetworkId, ScoreAdjudication, SelfplaySettings,
};

use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::{INTERRUPTED, examples, remark};

/// Let the engine play training games against itself
///
/// Each game begins with 8 or 9 random moves; openings that are already lost are discarded. Then every move is searched
/// with the same number of nodes until the rules end the game or the scores leave no doubt. Positions, scores and
/// results are added to the file.
///
/// The same command continues where it was interrupted: you lose the games in progress at most, even with kill -9. The
/// seed and the number of a game determine all its moves, whatever the number of threads. To make a file longer, give a
/// larger --games or --positions.
#[derive(Args)]
#[command(
    group = ArgGroup::new("enough").required(true).multiple(true),
    after_help = examples!(
        "tabiya selfplay generate games.records --games 1000"
        "tabiya selfplay generate games.records --positions 1000000 --nodes 20000 --network tabiya.nn"
    )
)]
pub(crate) struct Arguments {
    /// File to add games to
    file: PathBuf,

    /// Number of games in the finished file
    #[arg(long, value_name = "N", group = "enough")]
    games: Option<u64>,

    /// Number of positions in the finished file; the last games may add a few more
    #[arg(long, value_name = "N", group = "enough")]
    positions: Option<u64>,

    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,

    /// Number of games to play at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = crate::arguments::parse_threads)]
    threads: Option<usize>,

    /// Seed of the random moves; a different seed gives different games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Network to evaluate with [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Number of random moves at the start; half of the games have one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=i64::from(SelfplaySettings::MAX_RANDOM_PLIES)))]
    random_plies: u16,

    /// Discard openings with a score beyond this; 0 keeps all
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    worst_opening: u16,

    /// Play all games to their end, whatever the scores
    #[arg(long)]
    no_adjudication: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let network = arguments.network.as_deref().map(read_network).transpose()?;
    let (network, id) = network.unzip();
    let generator = Generator {
        settings: SelfplaySettings {
            seed: arguments.seed,
            nodes: arguments.nodes,
            network: id.unwrap_or_default(),
            random_plies: arguments.random_plies,
            max_opening_score: arguments.worst_opening,
            adjudication: if arguments.no_adjudication {
                ScoreAdjudication::NEVER
            } else {
                ScoreAdjudication::default()
            },
        },
        network,
        threads: arguments.threads.unwrap_or_else(crate::arguments::cores),
        games: arguments.games,
        positions: arguments.positions,
    };
    let shown = display_name(&arguments.file);
    let mut log = GameLog::open(&arguments.file, &generator.settings)
        .with_context(|| format!("cannot add games to {shown}"))?;
    if log.truncated_bytes() > 0 {
        remark(format_args!(
            "{shown}: removed {} bytes of an unfinished game",
            log.truncated_bytes()
        ));
    }
    let signal = StopSignal::default();
    #[cfg(unix)]
    crate::interrupt::stop_first(&signal);
    let mut line = StatusLine::with_log();
    let progress = generator
        .run(&mut log, &signal, &mut |progress| {
            line.show_now_and_then(|| speed(progress));
        })
        .with_context(|| shown.clone())?;
    line.clear();
    remark(Screen::of_stderr().wrap(&speed(&progress), 2).trim_end());
    let text = format!(
        "{}, {}{}\n",
        screen.counted(progress.games, "game"),
        screen.counted(progress.positions, "position"),
        if signal.is_stopped() {
            "; interrupted: repeat the command to continue"
        } else {
            ""
        }
    );
    Ok(CommandOutput {
        text,
        code: if signal.is_stopped() { INTERRUPTED } else { 0 },
    })
}

fn read_network(path: &Path) -> anyhow::Result<(Arc<Network>, NetworkId)> {
    let bytes = tabiya_files::open(path).and_then(|file| tabiya_files::read(&file));
    let bytes = bytes.map_err(|error| InputError::new(path, error))?;
    let network =
        Network::read(&bytes).map_err(|error| anyhow!("{}: {error}", display_name(path)))?;
    Ok((Arc::new(network), NetworkId::of(&bytes)))
}

/// Describes progress and speed in one line.
fn speed(progress: &GenerationProgress) -> String {
    let seconds = progress.time.as_secs_f64().max(1e-9);
    let count = |count, thing| Screen::of_stderr().counted(count, thing);
    format!(
        "{}, {}; {:.2} games/s, {:.1} positions/s, {} discarded",
        count(progress.games, "game"),
        count(progress.positions, "position"),
        progress.new_games as f64 / seconds,
        progress.new_positions as f64 / seconds,
        count(progress.rejected, "opening")
    )
}
