//! `tabiya archive build` and `tabiya archive add`.

use std::fmt::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use clap::Args;
use tabiya_archive::{ArchiveError, BuildOptions, BuildProgress, BuildSummary};
use tabiya_display::progress::progress_line;
use tabiya_display::text::{format_duration, grouped};
use tabiya_games::{display_name, parse_size, total_size};

use super::status::Status;
use super::{Output, size};

/// Build an archive from files of games
///
/// If the build is interrupted, even by a power cut, run the same command again: it resumes where it stopped. Games
/// that cannot be read to their end are kept, with the reason.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya archive build games.pgn -o games
  tabiya archive build lichess_db_standard_rated_2025-05.pgn.zst -o may --memory 4GB")]
pub(crate) struct BuildArguments {
    /// Files of games in PGN, compressed (zst, gz, bz2) or not, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The folder of the new archive
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    #[command(flatten)]
    resources: Resources,
}

/// Add files of games to an archive
///
/// Games that the archive already has are recognised by their tags and moves, and don't count twice.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya archive add games more.pgn")]
pub(crate) struct AddArguments {
    /// The folder of the archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,

    /// Files of games in PGN, compressed (zst, gz, bz2) or not, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    resources: Resources,
}

#[derive(Args)]
struct Resources {
    /// How much memory to use, such as 500MB or 4GB
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = parse_size)]
    memory: usize,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZero<usize>>,
}

pub(crate) fn build(arguments: &BuildArguments) -> anyhow::Result<Output> {
    run(
        &arguments.output,
        &arguments.files,
        &arguments.resources,
        tabiya_archive::build,
    )
}

pub(crate) fn add(arguments: &AddArguments) -> anyhow::Result<Output> {
    run(
        &arguments.archive,
        &arguments.files,
        &arguments.resources,
        tabiya_archive::add,
    )
}

/// Building or adding.
type Work = fn(&BuildOptions, &mut dyn FnMut(BuildProgress)) -> Result<BuildSummary, ArchiveError>;

fn run(
    folder: &Path,
    files: &[PathBuf],
    resources: &Resources,
    work: Work,
) -> anyhow::Result<Output> {
    let threads = resources.threads.or_else(|| available_parallelism().ok());
    let options = BuildOptions {
        folder: folder.to_owned(),
        inputs: files.to_vec(),
        memory: resources.memory,
        threads: threads.map_or(1, NonZero::get),
    };
    let (start, total) = (Instant::now(), total_size(files));
    let mut status = Status::new();
    let built = work(&options, &mut |progress| {
        status.show(|| match progress {
            BuildProgress::Reading { bytes, .. } => progress_line(bytes, total, start.elapsed()),
            BuildProgress::Sorting { done, parts } => {
                format!("sorting positions: {done} of {parts} parts")
            }
        });
    });
    status.clear();
    let built = built?;
    Ok((report(folder, &built, total, start), 0))
}

fn report(folder: &Path, built: &BuildSummary, total: Option<u64>, start: Instant) -> String {
    let part = &built.part;
    let games = u64::from(part.games);
    let name = display_name(folder);
    let mut text = String::new();
    if built.was_finished {
        let _ = writeln!(
            text,
            "{name} was already finished: {} games",
            grouped(games)
        );
        return text;
    }
    if built.resumed_games > 0 {
        let before = grouped(u64::from(built.resumed_games));
        let _ = writeln!(text, "resumed after {before} games of an interrupted build");
    }
    let _ = write!(
        text,
        "{} games, {} positions",
        grouped(games),
        grouped(part.positions)
    );
    if part.duplicates > 0 {
        let _ = write!(text, "; {} duplicates", grouped(part.duplicates));
    }
    if part.broken > 0 {
        let _ = write!(
            text,
            "; {} with an error, see: tabiya archive find {name} --broken",
            grouped(part.broken)
        );
    }
    text.push('\n');
    let bytes: u64 = part.files.iter().map(|file| file.size).sum();
    let per_game = bytes.checked_div(games).unwrap_or(0);
    let seconds = start.elapsed().as_secs_f64();
    let _ = write!(
        text,
        "{name}: {}, {per_game} B a game, in {}",
        size(bytes),
        format_duration(seconds.round() as u64)
    );
    if let Some(total) = total.filter(|_| built.resumed_games == 0) {
        let _ = write!(
            text,
            " ({:.0} MB/s)",
            total as f64 / 1e6 / seconds.max(1e-3)
        );
    }
    text.push('\n');
    text
}
