//! From PGN to rows: what the archive keeps of a game.

use std::borrow::Cow;
use std::ops::ControlFlow;

use tabiya_board::{Board, Move};
use tabiya_notation::pgn::{
    Batch, BatchKind, Event, GameError, GameErrorKind, Reader, Visitor, clock, decode, decode_tag,
    eval, replay, result_in_tag,
};
use tabiya_notation::polyglot;
use tabiya_notation::{GameResult, PieceLetters, Score};

use crate::date;
use crate::entry::{Entry, NO_MOVE};
use crate::run::Bucketed;
use crate::table::{Column, Lists, Optional, OptionalTexts, Texts};

/// A mate in the column `evals`: this, less the number of moves to it.
pub(crate) const MATE: i32 = 32_000;
/// The largest evaluation that is not a mate.
const MAX_EVAL: i32 = 30_000;

/// Packs a move as Polyglot's books do.
pub(crate) fn pack_move(board: &Board, mv: Move) -> u16 {
    polyglot::Entry::new(board, mv, 0).packed_move
}

/// Returns the legal move of a board that a number stands for.
pub(crate) fn unpack_move(board: &Board, packed: u16) -> Option<Move> {
    let number = u128::from(packed) << 48;
    polyglot::Entry::from_bytes(&number.to_be_bytes()).to_move(board)
}

/// The key of a position in the tables.
pub(crate) fn key(board: &Board) -> i64 {
    board.repetition_key() as i64
}

/// The tags that are kept, in the order of [`Tags`].
const TAGS: [&[u8]; 21] = [
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"WhiteTitle",
    b"BlackTitle",
    b"WhiteElo",
    b"BlackElo",
    b"WhiteRatingDiff",
    b"BlackRatingDiff",
    b"UTCDate",
    b"UTCTime",
    b"ECO",
    b"Opening",
    b"Termination",
    b"TimeControl",
    b"Variant",
    b"FEN",
];
const DATE: usize = 2;
const RESULT: usize = 6;
const WHITE_ELO: usize = 9;
const BLACK_ELO: usize = 10;
const UTC_DATE: usize = 13;
const UTC_TIME: usize = 14;
const FEN: usize = 20;
/// The tags that tell two games apart, beside their moves.
const IDENTITY: [usize; 9] = [0, 1, DATE, 3, 4, 5, UTC_DATE, UTC_TIME, FEN];

/// What has been seen of a game.
#[derive(Default)]
struct Visit<'a> {
    tags: [Option<&'a [u8]>; TAGS.len()],
    board: Option<Board>,
    /// The keys before the moves, and the moves.
    plies: Vec<(i64, u16)>,
    clocks: Vec<Option<i32>>,
    evals: Vec<Option<i32>>,
}

impl<'a> Visit<'a> {
    fn clear(&mut self) {
        self.tags = [None; TAGS.len()];
        self.board = None;
        self.plies.clear();
        self.clocks.clear();
        self.evals.clear();
    }

    fn text(&self, tag: usize) -> Option<Cow<'a, str>> {
        let text = decode_tag(self.tags[tag]?);
        // What PGN writes for nothing.
        (!matches!(&*text, "" | "?")).then_some(text)
    }

    fn number(&self, tag: usize) -> Option<i32> {
        let number: i32 = self
            .text(tag)?
            .trim()
            .trim_start_matches('+')
            .parse()
            .ok()?;
        (-9999..=9999).contains(&number).then_some(number)
    }

    fn elo(&self, tag: usize) -> Option<i32> {
        self.number(tag).filter(|&elo| elo > 0)
    }

    /// The day of the game: that of the tag `UTCDate`, or else of `Date`.
    fn day(&self) -> Option<i32> {
        let day = |tag| date::parse(&self.text(tag)?);
        day(UTC_DATE).or_else(|| day(DATE))
    }

    /// The place of the last move in a list of values by move, which is extended if necessary.
    fn slot(list: &mut Vec<Option<i32>>, plies: usize) -> Option<&mut Option<i32>> {
        list.resize(plies, None);
        list.last_mut()
    }
}

impl<'a> Visitor<'a> for Visit<'a> {
    type Board = Board;
    const VARIATIONS: bool = false;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        if let Some(index) = TAGS.iter().position(|tag| *tag == name) {
            // The first of two counts, as for the position in the tag FEN.
            self.tags[index].get_or_insert(value);
        }
    }

    fn set_up(&mut self, start: &Board) {
        self.board = Some(*start);
    }

    fn begin_moves(&mut self) -> ControlFlow<()> {
        self.board.get_or_insert_with(Board::start);
        ControlFlow::Continue(())
    }

    fn play(&mut self, mv: Move, after: &Board, _depth: usize) {
        if let Some(board) = &mut self.board {
            self.plies.push((key(board), pack_move(board, mv)));
            *board = *after;
        }
    }

    fn comment(&mut self, comment: &'a [u8]) {
        // A comment about a clock or an evaluation has a command in it.
        if !comment.contains(&b'%') || self.plies.is_empty() {
            return;
        }
        let plies = self.plies.len();
        if let Some((centipawns, milliseconds)) = plain_commands(comment) {
            if let Some(slot) = Self::slot(&mut self.clocks, plies) {
                *slot = Some(milliseconds);
            }
            if centipawns.is_some()
                && let Some(slot) = Self::slot(&mut self.evals, plies)
            {
                *slot = centipawns;
            }
            return;
        }
        let comment = decode(comment);
        if let Some(clock) = clock(&comment)
            && let Some(slot) = Self::slot(&mut self.clocks, plies)
        {
            *slot = i32::try_from(clock.as_millis()).ok();
        }
        if let Some(score) = eval(&comment)
            && let Some(slot) = Self::slot(&mut self.evals, plies)
        {
            *slot = Some(match score {
                Score::Cp(centipawns) => centipawns.clamp(-MAX_EVAL, MAX_EVAL),
                Score::Mate(moves) if moves < 0 => -MATE - moves.max(-1000),
                Score::Mate(moves) => MATE - moves.min(1000),
            });
        }
    }
}

/// Reads the comments that most moves of most files have, `[%clk H:MM:SS]` and `[%eval P.PP] [%clk H:MM:SS]` and nothing
/// else: centipawns and milliseconds. Reading all comments in the general way takes a fifth of a build.
fn plain_commands(comment: &[u8]) -> Option<(Option<i32>, i32)> {
    let comment = comment.trim_ascii();
    let (centipawns, clock) = match comment.strip_prefix(b"[%eval ") {
        Some(rest) => {
            let end = rest.iter().position(|&letter| letter == b']')?;
            let clock = rest[end..].strip_prefix(b"] ")?;
            (Some(plain_pawns(&rest[..end])?), clock)
        }
        None => (None, comment),
    };
    let command = clock.strip_prefix(b"[%clk ")?;
    let (hours, minutes, seconds) = match command.strip_suffix(b"]")? {
        [hours, b':', minutes @ .., b':', s, t] => (*hours, minutes, [*s, *t]),
        _ => return None,
    };
    let minutes: [u8; 2] = minutes.try_into().ok()?;
    let number = |[tens, ones]: [u8; 2]| Some(digit(tens)? * 10 + digit(ones)?);
    let milliseconds = ((digit(hours)? * 60 + number(minutes)?) * 60 + number(seconds)?) * 1000;
    Some((centipawns, milliseconds))
}

/// Reads pawns with two decimals, in centipawns.
fn plain_pawns(text: &[u8]) -> Option<i32> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (pawns, tenths, hundredths) = match digits {
        [pawns @ .., b'.', tenths, hundredths] if (1..=2).contains(&pawns.len()) => {
            (pawns, tenths, hundredths)
        }
        _ => return None,
    };
    let mut centipawns = 0;
    for &letter in pawns.iter().chain([tenths, hundredths]) {
        centipawns = centipawns * 10 + digit(letter)?;
    }
    Some(if digits.len() < text.len() {
        -centipawns
    } else {
        centipawns
    })
}

fn digit(letter: u8) -> Option<i32> {
    letter
        .is_ascii_digit()
        .then(|| i32::from(letter.wrapping_sub(b'0')))
}

/// The rows of a batch. Games are numbered from 0 in it.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) games: usize,
    /// How many of them could not be read to their end.
    pub(crate) broken: u64,
    /// The columns of the games table, in order; the first, `game_id`, is still empty.
    pub(crate) columns: Vec<Column>,
    pub(crate) entries: Bucketed,
    pub(crate) fingerprints: Vec<i64>,
    /// The size of the text and its checksum.
    pub(crate) bytes: u64,
    pub(crate) sum: crc32fast::Hasher,
}

impl Parsed {
    fn new(text: &[u8]) -> Self {
        let mut sum = crc32fast::Hasher::new();
        sum.update(text);
        Self {
            games: 0,
            broken: 0,
            columns: Vec::new(),
            entries: Bucketed::new(&[]),
            fingerprints: Vec::new(),
            bytes: text.len() as u64,
            sum,
        }
    }

    /// The memory that the rows take.
    pub(crate) fn memory(&self) -> usize {
        let columns: usize = self.columns.iter().map(Column::memory).sum();
        columns + self.entries.len() * size_of::<Entry>() + self.fingerprints.len() * 8
    }

    /// Text that is not read again.
    pub(crate) fn skipped(text: &[u8]) -> Self {
        Self::new(text)
    }
}

/// The columns of the games table while they are filled.
pub(crate) struct Rows {
    texts: [OptionalTexts; TAGS.len()],
    numbers: [Optional<i32>; TAGS.len()],
    result: Texts,
    ply_count: Vec<i32>,
    moves: Texts,
    clocks: Lists,
    evals: Lists,
    final_key: Optional<i64>,
    fingerprint: Vec<i64>,
    error: OptionalTexts,
}

impl Rows {
    fn new() -> Self {
        Self {
            texts: std::array::from_fn(|_| OptionalTexts::default()),
            numbers: std::array::from_fn(|_| Optional::default()),
            result: Texts::default(),
            ply_count: Vec::new(),
            moves: Texts::default(),
            clocks: Lists::new(true),
            evals: Lists::new(true),
            final_key: Optional::default(),
            fingerprint: Vec::new(),
            error: OptionalTexts::default(),
        }
    }

    /// The columns of games without moves, whose ratings, days and results are those of entries.
    #[cfg(any(test, feature = "synthetic"))]
    pub(crate) fn synthetic(games: impl Iterator<Item = (u32, Entry)>) -> Vec<Column> {
        let mut rows = Self::new();
        let mut ids = Vec::new();
        for (id, entry) in games {
            ids.push(id as i32);
            let day = date::from_positive(entry.day())
                .map(date::format)
                .unwrap_or_default();
            let elos = [entry.white_elo, entry.black_elo].map(|elo| elo.to_string());
            let (site, white) = (
                format!("https://example.org/{id}"),
                format!("Player {}", id % 9973),
            );
            let mut visit = Visit::default();
            for (name, value) in [
                ("Event", "Synthetic game"),
                ("Site", &site),
                ("White", &white),
                ("Black", "Player 1"),
                ("WhiteElo", &elos[0]),
                ("BlackElo", &elos[1]),
                ("UTCDate", &day),
            ] {
                visit.tag(name.as_bytes(), value.as_bytes());
            }
            rows.push(&visit, entry.result(), None);
        }
        let mut columns = rows.into_columns();
        columns[0] = Column::Int(ids);
        columns
    }

    fn into_columns(self) -> Vec<Column> {
        let Self {
            texts,
            numbers,
            result,
            ..
        } = self;
        let mut columns = vec![Column::Int(Vec::new())];
        let mut result = Some(result);
        for (tag, (texts, numbers)) in texts.into_iter().zip(numbers).enumerate() {
            columns.push(match tag {
                RESULT => Column::Text(result.take().unwrap_or_default()),
                WHITE_ELO..=UTC_DATE => Column::OptionalInt(numbers),
                _ => Column::OptionalText(texts),
            });
        }
        columns.extend([
            Column::Int(self.ply_count),
            Column::Text(self.moves),
            Column::List(self.clocks),
            Column::List(self.evals),
            Column::OptionalLong(self.final_key),
            Column::Long(self.fingerprint),
            Column::OptionalText(self.error),
        ]);
        columns
    }

    /// Adds a game.
    fn push(&mut self, visit: &Visit<'_>, result: GameResult, error: Option<&str>) {
        for tag in 0..TAGS.len() {
            match tag {
                RESULT => self.result.push(result.as_str().as_bytes()),
                WHITE_ELO | BLACK_ELO => self.numbers[tag].push(visit.elo(tag)),
                UTC_DATE => self.numbers[tag].push(visit.day()),
                WHITE_ELO..UTC_DATE => self.numbers[tag].push(visit.number(tag)),
                _ => self.texts[tag].push(visit.text(tag).as_deref()),
            }
        }
        self.ply_count.push(visit.plies.len() as i32);
        let moves: Vec<u8> = visit
            .plies
            .iter()
            .flat_map(|(_, mv)| mv.to_le_bytes())
            .collect();
        self.moves.push(&moves);
        let list = |values: &Vec<Option<i32>>, lists: &mut Lists| {
            lists.push((!values.is_empty()).then_some(values));
        };
        list(&visit.clocks, &mut self.clocks);
        list(&visit.evals, &mut self.evals);
        self.final_key.push(visit.board.as_ref().map(key));
        let mut fingerprint = Fingerprint::default();
        for tag in IDENTITY {
            fingerprint.add(visit.tags[tag].unwrap_or_default());
        }
        fingerprint.add(result.as_str().as_bytes());
        fingerprint.add(&moves);
        fingerprint.add(&[u8::from(error.is_some())]);
        self.fingerprint.push(fingerprint.finish());
        self.error.push(error);
    }
}

/// A hash that stays the same in every version (FNV-1a, mixed at the end).
struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, bytes: &[u8]) {
        // A separator that occurs in no text keeps neighbours apart.
        for &byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(self) -> i64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29) as i64
    }
}

/// Reads the games of a batch.
pub(crate) fn parse(batch: &Batch) -> Parsed {
    let mut parsed = Parsed::new(&batch.text);
    let mut rows = Rows::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut visit = Visit::default();
    match batch.kind {
        BatchKind::Games => {
            let mut reader = Reader::new(&batch.text);
            while let Some(replay) = replay(&mut reader, &PieceLetters::ENGLISH, &mut visit) {
                add(
                    batch,
                    &mut visit,
                    replay.result,
                    replay.error,
                    &mut rows,
                    &mut entries,
                    &mut parsed,
                );
            }
        }
        BatchKind::TooLarge { limit } => {
            let mut reader = Reader::new(&batch.text);
            while let Some(Event::Tag { name, value }) = reader.next() {
                visit.tag(name, value);
            }
            let blank = batch.text.iter().take_while(|&&byte| byte <= b' ');
            let error = GameError {
                offset: blank.count(),
                kind: GameErrorKind::TooLarge { limit },
            };
            add(
                batch,
                &mut visit,
                None,
                Some(error),
                &mut rows,
                &mut entries,
                &mut parsed,
            );
        }
        BatchKind::Rest => {}
    }
    parsed.entries = Bucketed::new(&entries);
    parsed.fingerprints.clone_from(&rows.fingerprint);
    parsed.columns = rows.into_columns();
    parsed
}

/// Adds the game that has been visited.
fn add(
    batch: &Batch,
    visit: &mut Visit<'_>,
    result: Option<GameResult>,
    error: Option<GameError>,
    rows: &mut Rows,
    entries: &mut Vec<Entry>,
    parsed: &mut Parsed,
) {
    let tagged = || {
        result_in_tag(&decode_tag(visit.tags[RESULT]?))
            .ok()
            .flatten()
    };
    // An asterisk says nothing that a tag could not know better.
    let known = result.filter(|result| *result != GameResult::Unknown);
    let result = known.or_else(tagged).unwrap_or(GameResult::Unknown);
    let error = error.map(|error| {
        let (line, column) = batch.line_and_column(error.offset);
        format!("line {line}, column {column}: {}", error.kind)
    });
    let is_start_known = error.is_none() || !visit.plies.is_empty();
    if !is_start_known {
        // The tags may name another variant, or no position at all: nobody has seen the first board.
        visit.board = None;
    }
    rows.push(visit, result, error.as_deref());
    if let Some(last) = &visit.board {
        let elo = |tag| visit.elo(tag).unwrap_or(0) as u16;
        let entry = Entry {
            key: key(last),
            game_id: parsed.games as u32,
            ply: u16::try_from(visit.plies.len()).unwrap_or(u16::MAX),
            mv: NO_MOVE,
            white_elo: elo(WHITE_ELO),
            black_elo: elo(BLACK_ELO),
            day_and_result: Entry::pack(date::to_positive(visit.day()), result),
        };
        let plies = visit.plies.iter().enumerate();
        entries.extend(plies.map(|(ply, &(key, mv))| Entry {
            key,
            mv,
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            ..entry
        }));
        entries.push(entry);
    }
    parsed.games += 1;
    parsed.broken += u64::from(error.is_some());
    visit.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_commands_are_what_the_general_reader_reads() {
        for (comment, expected) in [
            (" [%clk 0:05:00] ", Some((None, 300_000))),
            ("[%clk 9:59:59]", Some((None, 35_999_000))),
            ("[%clk 0:00:00]", Some((None, 0))),
            ("[%clk 1:75:75]", Some((None, 8_175_000))),
            (" [%eval 0.17] [%clk 0:05:00] ", Some((Some(17), 300_000))),
            ("[%eval -0.09] [%clk 0:05:00]", Some((Some(-9), 300_000))),
            ("[%eval -0.00] [%clk 0:05:00]", Some((Some(0), 300_000))),
            ("[%eval 12.34] [%clk 0:00:01]", Some((Some(1234), 1000))),
            ("[%eval -99.99] [%clk 0:00:01]", Some((Some(-9999), 1000))),
            // The rest is left to the general reader.
            ("[%clk 0:05:00.5]", None),
            ("[%clk 10:05:00]", None),
            ("[%clk 05:00]", None),
            ("[%clk 0:5:00]", None),
            ("[%clk 0:05:0x]", None),
            ("[%clk  0:05:00]", None),
            ("[%clk 0:05:00] [%eval 0.30]", None),
            ("[%eval 0.3] [%clk 0:05:00]", None),
            ("[%eval 0.30,12] [%clk 0:05:00]", None),
            ("[%eval #-3] [%clk 0:05:00]", None),
            ("[%eval 123.45] [%clk 0:05:00]", None),
            ("[%eval .45] [%clk 0:05:00]", None),
            ("[%eval --1.45] [%clk 0:05:00]", None),
            ("[%eval 1x.45] [%clk 0:05:00]", None),
            ("[%eval 0.30][%clk 0:05:00]", None),
            ("[%eval 0.30] good [%clk 0:05:00]", None),
            ("[%eval 0.30]", None),
            ("[%eval 0.30", None),
            ("[%emt 0:05:00]", None),
            ("good", None),
            ("", None),
        ] {
            assert_eq!(plain_commands(comment.as_bytes()), expected, "{comment}");
            if let Some((centipawns, milliseconds)) = expected {
                let general = clock(comment).map(|clock| clock.as_millis());
                assert_eq!(general, Some(milliseconds as u128), "{comment}");
                assert_eq!(eval(comment), centipawns.map(Score::Cp), "{comment}");
            }
        }
    }
}
