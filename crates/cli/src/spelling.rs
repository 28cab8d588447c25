//! How moves and lists are written.

use tabiya_board::{Move, Position, Square, Wing};

/// The wing to which a castling move goes.
pub(crate) fn wing(mv: Move) -> Wing {
    if mv.to().file() == Wing::King.king_file() {
        Wing::King
    } else {
        Wing::Queen
    }
}

/// Castling as people write it.
pub(crate) const fn castling(wing: Wing) -> &'static str {
    match wing {
        Wing::King => "O-O",
        Wing::Queen => "O-O-O",
    }
}

/// Whether a rook with which a king may castle stands where it does at the start of usual chess.
pub(crate) fn is_usual_castling(king: Square, rook: Square, wing: Wing) -> bool {
    use tabiya_board::File;
    king.file() == File::E
        && rook.file()
            == match wing {
                Wing::King => File::H,
                Wing::Queen => File::A,
            }
}

/// The move as UCI writes it. Castling of Chess960 is the king's and the rook's square, because the square where the
/// king ends may also be one to which it can simply step.
pub(crate) fn uci(position: &Position, mv: Move) -> String {
    if mv.is_castle() {
        let wing = wing(mv);
        match position.castling_rook(position.turn(), wing) {
            Some(rook) if !is_usual_castling(mv.from(), rook, wing) => {
                return format!("{}{rook}", mv.from());
            }
            _ => {}
        }
    }
    mv.to_string()
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

    #[test]
    fn castling_is_never_taken_for_a_step() {
        let spelled = |fen: &str| -> Vec<String> {
            let position: Position = fen.parse().unwrap();
            let moves = position.legal_moves();
            let castles = moves.iter().filter(|mv| mv.is_castle());
            let mut spelled: Vec<String> = castles.map(|&mv| uci(&position, mv)).collect();
            spelled.sort();
            spelled
        };
        assert_eq!(
            spelled("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
            ["e1c1", "e1g1"]
        );
        assert_eq!(spelled("5k2/8/8/8/8/8/8/5K1R w K - 0 1"), ["f1h1"]);
        assert_eq!(spelled("4k1r1/8/8/8/8/8/8/K7 b g - 0 1"), ["e8g8"]);
    }
}
