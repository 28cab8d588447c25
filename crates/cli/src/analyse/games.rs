//! `tabiya analyse games.pgn`: the games of a file.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use tabiya_display::caption::title;
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_games::{GameFile, Input, NumberedGame, PlacedError, display_name, is_standard_input};
use tabiya_notation::pgn::Game;
use tabiya_review::{GameJson, Review, ReviewProgress, report, review};

use super::output::Output;
use super::{Arguments, interruptible, position};
use crate::pgn::letters::placed_sentence;
use crate::pgn::{history_at, note_encoding};
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::target::Target;
use crate::{INTERRUPTED, remark};

/// The default time for each position. A game of forty moves takes half a minute.
const DEFAULT_TIME: Duration = Duration::from_millis(400);
/// The exit code if a game cannot be read.
const UNREADABLE: u8 = 1;

pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    input: Input,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let games = GameFile::new(path, input, arguments.read.letters);
    let mut games = games.with_max_game(arguments.read.max_game);
    let game = games.find(arguments.game.unwrap_or(1))?;
    note_encoding(path, games.encoding());
    if let Some(ply) = arguments.ply {
        if let Some(error) = game.error {
            bail!("{}", placed_sentence(&error));
        }
        return position::run(arguments, &history_at(&game, ply)?, screen);
    }
    if arguments.lines > 1 {
        bail!("--lines works for positions only; choose a position of the game with --ply");
    }
    if let Some(svg) = &arguments.svg {
        if is_standard_input(svg) {
            bail!("--svg needs a file name");
        }
        // Fail before the analysis, not after it.
        drop(Target::create(Some(svg), arguments.force)?);
    }
    let mut work = Work {
        arguments,
        path,
        engine: arguments.engine(),
        limits: arguments.limits(Some(DEFAULT_TIME)),
        signal: interruptible(),
        output: Output::open(arguments)?,
        progress: Progress::new(),
        code: 0,
    };
    let mut next = Some(game);
    let mut failure = None;
    while let Some(loaded) = next {
        let number = loaded.number;
        let total = match arguments.game {
            Some(_) => Some(1),
            None => games.total(),
        };
        if let Some(error) = &loaded.error {
            work.unreadable(&mut games, number, error)?;
        } else if !work.game(loaded, total, screen)? {
            work.interrupted(&mut games, number)?;
            break;
        }
        if arguments.game.is_some() {
            break;
        }
        next = games.get(number + 1).unwrap_or_else(|error| {
            failure = Some(error);
            None
        });
    }
    if let Some(error) = failure {
        work.output.finish_early(path)?;
        return Err(error.into());
    }
    work.output.finish()?;
    Ok(CommandOutput::code(work.code))
}

/// The state shared by all games.
struct Work<'a> {
    arguments: &'a Arguments,
    path: &'a Path,
    engine: Engine,
    limits: Limits,
    signal: StopSignal,
    output: Output,
    progress: Progress,
    code: u8,
}

impl Work<'_> {
    /// Analyses and writes a game. Returns false if interrupted.
    fn game(
        &mut self,
        loaded: NumberedGame,
        total: Option<usize>,
        screen: Screen,
    ) -> anyhow::Result<bool> {
        let (number, mut game) = (loaded.number, loaded.game);
        // Each game is analysed as if it were the only one.
        self.engine.new_game();
        let progress = &mut self.progress;
        progress.counts.start_game(number, total);
        let reviewed = review(
            &mut self.engine,
            &game,
            &self.limits,
            &self.signal,
            &mut |done, of| progress.show(done, of),
        );
        self.progress.counts.end_game();
        self.progress.line.clear();
        let Some(review) = reviewed else {
            return Ok(false);
        };
        if let Some(path) = &self.arguments.svg {
            let is_one_of_many = self.arguments.game.is_none() && total != Some(1);
            let number = is_one_of_many.then_some(number);
            draw(path, self.arguments.force, number, &game, &review)?;
        }
        if self.arguments.json {
            let json = GameJson::of(number, &game, &review);
            self.output.print(&screen.json(&json)?)?;
        }
        let text = self
            .output
            .reader()
            .map(|reader| report(number, &game, &review, reader.report_style()));
        review.annotate(&mut game);
        self.output.write(format!("{game}\n").as_bytes())?;
        if let Some(text) = text {
            self.output.say(&text)?;
        }
        Ok(true)
    }

    /// Reports a game that cannot be read, and copies it: nothing may be lost from a file that replaces another one.
    fn unreadable(
        &mut self,
        games: &mut GameFile,
        number: usize,
        error: &PlacedError,
    ) -> anyhow::Result<()> {
        self.progress.line.clear();
        let problem = placed_sentence(error);
        remark(format_args!(
            "{problem} (game {number} is copied unchanged)"
        ));
        self.code = UNREADABLE;
        self.copy(games, number)
    }

    /// Copies a game unchanged.
    fn copy(&mut self, games: &mut GameFile, number: usize) -> anyhow::Result<()> {
        games.copy(number, |text| self.output.write(text))?;
        self.output.write(b"\n\n")
    }

    /// Reports the interruption. An output file gets the remaining games unchanged, because it may replace the input.
    fn interrupted(&mut self, games: &mut GameFile, first: usize) -> anyhow::Result<()> {
        self.code = INTERRUPTED;
        if !self.output.is_file() {
            remark(format_args!("interrupted at game {first}"));
            return Ok(());
        }
        let rest = match self.arguments.game {
            Some(_) => "is",
            None => "and the games after it are",
        };
        let file = display_name(self.path);
        remark(format_args!(
            "interrupted: game {first} {rest} copied unchanged from {file}"
        ));
        let mut number = first;
        loop {
            self.copy(games, number)?;
            number += 1;
            if self.arguments.game.is_some() || games.get(number)?.is_none() {
                return Ok(());
            }
        }
    }
}

/// Draws the graph to an SVG file.
fn draw(
    path: &Path,
    force: bool,
    number: Option<usize>,
    game: &Game,
    review: &Review,
) -> anyhow::Result<()> {
    let path = number.map_or_else(
        || path.to_owned(),
        |number| tabiya_files::numbered(path, number),
    );
    let mut target = Target::create(Some(&path), force)?;
    let svg = review.svg(&title(game));
    let written = std::io::Write::write_all(&mut target, svg.as_bytes());
    written.map_err(|error| target.error(error))?;
    target.commit()
}

/// The progress line.
struct Progress {
    line: StatusLine,
    start: Instant,
    counts: ReviewProgress,
}

impl Progress {
    fn new() -> Self {
        Self {
            line: StatusLine::new(),
            start: Instant::now(),
            counts: ReviewProgress::default(),
        }
    }

    fn show(&mut self, position: usize, positions: usize) {
        let text = self.counts.text(position, positions, self.start.elapsed());
        self.line.show(&text);
    }
}
