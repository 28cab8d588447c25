//! `tabiya selfplay generate`: lets the engine play with itself.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::{ArgGroup, Args};
use tabiya_engine::{Network, Signal};
use tabiya_selfplay::{Adjudication, Generator, Log, NetworkId, Progress, Settings};

use super::counted;
use crate::examples;
use crate::input::{Unreadable, name};
use crate::pgn::progress::write_over;
use crate::remark;
use crate::screen::{Answer, Screen};

/// How often a line is printed where nobody can write over it.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// The exit code of a program that was interrupted.
const INTERRUPTED: u8 = 130;

/// Let the engine play games with itself, to learn from
///
/// Each game begins with 8 or 9 random moves; openings that are already lost are thrown away. Then every move is
/// searched with the same number of nodes until the rules end the game or the scores leave no doubt. The positions, the
/// scores and the results are added to the file.
///
/// The same command goes on where it was interrupted: at most the games in progress are lost, even by kill -9. The seed and the number of a game decide how it goes, whatever the number of threads. With a larger --games
/// or --positions, the file grows.
#[derive(Args)]
#[command(
    group = ArgGroup::new("enough").required(true).multiple(true),
    after_help = examples!(
        "tabiya selfplay generate games.records --games 1000"
        "tabiya selfplay generate games.records --positions 1000000 --nodes 20000 --network tabiya.nn"
    )
)]
pub(crate) struct Arguments {
    /// The file to add games to
    file: PathBuf,

    /// How many games the file shall have
    #[arg(long, value_name = "N", group = "enough")]
    games: Option<u64>,

    /// How many positions the file shall have; the last games may bring a few more
    #[arg(long, value_name = "N", group = "enough")]
    positions: Option<u64>,

    /// How many positions to look at for each move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,

    /// How many games are played at the same time; one for each core if not given
    #[arg(long, value_name = "N", value_parser = crate::arguments::parse_threads)]
    threads: Option<usize>,

    /// Another number gives other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// A network to evaluate with
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// So many moves at the start are random, or one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=i64::from(Settings::MOST_RANDOM_PLIES)))]
    random_plies: u16,

    /// Throw away openings with a score beyond this; 0 for none
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    worst_opening: u16,

    /// Play all games to their end by the rules
    #[arg(long)]
    no_adjudication: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let network = arguments.network.as_deref().map(read_network).transpose()?;
    let (network, id) = network.unzip();
    let generator = Generator {
        settings: Settings {
            seed: arguments.seed,
            nodes: arguments.nodes,
            network: id.unwrap_or_default(),
            random_plies: arguments.random_plies,
            worst_opening: arguments.worst_opening,
            adjudication: if arguments.no_adjudication {
                Adjudication::NEVER
            } else {
                Adjudication::default()
            },
        },
        network,
        threads: arguments.threads.unwrap_or_else(crate::arguments::cores),
        games: arguments.games,
        positions: arguments.positions,
    };
    let shown = name(&arguments.file);
    let mut log = Log::open(&arguments.file, &generator.settings)
        .with_context(|| format!("cannot add games to {shown}"))?;
    if log.cut() > 0 {
        remark(format_args!(
            "{shown}: {} bytes of a game that was not whole are cut off",
            log.cut()
        ));
    }
    let signal = Signal::default();
    stop_when_interrupted(&signal);
    let mut line = Reporter::new();
    let progress = generator
        .run(&mut log, &signal, &mut |progress| line.report(progress))
        .with_context(|| shown.clone())?;
    line.clear();
    remark(Screen::of_stderr().wrap(&speed(&progress), 2).trim_end());
    let text = format!(
        "{}, {}{}\n",
        counted(screen, progress.games, "game"),
        counted(screen, progress.positions, "position"),
        if signal.is_stopped() {
            "; interrupted, the same command goes on"
        } else {
            ""
        }
    );
    Ok(Answer {
        text,
        code: if signal.is_stopped() { INTERRUPTED } else { 0 },
    })
}

fn read_network(path: &Path) -> anyhow::Result<(Arc<Network>, NetworkId)> {
    let bytes = std::fs::read(path).map_err(|error| Unreadable::new(path, error))?;
    let network = Network::read(&bytes).map_err(|error| anyhow!("{}: {error}", name(path)))?;
    Ok((Arc::new(network), NetworkId::of(&bytes)))
}

/// Gives the signal when the program is told to end. If it is told twice, it ends at once.
#[cfg(unix)]
fn stop_when_interrupted(signal: &Signal) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // Where nobody can listen, the program ends at once, and at most the games in progress are lost.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    let signal = signal.clone();
    std::thread::spawn(move || {
        for number in &mut signals {
            if signal.is_stopped() {
                let _ = emulate_default_handler(number);
            }
            signal.stop();
        }
    });
}

#[cfg(not(unix))]
fn stop_when_interrupted(_signal: &Signal) {}

/// How fast it is, in one line.
fn speed(progress: &Progress) -> String {
    let seconds = progress.time.as_secs_f64().max(1e-9);
    let count = |count, thing| counted(Screen::of_stderr(), count, thing);
    format!(
        "{}, {}; {:.2} games/s, {:.1} positions/s, {} thrown away",
        count(progress.games, "game"),
        count(progress.positions, "position"),
        progress.new_games as f64 / seconds,
        progress.new_positions as f64 / seconds,
        count(progress.rejected, "opening")
    )
}

/// Says on standard error how far it is: on a terminal always in the same line.
struct Reporter {
    terminal: bool,
    next: Instant,
}

impl Reporter {
    fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        Self {
            terminal,
            next: Instant::now() + Self::between(terminal),
        }
    }

    fn between(terminal: bool) -> Duration {
        if terminal {
            Duration::from_millis(200)
        } else {
            BETWEEN_LINES
        }
    }

    fn report(&mut self, progress: &Progress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + Self::between(self.terminal);
        if self.terminal {
            write_over(&speed(progress));
        } else {
            remark(speed(progress));
        }
    }

    fn clear(&self) {
        if self.terminal {
            write_over("");
        }
    }
}
