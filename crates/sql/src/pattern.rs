//! Patterns of pieces and moves, written in a small part of CQL, the Chess Query Language.

use datafusion::common::{DataFusionError, exec_datafusion_err};
use tabiya_board::{Bitboard, Board, Color, File, Move, Piece, Rank, Role, Square};

use crate::replay::Replay;

/// Conditions that hold in one position of a game: pieces on squares, and perhaps the next move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    pieces: Vec<Designator>,
    next: Option<NextMove>,
}

/// What the next move must be.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NextMove {
    from: Designator,
    to: Designator,
    captures: bool,
}

/// One of these pieces, on one of these squares: `Nf3`, `[RQ]a-h7`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Designator {
    pieces: Vec<Piece>,
    /// Whether an empty square will do.
    empty: bool,
    squares: Bitboard,
}

impl Designator {
    /// The squares of a board where it holds.
    fn on(&self, board: &Board) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for piece in &self.pieces {
            found |= board.pieces(piece.color, piece.role);
        }
        if self.empty {
            found |= !board.occupied();
        }
        found & self.squares
    }

    /// Reads a designator. Without a piece, anything may be on the squares; without squares, it may be anywhere.
    fn parse(text: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut empty = false;
        let mut rest = text;
        let is_square = |text: &str| {
            let mut letters = text.chars();
            letters
                .next()
                .is_some_and(|letter| matches!(letter, 'a'..='h'))
                && letters
                    .next()
                    .is_some_and(|letter| matches!(letter, '1'..='8' | '-'))
        };
        let list = rest.strip_prefix('[').and_then(|list| list.split_once(']'));
        let symbols = match list {
            Some((symbols, after)) if !symbols.contains(|c: char| c.is_ascii_digit()) => {
                rest = after;
                symbols
            }
            // A list of squares.
            Some(_) => "?",
            None if is_square(rest) => "?",
            None => {
                let symbol;
                (symbol, rest) = rest.split_at_checked(1)?;
                symbol
            }
        };
        if symbols.is_empty() {
            return None;
        }
        for symbol in symbols.chars() {
            let of = |color: Color| Role::ALL.map(|role| Piece::new(color, role));
            match symbol {
                'A' => pieces.extend(of(Color::White)),
                'a' => pieces.extend(of(Color::Black)),
                '_' => empty = true,
                '?' => {
                    pieces.extend(Color::ALL.into_iter().flat_map(of));
                    empty = true;
                }
                symbol => pieces.push(Piece::from_char(symbol)?),
            }
        }
        let squares = match rest.strip_prefix('[') {
            _ if rest.is_empty() => Bitboard::FULL,
            Some(list) => {
                let mut squares = Bitboard::EMPTY;
                for range in list.strip_suffix(']')?.split(',') {
                    squares |= squares_of(range)?;
                }
                squares
            }
            None => squares_of(rest)?,
        };
        Some(Self {
            pieces,
            empty,
            squares,
        })
    }
}

/// Reads a square or a range of them: `e4`, `a-h7`, `a1-8`, `c-f3-6`.
fn squares_of(text: &str) -> Option<Bitboard> {
    let digit = text.find(|letter: char| letter.is_ascii_digit())?;
    let (files, ranks) = text.split_at(digit);
    let (first, last) = files.split_once('-').unwrap_or((files, files));
    let (lowest, highest) = ranks.split_once('-').unwrap_or((ranks, ranks));
    let letter = |text: &str| {
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none())
    };
    let (first, last) = (
        File::from_char(letter(first)?)?,
        File::from_char(letter(last)?)?,
    );
    let (lowest, highest) = (
        Rank::from_char(letter(lowest)?)?,
        Rank::from_char(letter(highest)?)?,
    );
    let mut squares = Bitboard::EMPTY;
    for square in Square::all() {
        if (first..=last).contains(&square.file()) && (lowest..=highest).contains(&square.rank()) {
            squares.insert(square);
        }
    }
    (!squares.is_empty()).then_some(squares)
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn parse(text: &str) -> Result<Self, DataFusionError> {
        let wrong = |why: &str| {
            exec_datafusion_err!(
                "'{text}' is not a pattern: {why}; write pieces and squares as in Nd5, [RQ]a-h7 or _e4, and the next \
                 move as in N--e5 or r[x]Nc3"
            )
        };
        let designator = |part: &str| {
            Designator::parse(part)
                .ok_or_else(|| wrong(&format!("'{part}' is no piece on a square")))
        };
        let mut pattern = Self {
            pieces: Vec::new(),
            next: None,
        };
        for word in text.split_whitespace() {
            let quiet = word.split_once("--").map(|parts| (parts, false));
            let capture = word.split_once("[x]").map(|parts| (parts, true));
            let Some(((from, to), captures)) = quiet.or(capture) else {
                pattern.pieces.push(designator(word)?);
                continue;
            };
            if pattern.next.is_some() {
                return Err(wrong("it has two moves"));
            }
            // The target may be left out.
            let to = if to.is_empty() { "?" } else { to };
            pattern.next = Some(NextMove {
                from: designator(from)?,
                to: designator(to)?,
                captures,
            });
        }
        if pattern.pieces.is_empty() && pattern.next.is_none() {
            return Err(wrong("it is empty"));
        }
        Ok(pattern)
    }

    fn holds(&self, board: &Board, next: Option<Move>) -> bool {
        let is_there = |piece: &Designator| !piece.on(board).is_empty();
        self.pieces.iter().all(is_there)
            && self.next.as_ref().is_none_or(|wanted| {
                next.is_some_and(|mv| {
                    // En passant captures on a square that is empty.
                    let to = if mv.is_en_passant() && wanted.captures {
                        Square::new(mv.to().file(), mv.from().rank())
                    } else {
                        mv.to()
                    };
                    wanted.from.on(board).contains(mv.from())
                        && wanted.to.on(board).contains(to)
                        && (!wanted.captures || board.captured(mv).is_some())
                })
            })
    }

    /// Whether the pattern occurs in the rest of a game.
    pub(crate) fn occurs(&self, game: &mut Replay<'_>) -> Result<bool, DataFusionError> {
        loop {
            let next = game.next_move()?;
            if self.holds(game.board(), next) {
                return Ok(true);
            }
            if game.play()?.is_none() {
                return Ok(false);
            }
        }
    }
}
