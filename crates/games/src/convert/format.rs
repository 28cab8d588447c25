//! The formats, and guessing the format of a file.

use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use crate::input::is_compressed;

/// A format for positions or games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Positions, one per line.
    Fen,
    /// Positions with operations, one per line.
    Epd,
    /// Moves as people write them, one game per line.
    San,
    /// Moves as engines write them, one game per line.
    Uci,
    /// Games with tags, comments and variations.
    Pgn,
}

/// The text is not the name of a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown format {0:?}: use fen, epd, san, uci or pgn")]
pub struct UnknownFormatError(String);

impl FromStr for Format {
    type Err = UnknownFormatError;

    fn from_str(name: &str) -> Result<Self, UnknownFormatError> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.as_str().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormatError(name.to_owned()))
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Fen, Self::Epd, Self::San, Self::Uci, Self::Pgn];

    /// Returns the name, which is also the extension of files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::San => "san",
            Self::Uci => "uci",
            Self::Pgn => "pgn",
        }
    }

    /// Returns whether the format holds positions rather than games.
    pub const fn is_positions(self) -> bool {
        matches!(self, Self::Fen | Self::Epd)
    }

    /// Guesses the format of a file by its name, which may also say that it is compressed.
    pub fn of_name(path: &Path) -> Option<Self> {
        let stem;
        let path = if is_compressed(path) {
            stem = path.with_extension("");
            &stem
        } else {
            path
        };
        path.extension()?.to_str()?.parse().ok()
    }

    /// Guesses the format of a file by its first line.
    pub fn of_line(line: &str) -> Self {
        let line = line.trim_start_matches('\u{feff}').trim();
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or("");
        if line.starts_with(['[', '%']) {
            return Self::Pgn;
        }
        if first.matches('/').count() == 7 {
            let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
            let rest: Vec<&str> = words.skip(3).collect();
            return match rest[..] {
                [clock, moves] if is_number(clock) && is_number(moves) => Self::Fen,
                _ => Self::Epd,
            };
        }
        if matches!(first, "position" | "startpos" | "moves") || is_uci_move(first) {
            return Self::Uci;
        }
        Self::San
    }
}

/// Whether a word is two squares, with or without a letter for a promotion.
fn is_uci_move(word: &str) -> bool {
    let is_promotion = |rest: &[u8]| matches!(rest, [] | [b'q' | b'r' | b'b' | b'n']);
    matches!(
        word.as_bytes(),
        [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', rest @ ..] if is_promotion(rest)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_file_name() {
        for (name, format) in [
            ("a/b.pgn", Some(Format::Pgn)),
            ("b.EPD", Some(Format::Epd)),
            ("b.fen.zst", Some(Format::Fen)),
            ("b.txt", None),
            ("-", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn formats_are_guessed_by_the_first_line() {
        for (line, format) in [
            ("[Event \"?\"]", Format::Pgn),
            ("\u{feff}[Event \"?\"]", Format::Pgn),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Format::Fen),
            ("4k3/8/8/8/8/8/8/4K3 w - -", Format::Epd),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;", Format::Epd),
            ("e2e4 e7e5", Format::Uci),
            ("a7a8q", Format::Uci),
            ("position startpos moves e2e4", Format::Uci),
            ("e4 e5", Format::San),
            ("1. e4 e5", Format::San),
            ("", Format::San),
        ] {
            assert_eq!(Format::of_line(line), format, "{line}");
        }
    }
}
