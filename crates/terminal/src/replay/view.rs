//! Drawing the replay screen.

use ratatui::Frame;
use tabiya_board::{Bitboard, Color};
use tabiya_notation::opening;
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_play::Material;
use tabiya_review::Eval;

use super::keys::{HELP, KEYS};
use super::question::ANSWERS;
use super::{LINES, ReplayScreen};
use crate::appearance::Appearance;
use crate::board::BoardHighlights;
use crate::caption;
use crate::game_view::{GameView, Message, PlayerLine};
use crate::keys;
use crate::move_list::{MoveListView, variation};
use crate::overlay;

impl ReplayScreen {
    /// The message for the current node: comments, errors, the result, variations.
    pub(super) fn remarks(&self) -> Message {
        let game = &self.loaded.game;
        let is_last = game.children(self.at).next().is_none();
        if let Some(problem) = &self.loaded.problem
            && is_last
        {
            return Message::refusal(crate::text::printable(problem));
        }
        if let Some(remark) = caption::remark(game, self.at) {
            return Message::note(remark);
        }
        if self.at == Game::ROOT && game.tag("White").is_some() {
            return Message::note(format!("{}. {}", self.title, caption::title(game)));
        }
        if let Some(outcome) = self.history().outcome() {
            return Message::note(crate::game_view::sentence(&outcome.to_string()));
        }
        let others: Vec<String> = game
            .children(self.at)
            .skip(1)
            .map(|id| self.tree.numbered(game, id))
            .collect();
        if others.is_empty() {
            Message::default()
        } else {
            Message::note(format!("Variations: {}", others.join(", ")))
        }
    }

    /// The nodes from here back to the start.
    fn path(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(self.at), |&id| self.loaded.game.parent(id))
    }

    fn highlights(&self) -> BoardHighlights {
        let board = self.board();
        let mut highlights = BoardHighlights {
            check: board.is_check().then(|| board.king(board.turn())),
            ..BoardHighlights::default()
        };
        if let Some(mv) = self.loaded.game.move_to(self.at) {
            highlights.last = Bitboard::from(mv.from()) | Bitboard::from(mv.to());
        }
        self.move_input.mark(&board, &mut highlights);
        highlights
    }

    fn player_line(&self, color: Color) -> PlayerLine {
        let game = &self.loaded.game;
        // The clock after the side's last move.
        let clock = self.path().find_map(|id| {
            let mover = game.parent(id).map(|parent| self.tree.board(parent).turn());
            caption::clock(game, id).filter(|_| mover == Some(color))
        });
        let clock = clock.map(|left| {
            let seconds = left.as_secs();
            format!(
                "{}:{:02}:{:02}",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60
            )
        });
        let name = caption::player(game, if color.is_white() { "White" } else { "Black" });
        PlayerLine {
            name: if name == "?" { color.to_string() } else { name },
            clock,
            hurries: false,
            is_to_move: self.board().turn() == color,
        }
    }

    fn thoughts(&self) -> Vec<String> {
        let Some(engine) = &self.engine else {
            return Vec::new();
        };
        let board = self.board();
        let lines = engine.lines().iter().map(|info| {
            let eval = Eval::new(info.score, board.turn());
            format!("{eval:+6}  {}", variation(&board, &info.pv))
        });
        let mut lines: Vec<String> = lines.take(LINES).collect();
        let depth = engine.lines().first().map_or(0, |info| info.depth);
        // Keep the number of lines constant, so that nothing jumps.
        lines.resize(LINES, String::new());
        lines.insert(0, format!("Engine, depth {depth}"));
        lines
    }

    pub(super) fn draw_all(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let board = self.board();
        let board_area = self.tree.words.iter();
        let current = board_area
            .into_iter()
            .position(|word| word.place == self.at);
        let named = self.path().find_map(|id| opening(&self.tree.board(id)));
        let eval = self
            .engine
            .as_ref()
            .map(|engine| match engine.lines().first() {
                Some(info) => Eval::new(info.score, board.turn()),
                None => Eval::Centipawns(0),
            });
        let result = caption::result(&self.loaded.game);
        let title = format!("{}  {result}", self.title);
        let view = GameView {
            title: &title,
            board: &board,
            material: Material::of(&self.history()),
            highlights: self.highlights(),
            flipped: self.flipped,
            players: Color::ALL.map(|color| self.player_line(color)),
            opening: named.map(|opening| format!("{} {}", opening.eco, opening.name)),
            moves: MoveListView::Words {
                words: &self.words,
                current,
            },
            eval,
            explorer: self.explorer.as_ref(),
            engine_lines: self.thoughts(),
            message: &self.message,
            prompt: Some(&self.prompt),
            keys: &KEYS,
        };
        self.areas = view.draw(frame, appearance);
        self.keys = keys::row(frame.area());
        if let Some(promotion) = self.move_input.promotion() {
            let turn = board.turn();
            self.promotions = overlay::draw_promotion(frame, appearance, turn, promotion.offered);
        }
        if let Some((scrolled, most)) = &mut self.help {
            let lines = HELP.map(|(keys, does)| (keys.to_owned(), does.to_owned()));
            *most = overlay::draw_help(frame, appearance, "Replay (^ is Ctrl)", &lines, *scrolled);
        }
        if let Some(question) = self.question {
            overlay::draw_question(frame, appearance, question.text(), &ANSWERS);
        }
    }
}
