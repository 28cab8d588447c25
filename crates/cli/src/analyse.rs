//! `tabiya analyse`: positions, the moves of games, and files of positions.

mod games;
mod output;
mod position;
mod positions;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tabiya_board::GameHistory;
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_explorer::Explorer;
use tabiya_games::convert::Format;
use tabiya_games::{Input, InputError, display_name};
use tabiya_notation::pgn::Game;

use crate::arguments::{cores, parse_seconds, parse_threads};
use crate::pgn::letters;
use crate::pgn::show::parse_number;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};
use crate::{examples, fullscreen};

/// Analyse a position, the moves of games, or a file of positions
///
/// All scores are White's, in pawns: +0.50 is half a pawn for White, and #-3 is mate in three for Black.
///
/// For a position (a FEN, or a game with --ply), shows a table of the best lines that updates until a limit or Ctrl+C.
/// In a file or a pipe the table is printed once, after five seconds if there is no limit.
///
/// For games (PGN), evaluates every position of the main line, for 0.4 seconds each if there is no limit. Each move
/// gets an [%eval]. Inaccuracies, mistakes and blunders also get ?!, ? or ??, a comment, and the best line as a
/// variation. An earlier analysis is replaced; everything else stays. Judgements, accuracy and average loss follow
/// Lichess. A game that cannot be read is copied unchanged and reported on standard error; the exit code is then 1.
///
/// For positions (EPD or FEN, one per line), adds the operations acd, acn, ce and pv, after one second each if there is
/// no limit. If a position has best moves (bm) or moves to avoid (am), says whether the engine agrees. A line that
/// cannot be read is copied unchanged and reported on standard error; the exit code is then 2.
///
/// The games or positions go to standard output, and the report (graph, summary, bad moves) to standard error if that
/// is a terminal. With -o, they go to the file, and the report to standard output. Each game is written as soon as it
/// is analysed. After Ctrl+C, the remaining games are copied unchanged; the exit code is 130.
///
/// With --archive, opens the position on the analysis board instead: the engine's lines, and what was played there.
#[derive(Args)]
#[command(override_usage = "tabiya analyse [OPTIONS] [FEN|FILE]", after_help = examples!(
    "tabiya analyse \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --lines 3 --depth 10"
    "tabiya analyse games.pgn -o analysed.pgn --svg graph.svg"
    "tabiya analyse games.pgn --game 1 --time 1 | less"
    "tabiya analyse games.pgn --ply 1 --depth 10"
    "tabiya analyse games.pgn --depth 10 --json | jq .white.accuracy"
    "tabiya analyse positions.epd --time 1"
    "tabiya analyse --archive games"
))]
pub(crate) struct Arguments {
    /// File of games (PGN) or positions (EPD, FEN), compressed or not; - for standard input
    #[arg(value_name = "FILE", conflicts_with = "fen")]
    file: Option<PathBuf>,

    #[command(flatten)]
    fen: FenOption,

    /// Analyse only the game with this number
    #[arg(long, value_name = "N", requires = "file", value_parser = parse_number)]
    game: Option<usize>,

    /// Analyse only the position after this many half-moves
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["output", "svg"])]
    ply: Option<usize>,

    /// Number of best lines to show for a position
    #[arg(long, alias = "multipv", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: u16,

    /// Search each position to this depth
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,

    /// Search this many nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Seconds to think about each position
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Number of threads [default: one per core; one with --depth or --nodes, so that results are reproducible]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Size of the hash table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Write the results to this file, and the report to standard output
    #[arg(long, short, value_name = "FILE", requires = "file")]
    output: Option<PathBuf>,

    /// Draw a graph of White's winning chances to this file; with several games, one numbered file each
    #[arg(long, value_name = "FILE", requires = "file")]
    svg: Option<PathBuf>,

    /// Replace the files of -o and --svg if they exist
    #[arg(long)]
    force: bool,

    /// Open the analysis board with the opening explorer of this archive
    ///
    /// The archive is a folder that `tabiya archive build` has made. For games: `tabiya pgn show FILE --archive FOLDER`.
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with_all = [
            "file", "game", "ply", "lines", "depth", "nodes", "time", "threads", "hash", "output", "svg", "json", "live",
        ]
    )]
    archive: Option<PathBuf>,

    #[command(flatten)]
    read: letters::Language,

    /// Print the results as JSON, one object per game or position
    #[arg(long)]
    json: bool,

    /// With --json and one position, print an object after each depth
    #[arg(long, requires = "json")]
    live: bool,
}

impl Arguments {
    /// The limits for each position, with a default time if there are none.
    fn limits(&self, default_time: Option<Duration>) -> Limits {
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: if is_limited { self.time } else { default_time },
            ..Limits::default()
        }
    }

    fn engine(&self) -> Engine {
        let mut engine = Engine::default();
        // With less memory than it asked for, the engine is slower but not wrong.
        engine
            .set_hash(self.hash as usize)
            .unwrap_or_else(crate::remark);
        let is_reproducible = self.depth.is_some() || self.nodes.is_some();
        let threads = if is_reproducible { 1 } else { cores() };
        engine
            .set_threads(self.threads.unwrap_or(threads))
            .unwrap_or_else(crate::remark);
        engine.set_multipv(self.lines.into());
        engine
    }
}

/// A signal that the first Ctrl+C triggers.
fn interruptible() -> StopSignal {
    let signal = StopSignal::default();
    #[cfg(unix)]
    crate::interrupt::stop_first(&signal);
    signal
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    if arguments.live && arguments.file.is_some() && arguments.ply.is_none() {
        bail!("--live works for one position only; choose one with --ply");
    }
    if let Some(archive) = &arguments.archive {
        return open_board(arguments, archive, screen);
    }
    let Some(path) = &arguments.file else {
        let board = arguments.fen.board()?;
        return position::run(arguments, &GameHistory::new(board), screen);
    };
    let (kind, input) = open(path)?;
    match kind {
        Kind::Games => games::run(arguments, path, input, screen),
        Kind::Positions => {
            for (is_given, option) in [
                (arguments.game.is_some(), "--game"),
                (arguments.ply.is_some(), "--ply"),
                (arguments.svg.is_some(), "--svg"),
            ] {
                if is_given {
                    bail!(
                        "{option} works for games only, but {} has positions",
                        display_name(path)
                    );
                }
            }
            positions::run(arguments, path, input, screen)
        }
    }
}

/// Opens the analysis board with the explorer of an archive.
fn open_board(
    arguments: &Arguments,
    archive: &Path,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    if !fullscreen::is_possible(screen) {
        bail!(
            "--archive opens the analysis board, which needs a terminal; in scripts, use tabiya archive explore"
        );
    }
    let game = Game::new(arguments.fen.game_board()?);
    fullscreen::analyse(game, Explorer::open(archive)?, screen)?;
    Ok(CommandOutput::default())
}

/// The content of a file.
enum Kind {
    Games,
    Positions,
}

/// Opens a file and detects its content by name or first line.
fn open(path: &Path) -> anyhow::Result<(Kind, Input)> {
    let unreadable = |error| InputError::new(path, error);
    let mut input = Input::open(path)?;
    let format = match Format::of_name(path) {
        Some(format) => format,
        None => Format::of_line(&input.peek_line().map_err(unreadable)?),
    };
    let kind = match format {
        Format::Fen | Format::Epd => Kind::Positions,
        Format::Pgn | Format::San => Kind::Games,
        Format::Uci => bail!(
            "{} has UCI moves; convert them first with: tabiya convert --to pgn",
            display_name(path)
        ),
    };
    Ok((kind, input))
}
