//! Writing games in the standard form.

use std::io::Write;

use tabiya_board::unkeyed::Position;
use tabiya_notation::pgn::{Batch, Event, Game, Reader, Visitor, replay};
use tabiya_notation::{GameResult, PieceLetters};

use crate::check::{BrokenGame, Players};

/// The names of the seven tags that every game has, and their values if unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A batch of games in the standard form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixed {
    /// The games.
    pub text: Vec<u8>,
    /// The number of games.
    pub games: u64,
    /// The games that cannot be read: they are copied as they are.
    pub broken: Vec<BrokenGame>,
}

impl Fixed {
    /// Keeps what is between games and belongs to none: comments, and lines for programs.
    fn between_games(&mut self, mut text: &[u8]) {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        loop {
            text = text.trim_ascii();
            match text
                .strip_prefix(BYTE_ORDER_MARK)
                .or(text.strip_suffix(BYTE_ORDER_MARK))
            {
                Some(rest) => text = rest,
                None => break,
            }
        }
        if !text.is_empty() {
            self.text.extend_from_slice(text);
            self.text.push(b'\n');
        }
    }
}

impl<'a> Visitor<'a> for Players<'a> {
    type Board = Position;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        Players::tag(self, name, value);
    }
}

/// Writes the games of a batch in the standard form.
pub fn fix(batch: &Batch, letters: &PieceLetters) -> Fixed {
    let mut reader = Reader::new(&batch.text);
    let mut fixed = Fixed {
        text: Vec::with_capacity(batch.text.len() * 9 / 8),
        ..Fixed::default()
    };
    loop {
        let mut before = reader.clone();
        let Some(game) = Game::read_with(&mut reader, letters) else {
            fixed.between_games(&batch.text[before.offset()..]);
            return fixed;
        };
        match game {
            Ok(mut game) => {
                let mut first = before.clone();
                let starts_with_tag = matches!(first.next(), Some(Event::Tag { .. }));
                let skipped = &batch.text[before.offset()..first.event_offset()];
                if starts_with_tag {
                    fixed.between_games(skipped);
                } else {
                    // Without tags, the number of the first move is skipped, too.
                    let lines = skipped.split(|&byte| byte == b'\n');
                    for line in lines.filter(|line| line.starts_with(b"%")) {
                        fixed.between_games(line);
                    }
                }
                standardize(&mut game);
                // Writing to memory cannot fail.
                let _ = write!(fixed.text, "{game}");
            }
            Err(error) => {
                let verbatim = &batch.text[before.offset()..reader.offset()];
                let mut players = Players::default();
                replay(&mut before, letters, &mut players);
                let broken = BrokenGame::new(batch, fixed.games, players, error);
                fixed.broken.push(broken);
                fixed.text.extend_from_slice(verbatim.trim_ascii());
                fixed.text.push(b'\n');
            }
        }
        fixed.text.push(b'\n');
        fixed.games += 1;
    }
}

/// Gives a game the seven tags of the standard in their order, and the same result in the tag and after the moves.
pub fn standardize(game: &mut Game) {
    let in_tag = game.tag("Result").and_then(|text| text.trim().parse().ok());
    let after_moves = game.result.filter(|&result| result != GameResult::Unknown);
    let result = after_moves.or(in_tag).unwrap_or(GameResult::Unknown);
    game.result = Some(result);

    let mut others = std::mem::take(&mut game.tags);
    for (name, unknown) in ROSTER {
        let at = others.iter().position(|(other, _)| other == name);
        let mut tag = match at {
            Some(at) => others.remove(at),
            None => (name.to_owned(), unknown.to_owned()),
        };
        if name == "Result" {
            result.as_str().clone_into(&mut tag.1);
        } else if tag.1.trim().is_empty() {
            unknown.clone_into(&mut tag.1);
        }
        game.tags.push(tag);
    }
    let has = |name: &str| others.iter().any(|(other, _)| other == name);
    if has("FEN") && !has("SetUp") {
        game.tags.push(("SetUp".to_owned(), "1".to_owned()));
    }
    game.tags.append(&mut others);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(games: &str) -> String {
        let batch = Batch {
            text: games.into(),
            lines_before: 0,
            bytes_before: 0,
        };
        String::from_utf8(fix(&batch, &PieceLetters::ENGLISH).text).unwrap()
    }

    #[test]
    fn standard_game_is_not_changed() {
        let game = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                    [White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
                    1. e4 e5 $1 (1... c5) 2. Nf3 1-0\n\n";
        assert_eq!(fixed(game), game);
    }

    #[test]
    fn result_is_the_same_in_both_places() {
        for (tag, after_moves, result) in [
            ("1-0", "", "1-0"),
            ("1-0", "*", "1-0"),
            ("1-0", "0-1", "0-1"),
            ("?", "1/2-1/2", "1/2-1/2"),
            ("", "", "*"),
        ] {
            let fixed = fixed(&format!("[Result \"{tag}\"]\n\n1. e4 {after_moves}\n"));
            assert!(
                fixed.contains(&format!("[Result \"{result}\"]\n\n1. e4 {result}\n")),
                "{fixed}"
            );
        }
    }

    #[test]
    fn games_without_tags_keep_nothing_but_lines_for_programs() {
        let fixed = fixed("%one\n1. e4 *\n\n%two\n12. d4 *\n");
        let starts: Vec<&str> = fixed
            .lines()
            .filter(|line| line.starts_with(['%', '1', '[']) && !line.contains('?'))
            .collect();
        let result = "[Result \"*\"]";
        assert_eq!(
            starts,
            ["%one", result, "1. e4 *", "%two", result, "1. d4 *"]
        );
    }

    #[test]
    fn broken_game_is_copied() {
        let batch = Batch {
            text: "[White \"A\"]\n\n1. e4 e9 *\n\n1. d4 *\n".into(),
            lines_before: 0,
            bytes_before: 0,
        };
        let fixed = fix(&batch, &PieceLetters::ENGLISH);
        assert!(
            fixed
                .text
                .starts_with(b"[White \"A\"]\n\n1. e4 e9 *\n\n[Event \"?\"]")
        );
        assert_eq!(fixed.games, 2);
        assert_eq!((fixed.broken[0].line, fixed.broken[0].column), (3, 7));
        assert_eq!(fixed.broken[0].white, "A");
    }
}
