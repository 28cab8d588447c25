//! A round-robin tournament, with a file that keeps the results.

mod table;

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use tabiya_board::Color;
use tabiya_play::UtcDateTime;
use thiserror::Error;

use self::table::{Entrant, MAX_ENTRANTS, Pairing, Table};
use super::console::is_quit;
use super::game::ConsoleGame;
use super::players::{AiLevel, ConsolePlayer, Seats};
use super::session::HerochessSession;

/// Why a tournament cannot continue.
#[derive(Debug, Error)]
pub enum HerochessTournamentError {
    /// The console cannot be read or written.
    #[error("{0}")]
    HerochessConsole(#[from] io::Error),
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The file is not a tournament file.
    #[error("{}, line {line}: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// The reason.
        problem: String,
    },
    /// Another process is playing this tournament.
    #[error("{} is in use: another program is playing this tournament", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

impl<I: BufRead, O: Write> HerochessSession<I, O> {
    /// Plays the tournament in a file. If there is no file, asks for the players and starts a new one.
    ///
    /// Replaces the file as a whole after every game. If someone quits a game, it remains to be played.
    pub fn tournament(&mut self, path: &Path) -> Result<(), HerochessTournamentError> {
        let Some((mut table, mut lock)) = self.open_table(path)? else {
            return Ok(());
        };
        if table.played() > 0 {
            self.console.print_line(table.standings())?;
        }
        while let Some(pairing) = table.next() {
            let mut game = ConsoleGame::between(seats(&table, pairing));
            self.console.print_line(format_args!(
                "Game {} of {}: {} (White) against {} (Black)",
                table.played() + 1,
                table.games(),
                game.label(Color::White),
                game.label(Color::Black)
            ))?;
            self.play(&mut game, false)?;
            let Some(end) = game.end() else {
                self.console.print_line(
                    "The game remains to be played. Run the same command to continue the tournament.",
                )?;
                return Ok(());
            };
            table.add_result(end.result());
            // This drops the lock on the old file.
            lock = self.save_table(path, &table)?;
            self.console.print_line(table.standings())?;
            if game.person_to_act().is_some() {
                self.offer_record(&game)?;
            }
        }
        drop(lock);
        let winners = table.winners().join(" and ");
        self.console
            .print_line(format_args!("The tournament is over. Winner: {winners}."))?;
        Ok(())
    }

    /// Returns the table and the file, which stays locked until it is dropped, or `None` if the person quits.
    fn open_table(
        &mut self,
        path: &Path,
    ) -> Result<Option<(Table, File)>, HerochessTournamentError> {
        let unreadable = |error| HerochessTournamentError::Unreadable {
            path: path.to_owned(),
            error,
        };
        match tabiya_files::open(path) {
            Ok(file) => {
                if let Err(TryLockError::WouldBlock) = file.try_lock() {
                    return Err(HerochessTournamentError::InUse {
                        path: path.to_owned(),
                    });
                }
                let text = tabiya_files::read_text(&file).map_err(unreadable)?;
                let table = Table::parse(&text).map_err(|(line, problem)| {
                    HerochessTournamentError::Line {
                        path: path.to_owned(),
                        line,
                        problem,
                    }
                })?;
                Ok(Some((table, file)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let Some(entrants) = self.ask_for_players()? else {
                    return Ok(None);
                };
                let moment = UtcDateTime::of((self.options.now)());
                let table = Table::new(moment, entrants);
                let created = tabiya_files::create_new(path, &table.to_string())
                    .and_then(|()| tabiya_files::replace(path, &table.to_string()));
                let lock = created.map_err(|error| HerochessTournamentError::Unwritable {
                    path: path.to_owned(),
                    error,
                })?;
                Ok(Some((table, lock)))
            }
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Asks for the players. Returns `None` if the person quits.
    fn ask_for_players(&mut self) -> io::Result<Option<Vec<Entrant>>> {
        self.console.print_line(format_args!(
            "New tournament. Enter the players; AI 1 to AI {} are the computer. An empty line ends the list.",
            AiLevel::COUNT
        ))?;
        let mut entrants: Vec<Entrant> = Vec::new();
        while entrants.len() < MAX_ENTRANTS {
            let prompt = format!("Name of player {}: ", entrants.len() + 1);
            let Some(name) = self.console.ask(&prompt)? else {
                return Ok(None);
            };
            if name.is_empty() {
                if entrants.len() >= 2 {
                    break;
                }
                self.console
                    .print_line("A tournament needs at least two players.")?;
                continue;
            }
            if is_quit(&name) {
                return Ok(None);
            }
            match Entrant::parse(&name, &entrants) {
                Ok(entrant) => entrants.push(entrant),
                Err(problem) => self.console.print_line(problem)?,
            }
        }
        Ok(Some(entrants))
    }

    /// Saves the table and returns the new file, locked. If that fails, offers to try again.
    fn save_table(&mut self, path: &Path, table: &Table) -> Result<File, HerochessTournamentError> {
        loop {
            let error = match tabiya_files::replace(path, &table.to_string()) {
                Ok(file) => return Ok(file),
                Err(error) => error,
            };
            self.console.print_line(format_args!(
                "Cannot save the result to {}: {error}.",
                path.display()
            ))?;
            let again = "Press Enter to try again, Q to give up. ";
            let answer = |answer: &str| answer.is_empty().then_some(());
            if self.console.ask_until(again, answer)?.is_none() {
                return Err(HerochessTournamentError::Unwritable {
                    path: path.to_owned(),
                    error,
                });
            }
        }
    }
}

/// Returns the players of a tournament game. Player 1 has White.
fn seats(table: &Table, pairing: Pairing) -> Seats {
    let player = |number| {
        let entrant = table.entrant(number);
        ConsolePlayer {
            kind: entrant.kind,
            name: Some(entrant.name.clone()),
        }
    };
    Seats {
        players: [player(pairing.white), player(pairing.black)],
        first: Color::White,
    }
}
