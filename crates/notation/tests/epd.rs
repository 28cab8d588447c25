//! EPD lines survive a round trip, their errors have a place, and the moves and mates of test positions are right.

#[path = "../../board/tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::Path;

use common::{Rng, Start, random_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tabiya_board::{Board, Move, Setup};
use tabiya_notation::{Dialect, Epd, EpdError, Operand, Operation, parse_san};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

#[track_caller]
fn epd(line: &str) -> Epd {
    line.parse()
        .unwrap_or_else(|error: EpdError| panic!("{line}: {error}"))
}

fn quoted(text: &str) -> Operand {
    Operand::Quoted(text.to_owned())
}

fn symbol(text: &str) -> Operand {
    Operand::Symbol(text.to_owned())
}

#[test]
fn operations_are_read() {
    type Operations<'a> = &'a [(&'a str, &'a [Operand])];
    let cases: [(&str, Operations); 12] = [
        ("", &[]),
        (" ", &[]),
        (" ;;", &[]),
        ("bm e4;", &[("bm", &[symbol("e4")])]),
        // The last semicolon is often forgotten.
        ("bm e4 Nf3", &[("bm", &[symbol("e4"), symbol("Nf3")])]),
        ("noop;", &[("noop", &[])]),
        (
            "id \"a; b\"; c0 \"\";",
            &[("id", &[quoted("a; b")]), ("c0", &[quoted("")])],
        ),
        (
            r#"id "say \"hi\" \\ \x";"#,
            &[("id", &[quoted(r#"say "hi" \ x"#)])],
        ),
        ("c0 \"ü ♘\";", &[("c0", &[quoted("ü ♘")])]),
        (
            "pv e4 e5;acd 12;ce -35;",
            &[
                ("pv", &[symbol("e4"), symbol("e5")]),
                ("acd", &[symbol("12")]),
                ("ce", &[symbol("-35")]),
            ],
        ),
        (
            "x \"a\"b c\"d;",
            &[("x", &[quoted("a"), symbol("b"), symbol("c\"d")])],
        ),
        ("bm\te4\u{a0};\r", &[("bm", &[symbol("e4")])]),
    ];
    for (text, wanted) in cases {
        let read = epd(&format!("{START} {text}"));
        assert_eq!(read.board, Board::start());
        let operations: Vec<(&str, &[Operand])> = read
            .operations
            .iter()
            .map(|operation| (operation.opcode.as_str(), &operation.operands[..]))
            .collect();
        assert_eq!(operations, wanted, "{text}");
        assert_eq!(epd(&read.to_string()), read, "{text}");
    }
    assert_eq!(epd(START), Epd::new(Board::start()));
}

#[test]
fn operations_are_found_by_their_names() {
    let read = epd(&format!("{START} bm e4 d4; id \"x\"; noop; bm c4;"));
    assert_eq!(read.operand("bm"), Some("e4"));
    assert_eq!(read.operand("id"), Some("x"));
    assert_eq!(read.operand("noop"), None);
    assert_eq!(read.operand("am"), None);
    let best = read.operation("bm").unwrap();
    assert_eq!(best.operands, [symbol("e4"), symbol("d4")]);
    assert_eq!(best.to_string(), "bm e4 d4;");
}

#[test]
fn clocks_are_read_from_fields_or_operations() {
    let clocks = |line: &str| {
        let board = epd(line).board;
        (board.halfmove_clock(), board.fullmove_number())
    };
    let position = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    for (rest, wanted) in [
        ("", (0, 1)),
        ("hmvc 7; fmvn 30;", (7, 30)),
        ("fmvn 30; bm Ke7;", (0, 30)),
        ("hmvc 7;", (7, 1)),
        ("7 30", (7, 30)),
        ("7 30 bm Ke7;", (7, 30)),
        // The two numbers of a FEN count more.
        ("7 30 hmvc 1; fmvn 2;", (7, 30)),
        ("hmvc 300; fmvn 30;", (300, 30)),
        // What no board has is left out.
        ("hmvc 4096; fmvn 30;", (0, 30)),
        ("hmvc 7; fmvn 0;", (7, 1)),
        ("hmvc x; fmvn;", (0, 1)),
    ] {
        let line = format!("{position} {rest}");
        assert_eq!(clocks(&line), wanted, "{rest}");
        // The clocks come back, and so does the text that was written.
        let written = epd(&line).to_string();
        assert_eq!(clocks(&written), wanted, "{rest} as {written}");
        assert_eq!(epd(&written).to_string(), written);
    }
    assert_eq!(
        epd(&format!("{position} 7 30 bm Ke7;")).to_string(),
        format!("{position} bm Ke7; hmvc 7; fmvn 30;")
    );
    let line = format!("{position} hmvc 7; bm Ke7; fmvn 30;");
    assert_eq!(epd(&line).to_string(), line);
}

#[test]
fn errors_have_place_and_reason() {
    let cases = [
        ("", "the pieces are missing (character 1)"),
        ("8/8 w - -", "there are 2 ranks instead of 8 (character 4)"),
        (
            "4k3/8/8/8/8/8/8/4K3 x - - bm Ke2;",
            "cannot read the side to move: write w or b (character 21)",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - bm Ke2;", "Black has no king"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 4096 1",
            "the halfmove clock is 4096, but it can be at most 4095",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"open;",
            "the quotation mark at character 38 is never closed",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - id \"\\\"",
            "the quotation mark at character 30 is never closed",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - \"x\";",
            "an operation must start with a letter, not '\"' (character 27)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; 7;",
            "an operation must start with a letter, not '7' (character 35)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 7 bm Ke2;",
            "an operation must start with a letter, not '7' (character 27)",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - é;",
            "an operation must start with a letter, not 'é' (character 27)",
        ),
    ];
    for (line, sentence) in cases {
        let error = line.parse::<Epd>().unwrap_err();
        assert_eq!(error.to_string(), sentence, "{line}");
    }
}

/// A board of a random game, without its clocks.
fn any_board() -> impl Strategy<Value = Board> {
    (any::<u64>(), prop::sample::select(Start::ALL.to_vec())).prop_map(|(seed, start)| {
        let mut last = Board::start();
        random_game(&mut Rng::new(seed), start, |_, board| last = *board);
        let setup = Setup {
            halfmove_clock: 0,
            fullmove_number: 1,
            ..last.setup()
        };
        Board::new(&setup).unwrap()
    })
}

fn any_operation() -> impl Strategy<Value = Operation> {
    let operand = prop_oneof![
        any::<String>().prop_map(Operand::Quoted),
        "[ -~\n]{0,30}".prop_map(Operand::Quoted),
        "[!#-:<-~é][!-:<-~é]{0,8}".prop_map(Operand::Symbol),
    ];
    (
        "[A-Za-gi-z][!-:<-~]{0,6}",
        prop::collection::vec(operand, 0..4),
    )
        .prop_map(|(opcode, operands)| Operation { opcode, operands })
}

/// Proptest with the same cases on every run.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x000e_bd00),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Whatever is said about a position comes back.
    #[test]
    fn lines_survive_a_round_trip(
        board in any_board(),
        operations in prop::collection::vec(any_operation(), 0..5),
    ) {
        let is_clock = |operation: &Operation| ["hmvc", "fmvn"].contains(&operation.opcode.as_str());
        prop_assume!(!operations.iter().any(is_clock));
        let written = Epd { board, operations };
        let line = written.to_string();
        prop_assert_eq!(line.parse(), Ok(written), "{}", line);
    }

    /// The clocks of any board come back with it.
    #[test]
    fn clocks_survive_a_round_trip(seed in any::<u64>()) {
        random_game(&mut Rng::new(seed), Start::Sparse, |_, board| {
            let line = Epd::new(*board).to_string();
            assert_eq!(epd(&line).board, *board, "{line}");
        });
    }

    /// Nothing makes the reader panic, and what it reads comes back.
    #[test]
    fn any_line_is_an_epd_or_an_error(
        rest in "([ -~é\\\\\"; ]|bm |id \"|hmvc |fmvn |[0-9] ){0,20}",
        position in prop_oneof![Just(START), Just("4k3/8/8/8/8/8/8/4K3 b - -"), Just("")],
    ) {
        let line = format!("{position} {rest}");
        match line.parse::<Epd>() {
            Ok(read) => {
                let written = read.to_string();
                let again = epd(&written);
                prop_assert_eq!(again.board, read.board, "{}", line);
                prop_assert_eq!(again.to_string(), written, "{}", line);
            }
            Err(EpdError::InvalidOpcode { at, found }) => prop_assert!(line[at..].starts_with(found)),
            Err(EpdError::UnclosedQuote { at }) => prop_assert!(line[at..].starts_with('"')),
            Err(EpdError::Position(error)) => prop_assert!(line.is_char_boundary(error.at)),
            Err(error) => panic!("{error} is new"),
        }
    }

    /// The same for any text at all.
    #[test]
    fn any_text_is_an_epd_or_an_error(text in any::<String>()) {
        if let Err(error) = text.parse::<Epd>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

/// The positions in the repository.
const POSITIONS: &str = include_str!("data/positions.epd");

/// Returns the lines of our own positions, and of all files in a folder outside the project if it is there.
fn suite(folder: &str) -> Vec<String> {
    let mut lines: Vec<String> = POSITIONS.lines().map(str::to_owned).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(folder);
    let files = match fs::read_dir(&path) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            return lines;
        }
    };
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "epd") {
            let text = fs::read_to_string(path).unwrap();
            let filled = text.lines().filter(|line| !line.trim().is_empty());
            lines.extend(filled.map(str::to_owned));
        }
    }
    lines
}

/// Parses the moves of an operation.
fn moves_of(read: &Epd, opcode: &str, line: &str) -> Vec<Move> {
    let operations = read.operations.iter();
    let operations = operations.filter(|operation| operation.opcode == opcode);
    let operands: Vec<&Operand> = operations
        .flat_map(|operation| &operation.operands)
        .collect();
    let parse = |operand: &&Operand| {
        let text = operand.as_str();
        let mv = parse_san(text, &read.board, Dialect::Import);
        mv.unwrap_or_else(|error| panic!("{text}: {error} in {line}"))
    };
    operands.iter().map(parse).collect()
}

#[test]
fn best_and_bad_moves_of_suites_are_legal() {
    let mut moves = 0;
    for line in suite("suites") {
        let read = epd(&line);
        assert_eq!(epd(&read.to_string()), read, "{line}");
        let best = moves_of(&read, "bm", &line);
        let bad = moves_of(&read, "am", &line);
        assert!(!best.is_empty() || !bad.is_empty(), "{line}");
        assert!(read.operand("id").is_some(), "{line}");
        moves += best.len() + bad.len();
    }
    assert!(moves >= 20, "only {moves} moves");
}

/// Whether a player can mate in this many moves, by trying everything.
fn can_mate(board: &Board, moves: u32) -> bool {
    board.legal_moves().into_iter().any(|mv| {
        let after = board.after(mv);
        let mut replies = after.legal_moves().into_iter();
        if !after.has_legal_move() {
            return after.is_check();
        }
        moves > 1 && replies.all(|reply| can_mate(&after.after(reply), moves - 1))
    })
}

#[test]
fn mates_of_our_positions_are_exact() {
    let mut mates = 0;
    for line in POSITIONS.lines() {
        let read = epd(line);
        let Some(length) = read.operand("dm") else {
            continue;
        };
        let length: u32 = length.parse().unwrap();
        assert!(can_mate(&read.board, length), "{line}");
        assert!(length == 1 || !can_mate(&read.board, length - 1), "{line}");
        for best in moves_of(&read, "bm", line) {
            let after = read.board.after(best);
            let is_mate = after.is_check() && !after.has_legal_move();
            assert_eq!(is_mate, length == 1, "{line}");
        }
        mates += 1;
    }
    assert!(mates >= 10, "only {mates} mates");
}

#[test]
fn mates_of_suites_have_a_length() {
    for line in suite("mates") {
        let read = epd(&line);
        if let Some(length) = read.operand("dm") {
            let length: u32 = length.parse().unwrap();
            assert!((1..=5).contains(&length), "{line}");
            assert!(read.board.has_legal_move(), "{line}");
        }
        assert_eq!(epd(&read.to_string()), read, "{line}");
    }
}
