//! Commands and control keys of the game screen.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crossterm::event::KeyCode;
use tabiya_play::{
    ActionError, COMMANDS, GameCommand, Level, ParseMoveError, Player, explain_move, parse_move,
};

use super::{Confirm, GameScreen, Overlay};
use crate::app::Transition;
use crate::appearance::Appearance;
use crate::game_view::Message;
use crate::replay::ReplayScreen;
use crate::setup::SetupScreen;
use crate::theme::Theme;

impl GameScreen {
    pub(super) fn handle_control(
        &mut self,
        code: KeyCode,
        appearance: &mut Appearance,
    ) -> Transition {
        let command = match code {
            KeyCode::Char('t') => GameCommand::Hint,
            KeyCode::Char('u') => GameCommand::Undo,
            KeyCode::Char('f') => GameCommand::Flip,
            KeyCode::Char('e') => GameCommand::Eval,
            KeyCode::Char('k') => GameCommand::Think(!self.shows_thinking),
            KeyCode::Char('d') => GameCommand::Draw,
            KeyCode::Char('r') => GameCommand::Resign,
            KeyCode::Char('n') => GameCommand::New,
            KeyCode::Char('w') => GameCommand::Swap,
            KeyCode::Char('g') => GameCommand::Go,
            KeyCode::Char('s') => GameCommand::Save(self.usual_file()),
            KeyCode::Char('p') => {
                appearance.theme = appearance.theme.next();
                self.message = Message::note(format!("Theme: {}.", appearance.theme.name));
                return Transition::Stay;
            }
            KeyCode::Char('a') => return self.analyse(),
            _ => return Transition::Stay,
        };
        self.run_command(command)
    }

    /// Runs a typed command or move.
    pub(super) fn run_line(&mut self, text: &str, appearance: &mut Appearance) -> Transition {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (Some("theme"), name) => {
                self.choose_theme(name.unwrap_or_default(), appearance);
                return Transition::Stay;
            }
            (Some("analyse" | "analyze"), None) => return self.analyse(),
            (Some("menu"), None) => return Transition::Back,
            _ => {}
        }
        match GameCommand::parse(text) {
            Ok(Some(command)) => self.run_command(command),
            Ok(None) => Transition::Stay,
            Err(error) => {
                self.message = Message::refusal(error.to_string());
                Transition::Stay
            }
        }
    }

    fn run_command(&mut self, command: GameCommand) -> Transition {
        let now = Instant::now();
        match command {
            GameCommand::Move(text) => self.play_text(&text, now),
            GameCommand::Undo => {
                let outcome = self.session.take_back(now);
                self.show_result(outcome);
            }
            GameCommand::Hint => self.find_hint(),
            GameCommand::Resign => match self.game().termination() {
                Some(ending) => {
                    self.message = Message::refusal(format!("the game is over: {ending}"));
                }
                None => self.overlay = Some(Overlay::Ask(Confirm::Resign)),
            },
            GameCommand::Draw => {
                let outcome = self.session.draw(now);
                self.show_result(outcome);
            }
            GameCommand::Decline => {
                let outcome = self.session.decline(now);
                self.show_result(outcome);
            }
            GameCommand::Flip => self.flipped = !self.flipped,
            GameCommand::Save(path) => self.save(&path),
            GameCommand::New if self.game().termination().is_some() || self.sans.is_empty() => {
                return self.confirmed(Confirm::New);
            }
            GameCommand::New => self.overlay = Some(Overlay::Ask(Confirm::New)),
            GameCommand::Level(Some(level)) => {
                let outcome = self.session.set_level(level, now);
                self.show_result(outcome);
            }
            GameCommand::Level(None) => self.show_levels(),
            GameCommand::Swap => {
                let outcome = self.session.swap_sides(now);
                if outcome.is_ok() {
                    self.flipped = !self.flipped;
                }
                self.show_result(outcome);
            }
            GameCommand::Go => {
                self.message = Message::note("Tabiya is finding a move for you ...");
                let outcome = self.session.play_for_me(now);
                self.show_result(outcome);
            }
            GameCommand::Eval => {
                self.shows_eval = !self.shows_eval;
                self.update_analysis();
                self.message = Message::note(if self.shows_eval {
                    "The bar beside the board shows who is better."
                } else {
                    "The evaluation bar is off."
                });
            }
            GameCommand::Think(shows) => {
                self.shows_thinking = shows;
                self.message = Message::note(if shows {
                    "The computer's thinking is shown below the moves."
                } else {
                    "The computer's thinking is hidden."
                });
            }
            GameCommand::Why(text) => self.explain(&text),
            GameCommand::Board | GameCommand::Moves | GameCommand::Clock => {
                self.message = Message::note("It's already on the screen.");
            }
            GameCommand::Help => self.show_help(),
            GameCommand::Quit => return Transition::Quit,
            _ => {}
        }
        Transition::Stay
    }

    fn play_text(&mut self, text: &str, now: Instant) {
        let outcome = self.session.play_text(text, now);
        // Ask for the promotion piece.
        if let Err(ActionError::Move(ParseMoveError::Promotion { .. })) = &outcome {
            let plain = text.trim().trim_end_matches(['+', '#', '!', '?', '=']);
            let board = *self.game().board();
            let queen = ["q", "=Q"]
                .into_iter()
                .find_map(|queen| parse_move(&format!("{plain}{queen}"), &board).ok());
            if let Some(mv) = queen {
                self.move_input.drop_all();
                self.move_input.ask_promotion(mv.from(), mv.to());
                return;
            }
        }
        self.show_result(outcome);
    }

    fn explain(&mut self, text: &str) {
        self.message = Message::note(explain_move(text, self.game().board()));
    }

    fn choose_theme(&mut self, name: &str, appearance: &mut Appearance) {
        self.message = if let Some(theme) = Theme::named(name) {
            appearance.theme = theme;
            Message::note(format!("Theme: {}.", theme.name))
        } else {
            let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name).collect();
            Message::refusal(format!("choose a theme: {}", names.join(", ")))
        };
    }

    fn usual_file(&self) -> PathBuf {
        format!("tabiya-{}.pgn", self.game().started_at().file_stem()).into()
    }

    fn save(&mut self, path: &Path) {
        let saved = (self.context.borrow().save)(path, &self.game().pgn());
        self.message = match saved {
            Ok(()) => Message::good(format!("Saved to {}.", path.display())),
            Err(error) => Message::refusal(error.to_string()),
        };
    }

    fn analyse(&mut self) -> Transition {
        let save = self.context.borrow().save.clone();
        let mut replay = ReplayScreen::analysis(self.game().pgn(), save);
        replay.go_to_end();
        Transition::Open(Box::new(replay))
    }

    pub(super) fn show_help(&mut self) {
        let line = |keys: &str, does: &str| (keys.to_owned(), does.to_owned());
        let mut lines = vec![line("arrows Enter, mouse", "select a piece and move it")];
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
            // One example is enough.
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
            line("^A analyse", "analyse this game with the engine"),
            line("^P theme light", "next colour theme, or a theme by name"),
            line("Esc menu", "deselect a piece, or return to the menu"),
        ]);
        self.overlay = Some(Overlay::Help {
            title: "Type a command and Enter, or press a key (^ is Ctrl)",
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
        self.overlay = Some(Overlay::Help {
            title: "Levels",
            lines: lines.collect(),
            scrolled: 0,
            most: 0,
        });
    }

    pub(super) fn confirmed(&mut self, question: Confirm) -> Transition {
        let now = Instant::now();
        match question {
            Confirm::Resign => {
                let outcome = self.session.resign(now);
                self.show_result(outcome);
                Transition::Stay
            }
            Confirm::New => {
                let Some(new_game) = &mut self.new_game else {
                    let is_of_two = self.game().players().iter().all(Player::is_person);
                    let setup = SetupScreen::new(self.context.clone(), is_of_two);
                    return Transition::Replace(Box::new(setup));
                };
                self.session.start_game(new_game(), now);
                self.begin();
                Transition::Stay
            }
        }
    }
}
