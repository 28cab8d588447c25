//! Parsing the command `go`.

use std::time::Duration;

use tabiya_board::{Board, Color};
use tabiya_engine::{GameClock, Limits};
use tabiya_notation::uci;

use super::command::perft_depth;
use crate::lines::shortened;

/// The arguments of `go`.
#[derive(Debug, Default)]
pub(crate) struct Go {
    pub(crate) limits: Limits,
    /// The answer must wait for `stop`.
    pub(crate) infinite: bool,
    /// The answer must wait for `ponderhit` or `stop`.
    pub(crate) ponder: bool,
    /// Run perft instead of a search.
    pub(crate) perft: Option<u32>,
    /// Remarks about invalid arguments.
    pub(crate) remarks: Vec<String>,
}

/// Both clocks, in milliseconds.
#[derive(Default)]
struct Clocks {
    left: [Option<u64>; 2],
    increment: [u64; 2],
    moves_to_go: Option<u32>,
}

/// The keywords of `go`. They end the moves of `searchmoves`.
const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// The greatest number accepted. In milliseconds, it is about thirty years.
const MAX_NUMBER: u64 = 1_000_000_000_000;

impl Go {
    pub(crate) fn parse(text: &str, board: &Board, overhead: Duration) -> Self {
        let mut go = Self::default();
        let mut clocks = Clocks::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !KEYWORDS.contains(word)) {
                        match uci::parse(text, board) {
                            Ok(mv) => go.limits.search_moves.push(mv),
                            Err(error) => {
                                let text = shortened(text);
                                go.remark(format!("ignoring the move {text}: {error}"));
                            }
                        }
                    }
                    if go.limits.search_moves.is_empty() {
                        go.remark("searching all moves".to_owned());
                    }
                }
                "perft" => match perft_depth(words.next().unwrap_or_default()) {
                    Ok(depth) => go.perft = Some(depth),
                    Err(error) => go.remark(error.to_string()),
                },
                _ if KEYWORDS.contains(&word) => {
                    let given = words.next_if(|word| !KEYWORDS.contains(word));
                    if let Some(number) = go.number(word, given) {
                        go.set(&mut clocks, word, number, overhead);
                    }
                }
                _ => go.remark(format!("\"{}\" is not an argument of go", shortened(word))),
            }
        }
        go.set_clock(&clocks, board.turn(), overhead);
        let bounded = go.limits.depth.is_some()
            || go.limits.nodes.is_some()
            || go.limits.time.is_some()
            || go.limits.clock.is_some()
            || go.limits.mate.is_some();
        go.infinite |= !bounded && !go.ponder;
        go
    }

    fn remark(&mut self, remark: String) {
        // A thousand wrong words do not need a thousand remarks.
        if self.remarks.len() < 5 {
            self.remarks.push(remark);
        }
    }

    /// Parses the number after a keyword, and clamps it to a sensible range.
    fn number(&mut self, word: &str, given: Option<&str>) -> Option<u64> {
        let Some(text) = given else {
            self.remark(format!("{word} needs a number"));
            return None;
        };
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.remark(format!(
                "{word} needs a number, not \"{}\"",
                shortened(text)
            ));
            return None;
        }
        if text.starts_with('-') {
            self.remark(format!("{word} is negative: using 0"));
            return Some(0);
        }
        // Too many digits for a u64 are too large as well.
        let number = digits.parse().unwrap_or(u64::MAX);
        if number > MAX_NUMBER {
            self.remark(format!("{word} is too large: using {MAX_NUMBER}"));
        }
        Some(number.min(MAX_NUMBER))
    }

    fn set(&mut self, clocks: &mut Clocks, word: &str, number: u64, overhead: Duration) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "wtime" => clocks.left[0] = Some(number),
            "btime" => clocks.left[1] = Some(number),
            "winc" => clocks.increment[0] = number,
            "binc" => clocks.increment[1] = number,
            // Some programs send 0 for sudden death.
            "movestogo" => clocks.moves_to_go = (small > 0).then_some(small),
            "depth" => self.limits.depth = Some(small),
            "nodes" => self.limits.nodes = Some(number),
            "mate" => self.limits.mate = Some(small),
            _ => {
                let time = Duration::from_millis(number).saturating_sub(overhead);
                self.limits.time = Some(time.max(Duration::from_millis(1)));
            }
        }
    }

    fn set_clock(&mut self, clocks: &Clocks, turn: Color, overhead: Duration) {
        let (us, them) = (turn.index(), (!turn).index());
        let left = clocks.left[us].or_else(|| {
            if clocks.left[them].is_some() {
                self.remark(format!("{turn} has no clock: using the other one"));
            }
            clocks.left[them]
        });
        self.limits.clock = left.map(|left| GameClock {
            remaining: Duration::from_millis(left),
            increment: Duration::from_millis(clocks.increment[us]),
            moves_to_go: clocks.moves_to_go,
            overhead,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Go {
        Go::parse(text, &Board::start(), Duration::from_millis(10))
    }

    #[test]
    fn all_limits_are_parsed() {
        let go = read(
            "wtime 60000 btime 50000 winc 1000 binc 500 movestogo 40 depth 9 nodes 5000 mate 3 movetime 700",
        );
        assert_eq!(go.remarks, [""; 0]);
        let clock = go.limits.clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(60));
        assert_eq!(clock.increment, Duration::from_secs(1));
        assert_eq!(clock.moves_to_go, Some(40));
        assert_eq!(go.limits.depth, Some(9));
        assert_eq!(go.limits.nodes, Some(5000));
        assert_eq!(go.limits.mate, Some(3));
        assert_eq!(go.limits.time, Some(Duration::from_millis(690)));
        assert!(!go.infinite && !go.ponder);
    }

    #[test]
    fn searchmoves_end_at_a_keyword() {
        let go = read("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(go.limits.search_moves.len(), 2);
        assert_eq!(go.limits.depth, Some(3));
        let go = read("searchmoves e2e5 infinite");
        assert!(go.limits.search_moves.is_empty() && go.infinite);
        assert_eq!(go.remarks.len(), 2);
    }

    #[test]
    fn invalid_arguments_get_remarks() {
        for (text, remark) in [
            ("depth", "depth needs a number"),
            ("depth x", "not \"x\""),
            ("wtime -50", "using 0"),
            ("nodes 99999999999999999999999999", "too large"),
            ("quickly", "\"quickly\" is not an argument of go"),
            ("perft many", "perft needs a depth"),
            ("btime 1000", "White has no clock"),
        ] {
            let go = read(text);
            assert_eq!(go.remarks.len(), 1, "{text}");
            assert!(
                go.remarks[0]
                    .to_lowercase()
                    .contains(&remark.to_lowercase()),
                "{:?}",
                go.remarks
            );
        }
    }

    #[test]
    fn go_without_a_limit_is_infinite() {
        assert!(read("").infinite);
        assert!(!read("ponder").infinite);
        assert!(!read("wtime 100").infinite);
    }
}
