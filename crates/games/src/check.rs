//! Checking that games are legal.

use tabiya_board::Move;
use tabiya_board::unkeyed::Position;
use tabiya_notation::pgn::{
    Batch, BatchKind, Event, GameError, GameErrorKind, Reader, Visitor, decode_tag, replay,
};
use tabiya_notation::{PieceLetters, printable};

use crate::remark::{GameRemark, RemarkFinder};

/// The names of the two players, as they are written in the tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Players<'a> {
    /// The value of the White tag.
    pub white: &'a [u8],
    /// The value of the Black tag.
    pub black: &'a [u8],
}

/// Writes the names of two players for people: `Morphy – Anderssen`, with `?` for one that is not known.
pub fn player_names(white: &str, black: &str) -> String {
    let known = |name: &str| match printable(name).trim() {
        "" => "?".to_owned(),
        name => name.chars().take(60).collect(),
    };
    format!("{} – {}", known(white), known(black))
}

impl<'a> Players<'a> {
    /// Keeps a tag, if it is one of the two.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: &'a [u8]) {
        match name {
            b"White" => self.white = value,
            b"Black" => self.black = value,
            _ => {}
        }
    }
}

/// What [`check`] found in a batch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The number of games.
    pub games: u64,
    /// The number of legal moves, up to the first error of each game, including those of variations.
    pub moves: u64,
    /// The size of the batch in bytes.
    pub bytes: u64,
    /// The games with an error.
    pub broken: Vec<BrokenGame>,
    /// What is odd about games that can be read.
    pub remarks: Vec<GameRemark>,
}

/// Where something was found: the game and its players, the line and the column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlace {
    /// The number of games before it in its batch.
    pub index: u64,
    /// The line in the file, from 1.
    pub line: usize,
    /// The column in that line, in characters from 1.
    pub column: usize,
    /// White's name; empty if not known.
    pub white: String,
    /// Black's name; empty if not known.
    pub black: String,
}

impl GamePlace {
    fn new(batch: &Batch, index: u64, players: Players<'_>, offset: usize) -> Self {
        let (line, column) = batch.line_and_column(offset);
        Self {
            index,
            line,
            column,
            white: decode_tag(players.white).into_owned(),
            black: decode_tag(players.black).into_owned(),
        }
    }
}

/// A game with an error, and where that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenGame {
    /// The game, and the place of the error.
    pub place: GamePlace,
    /// The reason.
    pub error: GameErrorKind,
}

impl BrokenGame {
    pub(crate) fn new(batch: &Batch, index: u64, players: Players<'_>, error: GameError) -> Self {
        Self {
            place: GamePlace::new(batch, index, players, error.offset),
            error: error.kind,
        }
    }

    /// A game that is too large to be read, of which a batch has the beginning.
    pub(crate) fn too_large(batch: &Batch, limit: usize) -> Self {
        let blank = batch.text.iter().take_while(|&&byte| byte <= b' ');
        let mut players = Players::default();
        let mut reader = Reader::new(&batch.text);
        while let Some(Event::Tag { name, value }) = reader.next() {
            players.tag(name, value);
        }
        let error = GameError {
            offset: blank.count(),
            kind: GameErrorKind::TooLarge { limit },
        };
        Self::new(batch, 0, players, error)
    }
}

#[derive(Default)]
struct Checker<'a> {
    players: Players<'a>,
    remarks: RemarkFinder<'a>,
    moves: u64,
}

impl<'a> Visitor<'a> for Checker<'a> {
    type Board = Position;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        self.players.tag(name, value);
        self.remarks.tag(name, value);
    }

    #[inline(always)]
    fn play(&mut self, _mv: Move, _after: &Position, _depth: usize) {
        self.moves += 1;
    }

    fn end_moves(&mut self, last: &Position) {
        self.remarks.end_moves(last);
    }

    #[inline]
    fn comment(&mut self, comment: &'a [u8]) {
        self.remarks.comment(comment);
    }
}

/// Replays the games of a batch, with their variations.
pub fn check(batch: &Batch, letters: &PieceLetters) -> Checked {
    let mut checked = Checked {
        bytes: batch.text.len() as u64,
        ..Checked::default()
    };
    match batch.kind {
        BatchKind::Games => {
            let mut reader = Reader::new(&batch.text);
            while check_next(batch, &mut reader, letters, &mut checked) {}
        }
        BatchKind::TooLarge { limit } => {
            checked.games = 1;
            checked.broken.push(BrokenGame::too_large(batch, limit));
        }
        BatchKind::Rest => {}
    }
    checked
}

/// Replays the next game of a batch; false at the end.
pub(crate) fn check_next<'a>(
    batch: &'a Batch,
    reader: &mut Reader<'a>,
    letters: &PieceLetters,
    checked: &mut Checked,
) -> bool {
    let mut checker = Checker::default();
    let Some(game) = replay(reader, letters, &mut checker) else {
        return false;
    };
    let Checker {
        players,
        remarks,
        moves,
    } = checker;
    if let Some(error) = game.error {
        let broken = BrokenGame::new(batch, checked.games, players, error);
        checked.broken.push(broken);
    } else {
        let end = reader.event_offset();
        for (offset, remark) in remarks.remarks(&batch.text, game.result, end) {
            let place = GamePlace::new(batch, checked.games, players, offset);
            checked.remarks.push(GameRemark { place, remark });
        }
    }
    checked.games += 1;
    checked.moves += moves;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_place_and_players() {
        let batch = Batch {
            lines_before: 100,
            ..Batch::new(
                "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 (1... Ke6) 2. Nf3 *\n\n\
                 1. e4 *\n\n1. Ke2 *\n",
            )
        };
        let checked = check(&batch, &PieceLetters::ENGLISH);
        assert_eq!((checked.games, checked.moves), (3, 3));
        let [first, second] = &checked.broken[..] else {
            panic!("{checked:?}");
        };
        let [first, second] = [&first.place, &second.place];
        assert_eq!((first.index, first.line, first.column), (0, 104, 16));
        assert_eq!((first.white.as_str(), first.black.as_str()), ("A", "B"));
        assert_eq!((second.index, second.line, second.column), (2, 108, 4));
        assert_eq!((second.white.as_str(), second.black.as_str()), ("", ""));
    }

    /// The places and the texts of the remarks about games.
    fn remarks(games: &str) -> Vec<String> {
        let checked = check(&Batch::new(games), &PieceLetters::ENGLISH);
        assert_eq!(checked.broken, []);
        let mut texts = Vec::new();
        for remark in checked.remarks {
            texts.push(format!(
                "{}:{} {}",
                remark.place.line, remark.place.column, remark.remark
            ));
        }
        texts
    }

    #[test]
    fn contradictory_results_are_reported() {
        let game =
            |tag: &str, result: &str| remarks(&format!("[Result \"{tag}\"]\n\n1. e4 {result}\n"));
        for (tag, result) in [
            ("1-0", "1-0"),
            ("*", "1-0"),
            ("1-0", "*"),
            ("?", "0-1"),
            ("1/2", "1/2-1/2"),
            ("0-1", ""),
        ] {
            assert!(game(tag, result).is_empty(), "{tag} {result}");
        }
        assert_eq!(
            game("0-1", "1-0"),
            ["3:7 the Result tag says 0-1, but the moves end with 1-0"]
        );
        assert_eq!(game("White won", "1-0").len(), 1);
    }

    #[test]
    fn mates_and_stalemates_scored_otherwise_are_reported() {
        let mate = "1. f3 e5 2. g4 Qh4#";
        for result in ["0-1", "*", ""] {
            assert!(
                remarks(&format!("{mate} {result}\n")).is_empty(),
                "{result}"
            );
        }
        for result in ["1-0", "1/2-1/2"] {
            let expected = format!("1:21 White is checkmated, but the result is {result}");
            assert_eq!(remarks(&format!("{mate} {result}\n")), [expected]);
        }
        let stalemate = "[FEN \"7k/8/6Q1/8/8/8/8/K7 w - - 0 1\"]\n\n1. Ka2 1-0\n";
        let expected = "3:8 the game ends in stalemate, but the result is 1-0";
        assert_eq!(remarks(stalemate), [expected]);
        assert!(remarks(&stalemate.replace("1-0", "1/2-1/2")).is_empty());
    }

    #[test]
    fn comments_in_comments_are_reported() {
        assert!(remarks("1. e4 { one { brace } e5 {x} *\n").is_empty());
        let expected =
            "1:7 this comment contains a comment: other programs may end it at the first }";
        assert_eq!(remarks("1. e4 {a {b} c} e5 {x} *\n"), [expected]);
        assert!(remarks("1. e4 ; a {b} c\n e5 *\n").is_empty());
    }

    #[test]
    fn games_above_the_limit_are_broken() {
        let text = format!(
            "[White \"A\"]\n\n1. e4 {{{}}} *\n\n[White \"B\"]\n\n1. e4 *\n",
            "x".repeat(10_000)
        );
        let mut sum = Checked::default();
        for batch in tabiya_notation::pgn::Batches::new(text.as_bytes(), 64).with_max_game(1000) {
            let checked = check(&batch.unwrap(), &PieceLetters::ENGLISH);
            sum.games += checked.games;
            sum.moves += checked.moves;
            sum.bytes += checked.bytes;
            sum.broken.extend(checked.broken);
        }
        assert_eq!((sum.games, sum.moves, sum.bytes), (2, 1, text.len() as u64));
        assert_eq!(sum.broken[0].error, GameErrorKind::TooLarge { limit: 1000 });
        assert_eq!(
            (sum.broken[0].place.line, sum.broken[0].place.white.as_str()),
            (1, "A")
        );
    }
}
