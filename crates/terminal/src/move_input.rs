//! Making a move on the board with the keyboard or the mouse.

use crossterm::event::KeyCode;
use ratatui::layout::{Position as Point, Rect};
use tabiya_board::{Bitboard, Board, Color, Move, Refusal, Role, Square};

use crate::board::{BoardArea, BoardHighlights};
use crate::overlay::PROMOTIONS;

/// The cursor, the selected piece and a pending promotion.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveSelection {
    cursor: Option<Square>,
    chosen: Option<Square>,
    promotion: Option<Promotion>,
}

/// A promotion that waits for the choice of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promotion {
    from: Square,
    to: Square,
    /// The index of the highlighted piece.
    pub(crate) offered: usize,
}

/// The result of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputResult {
    /// No move yet.
    Nothing,
    /// A legal move.
    Play(Move),
    /// An illegal move, or no piece to move, with the reason.
    Refused(String),
}

impl MoveSelection {
    /// Resets everything.
    pub(crate) fn drop_all(&mut self) {
        *self = Self::default();
    }

    /// Cancels the promotion, deselects the piece, or hides the cursor. Returns whether there was anything to cancel.
    pub(crate) fn cancel(&mut self) -> bool {
        if self.promotion.take().is_some() || self.chosen.take().is_some() {
            return true;
        }
        self.cursor.take().is_some()
    }

    /// The pending promotion.
    pub(crate) const fn promotion(&self) -> Option<Promotion> {
        self.promotion
    }

    /// Whether the cursor is on the board.
    pub(crate) const fn is_pointing(&self) -> bool {
        self.cursor.is_some()
    }

    /// The square of the cursor.
    pub(crate) const fn cursor(&self) -> Option<Square> {
        self.cursor
    }

    /// The selected piece.
    pub(crate) const fn chosen(&self) -> Option<Square> {
        self.chosen
    }

    /// Selects a piece of this colour, or returns the squares of a move to play later. The position will be another
    /// one then, so any target will do: also an own piece, which may be captured by then.
    pub(crate) fn touch_premove(
        &mut self,
        square: Square,
        board: &Board,
        color: Color,
    ) -> Option<(Square, Square)> {
        match self.chosen.take() {
            Some(from) if from != square => return Some((from, square)),
            None if board.color_at(square) == Some(color) => self.chosen = Some(square),
            _ => {}
        }
        None
    }

    /// Starts the choice of a promotion piece.
    pub(crate) fn ask_promotion(&mut self, from: Square, to: Square) {
        self.promotion = Some(Promotion {
            from,
            to,
            offered: 0,
        });
    }

    /// Adds the cursor and the selected piece to the highlights.
    pub(crate) fn mark(&self, board: &Board, highlights: &mut BoardHighlights) {
        highlights.cursor = self.cursor;
        highlights.chosen = self.chosen;
        if let Some(from) = self.chosen {
            let moves = board.legal_moves();
            let targets = moves.iter().filter(|mv| mv.from() == from);
            highlights.targets = targets.fold(Bitboard::EMPTY, |set, mv| set | mv.to().into());
        }
    }

    /// Moves the cursor by an arrow key; whether it was one.
    pub(crate) fn point(&mut self, code: KeyCode, board: &Board, flipped: bool) -> bool {
        let (right, down) = match code {
            KeyCode::Left => (-1, 0),
            KeyCode::Right => (1, 0),
            KeyCode::Up => (0, -1),
            KeyCode::Down => (0, 1),
            _ => return false,
        };
        self.cursor = Some(if let Some(cursor) = self.cursor {
            BoardArea::step(flipped, cursor, right, down)
        } else {
            // The cursor appears in front of the king of the side to move, where everything is near.
            let side = board.turn();
            let king = board.king(side);
            let ahead = if side.is_white() { 1 } else { -1 };
            king.offset(0, ahead).unwrap_or(king)
        });
        true
    }

    /// Selects a piece, or moves the selected piece to a square.
    pub(crate) fn touch(&mut self, square: Square, board: &Board) -> InputResult {
        let is_own = board.color_at(square) == Some(board.turn());
        let Some(from) = self.chosen else {
            if !is_own {
                let turn = board.turn();
                return InputResult::Refused(match board.role_at(square) {
                    Some(role) => format!(
                        "the {} on {square} is {}'s, but it's {turn}'s turn",
                        role.name(),
                        !turn
                    ),
                    None => format!("there is no piece on {square}"),
                });
            }
            self.chosen = Some(square);
            return InputResult::Nothing;
        };
        if from == square {
            self.chosen = None;
            return InputResult::Nothing;
        }
        match board.legal_move(from, square, None) {
            Ok(mv) => {
                self.chosen = None;
                InputResult::Play(mv)
            }
            Err(Refusal::MissingPromotion { .. }) => {
                self.ask_promotion(from, square);
                InputResult::Nothing
            }
            // Select another piece.
            Err(_) if is_own => {
                self.chosen = Some(square);
                InputResult::Nothing
            }
            Err(refusal) => InputResult::Refused(refusal.to_string()),
        }
    }

    /// Drops a piece dragged with the mouse. On its own square, it stays selected.
    pub(crate) fn release(&mut self, square: Square, board: &Board) -> InputResult {
        match self.chosen {
            Some(from) if from != square && board.color_at(square) != Some(board.turn()) => {
                self.touch(square, board)
            }
            _ => InputResult::Nothing,
        }
    }

    /// Handles a key while a promotion is pending.
    pub(crate) fn choose_promotion(&mut self, code: KeyCode, board: &Board) -> InputResult {
        let Some(promotion) = &mut self.promotion else {
            return InputResult::Nothing;
        };
        let count = PROMOTIONS.len();
        match code {
            KeyCode::Up | KeyCode::Left => {
                promotion.offered = (promotion.offered + count - 1) % count;
            }
            KeyCode::Down | KeyCode::Right | KeyCode::Tab => {
                promotion.offered = (promotion.offered + 1) % count;
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                let role = PROMOTIONS[promotion.offered];
                return self.promote(role, board);
            }
            KeyCode::Esc | KeyCode::Backspace => self.promotion = None,
            KeyCode::Char(letter) => {
                let role = Role::from_char(letter);
                if let Some(role) = role.filter(|role| PROMOTIONS.contains(role)) {
                    return self.promote(role, board);
                }
            }
            _ => {}
        }
        InputResult::Nothing
    }

    /// Handles a click while a promotion is pending: on a piece it promotes, elsewhere it cancels.
    pub(crate) fn click_promotion(
        &mut self,
        point: Point,
        offers: Rect,
        board: &Board,
    ) -> InputResult {
        let row = point.y.checked_sub(offers.y).map(usize::from);
        let role = row.and_then(|row| PROMOTIONS.get(row));
        if let Some(&role) = role.filter(|_| offers.contains(point)) {
            return self.promote(role, board);
        }
        self.promotion = None;
        InputResult::Nothing
    }

    /// Promotes to a piece.
    pub(crate) fn promote(&mut self, role: Role, board: &Board) -> InputResult {
        let Some(Promotion { from, to, .. }) = self.promotion.take() else {
            return InputResult::Nothing;
        };
        self.chosen = None;
        match board.legal_move(from, to, Some(role)) {
            Ok(mv) => InputResult::Play(mv),
            Err(refusal) => InputResult::Refused(refusal.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn a_piece_is_selected_and_moved() {
        let board = Board::start();
        let mut move_input = MoveSelection::default();
        assert_eq!(move_input.touch(Square::E2, &board), InputResult::Nothing);
        let mut highlights = BoardHighlights::default();
        move_input.mark(&board, &mut highlights);
        let expected = Bitboard::from(Square::E3) | Bitboard::from(Square::E4);
        assert_eq!(highlights.targets, expected);
        let InputResult::Refused(why) = move_input.touch(Square::E5, &board) else {
            panic!("the move is illegal");
        };
        assert_eq!(
            why,
            "pawns move one square forward, or two from their starting square"
        );
        // Select another piece, and the first again.
        move_input.touch(Square::G1, &board);
        move_input.touch(Square::G1, &board);
        move_input.touch(Square::E2, &board);
        let InputResult::Play(mv) = move_input.touch(Square::E4, &board) else {
            panic!("the move is legal");
        };
        assert_eq!(mv.to_string(), "e2e4");
        for (square, why) in [
            (
                Square::E7,
                "the pawn on e7 is Black's, but it's White's turn",
            ),
            (Square::E4, "there is no piece on e4"),
        ] {
            assert_eq!(
                move_input.touch(square, &board),
                InputResult::Refused(why.to_owned())
            );
        }
    }

    #[test]
    fn arrow_keys_follow_the_screen() {
        let board = Board::start();
        let mut move_input = MoveSelection::default();
        assert!(!move_input.is_pointing());
        assert!(move_input.point(KeyCode::Up, &board, false));
        assert_eq!(move_input.cursor, Some(Square::E2));
        move_input.point(KeyCode::Up, &board, false);
        move_input.point(KeyCode::Left, &board, true);
        assert_eq!(move_input.cursor, Some(Square::F3));
        for _ in 0..9 {
            move_input.point(KeyCode::Right, &board, false);
        }
        assert_eq!(move_input.cursor, Some(Square::H3));
        assert!(!move_input.point(KeyCode::Enter, &board, false));
    }

    #[test]
    fn a_promotion_piece_can_be_chosen() {
        let board = board("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        for (keys, promoted) in [
            (vec![KeyCode::Enter], "a7a8q"),
            (vec![KeyCode::Down, KeyCode::Enter], "a7a8r"),
            (vec![KeyCode::Up, KeyCode::Enter], "a7a8n"),
            (vec![KeyCode::Char('b')], "a7a8b"),
            (vec![KeyCode::Char('k'), KeyCode::Char('N')], "a7a8n"),
        ] {
            let mut move_input = MoveSelection::default();
            move_input.touch(Square::A7, &board);
            move_input.touch(Square::A8, &board);
            assert!(move_input.promotion().is_some());
            let results = keys
                .iter()
                .map(|&key| move_input.choose_promotion(key, &board));
            let Some(InputResult::Play(mv)) = results.last() else {
                panic!("{keys:?} promotes");
            };
            assert_eq!(mv.to_string(), promoted);
        }
        let mut move_input = MoveSelection::default();
        move_input.touch(Square::A7, &board);
        move_input.touch(Square::A8, &board);
        assert!(
            move_input.cancel() && move_input.promotion().is_none() && move_input.chosen.is_some()
        );
    }
}
