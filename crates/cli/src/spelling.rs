//! How castling, lists and lines of moves are written.

use tabiya_board::{Board, Move, Wing};
use tabiya_notation::uci;

/// Castling as people write it.
pub(crate) const fn castling(wing: Wing) -> &'static str {
    match wing {
        Wing::King => "O-O",
        Wing::Queen => "O-O-O",
    }
}

/// Things in a sentence: `a, b and c`.
pub(crate) fn list<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    let mut things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    let Some(last) = things.pop() else {
        return String::new();
    };
    if things.is_empty() {
        return last;
    }
    format!("{} and {last}", things.join(", "))
}

/// A sentence with a capital letter at its start.
pub(crate) fn capitalized(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// A line as engines write it.
pub(crate) fn spelled(board: &Board, line: &[Move]) -> Vec<String> {
    let mut now = *board;
    let spell = |&mv| {
        let text = uci::write(&now, mv).to_string();
        now.play(mv);
        text
    };
    line.iter().map(spell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_english() {
        assert_eq!(list::<&str>([]), "");
        assert_eq!(list(["a1"]), "a1");
        assert_eq!(list(["a1", "b2"]), "a1 and b2");
        assert_eq!(list(["a1", "b2", "c3"]), "a1, b2 and c3");
    }
}
