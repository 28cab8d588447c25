//! A tournament: everyone against everyone, with a file that keeps the results.

mod table;

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use tabiya_board::Color;
use tabiya_play::{Moment, whole_file};
use thiserror::Error;

use self::table::{Entrant, MOST_ENTRANTS, Pairing, Score, Table};
use super::console::is_quit;
use super::game::Game;
use super::players::{Level, Player, Seats};
use super::session::Session;

/// Why a tournament cannot go on.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The console cannot be read or written.
    #[error("{0}")]
    Console(#[from] io::Error),
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// The file is not that of a tournament.
    #[error("{}, line {line}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The tournament is being played by someone else at this moment.
    #[error("{} is in use: this tournament is being played elsewhere", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

impl<I: BufRead, O: Write> Session<I, O> {
    /// Plays the tournament of a file: a new one, whose players are asked for, or the rest of one that was interrupted.
    ///
    /// The file is written after every game, and never only in part. A game that someone leaves stays to be played.
    pub fn tournament(&mut self, path: &Path) -> Result<(), TournamentError> {
        let Some((mut table, mut lock)) = self.open_table(path)? else {
            return Ok(());
        };
        if table.played() > 0 {
            self.console.say(table.standings())?;
        }
        while let Some(pairing) = table.next() {
            let mut game = Game::between(seats(&table, pairing));
            self.console.say(format_args!(
                "Game {} of {}: {} (White) against {} (Black)",
                table.played() + 1,
                table.games(),
                game.label(Color::White),
                game.label(Color::Black)
            ))?;
            self.play(&mut game, false)?;
            let Some(end) = game.end() else {
                self.console
                    .say("It stays to be played: the same command goes on with the tournament.")?;
                return Ok(());
            };
            table.enter(Score::of(end));
            // The file before this one is let go only now.
            lock = self.keep(path, &table)?;
            self.console.say(table.standings())?;
            if game.speaker().is_some() {
                self.offer_record(&game)?;
            }
        }
        drop(lock);
        let winners = table.winners().join(" and ");
        self.console
            .say(format_args!("The tournament is over. Winner: {winners}."))?;
        Ok(())
    }

    /// The table of the file, which is locked as long as the second value lives; nothing if someone leaves before there
    /// is one.
    fn open_table(&mut self, path: &Path) -> Result<Option<(Table, File)>, TournamentError> {
        let unreadable = |error| TournamentError::Unreadable {
            path: path.to_owned(),
            error,
        };
        match File::open(path) {
            Ok(file) => {
                if let Err(TryLockError::WouldBlock) = file.try_lock() {
                    return Err(TournamentError::InUse {
                        path: path.to_owned(),
                    });
                }
                let text = whole_file::read_text(&file).map_err(unreadable)?;
                let table =
                    Table::parse(&text).map_err(|(line, problem)| TournamentError::Line {
                        path: path.to_owned(),
                        line,
                        problem,
                    })?;
                Ok(Some((table, file)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let Some(entrants) = self.enrol()? else {
                    return Ok(None);
                };
                let moment = Moment::of((self.options.now)());
                let table = Table::new(moment, entrants);
                let created = whole_file::create(path, &table.to_string())
                    .and_then(|()| whole_file::replace(path, &table.to_string()));
                let lock = created.map_err(|error| TournamentError::Unwritable {
                    path: path.to_owned(),
                    error,
                })?;
                Ok(Some((table, lock)))
            }
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Asks for the players; nothing if someone leaves.
    fn enrol(&mut self) -> io::Result<Option<Vec<Entrant>>> {
        self.console.say(format_args!(
            "A new tournament. Who plays? AI 1 to AI {} are the computer; an empty line ends the list.",
            Level::COUNT
        ))?;
        let mut entrants: Vec<Entrant> = Vec::new();
        while entrants.len() < MOST_ENTRANTS {
            let prompt = format!("Name of player {}: ", entrants.len() + 1);
            let Some(name) = self.console.ask(&prompt)? else {
                return Ok(None);
            };
            if name.is_empty() {
                if entrants.len() >= 2 {
                    break;
                }
                self.console.say("There have to be two players or more.")?;
                continue;
            }
            if is_quit(&name) {
                return Ok(None);
            }
            match Entrant::read(&name, &entrants) {
                Ok(entrant) => entrants.push(entrant),
                Err(problem) => self.console.say(problem)?,
            }
        }
        Ok(Some(entrants))
    }

    /// Writes the table and gives the new file, locked. It is tried until it works or the person gives up.
    fn keep(&mut self, path: &Path, table: &Table) -> Result<File, TournamentError> {
        loop {
            let error = match whole_file::replace(path, &table.to_string()) {
                Ok(file) => return Ok(file),
                Err(error) => error,
            };
            self.console.say(format_args!(
                "The result cannot be written to {}: {error}.",
                path.display()
            ))?;
            let again = "Press Enter to try again, Q to give up. ";
            let answer = |answer: &str| answer.is_empty().then_some(());
            if self.console.insist(again, answer)?.is_none() {
                return Err(TournamentError::Unwritable {
                    path: path.to_owned(),
                    error,
                });
            }
        }
    }
}

/// The players of a game of the tournament: Player 1 has White.
fn seats(table: &Table, pairing: Pairing) -> Seats {
    let player = |number| {
        let entrant = table.entrant(number);
        Player {
            kind: entrant.kind,
            name: Some(entrant.name.clone()),
        }
    };
    Seats {
        players: [player(pairing.white), player(pairing.black)],
        first: Color::White,
    }
}
