//! Opening books in Polyglot's format, `.bin`.
//!
//! A book is a list of entries of 16 bytes, sorted by the Polyglot key of their positions, which is
//! [`Board::key`]. [`Book`] looks positions up in bytes; [`entries`] in a file or another source that can seek.

use std::io::{self, Read, Seek, SeekFrom};

use tabiya_board::{Board, Move, Role, Square};
use thiserror::Error;

/// The length of an entry in bytes.
pub const ENTRY_LENGTH: usize = 16;

/// The pieces that pawns promote to, by their numbers in the format. Zero is no promotion.
const PROMOTIONS: [Option<Role>; 5] = [
    None,
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

/// An entry of a book: a move in a position.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::polyglot::Entry;
///
/// let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
/// let castle = board.legal_move(Square::E1, Square::G1, None).unwrap();
/// // In books, the king takes its own rook.
/// let entry = Entry::new(&board, castle, 7);
/// assert_eq!((entry.from(), entry.to()), (Square::E1, Square::H1));
/// assert_eq!(entry.to_move(&board), Some(castle));
/// assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The key of the position.
    pub key: u64,
    /// The move as the format packs it.
    pub packed_move: u16,
    /// How good or frequent the move is, compared with the others of the position.
    pub weight: u16,
    /// What a program has learned about the move. Most books have zeros.
    pub learn: u32,
}

impl Entry {
    /// The entry for a legal move of a board.
    pub fn new(board: &Board, mv: Move, weight: u16) -> Self {
        let rook = mv
            .castling_side()
            .and_then(|side| board.castling_rook(board.turn(), side));
        let to = rook.unwrap_or(mv.to()).index();
        let promotion = PROMOTIONS.iter().position(|&role| role == mv.promotion());
        let packed = promotion.unwrap_or(0) << 12 | mv.from().index() << 6 | to;
        Self {
            key: board.key(),
            packed_move: packed as u16,
            weight,
            learn: 0,
        }
    }

    /// Reads an entry.
    pub fn from_bytes(bytes: &[u8; ENTRY_LENGTH]) -> Self {
        // The format is big-endian.
        let number = u128::from_be_bytes(*bytes);
        Self {
            key: (number >> 64) as u64,
            packed_move: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// Writes an entry. A book is a file of these, sorted by key.
    pub fn to_bytes(self) -> [u8; ENTRY_LENGTH] {
        let number = u128::from(self.key) << 64
            | u128::from(self.packed_move) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }

    /// Returns the square that the move starts from.
    pub fn from(self) -> Square {
        square(self.packed_move >> 6)
    }

    /// Returns the square that the move goes to. In castling this is the square of the rook.
    pub fn to(self) -> Square {
        square(self.packed_move)
    }

    /// Returns the legal move of a board; `None` if there is none, which happens if the book is damaged or two
    /// positions have the same key.
    pub fn to_move(self, board: &Board) -> Option<Move> {
        let promotion = *PROMOTIONS.get(usize::from(self.packed_move >> 12 & 7))?;
        board.legal_move(self.from(), self.to(), promotion).ok()
    }
}

/// The square in the lowest six bits.
fn square(bits: u16) -> Square {
    Square::from_index(usize::from(bits & 63)).unwrap_or(Square::A1)
}

/// The bytes cannot be a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a Polyglot book: its {length} bytes cannot be divided into entries of {ENTRY_LENGTH}")]
pub struct BookError {
    /// The number of bytes.
    pub length: usize,
}

/// A book in memory: a slice, a vector, or a file mapped into memory.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::polyglot::{Book, Entry};
///
/// let board = Board::start();
/// let moves = [(Square::E2, Square::E4, 3), (Square::D2, Square::D4, 1)];
/// let mut bytes = Vec::new();
/// for (from, to, weight) in moves {
///     let mv = board.legal_move(from, to, None).unwrap();
///     bytes.extend(Entry::new(&board, mv, weight).to_bytes());
/// }
/// // Usually: Book::new(std::fs::read("book.bin")?)?
/// let book = Book::new(bytes).unwrap();
/// let moves: Vec<String> = book.moves(&board).iter().map(|(mv, weight)| format!("{mv} {weight}")).collect();
/// assert_eq!(moves, ["e2e4 3", "d2d4 1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Book<B> {
    bytes: B,
}

impl<B: AsRef<[u8]>> Book<B> {
    /// Takes the bytes of a book.
    pub fn new(bytes: B) -> Result<Self, BookError> {
        let length = bytes.as_ref().len();
        if length.is_multiple_of(ENTRY_LENGTH) {
            Ok(Self { bytes })
        } else {
            Err(BookError { length })
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.chunks().len()
    }

    /// Returns whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn chunks(&self) -> &[[u8; ENTRY_LENGTH]] {
        self.bytes.as_ref().as_chunks().0
    }

    /// Returns all entries in the order of the file.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Entry> + '_ {
        self.chunks().iter().map(Entry::from_bytes)
    }

    /// Returns the entries with a key, in the order of the file.
    pub fn entries(&self, key: u64) -> impl Iterator<Item = Entry> + '_ {
        let chunks = self.chunks();
        let start = chunks.partition_point(|chunk| Entry::from_bytes(chunk).key < key);
        let entries = chunks[start..].iter().map(Entry::from_bytes);
        entries.take_while(move |entry| entry.key == key)
    }

    /// Returns the legal moves of a position with their weights, the heaviest first.
    pub fn moves(&self, board: &Board) -> Vec<(Move, u16)> {
        moves(self.entries(board.key()), board)
    }

    /// Chooses a move, each as often as its weight says: `random` is any number, and every number gives the same move
    /// every time. Moves of weight zero are never chosen.
    pub fn choose(&self, board: &Board, random: u64) -> Option<Move> {
        let moves = self.moves(board);
        let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut left = random.checked_rem(total)?;
        moves.into_iter().find_map(|(mv, weight)| {
            let is_chosen = left < u64::from(weight);
            left = left.saturating_sub(u64::from(weight));
            is_chosen.then_some(mv)
        })
    }
}

/// Returns the legal moves of entries with their weights, the heaviest first.
fn moves(entries: impl Iterator<Item = Entry>, board: &Board) -> Vec<(Move, u16)> {
    let legal = entries.filter_map(|entry| Some((entry.to_move(board)?, entry.weight)));
    let mut moves: Vec<(Move, u16)> = legal.collect();
    moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
    moves
}

/// Returns the entries with a key from a file or another source that can seek, in the order of the file. This reads a
/// few entries only, so the book may be larger than the memory.
pub fn entries(book: &mut (impl Read + Seek), key: u64) -> io::Result<Vec<Entry>> {
    const STEP: u64 = ENTRY_LENGTH as u64;
    let mut bytes = [0; ENTRY_LENGTH];
    let count = book.seek(SeekFrom::End(0))? / STEP;
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        book.seek(SeekFrom::Start(middle * STEP))?;
        book.read_exact(&mut bytes)?;
        if Entry::from_bytes(&bytes).key < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut found = Vec::new();
    book.seek(SeekFrom::Start(low * STEP))?;
    for _ in low..count {
        book.read_exact(&mut bytes)?;
        let entry = Entry::from_bytes(&bytes);
        if entry.key != key {
            break;
        }
        found.push(entry);
    }
    Ok(found)
}
