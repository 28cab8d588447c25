//! The board and everything around it, shared by game, replay and analysis screens.

use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};
use tabiya_board::{Board, Color as Side, Piece, Square};
use tabiya_play::Material;
use tabiya_review::Eval;

use crate::appearance::Appearance;
use crate::board::{BoardArea, BoardHighlights, BoardView};
use crate::explorer::ExplorerPanel;
use crate::keys::{Key, KeyBar};
use crate::layout::Layout;
use crate::move_list::{self, MoveAreas, MoveListView};
use crate::prompt::Prompt;
use crate::text;
use crate::theme::Tone;

/// The contents of a screen with a board.
pub(crate) struct GameView<'a> {
    /// The title line.
    pub(crate) title: &'a str,
    pub(crate) board: &'a Board,
    /// Captured pieces and the balance.
    pub(crate) material: Material,
    pub(crate) highlights: BoardHighlights,
    pub(crate) flipped: bool,
    /// White and Black.
    pub(crate) players: [PlayerLine; 2],
    /// The name of the opening.
    pub(crate) opening: Option<String>,
    pub(crate) moves: MoveListView<'a>,
    /// The evaluation bar, if shown.
    pub(crate) eval: Option<Eval>,
    /// What was played in the position, if an archive is open.
    pub(crate) explorer: Option<&'a ExplorerPanel>,
    /// The engine's output, line by line.
    pub(crate) engine_lines: Vec<String>,
    pub(crate) message: &'a Message,
    pub(crate) prompt: Option<&'a Prompt>,
    pub(crate) keys: &'a [Key],
}

/// Where the parts of the screen are, for the mouse.
#[derive(Clone, Default, Debug)]
pub(crate) struct ViewAreas {
    pub(crate) board: Option<BoardArea>,
    /// The moves in the move list.
    pub(crate) moves: MoveAreas,
    /// The rows of the explorer.
    pub(crate) explorer: Vec<Rect>,
    /// The frame around the move list, if it is beside the board.
    pub(crate) panel: Option<Rect>,
}

impl ViewAreas {
    /// The square at a point.
    pub(crate) fn square_at(&self, point: Point) -> Option<Square> {
        self.board.and_then(|board| board.square_at(point))
    }

    /// The row of the explorer at a point.
    pub(crate) fn explorer_at(&self, point: Point) -> Option<usize> {
        self.explorer.iter().position(|row| row.contains(point))
    }

    /// The index of the move or word at a point of the move list.
    pub(crate) fn move_at(&self, point: Point) -> Option<usize> {
        let mut moves = self.moves.iter();
        moves
            .find(|(area, _)| area.contains(point))
            .map(|&(_, index)| index)
    }
}

/// The line of a player above or below the board.
#[derive(Clone, Default, Debug)]
pub(crate) struct PlayerLine {
    pub(crate) name: String,
    pub(crate) clock: Option<String>,
    /// Whether time is nearly out.
    pub(crate) hurries: bool,
    pub(crate) is_to_move: bool,
}

/// A message to the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) kind: MessageKind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MessageKind {
    /// Information.
    #[default]
    Note,
    /// An illegal move, a file that cannot be written.
    Refusal,
    /// A hint, a win.
    Good,
}

impl Message {
    pub(crate) fn note(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: MessageKind::Note,
        }
    }

    pub(crate) fn refusal(text: impl Into<String>) -> Self {
        Self {
            text: sentence(&text.into()),
            kind: MessageKind::Refusal,
        }
    }

    pub(crate) fn good(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind: MessageKind::Good,
        }
    }
}

/// Turns a library's message into a sentence: adds a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    // Squares, moves and file names keep their case.
    let is_word = first
        .trim_end_matches([':', ','])
        .chars()
        .all(char::is_alphabetic);
    let mut letters = text.chars();
    let mut text: String = match letters.next() {
        Some(first) if is_word => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    };
    if text.ends_with(|letter: char| letter.is_alphanumeric() || letter == ')') {
        text.push('.');
    }
    text
}

impl GameView<'_> {
    /// Draws the screen. Returns where everything is, for the mouse.
    pub(crate) fn draw(&self, frame: &mut Frame, appearance: &Appearance) -> ViewAreas {
        let area = frame.area();
        frame.buffer_mut().set_style(area, appearance.text());
        let wants = crate::layout::LayoutOptions {
            eval: self.eval.is_some(),
            prompt: self.prompt.is_some(),
        };
        let Some(layout) = Layout::of(area, appearance, wants) else {
            draw_too_small(frame, appearance);
            return ViewAreas::default();
        };
        let mut areas = ViewAreas {
            panel: layout.panel.filter(|_| layout.is_wide),
            ..ViewAreas::default()
        };
        if let Some(header) = layout.header {
            let line = Line::styled(
                text::clipped(self.title, header.width),
                appearance.ink(Tone::Dim),
            );
            frame.render_widget(line, header);
        }
        let (upper, lower) = if self.flipped {
            (Side::White, Side::Black)
        } else {
            (Side::Black, Side::White)
        };
        for (side, area) in [(upper, layout.upper), (lower, layout.lower)] {
            if let Some(area) = area {
                self.draw_player(side, frame, area, appearance);
            }
        }
        let view = BoardView {
            position: self.board,
            highlights: &self.highlights,
            appearance,
            size: layout.size,
            flipped: self.flipped,
        };
        frame.render_widget(view, layout.board);
        if let Some(eval) = self.eval {
            self.draw_eval(eval, frame, &layout, appearance);
        }
        if let Some(area) = layout.panel {
            (areas.moves, areas.explorer) =
                self.draw_panel(frame, area, appearance, layout.is_wide);
        }
        self.draw_message(frame, layout.message, appearance);
        if let (Some(prompt), Some(area)) = (self.prompt, layout.prompt) {
            prompt.draw(frame, area, appearance);
        }
        let keys = KeyBar {
            keys: self.keys,
            appearance,
        };
        frame.render_widget(keys, layout.keys);
        let corner = Point::new(layout.board.x, layout.board.y);
        areas.board = Some(BoardArea::new(corner, layout.size, self.flipped));
        areas
    }

    /// Draws the turn marker, name, captures and clock of a player.
    fn draw_player(&self, side: Side, frame: &mut Frame, area: Rect, appearance: &Appearance) {
        let player = &self.players[side.index()];
        let turn = if player.is_to_move {
            appearance.either("▸ ", "> ")
        } else {
            "  "
        };
        let clock = player.clock.as_deref().unwrap_or("");
        let clock_width = text::columns(clock) as u16;
        let name_style = if player.is_to_move {
            appearance.strong()
        } else {
            appearance.ink(Tone::Ink)
        };
        let captured = self.captured(side, appearance);
        let captured_width: usize = captured.iter().map(Span::width).sum();
        let room = area
            .width
            .saturating_sub(2 + captured_width as u16 + 2 + clock_width + 1);
        let mut spans = vec![
            Span::styled(turn, appearance.ink(Tone::Accent)),
            Span::styled(text::shortened(&player.name, room), name_style),
            Span::raw("  "),
        ];
        spans.extend(captured);
        frame.render_widget(Line::from(spans), area);
        if !clock.is_empty() {
            let style = if player.hurries {
                appearance.ink(Tone::Bad).add_modifier(Modifier::BOLD)
            } else if player.is_to_move {
                appearance.strong()
            } else {
                appearance.ink(Tone::Dim)
            };
            frame.render_widget(Line::styled(clock, style).right_aligned(), area);
        }
    }

    /// The pieces that a side has captured, and its advantage.
    fn captured(&self, side: Side, appearance: &Appearance) -> Vec<Span<'static>> {
        let roles = &self.material.captured[(!side).index()];
        let figures = roles
            .iter()
            .map(|&role| appearance.figure(Piece::new(!side, role)));
        let mut shown: String = figures.collect();
        let ahead = if side.is_white() {
            self.material.balance
        } else {
            -self.material.balance
        };
        if ahead > 0 {
            shown.extend([" +", &ahead.to_string()]);
        }
        vec![Span::styled(shown, appearance.ink(Tone::Dim))]
    }

    /// Draws the evaluation bar. White's part grows from White's side of the board, and is aligned with the squares.
    fn draw_eval(&self, eval: Eval, frame: &mut Frame, layout: &Layout, appearance: &Appearance) {
        let Some(area) = layout.eval else {
            return;
        };
        let inset = i32::from(layout.size.is_shifted());
        let halves = i32::from(area.height) * 2 - 2 * inset;
        let white = (eval.win_percent() / 100.0 * f64::from(halves)).round() as i32;
        let color = |half: i32| {
            let half = half - inset;
            let is_white = if self.flipped {
                half < white
            } else {
                half >= halves - white
            };
            (0..halves)
                .contains(&half)
                .then_some(if is_white { Side::White } else { Side::Black })
        };
        let paint = |side: Option<Side>| {
            side.map_or(appearance.tone(Tone::Paper), |side| {
                appearance.figure_color(side)
            })
        };
        let buffer = frame.buffer_mut();
        for row in 0..area.height {
            let (upper, lower) = (i32::from(row) * 2, i32::from(row) * 2 + 1);
            for x in area.left()..area.right() {
                let cell = &mut buffer[(x, area.y + row)];
                match (color(upper), color(lower)) {
                    (_, lower) if !appearance.has_glyphs() => {
                        cell.set_symbol(if lower == Some(Side::White) { "W" } else { ":" });
                    }
                    // The background colour works only as a cell background.
                    (None, lower) => {
                        cell.set_symbol("▄")
                            .set_fg(paint(lower))
                            .set_bg(paint(None));
                    }
                    (upper, lower) => {
                        cell.set_symbol("▀")
                            .set_fg(paint(upper))
                            .set_bg(paint(lower));
                    }
                }
            }
        }
    }

    fn draw_panel(
        &self,
        frame: &mut Frame,
        area: Rect,
        appearance: &Appearance,
        is_framed: bool,
    ) -> (MoveAreas, Vec<Rect>) {
        let mut inner = area;
        if is_framed {
            let block = frame_block(appearance);
            inner = block.inner(area);
            frame.render_widget(block, area);
            inner.x += 1;
            inner.width = inner.width.saturating_sub(2);
        }
        if let Some(opening) = &self.opening
            && inner.height > 2
        {
            let lines = text::wrapped(opening, inner.width, if is_framed { 2 } else { 1 });
            for line in lines {
                let style = appearance.ink(Tone::Accent);
                frame.render_widget(Line::styled(line, style), first_row(&mut inner));
            }
            if is_framed {
                first_row(&mut inner);
            }
        }
        let dim = |_| Tone::Dim;
        draw_below(&self.engine_lines, dim, frame, &mut inner, appearance);
        // The moves of the game keep half of what is left. Without a frame there is no room.
        let explorer = self.explorer.filter(|_| is_framed);
        let lines = explorer.map(|explorer| {
            let room = inner.height.saturating_sub(1) / 2;
            explorer.lines(inner.width, room)
        });
        let lines = lines.unwrap_or_default();
        // The heading, and the moves, which can be clicked.
        let tone = |row| if row == 0 { Tone::Dim } else { Tone::Ink };
        let explorer = draw_below(&lines, tone, frame, &mut inner, appearance);
        let moves = move_list::draw(&self.moves, frame, inner, appearance);
        (moves, explorer)
    }

    fn draw_message(&self, frame: &mut Frame, area: Rect, appearance: &Appearance) {
        let style = match self.message.kind {
            MessageKind::Note => appearance.ink(Tone::Ink),
            MessageKind::Refusal => appearance.ink(Tone::Bad),
            MessageKind::Good => appearance.ink(Tone::Good),
        };
        let lines = text::wrapped(&self.message.text, area.width, area.height);
        // A short message goes next to the prompt.
        let skipped = area.height.saturating_sub(lines.len() as u16);
        let area = Rect {
            y: area.y + skipped,
            height: area.height - skipped,
            ..area
        };
        let lines: Vec<Line> = lines
            .into_iter()
            .map(|line| Line::styled(line, style))
            .collect();
        frame.render_widget(Paragraph::new(lines), area);
    }
}

/// Draws lines at the bottom of an area, and a rule above them if there is room; the area gets smaller. Returns the rows.
fn draw_below(
    lines: &[String],
    tone: impl Fn(usize) -> Tone,
    frame: &mut Frame,
    area: &mut Rect,
    appearance: &Appearance,
) -> Vec<Rect> {
    let height = (lines.len() as u16).min(area.height / 2);
    let below = Rect {
        y: area.bottom() - height,
        height,
        ..*area
    };
    area.height -= height;
    for (i, (line, row)) in lines.iter().zip(below.rows()).enumerate() {
        let line = text::clipped(line, row.width);
        frame.render_widget(Line::styled(line, appearance.ink(tone(i))), row);
    }
    if height > 0 && area.height > 3 {
        area.height -= 1;
        let rule = Rect {
            y: area.bottom(),
            height: 1,
            ..*area
        };
        let line = appearance.either("─", "-").repeat(rule.width.into());
        frame.render_widget(Line::styled(line, appearance.ink(Tone::Frame)), rule);
    }
    below.rows().collect()
}

/// Splits the first row off an area.
fn first_row(area: &mut Rect) -> Rect {
    let taken = area.height.min(1);
    let row = Rect {
        height: taken,
        ..*area
    };
    area.y += taken;
    area.height -= taken;
    row
}

/// The frame of a panel.
pub(crate) fn frame_block(appearance: &Appearance) -> Block<'static> {
    const ASCII: ratatui::symbols::border::Set = ratatui::symbols::border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    let style = if appearance.has_color() {
        Style::new().fg(appearance.tone(Tone::Frame))
    } else {
        Style::new().add_modifier(Modifier::DIM)
    };
    let block = Block::bordered().border_style(style);
    if appearance.is_unicode() {
        block.border_type(BorderType::Rounded)
    } else {
        block.border_set(ASCII)
    }
}

fn draw_too_small(frame: &mut Frame, appearance: &Appearance) {
    let area = frame.area();
    let message = format!(
        "This window is too small: {} × {}. Make it at least {} × {}.",
        area.width,
        area.height,
        crate::layout::MIN_COLUMNS,
        crate::layout::MIN_ROWS
    );
    let message = if appearance.is_unicode() {
        message
    } else {
        message.replace('×', "x")
    };
    let lines = text::wrapped(&message, area.width, area.height);
    let lines: Vec<Line> = lines.into_iter().map(Line::from).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_stand_alone() {
        for (message, shown) in [
            ("pawns move forward", "Pawns move forward."),
            ("wait: it's Tabiya's turn", "Wait: it's Tabiya's turn."),
            ("e4 is occupied by a pawn", "e4 is occupied by a pawn."),
            (
                "games.pgn:7:3: illegal move",
                "games.pgn:7:3: illegal move.",
            ),
            ("What now?", "What now?"),
            ("", ""),
        ] {
            assert_eq!(sentence(message), shown);
        }
    }
}
