//! The engine's end of UCI.

use std::collections::HashSet;

/// Commands and options that are skipped because they take long, or use much memory or many threads.
const SLOW: [&str; 4] = ["bench", "perft", "hash", "threads"];

/// Checks that the engine ends on any lines, answers every `go` with one move, and writes only what a chess program
/// understands.
pub fn check_uci(bytes: &[u8]) {
    let mut input = Vec::new();
    let mut searches = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let lower = text.to_ascii_lowercase();
        if SLOW.iter().any(|word| lower.contains(word)) {
            continue;
        }
        input.extend_from_slice(line);
        let first = text.split_whitespace().next();
        if first == Some("go") {
            searches += 1;
            // The node limit ends every search, and stop ends one that would wait, as when pondering.
            input.extend_from_slice(b" nodes 40\nstop");
        }
        input.push(b'\n');
        if first == Some("quit") {
            break;
        }
    }
    let mut output = Vec::new();
    tabiya_uci::serve(&input[..], &mut output).expect("writing to a vector never fails");
    let output = String::from_utf8(output).expect("the engine writes UTF-8");
    let moves = output
        .lines()
        .filter(|line| line.starts_with("bestmove "))
        .count();
    assert_eq!(moves, searches, "{output}");

    let known = HashSet::from(["bestmove", "id", "info", "option", "readyok", "uciok"]);
    for line in output.lines() {
        let first = line.split_whitespace().next();
        // The board that `d` prints is for people.
        let is_picture =
            line.starts_with(' ') || line.starts_with("Fen: ") || line.starts_with("Key: ");
        assert!(
            first.is_none_or(|word| known.contains(word)) || is_picture,
            "{line}"
        );
    }
}
