//! Repairing files loses no game and adds none, whatever is in them.
//!
//! `TABIYA_FIX_CASES=1000000 TABIYA_FIX_SEED=7` makes a longer campaign.

use tabiya_games::{Checked, check, fix};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::Batches;

const LETTERS: PieceLetters = PieceLetters::ENGLISH;

/// Pieces of games, whole and broken.
const PIECES: [&str; 110] = [
    "1.",
    "2.",
    "1...",
    "12...",
    "7",
    "0",
    "0.",
    "007.",
    "0000",
    "2019",
    "1…",
    "…",
    ".",
    "...",
    "e4",
    "e5",
    "d4",
    "d5",
    "exd5",
    "Nf3",
    "Nc6",
    "Bb5",
    "a6",
    "O-O",
    "0-0",
    "0-0-0",
    "Qh5+",
    "Ke2",
    "f3",
    "g4",
    "Qh4#",
    "e8=Q",
    "e2e4",
    "g1f3",
    "b8c6",
    "e2-e4",
    "Ng1-f3",
    "e9",
    "hello",
    "Sf3",
    "--",
    "Z0",
    "@@@@",
    "e.p.",
    "=",
    "+-",
    "1-0",
    "0-1",
    "1/2-1/2",
    "1/2",
    "*",
    "1:0",
    "\u{2605}",
    "{ comment }",
    "{",
    "}",
    "{a {b} c}",
    "{a {b} c {d} e}",
    "{ a { b }",
    "{}",
    "{a\nb}",
    "{\n\n",
    "{ [%clk 0:05:00] }",
    "{ [Event \"x\"] }",
    "{\n[Event \"x\"] }",
    "; comment\n",
    ";",
    "; a } b\n",
    "(",
    ")",
    "((",
    "$1",
    "$14",
    "\\$14",
    "$256",
    "$",
    "!",
    "?!",
    "!!",
    "%",
    "\n%for programs\n",
    "\n% } {\n",
    "%x",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    " ",
    "\0",
    "\u{feff}",
    "\x1a",
    "\u{b}",
    "[Event \"a\"]\n",
    "\n[Event \"b\"]\n",
    "  [Event \"c\"]\n",
    "[Site \"s\"]\n",
    "[White \"A\"]\n",
    "\n\n[White \"B\"]\n",
    "  [Black \"B\"]\n",
    "[Result \"0-1\"]\n",
    "[Result \"1-0\"]\n",
    "[White \"a\\\"]\n",
    "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n",
    "[FEN \"x\"]\n",
    "[Variant \"Atomic\"]\n",
    "[Event",
    "[Site \"open\n",
    "[",
    "]",
];

/// Whole games, among which the pieces are strewn.
const GAMES: [&str; 5] = [
    "[Event \"?\"]\n[Site \"?\"]\n\n1. e4 e5 2. Nf3 (2. Bc4 { old } Nf6) 2... Nc6 1-0\n\n",
    "1. d4 d5 2. c4 {gambit} e6 1/2-1/2\n\n",
    "[White \"A\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n",
    "[Event \"x\"]\n\n1. e4 c5\n",
    "{ before } 1. c4 *\n; after\n",
];

/// A generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn text(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..=self.below(24) {
            let piece = match self.below(6) {
                0 => GAMES[self.below(GAMES.len())],
                _ => PIECES[self.below(PIECES.len())],
            };
            text.extend_from_slice(piece.as_bytes());
            let gap = ["", " ", " ", "\n"][self.below(4)];
            text.extend_from_slice(gap.as_bytes());
        }
        // Damage some bytes.
        if self.below(4) == 0 {
            for _ in 0..=self.below(3) {
                let at = self.below(text.len());
                match self.below(3) {
                    0 => text[at] = self.below(256) as u8,
                    1 if text.len() > 1 => drop(text.remove(at)),
                    _ => text.truncate(at.max(1)),
                }
            }
        }
        text
    }
}

fn in_batches(text: &[u8], size: usize) -> (Checked, Vec<u8>) {
    work_on(Batches::new(text, size))
}

fn work_on(batches: Batches<&[u8]>) -> (Checked, Vec<u8>) {
    let mut sum = Checked::default();
    let mut fixed = Vec::new();
    for batch in batches {
        let batch = batch.unwrap();
        let checked = check(&batch, &LETTERS);
        sum.games += checked.games;
        sum.moves += checked.moves;
        sum.broken.extend(checked.broken);
        fixed.extend(fix(&batch, &LETTERS).text);
    }
    (sum, fixed)
}

/// Fixes a text, and says what is wrong with the outcome.
fn complaint(text: &[u8]) -> Option<String> {
    let (before, fixed) = in_batches(text, 1 << 20);
    let (after, again) = in_batches(&fixed, 1 << 20);
    let (small, _) = in_batches(text, 64);
    let counts = |checked: &Checked| (checked.games, checked.moves, checked.broken.len());
    let (text, fixed, again) = (
        text.escape_ascii().to_string(),
        fixed.escape_ascii().to_string(),
        again.escape_ascii().to_string(),
    );
    let (before, after, small) = (counts(&before), counts(&after), counts(&small));
    if before != after {
        return Some(format!(
            "{before:?} is now {after:?}: {text}\nbecame {fixed}\n"
        ));
    }
    if fixed != again {
        return Some(format!("{text}\nbecame {fixed}\nand then {again}\n"));
    }
    (before != small).then(|| format!("{before:?}, but {small:?} in small batches: {text}\n"))
}

#[test]
fn fixing_keeps_games_and_moves_and_is_done_once() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let mut random = Random(number("TABIYA_FIX_SEED", 0) ^ 0x9e37_79b9_7f4a_7c15);
    let texts = (0..number("TABIYA_FIX_CASES", 30_000)).map(|_| random.text());
    let complaints: Vec<String> = texts.filter_map(|text| complaint(&text)).take(10).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn odd_files_are_fixed_once() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../notation/tests/odd");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read(entry.unwrap().path()).unwrap();
        assert_eq!(complaint(&text), None);
        files += 1;
    }
    assert!(files > 70);
}

/// Each of these once lost a game, added one, or changed when it was fixed again.
#[test]
fn old_failures_stay_fixed() {
    for text in [
        "1. e4 e5 *\n",
        "1. e4 e5 *\n1.",
        "* % not a line for programs\n1. e4 *",
        "1. e4 Ke9 {open *\n\n1. d4 d5 {x} *",
        "[Event \"a\"]\n[Event \"b\"]\n[Site \"s\"]\n[Site \"t\"]\n\n1. e4 *",
        "1. e4 {a {b} c} e5 ; } {\n*",
        "\u{feff}%x\n1. e4 *",
        "1. e4 *\n\n[Event 0\n\n[Event ",
    ] {
        assert_eq!(complaint(text.as_bytes()), None);
    }
}

/// What `fix` adds to a piece, it adds to every piece of a large file, and again the next time.
#[test]
fn games_above_the_limit_and_seas_of_blanks_are_fixed_once() {
    let game = "[Event \"?\"]\n\n1. e4 *\n\n";
    let seas = ["\0", " ", "\n", "\r\n", "\t \0\n", "\u{1}"];
    let seas = seas.map(|blank| blank.repeat(50_000 / blank.len()));
    let giants = [
        format!("{}\n", "hello world\n".repeat(4_000)),
        format!(
            "[Event \"giant\"]\n\n1. e4 {{{}}} *\n\n",
            "x".repeat(50_000)
        ),
        format!("\n\r\n \n1. e4 {{{}}} *", "x".repeat(50_000)),
    ];
    for large in seas.iter().chain(&giants) {
        for text in [
            large.clone(),
            format!("{large}{game}"),
            format!("{game}{large}"),
            format!("{game}{large}{game}"),
            format!("1. e4 *{large}\n{game}{large}{large}{game}"),
            format!("1. e4 * %{large}"),
            format!("{}{large}", seas[0]),
            format!("\u{feff}{large}{game}"),
        ] {
            let batches = |text| work_on(Batches::new(text, 64).with_max_game(10_000));
            let (before, fixed) = batches(text.as_bytes());
            let (after, again) = batches(&fixed);
            let start: String = text.chars().take(60).collect();
            assert!(fixed == again, "{start:?} changes when it is fixed again");
            let counts = |checked: &Checked| (checked.games, checked.moves, checked.broken.len());
            assert_eq!(counts(&before), counts(&after), "{start:?}");
        }
    }
}
