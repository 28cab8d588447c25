//! The fast path reads the same as the general one.

use proptest::prelude::*;

use super::*;

/// All events with their offsets, with or without the fast path.
fn events(text: &[u8], fast: bool) -> Vec<(usize, Event<'_>)> {
    let mut reader = Reader::new(text);
    let mut events = Vec::new();
    while let Some(event) = if fast { reader.next() } else { reader.any() } {
        events.push((reader.event_offset(), event));
    }
    events
}

/// Pieces of games, whole and broken.
const PIECES: [&str; 42] = [
    "1.",
    "12...",
    "7",
    "0",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "e4",
    "exd5",
    "Nf3",
    "Nbd2+",
    "R1xa3#",
    "e8",
    "e8=Q",
    "bxa8=N+",
    "=Q",
    "(Q)",
    "O-O",
    "O-O-O+",
    "0-0",
    "--",
    "{ [%clk 0:05:00] }",
    "{",
    "}",
    "{a\nb}",
    "(",
    ")",
    ";",
    "%",
    "$1",
    "!",
    "?!",
    "\n",
    "\r\n",
    " ",
    "\0",
    "…",
    "[Event \"x\"]\n",
    "[White \"a\\\"b\"]\n",
    "[FEN",
    "]",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn fast_path_returns_the_same_events(
        pieces in prop::collection::vec((prop::sample::select(&PIECES[..]), 0..3_usize), 0..60),
    ) {
        let text: String = pieces
            .into_iter()
            .flat_map(|(piece, spaces)| [piece, &"  "[..spaces.min(2)]])
            .collect();
        prop_assert_eq!(events(text.as_bytes(), true), events(text.as_bytes(), false));
    }
}
