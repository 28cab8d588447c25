//! Games as columns: what many games have in common, without an object for each.

use std::marker::PhantomData;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};
use tabiya_notation::pgn::{
    Batch, BatchKind, GameError, GameErrorKind, Reader, ReplayBoard, Visitor, clock, decode_tag,
    eval, replay,
};
use tabiya_notation::{GameResult, PieceLetters, Score, opening};

/// Texts, one after another.
#[derive(Clone)]
pub(crate) struct Texts {
    /// Where each text ends in the bytes, after a leading 0.
    pub(crate) offsets: Vec<i64>,
    pub(crate) bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            bytes: Vec::new(),
        }
    }
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len() as i64);
    }

    pub(crate) fn get(&self, row: usize) -> &str {
        let (from, to) = (self.offsets[row] as usize, self.offsets[row + 1] as usize);
        std::str::from_utf8(&self.bytes[from..to]).unwrap_or_default()
    }

    fn append(&mut self, other: &Self) {
        let before = self.bytes.len() as i64;
        self.bytes.extend_from_slice(&other.bytes);
        let offsets = other.offsets.iter().skip(1);
        self.offsets.extend(offsets.map(|offset| offset + before));
    }
}

/// Lists of numbers, one after another.
#[derive(Clone)]
pub(crate) struct Lists<T> {
    pub(crate) offsets: Vec<i64>,
    pub(crate) values: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            values: Vec::new(),
        }
    }
}

impl<T: Copy> Lists<T> {
    /// Ends the list of the current row.
    fn end_row(&mut self) {
        self.offsets.push(self.values.len() as i64);
    }

    pub(crate) fn get(&self, row: usize) -> &[T] {
        &self.values[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    fn append(&mut self, other: &Self) {
        let before = self.values.len() as i64;
        self.values.extend_from_slice(&other.values);
        let offsets = other.offsets.iter().skip(1);
        self.offsets.extend(offsets.map(|offset| offset + before));
    }
}

/// Numbers, some of which are missing.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    pub(crate) values: Vec<i16>,
    /// A bit for each number that is there.
    pub(crate) valid: Vec<u8>,
    pub(crate) missing: usize,
}

impl Numbers {
    fn push(&mut self, value: Option<i16>) {
        let row = self.values.len();
        if row.is_multiple_of(8) {
            self.valid.push(0);
        }
        self.valid[row / 8] |= u8::from(value.is_some()) << (row % 8);
        self.missing += usize::from(value.is_none());
        self.values.push(value.unwrap_or(0));
    }

    pub(crate) fn get(&self, row: usize) -> Option<i16> {
        (self.valid[row / 8] >> (row % 8) & 1 != 0).then_some(self.values[row])
    }

    fn append(&mut self, other: &Self) {
        for row in 0..other.values.len() {
            self.push(other.get(row));
        }
    }
}

/// What to collect in addition to tags and moves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) clocks: bool,
    pub(crate) evals: bool,
    pub(crate) keys: bool,
    pub(crate) openings: bool,
}

/// The tags that have a column of their own.
pub(crate) const TEXT_TAGS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "ECO",
    "Opening",
    "TimeControl",
    "Termination",
    "FEN",
];
/// Their names as columns.
pub(crate) const TEXT_NAMES: [&str; 12] = [
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result",
    "eco",
    "opening",
    "time_control",
    "termination",
    "fen",
];
const RESULT: usize = 6;
const ECO: usize = 7;
const OPENING: usize = 8;
pub(crate) const FEN: usize = 11;

/// A clock that is not given.
const NO_CLOCK: f32 = f32::NAN;
/// An evaluation that is not given.
pub(crate) const NO_EVAL: i16 = i16::MIN;
/// Mate at once; a mate in n moves is worth n less.
const MATE: i32 = 32_000;

/// A game that cannot be read to its end.
#[derive(Clone)]
pub(crate) struct BrokenRow {
    pub(crate) row: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) reason: GameErrorKind,
}

/// Games as columns.
#[derive(Clone, Default)]
pub(crate) struct Columns {
    pub(crate) rows: usize,
    pub(crate) wanted: Wanted,
    pub(crate) texts: [Texts; 12],
    pub(crate) white_elo: Numbers,
    pub(crate) black_elo: Numbers,
    pub(crate) moves: Lists<u16>,
    pub(crate) clocks: Lists<f32>,
    pub(crate) evals: Lists<i16>,
    pub(crate) keys: Lists<u64>,
    pub(crate) broken: Vec<BrokenRow>,
}

/// A board that may know its key.
trait MaybeKeyed: ReplayBoard {
    fn board(&self) -> Option<&Board>;
}

impl MaybeKeyed for Position {
    #[inline(always)]
    fn board(&self) -> Option<&Board> {
        None
    }
}

impl MaybeKeyed for Board {
    #[inline(always)]
    fn board(&self) -> Option<&Board> {
        Some(self)
    }
}

struct Collect<'a, 'c, B> {
    columns: &'c mut Columns,
    tags: [&'a [u8]; 12],
    elo: [&'a [u8]; 2],
    opening: Option<tabiya_notation::Opening>,
    start: usize,
    board: PhantomData<B>,
}

impl<'a, B: MaybeKeyed> Visitor<'a> for Collect<'a, '_, B> {
    type Board = B;
    const VARIATIONS: bool = false;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        match name {
            b"WhiteElo" => self.elo[0] = value,
            b"BlackElo" => self.elo[1] = value,
            _ => {
                let known = TEXT_TAGS.iter().position(|tag| tag.as_bytes() == name);
                if let Some(index) = known {
                    self.tags[index] = value;
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: Move, after: &B, _depth: usize) {
        let columns = &mut *self.columns;
        columns.moves.values.push(mv.to_bits());
        if let Some(board) = after.board() {
            if columns.wanted.keys {
                columns.keys.values.push(board.key());
            }
            if columns.wanted.openings && columns.moves.values.len() - self.start <= 40 {
                self.opening = opening(board).or(self.opening);
            }
        }
        if columns.wanted.clocks {
            columns.clocks.values.push(NO_CLOCK);
        }
        if columns.wanted.evals {
            columns.evals.values.push(NO_EVAL);
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        let columns = &mut *self.columns;
        if !(columns.wanted.clocks || columns.wanted.evals)
            || columns.moves.values.len() == self.start
        {
            return;
        }
        let Ok(comment) = std::str::from_utf8(comment) else {
            return;
        };
        if columns.wanted.clocks
            && let Some(left) = clock(comment)
            && let Some(last) = columns.clocks.values.last_mut()
        {
            *last = left.as_secs_f32();
        }
        if columns.wanted.evals
            && let Some(score) = eval(comment)
            && let Some(last) = columns.evals.values.last_mut()
        {
            *last = eval_number(score);
        }
    }
}

/// Centipawns; a mate in n moves is ±(32000 − n).
fn eval_number(score: Score) -> i16 {
    let number = match score {
        Score::Cp(centipawns) => centipawns.clamp(-30_000, 30_000),
        Score::Mate(moves) if moves < 0 => -MATE - moves.max(-1000),
        Score::Mate(moves) => MATE - moves.min(1000),
    };
    number as i16
}

fn elo(value: &[u8]) -> Option<i16> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

impl Columns {
    pub(crate) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    /// Reads all games of a batch.
    pub(crate) fn read(batch: &Batch, wanted: Wanted) -> Self {
        let mut columns = Self::new(wanted);
        match batch.kind {
            BatchKind::Games => {
                let mut reader = Reader::new(&batch.text);
                if wanted.keys || wanted.openings {
                    while columns.read_game::<Board>(batch, &mut reader) {}
                } else {
                    while columns.read_game::<Position>(batch, &mut reader) {}
                }
            }
            BatchKind::TooLarge { limit } => {
                let kind = GameErrorKind::TooLarge { limit };
                columns.add_error(batch, GameError { offset: 0, kind });
                columns.end_row([&[]; 12], [&[]; 2], None, None);
            }
            BatchKind::Rest => {}
        }
        columns
    }

    fn add_error(&mut self, batch: &Batch, error: GameError) {
        let (line, column) = batch.line_and_column(error.offset);
        self.broken.push(BrokenRow {
            row: self.rows,
            line,
            column,
            reason: error.kind,
        });
    }

    fn read_game<'a, B: MaybeKeyed>(&mut self, batch: &'a Batch, reader: &mut Reader<'a>) -> bool {
        let start = self.moves.values.len();
        let mut visitor: Collect<'_, '_, B> = Collect {
            columns: self,
            tags: [&[]; 12],
            elo: [&[]; 2],
            opening: None,
            start,
            board: PhantomData,
        };
        let Some(game) = replay(reader, &PieceLetters::ENGLISH, &mut visitor) else {
            return false;
        };
        let (tags, elo, opening) = (visitor.tags, visitor.elo, visitor.opening);
        if let Some(error) = game.error {
            self.add_error(batch, error);
        }
        self.end_row(tags, elo, game.result, opening);
        true
    }

    fn end_row(
        &mut self,
        tags: [&[u8]; 12],
        elos: [&[u8]; 2],
        result: Option<GameResult>,
        opening: Option<tabiya_notation::Opening>,
    ) {
        for (index, (texts, value)) in self.texts.iter_mut().zip(tags).enumerate() {
            match (index, opening) {
                (ECO, Some(opening)) => texts.push(opening.eco),
                (OPENING, Some(opening)) => texts.push(opening.name),
                (RESULT, _) if value.is_empty() => {
                    texts.push(result.unwrap_or(GameResult::Unknown).as_str());
                }
                _ => texts.push(&decode_tag(value)),
            }
        }
        self.white_elo.push(elo(elos[0]));
        self.black_elo.push(elo(elos[1]));
        self.moves.end_row();
        self.clocks.end_row();
        self.evals.end_row();
        self.keys.end_row();
        self.rows += 1;
    }

    /// Adds the rows of the next batch.
    pub(crate) fn append(&mut self, other: Self) {
        if self.rows == 0 {
            *self = other;
            return;
        }
        for (texts, more) in self.texts.iter_mut().zip(&other.texts) {
            texts.append(more);
        }
        self.white_elo.append(&other.white_elo);
        self.black_elo.append(&other.black_elo);
        self.moves.append(&other.moves);
        self.clocks.append(&other.clocks);
        self.evals.append(&other.evals);
        self.keys.append(&other.keys);
        let broken = other.broken.into_iter();
        self.broken.extend(broken.map(|error| BrokenRow {
            row: error.row + self.rows,
            ..error
        }));
        self.rows += other.rows;
    }

    /// The names of the columns that there are.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let mut names = TEXT_NAMES.to_vec();
        names.extend(["white_elo", "black_elo", "moves"]);
        names.extend(self.wanted.clocks.then_some("clocks"));
        names.extend(self.wanted.evals.then_some("evals"));
        names.extend(self.wanted.keys.then_some("keys"));
        names
    }
}
