//! A game line by line: for scripts, and for terminals that cannot do more.

mod input;

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabiya_board::{Bitboard, Color, Role};
use tabiya_engine::Signal;
use tabiya_play::{
    COMMANDS, Command, Event, Game, Hint, Level, News, Player, Session, Thinks, score_text,
    variation_text,
};

use super::start::{Starter, viewpoint};
use crate::diagram::{Diagram, Look, Marks};
use crate::pgn::printable;
use crate::screen::Screen;
use crate::spelling::{capitalized, list};
use crate::{remark, target, why};
use input::{Input, Typed};

/// How long the computer is waited for at a time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Plays a game until the input ends or the person has had enough.
pub(super) fn run(
    session: Session,
    starter: &Starter,
    seed: u64,
    is_shown: bool,
    screen: Screen,
) -> anyhow::Result<()> {
    let is_person = io::stdin().is_terminal();
    let mut lines = Lines {
        flipped: viewpoint(session.game()) == Color::Black,
        session,
        starter,
        seed,
        screen,
        is_shown,
        is_person,
        opening: None,
    };
    let outcome = lines.run();
    // Whatever went wrong, the clock of an unfinished game stops.
    let closed = lines.close();
    outcome.and(closed)
}

/// A game and how it is shown.
struct Lines<'a> {
    session: Session,
    starter: &'a Starter,
    seed: u64,
    screen: Screen,
    flipped: bool,
    /// Whether to show what the computer thinks.
    is_shown: bool,
    /// Whether a person types, who wants to see more than a program does.
    is_person: bool,
    /// The opening that was told last.
    opening: Option<&'static str>,
}

/// Prints a line at once.
fn say(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

impl Lines<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let input = Input::start();
        self.introduce()?;
        loop {
            let news = self.session.tick(Instant::now());
            self.show(news)?;
            while self.session.is_computers_turn() {
                let news = self.session.wait(PATIENCE);
                self.show(news)?;
            }
            self.prompt()?;
            let typed = match self.session.game().clock().deadline() {
                // A flag falls behind its deadline and not on it.
                Some(flag) => input.next_before(flag + Duration::from_millis(1)),
                None => input.next(),
            };
            match typed {
                Typed::Nothing => {}
                Typed::End => return Ok(()),
                Typed::TooLong => remark("the line is too long to be read"),
                Typed::Line(line) => match Command::read(&line) {
                    Ok(None) => {}
                    Ok(Some(Command::Quit)) => return Ok(()),
                    Ok(Some(command)) => self.obey(command)?,
                    Err(error) => remark(capitalized(&format!("{error}."))),
                },
            }
        }
    }

    /// Says where an unfinished game is.
    fn close(&mut self) -> anyhow::Result<()> {
        if self.session.close(Instant::now()).is_some() {
            say("The game is kept: tabiya play --resume goes on.")?;
        }
        Ok(())
    }

    /// Who plays, and the board.
    fn introduce(&mut self) -> io::Result<()> {
        let game = self.session.game();
        for color in Color::ALL {
            say(seat(color, game.player(color)))?;
        }
        if game.clock().control().at_start().is_some() {
            say(clocks(game, Instant::now()))?;
        }
        if game.line().moves().len() > 0 {
            say(moves(game))?;
        }
        if let Some(color) = game.offer() {
            say(offer(game, color))?;
        }
        self.opening = game.opening().map(|opening| opening.name);
        if self.is_person {
            say(self.board())?;
            say("Type a move, or help.")?;
        }
        Ok(())
    }

    fn prompt(&self) -> io::Result<()> {
        if !self.is_person {
            return Ok(());
        }
        let game = self.session.game();
        let mut out = anstream::stdout().lock();
        match game.ending() {
            None => write!(out, "{}> ", game.turn())?,
            Some(_) => write!(out, "> ")?,
        }
        out.flush()
    }

    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        let now = Instant::now();
        let acted = match command {
            Command::Move(text) => self.session.play_text(&text, now),
            Command::Undo => self.session.take_back(now),
            Command::Resign => self.session.resign(now),
            Command::Draw => self.session.draw(now),
            Command::Decline => self.session.decline(now),
            Command::Swap => self.session.swap(now),
            Command::Go => self.session.go(now),
            Command::Level(Some(level)) => self.session.set_level(level, now),
            other => {
                self.tell(other)?;
                return Ok(());
            }
        };
        match acted {
            Ok(news) => self.show(news)?,
            Err(refused) => remark(capitalized(&format!("{refused}."))),
        }
        Ok(())
    }

    /// Obeys what changes nothing in the game.
    fn tell(&mut self, command: Command) -> anyhow::Result<()> {
        let game = self.session.game();
        match command {
            Command::Hint => match Hint::find(game.line(), &Signal::default()) {
                Some(hint) if game.ending().is_none() => say(hint)?,
                _ => say("There is no move to be found.")?,
            },
            Command::Flip => {
                self.flipped = !self.flipped;
                say(self.board())?;
            }
            Command::Board => say(self.board())?,
            Command::Moves => say(moves(game))?,
            Command::Save(path) => match target::write(&path, game.pgn()) {
                Ok(()) => say(format_args!("Saved in {}.", crate::input::name(&path)))?,
                Err(error) => remark(format_args!("{error:#}")),
            },
            Command::New => self.begin()?,
            Command::Level(_) => say(levels())?,
            Command::Eval => match Thinks::about(game.line()) {
                Some(thinks) => say(thought(game, &thinks))?,
                None => say("There is no move to be found.")?,
            },
            Command::Think(is_shown) => self.is_shown = is_shown,
            Command::Why(text) => match why::sentence(game.board(), &text) {
                Ok(sentence) => say(capitalized(&sentence))?,
                Err(error) => remark(capitalized(&error.to_string())),
            },
            Command::Clock => say(clocks(game, Instant::now()))?,
            _ => say(help())?,
        }
        Ok(())
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        self.seed = self.seed.wrapping_add(1);
        let game = self.starter.game(self.seed)?;
        self.flipped = viewpoint(&game) == Color::Black;
        self.close()?;
        self.session.begin(game, Instant::now());
        self.introduce()?;
        Ok(())
    }

    /// Shows what has happened.
    fn show(&mut self, news: Vec<News>) -> io::Result<()> {
        let mut is_changed = false;
        for news in news {
            match news {
                News::Happened(event) => {
                    is_changed |= matches!(event, Event::Moved { .. } | Event::TookBack { .. });
                    self.show_event(&event)?;
                }
                News::Kept(path) => say(format_args!("The game is in {}.", path.display()))?,
                News::Trouble(trouble) => remark(capitalized(&format!("{trouble}."))),
                // Its last thought is shown with its move.
                _ => {}
            }
        }
        let opening = self.session.game().opening();
        if is_changed
            && let Some(opening) = opening
            && self.opening != Some(opening.name)
        {
            self.opening = Some(opening.name);
            say(format_args!("Opening: {} {}", opening.eco, opening.name))?;
        }
        if is_changed && self.is_person && !self.session.is_computers_turn() {
            say(self.board())?;
        }
        Ok(())
    }

    fn show_event(&self, event: &Event) -> io::Result<()> {
        let game = self.session.game();
        match event {
            Event::Moved { san, .. } => {
                let Some((board, _)) = game.line().played().last() else {
                    return Ok(());
                };
                let dots = if board.turn().is_white() { "." } else { "..." };
                say(format_args!("{}{dots} {san}", board.fullmove_number()))?;
                if let Some(thinks) = self.session.thinks()
                    && self.is_shown
                    && !game.player(board.turn()).is_person()
                {
                    let line = variation_text(board, &thinks.pv);
                    let score = score_text(thinks.score, board.turn());
                    say(format_args!(
                        "  thinks {score} at depth {}: {line}",
                        thinks.depth
                    ))?;
                }
                Ok(())
            }
            Event::TookBack { plies: 1 } => say("The last move is taken back."),
            Event::TookBack { plies } => {
                say(format_args!("The last {plies} moves are taken back."))
            }
            Event::Offered(color) => say(offer(game, *color)),
            Event::Declined(color) => say(format_args!("{color} declines the draw.")),
            Event::Seated { color, player } => say(seat(*color, player)),
            Event::Ended(ending) => {
                let result = ending.result().as_str();
                say(format_args!(
                    "{}. {result}",
                    capitalized(&ending.to_string())
                ))
            }
            _ => Ok(()),
        }
    }

    /// The board, and what is no longer on it.
    fn board(&self) -> String {
        let game = self.session.game();
        let last = game.last_move();
        let diagram = Diagram {
            position: game.board(),
            look: Look::suiting(self.screen),
            flipped: self.flipped,
            marks: Marks {
                way: last.map_or(Bitboard::EMPTY, |mv| {
                    Bitboard::from(mv.from()) | Bitboard::from(mv.to())
                }),
                trouble: Bitboard::EMPTY,
            },
        };
        let mut text = diagram.to_string();
        let material = game.material();
        for (color, roles) in Color::ALL.into_iter().zip(&material.captured) {
            if !roles.is_empty() {
                let roles = list(roles.iter().copied().map(Role::name));
                // Writing to a string does not fail.
                let _ = writeln!(text, "{} has captured: {roles}", !color);
            }
        }
        match material.balance {
            0 => {}
            more => {
                let color = if more > 0 { Color::White } else { Color::Black };
                let _ = writeln!(text, "{color} is ahead by {}", more.abs());
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// The moves so far, and what the opening is called.
fn moves(game: &Game) -> String {
    let played: Vec<_> = game.line().moves().collect();
    let mut text = if played.is_empty() {
        "No move has been played.".to_owned()
    } else {
        variation_text(game.line().start(), &played)
    };
    if let Some(opening) = game.opening() {
        let _ = write!(text, "\nOpening: {} {}", opening.eco, opening.name);
    }
    text
}

/// Who plays a colour. A name may hold anything.
fn seat(color: Color, player: &Player) -> String {
    format!("{color}: {}", printable(&player.to_string()))
}

/// That a side offers a draw; to a person who plays against the computer, how to take it, too.
fn offer(game: &Game, color: Color) -> String {
    let is_for_person = !game.player(color).is_person() && game.player(!color).is_person();
    let how = if is_for_person {
        " Type draw to take it, or play on."
    } else {
        ""
    };
    format!("{color} offers a draw.{how}")
}

fn clocks(game: &Game, now: Instant) -> String {
    let side = |color| {
        let left = game.clock().left(color, now)?;
        let seconds = left.as_secs();
        Some(format!("{color} {}:{:02}", seconds / 60, seconds % 60))
    };
    let sides: Vec<_> = Color::ALL.into_iter().filter_map(side).collect();
    if sides.is_empty() {
        return "There is no clock.".to_owned();
    }
    format!("Clock: {}", sides.join(", "))
}

fn thought(game: &Game, thinks: &Thinks) -> String {
    let score = score_text(thinks.score, game.turn());
    let line = variation_text(game.board(), &thinks.pv);
    format!("{score} at depth {}: {line}", thinks.depth)
}

fn levels() -> String {
    let line = |level: Level| {
        let rating = level
            .rating()
            .map_or_else(String::new, |rating| format!(" (about {rating})"));
        let (name, description) = (level.name(), level.description());
        format!("{:>2}  {name}{rating}: {description}", level.number())
    };
    Level::ALL.map(line).join("\n")
}

fn help() -> String {
    let line = |(words, sentence): (&str, &str)| format!("{words:<20}  {sentence}");
    COMMANDS.map(line).join("\n")
}
