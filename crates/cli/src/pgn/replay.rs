//! Playing games over, without building them in memory.

use std::sync::LazyLock;

use tabiya_board::{Board, Move, Position};
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Event, GameErrorKind, SyntaxError, Reader, SanToken, read_word, decode_tag};
use tabiya_notation::{Dialect, PieceLetters};

/// The position where nearly all games begin.
static START: LazyLock<Position> = LazyLock::new(Position::start);

/// One who looks on while games are played over.
pub(crate) trait Watch {
    /// A tag, its value as it stands in the file.
    fn tag(&mut self, _name: &[u8], _value: &[u8]) {}

    /// A legal move of the main line.
    fn played(&mut self, _mv: Move) {}

    /// A null move of the main line.
    fn passed(&mut self) {}

    /// Where the game begins, if that is not the usual position.
    fn starts(&mut self, _board: &Board) {}
}

/// One who does not look.
pub(crate) struct Blind;

impl Watch for Blind {}

/// A game that has been played over.
pub(crate) struct Replayed<'a> {
    /// How many moves are legal, those of the variations counted, up to the first that is not.
    pub(crate) moves: u64,
    pub(crate) result: Option<GameResult>,
    pub(crate) white: &'a [u8],
    pub(crate) black: &'a [u8],
    /// Whether a tag has said where it begins.
    has_start: bool,
    /// What is wrong, and the number of bytes before it.
    pub(crate) failure: Option<(usize, GameErrorKind)>,
}

/// Two players, as `Morphy – Anderssen`.
pub(crate) fn players(white: &str, black: &str) -> String {
    let known = |name: &str| -> String {
        let plain = name.chars().filter(|letter| !letter.is_control());
        let plain: String = plain.take(60).collect();
        if plain.is_empty() {
            "?".to_owned()
        } else {
            plain
        }
    };
    format!("{} – {}", known(white), known(black))
}

/// A line of moves: where it is, and where it was one move before.
#[derive(Clone, Copy)]
struct Line {
    before: Position,
    now: Position,
    moved: bool,
}

impl Line {
    const fn new(start: Position) -> Self {
        Self {
            before: start,
            now: start,
            moved: false,
        }
    }

    #[inline(always)]
    fn go(&mut self, next: Position) {
        self.before = std::mem::replace(&mut self.now, next);
        self.moved = true;
    }
}

impl<'a> Replayed<'a> {
    const fn new() -> Self {
        Self {
            moves: 0,
            result: None,
            white: b"",
            black: b"",
            has_start: false,
            failure: None,
        }
    }

    fn tag(&mut self, name: &[u8], value: &'a [u8]) {
        match name {
            b"White" => self.white = value,
            b"Black" => self.black = value,
            _ => {}
        }
    }

    /// What is left of a game behind what is wrong in it: the names of the players may still come, and the result.
    #[cold]
    fn finish(&mut self, reader: &mut Reader<'a>, watch: &mut impl Watch) {
        while let Some(event) = reader.next() {
            match event {
                Event::Tag { name, value } => {
                    watch.tag(name, value);
                    self.tag(name, value);
                }
                Event::End(result) => {
                    self.result = result;
                    return;
                }
                _ => {}
            }
        }
    }
}

/// Plays the next game over; nothing at the end of the text.
#[inline]
pub(crate) fn replay<'a>(
    reader: &mut Reader<'a>,
    letters: &PieceLetters,
    watch: &mut impl Watch,
) -> Option<Replayed<'a>> {
    let english = *letters == PieceLetters::ENGLISH;
    let mut game = Replayed::new();
    let mut line = Line::new(*START);
    // The lines that variations have interrupted, and where those start.
    let mut outer: Vec<(Line, usize)> = Vec::new();
    let mut is_empty = true;
    let (offset, failure) = loop {
        let Some(event) = reader.next() else {
            return (!is_empty).then_some(game);
        };
        is_empty = false;
        let here = reader.event_offset();
        let (san, written) = match event {
            Event::Move(token) if english => (token.san, token.text),
            Event::Move(SanToken { text: word, .. }) | Event::Error(SyntaxError::Word(word)) => {
                match read_word(word, &line.now, letters) {
                    Ok(san) => (san, word),
                    Err(problem) => break (here, problem),
                }
            }
            Event::Comment(_) | Event::Nag(_) => continue,
            Event::Tag { name, value } => {
                watch.tag(name, value);
                game.tag(name, value);
                // Of several, the first counts.
                if name == b"FEN" && !std::mem::replace(&mut game.has_start, true) {
                    match decode_tag(value).parse() {
                        Ok(board) => {
                            watch.starts(&board);
                            line = Line::new(*board.position());
                        }
                        Err(error) => break (here, GameErrorKind::Start(error)),
                    }
                }
                continue;
            }
            Event::End(result) => {
                game.result = result;
                return Some(game);
            }
            Event::VariationStart => {
                if !line.moved {
                    break (here, GameErrorKind::EarlyVariation);
                }
                outer.push((line, here));
                line = Line::new(line.before);
                continue;
            }
            Event::VariationEnd => {
                if let Some((resumed, _)) = outer.pop() {
                    line = resumed;
                }
                continue;
            }
            Event::NullMove => {
                let Some(next) = line.now.null_move() else {
                    break (here, GameErrorKind::NullMoveInCheck);
                };
                line.go(next);
                if outer.is_empty() {
                    watch.passed();
                }
                continue;
            }
            Event::Error(problem) => {
                // What is never closed is best sought where it is opened.
                let opened = outer.last().map(|&(_, opened)| opened);
                let opened = opened.filter(|_| problem == SyntaxError::UnclosedVariation);
                break (opened.unwrap_or(here), problem.into());
            }
        };
        match san.to_move(&line.now, Dialect::Import) {
            Ok(mv) => {
                let mut next = line.now;
                next.play_unchecked(mv);
                line.go(next);
                game.moves += 1;
                if outer.is_empty() {
                    watch.played(mv);
                }
            }
            Err(reason) => break (here, GameErrorKind::of_move(&line.now, written, reason)),
        }
    };
    game.failure = Some((offset, failure));
    game.finish(reader, watch);
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(games: &str, letters: &PieceLetters) -> Vec<(u64, Option<String>)> {
        let mut reader = Reader::new(games.as_bytes());
        std::iter::from_fn(|| replay(&mut reader, letters, &mut Blind))
            .map(|game| {
                let problem = game.failure.map(|(_, problem)| problem.to_string());
                (game.moves, problem)
            })
            .collect()
    }

    #[test]
    fn variations_are_played_from_where_they_leave() {
        let games = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6) 2. Nf3 *";
        assert_eq!(played(games, &PieceLetters::ENGLISH), [(9, None)]);
        let games = "1. e4 e5 (1... c5 2. Nf6) 2. Nf3 *\n\n1. d4 *";
        let played = played(games, &PieceLetters::ENGLISH);
        assert_eq!(played[0].0, 3);
        assert!(played[0].1.as_ref().unwrap().starts_with("2. Nf6: "));
        assert_eq!(played[1], (1, None));
    }

    #[test]
    fn nobody_varies_before_a_move() {
        for games in ["(1. d4) 1. e4 *", "1. e4 ((1. d4)) *"] {
            let played = played(games, &PieceLetters::ENGLISH);
            assert!(played[0].1.is_some(), "{games}: {played:?}");
        }
    }

    #[test]
    fn the_letters_of_other_languages() {
        let german: PieceLetters = "de".parse().unwrap();
        let games = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd4 *";
        assert_eq!(played(games, &german), [(10, None)]);
        let problem = played(games, &PieceLetters::ENGLISH)[0].1.clone().unwrap();
        assert!(problem.contains("P N B R Q K"), "{problem}");
        // In Spanish, R is the king.
        let spanish: PieceLetters = "es".parse().unwrap();
        assert_eq!(played("1. e4 e5 2. Re2 Re7 *", &spanish), [(4, None)]);
    }

    #[test]
    fn null_moves() {
        assert_eq!(
            played("1. e4 -- 2. d4 Z0 *", &PieceLetters::ENGLISH),
            [(2, None)]
        );
        let games = "1. e4 f6 2. d4 g5 3. Qh5+ -- *";
        let problem = played(games, &PieceLetters::ENGLISH)[0].1.clone().unwrap();
        assert!(problem.contains("cannot pass"), "{problem}");
    }
}
