//! What a file is, where nobody says it.

use std::path::Path;

use clap::ValueEnum;

use super::Format;
use crate::input::is_packed;

/// The format that a name tells, whether compressed or not.
pub(crate) fn by_name(path: &Path) -> Option<Format> {
    let stem;
    let path = if is_packed(path) {
        stem = path.with_extension("");
        &stem
    } else {
        path
    };
    Format::from_str(path.extension()?.to_str()?, true).ok()
}

/// The format that the first line tells.
pub(crate) fn by_line(line: &str) -> Format {
    let line = line.trim_start_matches('\u{feff}').trim();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("");
    if line.starts_with(['[', '%']) {
        return Format::Pgn;
    }
    if first.matches('/').count() == 7 {
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let rest: Vec<&str> = words.skip(3).collect();
        return match rest[..] {
            [clock, moves] if is_number(clock) && is_number(moves) => Format::Fen,
            _ => Format::Epd,
        };
    }
    if matches!(first, "position" | "startpos" | "moves") || is_uci(first) {
        return Format::Uci;
    }
    Format::San
}

/// Whether a word is two squares, and perhaps the letter of a promotion.
fn is_uci(word: &str) -> bool {
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
    fn names() {
        assert_eq!(by_name(Path::new("a/b.pgn")), Some(Format::Pgn));
        assert_eq!(by_name(Path::new("b.EPD")), Some(Format::Epd));
        assert_eq!(by_name(Path::new("b.fen.zst")), Some(Format::Fen));
        assert_eq!(by_name(Path::new("b.txt")), None);
        assert_eq!(by_name(Path::new("-")), None);
    }

    #[test]
    fn lines() {
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
            assert_eq!(by_line(line), format, "{line}");
        }
    }
}
