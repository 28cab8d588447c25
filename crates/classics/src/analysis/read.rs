//! Reading and playing a line of moves.

use std::io::{self, BufRead};

use tabiya_board::{Board, CastlingSide, Color, File, GameHistory, Rank, Role, Square};
use tabiya_notation::{Dialect, PieceMove, San, SanError, SanParts};
use thiserror::Error;

use super::player;

/// Why a game cannot be played. Its `Display` is the line that the program prints.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveListError {
    /// A character that cannot continue the notation.
    ///
    /// If a move is incomplete, this is the space after it or the end of the line. At the end of the input it is a line
    /// feed, as if the line had one.
    #[error("parse error at character '{}'", String::from_utf8_lossy(found))]
    Parse {
        /// The bytes of the character, or a single byte that is not UTF-8.
        found: Vec<u8>,
    },
    /// No piece can reach the square, or several can.
    #[error("move completion error: {} {piece} to {to}", player(*side))]
    Completion {
        /// The side that moves.
        side: Color,
        /// The piece that moves.
        piece: Role,
        /// The square it should go to.
        to: Square,
    },
    /// The piece is known, but its move is illegal.
    #[error("illegal move: {} {piece} from {from} to {to}", player(*side))]
    Illegal {
        /// The side that moves.
        side: Color,
        /// The piece that moves.
        piece: Role,
        /// The square it stands on.
        from: Square,
        /// The square it should go to.
        to: Square,
    },
}

impl MoveListError {
    /// Returns the line that the program prints. Bytes that are not UTF-8 are printed as they came.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Parse { found } => [b"parse error at character '", &found[..], b"'"].concat(),
            _ => self.to_string().into_bytes(),
        }
    }
}

/// Reads one line of moves and plays them from the starting position. The line ends with `\n`, `\r` or the input. Stops
/// reading at the first error.
pub fn read_game(input: &mut impl BufRead) -> io::Result<Result<GameHistory, MoveListError>> {
    let mut game = GameHistory::default();
    loop {
        let word = next_word(input)?;
        if !word.text.is_empty()
            && let Err(error) = play(&mut game, &word)
        {
            return Ok(Err(error));
        }
        if word.end != b' ' {
            return Ok(Ok(game));
        }
    }
}

/// The text between two spaces. It may be empty.
struct Word {
    text: Vec<u8>,
    /// The byte that ends it: a space, `\n` or `\r`.
    end: u8,
}

/// Moves have at most six characters. Longer words are cut here, so that an endless line cannot fill the memory.
const MAX_WORD: usize = 16;

fn next_word(input: &mut impl BufRead) -> io::Result<Word> {
    let mut text = Vec::new();
    while text.len() < MAX_WORD {
        let next = match input.fill_buf() {
            Ok(buffer) => buffer.first().copied(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        // The end of the input ends the line.
        let byte = next.unwrap_or(b'\n');
        input.consume(usize::from(next.is_some()));
        if matches!(byte, b' ' | b'\n' | b'\r') {
            return Ok(Word { text, end: byte });
        }
        text.push(byte);
    }
    Ok(Word { text, end: b' ' })
}

fn play(game: &mut GameHistory, word: &Word) -> Result<(), MoveListError> {
    let board = game.board();
    let san = parse(word)?;
    let mv = san
        .to_move(board, Dialect::PseudoLegal)
        .map_err(|error| illegal(board, san, &error))?;
    game.play(mv);
    Ok(())
}

/// Parses a move, or finds the first character that cannot continue it.
fn parse(word: &Word) -> Result<San, MoveListError> {
    // Bytes that are not UTF-8 cannot continue a move.
    let (text, rest) = match str::from_utf8(&word.text) {
        Ok(text) => (text, &[][..]),
        Err(error) => {
            let (text, rest) = word.text.split_at(error.valid_up_to());
            (str::from_utf8(text).unwrap_or_default(), rest)
        }
    };
    let after_text = rest.first().copied().unwrap_or(word.end);
    let found = match San::parse(text, Dialect::PseudoLegal) {
        Ok(san) if rest.is_empty() => return Ok(san),
        Err(SanError::Unexpected { found, .. }) => found.to_string().into_bytes(),
        _ => vec![after_text],
    };
    Err(MoveListError::Parse { found })
}

/// Returns the error for a move that parses but cannot be played.
fn illegal(board: &Board, san: San, error: &SanError) -> MoveListError {
    let side = board.turn();
    match san.parts() {
        SanParts::Piece(piece) => {
            let (role, to) = (piece.role, piece.to);
            match (error, origin(board, piece)) {
                (SanError::Illegal { .. }, Some(from)) => MoveListError::Illegal {
                    side,
                    piece: role,
                    from,
                    to,
                },
                _ => MoveListError::Completion {
                    side,
                    piece: role,
                    to,
                },
            }
        }
        // Castling is reported as the king's move from e1 or e8, even if the king stands elsewhere.
        castle => {
            let castling_side = match castle {
                SanParts::Castle(side) => side,
                _ => CastlingSide::KingSide,
            };
            let back_rank = side.relative_rank(Rank::First);
            MoveListError::Illegal {
                side,
                piece: Role::King,
                from: Square::new(File::E, back_rank),
                to: Square::new(castling_side.king_file(), back_rank),
            }
        }
    }
}

/// Returns the square of the piece whose move is illegal. The move is illegal, so exactly one piece fits.
fn origin(board: &Board, piece: PieceMove) -> Option<Square> {
    let file = match piece.role {
        Role::Pawn => piece.file.or(Some(piece.to.file())),
        _ => piece.file,
    };
    board
        .pseudo_legal_origins(piece.role, piece.to)
        .into_iter()
        .filter(|from| file.is_none_or(|file| from.file() == file))
        .find(|from| piece.rank.is_none_or(|rank| from.rank() == rank))
}
