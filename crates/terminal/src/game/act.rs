//! Commands and control keys of the game screen.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crossterm::event::KeyCode;
use tabiya_display::speech;
use tabiya_play::{
    ActionError, COMMANDS, GameCommand, Level, ParseMoveError, explain_move, parse_move,
};

use super::questions::Question;
use super::{GameScreen, Overlay};
use crate::app::Transition;
use crate::appearance::Appearance;
use crate::game_view::Message;
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
            KeyCode::Char('r') => GameCommand::Resign(None),
            KeyCode::Char('n') => GameCommand::New,
            KeyCode::Char('w') => GameCommand::Swap,
            KeyCode::Char('y') => GameCommand::Redo,
            KeyCode::Char('g') => GameCommand::Go,
            KeyCode::Char('s') => GameCommand::Save(self.usual_file()),
            KeyCode::Char('p') => {
                appearance.theme = appearance.theme.next();
                self.message = Message::note(format!("Theme: {}.", appearance.theme.name));
                return Transition::Stay;
            }
            KeyCode::Char('a') => return self.review(),
            KeyCode::Char('o') => return self.ask_rematch(),
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
            (Some("analyse" | "analyze" | "review"), None) => return self.review(),
            (Some("rematch"), None) => return self.ask_rematch(),
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
            GameCommand::Redo => {
                let outcome = self.session.redo(now);
                self.show_result(outcome);
            }
            GameCommand::Hint => self.find_hint(),
            GameCommand::Resign(None) => self.ask_resign(),
            // Someone who types who resigns means it.
            GameCommand::Resign(color) => self.resign(color),
            GameCommand::Draw => self.ask_draw(),
            GameCommand::Decline => {
                let outcome = self.session.decline(now);
                self.show_result(outcome);
            }
            GameCommand::Flip => self.flipped = !self.flipped,
            GameCommand::Save(path) => self.save(&path),
            GameCommand::New if self.game().termination().is_some() || self.sans.is_empty() => {
                return self.confirmed(Question::New);
            }
            GameCommand::New => self.ask(Question::New),
            GameCommand::Level(Some(level)) => {
                let outcome = self.session.set_level(level, now);
                self.show_result(outcome);
            }
            GameCommand::Level(None) => self.show_levels(),
            GameCommand::Swap if self.is_going_on() => self.ask(Question::Swap),
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
            GameCommand::Rank(rank) => self.tell(speech::say_rank(self.game().board(), rank)),
            GameCommand::File(file) => self.tell(speech::say_file(self.game().board(), file)),
            GameCommand::Square(square) => {
                self.tell(speech::say_square(self.game().board(), square));
            }
            GameCommand::Where(color, role) => {
                self.tell(speech::say_pieces(self.game().board(), color, role));
            }
            GameCommand::Board | GameCommand::Moves | GameCommand::Clock => {
                self.message = Message::note("It's already on the screen.");
            }
            GameCommand::Help => self.show_help(),
            GameCommand::Quit => return Transition::Quit,
            _ => {}
        }
        Transition::Stay
    }

    pub(super) fn play_text(&mut self, text: &str, now: Instant) {
        self.return_to_game();
        if self.can_premove() {
            self.set_premove(text);
            return;
        }
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

    fn tell(&mut self, text: String) {
        self.message = Message::note(text);
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
            Ok(saved) => Message::good(format!("{saved} {}.", path.display())),
            Err(error) => Message::refusal(error.to_string()),
        };
    }

    /// Whether the game is in progress. Shows a message if not.
    pub(super) fn is_going_on(&mut self) -> bool {
        match self.game().termination() {
            Some(ending) => {
                self.message = Message::refusal(format!("the game is over: {ending}"));
                false
            }
            None => true,
        }
    }

    /// Starts a rematch, unless a game is in progress.
    fn ask_rematch(&mut self) -> Transition {
        if self.game().termination().is_some() {
            self.rematch();
        } else {
            self.message = Message::refusal("finish this game first, or type new");
        }
        Transition::Stay
    }

    pub(super) fn show_help(&mut self) {
        let line = |keys: &str, does: &str| (keys.to_owned(), does.to_owned());
        let mut lines = vec![
            line("arrows Enter, mouse", "select a piece and move it"),
            line("PgUp PgDn, wheel", "look back at earlier moves"),
        ];
        let keys = [
            ("undo", "^U"),
            ("redo", "^Y"),
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
            let on_screen = ["board", "moves", "clock", "rank", "where"];
            if on_screen.iter().any(|word| words.starts_with(word)) {
                continue;
            }
            let first = words.split([' ', ',']).next().unwrap_or_default();
            let key = keys.iter().find(|(word, _)| *word == first);
            // One example is enough.
            let words = match first {
                "level" => "level 5",
                "resign" => "resign",
                "think" => "think on",
                _ => words,
            };
            match key {
                Some((_, key)) => lines.push(line(&format!("{key} {words}"), does)),
                None => lines.push(line(words, does)),
            }
        }
        lines.extend([
            line("^A review", "go through this game with the engine"),
            line("^O rematch", "play again with colours swapped"),
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
            let rating = level
                .rating()
                .map_or_else(String::new, |rating| format!(", about {rating}"));
            (
                name,
                format!("{}{rating}: {}", level.name(), level.description()),
            )
        });
        self.overlay = Some(Overlay::Help {
            title: "Levels",
            lines: lines.collect(),
            scrolled: 0,
            most: 0,
        });
    }
}
