//! A person's turn: two squares, and perhaps what a pawn becomes.

use std::io::{self, BufRead, Write};

use tabiya_board::{Board, File, Move, Piece, Rank, Refusal, Role, Square};

use super::console::{ERROR, is_quit};
use super::game::Game;
use super::session::Session;

const NO_COLUMN: &str = "Error: Out of bounds column option";
const WHERE: &str = "Where would you like to move this piece? ";
const PROMOTION: &str = "Promote the pawn to Q, R, B or N: ";

/// Why a text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unreadable {
    /// It would be one, but for its column.
    Column,
    /// It is something else.
    Other,
}

impl Unreadable {
    const fn message(self) -> &'static str {
        match self {
            Self::Column => NO_COLUMN,
            Self::Other => ERROR,
        }
    }
}

/// Reads a square: a letter and a digit.
fn read_square(word: &str) -> Result<Square, Unreadable> {
    let mut letters = word.chars();
    let column = letters.next().ok_or(Unreadable::Other)?;
    let row = letters.as_str();
    let is_number = !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    if !column.is_alphabetic() || !is_number {
        return Err(Unreadable::Other);
    }
    let file = File::from_char(column).ok_or(Unreadable::Column)?;
    let rank = match row.as_bytes() {
        [digit] => Rank::from_char(char::from(*digit)),
        _ => None,
    };
    Ok(Square::new(file, rank.ok_or(Unreadable::Other)?))
}

/// Reads one square or two, with spaces between them or not.
fn read_squares(line: &str) -> Result<(Square, Option<Square>), Unreadable> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [both] if both.len() == 4 && both.is_char_boundary(2) => {
            let (from, to) = both.split_at(2);
            Ok((read_square(from)?, Some(read_square(to)?)))
        }
        [from] => Ok((read_square(from)?, None)),
        [from, to] => Ok((read_square(from)?, Some(read_square(to)?))),
        _ => Err(Unreadable::Other),
    }
}

/// What came of asking for a move once.
enum Attempt {
    Move(Move),
    Unreadable(Unreadable),
    Refused(Refusal),
    /// The person leaves.
    Left,
}

impl<I: BufRead, O: Write> Session<I, O> {
    /// Asks for a move until there is a legal one; nothing if the person leaves.
    pub(super) fn person_move(&mut self, game: &Game) -> io::Result<Option<Move>> {
        let prompt = format!("{} pick your piece: ", game.label(game.turn()));
        loop {
            match self.attempt(game.board(), &prompt)? {
                Attempt::Move(mv) => return Ok(Some(mv)),
                Attempt::Left => return Ok(None),
                Attempt::Unreadable(unreadable) => self.console.say(unreadable.message())?,
                Attempt::Refused(refusal) => {
                    self.console.say(ERROR)?;
                    if self.options.explain {
                        self.console.say(format_args!("({refusal})"))?;
                    }
                }
            }
        }
    }

    fn attempt(&mut self, board: &Board, prompt: &str) -> io::Result<Attempt> {
        let Some(answer) = self.square_or_quit(prompt)? else {
            return Ok(Attempt::Left);
        };
        let (from, to) = match read_squares(&answer) {
            Ok(squares) => squares,
            Err(unreadable) => return Ok(Attempt::Unreadable(unreadable)),
        };
        // Whether it can be moved at all is told before anyone is asked where to.
        if let Err(refusal @ (Refusal::NothingThere { .. } | Refusal::NotYourPiece { .. })) =
            board.why_not(from, from, None)
        {
            return Ok(Attempt::Refused(refusal));
        }
        let to = if let Some(to) = to {
            to
        } else {
            let Some(answer) = self.square_or_quit(WHERE)? else {
                return Ok(Attempt::Left);
            };
            match read_square(&answer) {
                Ok(to) => to,
                Err(unreadable) => return Ok(Attempt::Unreadable(unreadable)),
            }
        };
        let mut found = find(board, from, to, None);
        if let Err(Refusal::PromotionMissing { .. }) = found {
            let Some(role) = self.console.insist(PROMOTION, read_promotion)? else {
                return Ok(Attempt::Left);
            };
            found = find(board, from, to, Some(role));
        }
        Ok(found.map_or_else(Attempt::Refused, Attempt::Move))
    }

    /// Asks for what should be a square; nothing if the person leaves.
    fn square_or_quit(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let answer = self.console.ask(prompt)?;
        Ok(answer.filter(|answer| !is_quit(answer)))
    }
}

/// The move of the side to move from one square to another, or the reason why there is none. Castling may be asked for by
/// the king's two squares, by the king and its rook, or by the rook and its king.
pub(super) fn find(
    board: &Board,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, Refusal> {
    let is_own = |square, role| board.piece_at(square) == Some(Piece::new(board.turn(), role));
    if is_own(from, Role::Rook) && is_own(to, Role::King) {
        return board.why_not(to, from, promotion);
    }
    board.why_not(from, to, promotion)
}

/// What a pawn becomes. Here Q is the queen, and leaves nothing.
fn read_promotion(answer: &str) -> Option<Role> {
    let mut letters = answer.chars();
    let role = Role::from_char(letters.next()?)?;
    (letters.next().is_none() && Role::PROMOTIONS.contains(&role)).then_some(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_what_is_none() {
        let one = |square| Ok((square, None));
        let two = |from, to| Ok((from, Some(to)));
        for (line, read) in [
            ("e2", one(Square::E2)),
            ("E2", one(Square::E2)),
            ("e2 e4", two(Square::E2, Square::E4)),
            ("H1\tA8", two(Square::H1, Square::A8)),
            ("e2e4", two(Square::E2, Square::E4)),
            ("i2", Err(Unreadable::Column)),
            ("z9", Err(Unreadable::Column)),
            ("Z10", Err(Unreadable::Column)),
            ("é4", Err(Unreadable::Column)),
            ("e2 k4", Err(Unreadable::Column)),
            ("e2k4", Err(Unreadable::Column)),
            ("e9", Err(Unreadable::Other)),
            ("e0", Err(Unreadable::Other)),
            ("e22", Err(Unreadable::Other)),
            ("e222", Err(Unreadable::Other)),
            ("22", Err(Unreadable::Other)),
            ("", Err(Unreadable::Other)),
            ("e", Err(Unreadable::Other)),
            ("zz", Err(Unreadable::Other)),
            ("e2 e4 e5", Err(Unreadable::Other)),
            ("hello", Err(Unreadable::Other)),
            ("é2é4", Err(Unreadable::Other)),
            ("\u{fffd}", Err(Unreadable::Other)),
        ] {
            assert_eq!(read_squares(line), read, "{line:?}");
        }
    }
}
