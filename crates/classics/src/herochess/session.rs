//! A sitting at the console: the games that are played, and what belongs to each.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use tabiya_board::{Color, Move};
use tabiya_engine::Engine;
use tabiya_play::Moment;

use super::computer::{self, Lots};
use super::console::Console;
use super::game::{End, Game};
use super::picture;
use super::players::{Kind, Level, Seats};
use super::record::{Record, sentence};

const REMINDER: &str = "To quit the game at any point, enter Q or q.";
const UNDO: &str = "Do you want to undo the last move? (Y/N) ";
const SAVE: &str = "Do you want to save the replay of the game? (Y/N): ";

/// What can be chosen before the first question.
#[derive(Clone, Debug)]
pub struct Options {
    /// Makes the computer's choice of openings repeatable.
    pub seed: Option<u64>,
    /// How strong the computer is, until that is changed.
    pub level: Level,
    /// Where records are written.
    pub folder: PathBuf,
    /// Whether a move that is refused is told the reason.
    pub explain: bool,
    /// Whether what is typed shows by itself, as on a terminal.
    pub terminal: bool,
    /// The clock.
    pub now: fn() -> SystemTime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: None,
            level: Level::default(),
            folder: PathBuf::from("."),
            explain: false,
            terminal: false,
            now: SystemTime::now,
        }
    }
}

/// How a game came to be over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// By the rules.
    End(End),
    /// Someone has left, or the input has ended.
    Left,
}

/// A sitting at the console.
pub struct Session<I, O> {
    pub(super) console: Console<I, O>,
    pub(super) options: Options,
    /// The colour of Player 1 in a game of two people.
    pub(super) first: Color,
    /// The colour of the person in a game against the computer.
    pub(super) person: Color,
    lots: Lots,
}

impl<I: BufRead, O: Write> Session<I, O> {
    /// One that reads and writes these.
    pub fn new(input: I, output: O, options: Options) -> Self {
        Self {
            console: Console::new(input, output, !options.terminal),
            first: Color::White,
            person: Color::White,
            lots: Lots::new(options.seed),
            options,
        }
    }

    /// Goes on with the game of a record, and then to the menu.
    pub fn resume(&mut self, record: &Record) -> io::Result<()> {
        let mut game = record.game().clone();
        self.play_and_save(&mut game, record.seats())?;
        self.run()
    }

    /// Shows the game of a record move by move; with `pause`, it waits after each.
    pub fn replay(&mut self, record: &Record, pause: bool) -> io::Result<()> {
        self.console.say(record.heading())?;
        let mut game = Game::new(*record.game().line().start());
        self.console.say(picture::draw(&game))?;
        for mv in record.game().line().moves() {
            if pause {
                let go_on = |answer: &str| answer.is_empty().then_some(());
                let next = "Press Enter for the next move, Q to stop. ";
                if self.console.insist(next, go_on)?.is_none() {
                    return Ok(());
                }
            }
            let moved = record.sentence(&game, mv);
            game.play(mv).map_err(io::Error::other)?;
            self.console.say(moved)?;
            self.console.say(picture::draw(&game))?;
        }
        self.console.say(record.result())
    }

    /// Plays a game, and offers to save it.
    pub(super) fn play_and_save(&mut self, game: &mut Game, seats: &Seats) -> io::Result<()> {
        self.play(game, seats, true)?;
        self.offer_record(game, seats)
    }

    /// Plays a game to its end. With `take_back`, moves against the computer can be taken back.
    pub(super) fn play(
        &mut self,
        game: &mut Game,
        seats: &Seats,
        take_back: bool,
    ) -> io::Result<Stop> {
        // One for each side: neither shall profit from what the other has thought.
        let mut engines = [None, None];
        loop {
            let turn = game.turn();
            let end = game.end();
            if seats.has_person() || end.is_some() {
                self.console.say(picture::draw(game))?;
            }
            if let Some(end) = end {
                self.announce(end, seats)?;
                return Ok(Stop::End(end));
            }
            let mv = match seats.player(turn).kind {
                Kind::Computer(level) => {
                    let engine = engines[turn.index()].get_or_insert_with(Engine::default);
                    self.computer_move(engine, game, seats, level)?
                }
                Kind::Person => {
                    self.console.say(REMINDER)?;
                    let undo = take_back && seats.is_computer(!turn) && game.moves_of(turn) > 0;
                    if undo {
                        match self.console.yes_or_no(UNDO)? {
                            None => return self.left(),
                            Some(true) => {
                                game.take_back_both();
                                continue;
                            }
                            Some(false) => {}
                        }
                    }
                    match self.person_move(game, seats)? {
                        Some(mv) => mv,
                        None => return self.left(),
                    }
                }
            };
            game.play(mv).map_err(io::Error::other)?;
            if game.board().is_check() && game.end().is_none() {
                let label = seats.label(game.turn());
                self.console.say(format_args!("{label} is in check."))?;
            }
        }
    }

    fn left(&mut self) -> io::Result<Stop> {
        self.console.say("The game is left unfinished.")?;
        Ok(Stop::Left)
    }

    fn announce(&mut self, end: End, seats: &Seats) -> io::Result<()> {
        match end.winner() {
            Some(winner) => {
                let label = seats.label(winner);
                self.console
                    .say(format_args!("Checkmate! {label} ({winner}) wins."))
            }
            None => self.console.say(format_args!("The game is a draw: {end}.")),
        }
    }

    /// Chooses the computer's move and says what it is.
    fn computer_move(
        &mut self,
        engine: &mut Engine,
        game: &Game,
        seats: &Seats,
        level: Level,
    ) -> io::Result<Move> {
        let label = seats.label(game.turn());
        if let Some((mv, name)) = computer::from_library(game, &mut self.lots) {
            self.console.say(sentence(&label, mv))?;
            self.console
                .say(format_args!("{label} has chosen an opening: {name}."))?;
            return Ok(mv);
        }
        self.console.show()?;
        let found = computer::by_thinking(engine, game, level);
        let mv = found.ok_or_else(|| io::Error::other("the engine finds no move"))?;
        self.console.say(sentence(&label, mv))?;
        Ok(mv)
    }

    /// Asks whether to save a game, and does so.
    pub(super) fn offer_record(&mut self, game: &Game, seats: &Seats) -> io::Result<()> {
        if self.console.yes_or_no(SAVE)? != Some(true) {
            return Ok(());
        }
        let moment = Moment::of((self.options.now)());
        match Record::save(&self.options.folder, moment, game, seats) {
            Ok(path) => {
                let path = path.display();
                self.console
                    .say(format_args!("The replay is saved in {path}."))
            }
            Err(error) => {
                let folder = self.options.folder.display();
                self.console.say(format_args!(
                    "The replay cannot be saved in {folder}: {error}."
                ))
            }
        }
    }
}
