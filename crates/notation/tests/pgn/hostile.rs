//! Input made to be slow.

use super::*;

/// Reads a text in every way.
fn read_in_all_ways(text: &str) {
    let mut reader = Reader::new(text.as_bytes());
    let mut events = 0;
    while reader.next().is_some() {
        events += 1;
    }
    assert!(events <= text.len() + 2, "{events} events");
    let mut reader = Reader::new(text.as_bytes());
    while let Some(game) = Game::read(&mut reader) {
        if let Ok(game) = game {
            let _ = game.to_string();
        }
    }
    let mut reader = Reader::new(text.as_bytes());
    while reader.next().is_some() {
        reader.skip_game();
    }
    for batch in Batches::new(text.as_bytes(), 4096) {
        assert!(!batch.unwrap().text.is_empty());
    }
    let _ = (commands(text).count(), clock(text), eval(text));
    let _ = decode_tag(text.as_bytes());
}

/// The time that this thread has spent on a processor, so that the load of the machine does not count. Wall time where
/// the system does not tell.
fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = statistics
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn time(mut work: impl FnMut()) -> Duration {
    let start = cpu_time();
    work();
    cpu_time().saturating_sub(start)
}

/// Texts that, repeated, could make a careless reader scan the same bytes many times.
const MALICE: [&str; 87] = [
    "1. e4 {a *\n\n",
    "{*\n\n1.",
    "(",
    "{",
    "[",
    "(e4 ",
    "e4 (d4) ",
    "e4 (",
    "{\n",
    "}",
    ")",
    "1.",
    "1.1.1.",
    "1",
    "0",
    "0 ",
    "0-",
    "0.",
    "e4",
    "e4 ",
    "e4e4 ",
    "N",
    "N!",
    "O-",
    "[Event \"",
    "[Event \"\n",
    "[Event \"x\"]\n",
    "[Event ",
    "\n[Event ",
    "{\n[Event \"",
    "{\n[Event \"x\"]\n",
    "[a \"\n",
    "[\\\"x\n",
    " [\\\"x\n",
    "[\\\"",
    "[a \"x\nb\n",
    "[a\n",
    "[a \"b\"c\n",
    "[a \"b\"] ",
    "\\",
    "\"",
    "]",
    "1-0 ",
    "(1-0 ",
    "(* ",
    "( 1-0 \n",
    "*",
    "* {a} ",
    "*;\n",
    "* {",
    "$",
    "$1",
    "!",
    "?!",
    ";",
    ";\n",
    "%\n",
    "%",
    "\n%",
    "{}",
    "{} ",
    "{a}\n",
    "…",
    "1…",
    "\u{feff}",
    "\u{feff}[Event ",
    "b8 ",
    "b8 =",
    "b8  ",
    "b8(",
    "b8(Q",
    "e.p. ",
    "\r",
    "\r\n",
    "\n",
    " ",
    "\t",
    "-",
    "--",
    "+",
    "=",
    "[%",
    "[%]",
    "[%clk ",
    "[Site \"x\"]\n\n*\n",
    "é",
    "\u{0}",
];

/// Reading takes linear time.
///
/// Reading some hundred thousand bytes takes milliseconds of a processor; in quadratic time it would take many seconds.
/// The limit is far from both.
#[test]
fn hostile_input_takes_linear_time() {
    let starts = ["", "{", "[a \"", "e4 (", ";", "*\n{a}", "[Event \"a\"]\n"];
    let length = 300_000;
    let limit = Duration::from_secs(5);
    for unit in MALICE {
        let unit_text = repeated(unit, length);
        for start in starts {
            let text = format!("{start}{unit_text}");
            let is_quick = (0..3).any(|_| time(|| read_in_all_ways(&text)) < limit);
            assert!(is_quick, "{unit:?} behind {start:?} takes too long");
        }
    }
}

#[test]
fn unclosed_parentheses_are_cheap() {
    let text = format!(
        "{} 1-0\n\n[Event \"Next\"]\n\n1. d4 d5 2. c4 1-0\n",
        "(".repeat(1_000_000)
    );
    assert_eq!(
        games(text.as_bytes()),
        ["1:1 a variation must follow the move it replaces", NEXT]
    );
    let text = format!("e4 {}", "(d4 ".repeat(1000));
    assert_eq!(
        games(text.as_bytes()),
        [format!(
            "1:{} this variation is never closed: add a )",
            4 + 999 * 4
        )]
    );
}

/// Each of these comments would have to be searched for its end, up to the end of the text.
#[test]
fn unclosed_comments_are_cheap() {
    let text = "1. e4 {a *\n\n".repeat(100_000);
    let mut reader = Reader::new(text.as_bytes());
    let games = std::iter::from_fn(|| Game::read(&mut reader));
    assert_eq!(games.count(), 100_000);
}
