//! Looking back at earlier positions while the game goes on.

use crossterm::event::KeyCode;
use tabiya_board::GameHistory;

use super::GameScreen;
use crate::game_view::Message;

impl GameScreen {
    /// Handles a key that looks back, or returns to the game. Returns whether it was one.
    pub(super) fn look_back_key(&mut self, code: KeyCode) -> bool {
        match code {
            KeyCode::PageUp => self.look_back(1, false),
            KeyCode::PageDown => self.look_back(1, true),
            KeyCode::Home => self.look_back(usize::MAX, false),
            KeyCode::End => self.look_back(usize::MAX, true),
            KeyCode::Esc => return self.return_to_game(),
            KeyCode::Left | KeyCode::Right if self.looking_at.is_some() => {
                self.look_back(1, code == KeyCode::Right);
            }
            _ => return false,
        }
        true
    }

    /// Goes back or forward by half-moves.
    pub(super) fn look_back(&mut self, plies: usize, forward: bool) {
        let at = self.looking_at.unwrap_or(self.sans.len());
        self.look_at(if forward {
            at.saturating_add(plies)
        } else {
            at.saturating_sub(plies)
        });
    }

    /// Shows the position after this many half-moves.
    pub(super) fn look_at(&mut self, plies: usize) {
        if plies >= self.sans.len() {
            self.return_to_game();
            return;
        }
        self.looking_at = Some(plies);
        self.move_input.drop_all();
        let history = self.shown_history();
        let at = match history.played().last() {
            Some((board, _)) => {
                let dots = if board.turn().is_white() { "." } else { "..." };
                let san = &self.sans[plies - 1];
                format!("The position after {}{dots} {san}", board.fullmove_number())
            }
            None => "The starting position".to_owned(),
        };
        self.message = Message::note(format!("{at}. Esc returns to the game."));
    }

    /// Shows the game itself again. Returns whether another position was shown.
    pub(super) fn return_to_game(&mut self) -> bool {
        let was_elsewhere = self.looking_at.take().is_some();
        if was_elsewhere {
            self.message = match self.game().player_to_move() {
                Some(player) if player.is_person() => {
                    Message::note(format!("{} to move.", self.game().turn()))
                }
                Some(player) => {
                    Message::note(format!("{} is thinking ...", super::short_name(player)))
                }
                None => Message::default(),
            };
        }
        was_elsewhere
    }

    /// The moves up to the position on the screen.
    pub(super) fn shown_history(&self) -> GameHistory {
        let mut history = self.game().history().clone();
        let plies = self.looking_at.unwrap_or(usize::MAX);
        while history.moves().len() > plies {
            history.undo();
        }
        history
    }
}
