//! A sitting at the console: the games that are played, and what belongs to each.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use tabiya_board::{Color, Line, Move};
use tabiya_play::{Moment, Thinker};

use super::computer::{self, Lots};
use super::console::Console;
use super::game::{End, Game};
use super::picture;
use super::players::Level;
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
        self.play_and_save(record.game().clone())?;
        self.run()
    }

    /// Shows the game of a record move by move; with `pause`, it waits after each.
    pub fn replay(&mut self, record: &Record, pause: bool) -> io::Result<()> {
        self.console.say(record.heading())?;
        let start = Line::new(*record.game().line().start());
        self.console.say(picture::draw(&start))?;
        for (moved, board) in record.moves() {
            if pause {
                let go_on = |answer: &str| answer.is_empty().then_some(());
                let next = "Press Enter for the next move, Q to stop. ";
                if self.console.insist(next, go_on)?.is_none() {
                    return Ok(());
                }
            }
            self.console.say(moved)?;
            self.console.say(board)?;
        }
        self.console.say(record.result())
    }

    /// Plays a game, and offers to save it.
    pub(super) fn play_and_save(&mut self, mut game: Game) -> io::Result<()> {
        self.play(&mut game, true)?;
        self.offer_record(&game)
    }

    /// Plays a game until it has ended or someone leaves. With `take_back`, moves against the computer can be taken back.
    pub(super) fn play(&mut self, game: &mut Game, take_back: bool) -> io::Result<()> {
        // One for each side: neither shall profit from what the other has thought.
        let mut thinkers = [None, None];
        loop {
            let end = game.end();
            if game.speaker().is_some() || end.is_some() {
                self.console.say(picture::draw(game.line()))?;
            }
            if let Some(end) = end {
                return self.announce(end, game);
            }
            let turn = game.turn();
            let thinker = &mut thinkers[turn.index()];
            if thinker.is_none() {
                // A person has none. The seed is for players with a book, and none of these has one.
                *thinker = Thinker::new(game.player(turn), 0, false);
            }
            let mv = if let Some(thinker) = thinker {
                self.computer_move(thinker, game)?
            } else {
                self.console.say(REMINDER)?;
                if take_back && game.can_take_back() {
                    match self.console.yes_or_no(UNDO)? {
                        None => return self.left(),
                        Some(true) => {
                            game.take_back().map_err(io::Error::other)?;
                            continue;
                        }
                        Some(false) => {}
                    }
                }
                match self.person_move(game)? {
                    Some(mv) => mv,
                    None => return self.left(),
                }
            };
            game.play(mv).map_err(io::Error::other)?;
            if game.board().is_check() && game.end().is_none() {
                let label = game.label(game.turn());
                self.console.say(format_args!("{label} is in check."))?;
            }
        }
    }

    fn left(&mut self) -> io::Result<()> {
        self.console.say("The game is left unfinished.")
    }

    fn announce(&mut self, end: End, game: &Game) -> io::Result<()> {
        match end.winner() {
            Some(winner) => {
                let label = game.label(winner);
                self.console
                    .say(format_args!("Checkmate! {label} ({winner}) wins."))
            }
            None => self.console.say(format_args!("The game is a draw: {end}.")),
        }
    }

    /// Chooses the computer's move and says what it is.
    fn computer_move(&mut self, thinker: &mut Thinker, game: &Game) -> io::Result<Move> {
        let label = game.label(game.turn());
        if let Some((mv, name)) = computer::from_library(game, &mut self.lots) {
            self.console.say(sentence(&label, mv))?;
            self.console
                .say(format_args!("{label} has chosen an opening: {name}."))?;
            return Ok(mv);
        }
        self.console.show()?;
        let mv = computer::by_thinking(thinker, game)?;
        self.console.say(sentence(&label, mv))?;
        Ok(mv)
    }

    /// Asks whether to save a game, and does so.
    pub(super) fn offer_record(&mut self, game: &Game) -> io::Result<()> {
        if self.console.yes_or_no(SAVE)? != Some(true) {
            return Ok(());
        }
        let moment = Moment::of((self.options.now)());
        match Record::save(&self.options.folder, moment, game) {
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
