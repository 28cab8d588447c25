//! A person's turn: two squares, and a piece for a promotion.

use std::io::{self, BufRead, Write};

use tabiya_board::{Board, File, Move, Piece, Rank, Refusal, Role, Square};

use super::console::{ERROR, is_quit};
use super::game::ConsoleGame;
use super::session::HerochessSession;

const NO_COLUMN: &str = "Error: Out of bounds column option";
const WHERE: &str = "Where would you like to move this piece? ";
const PROMOTION: &str = "Promote the pawn to Q, R, B or N: ";

/// Why a text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SquareError {
    /// The column doesn't exist.
    Column,
    /// Anything else.
    Other,
}

impl SquareError {
    const fn message(self) -> &'static str {
        match self {
            Self::Column => NO_COLUMN,
            Self::Other => ERROR,
        }
    }
}

/// Parses a square: a letter and a digit.
fn parse_square(word: &str) -> Result<Square, SquareError> {
    let mut letters = word.chars();
    let column = letters.next().ok_or(SquareError::Other)?;
    let row = letters.as_str();
    let is_number = !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    if !column.is_alphabetic() || !is_number {
        return Err(SquareError::Other);
    }
    let file = File::from_char(column).ok_or(SquareError::Column)?;
    let rank = match row.as_bytes() {
        [digit] => Rank::from_char(char::from(*digit)),
        _ => None,
    };
    Ok(Square::new(file, rank.ok_or(SquareError::Other)?))
}

/// Parses one or two squares, with or without spaces between them.
fn parse_squares(line: &str) -> Result<(Square, Option<Square>), SquareError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [both] if both.len() == 4 && both.is_char_boundary(2) => {
            let (from, to) = both.split_at(2);
            Ok((parse_square(from)?, Some(parse_square(to)?)))
        }
        [from] => Ok((parse_square(from)?, None)),
        [from, to] => Ok((parse_square(from)?, Some(parse_square(to)?))),
        _ => Err(SquareError::Other),
    }
}

/// The result of asking for a move once.
enum Attempt {
    Move(Move),
    NotASquare(SquareError),
    Illegal(Refusal),
    /// The person quits.
    Quit,
}

impl<I: BufRead, O: Write> HerochessSession<I, O> {
    /// Asks until the person enters a legal move. Returns `None` if the person quits.
    pub(super) fn person_move(&mut self, game: &ConsoleGame) -> io::Result<Option<Move>> {
        let prompt = format!("{} pick your piece: ", game.label(game.turn()));
        loop {
            match self.attempt(game.board(), &prompt)? {
                Attempt::Move(mv) => return Ok(Some(mv)),
                Attempt::Quit => return Ok(None),
                Attempt::NotASquare(error) => self.console.print_line(error.message())?,
                Attempt::Illegal(refusal) => {
                    self.console.print_line(ERROR)?;
                    if self.options.explain {
                        self.console.print_line(format_args!("({refusal})"))?;
                    }
                }
            }
        }
    }

    fn attempt(&mut self, board: &Board, prompt: &str) -> io::Result<Attempt> {
        let Some(answer) = self.ask_square(prompt)? else {
            return Ok(Attempt::Quit);
        };
        let (from, to) = match parse_squares(&answer) {
            Ok(squares) => squares,
            Err(error) => return Ok(Attempt::NotASquare(error)),
        };
        // Refuse an empty square or an opponent's piece before asking where to move it.
        if let Err(refusal @ (Refusal::NoPiece { .. } | Refusal::NotYourPiece { .. })) =
            board.legal_move(from, from, None)
        {
            return Ok(Attempt::Illegal(refusal));
        }
        let to = if let Some(to) = to {
            to
        } else {
            let Some(answer) = self.ask_square(WHERE)? else {
                return Ok(Attempt::Quit);
            };
            match parse_square(&answer) {
                Ok(to) => to,
                Err(error) => return Ok(Attempt::NotASquare(error)),
            }
        };
        let mut found = find_move(board, from, to, None);
        if let Err(Refusal::MissingPromotion { .. }) = found {
            let Some(role) = self.console.ask_until(PROMOTION, parse_promotion)? else {
                return Ok(Attempt::Quit);
            };
            found = find_move(board, from, to, Some(role));
        }
        Ok(found.map_or_else(Attempt::Illegal, Attempt::Move))
    }

    /// Asks for a square. Returns `None` if the person quits.
    fn ask_square(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let answer = self.console.ask(prompt)?;
        Ok(answer.filter(|answer| !is_quit(answer)))
    }
}

/// Returns the legal move between two squares, or why there is none. Castling may be entered as the king's move, as
/// king onto rook, or as rook onto king.
pub(super) fn find_move(
    board: &Board,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, Refusal> {
    let is_own = |square, role| board.piece_at(square) == Some(Piece::new(board.turn(), role));
    if is_own(from, Role::Rook) && is_own(to, Role::King) {
        return board.legal_move(to, from, promotion);
    }
    board.legal_move(from, to, promotion)
}

/// Parses the piece that a pawn promotes to. At this prompt Q means the queen and doesn't quit.
fn parse_promotion(answer: &str) -> Option<Role> {
    let mut letters = answer.chars();
    let role = Role::from_char(letters.next()?)?;
    (letters.next().is_none() && Role::PROMOTIONS.contains(&role)).then_some(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_squares_and_rejects_the_rest() {
        let one = |square| Ok((square, None));
        let two = |from, to| Ok((from, Some(to)));
        for (line, read) in [
            ("e2", one(Square::E2)),
            ("E2", one(Square::E2)),
            ("e2 e4", two(Square::E2, Square::E4)),
            ("H1\tA8", two(Square::H1, Square::A8)),
            ("e2e4", two(Square::E2, Square::E4)),
            ("i2", Err(SquareError::Column)),
            ("z9", Err(SquareError::Column)),
            ("Z10", Err(SquareError::Column)),
            ("é4", Err(SquareError::Column)),
            ("e2 k4", Err(SquareError::Column)),
            ("e2k4", Err(SquareError::Column)),
            ("e9", Err(SquareError::Other)),
            ("e0", Err(SquareError::Other)),
            ("e22", Err(SquareError::Other)),
            ("e222", Err(SquareError::Other)),
            ("22", Err(SquareError::Other)),
            ("", Err(SquareError::Other)),
            ("e", Err(SquareError::Other)),
            ("zz", Err(SquareError::Other)),
            ("e2 e4 e5", Err(SquareError::Other)),
            ("hello", Err(SquareError::Other)),
            ("é2é4", Err(SquareError::Other)),
            ("\u{fffd}", Err(SquareError::Other)),
        ] {
            assert_eq!(parse_squares(line), read, "{line:?}");
        }
    }
}
