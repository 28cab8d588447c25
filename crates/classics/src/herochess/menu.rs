//! The menu and the settings.

use std::io::{self, BufRead, Write};

use tabiya_board::Color;

use super::console::{ERROR, is_quit};
use super::game::ConsoleGame;
use super::players::{AiLevel, ConsolePlayer, PlayerKind, Seats};
use super::session::HerochessSession;

const MENU: &str = "\
1. Start New Game (Human v. Human)
2. Start New Game (Human v. AI)
3. Game Settings
4. Exit Game";
const CHOOSE: &str = "Choose Option: ";

impl<I: BufRead, O: Write> HerochessSession<I, O> {
    /// Prints a welcome, then shows the menu until the player exits or the input ends.
    pub fn run(&mut self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        self.console
            .print_line(format_args!("Welcome to HeroChess, Tabiya {version}."))?;
        while !self.console.ended() {
            self.console.print_line(MENU)?;
            let Some(answer) = self.console.ask(CHOOSE)? else {
                break;
            };
            match answer.as_str() {
                "1" => {
                    let seats = Seats {
                        first: self.first,
                        ..Seats::default()
                    };
                    self.play_and_save(ConsoleGame::between(seats))?;
                }
                "2" => {
                    let computer = PlayerKind::Computer(self.options.level);
                    let seats = Seats {
                        players: [PlayerKind::Person, computer].map(ConsolePlayer::unnamed),
                        first: self.person,
                    };
                    self.play_and_save(ConsoleGame::between(seats))?;
                }
                "3" => self.change_settings()?,
                "4" => break,
                _ => self.console.print_line(ERROR)?,
            }
        }
        Ok(())
    }

    fn change_settings(&mut self) -> io::Result<()> {
        while !self.console.ended() {
            let settings = format!(
                "1. Colours of Human v. Human (Player 1 has {}, Player 2 has {})\n\
                 2. Your colour against the AI ({})\n\
                 3. Strength of the AI (level {} of {})\n\
                 4. Go back",
                self.first,
                !self.first,
                self.person,
                self.options.level,
                AiLevel::COUNT
            );
            self.console.print_line(settings)?;
            let Some(answer) = self.console.ask(CHOOSE)? else {
                break;
            };
            match answer.as_str() {
                "1" => {
                    let question = "Which player has White? (1/2): ";
                    let choice = self.console.ask_until(question, |answer| match answer {
                        "1" => Some(Color::White),
                        "2" => Some(Color::Black),
                        _ => None,
                    })?;
                    self.first = choice.unwrap_or(self.first);
                }
                "2" => {
                    let question = "Which colour do you want against the AI? (W/B): ";
                    let choice = self.console.ask_until(question, |answer| match answer {
                        "W" | "w" => Some(Color::White),
                        "B" | "b" => Some(Color::Black),
                        _ => None,
                    })?;
                    self.person = choice.unwrap_or(self.person);
                }
                "3" => {
                    let question = format!("Which level, 1 (weakest) to {}? ", AiLevel::COUNT);
                    let choice = self.console.ask_until(&question, AiLevel::parse)?;
                    self.options.level = choice.unwrap_or(self.options.level);
                }
                "4" => break,
                quit if is_quit(quit) => break,
                _ => self.console.print_line(ERROR)?,
            }
        }
        Ok(())
    }
}
