//! Games, one after the other.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use tabiya_board::{Board, Line};
use tabiya_engine::{Engine, Limits, Signal};
use tabiya_notation::pgn::Game;
use tabiya_review::{Review, review};
use tabiya_terminal::{Loaded, Source, title};

use super::output::Output;
use super::report::{GameFacts, report};
use super::{Arguments, INTERRUPTED, interruptible, position};
use crate::input::{Input, is_standard_input, name};
use crate::pgn::progress::duration;
use crate::pgn::show::games::Games;
use crate::remark;
use crate::screen::{Answer, Screen};
use crate::status_line::StatusLine;
use crate::target::Target;

/// The time for each position if nothing else is said: a game of forty moves takes half a minute.
const USUAL: Duration = Duration::from_millis(400);
/// The exit code where a game cannot be read.
const LEFT: u8 = 1;

pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    input: Input,
    screen: Screen,
) -> anyhow::Result<Answer> {
    let mut games = Games::new(path, input, arguments.read.letters);
    let game = games.find(arguments.game)?;
    if let Some(ply) = arguments.ply {
        if let Some(problem) = game.problem {
            bail!("{problem}");
        }
        return position::run(arguments, &place(&game.game, ply)?, screen);
    }
    if arguments.lines > 1 {
        bail!(
            "--lines is for positions: of games, only the best line is written; name a place with --ply"
        );
    }
    if let Some(svg) = &arguments.svg {
        if is_standard_input(svg) {
            bail!("--svg needs the name of a file");
        }
        // Whoever names a file that cannot be written shall know before the work, not after it.
        drop(Target::open(Some(svg))?);
    }
    let mut work = Work {
        arguments,
        path,
        engine: arguments.engine()?,
        limits: arguments.limits(Some(USUAL)),
        signal: interruptible(),
        output: Output::open(arguments)?,
        pace: Pace::new(),
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
        if !work.game(loaded, games.source(number), total, screen)? {
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
    Ok(Answer {
        text: String::new(),
        code: work.code,
    })
}

/// The game up to a place in its main line.
fn place(game: &Game, ply: usize) -> anyhow::Result<Line> {
    let mut line = Line::new(*game.start());
    let mut plies = 0;
    for node in game.main_line().take(ply) {
        match game.move_to(node) {
            Some(mv) => line.play(mv),
            None => line = Line::new(line.board().pass().unwrap_or(*line.board())),
        }
        plies += 1;
    }
    if plies < ply {
        bail!("there is no ply {ply}: the game has {plies} moves of both sides");
    }
    Ok(line)
}

/// What all games have to do with.
struct Work<'a> {
    arguments: &'a Arguments,
    path: &'a Path,
    engine: Engine,
    limits: Limits,
    signal: Signal,
    output: Output,
    pace: Pace,
    code: u8,
}

impl Work<'_> {
    /// Analyses a game and writes it; false if that is interrupted.
    fn game(
        &mut self,
        loaded: Loaded,
        source: &[u8],
        total: Option<usize>,
        screen: Screen,
    ) -> anyhow::Result<bool> {
        let Loaded {
            number,
            mut game,
            problem,
        } = loaded;
        if let Some(problem) = problem {
            self.pace.clear();
            remark(format_args!("{problem} (game {number} is left as it is)"));
            self.code = LEFT;
            self.copy(source)?;
            return Ok(true);
        }
        // What was found in another game shall make no difference.
        self.engine.forget();
        let pace = &mut self.pace;
        pace.start_game(number, total);
        let reviewed = review(
            &mut self.engine,
            &game,
            &self.limits,
            &self.signal,
            &mut |done, of| pace.show(done, of),
        );
        self.pace.end_game();
        let Some(review) = reviewed else {
            return Ok(false);
        };
        if let Some(path) = &self.arguments.svg {
            let is_one_of_many = self.arguments.game.is_none() && total != Some(1);
            draw(path, is_one_of_many.then_some(number), &game, &review)?;
        }
        if self.arguments.json {
            let facts = GameFacts::of(number, &game, &review);
            self.output.print(&screen.json(&facts)?)?;
        }
        let text = self
            .output
            .reader()
            .map(|reader| report(number, &game, &review, reader));
        review.annotate(&mut game);
        self.output.write(format!("{game}\n").as_bytes())?;
        if let Some(text) = text {
            self.output.say(&text)?;
        }
        Ok(true)
    }

    /// Writes a game as it stands in the file.
    fn copy(&mut self, source: &[u8]) -> anyhow::Result<()> {
        self.output.write(source.trim_ascii())?;
        self.output.write(b"\n\n")
    }

    /// Says what becomes of the games that were not reached. A file gets them as they were, so that nothing is lost even
    /// where it takes the place of the one that is read.
    fn interrupted(&mut self, games: &mut Games, first: usize) -> anyhow::Result<()> {
        self.code = INTERRUPTED;
        if !self.output.is_file() {
            remark(format_args!("interrupted: game {first} is not written"));
            return Ok(());
        }
        let rest = match self.arguments.game {
            Some(_) => "is written as it is",
            None => "and those behind it are written as they are",
        };
        let file = name(self.path);
        remark(format_args!("interrupted: game {first} {rest} in {file}"));
        let mut number = first;
        loop {
            self.copy(games.source(number))?;
            number += 1;
            if self.arguments.game.is_some() || games.get(number)?.is_none() {
                return Ok(());
            }
        }
    }
}

/// Draws White's chances to a file.
fn draw(path: &Path, number: Option<usize>, game: &Game, review: &Review) -> anyhow::Result<()> {
    let path = number.map_or_else(|| path.to_owned(), |number| numbered(path, number));
    let mut target = Target::open(Some(&path))?;
    let svg = review.svg(&title(game));
    let written = std::io::Write::write_all(&mut target, svg.as_bytes());
    written.map_err(|error| target.failed(error))?;
    target.keep()
}

/// A name with a number in it: `graph-3.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut file = path.file_stem().unwrap_or_default().to_owned();
    file.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        file.push(".");
        file.push(extension);
    }
    path.with_file_name(file)
}

/// How far the work is, and how long it still takes.
struct Pace {
    line: StatusLine,
    start: Instant,
    game: usize,
    /// How many games there are, if that is known.
    total: Option<usize>,
    /// The games before this one, and their positions.
    games: usize,
    positions: usize,
    /// The positions of this game.
    of: usize,
}

impl Pace {
    fn new() -> Self {
        Self {
            line: StatusLine::new(),
            start: Instant::now(),
            game: 0,
            total: None,
            games: 0,
            positions: 0,
            of: 0,
        }
    }

    fn start_game(&mut self, game: usize, total: Option<usize>) {
        (self.game, self.total, self.of) = (game, total, 0);
    }

    fn show(&mut self, done: usize, of: usize) {
        self.of = of;
        let text = self.text(done, self.start.elapsed());
        self.line.show(&text);
    }

    fn text(&self, done: usize, elapsed: Duration) -> String {
        let Self { game, of, .. } = self;
        // This game is as good a guess at the length of the next ones as those before it.
        let games = self.games as f64 + 1.0;
        let length = (self.positions + of) as f64 / games;
        let later = self
            .total
            .map(|total| total.saturating_sub(self.games + 1) as f64 * length);
        let each = elapsed.as_secs_f64() / (self.positions + done).max(1) as f64;
        let left = (of - done) as f64 + later.unwrap_or(0.0);
        let left = duration((left * each).ceil() as u64);
        match self.total {
            Some(1) => format!("position {done} of {of}, {left} left"),
            Some(total) => {
                format!("game {game} of {total}, position {done} of {of}, {left} left")
            }
            None => format!("game {game}, position {done} of {of}, {left} left of this game"),
        }
    }

    fn end_game(&mut self) {
        self.games += 1;
        self.positions += self.of;
        self.clear();
    }

    fn clear(&mut self) {
        self.line.clear();
    }
}

/// The boards of the main line, without the start.
pub(super) fn boards(review: &Review) -> Vec<Board> {
    let after = |mv: &tabiya_review::ReviewedMove| match mv.mv {
        Some(played) => mv.board.after(played),
        None => mv.board.pass().unwrap_or(mv.board),
    };
    review.moves.iter().map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left() {
        let mut pace = Pace::new();
        pace.start_game(1, Some(1));
        pace.of = 81;
        let second = Duration::from_secs(1);
        assert_eq!(pace.text(1, second), "position 1 of 81, 1 min 20 s left");
        pace.total = Some(3);
        assert_eq!(
            pace.text(41, 41 * second),
            "game 1 of 3, position 41 of 81, 3 min 22 s left"
        );
        pace.end_game();
        pace.start_game(2, None);
        pace.of = 41;
        assert_eq!(
            pace.text(40, 121 * second),
            "game 2, position 40 of 41, 1 s left of this game"
        );
    }

    #[test]
    fn numbers_in_names() {
        for (path, wanted) in [
            ("graph.svg", "graph-3.svg"),
            ("a.b/graph", "a.b/graph-3"),
            ("x/.svg", "x/.svg-3"),
        ] {
            assert_eq!(numbered(Path::new(path), 3), Path::new(wanted));
        }
    }
}
