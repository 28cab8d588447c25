//! Endings by their names.

use tabiya_board::Role;

use super::material::{Count, Range};
use super::{Bishops, Conditions, Pattern, PatternError};

/// What each side has.
struct Side {
    count: Count,
    /// Whether pawns are named.
    has_pawns: bool,
}

pub(super) fn parse(text: &str) -> Result<Pattern, PatternError> {
    let name = text
        .to_lowercase()
        .replace('-', " ")
        .replace("coloured", "colored");
    let mut words: Vec<&str> = name.split_whitespace().collect();
    if let Some("ending" | "endings" | "endgame" | "endgames") = words.last().copied() {
        words.pop();
    }
    let error = |word: &str| {
        PatternError::new(format!(
            "{word:?} is not an ending: write for example \"rook ending\", \"queen vs rook\", \
             \"rook and two pawns vs rook\" or \"opposite-coloured bishops\""
        ))
    };
    let bishops = match words[..] {
        ["opposite", "colored" | "color", "bishop" | "bishops"] => Some(Bishops::OppositeColors),
        ["same", "colored" | "color", "bishop" | "bishops"] => Some(Bishops::SameColor),
        _ => None,
    };
    if bishops.is_some() {
        words = vec!["bishop"];
    }
    let is_between = |word: &str| matches!(word, "vs" | "vs." | "v" | "versus" | "against");
    let sides: Vec<&[&str]> = words.split(|word| is_between(word)).collect();
    let (first, second) = match sides[..] {
        [both] => (both, both),
        [first, second] => (first, second),
        _ => return Err(error(text)),
    };
    let is_pawn_ending = matches!(words[..], ["pawn" | "pawns"]);
    let [mut first, mut second] = match (side(first), side(second)) {
        (Ok(first), Ok(second)) => [first, second],
        (Err(word), _) | (_, Err(word)) => return Err(error(word.unwrap_or(text))),
    };
    if is_pawn_ending {
        // One of the two may have lost all of its pawns.
        first.count.set(Role::Pawn, Range::SOME);
        second.count.set(Role::Pawn, Range::ANY);
    } else if !first.has_pawns && !second.has_pawns {
        first.count.set(Role::Pawn, Range::ANY);
        second.count.set(Role::Pawn, Range::ANY);
    }
    Ok(Pattern::of_either(Conditions {
        counts: Some([first.count, second.count]),
        bishops,
        ..Conditions::default()
    }))
}

/// Reads the pieces of a side, such as `rook and two pawns`; the word that is none of them is the error.
fn side<'a>(words: &[&'a str]) -> Result<Side, Option<&'a str>> {
    let mut side = Side {
        count: Count::BARE,
        has_pawns: false,
    };
    let mut number = None;
    let mut is_empty = true;
    for &word in words {
        let word = word.trim_end_matches([',', '.']);
        let singular = word.strip_suffix('s').unwrap_or(word);
        let found = match word {
            "a" | "one" | "1" => Some(1),
            "two" | "2" | "double" => Some(2),
            "three" | "3" => Some(3),
            "four" | "4" => Some(4),
            _ => None,
        };
        if found.is_some() {
            if number.is_some() {
                return Err(Some(word));
            }
            number = found;
            continue;
        }
        let roles = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];
        let role = roles.into_iter().find(|role| role.name() == singular);
        let count = number.take();
        match role {
            _ if matches!(word, "and" | "+" | "piece" | "pieces") && !is_empty => {
                number = count;
                continue;
            }
            Some(Role::King) if count.is_none() => {}
            Some(Role::King) => return Err(Some(word)),
            Some(Role::Pawn) => {
                side.has_pawns = true;
                let is_plural = word != singular;
                let range = match count {
                    None if is_plural => Range::SOME,
                    count => Range::exactly(count.unwrap_or(1)),
                };
                side.count
                    .set(Role::Pawn, side.count.get(Role::Pawn).plus(range));
            }
            Some(role) => {
                let range = Range::exactly(count.unwrap_or(1));
                side.count.set(role, side.count.get(role).plus(range));
            }
            None if singular == "minor" => {
                side.count.set_minors(Range::exactly(count.unwrap_or(1)));
            }
            None => return Err(Some(word)),
        }
        is_empty = false;
    }
    if is_empty || number.is_some() {
        Err(None)
    } else {
        Ok(side)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_board::Board;

    use super::*;

    #[test]
    fn endings_have_the_pieces_that_are_named_and_any_pawns() {
        let boards = [
            ("rook", "3r2k1/5ppp/8/8/8/8/6PP/3R2K1 w - - 0 1"),
            (
                "rook and pawn vs rook",
                "3r2k1/8/8/8/8/8/6P1/3R2K1 w - - 0 1",
            ),
            (
                "rook vs rook and pawn",
                "3r2k1/6p1/8/8/8/8/8/3R2K1 w - - 0 1",
            ),
            ("two rooks", "2rr2k1/5ppp/8/8/8/8/6PP/2RR2K1 w - - 0 1"),
            ("pawn", "6k1/5ppp/8/8/8/8/8/6K1 w - - 0 1"),
            ("bare", "6k1/8/8/8/8/8/8/6K1 w - - 0 1"),
            ("queen vs rook", "3r2k1/5ppp/8/8/8/8/6PP/3Q2K1 w - - 0 1"),
            ("bishop vs knight", "3b2k1/5ppp/8/8/8/8/6PP/3N2K1 w - - 0 1"),
            ("opposite", "3b2k1/5ppp/8/8/8/8/6PP/3B2K1 w - - 0 1"),
            ("same", "3b2k1/5ppp/8/8/8/8/6PP/2B3K1 w - - 0 1"),
            (
                "bishop and knight",
                "3b1nk1/5ppp/8/8/8/8/6PP/2B1N1K1 w - - 0 1",
            ),
        ];
        for (text, expected) in [
            (
                "rook ending",
                &["rook", "rook and pawn vs rook", "rook vs rook and pawn"][..],
            ),
            (
                "Rook Endgames",
                &["rook", "rook and pawn vs rook", "rook vs rook and pawn"],
            ),
            (
                "rook and pawn vs rook",
                &["rook and pawn vs rook", "rook vs rook and pawn"],
            ),
            (
                "rook and pawns vs. rook",
                &["rook and pawn vs rook", "rook vs rook and pawn"],
            ),
            ("rook and three pawns against rook and two pawns", &["rook"]),
            (
                "king and rook and 1 pawn v king, rook",
                &["rook and pawn vs rook", "rook vs rook and pawn"],
            ),
            ("two rooks", &["two rooks"]),
            ("pawn ending", &["pawn"]),
            ("queen vs rook", &["queen vs rook"]),
            ("rook vs queen", &["queen vs rook"]),
            ("bishop vs knight", &["bishop vs knight"]),
            ("bishop ending", &["opposite", "same"]),
            ("opposite-coloured bishops", &["opposite"]),
            ("Opposite-colored bishop ending", &["opposite"]),
            ("same-color bishops", &["same"]),
            (
                "minor piece ending",
                &["bishop vs knight", "opposite", "same"],
            ),
            ("two minor pieces", &["bishop and knight"]),
            ("bishop and knight", &["bishop and knight"]),
            ("king vs king", &["pawn", "bare"]),
        ] {
            let pattern = Pattern::ending(text).unwrap();
            let found: Vec<&str> = boards
                .iter()
                .filter(|(_, fen)| pattern.matches(&fen.parse::<Board>().unwrap()))
                .map(|(name, _)| *name)
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_ending_is_refused_with_the_word() {
        for (text, word) in [
            ("", ""),
            ("ending", "ending"),
            ("rock ending", "rock"),
            ("rook vs", "rook vs"),
            ("rook vs rook vs rook", "rook vs rook vs rook"),
            ("two", "two"),
            ("two kings", "kings"),
            ("two two rooks", "two"),
        ] {
            let error = Pattern::ending(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{word:?} is not an ending")),
                "{text}: {error}"
            );
        }
    }
}
