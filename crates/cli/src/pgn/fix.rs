//! `tabiya pgn fix`: writes games in the standard form.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tabiya_notation::PieceLetters;
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Batch, Game, Reader, decode_tag};

use super::letters::{self, sentence};
use super::progress::Progress;
use super::replay::{Blind, players, replay};
use super::work::{Place, each_batch};
use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::input::{Unreadable, is_packed, is_standard_input, name};
use crate::screen::{Answer, Screen};
use crate::target::Target;
use crate::{FAILURE, complain, remark};

/// The exit code where a game was left as it is.
const LEFT: u8 = 1;

/// Write games in the standard form
///
/// The seven tags of the standard come first and in their order, those that are missing with a question mark; moves are
/// written as the standard wants them, with the English letters, in lines of less than 80 columns. A game that cannot be
/// read is left as it is, and its place is told on standard error. What stands between games is kept, and so are lines
/// that start with a %, which the standard leaves to programs: behind the move that they follow.
///
/// The exit code is 0 if all games were rewritten, 1 if some were left as they are, and 2 if a file cannot be read or
/// written. A file is written over only when all that shall be in it was read and written.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn fix games.pgn"
    "tabiya pgn fix games.pgn -o fixed.pgn"
    "tabiya pgn fix --in-place *.pgn"
    "tabiya pgn fix --letters de partien.pgn -o games.pgn"
    "zstdcat games.pgn.zst | tabiya pgn fix | less"
))]
pub(crate) struct Arguments {
    /// Files of games, compressed or not; without them, or as -, standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write every file over itself
    #[arg(long, short, conflicts_with = "output", requires = "files")]
    in_place: bool,

    #[command(flatten)]
    read: letters::Read,

    /// How many threads work; without it, one for each core
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

/// The names of the seven tags that every game has, and their values where nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A batch, rewritten.
struct Fixed {
    text: Vec<u8>,
    games: u64,
    left: Vec<Left>,
}

impl Fixed {
    /// Keeps what stands between games and belongs to none: comments, and lines for programs.
    fn between_games(&mut self, mut text: &[u8]) {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        loop {
            text = text.trim_ascii();
            match text.strip_prefix(MARK).or(text.strip_suffix(MARK)) {
                Some(rest) => text = rest,
                None => break,
            }
        }
        if !text.is_empty() {
            self.text.extend_from_slice(text);
            self.text.push(b'\n');
        }
    }
}

/// A game that was left as it is.
struct Left {
    /// Its number in the batch, from 0.
    game: u64,
    line: usize,
    column: usize,
    players: String,
    reason: String,
}

fn fix(batch: &Batch, letters: &PieceLetters) -> Fixed {
    let mut reader = Reader::new(&batch.text);
    let mut fixed = Fixed {
        text: Vec::with_capacity(batch.text.len() * 9 / 8),
        games: 0,
        left: Vec::new(),
    };
    loop {
        let mut before = reader.clone();
        let Some(game) = Game::read_with(&mut reader, letters) else {
            fixed.between_games(&batch.text[before.offset()..]);
            return fixed;
        };
        match game {
            Ok(mut game) => {
                let mut first = before.clone();
                first.next();
                fixed.between_games(&batch.text[before.offset()..first.event_offset()]);
                standardize(&mut game);
                // Writing to memory does not fail.
                let _ = write!(fixed.text, "{game}");
            }
            Err(error) => {
                let (line, column) = batch.line_and_column(error.offset);
                let verbatim = &batch.text[before.offset()..reader.offset()];
                let replayed = replay(&mut before, letters, &mut Blind);
                let (white, black) = replayed.map_or((&b""[..], &b""[..]), |replayed| {
                    (replayed.white, replayed.black)
                });
                fixed.left.push(Left {
                    game: fixed.games,
                    line,
                    column,
                    players: players(&decode_tag(white), &decode_tag(black)),
                    reason: sentence(&error.kind),
                });
                fixed.text.extend_from_slice(verbatim.trim_ascii());
                fixed.text.push(b'\n');
            }
        }
        fixed.text.push(b'\n');
        fixed.games += 1;
    }
}

/// Gives a game the tags that the standard asks for, in its order, and one result in both places where it stands.
pub(crate) fn standardize(game: &mut Game) {
    let known = |result: &GameResult| *result != GameResult::Unknown;
    let in_tag = game.tag("Result").and_then(|text| {
        let text = text.trim();
        let mut results = RESULTS.into_iter();
        results.find(|result| result.as_str() == text)
    });
    let result = game.result.filter(known).or(in_tag);
    let result = result.unwrap_or(GameResult::Unknown);
    game.result = Some(result);

    let mut others = std::mem::take(&mut game.tags);
    for (name, unknown) in ROSTER {
        let at = others.iter().position(|(other, _)| other == name);
        let mut tag = match at {
            Some(at) => others.remove(at),
            None => (name.to_owned(), unknown.to_owned()),
        };
        if name == "Result" {
            result.as_str().clone_into(&mut tag.1);
        } else if tag.1.trim().is_empty() {
            unknown.clone_into(&mut tag.1);
        }
        game.tags.push(tag);
    }
    let has = |name: &str| others.iter().any(|(other, _)| other == name);
    if has("FEN") && !has("SetUp") {
        game.tags.push(("SetUp".to_owned(), "1".to_owned()));
    }
    game.tags.append(&mut others);
}

const RESULTS: [GameResult; 4] = [
    GameResult::WhiteWins,
    GameResult::BlackWins,
    GameResult::Draw,
    GameResult::Unknown,
];

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    let mut files = arguments.files.clone();
    if files.is_empty() {
        files.push("-".into());
    }
    if arguments.in_place {
        for path in &files {
            if is_standard_input(path) {
                bail!("standard input cannot be written over: leave --in-place out");
            }
            if is_packed(path) {
                bail!(
                    "{} is compressed, and what is written is not: name another file with -o",
                    name(path)
                );
            }
        }
    }
    let threads = arguments.threads.unwrap_or_else(cores);
    let mut progress = Progress::new(&files, true);
    let mut writer = Writer {
        arguments,
        files: &files,
        target: None,
        current: 0,
        code: 0,
        spoiled: false,
    };
    if !arguments.in_place {
        writer.target = Some(Target::open(arguments.output.as_deref())?);
    }
    each_batch(
        &files,
        threads,
        &mut progress,
        |batch| fix(batch, &arguments.read.letters),
        |progress, place, fixed| writer.gather(progress, place, fixed),
    )?;
    progress.clear();
    writer.finish()?;
    Ok(Answer {
        text: String::new(),
        code: writer.code,
    })
}

/// Puts what is rewritten where it belongs.
struct Writer<'a> {
    arguments: &'a Arguments,
    files: &'a [PathBuf],
    target: Option<Target>,
    /// The number of the file that is read.
    current: usize,
    code: u8,
    /// Whether something of what should be written cannot be read: then no file is written over.
    spoiled: bool,
}

impl Writer<'_> {
    fn gather(
        &mut self,
        progress: &mut Progress,
        place: Place,
        fixed: Result<Fixed, Unreadable>,
    ) -> anyhow::Result<u64> {
        if place.file != self.current {
            if self.arguments.in_place {
                self.finish()?;
                self.spoiled = false;
            }
            self.current = place.file;
        }
        let path = &self.files[place.file];
        let fixed = match fixed {
            Ok(fixed) => fixed,
            Err(error) => {
                progress.clear();
                complain(error);
                (self.code, self.spoiled) = (FAILURE, true);
                return Ok(0);
            }
        };
        if !fixed.left.is_empty() {
            progress.clear();
            self.code = self.code.max(LEFT);
        }
        for left in &fixed.left {
            remark(format_args!(
                "{}:{}:{}: game {} ({}) is left as it is: {}",
                name(path),
                left.line,
                left.column,
                place.games_before + left.game + 1,
                left.players,
                left.reason
            ));
        }
        let target = match &mut self.target {
            Some(target) => target,
            None => self.target.insert(Target::open(Some(path))?),
        };
        let written = target.write_all(&fixed.text);
        written.map_err(|error| target.failed(error))?;
        Ok(fixed.games)
    }

    /// Makes the file that is being written the one it shall be.
    fn finish(&mut self) -> anyhow::Result<()> {
        match self.target.take() {
            Some(Target::File { path, .. }) if self.spoiled => {
                remark(format_args!("{} is left as it was", name(&path)));
                Ok(())
            }
            Some(target) => target.keep(),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(games: &str) -> String {
        let batch = Batch {
            text: games.into(),
            lines_before: 0,
            bytes_before: 0,
        };
        String::from_utf8(fix(&batch, &PieceLetters::ENGLISH).text).unwrap()
    }

    #[test]
    fn what_is_standard_stays_as_it_is() {
        let game = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                    [White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
                    1. e4 e5 $1 (1... c5) 2. Nf3 1-0\n\n";
        assert_eq!(fixed(game), game);
    }

    #[test]
    fn one_result_in_both_places() {
        for (tag, behind, result) in [
            ("1-0", "", "1-0"),
            ("1-0", "*", "1-0"),
            ("1-0", "0-1", "0-1"),
            ("?", "1/2-1/2", "1/2-1/2"),
            ("", "", "*"),
        ] {
            let fixed = fixed(&format!("[Result \"{tag}\"]\n\n1. e4 {behind}\n"));
            assert!(
                fixed.contains(&format!("[Result \"{result}\"]\n\n1. e4 {result}\n")),
                "{fixed}"
            );
        }
    }
}
