//! Pieces on squares, and pawn structures.

use std::fmt::Write;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Color, File, Piece, Rank, Role, Square};

use super::{Conditions, Pattern, PatternError};

/// Pawn structures with names, and what they mean.
const STRUCTURES: [(&str, &str); 6] = [
    ("isolani", "either: Pd4 !Pc? !Pe? !pd?"),
    ("hanging pawns", "either: Pc4 Pd4 !Pb? !Pe? !pc? !pd?"),
    ("carlsbad", "either: Pd4 Pe? !Pc? pd5 pc? !pe?"),
    ("maroczy", "either: Pc4 Pe4 !Pd? pd? !pc?"),
    ("stonewall", "either: Pd4 Pe3 Pf4 pd5"),
    ("hedgehog", "either: Pc4 Pe4 !Pd? pa6 pb6 pd6 pe6 !pc?"),
];

/// Returns the pawns of a position as the first field of a FEN that has no other pieces.
pub fn pawn_structure(position: &Position) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let piece = position.piece_at(Square::new(file, rank));
            match piece.filter(|piece| piece.role == Role::Pawn) {
                None => empty += 1,
                Some(pawn) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                    }
                    empty = 0;
                    text.push(pawn.char());
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

pub(super) fn pieces(text: &str) -> Result<Pattern, PatternError> {
    let text = text.trim();
    let (text, is_either) = match text.strip_prefix("either:") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let conditions = if text.contains('/') {
        board(text)?
    } else {
        let list = list(text, None)?;
        if list.is_empty() {
            return Err(PatternError::new(
                "the pattern has no pieces: write for example \"Kg1 Rf1\" or \"white: king g1 pawns f2 g2\"",
            ));
        }
        let mut conditions = Conditions::default();
        for item in list {
            match item.piece {
                None => conditions.empty.0 |= item.squares.0,
                Some(piece) if item.is_absent => conditions.absent.push((piece, item.squares)),
                Some(piece) => conditions.present.push((piece, item.squares)),
            }
        }
        conditions
    };
    Ok(if is_either {
        Pattern::of_either(conditions)
    } else {
        Pattern::of(conditions)
    })
}

pub(super) fn pawns(text: &str) -> Result<Pattern, PatternError> {
    let text = text.trim();
    let name = text.to_lowercase();
    if let Some((_, pattern)) = STRUCTURES.iter().find(|(known, _)| *known == name) {
        return pieces(pattern);
    }
    let is_pawn = |piece: &Piece| piece.role == Role::Pawn;
    if text.contains('/') {
        let mut conditions = board(text)?;
        if let Some((piece, _)) = conditions.present.iter().find(|(piece, _)| !is_pawn(piece)) {
            return Err(PatternError::new(format!(
                "a pawn structure has no {}: use --pattern for other pieces",
                piece.role
            )));
        }
        // Other pieces don't matter.
        let empty = std::mem::take(&mut conditions.empty);
        conditions.absent = Color::ALL
            .map(|color| (Piece::new(color, Role::Pawn), empty))
            .to_vec();
        return Ok(Pattern::of(conditions));
    }
    let names = STRUCTURES.map(|(name, _)| name).join(", ");
    let list = list(text, Some(Piece::new(Color::White, Role::Pawn)))?;
    let mut conditions = Conditions::default();
    for color in Color::ALL {
        let pawn = Piece::new(color, Role::Pawn);
        let mine: Vec<&Item> = list
            .iter()
            .filter(|item| item.piece == Some(pawn))
            .collect();
        if mine.is_empty() {
            continue;
        }
        let mut all = Bitboard::default();
        for item in &mine {
            all.0 |= item.squares.0;
            if !item.squares.is_empty() {
                conditions.present.push((pawn, item.squares));
            }
        }
        conditions.absent.push((pawn, !all));
    }
    let is_plain = |item: &Item| {
        item.piece.as_ref().is_some_and(is_pawn) && !item.is_absent && item.squares.len() <= 1
    };
    if list.is_empty() || !list.iter().all(is_plain) {
        return Err(PatternError::new(format!(
            "{text:?} is not a pawn structure: write squares such as \"d4 e3 black: d5 e6\", or one of {names}"
        )));
    }
    Ok(Pattern::of(conditions))
}

/// A board as in a FEN, in which some squares may be anything, and the side to move.
fn board(text: &str) -> Result<Conditions, PatternError> {
    let mut fields = text.split_whitespace();
    let ranks: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
    let turn = match fields.next() {
        None | Some("-") => None,
        Some("w") => Some(Color::White),
        Some("b") => Some(Color::Black),
        Some(other) => {
            return Err(PatternError::new(format!(
                "the side to move is w or b, not {other:?}"
            )));
        }
    };
    if fields.next().is_some() {
        return Err(PatternError::new(
            "a pattern has a board and the side to move: leave out castling rights and clocks, or search for the position",
        ));
    }
    let mut conditions = Conditions {
        turn,
        ..Conditions::default()
    };
    if ranks.len() != 8 {
        return Err(PatternError::new(format!(
            "a board has 8 ranks, not {}",
            ranks.len()
        )));
    }
    for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let wrong = || {
            PatternError::new(format!(
                "{text:?} is not a rank of 8 squares: write pieces, digits for empty squares, ? for any, \
                 and one * for all others"
            ))
        };
        let width = |letter: char| letter.to_digit(10).map_or(1, |digit| digit as usize);
        let known: usize = text
            .chars()
            .filter(|letter| *letter != '*')
            .map(width)
            .sum();
        let left = match text.matches('*').count() {
            _ if text.contains('0') => return Err(wrong()),
            0 if known == 8 => 0,
            1 if known <= 8 => 8 - known,
            _ => return Err(wrong()),
        };
        let mut files = File::ALL.into_iter();
        for letter in text.chars() {
            let count = if letter == '*' { left } else { width(letter) };
            for file in files.by_ref().take(count) {
                let square = Bitboard::from(Square::new(file, rank));
                match letter {
                    '?' | '*' => {}
                    '1'..='8' => conditions.empty.0 |= square.0,
                    letter => {
                        let piece = Piece::from_char(letter).ok_or_else(wrong)?;
                        conditions.present.push((piece, square));
                    }
                }
            }
        }
    }
    Ok(conditions)
}

/// A word of a list: a piece, or nothing, on one of some squares.
struct Item {
    /// `None` for squares that are empty.
    piece: Option<Piece>,
    is_absent: bool,
    squares: Bitboard,
}

/// Reads a list such as `white: Kg1 pawns f2 g2 !N?3 empty f4`. A square without a piece belongs to the piece before it,
/// or to the first piece, if there is one.
fn list(text: &str, first: Option<Piece>) -> Result<Vec<Item>, PatternError> {
    let mut items = Vec::new();
    let mut color = first.map(|piece| piece.color);
    let mut is_absent = false;
    // The piece that squares belong to; `Some(None)` is none at all.
    let mut subject: Option<Option<Piece>> = first.map(Some);
    let words = text.replace([',', ';'], " ").replace(':', ": ");
    for word in words.split_whitespace() {
        let unknown = || {
            PatternError::new(format!(
                "{word:?} is not part of a pattern: write for example \"Kg1 Rf1 !n?5\" or \"white: king g1 pawns f2 g2\""
            ))
        };
        if let Some(found) = match word {
            "white:" => Some(Color::White),
            "black:" => Some(Color::Black),
            _ => None,
        } {
            color = Some(found);
            is_absent = false;
            subject = first.map(|piece| Some(Piece::new(found, piece.role)));
            continue;
        }
        let (plain, has_mark) = match word.strip_prefix('!') {
            Some(plain) => (plain, true),
            None => (word, false),
        };
        let letters: Vec<char> = plain.chars().collect();
        if let [file, rank] = letters[..]
            && let Some(squares) = squares(file, rank)
        {
            let Some(piece) = subject.filter(|_| !has_mark) else {
                return Err(PatternError::new(format!(
                    "no piece stands before {word}: write for example R{plain} or pawns {plain}"
                )));
            };
            items.push(Item {
                piece,
                is_absent,
                squares,
            });
        } else if let [letter, file, rank] = letters[..]
            && let Some(piece) = Piece::from_char(letter)
            && let Some(squares) = squares(file, rank)
        {
            let piece = Piece::new(color.unwrap_or(piece.color), piece.role);
            (subject, is_absent) = (Some(Some(piece)), has_mark);
            items.push(Item {
                piece: Some(piece),
                is_absent,
                squares,
            });
        } else if plain == "empty" && !has_mark {
            (subject, is_absent) = (Some(None), false);
        } else if plain == "none" && !has_mark && first.is_some() {
            // No pawn of this colour at all.
            items.push(Item {
                piece: subject.flatten(),
                is_absent: false,
                squares: Bitboard::default(),
            });
        } else {
            let lower = plain.to_lowercase();
            let singular = lower.strip_suffix('s').unwrap_or(&lower);
            let found = Role::ALL.into_iter().find(|role| role.name() == singular);
            let found = found.ok_or_else(unknown)?;
            let Some(color) = color else {
                return Err(PatternError::new(format!(
                    "whose {plain}? Write white: or black: before it"
                )));
            };
            (subject, is_absent) = (Some(Some(Piece::new(color, found))), has_mark);
        }
    }
    Ok(items)
}

/// The squares of a file and a rank, each of which may be any.
fn squares(file: char, rank: char) -> Option<Bitboard> {
    let all = !Bitboard::default();
    let files = match file {
        '?' => all,
        letter => Bitboard::file(File::from_char(letter)?),
    };
    let ranks = match rank {
        '?' => all,
        digit => Bitboard::rank(Rank::from_char(digit)?),
    };
    Some(files & ranks)
}

#[cfg(test)]
mod tests {
    use tabiya_board::Board;

    use super::*;

    fn matches(pattern: &Pattern, fen: &str) -> bool {
        pattern.matches(&fen.parse::<Board>().unwrap())
    }

    const CASTLED: &str = "r4rk1/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R4RK1 w - - 0 1";
    const CASTLED_BLACK_TO_MOVE: &str = "r4rk1/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R4RK1 b - - 0 1";

    #[test]
    fn pieces_stand_on_their_squares() {
        for (text, expected) in [
            ("Kg1 Rf1 Pf2 g2 h2", true),
            ("white: Kg1 Rf1 pawns f2 g2 h2", true),
            ("white: kg1 rf1 PAWNS f2,g2,h2 black: king g8", true),
            ("White: Kg1", false),
            ("Kg8", false),
            ("kg8 rf8 nc6 nf6", true),
            ("N?3", true),
            ("N?4", false),
            ("n?? !q??", true),
            ("!Pe?", true),
            ("!Pd?", false),
            ("white: !pawns e? black: !pawns d?", false),
            ("empty e4 e5", true),
            ("empty d4", false),
            ("bb4", false),
            ("either: Kg8", false),
            ("either: Kg1 Nf3", true),
        ] {
            let pattern = Pattern::pieces(text);
            assert_eq!(
                pattern.is_ok_and(|pattern| matches(&pattern, CASTLED)),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn boards_may_leave_squares_open() {
        for (text, expected) in [
            ("r4rk1/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R4RK1", true),
            ("r4rk1/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R4RK1 w", true),
            ("r4rk1/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R4RK1 b", false),
            ("*/*/*/*/*/*/*PPP/*RK?", true),
            ("*/*/*/*/*/*/*PPP/*RK1", true),
            ("*/*/*/*/*/*/PPP*/?4R*", true),
            ("*/*/*/*/*/*/PPP*/?5*", false),
            ("*/*/*/*/*/*/????????/R*K1", true),
            ("*/*/*/*/*/*/*/*R*", false),
            ("*/*/*/*/*/*/*/*", true),
        ] {
            let pattern = Pattern::pieces(text);
            assert_eq!(
                pattern.is_ok_and(|pattern| matches(&pattern, CASTLED)),
                expected,
                "{text}"
            );
        }
        let exchanged = Pattern::pieces("either: r4rk1/*/*/*/*/*/*/?4RK? b").unwrap();
        assert!(matches(&exchanged, CASTLED) && matches(&exchanged, CASTLED_BLACK_TO_MOVE));
    }

    #[test]
    fn pawn_structures_are_exact_in_pawns_only() {
        let board: Board = CASTLED.parse().unwrap();
        let structure = pawn_structure(&board);
        assert_eq!(structure, "8/ppp2ppp/8/3p4/3P4/8/PPP2PPP/8");
        for (text, expected) in [
            (structure.as_str(), true),
            ("8/*/8/3p4/3P4/8/*/8", true),
            ("8/ppp2ppp/8/8/3P4/8/PPP2PPP/8", false),
            ("a2 b2 c2 d4 f2 g2 h2", true),
            (
                "white: a2 b2 c2 d4 f2 g2 h2 black: a7 b7 c7 d5 f7 g7 h7",
                true,
            ),
            ("black: a7, b7, c7, d5, f7, g7, h7", true),
            ("Pa2 b2 c2 d4 f2 g2 h2 black: pa7 b7 c7 d5 f7 g7 h7", true),
            ("a2 b2 c2 d4 f2 g2", false),
            ("a2 b2 c2 d4 f2 g2 h2 h3", false),
            ("black: none", false),
            ("isolani", false),
        ] {
            let pattern = Pattern::pawns(text).unwrap();
            assert_eq!(pattern.matches(&board), expected, "{text}");
        }
        let bare = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
        for (text, expected) in [
            ("black: none", true),
            ("white: none", false),
            ("a2 black: none", true),
        ] {
            assert_eq!(
                matches(&Pattern::pawns(text).unwrap(), bare),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn named_structures_are_found_for_either_colour() {
        for (name, fen) in [
            ("isolani", "4k3/pp3ppp/4p3/8/3P4/8/PP3PPP/4K3 w - - 0 1"),
            ("Isolani", "4k3/pp3ppp/8/3p4/8/4P3/PP3PPP/4K3 w - - 0 1"),
            (
                "hanging pawns",
                "4k3/pp3ppp/4p3/8/2PP4/8/P4PPP/4K3 w - - 0 1",
            ),
            (
                "carlsbad",
                "4k3/pp3ppp/2p5/3p4/3P4/4P3/PP3PPP/4K3 w - - 0 1",
            ),
            ("maroczy", "4k3/pp2pppp/3p4/8/2P1P3/8/PP3PPP/4K3 w - - 0 1"),
            (
                "stonewall",
                "4k3/pp4pp/2p1p3/3p1p2/3P4/2P5/PP2P1PP/4K3 w - - 0 1",
            ),
            ("hedgehog", "4k3/5ppp/pp1pp3/8/2P1P3/8/PP3PPP/4K3 w - - 0 1"),
        ] {
            let pattern = Pattern::pawns(name).unwrap();
            assert!(matches(&pattern, fen), "{name}");
            assert!(!matches(&pattern, CASTLED), "{name}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, reason) in [
            ("", "the pattern has no pieces"),
            ("white:", "the pattern has no pieces"),
            ("Kg9", "\"Kg9\" is not part of a pattern"),
            ("Xg1", "\"Xg1\" is not part of a pattern"),
            ("g1", "no piece stands before g1"),
            ("white: g1", "no piece stands before g1"),
            ("Kg1 !g2", "no piece stands before !g2"),
            ("pawns f2", "whose pawns? Write white: or black: before it"),
            ("1/2", "a board has 8 ranks, not 2"),
            ("*/*/*/*/*/*/*/9", "\"9\" is not a rank of 8 squares"),
            ("*/*/*/*/*/*/*/7", "\"7\" is not a rank of 8 squares"),
            ("*/*/*/*/*/*/*/*K*", "\"*K*\" is not a rank of 8 squares"),
            ("*/*/*/*/*/*/*/*x", "\"*x\" is not a rank of 8 squares"),
            ("*/*/*/*/*/*/*/0*", "\"0*\" is not a rank of 8 squares"),
            ("*/*/*/*/*/*/*/* x", "the side to move is w or b, not \"x\""),
            ("*/*/*/*/*/*/*/* w KQkq - 0 1", "leave out castling rights"),
        ] {
            let error = Pattern::pieces(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for (text, reason) in [
            ("", "is not a pawn structure"),
            ("Kd4", "is not a pawn structure"),
            ("d?", "is not a pawn structure"),
            ("!d4", "no piece stands before !d4"),
            ("italian", "\"italian\" is not part of a pattern"),
            ("8/8/8/8/8/8/8/K7", "a pawn structure has no king"),
        ] {
            let error = Pattern::pawns(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
