//! Extended Position Description: a position and operations on it.

use std::fmt;
use std::str::FromStr;

use tabiya_board::{Board, FenError, Setup};
use thiserror::Error;

/// A line of EPD.
///
/// It is written with the clocks of its board: as they stand in the operations `hmvc` and `fmvn`, or, where those say
/// something else, with new ones behind the others.
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
    /// The position. Its clocks come from the operations `hmvc` and `fmvn`, if there are such.
    pub board: Board,
    /// The operations in their order.
    pub operations: Vec<Operation>,
}

/// What an EPD says about its position, such as `bm Nf3 e4;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name: `bm` for best moves, `dm` for a mate in so many moves, `id` for a name, and so on.
    pub opcode: String,
    /// What follows.
    pub operands: Vec<Operand>,
}

/// One of the values of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Text between quotation marks.
    Quoted(String),
    /// A move, a number or a symbol.
    Symbol(String),
}

impl Operand {
    /// Its text, without quotation marks.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Quoted(text) | Self::Symbol(text) => text,
        }
    }
}

/// What is wrong with a line of EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A text in quotation marks does not end.
    #[error("the text in quotation marks at character {} does not end", at + 1)]
    UnclosedQuote {
        /// The number of bytes before it.
        at: usize,
    },
    /// An operation does not start with a letter.
    #[error("an operation starts with a letter, and {found:?} is none (character {})", at + 1)]
    InvalidOpcode {
        /// The number of bytes before it.
        at: usize,
        /// What stands there.
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

    /// The operation with this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    }

    /// The first operand of the operation with this name.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        Some(self.operation(opcode)?.operands.first()?.as_str())
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, EpdError> {
        let fields = fields_end(line);
        let (mut position, mut rest) = (&line[..fields], fields);
        // Many files called EPD have the two clocks of a FEN behind its four fields.
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

/// Where the four fields of the position end.
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

/// The length of two numbers and the white space before them, or 0.
fn clocks_end(rest: &str) -> usize {
    let mut words = rest.split_whitespace();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match (words.next(), words.next()) {
        (Some(first), Some(second)) if is_number(first) && is_number(second) => {
            // Both are slices of the rest: the distance is where the second ends.
            second.as_ptr() as usize + second.len() - rest.as_ptr() as usize
        }
        _ => 0,
    }
}

/// The board with the clocks that operations tell, if they can be.
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
        let told = Board::new(&without_clocks).map(|board| with_clocks(board, &self.operations));
        let is_told = told == Ok(self.board);
        for operation in &self.operations {
            if is_told || !matches!(operation.opcode.as_str(), "hmvc" | "fmvn") {
                write!(f, " {operation}")?;
            }
        }
        if !is_told {
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
