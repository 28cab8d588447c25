//! Patterns of games: a pattern of a position, as `tabiya archive find --pattern` takes it, and perhaps the next move.

use datafusion::common::{DataFusionError, exec_datafusion_err, exec_err};
use tabiya_board::{Bitboard, Board, File, Move, Piece, Rank};
use tabiya_games::Pattern;

use crate::replay::Replay;

/// Conditions that hold in one position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GamePattern {
    position: Option<Pattern>,
    next: Option<NextMove>,
}

/// What the next move must be: `rxNc3`, `P-e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct NextMove {
    piece: Option<Piece>,
    from: Bitboard,
    is_capture: bool,
    captured: Option<Piece>,
    to: Bitboard,
}

/// Reads a piece, a square or both: `N`, `e4`, `Ne4`, `r?7`. Without a square, all squares are meant.
fn piece_and_squares(text: &str) -> Option<(Option<Piece>, Bitboard)> {
    let letters: Vec<char> = text.chars().collect();
    let (piece, square) = match letters[..] {
        [] => return Some((None, Bitboard::FULL)),
        [piece] => return Some((Some(Piece::from_char(piece)?), Bitboard::FULL)),
        [file, rank] => (None, [file, rank]),
        [piece, file, rank] => (Some(Piece::from_char(piece)?), [file, rank]),
        _ => return None,
    };
    let files = match square[0] {
        '?' => Bitboard::FULL,
        letter => Bitboard::file(File::from_char(letter)?),
    };
    let ranks = match square[1] {
        '?' => Bitboard::FULL,
        digit => Bitboard::rank(Rank::from_char(digit)?),
    };
    Some((piece, files & ranks))
}

impl NextMove {
    /// Reads a word; `None` if it is not a move.
    fn parse(word: &str) -> Option<Self> {
        let is_capture = word.contains('x');
        let (from, to) = word.split_once(if is_capture { 'x' } else { '-' })?;
        if word.len() == 1 && !is_capture {
            return None;
        }
        let (piece, from) = piece_and_squares(from)?;
        let (captured, to) = piece_and_squares(to)?;
        Some(Self {
            piece,
            from,
            is_capture,
            captured,
            to,
        })
    }

    fn is(self, board: &Board, mv: Move) -> bool {
        let us = board.turn();
        let moved = Piece::new(us, mv.role());
        let captured = board.captured(mv).map(|role| Piece::new(!us, role));
        self.piece.is_none_or(|piece| piece == moved)
            && self.from.contains(mv.from())
            && self.to.contains(mv.to())
            && (!self.is_capture || captured.is_some())
            && (self.captured.is_none() || self.captured == captured)
    }
}

impl GamePattern {
    /// Reads a pattern.
    pub(crate) fn parse(text: &str) -> Result<Self, DataFusionError> {
        let mut next = None;
        let mut rest = Vec::new();
        for word in text.split_whitespace() {
            match NextMove::parse(word) {
                None => rest.push(word),
                Some(_) if next.is_some() => {
                    return exec_err!(
                        "the pattern '{text}' has two moves: only one can be the next"
                    );
                }
                found => next = found,
            }
        }
        if next.is_some() && text.trim_start().starts_with("either:") {
            return exec_err!(
                "the pattern '{text}' has a move, and a move belongs to one colour: instead of either:, \
                 write matches twice, joined by or"
            );
        }
        let position = if rest.is_empty() && next.is_some() {
            None
        } else {
            let pattern = rest.join(" ").parse::<Pattern>();
            Some(pattern.map_err(|error| {
                exec_datafusion_err!("{error}; the next move is written as in N-e5 or rxNc3")
            })?)
        };
        Ok(Self { position, next })
    }

    fn holds(&self, board: &Board, next: Option<Move>) -> bool {
        self.next
            .is_none_or(|wanted| next.is_some_and(|mv| wanted.is(board, mv)))
            && self
                .position
                .as_ref()
                .is_none_or(|pattern| pattern.matches(board))
    }

    /// Whether the pattern occurs in the rest of a game.
    pub(crate) fn occurs(&self, game: &mut Replay<'_>) -> Result<bool, DataFusionError> {
        loop {
            let next = game.next_move()?;
            if self.holds(game.board(), next) {
                return Ok(true);
            }
            if game.play()?.is_none() {
                return Ok(false);
            }
        }
    }
}
