//! A game as a board after every move.

use std::fmt::Write;

use anstyle::Style;
use tabiya_notation::pgn::Game;
use tabiya_notation::{PieceLetters, opening};

use crate::caption::{comment, event};
use crate::diagram::{Diagram, DiagramStyle, Highlights};
use crate::text::wrapped_with_indent;
use crate::tree::MoveTree;

const BOLD: Style = Style::new().bold();

/// Returns the event of a game, and the board after each move of its main line, with the move, the opening, the
/// comments, and the alternatives. Lines are wrapped to a number of columns.
///
/// ```
/// use tabiya_display::boards::boards_of;
/// use tabiya_display::diagram::DiagramStyle;
/// use tabiya_notation::PieceLetters;
/// use tabiya_notation::pgn::{Game, Reader};
///
/// let game = Game::read(&mut Reader::new(b"1. e4 (1. d4) e5 *")).unwrap().unwrap();
/// let text = boards_of(&game, PieceLetters::ENGLISH, DiagramStyle::Letters, Some(80));
/// assert_eq!(text.matches("a b c d e f g h").count(), 3);
/// assert!(text.contains("or 1. d4"));
/// ```
pub fn boards_of(
    game: &Game,
    letters: PieceLetters,
    style: DiagramStyle,
    columns: Option<usize>,
) -> String {
    let wrap =
        |line: &str, indent| wrapped_with_indent(line, columns.unwrap_or(usize::MAX), indent);
    let mut text = String::new();
    if let Some(event) = event(game) {
        text.push_str(&wrap(&event, 2));
    }
    text.push('\n');
    let moves = MoveTree::of(game, letters);
    let mut named = None;
    for id in std::iter::once(Game::ROOT).chain(game.main_line()) {
        // Writing to a string does not fail.
        if id != Game::ROOT {
            let _ = writeln!(text, "{BOLD}{}{BOLD:#}", moves.numbered(game, id));
        }
        let board = moves.board(id);
        let diagram = Diagram {
            style,
            highlights: Highlights::of_move(game.move_to(id)),
            ..Diagram::new(&board)
        };
        let _ = write!(text, "{diagram}");
        if let Some(opening) = opening(&board).filter(|&opening| named != Some(opening)) {
            named = Some(opening);
            text.push_str(&wrap(&format!("{} {}", opening.eco, opening.name), 2));
        }
        if let Some(comment) = comment(game, id) {
            text.push_str(&wrap(&comment, 2));
        }
        for other in game.alternatives(id) {
            text.push_str(&wrap(&format!("or {}", moves.line(game, other)), 3));
        }
        text.push('\n');
    }
    text
}
