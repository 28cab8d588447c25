//! A session at the console: playing, replaying and saving games.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use tabiya_board::{Color, GameHistory, Move};
use tabiya_play::{ComputerPlayer, UtcDateTime};

use super::computer::{self, Rng};
use super::console::HerochessConsole;
use super::game::{ConsoleGame, HerochessEnd};
use super::picture;
use super::players::AiLevel;
use super::record::{HerochessRecord, describe_move};

const REMINDER: &str = "To quit the game at any point, enter Q or q.";
const UNDO: &str = "Do you want to undo the last move? (Y/N) ";
const SAVE: &str = "Do you want to save the replay of the game? (Y/N): ";

/// Settings from the command line.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of the computer's choice of openings.
    pub seed: Option<u64>,
    /// The computer's level. The settings menu can change it.
    pub level: AiLevel,
    /// The folder for records.
    pub folder: PathBuf,
    /// Whether to say why a move is illegal.
    pub explain: bool,
    /// Whether typed answers show by themselves, as on a terminal.
    pub terminal: bool,
    /// Returns the current time.
    pub now: fn() -> SystemTime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: None,
            level: AiLevel::default(),
            folder: PathBuf::from("."),
            explain: false,
            terminal: false,
            now: SystemTime::now,
        }
    }
}

/// A session at the console.
pub struct HerochessSession<I, O> {
    pub(super) console: HerochessConsole<I, O>,
    pub(super) options: Options,
    /// The colour of Player 1 in a game between two people.
    pub(super) first: Color,
    /// The colour of the person in a game against the computer.
    pub(super) person: Color,
    rng: Rng,
}

impl<I: BufRead, O: Write> HerochessSession<I, O> {
    /// Starts a session.
    pub fn new(input: I, output: O, options: Options) -> Self {
        Self {
            console: HerochessConsole::new(input, output, !options.terminal),
            first: Color::White,
            person: Color::White,
            rng: Rng::new(options.seed),
            options,
        }
    }

    /// Continues a recorded game, then shows the menu.
    pub fn resume(&mut self, record: &HerochessRecord) -> io::Result<()> {
        self.play_and_save(record.game().clone())?;
        self.run()
    }

    /// Shows a recorded game move by move. With `pause`, waits after each move.
    pub fn replay(&mut self, record: &HerochessRecord, pause: bool) -> io::Result<()> {
        self.console.print_line(record.heading())?;
        let start = GameHistory::new(*record.game().history().start());
        self.console.print_line(picture::draw(&start))?;
        for (moved, board) in record.moves() {
            if pause {
                let go_on = |answer: &str| answer.is_empty().then_some(());
                let next = "Press Enter for the next move, Q to stop. ";
                if self.console.ask_until(next, go_on)?.is_none() {
                    return Ok(());
                }
            }
            self.console.print_line(moved)?;
            self.console.print_line(board)?;
        }
        self.console.print_line(record.result())
    }

    /// Plays a game and offers to save it.
    pub(super) fn play_and_save(&mut self, mut game: ConsoleGame) -> io::Result<()> {
        self.play(&mut game, true)?;
        self.offer_record(&game)
    }

    /// Plays a game until it ends or someone quits. With `take_back`, offers to undo moves against the computer.
    pub(super) fn play(&mut self, game: &mut ConsoleGame, take_back: bool) -> io::Result<()> {
        // One for each side, so that neither profits from the other's search.
        let mut thinkers = [None, None];
        loop {
            let end = game.end();
            if game.person_to_act().is_some() || end.is_some() {
                self.console.print_line(picture::draw(game.history()))?;
            }
            if let Some(end) = end {
                return self.announce(end, game);
            }
            let turn = game.turn();
            let thinker = &mut thinkers[turn.index()];
            if thinker.is_none() {
                // None for a person. The seed doesn't matter: these players have no book.
                *thinker = ComputerPlayer::new(game.player(turn), 0, false);
            }
            let mv = if let Some(thinker) = thinker {
                self.computer_move(thinker, game)?
            } else {
                self.console.print_line(REMINDER)?;
                if take_back && game.can_take_back() {
                    match self.console.yes_or_no(UNDO)? {
                        None => return self.announce_unfinished(),
                        Some(true) => {
                            game.take_back().map_err(io::Error::other)?;
                            continue;
                        }
                        Some(false) => {}
                    }
                }
                match self.person_move(game)? {
                    Some(mv) => mv,
                    None => return self.announce_unfinished(),
                }
            };
            game.play(mv).map_err(io::Error::other)?;
            if game.board().is_check() && game.end().is_none() {
                let label = game.label(game.turn());
                self.console
                    .print_line(format_args!("{label} is in check."))?;
            }
        }
    }

    fn announce_unfinished(&mut self) -> io::Result<()> {
        self.console.print_line("The game is left unfinished.")
    }

    fn announce(&mut self, end: HerochessEnd, game: &ConsoleGame) -> io::Result<()> {
        match end.winner() {
            Some(winner) => {
                let label = game.label(winner);
                self.console
                    .print_line(format_args!("Checkmate! {label} ({winner}) wins."))
            }
            None => self
                .console
                .print_line(format_args!("The game is a draw: {end}.")),
        }
    }

    /// Chooses and announces the computer's move.
    fn computer_move(
        &mut self,
        thinker: &mut ComputerPlayer,
        game: &ConsoleGame,
    ) -> io::Result<Move> {
        let label = game.label(game.turn());
        if let Some((mv, name)) = computer::library_move(game, &mut self.rng) {
            self.console.print_line(describe_move(&label, mv))?;
            self.console
                .print_line(format_args!("{label} has chosen an opening: {name}."))?;
            return Ok(mv);
        }
        self.console.flush()?;
        let mv = computer::search_move(thinker, game)?;
        self.console.print_line(describe_move(&label, mv))?;
        Ok(mv)
    }

    /// Offers to save a game.
    pub(super) fn offer_record(&mut self, game: &ConsoleGame) -> io::Result<()> {
        if self.console.yes_or_no(SAVE)? != Some(true) {
            return Ok(());
        }
        let moment = UtcDateTime::of((self.options.now)());
        match HerochessRecord::save(&self.options.folder, moment, game) {
            Ok(path) => {
                let path = path.display();
                self.console
                    .print_line(format_args!("Saved the replay in {path}."))
            }
            Err(error) => {
                let folder = self.options.folder.display();
                self.console
                    .print_line(format_args!("Cannot save the replay in {folder}: {error}."))
            }
        }
    }
}
