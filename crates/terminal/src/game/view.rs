//! Drawing the game screen.

use std::time::{Duration, Instant};

use ratatui::Frame;
use tabiya_board::{Bitboard, Color, GameHistory};
use tabiya_play::{Material, format_score};
use tabiya_review::Eval;

use super::{GameScreen, Overlay, overlay};
use crate::appearance::Appearance;
use crate::board::BoardHighlights;
use crate::game_view::{GameView, PlayerLine};
use crate::keys;
use crate::move_list::{MoveListView, variation};

/// Below this, the clock shows tenths of a second and is highlighted.
const HURRY: Duration = Duration::from_secs(20);

impl GameScreen {
    /// The clock texts.
    pub(super) fn clocks(&self, now: Instant) -> [Option<String>; 2] {
        Color::ALL.map(|color| self.game().clock().remaining(color, now).map(clock_face))
    }

    fn highlights(&self, history: &GameHistory) -> BoardHighlights {
        let board = history.board();
        let mut highlights = BoardHighlights {
            check: board.is_check().then(|| board.king(board.turn())),
            ..BoardHighlights::default()
        };
        if let Some(mv) = history.moves().next_back() {
            highlights.last = Bitboard::from(mv.from()) | Bitboard::from(mv.to());
        }
        if self.looking_at.is_some() {
            return highlights;
        }
        highlights.hint = match &self.premove {
            Some(premove) => premove.squares,
            None => self.hinted,
        };
        self.move_input.mark(board, &mut highlights);
        highlights
    }

    fn player_line(&self, color: Color, now: Instant) -> PlayerLine {
        let left = self.game().clock().remaining(color, now);
        PlayerLine {
            name: self.game().player(color).to_string(),
            clock: self.shown_clocks[color.index()].clone(),
            hurries: left.is_some_and(|left| left < HURRY),
            is_to_move: self.game().termination().is_none() && self.game().turn() == color,
        }
    }

    /// The computer's thinking and the analysis, if shown.
    fn thoughts(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let board = self.game().board();
        if self.shows_thinking
            && let Some(search_info) = self.session.search_info()
        {
            // After its move, show the line that follows.
            let turn = board.turn();
            let last = self.game().last_move();
            let (mover, pv) = match search_info.pv.split_first() {
                Some((first, rest)) if Some(*first) == last => (!turn, rest),
                _ => (turn, &search_info.pv[..]),
            };
            let score = format_score(search_info.score, mover);
            lines.push(format!("{score}  depth {}", search_info.depth));
            lines.push(variation(board, pv));
        }
        if let Some(info) = self
            .analysis
            .as_ref()
            .and_then(|analysis| analysis.lines().first())
        {
            let eval = Eval::new(info.score, board.turn());
            lines.push(format!("{eval:+}  depth {}", info.depth));
        }
        lines
    }

    pub(super) fn draw_all(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let now = Instant::now();
        self.shown_clocks = self.clocks(now);
        let eval = self
            .analysis
            .as_ref()
            .map(|analysis| match analysis.lines().first() {
                Some(info) => Eval::new(info.score, self.game().turn()),
                None => Eval::Centipawns(0),
            });
        let opening = self.game().opening();
        let history = self.shown_history();
        let [white, black] = self.game().players();
        let title = format!("{white} vs. {black}");
        let view = GameView {
            title: &title,
            board: history.board(),
            material: Material::of(&history),
            highlights: self.highlights(&history),
            flipped: self.flipped,
            players: Color::ALL.map(|color| self.player_line(color, now)),
            opening: opening.map(|opening| format!("{} {}", opening.eco, opening.name)),
            moves: MoveListView::Game {
                start: self.game().history().start(),
                sans: &self.sans,
                current: history.moves().len().checked_sub(1),
                result: self
                    .game()
                    .termination()
                    .map(|ending| ending.result().as_str()),
            },
            eval,
            explorer: None,
            engine_lines: self.thoughts(),
            message: &self.message,
            prompt: Some(&self.prompt),
            keys: self.shown_keys(),
        };
        self.areas = view.draw(frame, appearance);
        self.keys = keys::row(frame.area());
        if let Some(promotion) = self.move_input.promotion() {
            let turn = self.game().turn();
            self.promotions = overlay::draw_promotion(frame, appearance, turn, promotion.offered);
        }
        match &mut self.overlay {
            Some(Overlay::Help {
                title,
                lines,
                scrolled,
                most,
            }) => *most = overlay::draw_help(frame, appearance, title, lines, *scrolled),
            Some(Overlay::Ask(question)) => {
                overlay::draw_question(frame, appearance, &question.text(), question.answers());
            }
            Some(Overlay::End) => {
                if let Some(card) = &self.card {
                    overlay::draw_lines(frame, appearance, self.areas.panel, "The end", &|width| {
                        card.lines(width, appearance)
                    });
                }
            }
            None => {}
        }
    }
}

/// Formats a clock time: `1:05:00`, `4:58`, and below twenty seconds `0:09.3`.
fn clock_face(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else if left < HURRY {
        format!("{minutes}:{rest:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_are_formatted() {
        for (milliseconds, face) in [
            (3_900_000, "1:05:00"),
            (298_512, "4:58"),
            (20_000, "0:20"),
            (9_350, "0:09.3"),
            (0, "0:00.0"),
        ] {
            assert_eq!(clock_face(Duration::from_millis(milliseconds)), face);
        }
    }
}
