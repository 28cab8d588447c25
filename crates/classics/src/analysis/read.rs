//! Reading a line of moves and playing them.

use std::io::{self, BufRead};

use tabiya_board::{Color, File, Line, Position, Rank, Role, Square, Wing};
use tabiya_notation::{Dialect, PieceMove, San, SanError, SanParts};
use thiserror::Error;

use super::player;

/// What is wrong with a game. It prints as the line that the program answers with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A character that cannot continue the notation.
    ///
    /// Where a move breaks off, that is the space behind it or the end of the line. At the end of the input it is a line
    /// feed, as if the line had one.
    #[error("parse error at character '{}'", String::from_utf8_lossy(found))]
    Parse {
        /// The bytes of the character: of one byte only if that is no UTF-8.
        found: Vec<u8>,
    },
    /// No piece could get to the square, or several could.
    #[error("move completion error: {} {piece} to {to}", player(*side))]
    Completion {
        /// Who moves.
        side: Color,
        /// What moves.
        piece: Role,
        /// Where it should go.
        to: Square,
    },
    /// The piece is known, but it may not go there.
    #[error("illegal move: {} {piece} from {from} to {to}", player(*side))]
    Illegal {
        /// Who moves.
        side: Color,
        /// What moves.
        piece: Role,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
}

impl Fault {
    /// The line that the program answers with, byte for byte: a character that is no text stands there as it came.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Parse { found } => [b"parse error at character '", &found[..], b"'"].concat(),
            _ => self.to_string().into_bytes(),
        }
    }
}

/// Reads one line of moves and plays them from the starting position. The line ends with `\n`, `\r` or the input, and
/// is read no further than the first fault in it.
pub fn read(input: &mut impl BufRead) -> io::Result<Result<Line, Fault>> {
    let mut line = Line::default();
    loop {
        let word = next_word(input)?;
        if !word.text.is_empty()
            && let Err(fault) = play(&mut line, &word)
        {
            return Ok(Err(fault));
        }
        if word.end != b' ' {
            return Ok(Ok(line));
        }
    }
}

/// What stands between two spaces, perhaps nothing.
struct Word {
    text: Vec<u8>,
    /// What ends it: a space or the end of the line.
    end: u8,
}

/// No move is longer than six characters. Of what is longer only the beginning matters, so that a line without end does
/// not fill the memory.
const LONGEST_WORD: usize = 16;

fn next_word(input: &mut impl BufRead) -> io::Result<Word> {
    let mut text = Vec::new();
    while text.len() < LONGEST_WORD {
        let next = match input.fill_buf() {
            Ok(buffer) => buffer.first().copied(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        // The end of the input is the end of the line.
        let byte = next.unwrap_or(b'\n');
        input.consume(usize::from(next.is_some()));
        if matches!(byte, b' ' | b'\n' | b'\r') {
            return Ok(Word { text, end: byte });
        }
        text.push(byte);
    }
    Ok(Word { text, end: b' ' })
}

fn play(line: &mut Line, word: &Word) -> Result<(), Fault> {
    let position = line.board().position();
    let san = parse(word)?;
    let mv = san
        .find(position, Dialect::Analysis)
        .map_err(|error| fault(position, san, &error))?;
    line.play(mv);
    Ok(())
}

/// Reads a move, or finds the first character that cannot continue it.
fn parse(word: &Word) -> Result<San, Fault> {
    // Bytes that are no UTF-8 cannot continue anything.
    let (text, rest) = match str::from_utf8(&word.text) {
        Ok(text) => (text, &[][..]),
        Err(error) => {
            let (text, rest) = word.text.split_at(error.valid_up_to());
            (str::from_utf8(text).unwrap_or_default(), rest)
        }
    };
    let after_text = rest.first().copied().unwrap_or(word.end);
    let found = match San::read(text, Dialect::Analysis) {
        Ok(san) if rest.is_empty() => return Ok(san),
        Err(SanError::Unexpected { found, .. }) => found.to_string().into_bytes(),
        _ => vec![after_text],
    };
    Err(Fault::Parse { found })
}

/// The fault of a move that can be read but not be played.
fn fault(position: &Position, san: San, error: &SanError) -> Fault {
    let side = position.turn();
    match san.parts() {
        SanParts::Piece(piece) => {
            let (role, to) = (piece.role, piece.to);
            match (error, origin(position, piece)) {
                (SanError::Illegal { .. }, Some(from)) => Fault::Illegal {
                    side,
                    piece: role,
                    from,
                    to,
                },
                _ => Fault::Completion {
                    side,
                    piece: role,
                    to,
                },
            }
        }
        // Castling is the king's move from its first square, wherever the king has gone since.
        castle => {
            let wing = match castle {
                SanParts::Castle(wing) => wing,
                _ => Wing::King,
            };
            let back_rank = side.rank(Rank::First);
            Fault::Illegal {
                side,
                piece: Role::King,
                from: Square::new(File::E, back_rank),
                to: Square::new(wing.king_file(), back_rank),
            }
        }
    }
}

/// Where the piece stands whose move is illegal: by then it is known to be the only one.
fn origin(position: &Position, piece: PieceMove) -> Option<Square> {
    let file = match piece.role {
        Role::Pawn => piece.file.or(Some(piece.to.file())),
        _ => piece.file,
    };
    position
        .origins(piece.role, piece.to)
        .into_iter()
        .filter(|from| file.is_none_or(|file| from.file() == file))
        .find(|from| piece.rank.is_none_or(|rank| from.rank() == rank))
}
