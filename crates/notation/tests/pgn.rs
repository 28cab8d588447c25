//! PGN: odd files, broken games after which the next one is read, streams split anywhere, hostile input, and games that
//! survive a round trip.

#[path = "../../board/tests/common/mod.rs"]
mod common;
#[path = "pgn/hostile.rs"]
mod hostile;
#[path = "pgn/odd_files.rs"]
mod odd_files;
#[path = "pgn/properties.rs"]
mod properties;
#[path = "pgn/round_trips.rs"]
mod round_trips;
#[path = "pgn/streams.rs"]
mod streams;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use common::Rng;
use odd_files::ODD;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use streams::{check_batches, escaped};
use tabiya_board::{Board, Move, Rank, Role};
use tabiya_notation::GameResult;
use tabiya_notation::Score;
use tabiya_notation::pgn::{
    Batches, Event, Game, GameErrorKind, NodeId, Reader, SyntaxError, clock, commands, decode,
    decode_tag, elapsed, eval,
};
use tabiya_notation::{Dialect, PieceLetters, San, write_san};

/// The bytes of one of the odd files.
#[track_caller]
fn odd(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/odd")
        .join(format!("{name}.pgn"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of all odd files.
fn odd_names() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/odd");
    fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".pgn")?.to_owned())
        })
        .collect()
}

/// Returns all games of a text, each on one line: as it is written, or its error with line and column.
fn games(text: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        games.push(match game {
            Ok(game) => {
                let written = game.to_string();
                // Without the tags that the writer adds.
                let is_added = |line: &&str| {
                    let name = line.strip_prefix('[').and_then(|tag| tag.split(' ').next());
                    name.is_some_and(|name| game.tag(name).is_none())
                };
                let tags = written
                    .split_inclusive('\n')
                    .take_while(|line| line.starts_with('['));
                let added: Vec<&str> = tags.filter(is_added).collect();
                let words = added
                    .iter()
                    .fold(written.clone(), |text, tag| text.replacen(tag, "", 1));
                let words: Vec<&str> = words.split_ascii_whitespace().collect();
                let missing = game.result.map_or(" (no result)", |_| "");
                format!("{}{missing}", words.join(" "))
            }
            Err(error) => {
                let (line, column) = reader.line_and_column(error.offset);
                format!("{line}:{column} {}", error.kind)
            }
        });
    }
    games
}

/// The last game of every odd file, unless the file ends too early.
const NEXT: &str = r#"[Event "Next"] 1. d4 d5 2. c4 1-0"#;

/// The result of a game as one word.
fn result(result: Option<GameResult>) -> &'static str {
    result.map_or("none", GameResult::as_str)
}

/// An event in a few words.
fn shown(event: Event<'_>) -> String {
    match event {
        Event::Tag { name, value } => format!("[{} {}]", decode(name), decode(value)),
        Event::Move(token) => decode(token.text).into_owned(),
        Event::NullMove => "null".to_owned(),
        Event::Nag(nag) => format!("${nag}"),
        Event::Comment(comment) => format!("{{{}}}", decode(comment)),
        Event::VariationStart => "(".to_owned(),
        Event::VariationEnd => ")".to_owned(),
        Event::Error(SyntaxError::Word(word)) => format!("word<{}>", decode(word)),
        Event::Error(SyntaxError::Tag(tag)) => format!("tag<{}>", decode(tag)),
        Event::Error(SyntaxError::UnclosedComment) => "unclosed{".to_owned(),
        Event::Error(SyntaxError::UnclosedVariation) => "unclosed(".to_owned(),
        Event::Error(SyntaxError::Unopened(byte)) => format!("unopened{}", byte as char),
        Event::Error(problem) => panic!("{problem:?} is new"),
        Event::End(end) => format!("end<{}>", result(end)),
        other => panic!("{other:?} is new"),
    }
}

/// All events of a text.
fn events(text: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(text);
    std::iter::from_fn(|| reader.next()).map(shown).collect()
}

#[test]
fn events_come_one_by_one() {
    let cases: [(&str, &str); 60] = [
        ("", ""),
        (" \n\t", ""),
        ("*", "end<*>"),
        ("1-0", "end<1-0>"),
        ("e4", "e4 end<none>"),
        ("1.e4 e5 2.Nf3*", "e4 e5 Nf3 end<*>"),
        ("1. e4! e5?! 2. Nf3$14 *", "e4 $1 e5 $6 Nf3 $14 end<*>"),
        ("e4!!! *", "e4 $3 $1 end<*>"),
        (
            "e4+ Nbd7# exd8=Q+ O-O-O# 0-0 *",
            "e4+ Nbd7# exd8=Q+ O-O-O# 0-0 end<*>",
        ),
        ("-- Z0 @@@@ *", "null null null end<*>"),
        ("{a}{b} e4{c}e5 {d} *", "{a} {b} e4 {c} e5 {d} end<*>"),
        ("e4 ;to the end\ne5 *", "e4 {to the end} e5 end<*>"),
        ("e4 ; no line break", "e4 { no line break} end<none>"),
        ("(e4 (d4) c4) *", "( e4 ( d4 ) c4 ) end<*>"),
        ("e4(d4)(c4)*", "e4 ( d4 ) ( c4 ) end<*>"),
        // Words that are moves in real files.
        (
            "e2-e4 e7e5 Ng1-f3 ♞c6 Pd4 e:d4 *",
            "e2-e4 e7e5 Ng1-f3 ♞c6 Pd4 e:d4 end<*>",
        ),
        (
            "exd6 e.p. exd6e.p. exd6ep *",
            "exd6 {e.p.} exd6e.p. exd6ep end<*>",
        ),
        (
            "bxa8(Q) bxa8(Q)+ b8 =N b8 =N# b8(=R)! *",
            "bxa8(Q) bxa8(Q)+ b8 =N b8 =N# b8(=R) $1 end<*>",
        ),
        ("b8 =x b8 = *", "b8 word<=x> b8 {=} end<*>"),
        ("b8 (Qd1) *", "b8 ( Qd1 ) end<*>"),
        ("Nf3?! e4? *", "Nf3 $6 e4 $2 end<*>"),
        ("Nf3) *", "Nf3 unopened) end<*>"),
        // Numbers.
        ("1 e4 1. e5 2.Nf3 2...Nc6 3. ... *", "e4 e5 Nf3 Nc6 end<*>"),
        ("1… e5 2…Nc6 … 12…", "e5 Nc6 end<none>"),
        ("0. 0... 007. *", "end<*>"),
        ("000 0 00 *", "word<000> word<0> word<00> end<*>"),
        ("e4 0000 e5 0000 *", "e4 null e5 null end<*>"),
        ("e4 2019 e5 *", "e4 word<2019> e5 end<*>"),
        ("1 e4 12 { a } e5 2 *", "e4 { a } e5 end<*>"),
        ("1 2 e4 3", "word<1> e4 word<3> end<none>"),
        ("1st 2- 3/ *", "word<1st> word<2-> word<3/> end<*>"),
        // Results.
        ("e4 1/2-1/2 d4 1/2", "e4 end<1/2-1/2> d4 end<1/2-1/2>"),
        (
            "e4 0.5-0.5 d4 1:0 c4 0:1",
            "e4 end<1/2-1/2> d4 end<1-0> c4 end<0-1>",
        ),
        ("e4 1-0{c} d4 0-1;c", "e4 end<1-0> {c} d4 end<0-1>"),
        ("e4 1-0x *", "e4 word<1-0x> end<*>"),
        ("(e4 1-0) *", "( e4 {1-0} ) end<*>"),
        ("(e4 1-0", "( e4 unclosed( end<1-0>"),
        (
            "(e4 *\n\n[Site \"\"]",
            "( e4 unclosed( end<*> [Site ] end<none>",
        ),
        ("((e4", "( ( e4 unclosed( end<none>"),
        // Tags.
        ("[A \"b\"]", "[A b] end<none>"),
        ("[A \"b\"]*[C \"d\"]", "[A b] end<*> [C d] end<none>"),
        ("[A \"b\\\"c\\\\\"]", "[A b\\\"c\\\\] end<none>"),
        ("[A\"b\"]", "[A b] end<none>"),
        ("[A \"b]", "tag<[A \"b]> end<none>"),
        ("[A \"b\nc\"]", "[A b\nc] end<none>"),
        ("[A \"b\n\nc\"] *", "tag<[A \"b> word<c\"]> end<*>"),
        ("[A \"b\n [C \"d\"]", "tag<[A \"b> [C d] end<none>"),
        ("[A \"b\" c]\n[D \"e\"]", "tag<[A \"b\" c]> [D e] end<none>"),
        (
            "[A b]\n[C]\n[]\n[",
            "tag<[A b]> tag<[C]> tag<[]> tag<[> end<none>",
        ),
        ("e4 [A \"b\"] *", "e4 word<[A> word<\"b\"]> end<*>"),
        ("e4\n[A \"b\"] *", "e4 end<none> [A b] end<*>"),
        (
            "[Event \"a\"][Event \"b\"]",
            "[Event a] [Event b] end<none>",
        ),
        // Comments that do not end, and between games.
        ("{a", "unclosed{ end<none>"),
        (
            "(e4 {a\n[Event \"b\"]",
            "( e4 unclosed{ end<none> [Event b] end<none>",
        ),
        (
            "e4 {a *\n\n1. d4 {b *\n\n1. c4 *",
            "e4 unclosed{ end<none> d4 unclosed{ end<none> c4 end<*>",
        ),
        ("e4 {a *\n\n1. d4 } *", "e4 {a *\n\n1. d4 } end<*>"),
        ("e4 } *", "e4 unopened} end<*>"),
        ("{a};b\n[A \"b\"] * {c} ;d\n%e", "[A b] end<*>"),
        ("* {c} e4 *", "end<*> {c} e4 end<*>"),
        ("%a\ne4 % *\n%b *\n", "e4 word<%> end<*>"),
    ];
    for (text, wanted) in cases {
        assert_eq!(events(text.as_bytes()).join(" "), wanted, "{text:?}");
    }
    // Latin-1 is no UTF-8, and never a reason to stop.
    assert_eq!(
        events(b"e4 \xe9 \xff\xfe {\xe9} *").join(" "),
        "e4 word<é> word<ÿþ> {é} end<*>"
    );
}

#[test]
fn reader_and_san_parse_moves_alike() {
    // The fast path reads up to a space, the general one the whole word.
    let mut words: Vec<String> = Vec::new();
    for role in ["", "N", "B", "R", "Q", "K", "P"] {
        for from in ["", "a", "h", "1", "8", "a1", "x", "ax", "1x", "a1x"] {
            for to in ["a1", "h8", "e4", "d7", "i1", "a9", "e", "4"] {
                for end in [
                    "", "+", "#", "=Q", "=N+", "=K", "=P", "=", "++", "+#", "=Q#!",
                ] {
                    words.push(format!("{role}{from}{to}{end}"));
                }
            }
        }
    }
    words.extend(["O-O", "O-O-O", "O-O+", "O-O-O#", "o-o"].map(str::to_owned));
    // Digits before a move are its number.
    words.retain(|word| !word.starts_with(|next: char| next.is_ascii_digit()));
    let mut moves = 0;
    for word in &words {
        let text = format!("{word} ");
        let event = Reader::new(text.as_bytes()).next().unwrap();
        let plain = word.trim_end_matches('!');
        match (event, San::parse(plain, Dialect::Import)) {
            (Event::Move(token), Ok(san)) => {
                assert_eq!(token.san, san, "{word}");
                assert_eq!(token.text, plain.as_bytes());
                moves += 1;
            }
            (Event::Error(SyntaxError::Word(found)), Err(_)) => assert_eq!(found, plain.as_bytes()),
            (event, read) => panic!("{word} is {event:?}, but {read:?}"),
        }
    }
    assert!(moves > 1000, "only {moves} of {} are moves", words.len());
}

#[test]
fn a_game_can_be_skipped() {
    for (name, _) in ODD {
        let text = odd(name);
        let (mut whole, mut skipping) = (Reader::new(&text), Reader::new(&text));
        while let Some(first) = whole.next() {
            assert_eq!(skipping.next(), Some(first), "{name}");
            let mut last = first;
            while !matches!(last, Event::End(_)) {
                last = whole.next().unwrap();
            }
            if !matches!(first, Event::End(_)) {
                skipping.skip_game();
                assert_eq!(skipping.next(), Some(last), "{name}");
            }
            assert_eq!(skipping.offset(), whole.offset(), "{name}");
            assert_eq!(skipping.event_offset(), whole.event_offset(), "{name}");
        }
        assert_eq!(skipping.next(), None, "{name}");
    }
}

#[test]
fn places_are_lines_and_characters() {
    let text = "\u{feff}ab\né♘c\r\nd\re\n".as_bytes();
    let reader = Reader::new(text);
    let place = |wanted: &str| {
        let at = text
            .windows(wanted.len())
            .position(|window| window == wanted.as_bytes());
        reader.line_and_column(at.unwrap())
    };
    assert_eq!(place("a"), (1, 1));
    assert_eq!(place("b"), (1, 2));
    assert_eq!(place("é"), (2, 1));
    assert_eq!(place("♘"), (2, 2));
    assert_eq!(place("c"), (2, 3));
    assert_eq!(place("d"), (3, 1));
    assert_eq!(place("e"), (4, 1));
    assert_eq!(reader.line_and_column(text.len()), (5, 1));
    assert_eq!(reader.line_and_column(usize::MAX), (5, 1));
    // Latin-1: every byte is a character.
    let reader = Reader::new(b"\xb4\xbc\xe9a");
    assert_eq!(reader.line_and_column(3), (1, 4));
}

#[test]
fn commands_in_comments_are_parsed() {
    let clocks = [
        ("[%clk 1:05:00]", Some(3_900_000)),
        ("[%clk 0:00:00.5]", Some(500)),
        ("[%clk 5:01]", Some(301_000)),
        ("[%clk 7]", Some(7_000)),
        ("fine move [%eval 1.0][%clk 0:01:00] indeed", Some(60_000)),
        ("[%clk\n0:01:00]", Some(60_000)),
        ("[%foo [%clk 0:01:00]", Some(60_000)),
        ("[%clk]", None),
        ("[%clk -1:00]", None),
        ("[%clk nan]", None),
        ("[%clk inf]", None),
        ("[%clk 1e300:0:0]", None),
        ("[%clk 0:01:00", None),
        ("%clk 0:01:00]", None),
        ("[%clock 0:01:00]", None),
        ("", None),
    ];
    for (comment, milliseconds) in clocks {
        let wanted = milliseconds.map(Duration::from_millis);
        assert_eq!(clock(comment), wanted, "{comment}");
        assert_eq!(elapsed(&comment.replace("clk", "emt")), wanted, "{comment}");
    }
    let evals = [
        ("[%eval 0.17]", Some(Score::Cp(17))),
        ("[%eval -3]", Some(Score::Cp(-300))),
        ("[%eval +1.5,20]", Some(Score::Cp(150))),
        ("[%eval #3]", Some(Score::Mate(3))),
        ("[%eval #-12,30]", Some(Score::Mate(-12))),
        ("[%eval #]", None),
        ("[%eval nan]", None),
        ("[%eval]", None),
    ];
    for (comment, wanted) in evals {
        assert_eq!(eval(comment), wanted, "{comment}");
    }
    let found: Vec<_> = commands("[%csl Ga1,Rb2] a [%cal Gc1d2][%x]").collect();
    let found: Vec<_> = found.iter().map(|one| (one.name, one.value)).collect();
    assert_eq!(found, [("csl", "Ga1,Rb2"), ("cal", "Gc1d2"), ("x", "")]);
}

#[test]
fn tag_values_are_unescaped() {
    for (raw, plain) in [
        ("plain", "plain"),
        (r#"a \"b\" c"#, r#"a "b" c"#),
        (r"a\\b", r"a\b"),
        (r"\n \", r"\n \"),
        ("", ""),
    ] {
        assert_eq!(decode_tag(raw.as_bytes()), plain, "{raw}");
    }
    assert_eq!(decode_tag(b"\xe9\\\""), "é\"");
}

/// A text with something repeated.
fn repeated(unit: &str, length: usize) -> String {
    unit.repeat(length / unit.len() + 1)
}

#[test]
fn tags_may_be_long_and_many() {
    let long = repeated("x", 10_000_000);
    let text = format!("[Event \"{long}\"]\n\n1. e4 *\n\n[Event \"{NEXT}\"]\n");
    let mut reader = Reader::new(text.as_bytes());
    let game = Game::read(&mut reader).unwrap().unwrap();
    assert_eq!(game.tag("Event"), Some(long.as_str()));
    assert_eq!(game.main_line().count(), 1);
    assert!(Game::read(&mut reader).is_some() && Game::read(&mut reader).is_none());

    let mut many = String::new();
    for number in 0..100_000 {
        writeln!(many, "[Tag{number} \"{number}\"]").unwrap();
    }
    let text = format!("{many}\n1. e4 *\n");
    let game = Game::read(&mut Reader::new(text.as_bytes()))
        .unwrap()
        .unwrap();
    assert_eq!(game.tags.len(), 100_000);
    assert_eq!(game.tag("Tag99999"), Some("99999"));
    assert!(
        game.to_string()
            .ends_with(&format!("[Result \"*\"]\n{many}\n1. e4 *\n"))
    );
}

#[test]
fn lines_may_be_long() {
    // Ten megabytes of moves in one line, of a comment, and of one word.
    let shuffle = repeated("Nf3 Nf6 Ng1 Ng8 ", 10_000_000);
    let mut reader = Reader::new(shuffle.as_bytes());
    let mut moves = 0;
    let end = loop {
        match reader.next().unwrap() {
            Event::Move(_) => moves += 1,
            end => break end,
        }
    };
    assert_eq!((moves, end), (2_500_004, Event::End(None)));

    let comment = repeated("words ", 10_000_000);
    let text = format!("e4 {{{comment}}} e5 1-0 {NEXT}");
    let found = events(text.as_bytes());
    assert_eq!(found[1].len(), comment.len() + 2);
    assert_eq!(found[2..4], ["e5", "end<1-0>"]);
    assert_eq!(found.last().unwrap(), "end<1-0>");

    let word = repeated("word", 10_000_000);
    let text = format!("e4 {word} e5 1-0 {NEXT}");
    let listed = games(text.as_bytes());
    let shortened = format!("1:4 {:?} is not a move", format!("{}…", &word[..40]));
    assert_eq!(listed, [shortened.as_str(), NEXT]);
}

/// Knight moves on the first three ranks: there are always at least two.
fn knight_moves(board: &Board) -> Vec<Move> {
    let near = [Rank::First, Rank::Third].map(|rank| board.turn().relative_rank(rank));
    let quiet = |mv: &&Move| mv.role() == Role::Knight && near.contains(&mv.to().rank());
    board.legal_moves().iter().filter(quiet).copied().collect()
}

/// A game with nested variations: each replaces the last move of the one around it.
fn nested(depth: usize) -> String {
    let mut text = String::new();
    let mut board = Board::start();
    for level in 0..depth {
        let moves = knight_moves(&board);
        let (main, other) = (moves[0], moves[1]);
        let dots = if board.turn().is_white() { "." } else { "..." };
        let number = board.fullmove_number();
        let opening = if level == 0 { "" } else { " " };
        let (main, written) = (write_san(&board, main), write_san(&board, other));
        write!(
            text,
            "{opening}{number}{dots} {main} ({number}{dots} {written}"
        )
        .unwrap();
        board.play(other);
    }
    text.push_str(&")".repeat(depth));
    text.push_str(" *\n");
    text
}

#[test]
fn variations_nest_to_any_depth() {
    let depth = 10_000;
    let text = nested(depth);
    // A small stack, on which nothing could call itself so often.
    let small = std::thread::Builder::new().stack_size(128 * 1024);
    let thread = small.spawn(move || {
        let (mut level, mut deepest, mut moves) = (0_usize, 0, 0);
        for event in Reader::new(text.as_bytes()) {
            match event {
                Event::VariationStart => level += 1,
                Event::VariationEnd => level -= 1,
                Event::Move(_) => moves += 1,
                Event::End(end) => assert_eq!(end, Some(GameResult::Unknown)),
                other => panic!("{other:?}"),
            }
            deepest = deepest.max(level);
        }
        assert_eq!((level, deepest, moves), (0, depth, 2 * depth));

        let game = Game::read(&mut Reader::new(text.as_bytes()))
            .unwrap()
            .unwrap();
        assert_eq!(game.main_line().count(), 1);
        let mut place = Game::ROOT;
        for _ in 0..depth {
            assert_eq!(game.children(place).len(), 2);
            place = game.children(place).nth(1).unwrap();
        }
        assert_eq!(game.board(place).fullmove_number(), 1 + depth as u16 / 2);
        let written = game.to_string();
        check_width(&written);
        let again = Game::read(&mut Reader::new(written.as_bytes()))
            .unwrap()
            .unwrap();
        assert!(again == game, "the game is another one");
        let copy = game.clone();
        drop((game, again));
        assert_eq!(copy.to_string(), written);
    });
    thread.unwrap().join().unwrap();
}

/// Fails if a line of movetext is too long.
#[track_caller]
fn check_width(written: &str) {
    let (_, movetext) = written.split_once("\n\n").unwrap_or(("", written));
    // Lines for programs are as they are.
    for line in movetext.lines().filter(|line| !line.starts_with('%')) {
        let width = line.chars().count();
        assert!(width < 80, "{width} columns: {line}");
    }
}

/// Line breaks in a comment become spaces, and white space around it is removed.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", " ").replace(['\n', '\r'], " ");
    text.trim().to_owned()
}

/// The game that comes back from what is written of a game: with the tags and the result that the writer adds.
fn as_written(game: &Game) -> Game {
    let mut game = game.clone();
    if game.tags.is_empty() && *game.start() == Board::start() {
        game.result = game.result.or(Some(GameResult::Unknown));
    } else {
        game.standardize();
    }
    game
}

/// Reads a single game.
#[track_caller]
fn single(text: &str) -> Game {
    let mut reader = Reader::new(text.as_bytes());
    let game = Game::read(&mut reader)
        .unwrap_or_else(|| panic!("no game in {text:?}"))
        .unwrap_or_else(|error| panic!("{:?} in {text:?}", error.kind));
    assert!(Game::read(&mut reader).is_none(), "more than {text:?}");
    game
}

#[test]
fn movetext_is_wrapped() {
    let text = "[Event \"Odd\"]\n\n{ a long comment that goes over more than one line, as comments of people who annotate games do } \
        1. e4 (1. d4 {solid} (1. c4) (1. Nf3)) 1... e5 $1 {[%clk 0:01:00] and so on and so on and so on, [Event x %y} \
        2. Nf3 ;has a } in it\n 2... Nc6 (2... d6 -- (3. d4 exd4)) 3. Bb5 *";
    let wanted = "[Event \"Odd\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n\
        { a long comment that goes over more than one line, as comments of people who\n\
        annotate games do } 1. e4 (1. d4 { solid }) (1. c4) (1. Nf3) 1... e5 $1\n\
        { [%clk 0:01:00] and so on and so on and so on, [Event x %y } 2. Nf3\n\
        ; has a } in it\n\
        2... Nc6 (2... d6 3. -- (3. d4 exd4)) 3. Bb5 *\n";
    let game = single(text);
    assert_eq!(game.to_string(), wanted);
    assert_eq!(single(wanted), as_written(&game));
    assert_eq!(game.node(Game::ROOT).comments.len(), 1);
    // What may not stand at the start of a line does not, and spaces stay.
    for filler in 60..80 {
        let comment = format!("{}  [Event x  %y   z", "x".repeat(filler));
        let mut game = single("1. e4 *");
        let first = game.main_line().next().unwrap();
        game.node_mut(first).comments.push(comment.clone());
        let written = game.to_string();
        assert_eq!(single(&written), game, "{written}");
        let starts_line = |word: &str| written.lines().any(|line| line.starts_with(word));
        assert!(!starts_line("[Event") && !starts_line("%"), "{written}");
    }
}

#[test]
fn commands_in_comments_are_not_wrapped() {
    for filler in 0..70 {
        for command in [
            "[%clk 0:05:00]",
            "[%cal Ga1b2, Rc3d4, Ye5f6]",
            "so: [%csl Ga1, Rc3][%clk 0:05:00] [%eval 0.1, 20]",
            "[%unclosed in spite of all the words that may come",
        ] {
            let comment = format!("{} {command} and so on", "x".repeat(filler));
            let mut game = single("1. e4 *");
            let first = game.main_line().next().unwrap();
            game.node_mut(first).comments.push(plain(&comment));
            let written = game.to_string();
            check_width(&written);
            assert_eq!(single(&written), game, "{written}");
            let is_whole = |line: &str| line.matches("[%").count() == line.matches(']').count();
            assert!(
                !command.contains(']') || written.lines().all(is_whole),
                "{written}"
            );
        }
    }
    let long = format!("[%long {}]", "word ".repeat(100));
    let game = single(&format!("1. e4 {{{long}}} *"));
    check_width(&game.to_string());
    assert_eq!(single(&game.to_string()), game);
}

#[test]
fn escapes_are_kept() {
    let text = "% before the game\n[Event \"Odd\"]\n% among the tags \n[Site \"?\"]\n\n\
        {start}\n%before the moves\n1. e4 {50\n% no escape}\n% 1. d4 {\n%\n{best}\r\n%dos\r\n\
        (\n% of d4\n1. d4) 1... e5 ;% none\n%also of e5\n 2. Nf3 *\n% behind the game\n";
    let wanted = "[Event \"Odd\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n\
        { start }\n% among the tags \n%before the moves\n\
        1. e4 { 50 % no escape } { best }\n% 1. d4 {\n%\n%dos\n\
        (1. d4\n% of d4\n) 1... e5 { % none }\n%also of e5\n2. Nf3 *\n";
    let game = single(text);
    assert_eq!(game.to_string(), wanted);
    assert_eq!(single(&game.to_string()), as_written(&game));
    let first = game.main_line().next().unwrap();
    assert_eq!(game.node(first).escapes, [" 1. d4 {", "", "dos"]);
    assert_ne!(single(&text.replace("%dos", "%unix")), game);
}

#[test]
fn games_can_be_built_by_hand() {
    let mut game = Game::new(Board::start());
    let first = game.start().legal_moves()[0];
    let node = game.add_unchecked(Game::ROOT, Some(first));
    let other = game.add_unchecked(Game::ROOT, None);
    assert_eq!(game.parent(node), Some(Game::ROOT));
    assert_eq!(game.parent(Game::ROOT), None);
    assert_eq!(game.children(Game::ROOT).collect::<Vec<_>>(), [node, other]);
    assert_eq!(game.move_to(node), Some(first));
    assert_eq!(game.move_to(other), None);
    assert_eq!(game.board(node), Board::start().after(first));
    game.set_tag("White", "A");
    game.set_tag("Black", "B");
    game.set_tag("White", "C \"D\" \\ \n E");
    assert_eq!(
        game.to_string(),
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"C \\\"D\\\" \\\\   E\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. {} (1. --) *\n",
            write_san(&Board::start(), first)
        )
    );
    // Tags give the starting position, so that it survives a round trip.
    let board: Board = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40".parse().unwrap();
    let mut game = Game::new(board);
    game.result = Some(GameResult::Draw);
    let again = single(&game.to_string());
    assert_eq!((*again.start(), &again), (board, &as_written(&game)));
    // The order in which moves were added does not matter, but that of variations does.
    let (a, b) = (
        single("1. e4 (1. d4) 1... e5 *"),
        single("1. e4 (1. c4) e5 *"),
    );
    assert_ne!(a, b);
    let mut built = Game::new(Board::start());
    let moves = |game: &Game| {
        game.main_line()
            .map(|id| game.move_to(id))
            .collect::<Vec<_>>()
    };
    let main = built.add_unchecked(Game::ROOT, moves(&a)[0]);
    built.add_unchecked(main, moves(&a)[1]);
    built.add_unchecked(
        Game::ROOT,
        a.move_to(a.children(Game::ROOT).nth(1).unwrap()),
    );
    built.result = Some(GameResult::Unknown);
    assert_eq!(built, a);
}

/// A null move is still legal at the highest move number.
#[test]
fn null_moves_in_very_long_games() {
    let clocks = ["--", "Kd8"].map(|mv| {
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 255 32768";
        let game = single(&format!("[FEN \"{fen}\"]\n\n32768... {mv} *"));
        assert_eq!(single(&game.to_string()), as_written(&game));
        let last = game.main_line().last().unwrap();
        let board = game.board(last);
        (board.halfmove_clock(), board.fullmove_number())
    });
    assert_eq!(clocks[0], clocks[1]);
    assert_eq!(clocks[0].0, 256);
}

#[test]
fn games_in_every_language() {
    let english = "1. e4 e5 (1... d5 2. exd5 Qxd5 3. Nc3 Qd8) 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. Kh1 Rb8 6. Re1 *";
    let promotion =
        "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ (1. a8=N Kd7) (1. a8=B) (1. a8=R+) *";
    for letters in PieceLetters::all() {
        for text in [english, promotion] {
            let moves = text.rfind(']').map_or(0, |end| end + 1);
            let local = letters.localize(&text[moves..]);
            let local = format!("{}{local}", &text[..moves]);
            let mut reader = Reader::new(local.as_bytes());
            let game = Game::read_with(&mut reader, &letters).unwrap();
            assert_eq!(game, Ok(single(text)), "{local}");
        }
    }
    // The letter of a piece in English need not be one in German.
    let german: PieceLetters = "de".parse().unwrap();
    let mut reader = Reader::new(b"1. e4 e5 2. Nf3 *\n1. e4 *");
    let error = Game::read_with(&mut reader, &german).unwrap().unwrap_err();
    assert_eq!(error.offset, 12);
    assert_eq!(
        error.to_string(),
        "2. Nf3: 'N' is not a piece letter; the letters are B S L T D K (at byte 12)"
    );
    assert!(Game::read_with(&mut reader, &german).unwrap().is_ok());
}

#[test]
fn errors_are_values() {
    let mut reader = Reader::new(b"1. e4 e5 2. Ke3 *\n1. e4 {");
    let error = Game::read(&mut reader).unwrap().unwrap_err();
    assert_eq!(error.offset, 12);
    let GameErrorKind::Move {
        number,
        white,
        ref text,
        ..
    } = error.kind
    else {
        panic!("{error:?}");
    };
    assert_eq!((number, white, text.as_str()), (2, true, "Ke3"));
    let error = Game::read(&mut reader).unwrap().unwrap_err();
    assert_eq!(error.offset, 24);
    assert!(matches!(error.kind, GameErrorKind::Syntax(_)));
}

/// The moves to a node, in a variation, too, and from the last null move on.
#[test]
fn histories() {
    let pgn = b"1. Nf3 Nf6 2. Ng1 (2. -- Ng8 3. e4) 2... Ng8 *";
    let game = tabiya_notation::pgn::games(&pgn[..])
        .next()
        .unwrap()
        .unwrap();
    for ply in 0..=4 {
        let node = game.at_ply(ply).unwrap();
        let history = game.history(node);
        assert_eq!(history.moves().len(), ply);
        assert_eq!(*history.board(), game.board(node));
    }
    assert_eq!(game.at_ply(5), None);
    assert_eq!(game.history(game.at_ply(4).unwrap()).repetitions(), 2);
    let mut moves = game.children(game.at_ply(2).unwrap());
    let null_move = moves.find(|&id| game.move_to(id).is_none()).unwrap();
    let after = game.children(null_move).next().unwrap();
    let last = game.children(after).next().unwrap();
    let history = game.history(last);
    assert_eq!(history.moves().len(), 2);
    assert_eq!(*history.board(), game.board(last));
}
