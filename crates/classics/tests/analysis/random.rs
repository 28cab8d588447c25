//! Random games, right and wrong, compared with shakmaty.

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use shakmaty::{Chess, Move, Position, Role, Square};

use crate::games::Rng;
use crate::oracle::Notation;
use crate::text;

const GAMES: usize = 20_000;

#[test]
fn agrees_with_the_second_implementation() {
    let notation = Notation::new();
    let mut rng = Rng(1);
    let mut answers: HashMap<String, usize> = HashMap::new();
    for _ in 0..GAMES {
        let game = random_game(&mut rng);
        let answer = text(&game);
        assert_eq!(answer, notation.judge(&game), "{game:?}");
        // The kind of output and, for moves, the piece.
        let kind = match answer.split_once(':') {
            Some((kind, rest)) => format!("{kind} {}", rest.split(' ').nth(2).unwrap_or_default()),
            None => answer.split('\'').next().unwrap_or_default().to_owned(),
        };
        *answers.entry(kind).or_default() += 1;
    }
    let mut least = vec![
        ("game incomplete".to_owned(), 2_000),
        ("parse error at character ".to_owned(), 1_000),
        ("white wins by checkmate".to_owned(), 20),
        ("black wins by checkmate".to_owned(), 20),
        ("draw by stalemate".to_owned(), 5),
    ];
    for piece in ["pawn", "knight", "bishop", "rook", "queen", "king"] {
        least.push((format!("move completion error {piece}"), 20));
        least.push((format!("illegal move {piece}"), 20));
    }
    for (kind, least) in least {
        let count = answers.get(&kind).copied().unwrap_or_default();
        assert!(count >= least, "only {count} of {kind}: {answers:?}");
    }
}

/// Returns a line of legal moves with one odd move, usually the last.
fn random_game(rng: &mut Rng) -> String {
    let plies = if rng.once_in(10) { 400 } else { rng.below(100) };
    let mut position = Chess::default();
    let mut line = spaces(rng, 0);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut mv = rng.pick(&moves);
        // Random moves hardly ever give mate, so prefer checks.
        if let Some(&check) = moves.iter().find(|&&mv| gives_check(&position, mv))
            && rng.once_in(2)
        {
            mv = check;
        }
        line += &spell(&position, mv, true, rng);
        line += &spaces(rng, 1);
        if rng.once_in(400) {
            line += &strange(&position, rng);
            line += &spaces(rng, 1);
        }
        position.play_unchecked(mv);
    }
    if !rng.once_in(4) {
        line += &strange(&position, rng);
        line += &spaces(rng, 0);
    }
    line + rng.pick(&["", "\n", "\r", "\r\n", " \n", "\ne4", "\r!\n"])
}

fn spaces(rng: &mut Rng, least: usize) -> String {
    let more = if rng.once_in(10) { rng.below(3) } else { 0 };
    " ".repeat(least + more)
}

fn gives_check(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_check()
}

/// Writes a move. Adds the file and rank if `clear` asks for it, or at random.
fn spell(position: &Chess, mv: Move, clear: bool, rng: &mut Rng) -> String {
    if let Some(side) = mv.castling_side() {
        let zeros = rng.once_in(2);
        return match (side.is_king_side(), zeros) {
            (true, true) => "0-0",
            (true, false) => "O-O",
            (false, true) => "0-0-0",
            (false, false) => "O-O-O",
        }
        .to_owned();
    }
    let from = mv.from().expect("no drops");
    let mark = if mv.is_capture() { "x" } else { "" };
    let to = mv.to();
    let (file, rank) = (from.file().char(), from.rank().char());
    if mv.role() == Role::Pawn {
        let start = if mv.is_capture() {
            file.to_string()
        } else {
            String::new()
        };
        let end = match mv.promotion() {
            Some(role) => format!("={}", role.upper_char()),
            None => String::new(),
        };
        return format!("{start}{mark}{to}{end}");
    }
    // Other pieces of the type that can reach the square, pinned or not.
    let rivals = || {
        let attackers = position.our(mv.role());
        attackers
            .into_iter()
            .filter(|&other| other != from && position.board().attacks_from(other).contains(to))
    };
    let mut spellings = vec![format!("{file}{rank}")];
    if !clear || rivals().all(|rival| rival.file() != from.file()) {
        spellings.push(file.to_string());
    }
    if !clear || rivals().all(|rival| rival.rank() != from.rank()) {
        spellings.push(rank.to_string());
    }
    if !clear || rivals().next().is_none() {
        spellings.extend([String::new(), String::new(), String::new()]);
    }
    let between = &spellings[rng.below(spellings.len())];
    format!("{}{between}{mark}{to}", mv.role().upper_char())
}

/// Returns a move that is probably wrong.
fn strange(position: &Chess, rng: &mut Rng) -> String {
    let legal = position.legal_moves();
    let sound = |rng: &mut Rng| match legal.len() {
        0 => "e4".to_owned(),
        count => spell(position, legal[rng.below(count)], false, rng),
    };
    match rng.below(7) {
        // Any piece to any square.
        0 => {
            let square = Square::new(rng.below(64) as u32);
            let piece = rng.pick(&["K", "Q", "R", "B", "N", "", "", "ax", "dx", "hx"]);
            let mark = rng.pick(&["", "", "x"]);
            let end = rng.pick(&["", "", "", "=Q"]);
            if piece.is_empty() || piece.ends_with('x') {
                format!("{piece}{square}{end}")
            } else {
                format!("{piece}{mark}{square}")
            }
        }
        // A pseudo-legal move.
        1 | 2 => {
            let own: Vec<Square> = position.us().into_iter().collect();
            let from = rng.pick(&own);
            let targets: Vec<Square> = (position.board().attacks_from(from) & !position.us())
                .into_iter()
                .collect();
            let role = position.board().role_at(from).expect("it is one of ours");
            match targets.len() {
                0 => sound(rng),
                count => {
                    let to = targets[rng.below(count)];
                    let mark = if position.them().contains(to) {
                        "x"
                    } else {
                        ""
                    };
                    match role {
                        Role::Pawn => format!("{}x{to}", from.file().char()),
                        _ if rng.once_in(2) => format!("{}{from}{mark}{to}", role.upper_char()),
                        _ => format!("{}{mark}{to}", role.upper_char()),
                    }
                }
            }
        }
        3 => rng.pick(&["O-O", "O-O-O", "0-0", "0-0-0"]).to_owned(),
        // A legal move, possibly ambiguous, with a missing or extra x.
        4 => sound(rng),
        5 => {
            let word = sound(rng);
            if word.contains('x') {
                word.replace('x', "")
            } else if word.contains('=') {
                word[..word.len() - 2].to_owned()
            } else {
                rng.pick(&["=Q", "=N", "+", "x"])
                    .chars()
                    .fold(word, |word, letter| word + &letter.to_string())
            }
        }
        // A legal move with a character changed, added or removed.
        _ => {
            let mut letters: Vec<char> = sound(rng).chars().collect();
            let at = rng.below(letters.len());
            let alphabet: Vec<char> = "abcdefgh12345678KQRBNPx=O0-+#!?.19ixé♞\t\u{1b}"
                .chars()
                .collect();
            let letter = rng.pick(&alphabet);
            match rng.below(3) {
                0 => letters[at] = letter,
                1 => letters.insert(at, letter),
                _ => {
                    letters.remove(at);
                }
            }
            letters.into_iter().collect()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Both implementations agree on any text.
    #[test]
    fn any_text(text in any::<String>(), moves in "( {0,2}[a-hKQRBNOx0-9=é-]{0,6}){0,4}[\\n\\r]?") {
        static NOTATION: LazyLock<Notation> = LazyLock::new(Notation::new);
        for game in [text, moves] {
            prop_assert_eq!(crate::text(&game), NOTATION.judge(&game), "{:?}", game);
        }
    }

    /// Any bytes give some output.
    #[test]
    fn any_bytes(bytes in any::<Vec<u8>>()) {
        prop_assert!(!crate::answer(&bytes[..]).is_empty());
    }
}
