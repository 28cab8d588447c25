//! Moves as people type them: `Nf3`, `e2e4`, `E2-E4`, `e7e8=q`, `0-0`.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Move, Rank, Role, Square};

use crate::san::{Dialect, San, SanError, SanParts};

/// A move as a person types it, by its squares or in generous SAN.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::MoveInput;
///
/// let board = Board::start();
/// let knight = MoveInput::parse("Nf3")?.to_move(&board)?;
/// assert_eq!(MoveInput::parse("G1-F3")?.to_move(&board)?, knight);
/// # Ok::<(), tabiya_notation::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveInput {
    /// Two squares.
    Squares {
        /// Where the move starts.
        from: Square,
        /// Where it ends.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// SAN, or castling.
    San(San),
}

impl MoveInput {
    /// Reads a move. Ignores spaces, and marks such as `+` and `!` after the move.
    pub fn parse(text: &str) -> Result<Self, SanError> {
        let joined: String = text.split_whitespace().collect();
        let plain = joined.trim_end_matches(['+', '#', '!', '?']);
        if let Some(squares) = Self::parse_squares(plain) {
            return Ok(squares);
        }
        let castling = plain.to_ascii_uppercase().replace('0', "O");
        let san = match castling.as_str() {
            "O-O" | "OO" => "O-O",
            "O-O-O" | "OOO" => "O-O-O",
            _ => joined.as_str(),
        };
        match San::parse(san, Dialect::Import)? {
            San::NULL => Err(SanError::NullMove),
            san => Ok(Self::San(san)),
        }
    }

    /// Reads two squares, and perhaps what a pawn becomes.
    fn parse_squares(text: &str) -> Option<Self> {
        let letters: Vec<char> = text.chars().collect();
        let (&[a, b], rest) = letters.split_first_chunk()?;
        // One mark may separate the squares, and one the promotion.
        let rest = match rest {
            ['-' | 'x' | '×' | ':', after_mark @ ..] => after_mark,
            _ => rest,
        };
        let (&[c, d], promotion) = rest.split_first_chunk()?;
        let promotion = match promotion {
            ['=' | '/' | '-', role @ ..] if !role.is_empty() => role,
            promotion => promotion,
        };
        // B1d2 is a bishop, B1D2 are squares.
        if a.is_ascii_uppercase() != c.is_ascii_uppercase() {
            return None;
        }
        let square = |file: char, rank: char| format!("{file}{rank}").parse::<Square>().ok();
        Some(Self::Squares {
            from: square(a, b)?,
            to: square(c, d)?,
            promotion: match promotion {
                [] => None,
                &[role] => Some(Role::from_char(role)?),
                _ => return None,
            },
        })
    }

    /// Returns the legal move that is meant.
    pub fn to_move(self, position: &Position) -> Result<Move, SanError> {
        match self {
            Self::Squares {
                from,
                to,
                promotion,
            } => position
                .legal_move(from, to, promotion)
                .map_err(|reason| SanError::Illegal { reason }),
            Self::San(san) => san.to_move(position, Dialect::Import),
        }
    }

    /// Returns the squares that it names. Castling names those of the king.
    pub fn squares(self, position: &Position) -> Bitboard {
        match self {
            Self::Squares { from, to, .. } => Bitboard::from(from) | Bitboard::from(to),
            Self::San(san) => match san.parts() {
                SanParts::Piece(piece) => Bitboard::from(piece.to),
                SanParts::Castle(side) => {
                    let us = position.turn();
                    let to = Square::new(side.king_file(), us.relative_rank(Rank::First));
                    Bitboard::from(position.king(us)) | Bitboard::from(to)
                }
                SanParts::Null => Bitboard::EMPTY,
            },
        }
    }

    /// Returns the same move with a promotion to a queen, as it could be typed.
    pub fn with_queen(self) -> String {
        match self {
            Self::Squares { from, to, .. } => format!("{from}{to}q"),
            Self::San(san) => match san.parts() {
                SanParts::Piece(piece) if piece.capture => match piece.file {
                    Some(file) => format!("{file}x{}=Q", piece.to),
                    None => format!("x{}=Q", piece.to),
                },
                SanParts::Piece(piece) => format!("{}=Q", piece.to),
                SanParts::Castle(_) | SanParts::Null => String::new(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_board::Board;

    #[test]
    fn squares_are_read_in_all_their_forms() {
        let squares = |from, to, promotion| MoveInput::Squares {
            from,
            to,
            promotion,
        };
        for (text, input) in [
            ("e2e4", squares(Square::E2, Square::E4, None)),
            ("e2 e4!", squares(Square::E2, Square::E4, None)),
            ("E2-E4", squares(Square::E2, Square::E4, None)),
            ("e4xd5", squares(Square::E4, Square::D5, None)),
            ("b7b8b", squares(Square::B7, Square::B8, Some(Role::Bishop))),
            (
                "e7-e8=Q",
                squares(Square::E7, Square::E8, Some(Role::Queen)),
            ),
            (
                "e7xd8n",
                squares(Square::E7, Square::D8, Some(Role::Knight)),
            ),
        ] {
            assert_eq!(MoveInput::parse(text), Ok(input), "{text}");
        }
    }

    #[test]
    fn san_and_castling_are_read() {
        for text in [
            "Nf3", "exd5", "e8=Q", "♘f3", "B1d2", "Nbxd2+", "e4!?", "O-O", "0-0", "oo", "0-0-0",
        ] {
            let input = MoveInput::parse(text);
            assert!(matches!(input, Ok(MoveInput::San(_))), "{text}: {input:?}");
        }
    }

    #[test]
    fn other_text_is_an_error() {
        for text in [
            "", "e9e4", "g1e2x", "xg1e2", "g1--e2", "e2e4e5", "e7e8z", "O-O-O-O", "------", "--",
            "Cf3", "Nf9", "ñ2ñ4",
        ] {
            assert!(MoveInput::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn castling_names_the_squares_of_the_king() {
        let board = Board::start();
        let squares = MoveInput::parse("O-O-O").unwrap().squares(&board);
        assert_eq!(
            squares,
            Bitboard::from(Square::E1) | Bitboard::from(Square::C1)
        );
    }
}
