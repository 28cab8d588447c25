//! Errors in a FEN, marked at their place.

use std::fmt;

use tabiya_board::{Board, FenError, FenErrorKind};
use tabiya_notation::printable;

/// The most letters of a FEN in a message, longer than any real one.
const MAX_SHOWN: usize = 120;

/// A FEN that cannot be read, printed with a mark below the error.
#[derive(Debug)]
pub struct FenMessage {
    /// The FEN.
    pub fen: String,
    /// Its error.
    pub error: FenError,
}

impl std::error::Error for FenMessage {}

impl fmt::Display for FenMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fen, error } = self;
        let shown = excerpt(fen, 0);
        match error.kind {
            FenErrorKind::Invalid(invalid) => {
                return write!(f, "impossible position: {invalid}\n  {shown}");
            }
            FenErrorKind::Missing(_) => write!(
                f,
                "incomplete FEN: {error}; a complete one looks like \"{}\"",
                Board::start()
            ),
            _ => write!(f, "invalid FEN: {error}"),
        }?;
        let before = fen.get(..error.at).map_or(0, |text| text.chars().count());
        let skipped = before.saturating_sub(MAX_SHOWN / 2);
        let shown = excerpt(fen, skipped);
        let mark = before - skipped + usize::from(skipped > 0);
        write!(f, "\n  {shown}\n  {}^", " ".repeat(mark))
    }
}

/// A FEN, or the part of a long text around its error.
fn excerpt(fen: &str, skipped: usize) -> String {
    let mut letters = fen.chars().skip(skipped);
    // Control characters could move the cursor, and others reverse the line.
    let shown: String = letters.by_ref().take(MAX_SHOWN).map(one_column).collect();
    let [before, after] = [skipped > 0, letters.next().is_some()];
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{shown}{}", dots(before), dots(after))
}

fn one_column(letter: char) -> char {
    match printable(letter.encode_utf8(&mut [0; 4])).as_str() {
        "" | " " if letter != ' ' => '?',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fen: &str) -> String {
        let error = fen.parse::<Board>().unwrap_err();
        let fen = fen.to_owned();
        FenMessage { fen, error }.to_string()
    }

    #[test]
    fn the_mark_is_below_the_error() {
        let text = message("8/8/8/8/8/8/8/K1k5 x - - 0 1");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  8/8/8/8/8/8/8/K1k5 x - - 0 1");
        assert_eq!(lines[2], "                     ^");
    }

    #[test]
    fn a_fen_of_any_length_gets_a_short_message() {
        for filler in [" ", "x", "\u{1b}[2J", "\u{202e}"] {
            let text = message(&format!(
                "8/8/8/8/8/8/8/K1k5{} x - -",
                filler.repeat(70_000)
            ));
            assert!(text.len() < 1_000, "{}", text.len());
            assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        }
        let text = message(&format!("8/8/8/8/8/8/8/K1k5{}x - -", " ".repeat(70_000)));
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let mark = lines[2].iter().position(|&letter| letter == '^').unwrap();
        assert_eq!(lines[1][mark], 'x');
    }
}
