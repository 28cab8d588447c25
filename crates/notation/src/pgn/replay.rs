//! Replaying games: one state machine for everyone who needs legal moves.

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};

use super::event::{Event, SanToken, SyntaxError};
use super::game::{GameError, GameErrorKind};
use super::reader::Reader;
use super::text::{decode, decode_tag, in_one_line};
use crate::GameResult;
use crate::letters::PieceLetters;
use crate::san::{Dialect, San, SanError};
use crate::uci;

/// Receives what [`replay`] finds in a game. Every method does nothing unless you implement it.
///
/// ```
/// use tabiya_board::unkeyed::Position;
/// use tabiya_board::Move;
/// use tabiya_notation::PieceLetters;
/// use tabiya_notation::pgn::{Reader, Visitor, replay};
///
/// /// Counts the captures on the main line.
/// #[derive(Default)]
/// struct Captures {
///     count: usize,
///     pieces: usize,
/// }
///
/// impl Visitor<'_> for Captures {
///     type Board = Position;
///     const VARIATIONS: bool = false;
///
///     fn begin_moves(&mut self) -> std::ops::ControlFlow<()> {
///         self.pieces = 32;
///         std::ops::ControlFlow::Continue(())
///     }
///
///     fn play(&mut self, _mv: Move, after: &Position, _depth: usize) {
///         let pieces = after.occupied().len() as usize;
///         self.count += self.pieces - pieces;
///         self.pieces = pieces;
///     }
/// }
///
/// let mut reader = Reader::new(b"1. e4 d5 2. exd5 (2. e5) 2... Qxd5 *");
/// let mut captures = Captures::default();
/// let game = replay(&mut reader, &PieceLetters::ENGLISH, &mut captures).unwrap();
/// assert!(game.error.is_none());
/// assert_eq!(captures.count, 2);
/// ```
pub trait Visitor<'a> {
    /// The board to replay on: [`Position`] is the fastest, [`Board`] also keeps its hash key up to date.
    type Board: ReplayBoard;

    /// Whether to replay variations. If not, they are skipped unread.
    const VARIATIONS: bool = true;

    /// Whether null moves on the main line are read. If not, the first is an error: nobody can pass in a game of chess.
    /// Annotators use null moves to show a threat, so in variations they are always read.
    const NULL_MOVES: bool = false;

    /// Whether to call [`escape`](Self::escape).
    const ESCAPES: bool = false;

    /// A tag, its value as it is written: [`decode_tag`] turns it into text.
    #[inline(always)]
    fn tag(&mut self, _name: &'a [u8], _value: &'a [u8]) {}

    /// The starting position, if a FEN tag gives one.
    #[inline(always)]
    fn set_up(&mut self, _start: &Board) {}

    /// The end of the tags. Break to skip the moves.
    #[inline(always)]
    fn begin_moves(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A legal move and the board after it. The main line has depth 0, a variation of it depth 1, and so on.
    #[inline(always)]
    fn play(&mut self, _mv: Move, _after: &Self::Board, _depth: usize) {}

    /// A null move and the board after it.
    #[inline(always)]
    fn null_move(&mut self, _after: &Self::Board, _depth: usize) {}

    /// The board at the end of the main line, if there is no error.
    #[inline(always)]
    fn end_moves(&mut self, _last: &Self::Board) {}

    /// A numeric annotation glyph.
    #[inline(always)]
    fn nag(&mut self, _nag: u8) {}

    /// A comment.
    #[inline(always)]
    fn comment(&mut self, _comment: &'a [u8]) {}

    /// The start of a variation, which replaces the last move.
    #[inline(always)]
    fn begin_variation(&mut self) {}

    /// The end of a variation.
    #[inline(always)]
    fn end_variation(&mut self) {}

    /// A line that starts with a percent sign, without that sign. The standard leaves such lines to programs.
    #[inline(always)]
    fn escape(&mut self, _line: &'a [u8]) {}
}

/// Visits nothing: for those who only want to know whether a game is legal.
impl Visitor<'_> for () {
    type Board = Position;
}

/// What games can be replayed on.
pub trait ReplayBoard: Copy {
    /// The normal starting position.
    fn start() -> Self;

    /// This position.
    fn from_board(board: &Board) -> Self;

    /// The position to find moves in.
    fn position(&self) -> &Position;

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// The board after a null move; `None` in check.
    fn null_move(&self) -> Option<Self>;
}

/// Built once: setting up the starting position takes longer than copying it.
static START: LazyLock<Board> = LazyLock::new(Board::start);

impl ReplayBoard for Position {
    #[inline]
    fn start() -> Self {
        *START.position()
    }

    fn from_board(board: &Board) -> Self {
        *board.position()
    }

    #[inline(always)]
    fn position(&self) -> &Position {
        self
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn null_move(&self) -> Option<Self> {
        Self::null_move(self)
    }
}

impl ReplayBoard for Board {
    #[inline]
    fn start() -> Self {
        *START
    }

    fn from_board(board: &Board) -> Self {
        *board
    }

    #[inline(always)]
    fn position(&self) -> &Position {
        self
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn null_move(&self) -> Option<Self> {
        Self::null_move(self)
    }
}

/// A game that has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The result after the moves, if there is one.
    pub result: Option<GameResult>,
    /// The first thing wrong with the game. The visitor has seen everything before it.
    pub error: Option<GameError>,
}

/// Variations within variations within variations: real files go no deeper, and each takes memory.
const MAX_DEPTH: usize = 100_000;

/// A line of moves: the board now, and one move earlier, where a variation starts.
#[derive(Clone, Copy)]
struct Line<B> {
    before: B,
    now: B,
    has_moves: bool,
}

impl<B: ReplayBoard> Line<B> {
    #[inline(always)]
    fn new(start: B) -> Self {
        Self {
            before: start,
            now: start,
            has_moves: false,
        }
    }

    #[inline(always)]
    fn advance(&mut self, next: B) {
        self.before = std::mem::replace(&mut self.now, next);
        self.has_moves = true;
    }
}

/// Replays the next game; `None` at the end of the text. After an error the reader is at the next game.
#[inline]
#[expect(
    clippy::too_many_lines,
    reason = "one flat match over all events; only inlined code is fast enough"
)]
pub fn replay<'a, V: Visitor<'a>>(
    reader: &mut Reader<'a>,
    letters: &PieceLetters,
    visitor: &mut V,
) -> Option<Replay> {
    let is_english = letters.is_english();
    let mut line = Line::new(V::Board::start());
    // The lines that the open variations interrupt, and where those variations start.
    let mut outer: Vec<(Line<V::Board>, usize)> = Vec::new();
    let mut replay = Replay {
        result: None,
        error: None,
    };
    let mut end = None;
    let (mut is_empty, mut is_set_up, mut in_moves) = (true, false, false);
    let (mut start_error, mut ended) = (None, None);
    let (offset, kind) = loop {
        let Some(event) = next(reader, visitor, &mut end) else {
            return (!is_empty).then_some(replay);
        };
        if !in_moves {
            is_empty = false;
            if let Event::Tag { name, value } = event {
                visitor.tag(name, value);
                // The first FEN tag counts.
                if name == b"FEN" && !std::mem::replace(&mut is_set_up, true) {
                    match in_one_line(&decode_tag(value)).parse() {
                        Ok(board) => {
                            visitor.set_up(&board);
                            line = Line::new(V::Board::from_board(&board));
                        }
                        // Another variant, which a later tag may name, explains an odd position.
                        Err(error) => {
                            let error = (reader.event_offset(), GameErrorKind::Start(error));
                            start_error.get_or_insert(error);
                        }
                    }
                } else if name == b"Variant"
                    && let Some(name) = other_variant(value)
                {
                    break (reader.event_offset(), GameErrorKind::Variant(name));
                }
                continue;
            }
            in_moves = true;
            if let Some(error) = start_error {
                if let Event::End(result) = event {
                    ended = Some(result);
                }
                break error;
            }
            if visitor.begin_moves().is_break() {
                skip_moves(reader, visitor, event, &mut replay);
                return Some(replay);
            }
        }
        let (san, written) = match event {
            Event::Move(token) if is_english => (token.san, token.text),
            Event::Move(SanToken { text: word, .. }) | Event::Error(SyntaxError::Word(word)) => {
                match read_word(word, line.now.position(), letters) {
                    Ok(san) => (san, word),
                    Err(kind) => break (reader.event_offset(), kind),
                }
            }
            Event::Comment(comment) => {
                visitor.comment(comment);
                continue;
            }
            Event::Nag(nag) => {
                visitor.nag(nag);
                continue;
            }
            Event::End(result) => {
                replay.result = result;
                visitor.end_moves(&line.now);
                return Some(replay);
            }
            Event::VariationStart if !V::VARIATIONS => {
                skip_variation(reader)?;
                end = Some(reader.offset());
                continue;
            }
            Event::VariationStart => {
                let offset = reader.event_offset();
                if !line.has_moves {
                    break (offset, GameErrorKind::EarlyVariation);
                }
                if outer.len() >= MAX_DEPTH {
                    break (offset, GameErrorKind::TooDeep);
                }
                outer.push((line, offset));
                line = Line::new(line.before);
                visitor.begin_variation();
                continue;
            }
            Event::VariationEnd => {
                if let Some((resumed, _)) = outer.pop() {
                    line = resumed;
                }
                visitor.end_variation();
                continue;
            }
            Event::NullMove => {
                if !V::NULL_MOVES && outer.is_empty() {
                    break (reader.event_offset(), GameErrorKind::NullMove);
                }
                let Some(next) = line.now.null_move() else {
                    break (reader.event_offset(), GameErrorKind::NullMoveInCheck);
                };
                line.advance(next);
                visitor.null_move(&line.now, outer.len());
                continue;
            }
            // The reader has no more tags once the moves have begun.
            Event::Tag { .. } => continue,
            Event::Error(error) => {
                // An unclosed variation is easiest to find by its opening parenthesis.
                let opened = outer.last().map(|&(_, opened)| opened);
                let opened = opened.filter(|_| error == SyntaxError::UnclosedVariation);
                let offset = opened.unwrap_or_else(|| reader.event_offset());
                break (offset, error.into());
            }
        };
        let found = san
            .to_move(line.now.position(), Dialect::Import)
            .or_else(|reason| by_squares(written, line.now.position()).ok_or(reason));
        match found {
            Ok(mv) => {
                if V::VARIATIONS {
                    let mut next = line.now;
                    next.play(mv);
                    line.advance(next);
                } else {
                    line.now.play(mv);
                }
                visitor.play(mv, &line.now, outer.len());
            }
            Err(reason) => {
                let kind = GameErrorKind::of_move(line.now.position(), written, reason);
                break (reader.event_offset(), kind);
            }
        }
    };
    // The end of a game without moves is also where it is found to start wrongly.
    if let Some(result) = ended {
        replay.result = result;
    } else {
        skip_rest(reader, visitor, &mut replay);
    }
    replay.error = Some(GameError { offset, kind });
    Some(replay)
}

/// Returns the next event. What the reader skips before it may contain lines for programs; `end` is the end of the last
/// event of this game.
#[inline(always)]
fn next<'a, V: Visitor<'a>>(
    reader: &mut Reader<'a>,
    visitor: &mut V,
    end: &mut Option<usize>,
) -> Option<Event<'a>> {
    let event = reader.next();
    if V::ESCAPES
        && let Some(start) = end.replace(reader.offset())
    {
        let skipped = start..reader.event_offset();
        let text = reader.text().get(skipped.clone()).unwrap_or_default();
        if memchr::memchr(b'%', text).is_some() {
            escapes(reader.text(), skipped, visitor);
        }
    }
    event
}

#[cold]
fn escapes<'a>(text: &'a [u8], skipped: Range<usize>, visitor: &mut impl Visitor<'a>) {
    let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // The text may start in the middle of a line.
    let starts_line = text[..skipped.start].last().is_none_or(is_newline);
    let lines = text[skipped].split(is_newline);
    for line in lines.skip(usize::from(!starts_line)) {
        if let Some(line) = line.strip_prefix(b"%") {
            visitor.escape(line);
        }
    }
}

/// Goes to the end of the game from the first event after the tags.
#[cold]
fn skip_moves<'a, V: Visitor<'a>>(
    reader: &mut Reader<'a>,
    visitor: &mut V,
    event: Event<'a>,
    replay: &mut Replay,
) {
    if let Event::End(result) = event {
        replay.result = result;
    } else {
        reader.skip_game();
        skip_rest(reader, visitor, replay);
    }
}

/// Goes to the end of a variation that has just begun.
#[cold]
fn skip_variation(reader: &mut Reader<'_>) -> Option<()> {
    let mut depth = 1;
    while depth > 0 {
        match reader.next()? {
            Event::VariationStart => depth += 1,
            Event::VariationEnd => depth -= 1,
            // The reader closes all variations before the game ends.
            Event::Error(SyntaxError::UnclosedVariation | SyntaxError::UnclosedComment) => break,
            _ => {}
        }
    }
    Some(())
}

/// Goes to the end of the game. There may still be tags with the names of the players, and a result.
#[cold]
fn skip_rest<'a, V: Visitor<'a>>(reader: &mut Reader<'a>, visitor: &mut V, replay: &mut Replay) {
    for event in reader {
        match event {
            Event::Tag { name, value } => visitor.tag(name, value),
            Event::End(result) => {
                replay.result = result;
                return;
            }
            _ => {}
        }
    }
}

/// Reads a move that gives only the squares, as engines write it: `g1f3`, `e1g1`, `f3xe5`, `a7-a8q`. As SAN it would be
/// a pawn's.
#[cold]
fn by_squares(written: &[u8], position: &Position) -> Option<Move> {
    let text = std::str::from_utf8(written).ok()?;
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let squares: String = text
        .chars()
        .filter(|letter| !"-x:".contains(*letter))
        .collect();
    uci::parse(&squares, position).ok()
}

/// Returns the name in a `Variant` tag, unless its games follow the rules of chess.
#[cold]
fn other_variant(value: &[u8]) -> Option<String> {
    let name = in_one_line(&decode_tag(value)).trim().to_owned();
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || !letter.is_ascii())
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let is_chess = matches!(
        plain.as_str(),
        "" | "chess"
            | "standard"
            | "standardchess"
            | "normal"
            | "regular"
            | "classical"
            | "orthodox"
            | "fromposition"
            | "setup"
            | "chess960"
            | "960"
            | "fischerandom"
            | "fischerrandom"
            | "fischerrandomchess"
            | "freestyle"
            | "freestylechess"
    );
    (!is_chess).then_some(name)
}

/// Reads a word of the moves with the piece letters of a language. The [`Reader`] only knows the English ones, and
/// reports other words as errors.
#[cold]
fn read_word(
    word: &[u8],
    position: &Position,
    letters: &PieceLetters,
) -> Result<San, GameErrorKind> {
    San::parse_with(&decode(word), Dialect::Import, letters).map_err(|reason| match reason {
        // If only the letter is wrong, it helps to list the letters.
        SanError::UnknownPiece { .. } if ends_in_square(word) => {
            GameErrorKind::of_move(position, word, reason)
        }
        _ => SyntaxError::Word(word).into(),
    })
}

/// Whether a word ends in a square, as moves do, perhaps with a sign after it.
fn ends_in_square(word: &[u8]) -> bool {
    let rank = word.iter().rposition(|byte| matches!(byte, b'1'..=b'8'));
    rank.is_some_and(|rank| rank > 0 && matches!(word[rank - 1], b'a'..=b'h'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Count(u64);

    impl Visitor<'_> for Count {
        type Board = Position;

        fn play(&mut self, _mv: Move, _after: &Position, _depth: usize) {
            self.0 += 1;
        }
    }

    /// The number of legal moves of each game, and its error.
    fn replayed(games: &str, letters: &PieceLetters) -> Vec<(u64, Option<String>)> {
        let mut reader = Reader::new(games.as_bytes());
        std::iter::from_fn(|| {
            let mut count = Count::default();
            let game = replay(&mut reader, letters, &mut count)?;
            Some((count.0, game.error.map(|error| error.kind.to_string())))
        })
        .collect()
    }

    #[test]
    fn variations_start_before_the_move_they_replace() {
        let games = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6) 2. Nf3 *";
        assert_eq!(replayed(games, &PieceLetters::ENGLISH), [(9, None)]);
        let games = "1. e4 e5 (1... c5 2. Nf6) 2. Nf3 *\n\n1. d4 *";
        let replayed = replayed(games, &PieceLetters::ENGLISH);
        assert_eq!(replayed[0].0, 3);
        assert!(replayed[0].1.as_ref().unwrap().starts_with("2. Nf6: "));
        assert_eq!(replayed[1], (1, None));
    }

    #[test]
    fn variation_before_first_move_is_an_error() {
        for games in ["(1. d4) 1. e4 *", "1. e4 ((1. d4)) *"] {
            let replayed = replayed(games, &PieceLetters::ENGLISH);
            assert!(replayed[0].1.is_some(), "{games}: {replayed:?}");
        }
    }

    #[test]
    fn piece_letters_of_other_languages() {
        let german: PieceLetters = "de".parse().unwrap();
        let games = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd4 *";
        assert_eq!(replayed(games, &german), [(10, None)]);
        let error = replayed(games, &PieceLetters::ENGLISH)[0].1.clone();
        assert!(error.as_ref().unwrap().contains("P N B R Q K"), "{error:?}");
        // In Spanish, R is the king.
        let spanish: PieceLetters = "es".parse().unwrap();
        assert_eq!(replayed("1. e4 e5 2. Re2 Re7 *", &spanish), [(4, None)]);
    }

    #[test]
    fn null_moves_are_read_in_variations_and_where_a_visitor_asks_for_them() {
        let english = PieceLetters::ENGLISH;
        let game = "1. e4 e5 (1... 0000 2. d4 Z0) 2. d4 *";
        assert_eq!(replayed(game, &english), [(4, None)]);
        for game in ["1. e4 -- 2. d4 *", "1. e4 0000 2. d4 *"] {
            let (moves, error) = replayed(game, &english).remove(0);
            assert_eq!(moves, 1);
            assert!(error.unwrap().contains("null move"), "{game}");
            let mut log = Log::<true>::default();
            let replay = replay(&mut Reader::new(game.as_bytes()), &english, &mut log).unwrap();
            assert_eq!(replay.error, None);
            assert_eq!(log.log, ["moves", "e2e4 0 1", "null 0", "d2d4 0 2"]);
        }
        let game = "1. e4 f6 2. d4 g5 3. Qh5+ (3. Qh5+ --) *";
        let error = replayed(game, &english)[0].1.clone();
        assert!(error.as_ref().unwrap().contains("in check"), "{error:?}");
    }

    #[test]
    fn other_variants_are_not_read_as_chess() {
        let english = PieceLetters::ENGLISH;
        for name in ["Atomic", "Antichess", "Crazyhouse", "Three-check", "Horde"] {
            for fen in ["", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n"] {
                let games = format!("{fen}[Variant \"{name}\"]\n\n1. e4 e5 *\n\n1. e4 *\n");
                let replayed = replayed(&games, &english);
                let error = format!("this is a game of {name}, not of chess");
                assert_eq!(replayed, [(0, Some(error)), (1, None)]);
            }
        }
        for name in [
            "",
            "?",
            "Standard",
            "Chess960",
            "From Position",
            "fischerandom",
        ] {
            let games = format!("[Variant \"{name}\"]\n\n1. e4 e5 *\n");
            assert_eq!(replayed(&games, &english), [(2, None)], "{name}");
        }
    }

    #[test]
    fn moves_may_be_written_as_squares() {
        let games = "1. e2e4 e7e5 2. g1f3 b8c6 3. f1-b5 a7a6 4. b5c6+ d7c6 5. e1g1 Ng8-f6 *\n\n\
                     [FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a7a8q+ e8d7 *\n\n1. g1g3 *\n";
        let replayed = replayed(games, &PieceLetters::ENGLISH);
        assert_eq!(replayed[..2], [(10, None), (2, None)]);
        assert!(replayed[2].1.is_some());
    }

    #[test]
    fn variations_have_a_limit() {
        let games = format!("1. e4 {}", "(1. d4 ".repeat(MAX_DEPTH + 1));
        let (moves, error) = replayed(&games, &PieceLetters::ENGLISH).remove(0);
        assert_eq!(moves, MAX_DEPTH as u64 + 1);
        assert!(error.unwrap().contains("variations"));
    }

    /// Writes down all it sees.
    #[derive(Default)]
    struct Log<const VARIATIONS: bool> {
        log: Vec<String>,
        skip: bool,
    }

    impl<const V: bool> Visitor<'_> for Log<V> {
        type Board = Board;
        const VARIATIONS: bool = V;
        const NULL_MOVES: bool = true;
        const ESCAPES: bool = true;

        fn tag(&mut self, name: &[u8], value: &[u8]) {
            self.log
                .push(format!("[{} {}]", decode(name), decode(value)));
        }

        fn set_up(&mut self, start: &Board) {
            self.log.push(start.to_string());
        }

        fn begin_moves(&mut self) -> ControlFlow<()> {
            self.log.push("moves".to_owned());
            if self.skip {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }

        fn play(&mut self, mv: Move, after: &Board, depth: usize) {
            let next = after.fullmove_number();
            self.log.push(format!("{mv} {depth} {next}"));
        }

        fn null_move(&mut self, _after: &Board, depth: usize) {
            self.log.push(format!("null {depth}"));
        }

        fn nag(&mut self, nag: u8) {
            self.log.push(format!("${nag}"));
        }

        fn comment(&mut self, comment: &[u8]) {
            self.log.push(decode(comment).into_owned());
        }

        fn begin_variation(&mut self) {
            self.log.push("(".to_owned());
        }

        fn end_variation(&mut self) {
            self.log.push(")".to_owned());
        }

        fn escape(&mut self, line: &[u8]) {
            self.log.push(format!("%{}", decode(line)));
        }
    }

    const GAME: &[u8] =
        b"[White \"A\"]\n\n1. e4! e5 (1... c5 {Sicilian} 2. --)\n%for us\n2. Nf3 1-0";

    fn logged<const V: bool>(mut log: Log<V>) -> (Vec<String>, Replay) {
        let mut reader = Reader::new(GAME);
        let replay = replay(&mut reader, &PieceLetters::ENGLISH, &mut log).unwrap();
        assert_eq!(reader.next(), None);
        (log.log, replay)
    }

    #[test]
    fn visitor_sees_everything_in_order() {
        let (log, replay) = logged(Log::<true>::default());
        let expected = [
            "[White A]",
            "moves",
            "e2e4 0 1",
            "$1",
            "e7e5 0 2",
            "(",
            "c7c5 1 2",
            "Sicilian",
            "null 1",
            ")",
            "%for us",
            "g1f3 0 2",
        ];
        assert_eq!(log, expected);
        assert_eq!(replay.result, Some(GameResult::WhiteWins));
        assert_eq!(replay.error, None);
    }

    #[test]
    fn visitor_can_skip_variations_and_moves() {
        let (log, replay) = logged(Log::<false>::default());
        assert_eq!(
            log,
            [
                "[White A]",
                "moves",
                "e2e4 0 1",
                "$1",
                "e7e5 0 2",
                "%for us",
                "g1f3 0 2"
            ]
        );
        assert_eq!(replay.result, Some(GameResult::WhiteWins));
        let (log, replay) = logged(Log::<true> {
            skip: true,
            ..Log::default()
        });
        assert_eq!(log, ["[White A]", "moves"]);
        assert_eq!(replay.result, Some(GameResult::WhiteWins));
    }

    #[test]
    fn tags_and_result_of_a_broken_game_are_seen() {
        let mut reader = Reader::new(b"[FEN \"nonsense\"]\n[White \"A\"]\n\n1. e4 0-1");
        let mut log = Log::<true>::default();
        let replay = replay(&mut reader, &PieceLetters::ENGLISH, &mut log).unwrap();
        assert_eq!(log.log, ["[FEN nonsense]", "[White A]"]);
        assert_eq!(replay.result, Some(GameResult::BlackWins));
        assert!(matches!(
            replay.error.unwrap().kind,
            GameErrorKind::Start(_)
        ));
    }
}
