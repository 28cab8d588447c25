//! One line: the format, and the verdict.

use std::fmt;
use std::mem;

use tabiya_board::{Color, File, Piece, Placement, Rank, Refusal, Role, Square};
use thiserror::Error;

/// So many bytes of a word that is wrong are shown.
const SHOWN: usize = 16;

/// A move as the lines write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
}

impl Step {
    /// From column, from row, to column, to row.
    pub(super) const fn digits(self) -> [u8; 4] {
        [
            b'1' + self.from.file().index() as u8,
            b'1' + self.from.rank().index() as u8,
            b'1' + self.to.file().index() as u8,
            b'1' + self.to.rank().index() as u8,
        ]
    }
}

/// From column, from row, to column, to row.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.digits().map(char::from);
        write!(f, "{a} {b} {c} {d}")
    }
}

/// The answer to a line. It prints as the output has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All moves are legal.
    Legal,
    /// The first move that is not.
    Illegal(Step),
    /// The line is not in the format.
    Error(Problem),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Legal => f.write_str("Legal"),
            Self::Illegal(step) => write!(f, "{step} illegal"),
            Self::Error(problem) => write!(f, "error: {problem}"),
        }
    }
}

/// What is wrong with the format of a line, and where: at which of its bytes, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// There is nothing in it.
    #[error("the line is empty")]
    Empty,
    /// There is no colon.
    #[error("there is no colon between the board and the moves")]
    NoColon,
    /// There is one too many.
    #[error("there is a second colon (character {at})")]
    SecondColon {
        /// Where it is.
        at: usize,
    },
    /// Not a piece where one should be.
    #[error(
        "'{word}' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character {at})"
    )]
    NoPiece {
        /// What is there instead, printable and not too long.
        word: String,
        /// Where it starts.
        at: usize,
    },
    /// Not a column or row where one should be.
    #[error("'{word}' is not a number from 1 to 8 (character {at})")]
    NoNumber {
        /// What is there instead, printable and not too long.
        word: String,
        /// Where it starts.
        at: usize,
    },
    /// The board ends before the column and row of its last piece.
    #[error("a number is missing: the last piece of the board has {given} of 2 (character {at})")]
    PieceCutOff {
        /// How many it has.
        given: usize,
        /// Where the colon is.
        at: usize,
    },
    /// The line ends in the middle of a move.
    #[error("a number is missing: the last move has {given} of 4 (character {at})")]
    MoveCutOff {
        /// How many it has.
        given: usize,
        /// Where the line ends.
        at: usize,
    },
}

/// Looks on while a line is played.
pub(super) trait Watcher {
    /// The board is complete.
    fn start(&mut self, pieces: &Placement);
    /// A legal move was played.
    fn played(&mut self, step: Step, pieces: &Placement);
    /// A move is not legal.
    fn refused(&mut self, step: Step, refusal: Refusal);
}

/// Nobody looks on.
impl Watcher for () {
    fn start(&mut self, _: &Placement) {}
    fn played(&mut self, _: Step, _: &Placement) {}
    fn refused(&mut self, _: Step, _: Refusal) {}
}

/// The verdict on a line, which is given without its line break.
pub fn verdict(line: &[u8]) -> Verdict {
    let mut reader = LineReader::new(());
    reader.feed(line);
    reader.finish()
}

/// Reads a line, in as many pieces as it comes in and without keeping it, however long it is.
pub(super) struct LineReader<W> {
    watcher: W,
    pieces: Placement,
    side: Color,
    /// The piece whose numbers are read.
    piece: Piece,
    /// The numbers read of the piece or move, from 0.
    numbers: [u8; 4],
    /// How many words of the piece or move have been read.
    words: usize,
    in_moves: bool,
    illegal: Option<Step>,
    problem: Option<Problem>,
    /// The start of the word that is being read, and its length.
    word: [u8; SHOWN],
    word_len: usize,
    /// How many bytes have been read.
    offset: usize,
}

impl<W: Watcher> LineReader<W> {
    pub(super) const fn new(watcher: W) -> Self {
        Self {
            watcher,
            pieces: Placement::EMPTY,
            side: Color::White,
            piece: Piece::new(Color::White, Role::Pawn),
            numbers: [0; 4],
            words: 0,
            in_moves: false,
            illegal: None,
            problem: None,
            word: [0; SHOWN],
            word_len: 0,
            offset: 0,
        }
    }

    /// Reads the next part of the line.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        loop {
            // Nearly always: whole pieces and moves, with single spaces.
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

    /// The verdict, when all of the line has been read.
    pub(super) fn finish(mut self) -> Verdict {
        self.end_word();
        // What else may be wrong: without a colon, that is what to mend.
        if !self.in_moves {
            let is_empty = self.words == 0 && self.pieces == Placement::EMPTY;
            return Verdict::Error(if is_empty && self.problem.is_none() {
                Problem::Empty
            } else {
                Problem::NoColon
            });
        }
        if self.words > 0 {
            self.problem.get_or_insert(Problem::MoveCutOff {
                given: self.words,
                at: self.offset,
            });
        }
        match (self.problem, self.illegal) {
            (Some(problem), _) => Verdict::Error(problem),
            (None, Some(step)) => Verdict::Illegal(step),
            (None, None) => Verdict::Legal,
        }
    }

    /// Who looked on, when all of the line has been read.
    pub(super) fn into_watcher(mut self) -> W {
        self.end_word();
        self.watcher
    }

    #[inline]
    fn end_word(&mut self) {
        match mem::take(&mut self.word_len) {
            0 => {}
            1 => self.take(self.word[0]),
            len => self.refuse(len),
        }
    }

    /// Takes a word of one byte.
    #[inline]
    fn take(&mut self, byte: u8) {
        if !self.in_moves && self.words == 0 {
            let Some(piece) = piece(byte) else {
                return self.refuse(1);
            };
            (self.piece, self.words) = (piece, 1);
            return;
        }
        let number = byte.wrapping_sub(b'1');
        if number >= 8 {
            return self.refuse(1);
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
        let step = Step {
            from: square(from_file, from_rank),
            to: square(to_file, to_rank),
        };
        match self.pieces.after(self.side, step.from, step.to) {
            Ok(after) => {
                (self.pieces, self.side) = (after, !self.side);
                self.watcher.played(step, &after);
            }
            Err(refusal) => {
                self.illegal = Some(step);
                self.watcher.refused(step, refusal);
            }
        }
    }

    fn colon(&mut self) {
        let at = self.offset;
        if self.in_moves {
            self.problem.get_or_insert(Problem::SecondColon { at });
        } else if self.words > 0 {
            let given = self.words - 1;
            self.problem
                .get_or_insert(Problem::PieceCutOff { given, at });
        } else {
            self.watcher.start(&self.pieces);
        }
        (self.in_moves, self.words) = (true, 0);
    }

    /// Notes that the word of which the last byte has been read means nothing.
    #[cold]
    fn refuse(&mut self, len: usize) {
        let at = self.offset + 1 - len;
        let mut word = self.word[..len.min(SHOWN)].escape_ascii().to_string();
        if len > SHOWN {
            word.push_str("...");
        }
        let problem = if self.in_moves || self.words > 0 {
            Problem::NoNumber { word, at }
        } else {
            Problem::NoPiece { word, at }
        };
        self.problem.get_or_insert(problem);
    }
}

/// The piece of a letter: here, capitals are Black.
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

/// The square of a column and a row from 0 to 7.
#[inline]
fn square(file: u8, rank: u8) -> Square {
    Square::new(
        File::ALL[usize::from(file & 7)],
        Rank::ALL[usize::from(rank & 7)],
    )
}
