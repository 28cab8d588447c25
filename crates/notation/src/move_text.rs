//! Moves as text, as methods of a position.

use std::fmt::Write;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, Refusal};

use crate::san::{Dialect, SanError, SanText, parse_san, write_san};
use crate::uci::{self, UciError};

/// Moves as text: adds methods to a [`Board`](tabiya_board::Board) that read and write SAN and UCI notation.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::MoveText;
///
/// let mut board = Board::start();
/// let e4 = board.parse_san("e4")?;
/// assert_eq!(e4, board.parse_uci("e2e4")?);
/// board.play(e4);
/// let c5 = board.parse_uci("c7c5")?;
/// assert_eq!(board.san(c5).as_str(), "c5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MoveText {
    /// Reads a move in SAN, as generously as [`Dialect::Import`] does. [`parse_san`] reads other dialects.
    fn parse_san(&self, san: &str) -> Result<Move, SanError>;

    /// Reads a move in UCI notation. Castling may be the king's two squares or the king taking its rook.
    fn parse_uci(&self, uci: &str) -> Result<Move, UciError>;

    /// Writes a legal move in SAN.
    fn san(&self, mv: Move) -> SanText;

    /// Writes a legal move in UCI notation, as [`uci::write`] does. In standard chess, a [`Move`] prints the same.
    fn uci(&self, mv: Move) -> String;

    /// Writes moves that follow each other, such as an engine's principal variation, in SAN with move numbers.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_notation::MoveText;
    ///
    /// let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3".parse().unwrap();
    /// let pv = board.parse_variation(["f1b5", "a7a6", "b5a4"])?;
    /// assert_eq!(board.variation_san(&pv).unwrap(), "3. Bb5 a6 4. Ba4");
    /// # Ok::<(), tabiya_notation::uci::UciError>(())
    /// ```
    fn variation_san(&self, moves: &[Move]) -> Result<String, Refusal>;

    /// Reads moves that follow each other, in UCI notation.
    fn parse_variation<'a>(
        &self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Move>, UciError>;
}

impl MoveText for Position {
    fn parse_san(&self, san: &str) -> Result<Move, SanError> {
        parse_san(san, self, Dialect::Import)
    }

    fn parse_uci(&self, uci: &str) -> Result<Move, UciError> {
        uci::parse(uci, self)
    }

    fn san(&self, mv: Move) -> SanText {
        write_san(self, mv)
    }

    fn uci(&self, mv: Move) -> String {
        uci::write(self, mv).to_string()
    }

    fn variation_san(&self, moves: &[Move]) -> Result<String, Refusal> {
        let mut position = *self;
        let mut text = String::new();
        for (index, &mv) in moves.iter().enumerate() {
            position.validate(mv)?;
            if index > 0 {
                text.push(' ');
            }
            let number = position.fullmove_number();
            // Writing to a string cannot fail.
            let _ = if position.turn().is_white() {
                write!(text, "{number}. ")
            } else if index == 0 {
                write!(text, "{number}... ")
            } else {
                Ok(())
            };
            text.push_str(&write_san(&position, mv));
            position.play_unchecked(mv);
        }
        Ok(text)
    }

    fn parse_variation<'a>(
        &self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Move>, UciError> {
        let mut position = *self;
        let moves = moves.into_iter().map(|word| {
            let mv = uci::parse(word, &position)?;
            position.play_unchecked(mv);
            Ok(mv)
        });
        moves.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_board::Board;

    #[test]
    fn variations_are_numbered_from_their_first_move() {
        let board: Board = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().unwrap();
        let moves = board.parse_variation(["e8e7", "e2e4", "e7e6"]).unwrap();
        assert_eq!(board.variation_san(&moves).unwrap(), "7... Ke7 8. e4 Ke6");
        assert_eq!(board.variation_san(&[]).unwrap(), "");
    }

    #[test]
    fn an_illegal_move_in_a_variation_is_refused() {
        let board = Board::start();
        let moves = board.parse_variation(["e2e4", "e7e5"]).unwrap();
        let refusal = board.variation_san(&[moves[0], moves[0]]).unwrap_err();
        assert_eq!(refusal.to_string(), "there is no piece on e2");
        let error = board.parse_variation(["e2e4", "e2e4"]).unwrap_err();
        assert_eq!(error, UciError::Illegal(refusal));
    }
}
