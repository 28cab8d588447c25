//! Questions before actions that cannot be taken back easily.

use std::time::Instant;

use crossterm::event::KeyCode;
use tabiya_board::{Color, DrawClaim};
use tabiya_play::Player;

use super::{GameScreen, Overlay};
use crate::app::Transition;
use crate::setup::SetupScreen;

/// An action that needs a confirmation or an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Resign against the computer?
    Resign,
    /// Which of two people resigns?
    WhoResigns,
    New,
    OfferDraw,
    AcceptDraw,
    ClaimDraw(DrawClaim),
    /// Does this person accept the draw that the other one offers?
    AnswerDraw(Color),
    Swap,
}

impl Question {
    pub(super) fn text(self) -> String {
        match self {
            Self::Resign => "Resign this game?".to_owned(),
            Self::WhoResigns => "Who resigns?".to_owned(),
            Self::New => "Start a new game? This one stays saved.".to_owned(),
            Self::OfferDraw => "Offer a draw?".to_owned(),
            Self::AcceptDraw => "Accept the draw?".to_owned(),
            Self::ClaimDraw(claim) => format!("Claim a {claim}?"),
            Self::AnswerDraw(color) => {
                format!("{} offers a draw. {color}: do you accept?", !color)
            }
            Self::Swap => "Swap sides with the computer?".to_owned(),
        }
    }

    /// The keys that answer it, and what they mean.
    pub(super) const fn answers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::WhoResigns => &[("w", "White"), ("b", "Black"), ("Esc", "nobody")],
            _ => &[("y", "yes"), ("n", "no")],
        }
    }
}

impl GameScreen {
    pub(super) fn ask(&mut self, question: Question) {
        self.overlay = Some(Overlay::Ask(question));
    }

    /// Asks before offering, accepting or claiming a draw.
    pub(super) fn ask_draw(&mut self) {
        let game = self.game();
        let claim = game.claimable_draw();
        let is_turn = game.player_to_move().is_some_and(Player::is_person);
        let offer = game.draw_offer();
        let question = match (claim, offer) {
            (Some(claim), _) if is_turn => Question::ClaimDraw(claim),
            (_, Some(color)) if self.is_of_two() => Question::AnswerDraw(!color),
            (_, Some(color)) if !self.game().player(color).is_person() => Question::AcceptDraw,
            _ => Question::OfferDraw,
        };
        if self.is_going_on() {
            self.ask(question);
        }
    }

    /// Asks before resigning.
    pub(super) fn ask_resign(&mut self) {
        if self.is_going_on() {
            self.ask(if self.is_of_two() {
                Question::WhoResigns
            } else {
                Question::Resign
            });
        }
    }

    /// Whether two people play.
    pub(super) fn is_of_two(&self) -> bool {
        self.game().players().iter().all(Player::is_person)
    }

    /// Handles a key while a question is open.
    pub(super) fn answer(&mut self, question: Question, code: KeyCode) -> Transition {
        match (question, code) {
            (Question::WhoResigns, KeyCode::Char('w' | 'W')) => self.resign(Some(Color::White)),
            (Question::WhoResigns, KeyCode::Char('b' | 'B')) => self.resign(Some(Color::Black)),
            (Question::WhoResigns, KeyCode::Esc | KeyCode::Char('n' | 'N')) => self.overlay = None,
            (Question::WhoResigns, _) => {}
            // Not Enter: it ends a move that somebody types without seeing the question.
            (_, KeyCode::Char('y' | 'Y')) => {
                self.overlay = None;
                return self.confirmed(question);
            }
            (_, KeyCode::Char('n' | 'N') | KeyCode::Esc) => {
                self.overlay = None;
                if let Question::AnswerDraw(_) = question {
                    let outcome = self.session.decline(Instant::now());
                    self.show_result(outcome);
                }
            }
            _ => {}
        }
        Transition::Stay
    }

    pub(super) fn resign(&mut self, color: Option<Color>) {
        self.overlay = None;
        let outcome = self.session.resign(color, Instant::now());
        self.show_result(outcome);
    }

    pub(super) fn confirmed(&mut self, question: Question) -> Transition {
        let now = Instant::now();
        match question {
            Question::Resign | Question::WhoResigns => self.resign(None),
            Question::OfferDraw
            | Question::AcceptDraw
            | Question::ClaimDraw(_)
            | Question::AnswerDraw(_) => {
                let outcome = self.session.draw(now);
                self.show_result(outcome);
                // The other person at the keyboard answers at once.
                if let Some(color) = self.game().draw_offer().filter(|_| self.is_of_two()) {
                    self.ask(Question::AnswerDraw(!color));
                }
            }
            Question::Swap => {
                let outcome = self.session.swap_sides(now);
                if outcome.is_ok() {
                    self.flipped = !self.flipped;
                }
                self.show_result(outcome);
            }
            Question::New => {
                let Some(new_game) = &mut self.new_game else {
                    let setup = SetupScreen::new(self.context.clone(), self.is_of_two());
                    return Transition::Replace(Box::new(setup));
                };
                self.session.start_game(new_game(), now);
                self.begin();
            }
        }
        Transition::Stay
    }
}
