//! Extended Position Description: a position with operations.

use std::fmt;
use std::str::FromStr;

use tabiya_board::{Board, FenError, Setup};
use thiserror::Error;

/// A line of EPD.
///
/// The clocks of its board are written as the operations `hmvc` and `fmvn`: those that it has, if they agree with the
/// board, or new ones at the end.
///
/// ```
/// use tabiya_notation::Epd;
///
/// let line = "r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; id \"ERET 001\";";
/// let epd: Epd = line.parse().unwrap();
/// assert_eq!(epd.operand("bm"), Some("Rxf4"));
/// assert_eq!(epd.operand("id"), Some("ERET 001"));
/// assert_eq!(epd.to_string(), line);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position. Its clocks come from the operations `hmvc` and `fmvn`, if it has those.
    pub board: Board,
    /// The operations, in order.
    pub operations: Vec<Operation>,
}

/// A statement about the position, such as `bm Nf3 e4;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name: `bm` for best moves, `dm` for the number of moves to mate, `id` for a name, and so on.
    pub opcode: String,
    /// Its values.
    pub operands: Vec<Operand>,
}

/// A value of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Text between quotation marks.
    Quoted(String),
    /// A move, a number or a symbol.
    Symbol(String),
}

impl Operand {
    /// Returns its text, without quotation marks.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Quoted(text) | Self::Symbol(text) => text,
        }
    }
}

/// Why a line is not an EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A quotation mark is never closed.
    #[error("the quotation mark at character {} is never closed", at + 1)]
    UnclosedQuote {
        /// The number of bytes before it.
        at: usize,
    },
    /// An operation does not start with a letter.
    #[error("an operation must start with a letter, not {found:?} (character {})", at + 1)]
    InvalidOpcode {
        /// The number of bytes before it.
        at: usize,
        /// The character there.
        found: char,
    },
}

impl Epd {
    /// A position without operations.
    pub const fn new(board: Board) -> Self {
        Self {
            board,
            operations: Vec::new(),
        }
    }

    /// Returns the operation with a name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    }

    /// Returns the first value of the operation with a name.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        Some(self.operation(opcode)?.operands.first()?.as_str())
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, EpdError> {
        let fields = fields_end(line);
        let (mut position, mut rest) = (&line[..fields], fields);
        // Many EPD files have the two clocks of a FEN after the four fields.
        let clocks = clocks_end(&line[fields..]);
        if clocks > 0 {
            rest += clocks;
            position = &line[..rest];
        }
        let mut board: Board = position.parse()?;
        let operations = operations(line, rest)?;
        if clocks == 0 {
            board = with_clocks(board, &operations);
        }
        Ok(Self { board, operations })
    }
}

/// Returns where the four fields of the position end.
fn fields_end(line: &str) -> usize {
    let mut fields = 0;
    let mut inside = false;
    for (at, letter) in line.char_indices() {
        let is_text = !letter.is_whitespace();
        if inside && !is_text {
            fields += 1;
            if fields == 4 {
                return at;
            }
        }
        inside = is_text;
    }
    line.len()
}

/// Returns the length of two numbers and the white space before them, or 0.
fn clocks_end(rest: &str) -> usize {
    let mut words = rest.split_whitespace();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match (words.next(), words.next()) {
        (Some(first), Some(second)) if is_number(first) && is_number(second) => {
            // Both are slices of the rest, so the difference is where the second ends.
            second.as_ptr() as usize + second.len() - rest.as_ptr() as usize
        }
        _ => 0,
    }
}

/// Returns the board with the clocks of the operations, if those are valid.
fn with_clocks(mut board: Board, operations: &[Operation]) -> Board {
    let number = |opcode: &str| -> Option<u32> {
        let operation = operations
            .iter()
            .find(|operation| operation.opcode == opcode)?;
        operation.operands.first()?.as_str().parse().ok()
    };
    if let Some(halfmove_clock) = number("hmvc") {
        let setup = Setup {
            halfmove_clock,
            ..board.setup()
        };
        board = Board::new(&setup).unwrap_or(board);
    }
    if let Some(fullmove_number) = number("fmvn") {
        let setup = Setup {
            fullmove_number,
            ..board.setup()
        };
        board = Board::new(&setup).unwrap_or(board);
    }
    board
}

fn operations(line: &str, start: usize) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut current: Option<Operation> = None;
    let mut rest = line[start..].char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        let at = start + at;
        if letter == ';' {
            operations.extend(current.take());
        } else if letter == '"' {
            let mut text = String::new();
            let mut closed = false;
            while let Some((_, letter)) = rest.next() {
                match letter {
                    '"' => {
                        closed = true;
                        break;
                    }
                    '\\' => text.extend(rest.next().map(|(_, escaped)| escaped)),
                    _ => text.push(letter),
                }
            }
            if !closed {
                return Err(EpdError::UnclosedQuote { at });
            }
            match &mut current {
                Some(operation) => operation.operands.push(Operand::Quoted(text)),
                None => return Err(EpdError::InvalidOpcode { at, found: '"' }),
            }
        } else if !letter.is_whitespace() {
            let mut word = String::from(letter);
            while let Some((_, next)) =
                rest.next_if(|&(_, next)| !next.is_whitespace() && next != ';')
            {
                word.push(next);
            }
            match &mut current {
                Some(operation) => operation.operands.push(Operand::Symbol(word)),
                None if letter.is_ascii_alphabetic() => {
                    current = Some(Operation {
                        opcode: word,
                        operands: Vec::new(),
                    });
                }
                None => return Err(EpdError::InvalidOpcode { at, found: letter }),
            }
        }
    }
    operations.extend(current);
    Ok(operations)
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.board.to_string();
        let fields: Vec<_> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        let without_clocks = Setup {
            halfmove_clock: 0,
            fullmove_number: 1,
            ..self.board.setup()
        };
        let read = Board::new(&without_clocks).map(|board| with_clocks(board, &self.operations));
        let clocks_agree = read == Ok(self.board);
        for operation in &self.operations {
            if clocks_agree || !matches!(operation.opcode.as_str(), "hmvc" | "fmvn") {
                write!(f, " {operation}")?;
            }
        }
        if !clocks_agree {
            let (clock, number) = (self.board.halfmove_clock(), self.board.fullmove_number());
            write!(f, " hmvc {clock}; fmvn {number};")?;
        }
        Ok(())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            match operand {
                Operand::Symbol(text) => write!(f, " {text}")?,
                Operand::Quoted(text) => {
                    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                    write!(f, " \"{escaped}\"")?;
                }
            }
        }
        f.write_str(";")
    }
}
