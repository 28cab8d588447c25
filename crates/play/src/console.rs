//! A game played line by line: for scripts, and for terminals without a full screen.

mod line_reader;

use std::error::Error;
use std::fmt::{Display, Write as _};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tabiya_board::{Board, Color, Role};
use tabiya_display::diagram::{Diagram, DiagramStyle, Highlights};
use tabiya_display::explain::describe;
use tabiya_display::speech::{say_board, say_file, say_move, say_pieces, say_rank, say_square};
use tabiya_display::text::{capitalized, list, printable};
use tabiya_display::variation::format_variation;
use tabiya_engine::{Level, StopSignal};
use tabiya_notation::pgn;
use tabiya_notation::uci::SearchInfo;

use crate::collection::SavedGame;
use crate::command::{COMMANDS, GameCommand};
use crate::computer::quick_eval;
use crate::event::GameEvent;
use crate::game::Game;
use crate::hint::{Hint, format_score};
use crate::parse_move::parse_move;
use crate::player::Player;
use crate::session::{Session, SessionEvent};

pub use line_reader::{LineInput, LineReader};

/// How long to wait for the computer before looking at the clock again.
const WAIT: Duration = Duration::from_secs(1);

/// Input, output and files of a [`Console`].
pub trait ConsoleIo {
    /// Prints a line.
    fn print(&mut self, line: &str) -> io::Result<()>;

    /// Prints a prompt without a newline.
    fn prompt(&mut self, prompt: &str) -> io::Result<()>;

    /// Reports a problem.
    fn warn(&mut self, message: &str);

    /// Reads a line, until the deadline if there is one.
    fn read_line(&mut self, deadline: Option<Instant>) -> LineInput;

    /// Saves a game to a file, after the games that are in it.
    fn save(&mut self, path: &Path, game: &pgn::Game) -> Result<SavedGame, Box<dyn Error>>;
}

/// How a [`Console`] shows the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, as people set them"
)]
pub struct ConsoleOptions {
    /// How the board is drawn.
    pub diagram: DiagramStyle,
    /// Whether a person types, who wants prompts and boards, and not a program.
    pub interactive: bool,
    /// Whether to show what the computer is thinking.
    pub shows_thinking: bool,
    /// Whether to write for a screen reader: moves and boards in words, and a board only on request.
    pub speaks: bool,
    /// Whether to ring the bell when it is a person's turn.
    pub rings: bool,
}

/// A game played line by line.
pub struct Console<'a> {
    session: Session,
    new_game: &'a mut dyn FnMut() -> Game,
    io: &'a mut dyn ConsoleIo,
    options: ConsoleOptions,
    flipped: bool,
    /// The opening that was announced last.
    opening: Option<&'static str>,
}

impl<'a> Console<'a> {
    /// Creates a console. `new_game` sets up further games.
    pub fn new(
        session: Session,
        new_game: &'a mut dyn FnMut() -> Game,
        io: &'a mut dyn ConsoleIo,
        options: ConsoleOptions,
    ) -> Self {
        Self {
            flipped: session.game().viewpoint() == Color::Black,
            session,
            new_game,
            io,
            options,
            opening: None,
        }
    }

    /// Plays until the end of the input or the quit command.
    pub fn run(mut self) -> io::Result<()> {
        let played = self.play();
        // Stop the clock of an unfinished game, even after an error.
        let closed = self.close();
        played.and(closed)
    }

    fn play(&mut self) -> io::Result<()> {
        self.introduce()?;
        loop {
            let events = self.session.tick(Instant::now());
            self.show(events)?;
            while self.session.is_computers_turn() {
                let events = self.session.wait(WAIT);
                self.show(events)?;
            }
            self.prompt()?;
            // A flag falls just after its deadline.
            let deadline = self.session.game().clock().deadline();
            let deadline = deadline.map(|flag| flag + Duration::from_millis(1));
            match self.io.read_line(deadline) {
                LineInput::Timeout => {}
                LineInput::End => return Ok(()),
                LineInput::TooLong => self.io.warn("This line is too long."),
                LineInput::Line(line) => match GameCommand::parse(&line) {
                    Ok(None) => {}
                    Ok(Some(GameCommand::Quit)) => return Ok(()),
                    Ok(Some(command)) => self.run_command(command)?,
                    Err(error) => self.warn(error),
                },
            }
        }
    }

    fn say(&mut self, line: impl Display) -> io::Result<()> {
        self.io.print(&line.to_string())
    }

    fn warn(&mut self, problem: impl Display) {
        // The message may quote what was typed.
        self.io.warn(&sentence(&printable(&problem.to_string())));
    }

    fn close(&mut self) -> io::Result<()> {
        if self.session.close(Instant::now()).is_some() {
            self.say("Game saved. Continue it with: tabiya play --resume")?;
        }
        Ok(())
    }

    /// Prints the players and the board.
    fn introduce(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let mut lines: Vec<String> = Color::ALL
            .map(|color| seat(color, game.player(color)))
            .into();
        if game.clock().control() != tabiya_notation::TimeControl::None {
            lines.push(clocks(game, Instant::now()));
        }
        if game.history().moves().len() > 0 {
            lines.push(moves(game));
        }
        if let Some(color) = game.draw_offer() {
            lines.push(offer(game, color));
        }
        self.opening = game.opening().map(|opening| opening.name);
        if self.options.speaks {
            lines.push(
                "Type a move such as e4, or board, rank 4, file e, square e4, where knights, or help."
                    .to_owned(),
            );
        } else if self.options.interactive {
            lines.push(self.board());
            lines.push("Type a move or help.".to_owned());
        }
        self.say(lines.join("\n"))
    }

    fn prompt(&mut self) -> io::Result<()> {
        if !self.options.interactive {
            return Ok(());
        }
        let game = self.session.game();
        let prompt = match game.termination() {
            None => format!("{}> ", game.turn()),
            Some(_) => "> ".to_owned(),
        };
        self.io.prompt(&prompt)
    }

    /// Runs a command that changes the game, or passes it on to [`answer`](Self::answer).
    fn run_command(&mut self, command: GameCommand) -> io::Result<()> {
        let now = Instant::now();
        let done = match command {
            GameCommand::Move(text) => self.session.play_text(&text, now),
            GameCommand::Undo => self.session.take_back(now),
            GameCommand::Redo => self.session.redo(now),
            GameCommand::Resign(color) => self.session.resign(color, now),
            GameCommand::Draw => self.session.draw(now),
            GameCommand::Decline => self.session.decline(now),
            GameCommand::Swap => self.session.swap_sides(now),
            GameCommand::Go => self.session.play_for_me(now),
            GameCommand::Level(Some(level)) => self.session.set_level(level, now),
            other => return self.answer(other),
        };
        match done {
            Ok(events) => self.show(events)?,
            Err(error) => self.warn(error),
        }
        Ok(())
    }

    /// Runs a command that leaves the game as it is.
    fn answer(&mut self, command: GameCommand) -> io::Result<()> {
        const NO_MOVES: &str = "The game is over.";
        let game = self.session.game();
        match command {
            GameCommand::Hint => match Hint::find(game.history(), &StopSignal::default()) {
                Some(hint) if game.termination().is_none() => {
                    self.say(sentence(&format!("Hint: {hint}")))
                }
                _ => self.say(NO_MOVES),
            },
            GameCommand::Flip => {
                self.flipped = !self.flipped;
                self.say(self.board())
            }
            GameCommand::Board if self.options.speaks => self.say(format!(
                "{}\n{} to move",
                say_board(game.board()),
                game.turn()
            )),
            GameCommand::Board => self.say(self.board()),
            GameCommand::Rank(rank) => self.say(say_rank(game.board(), rank)),
            GameCommand::File(file) => self.say(say_file(game.board(), file)),
            GameCommand::Square(square) => self.say(say_square(game.board(), square)),
            GameCommand::Where(color, role) => self.say(say_pieces(game.board(), color, role)),
            GameCommand::Moves => self.say(moves(game)),
            GameCommand::Save(path) => match self.io.save(&path, &game.pgn()) {
                Ok(saved) => self.say(format_args!("{saved} {}.", path.display())),
                Err(error) => {
                    self.warn(error);
                    Ok(())
                }
            },
            GameCommand::New => self.start_new_game(),
            GameCommand::Level(_) => self.say(levels()),
            GameCommand::Eval => match quick_eval(game.history()) {
                Some(info) => self.say(evaluation(game, &info)),
                None => self.say(NO_MOVES),
            },
            GameCommand::Think(shows) => {
                self.options.shows_thinking = shows;
                Ok(())
            }
            GameCommand::Why(text) => self.say(explain_move(&text, game.board())),
            GameCommand::Clock => self.say(clocks(game, Instant::now())),
            _ => self.say(help()),
        }
    }

    fn start_new_game(&mut self) -> io::Result<()> {
        let game = (self.new_game)();
        self.flipped = game.viewpoint() == Color::Black;
        self.close()?;
        self.session.start_game(game, Instant::now());
        self.introduce()
    }

    fn show(&mut self, events: Vec<SessionEvent>) -> io::Result<()> {
        let mut board_changed = false;
        for event in events {
            match event {
                SessionEvent::Game(event) => {
                    board_changed |= matches!(
                        event,
                        GameEvent::Moved { .. }
                            | GameEvent::TakenBack { .. }
                            | GameEvent::Redone { .. }
                    );
                    if let Some(text) = self.event_text(&event) {
                        self.say(text)?;
                    }
                }
                SessionEvent::AddedToCollection(path) => {
                    self.say(format_args!("Saved to {}.", path.display()))?;
                }
                SessionEvent::Warning(warning) => self.warn(warning),
                // The last search info is shown with the move.
                SessionEvent::SearchInfo(_) => {}
            }
        }
        let opening = self.session.game().opening();
        if board_changed
            && let Some(opening) = opening
            && self.opening != Some(opening.name)
        {
            self.opening = Some(opening.name);
            self.say(format_args!("Opening: {} {}", opening.eco, opening.name))?;
        }
        let is_turn = !self.session.is_computers_turn();
        if board_changed && self.options.interactive && !self.options.speaks && is_turn {
            self.say(self.board())?;
        }
        if board_changed && self.options.rings && is_turn {
            self.io.prompt("\u{7}")?;
        }
        Ok(())
    }

    fn event_text(&self, event: &GameEvent) -> Option<String> {
        let game = self.session.game();
        Some(match event {
            GameEvent::Moved { mv, .. } if self.options.speaks => {
                let (board, _) = game.history().played().last()?;
                format!("{}: {}.", board.turn(), say_move(board, *mv))
            }
            GameEvent::Moved { san, .. } => {
                let (board, _) = game.history().played().last()?;
                let dots = if board.turn().is_white() { "." } else { "..." };
                let mut text = format!("{}{dots} {san}", board.fullmove_number());
                if let Some(info) = self.session.search_info()
                    && self.options.shows_thinking
                    && !game.player(board.turn()).is_person()
                {
                    let line = format_variation(board, &info.pv);
                    let score = format_score(info.score, board.turn());
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\n  {score} at depth {}: {line}", info.depth);
                }
                text
            }
            GameEvent::TakenBack { plies: 0 } => "The game goes on.".to_owned(),
            GameEvent::TakenBack { plies: 1 } => "Took back the last move.".to_owned(),
            GameEvent::TakenBack { plies } => format!("Took back the last {plies} moves."),
            GameEvent::Redone { plies: 0 } => "The game is over again.".to_owned(),
            GameEvent::Redone { plies: 1 } => "Played the move again.".to_owned(),
            GameEvent::Redone { plies } => format!("Played {plies} moves again."),
            GameEvent::DrawOffered(color) => offer(game, *color),
            GameEvent::DrawDeclined(color) => format!("{color} declines the draw."),
            GameEvent::PlayerChanged { color, player } => seat(*color, player),
            GameEvent::Ended(termination) => format!(
                "{} {}",
                sentence(&termination.to_string()),
                termination.result().as_str()
            ),
            GameEvent::Paused { .. } => return None,
        })
    }

    /// The board with the captured pieces.
    fn board(&self) -> String {
        let game = self.session.game();
        let diagram = Diagram {
            style: self.options.diagram,
            flipped: self.flipped,
            highlights: Highlights::of_move(game.last_move()),
            ..Diagram::new(game.board())
        };
        let mut text = diagram.to_string();
        let material = game.material();
        for (color, roles) in Color::ALL.into_iter().zip(&material.captured) {
            if !roles.is_empty() {
                let roles = list(roles.iter().copied().map(Role::name));
                let _ = writeln!(text, "{} has captured: {roles}", !color);
            }
        }
        if material.balance != 0 {
            let color = if material.balance > 0 {
                Color::White
            } else {
                Color::Black
            };
            let _ = writeln!(text, "{color} is ahead by {}", material.balance.abs());
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Turns a phrase into a sentence with a capital letter and a full stop.
fn sentence(phrase: &str) -> String {
    let end = if phrase.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{}{end}", capitalized(phrase))
}

/// Explains what a legal move does, or why a move is illegal.
pub fn explain_move(text: &str, board: &Board) -> String {
    match parse_move(text, board) {
        Ok(mv) => format!("Legal: {}.", describe(board, mv)),
        Err(error) => sentence(&error.to_string()),
    }
}

fn moves(game: &Game) -> String {
    let played: Vec<_> = game.history().moves().collect();
    let mut text = if played.is_empty() {
        "No moves yet.".to_owned()
    } else {
        format_variation(game.history().start(), &played)
    };
    if let Some(opening) = game.opening() {
        let _ = write!(text, "\nOpening: {} {}", opening.eco, opening.name);
    }
    text
}

/// A colour and its player. A name may contain anything.
fn seat(color: Color, player: &Player) -> String {
    format!("{color}: {}", printable(&player.to_string()))
}

/// The announcement of a draw offer. A person who can accept it also reads how.
fn offer(game: &Game, color: Color) -> String {
    let how = match (
        game.player(color).is_person(),
        game.player(!color).is_person(),
    ) {
        (false, true) => " Type draw to accept, or play on.".to_owned(),
        (true, true) => format!(" {}: type draw to accept, or decline.", !color),
        _ => String::new(),
    };
    format!("{color} offers a draw.{how}")
}

fn clocks(game: &Game, now: Instant) -> String {
    let side = |color| {
        let left = game.clock().remaining(color, now)?;
        let seconds = left.as_secs();
        Some(format!("{color} {}:{:02}", seconds / 60, seconds % 60))
    };
    let sides: Vec<_> = Color::ALL.into_iter().filter_map(side).collect();
    if sides.is_empty() {
        return "This game has no clock.".to_owned();
    }
    format!("Clock: {}", sides.join(", "))
}

fn evaluation(game: &Game, info: &SearchInfo) -> String {
    let score = format_score(info.score, game.turn());
    let line = format_variation(game.board(), &info.pv);
    format!("{score} at depth {}: {line}", info.depth)
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
    let width = COMMANDS.iter().map(|(words, _)| words.len()).max();
    let width = width.unwrap_or(0);
    let line = |(words, sentence): (&str, &str)| format!("{words:<width$}  {sentence}");
    COMMANDS.map(line).join("\n")
}
