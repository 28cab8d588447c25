//! Writing games in the standard form.

use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Batch, BatchKind, Event, Game, GameError, Reader};

use crate::check::{BrokenGame, Checked, check, check_next};
use crate::remark::GameRemark;

/// A batch of games in the standard form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixed {
    /// The games.
    pub text: Vec<u8>,
    /// The number of games.
    pub games: u64,
    /// The games that cannot be read: they are copied as they are.
    pub broken: Vec<BrokenGame>,
    /// What is odd about the other games, and stays so.
    pub remarks: Vec<GameRemark>,
}

/// The size in bytes up to which games are rewritten. That takes several times as much memory, so larger games have to
/// be copied: see [`Batches::with_max_game`](tabiya_notation::pgn::Batches::with_max_game).
pub const MAX_FIXED: usize = 32_000_000;

/// Writes the games of a batch in the standard form.
///
/// No game is lost and none is added: [`check`](crate::check) counts the same games and moves in the new text. Fixing
/// the new text once more changes nothing. Where an error makes that impossible, as a comment that is never closed can,
/// the whole batch stays as it is.
pub fn fix(batch: &Batch, letters: &PieceLetters) -> Fixed {
    let mut fixed = Fixed {
        text: Vec::with_capacity(batch.text.len() * 9 / 8),
        ..Fixed::default()
    };
    match batch.kind {
        BatchKind::Games => {
            fixed.games(batch, letters);
            if !fixed.broken.is_empty() && !fixed.keeps_games(batch, letters) {
                fixed.text.clone_from(&batch.text);
            }
        }
        BatchKind::TooLarge { limit } => {
            fixed.copy_start(batch);
            fixed.broken.push(BrokenGame::too_large(batch, limit));
            fixed.games = 1;
        }
        BatchKind::Rest => fixed.text.extend_from_slice(&batch.text),
    }
    fixed
}

impl Fixed {
    fn games(&mut self, batch: &Batch, letters: &PieceLetters) {
        let mut reader = Reader::new(&batch.text);
        let mut checked = Checked::default();
        loop {
            let before = reader.clone();
            let start = before.offset();
            let Some(game) = Game::read_with(&mut reader, letters) else {
                between_games(&mut self.text, &batch.text[start..]);
                break;
            };
            check_next(batch, &mut before.clone(), letters, &mut checked);
            let source = &batch.text[start..reader.offset()];
            match game {
                Ok(game) => {
                    let text = rewritten(source, game);
                    // Repairing a file must never lose a game, whatever is in it.
                    if is_stable(&text) {
                        self.text.extend_from_slice(&text);
                    } else {
                        self.copy(&batch.text, start, source);
                    }
                }
                Err(error) => {
                    self.broken(batch, before, error);
                    self.copy(&batch.text, start, source);
                }
            }
            self.games += 1;
        }
        self.remarks = checked.remarks;
    }

    /// Whether the new text has the same games, and stays as it is when it is fixed. Where an unclosed comment ends
    /// depends on the lines after it, so a broken game could swallow a rewritten one.
    fn keeps_games(&self, batch: &Batch, letters: &PieceLetters) -> bool {
        if *letters != PieceLetters::ENGLISH {
            // The new text is in English, and the broken games in it are not.
            return true;
        }
        let new = Batch::new(self.text.as_slice());
        let counts = |checked: Checked| (checked.games, checked.moves, checked.broken.len());
        let mut again = Self::default();
        again.games(&new, letters);
        again.text == self.text && counts(check(batch, letters)) == counts(check(&new, letters))
    }

    /// Copies the start of a game that is too large. It gets as many empty lines in front as it will have the next
    /// time; before an `Event` tag they belong to the previous batch.
    fn copy_start(&mut self, batch: &Batch) {
        let blank = batch.text.iter().take_while(|&&byte| byte <= b' ').count();
        let line = batch.text[..blank]
            .iter()
            .rposition(|&byte| is_newline(byte));
        let is_first = batch.bytes_before == 0 && line.is_none();
        if !is_first && !batch.text.starts_with(b"[Event ") {
            self.text.extend_from_slice(b"\n\n");
        }
        let start = line.map_or(0, |at| at + 1);
        self.text.extend_from_slice(&batch.text[start..]);
    }

    fn broken<'a>(&mut self, batch: &'a Batch, mut reader: Reader<'a>, error: GameError) {
        let mut players = crate::Players::default();
        while let Some(Event::Tag { name, value }) = reader.next() {
            players.tag(name, value);
        }
        let broken = BrokenGame::new(batch, self.games, players, error);
        self.broken.push(broken);
    }

    /// Copies a game that starts at an offset of a text. A `%` or `[` that was not at the start of its line must not get
    /// there.
    fn copy(&mut self, text: &[u8], start: usize, source: &[u8]) {
        let mut end = source.trim_ascii_end().len();
        // `[Event ` starts a game, and `[Event` does not.
        end += usize::from(source[..end].ends_with(b"[Event") && source[end..].starts_with(b" "));
        let source = &source[..end];
        let first = source.len() - source.trim_ascii_start().len();
        let line = source[..first].iter().rposition(|&byte| is_newline(byte));
        let above = &text[..start];
        let is_line_start =
            above.last().is_none_or(|&byte| is_newline(byte)) || above.ends_with(BYTE_ORDER_MARK);
        let is_inside_line = line.is_none() && !is_line_start;
        let source = &source[line.map_or(0, |at| at + 1)..];
        if is_inside_line && !source.starts_with(b" ") {
            self.text.push(b' ');
        }
        self.text.extend_from_slice(source);
        self.text.extend_from_slice(b"\n\n");
    }
}

/// Writes a game in the standard form, after what is in front of it in its source.
fn rewritten(source: &[u8], mut game: Game) -> Vec<u8> {
    let mut text = Vec::with_capacity(source.len() * 9 / 8);
    let mut reader = Reader::new(source);
    let starts_with_tag = matches!(reader.next(), Some(Event::Tag { .. }));
    let skipped = &source[..reader.event_offset()];
    if starts_with_tag {
        between_games(&mut text, skipped);
    } else {
        // Without tags, the number of the first move is skipped, too.
        for line in skipped.split(|&byte| matches!(byte, b'\n' | b'\r')) {
            let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
            if line.starts_with(b"%") {
                between_games(&mut text, line);
            }
        }
    }
    game.standardize();
    text.extend_from_slice(game.to_string().as_bytes());
    text.push(b'\n');
    text
}

/// Whether a game in the standard form stays as it is when it is read and written again.
fn is_stable(text: &[u8]) -> bool {
    let mut reader = Reader::new(text);
    let Some(Ok(game)) = Game::read(&mut reader) else {
        return false;
    };
    let end = reader.offset();
    reader.next().is_none() && rewritten(&text[..end], game) == text
}

/// The byte order mark, in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

const fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Keeps what is between games and belongs to none: comments, and lines for programs. Zeros and other control characters
/// are white space to the reader of games, and no text.
fn between_games(out: &mut Vec<u8>, mut text: &[u8]) {
    let is_text = |byte: &u8| *byte > b' ';
    loop {
        let start = text.iter().position(is_text).unwrap_or(text.len());
        let end = text.iter().rposition(is_text).map_or(start, |at| at + 1);
        text = &text[start..end];
        match text
            .strip_prefix(BYTE_ORDER_MARK)
            .or(text.strip_suffix(BYTE_ORDER_MARK))
        {
            Some(rest) => text = rest,
            None => break,
        }
    }
    if !text.is_empty() {
        out.extend_from_slice(text);
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(games: &str) -> String {
        String::from_utf8(fix(&Batch::new(games), &PieceLetters::ENGLISH).text).unwrap()
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
    fn contradictory_results_stay() {
        for (tag, after_moves) in [("1-0", "0-1"), ("White won", "1-0"), ("1/2-1/2", "1-0")] {
            let game = format!("[Result \"{tag}\"]\n\n1. e4 {after_moves}\n");
            let fixed = fix(&Batch::new(game.as_str()), &PieceLetters::ENGLISH);
            let text = String::from_utf8(fixed.text).unwrap();
            assert!(text.contains(&game), "{text}");
            assert_eq!(fixed.remarks.len(), 1);
        }
        let mate = "1. f3 e5 2. g4 Qh4# 1-0\n";
        let fixed = fix(&Batch::new(mate), &PieceLetters::ENGLISH);
        assert!(
            String::from_utf8(fixed.text)
                .unwrap()
                .ends_with(&format!("[Result \"1-0\"]\n\n{mate}\n"))
        );
        assert_eq!(fixed.remarks.len(), 1);
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

    /// With an empty line before the third game, the first would end there, and the second would be lost.
    #[test]
    fn unclosed_comment_swallows_no_rewritten_game() {
        let text = "1. e4 {op\n[Blaen *\n\n1. c4M\n[Blaen *\n\n1. c4 {closed} *\n";
        let found = check(&Batch::new(text), &PieceLetters::ENGLISH);
        assert!(found.games > 1 && !found.broken.is_empty(), "{found:?}");
        let fixed = fix(&Batch::new(text), &PieceLetters::ENGLISH);
        let again = check(&Batch::new(fixed.text), &PieceLetters::ENGLISH);
        assert_eq!((again.games, again.moves), (found.games, found.moves));
    }

    #[test]
    fn broken_game_is_copied() {
        let batch = Batch::new("[White \"A\"]\n\n1. e4 e9 *\n\n1. d4 *\n");
        let fixed = fix(&batch, &PieceLetters::ENGLISH);
        assert!(
            fixed
                .text
                .starts_with(b"[White \"A\"]\n\n1. e4 e9 *\n\n[Event \"?\"]")
        );
        assert_eq!(fixed.games, 2);
        assert_eq!(
            (fixed.broken[0].place.line, fixed.broken[0].place.column),
            (3, 7)
        );
        assert_eq!(fixed.broken[0].place.white, "A");
    }
}
