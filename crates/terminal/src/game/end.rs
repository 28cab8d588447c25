//! The end of a game: the card, the rematch, the review.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Instant;

use ratatui::text::{Line, Span};
use tabiya_board::{Color, GameHistory};
use tabiya_engine::{Engine, EngineThread, StopSignal};
use tabiya_play::{Game, MoveTime, Termination};
use tabiya_review::GameCard;

use super::{GameScreen, Overlay};
use crate::app::Transition;
use crate::appearance::Appearance;
use crate::game_view::sentence;
use crate::replay::ReplayScreen;
use crate::text;
use crate::theme::Tone;

/// The card at the end of a game.
pub(super) struct EndCard {
    pub(super) result: &'static str,
    /// Why the game ended.
    pub(super) reason: String,
    /// The names of White and Black.
    pub(super) names: [String; 2],
    pub(super) numbers: CardNumbers,
}

/// Accuracy and worst moves.
pub(super) enum CardNumbers {
    /// Positions evaluated so far, and in all.
    Searching(usize, usize),
    Found(Box<GameCard>),
    /// There is no engine, or the game is too short.
    None,
}

/// The search for the numbers of the card. Dropping it stops the search.
pub(super) struct CardSearch {
    updates: Receiver<CardNumbers>,
    _thread: EngineThread<'static, Engine>,
}

impl EndCard {
    /// The card as lines of this width.
    pub(super) fn lines(&self, width: u16, appearance: &Appearance) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let strong = appearance.strong();
        for part in text::wrapped(&format!("{}  {}", self.result, self.reason), width, 3) {
            lines.push(Line::styled(part, strong));
        }
        for color in Color::ALL {
            lines.push(Line::default());
            let player = &self.names[color.index()];
            // Two people at one keyboard may have no other names.
            let name = if *player == color.to_string() {
                player.clone()
            } else {
                format!("{color}: {player}")
            };
            let name = text::clipped(&name, width);
            lines.push(Line::styled(name, appearance.ink(Tone::Accent)));
            for said in self.play_of(color) {
                for part in text::wrapped(&said, width, 3) {
                    lines.push(Line::styled(part, appearance.ink(Tone::Ink)));
                }
            }
        }
        lines.push(Line::default());
        for (key, does) in [
            ("^A", "review the mistakes"),
            ("^O", "rematch, colours swapped"),
            ("^N", "new game"),
            ("^U", "take back"),
            ("Esc", "close this card"),
        ] {
            lines.push(Line::from(vec![
                Span::styled(format!("{key:<4}"), appearance.ink(Tone::Accent)),
                Span::styled(does, appearance.ink(Tone::Ink)),
            ]));
        }
        lines
    }

    /// How well a side played. Two lines at least, so that nothing jumps when the numbers come.
    fn play_of(&self, color: Color) -> Vec<String> {
        let card = match &self.numbers {
            CardNumbers::Searching(done, total) => {
                let percent = done * 100 / total.max(&1);
                return vec![format!("analysing: {percent}%"), String::new()];
            }
            CardNumbers::None => return Vec::new(),
            CardNumbers::Found(card) => card.player(color),
        };
        let accuracy = match card.accuracy {
            Some(accuracy) => format!("accuracy {accuracy:.0}%"),
            None => "no moves".to_owned(),
        };
        let worst = match &card.worst {
            Some(worst) => format!("worst: {}, {}", worst.name, worst.reason),
            None if card.accuracy.is_some() => "no bad moves".to_owned(),
            None => String::new(),
        };
        vec![accuracy, worst]
    }
}

impl GameScreen {
    /// Shows the card, and starts to look for its numbers.
    pub(super) fn show_card(&mut self, ending: Termination) {
        let names = Color::ALL.map(|color| self.game().player(color).to_string());
        let positions = self.sans.len() + 1;
        let mut card = EndCard {
            result: ending.result().as_str(),
            reason: sentence(&ending.to_string()),
            names,
            numbers: CardNumbers::None,
        };
        if positions > 1 && self.card_search.is_none() {
            self.card_search = search(self.game().history().clone()).ok();
            if self.card_search.is_some() {
                card.numbers = CardNumbers::Searching(0, positions);
            }
        }
        self.card = Some(card);
        self.overlay = Some(Overlay::End);
    }

    /// Takes what the search has found. Returns whether anything has changed.
    pub(super) fn poll_card(&mut self) -> bool {
        let mut has_changed = false;
        while let Some(search) = &self.card_search {
            let numbers = match search.updates.try_recv() {
                Ok(numbers) => numbers,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.card_search = None;
                    if let Some(card) = &mut self.card
                        && let CardNumbers::Searching(..) = card.numbers
                    {
                        card.numbers = CardNumbers::None;
                    }
                    return true;
                }
            };
            if !matches!(numbers, CardNumbers::Searching(..)) {
                self.card_search = None;
            }
            if let Some(card) = &mut self.card {
                card.numbers = numbers;
            }
            has_changed = true;
        }
        has_changed
    }

    /// Starts the same game again with colours swapped.
    pub(super) fn rematch(&mut self) {
        let game = self.game();
        let [white, black] = game.players().clone();
        // Moves that were there before the game started took no time.
        let is_given = |turn: &&MoveTime| turn.spent.is_none();
        let given = game.move_times().iter().take_while(is_given).count();
        let mut start = GameHistory::new(*game.history().start());
        for mv in game.history().moves().take(given) {
            start.play(mv);
        }
        let next = Game::new(start, [black, white], game.clock().control());
        self.overlay = None;
        self.session.start_game(next, Instant::now());
        self.begin();
    }

    /// Opens the game for review, at the first mistake if there is one.
    pub(super) fn review(&mut self) -> Transition {
        let save = self.context.borrow().save.clone();
        let mut game = self.game().pgn();
        let is_over = self.game().termination().is_some();
        let card = match &self.card {
            Some(EndCard {
                numbers: CardNumbers::Found(card),
                ..
            }) => Some(card),
            _ => None,
        };
        if let Some(card) = card {
            card.review.annotate(&mut game);
        }
        let explorer = self.context.borrow().explorer();
        let mut replay = ReplayScreen::analysis(game, save).with_explorer(explorer);
        match card.map(|card| card.first_mistake) {
            Some(Some(ply)) => replay.go_to_ply(ply + 1),
            None if is_over && !self.sans.is_empty() => replay.next_mistake(),
            _ => replay.go_to_end(),
        }
        replay.set_flipped(self.flipped);
        Transition::Open(Box::new(replay))
    }
}

/// Starts the search.
fn search(history: GameHistory) -> std::io::Result<CardSearch> {
    let (sender, updates) = mpsc::channel();
    let mut thread = EngineThread::spawn(Engine::default)?;
    thread.start(StopSignal::default(), move |engine, signal| {
        let mut progress = |done, total| {
            // The receiver is gone if the game goes on.
            let _ = sender.send(CardNumbers::Searching(done, total));
        };
        let found = GameCard::of(engine, &history, GameCard::NODES, signal, &mut progress);
        let _ =
            sender.send(found.map_or(CardNumbers::None, |card| CardNumbers::Found(Box::new(card))));
    });
    Ok(CardSearch {
        updates,
        _thread: thread,
    })
}
