//! `tabiya pgn fix`: writes games in the standard form.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tabiya_games::{
    Collector, Fixed, GamePlace, InputError, MAX_FIXED, Place, Remark, display_name, fix,
    is_compressed, is_standard_input, player_names, process,
};
use tabiya_notation::pgn::GameErrorKind;
use tabiya_notation::printable;

use super::letters::sentence;
use super::progress::ProgressBar;
use super::{ReadOptions, files_or_stdin, note_encoding};
use crate::examples;
use crate::screen::CommandOutput;
use crate::target::Target;
use crate::{FAILURE, print_error, remark};

/// The exit code if a game could not be fixed.
const BROKEN: u8 = 1;

/// Rewrite games in the standard format
///
/// The seven standard tags come first, in order; missing ones get a question mark. Moves are in standard English
/// notation, in lines of less than 80 columns. No game is lost and none is added. A game that cannot be read, or is
/// larger than 32 MB, is copied unchanged and reported on standard error. Two results that contradict each other are
/// kept and reported. Text between games is kept. So are lines that start with %, which PGN reserves for programs; they
/// go after the move they follow.
///
/// The exit code is 0 if all games were rewritten, 1 if some were copied unchanged, and 2 if a file cannot be read or
/// written. A file is only replaced once its new content is complete.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn fix games.pgn"
    "tabiya pgn fix games.pgn -o fixed.pgn"
    "tabiya pgn fix --in-place *.pgn"
    "tabiya pgn fix --letters de partien.pgn -o games.pgn"
    "zstdcat games.pgn.zst | tabiya pgn fix | less"
))]
pub(crate) struct Arguments {
    /// Files of games, compressed or not [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace each file by its fixed version
    #[arg(long, short, conflicts_with = "output", requires = "files")]
    in_place: bool,

    #[command(flatten)]
    read: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    let files = files_or_stdin(&arguments.files);
    if arguments.in_place {
        for path in &files {
            if is_standard_input(path) {
                bail!("--in-place needs files: standard input cannot be replaced");
            }
            if is_compressed(path) {
                bail!(
                    "{} is compressed, and the output is not: write to another file with -o",
                    display_name(path)
                );
            }
        }
    }
    let letters = arguments.read.language.letters;
    let target = if arguments.in_place {
        None
    } else {
        Some(Target::open(arguments.output.as_deref())?)
    };
    let mut writer = Writer {
        in_place: arguments.in_place,
        files: &files,
        progress: ProgressBar::new(&files, true),
        target,
        current: None,
        code: 0,
        incomplete: false,
    };
    let mut resources = arguments.read.resources();
    resources.max_game = resources.max_game.min(MAX_FIXED);
    process(&files, resources, |batch| fix(batch, &letters), &mut writer)?;
    writer.progress.clear();
    writer.finish_file()?;
    Ok(CommandOutput::code(writer.code))
}

struct Writer<'a> {
    in_place: bool,
    files: &'a [PathBuf],
    progress: ProgressBar,
    target: Option<Target>,
    /// The index of the file that is read.
    current: Option<usize>,
    code: u8,
    /// Whether some input could not be read. Then no file is replaced.
    incomplete: bool,
}

impl Writer<'_> {
    fn finish_file(&mut self) -> anyhow::Result<()> {
        match self.target.take() {
            Some(target) => match target.replaced_file() {
                Some(path) if self.incomplete => {
                    remark(format_args!("{} is unchanged", display_name(path)));
                    Ok(())
                }
                _ => target.commit(),
            },
            None => Ok(()),
        }
    }
}

impl Collector<Fixed> for &mut Writer<'_> {
    type Error = anyhow::Error;

    fn collect(&mut self, place: Place, fixed: Result<Fixed, InputError>) -> anyhow::Result<u64> {
        let path = &self.files[place.file];
        if self.current != Some(place.file) {
            if self.in_place && self.current.is_some() {
                self.finish_file()?;
                self.incomplete = false;
            }
            self.current = Some(place.file);
            note_encoding(path, place.encoding);
        }
        let fixed = match fixed {
            Ok(fixed) => fixed,
            Err(error) => {
                self.progress.clear();
                print_error(error);
                (self.code, self.incomplete) = (FAILURE, true);
                return Ok(0);
            }
        };
        if !fixed.broken.is_empty() {
            self.progress.clear();
            self.code = self.code.max(BROKEN);
        }
        let say = |found: &GamePlace, what: &str, reason: String| {
            let (line, column) = (found.line, found.column);
            let game = place.games_before + found.index + 1;
            let (file, players) = (display_name(path), player_names(&found.white, &found.black));
            remark(format_args!(
                "{file}:{line}:{column}: game {game} ({players}) is {what}: {reason}"
            ));
        };
        for found in &fixed.remarks {
            if found.remark != Remark::NestedComment {
                self.progress.clear();
                let reason = printable(&found.remark.to_string());
                say(&found.place, "left as it is", reason);
            }
        }
        for broken in &fixed.broken {
            let is_giant = broken.error == GameErrorKind::TooLarge { limit: MAX_FIXED };
            let reason = if is_giant {
                format!("{} of what fix can rewrite", broken.error)
            } else {
                sentence(&broken.error)
            };
            say(&broken.place, "copied unchanged", reason);
        }
        let target = match &mut self.target {
            Some(target) => target,
            None => self.target.insert(Target::open(Some(path))?),
        };
        let written = target.write_all(&fixed.text);
        written.map_err(|error| target.error(error))?;
        Ok(fixed.games)
    }

    fn progress(&mut self, bytes_read: u64) {
        self.progress.show(bytes_read);
    }
}
