//! A move that is being made on the board, with the keys or the mouse.

use crossterm::event::KeyCode;
use ratatui::layout::{Position as Point, Rect};
use tabiya_board::{Bitboard, Board, Move, Refusal, Role, Square};

use crate::board::{BoardArea, Highlights};
use crate::overlay::PROMOTIONS;

/// The piece in hand and where the cursor is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveInput {
    cursor: Option<Square>,
    chosen: Option<Square>,
    promotion: Option<Promotion>,
}

/// A pawn that has to become something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promotion {
    from: Square,
    to: Square,
    /// The number of the piece that is offered.
    pub(crate) offered: usize,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputResult {
    /// Nothing yet.
    Nothing,
    /// A legal move.
    Play(Move),
    /// A move that is not legal, or no piece to move: here is why.
    Refused(String),
}

impl MoveInput {
    /// Lets go of everything.
    pub(crate) fn drop_all(&mut self) {
        *self = Self::default();
    }

    /// Lets go of the piece, or puts the cursor away; whether there was something.
    pub(crate) fn cancel(&mut self) -> bool {
        if self.promotion.take().is_some() || self.chosen.take().is_some() {
            return true;
        }
        self.cursor.take().is_some()
    }

    /// The pawn that has to become something.
    pub(crate) const fn promotion(&self) -> Option<Promotion> {
        self.promotion
    }

    /// Whether the cursor is on the board.
    pub(crate) const fn is_pointing(&self) -> bool {
        self.cursor.is_some()
    }

    /// Asks what a pawn shall become.
    pub(crate) fn ask_promotion(&mut self, from: Square, to: Square) {
        self.promotion = Some(Promotion {
            from,
            to,
            offered: 0,
        });
    }

    /// Adds what is in hand to the marks of the board.
    pub(crate) fn mark(&self, board: &Board, marks: &mut Highlights) {
        marks.cursor = self.cursor;
        marks.chosen = self.chosen;
        if let Some(from) = self.chosen {
            let moves = board.legal_moves();
            let targets = moves.iter().filter(|mv| mv.from() == from);
            marks.targets = targets.fold(Bitboard::EMPTY, |set, mv| set | mv.to().into());
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
            // It comes in before the king of the side to move, from where everything is near.
            let side = board.turn();
            let king = board.king(side);
            let ahead = if side.is_white() { 1 } else { -1 };
            king.offset(0, ahead).unwrap_or(king)
        });
        true
    }

    /// Takes a piece or puts it down where the cursor is.
    pub(crate) fn press(&mut self, board: &Board) -> InputResult {
        match self.cursor {
            Some(square) => self.touch(square, board),
            None => InputResult::Nothing,
        }
    }

    /// Takes a piece or puts it down.
    pub(crate) fn touch(&mut self, square: Square, board: &Board) -> InputResult {
        let is_own = board.color_at(square) == Some(board.turn());
        let Some(from) = self.chosen else {
            if !is_own {
                let turn = board.turn();
                return InputResult::Refused(match board.role_at(square) {
                    Some(role) => {
                        format!(
                            "{turn} is to move, and the {} on {square} is not",
                            role.name()
                        ) + " one of its pieces"
                    }
                    None => format!("there is no piece on {square}: {turn} is to move"),
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
            // Another piece instead.
            Err(_) if is_own => {
                self.chosen = Some(square);
                InputResult::Nothing
            }
            Err(refusal) => InputResult::Refused(refusal.to_string()),
        }
    }

    /// Puts a piece down that was drawn there with the mouse: on its own square it stays in hand.
    pub(crate) fn release(&mut self, square: Square, board: &Board) -> InputResult {
        match self.chosen {
            Some(from) if from != square && board.color_at(square) != Some(board.turn()) => {
                self.touch(square, board)
            }
            _ => InputResult::Nothing,
        }
    }

    /// A key while a piece is being chosen for a pawn.
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

    /// A click while a piece is being chosen for a pawn: on a piece it is chosen, elsewhere the move is let go.
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

    /// The pawn becomes this.
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
    fn a_piece_is_taken_and_put_down() {
        let board = Board::start();
        let mut hand = MoveInput::default();
        assert_eq!(hand.touch(Square::E2, &board), InputResult::Nothing);
        let mut marks = Highlights::default();
        hand.mark(&board, &mut marks);
        let expected = Bitboard::from(Square::E3) | Bitboard::from(Square::E4);
        assert_eq!(marks.targets, expected);
        let InputResult::Refused(why) = hand.touch(Square::E5, &board) else {
            panic!("that is no move");
        };
        assert_eq!(
            why,
            "pawns move one square forward, or two from their starting square"
        );
        // Another piece, and back.
        hand.touch(Square::G1, &board);
        hand.touch(Square::G1, &board);
        hand.touch(Square::E2, &board);
        let InputResult::Play(mv) = hand.touch(Square::E4, &board) else {
            panic!("that is a move");
        };
        assert_eq!(mv.to_string(), "e2e4");
        for (square, why) in [
            (
                Square::E7,
                "White is to move, and the pawn on e7 is not one of its pieces",
            ),
            (Square::E4, "there is no piece on e4: White is to move"),
        ] {
            assert_eq!(
                hand.touch(square, &board),
                InputResult::Refused(why.to_owned())
            );
        }
    }

    #[test]
    fn the_cursor_walks_as_it_is_seen() {
        let board = Board::start();
        let mut hand = MoveInput::default();
        assert!(!hand.is_pointing());
        assert!(hand.point(KeyCode::Up, &board, false));
        assert_eq!(hand.cursor, Some(Square::E2));
        hand.point(KeyCode::Up, &board, false);
        hand.point(KeyCode::Left, &board, true);
        assert_eq!(hand.cursor, Some(Square::F3));
        for _ in 0..9 {
            hand.point(KeyCode::Right, &board, false);
        }
        assert_eq!(hand.cursor, Some(Square::H3));
        assert!(!hand.point(KeyCode::Enter, &board, false));
    }

    #[test]
    fn a_pawn_becomes_what_is_chosen() {
        let board = board("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        for (keys, promoted) in [
            (vec![KeyCode::Enter], "a7a8q"),
            (vec![KeyCode::Down, KeyCode::Enter], "a7a8r"),
            (vec![KeyCode::Up, KeyCode::Enter], "a7a8n"),
            (vec![KeyCode::Char('b')], "a7a8b"),
            (vec![KeyCode::Char('k'), KeyCode::Char('N')], "a7a8n"),
        ] {
            let mut hand = MoveInput::default();
            hand.touch(Square::A7, &board);
            hand.touch(Square::A8, &board);
            assert!(hand.promotion().is_some());
            let grasps = keys.iter().map(|&key| hand.choose_promotion(key, &board));
            let Some(InputResult::Play(mv)) = grasps.last() else {
                panic!("{keys:?} choose a piece");
            };
            assert_eq!(mv.to_string(), promoted);
        }
        let mut hand = MoveInput::default();
        hand.touch(Square::A7, &board);
        hand.touch(Square::A8, &board);
        assert!(hand.cancel() && hand.promotion().is_none() && hand.chosen.is_some());
    }
}
