//! Reading and checking one line.

use std::fmt;
use std::mem;

use tabiya_board::{Color, File, Piece, Placement, Rank, Refusal, Role, Square};
use thiserror::Error;

/// How many bytes of a malformed word an error shows.
const MAX_SHOWN: usize = 16;

/// A move as a line gives it: two squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FromTo {
    /// The square the piece comes from.
    pub from: Square,
    /// The square it goes to.
    pub to: Square,
}

impl FromTo {
    /// Returns the digits: from column, from row, to column, to row.
    pub(super) const fn digits(self) -> [u8; 4] {
        [
            b'1' + self.from.file().index() as u8,
            b'1' + self.from.rank().index() as u8,
            b'1' + self.to.file().index() as u8,
            b'1' + self.to.rank().index() as u8,
        ]
    }
}

/// Prints from column, from row, to column, to row.
impl fmt::Display for FromTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.digits().map(char::from);
        write!(f, "{a} {b} {c} {d}")
    }
}

/// The verdict on a line. Its `Display` is the line that the program prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineVerdict {
    /// All moves are legal.
    Legal,
    /// The first illegal move.
    Illegal(FromTo),
    /// The line is malformed.
    Error(FormatError),
}

impl fmt::Display for LineVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Legal => f.write_str("Legal"),
            Self::Illegal(mv) => write!(f, "{mv} illegal"),
            Self::Error(error) => write!(f, "error: {error}"),
        }
    }
}

/// Why a line is malformed. Positions are byte offsets from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// The line is empty.
    #[error("the line is empty")]
    Empty,
    /// There is no colon.
    #[error("there is no colon between the board and the moves")]
    NoColon,
    /// There are two colons.
    #[error("there is a second colon (character {at})")]
    SecondColon {
        /// The position of the second one.
        at: usize,
    },
    /// A word that should be a piece is not.
    #[error(
        "'{word}' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character {at})"
    )]
    NoPiece {
        /// The word, escaped and shortened.
        word: String,
        /// Where it starts.
        at: usize,
    },
    /// A word that should be a column or row is not.
    #[error("'{word}' is not a number from 1 to 8 (character {at})")]
    NoNumber {
        /// The word, escaped and shortened.
        word: String,
        /// Where it starts.
        at: usize,
    },
    /// The last piece of the board lacks its column or row.
    #[error("a number is missing: the last piece of the board has {given} of 2 (character {at})")]
    PieceCutOff {
        /// How many numbers there are.
        given: usize,
        /// The position of the colon.
        at: usize,
    },
    /// The last move lacks a number.
    #[error("a number is missing: the last move has {given} of 4 (character {at})")]
    MoveCutOff {
        /// How many numbers there are.
        given: usize,
        /// The position of the end of the line.
        at: usize,
    },
}

/// Receives what happens while a line is checked.
pub(super) trait Observer {
    /// The board is complete.
    fn start(&mut self, pieces: &Placement);
    /// A legal move was played.
    fn played(&mut self, mv: FromTo, pieces: &Placement);
    /// A move is illegal.
    fn illegal(&mut self, mv: FromTo, refusal: Refusal);
}

/// Ignores everything.
impl Observer for () {
    fn start(&mut self, _: &Placement) {}
    fn played(&mut self, _: FromTo, _: &Placement) {}
    fn illegal(&mut self, _: FromTo, _: Refusal) {}
}

/// Checks a line, given without its line break.
pub fn check_line(line: &[u8]) -> LineVerdict {
    let mut reader = LineChecker::new(());
    reader.feed(line);
    reader.finish()
}

/// Checks a line that arrives in pieces, without storing it.
pub(super) struct LineChecker<W> {
    observer: W,
    pieces: Placement,
    side: Color,
    /// The piece whose column and row come next.
    piece: Piece,
    /// The numbers of the current piece or move, from 0.
    numbers: [u8; 4],
    /// How many words of the current piece or move have been read.
    words: usize,
    in_moves: bool,
    illegal: Option<FromTo>,
    error: Option<FormatError>,
    /// The start of the current word, and its length.
    word: [u8; MAX_SHOWN],
    word_len: usize,
    /// How many bytes have been read.
    offset: usize,
}

impl<W: Observer> LineChecker<W> {
    pub(super) const fn new(observer: W) -> Self {
        Self {
            observer,
            pieces: Placement::EMPTY,
            side: Color::White,
            piece: Piece::new(Color::White, Role::Pawn),
            numbers: [0; 4],
            words: 0,
            in_moves: false,
            illegal: None,
            error: None,
            word: [0; MAX_SHOWN],
            word_len: 0,
            offset: 0,
        }
    }

    /// Reads the next part of the line.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        loop {
            // The fast path, nearly always taken: whole pieces and moves, separated by single spaces.
            while self.word_len == 0 && self.words == 0 {
                if self.in_moves {
                    let [a, b' ', b, b' ', c, b' ', d, b' ', rest @ ..] = bytes else {
                        break;
                    };
                    let numbers = [a, b, c, d].map(|digit| digit.wrapping_sub(b'1'));
                    if numbers.iter().any(|&number| number >= 8) {
                        break;
                    }
                    self.numbers = numbers;
                    self.offset += 8;
                    self.play();
                    bytes = rest;
                } else {
                    let [letter, b' ', column, b' ', row, b' ', rest @ ..] = bytes else {
                        break;
                    };
                    let [file, rank] = [column, row].map(|digit| digit.wrapping_sub(b'1'));
                    let Some(piece) = piece(*letter).filter(|_| file < 8 && rank < 8) else {
                        break;
                    };
                    self.pieces.put(square(file, rank), piece);
                    self.offset += 6;
                    bytes = rest;
                }
            }
            let [byte, rest @ ..] = bytes else {
                return;
            };
            match byte {
                b':' => {
                    self.end_word();
                    self.offset += 1;
                    self.colon();
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.end_word();
                    self.offset += 1;
                }
                _ => {
                    if let Some(place) = self.word.get_mut(self.word_len) {
                        *place = *byte;
                    }
                    self.word_len += 1;
                    self.offset += 1;
                }
            }
            bytes = rest;
        }
    }

    /// Returns the verdict after the last piece of the line.
    pub(super) fn finish(mut self) -> LineVerdict {
        self.end_word();
        // A missing colon is the error to report, whatever else is wrong.
        if !self.in_moves {
            let is_empty = self.words == 0 && self.pieces == Placement::EMPTY;
            return LineVerdict::Error(if is_empty && self.error.is_none() {
                FormatError::Empty
            } else {
                FormatError::NoColon
            });
        }
        if self.words > 0 {
            self.error.get_or_insert(FormatError::MoveCutOff {
                given: self.words,
                at: self.offset,
            });
        }
        match (self.error, self.illegal) {
            (Some(error), _) => LineVerdict::Error(error),
            (None, Some(mv)) => LineVerdict::Illegal(mv),
            (None, None) => LineVerdict::Legal,
        }
    }

    /// Returns the observer after the last piece of the line.
    pub(super) fn into_observer(mut self) -> W {
        self.end_word();
        self.observer
    }

    #[inline]
    fn end_word(&mut self) {
        match mem::take(&mut self.word_len) {
            0 => {}
            1 => self.take(self.word[0]),
            len => self.malformed(len),
        }
    }

    /// Reads a word of one byte.
    #[inline]
    fn take(&mut self, byte: u8) {
        if !self.in_moves && self.words == 0 {
            let Some(piece) = piece(byte) else {
                return self.malformed(1);
            };
            (self.piece, self.words) = (piece, 1);
            return;
        }
        let number = byte.wrapping_sub(b'1');
        if number >= 8 {
            return self.malformed(1);
        }
        if self.in_moves {
            self.numbers[self.words & 3] = number;
            self.words += 1;
            if self.words == 4 {
                self.words = 0;
                self.play();
            }
        } else if self.words == 1 {
            (self.numbers[0], self.words) = (number, 2);
        } else {
            self.words = 0;
            self.pieces.put(square(self.numbers[0], number), self.piece);
        }
    }

    fn play(&mut self) {
        if self.illegal.is_some() {
            return;
        }
        let [from_file, from_rank, to_file, to_rank] = self.numbers;
        let mv = FromTo {
            from: square(from_file, from_rank),
            to: square(to_file, to_rank),
        };
        match self.pieces.after(self.side, mv.from, mv.to) {
            Ok(after) => {
                (self.pieces, self.side) = (after, !self.side);
                self.observer.played(mv, &after);
            }
            Err(refusal) => {
                self.illegal = Some(mv);
                self.observer.illegal(mv, refusal);
            }
        }
    }

    fn colon(&mut self) {
        let at = self.offset;
        if self.in_moves {
            self.error.get_or_insert(FormatError::SecondColon { at });
        } else if self.words > 0 {
            let given = self.words - 1;
            self.error
                .get_or_insert(FormatError::PieceCutOff { given, at });
        } else {
            self.observer.start(&self.pieces);
        }
        (self.in_moves, self.words) = (true, 0);
    }

    /// Records that the word that just ended is malformed.
    #[cold]
    fn malformed(&mut self, len: usize) {
        let at = self.offset + 1 - len;
        let mut word = self.word[..len.min(MAX_SHOWN)].escape_ascii().to_string();
        if len > MAX_SHOWN {
            word.push_str("...");
        }
        let error = if self.in_moves || self.words > 0 {
            FormatError::NoNumber { word, at }
        } else {
            FormatError::NoPiece { word, at }
        };
        self.error.get_or_insert(error);
    }
}

/// Returns the piece of a letter. Capitals are Black, the opposite of FEN.
#[inline]
fn piece(letter: u8) -> Option<Piece> {
    let role = Role::from_char(letter.into())?;
    let color = if letter.is_ascii_lowercase() {
        Color::White
    } else {
        Color::Black
    };
    Some(Piece::new(color, role))
}

/// Returns the square of a column and a row, each from 0 to 7.
#[inline]
fn square(file: u8, rank: u8) -> Square {
    Square::new(
        File::ALL[usize::from(file & 7)],
        Rank::ALL[usize::from(rank & 7)],
    )
}
