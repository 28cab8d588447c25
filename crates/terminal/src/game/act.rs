//! What a person can do in a game besides moving.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crossterm::event::KeyCode;
use tabiya_notation::write_move;
use tabiya_play::{COMMANDS, Command, Level, MoveError, Player, Refused, read_text};

use super::{Doubt, GameScreen, Over};
use crate::app::Step;
use crate::look::Look;
use crate::replay::Replay;
use crate::scene::{Message, sentence};
use crate::setup::SetupScreen;
use crate::theme::Theme;

impl GameScreen {
    pub(super) fn handle_control(&mut self, code: KeyCode, look: &mut Look) -> Step {
        let command = match code {
            KeyCode::Char('t') => Command::Hint,
            KeyCode::Char('u') => Command::Undo,
            KeyCode::Char('f') => Command::Flip,
            KeyCode::Char('e') => Command::Eval,
            KeyCode::Char('k') => Command::Think(!self.shows_thinking),
            KeyCode::Char('d') => Command::Draw,
            KeyCode::Char('r') => Command::Resign,
            KeyCode::Char('n') => Command::New,
            KeyCode::Char('w') => Command::Swap,
            KeyCode::Char('g') => Command::Go,
            KeyCode::Char('s') => Command::Save(self.usual_file()),
            KeyCode::Char('p') => {
                look.theme = look.theme.next();
                self.message = Message::note(format!("The theme is {} now.", look.theme.name));
                return Step::Stay;
            }
            KeyCode::Char('a') => return self.analyse(),
            _ => return Step::Stay,
        };
        self.obey(command)
    }

    /// Does what has been typed.
    pub(super) fn obey_text(&mut self, text: &str, look: &mut Look) -> Step {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (Some("theme"), name) => {
                self.choose_theme(name.unwrap_or_default(), look);
                return Step::Stay;
            }
            (Some("analyse" | "analyze"), None) => return self.analyse(),
            (Some("menu"), None) => return Step::Back,
            _ => {}
        }
        match Command::read(text) {
            Ok(Some(command)) => self.obey(command),
            Ok(None) => Step::Stay,
            Err(error) => {
                self.message = Message::refusal(error.to_string());
                Step::Stay
            }
        }
    }

    fn obey(&mut self, command: Command) -> Step {
        let now = Instant::now();
        match command {
            Command::Move(text) => self.play_text(&text, now),
            Command::Undo => {
                let outcome = self.session.take_back(now);
                self.done(outcome);
            }
            Command::Hint => self.find_hint(),
            Command::Resign => match self.game().ending() {
                Some(ending) => {
                    self.message = Message::refusal(format!("the game is over: {ending}"));
                }
                None => self.over = Some(Over::Ask(Doubt::Resign)),
            },
            Command::Draw => {
                let outcome = self.session.draw(now);
                self.done(outcome);
            }
            Command::Decline => {
                let outcome = self.session.decline(now);
                self.done(outcome);
            }
            Command::Flip => self.flipped = !self.flipped,
            Command::Save(path) => self.save(&path),
            Command::New if self.game().ending().is_some() || self.sans.is_empty() => {
                return self.confirmed(Doubt::New);
            }
            Command::New => self.over = Some(Over::Ask(Doubt::New)),
            Command::Level(Some(level)) => {
                let outcome = self.session.set_level(level, now);
                self.done(outcome);
            }
            Command::Level(None) => self.show_levels(),
            Command::Swap => {
                let outcome = self.session.swap(now);
                if outcome.is_ok() {
                    self.flipped = !self.flipped;
                }
                self.done(outcome);
            }
            Command::Go => {
                self.message = Message::note("Tabiya plays this move for you ...");
                let outcome = self.session.go(now);
                self.done(outcome);
            }
            Command::Eval => {
                self.shows_worth = !self.shows_worth;
                self.ask_analyst();
                self.message = Message::note(if self.shows_worth {
                    "The bar beside the board tells who stands better."
                } else {
                    "The bar is gone."
                });
            }
            Command::Think(shows) => {
                self.shows_thinking = shows;
                self.message = Message::note(if shows {
                    "What the computer thinks is shown below the moves."
                } else {
                    "What the computer thinks is not shown any more."
                });
            }
            Command::Why(text) => self.tell_why(&text),
            Command::Board | Command::Moves | Command::Clock => {
                self.message = Message::note("Everything is on the screen.");
            }
            Command::Help => self.show_help(),
            Command::Quit => return Step::Quit,
            _ => {}
        }
        Step::Stay
    }

    fn play_text(&mut self, text: &str, now: Instant) {
        let outcome = self.session.play_text(text, now);
        // What a pawn becomes can be chosen now.
        if let Err(Refused::Move(MoveError::Promotion { .. })) = &outcome {
            let plain = text.trim().trim_end_matches(['+', '#', '!', '?', '=']);
            let board = *self.game().board();
            let queen = ["q", "=Q"]
                .into_iter()
                .find_map(|queen| read_text(&format!("{plain}{queen}"), &board).ok());
            if let Some(mv) = queen {
                self.hand.drop_all();
                self.hand.ask_promotion(mv.from(), mv.to());
                return;
            }
        }
        self.done(outcome);
    }

    fn tell_why(&mut self, text: &str) {
        self.message = match read_text(text, self.game().board()) {
            Ok(mv) => {
                let san = write_move(self.game().board(), mv);
                Message::note(format!("{san} is legal."))
            }
            Err(error) => Message::note(sentence(&error.to_string())),
        };
    }

    fn choose_theme(&mut self, name: &str, look: &mut Look) {
        self.message = if let Some(theme) = Theme::named(name) {
            look.theme = theme;
            Message::note(format!("The theme is {} now.", theme.name))
        } else {
            let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name).collect();
            Message::refusal(format!("the themes are {}", names.join(", ")))
        };
    }

    fn usual_file(&self) -> PathBuf {
        format!("tabiya-{}.pgn", self.game().began().compact()).into()
    }

    fn save(&mut self, path: &Path) {
        let saved = (self.home.borrow().save)(path, &self.game().pgn());
        self.message = match saved {
            Ok(()) => Message::good(format!("The game is in {}.", path.display())),
            Err(error) => Message::refusal(error.to_string()),
        };
    }

    fn analyse(&mut self) -> Step {
        let save = self.home.borrow().save.clone();
        let mut replay = Replay::analysis(self.game().pgn(), save);
        replay.go_to_end();
        Step::Open(Box::new(replay))
    }

    pub(super) fn show_help(&mut self) {
        let line = |keys: &str, does: &str| (keys.to_owned(), does.to_owned());
        let mut lines = vec![line("arrows Enter, mouse", "take a piece and put it down")];
        let keys = [
            ("undo", "^U"),
            ("hint", "^T"),
            ("draw", "^D"),
            ("resign", "^R"),
            ("flip", "^F"),
            ("eval", "^E"),
            ("think", "^K"),
            ("swap", "^W"),
            ("go", "^G"),
            ("save", "^S"),
            ("new", "^N"),
            ("quit", "^Q"),
        ];
        for (words, does) in COMMANDS {
            if matches!(words, "board" | "moves" | "clock") {
                continue;
            }
            let first = words.split([' ', ',']).next().unwrap_or_default();
            let key = keys.iter().find(|(word, _)| *word == first);
            // One spelling is enough of an example.
            let words = match first {
                "level" => "level 5",
                "think" => "think on",
                _ => words,
            };
            match key {
                Some((_, key)) => lines.push(line(&format!("{key} {words}"), does)),
                None => lines.push(line(words, does)),
            }
        }
        lines.extend([
            line("^A analyse", "look at this game with the engine"),
            line("^P theme light", "the next theme, or one by its name"),
            line("Esc menu", "let go of a piece; back to the menu"),
        ]);
        self.over = Some(Over::Help {
            title: "Type a word and Enter, or press the keys (^ is Ctrl)",
            lines,
            scrolled: 0,
            most: 0,
        });
    }

    fn show_levels(&mut self) {
        let lines = Level::ALL.into_iter().map(|level| {
            let name = format!("level {}", level.number());
            (name, format!("{}: {}", level.name(), level.description()))
        });
        self.over = Some(Over::Help {
            title: "Levels",
            lines: lines.collect(),
            scrolled: 0,
            most: 0,
        });
    }

    pub(super) fn confirmed(&mut self, question: Doubt) -> Step {
        let now = Instant::now();
        match question {
            Doubt::Resign => {
                let outcome = self.session.resign(now);
                self.done(outcome);
                Step::Stay
            }
            Doubt::New => {
                let Some(again) = &self.again else {
                    let is_of_two = self.game().players().iter().all(Player::is_person);
                    let setup = SetupScreen::new(self.home.clone(), is_of_two);
                    return Step::Replace(Box::new(setup));
                };
                match again() {
                    Ok(game) => {
                        self.session.begin(game, now);
                        self.begin();
                    }
                    Err(error) => self.message = Message::refusal(error.to_string()),
                }
                Step::Stay
            }
        }
    }
}
