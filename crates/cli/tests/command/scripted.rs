//! Shell scripts that act as engines.

use std::process::Output;

use serde_json::Value;

use crate::folder::Folder;
use crate::{tabiya, text};

/// Moves a knight to and fro, so that a game from the starting position is drawn after eight moves of both sides
/// together. The first argument says what it does otherwise, from its first move on unless the second argument is a
/// number of moves that have to be on the board.
const SCRIPT: &str = r#"
kind=$1
from=${2:-0}
if [ -n "$PIDS" ]; then echo $$ >>"$PIDS"; fi
if [ "$kind" = once ]; then
    if [ -e "$from" ]; then exit 7; fi
fi
while read -r word rest; do
    case $word in
    uci) printf 'id name Script %s\noption name Hash type spin\nuciok\n' "$kind" ;;
    isready) echo readyok ;;
    position)
        played=0
        case $rest in
        *moves*) set -- ${rest#*moves}; played=$# ;;
        esac
        ;;
    go)
        if [ "$kind" = once ]; then : >"$from"; exit 7; fi
        if [ "$played" -ge "$from" ]; then
            case $kind in
            crash) exit 3 ;;
            hang) sleep 1000 ;;
            illegal) echo bestmove e2e5; continue ;;
            garbage) printf 'hello\n\033[31minfo depth x score cp\ninfo\n\n' ;;
            flood) while :; do echo info string again; done ;;
            slow) sleep 0.2 ;;
            esac
        fi
        case $((played % 4)) in
        0) echo bestmove g1f3 ;;
        1) echo bestmove g8f6 ;;
        2) echo bestmove f3g1 ;;
        3) echo bestmove f6g8 ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
"#;

/// The command line of a script of a kind.
pub(crate) fn engine(folder: &Folder, kind: &str) -> String {
    format!("sh '{}' {kind}", folder.write("engine.sh", SCRIPT))
}

/// The command line of the real engine.
pub(crate) fn real() -> String {
    format!("'{}' uci", env!("CARGO_BIN_EXE_tabiya"))
}

/// Plays a complete match or tournament: its JSON and its messages.
#[track_caller]
pub(crate) fn played(arguments: &[&str]) -> (Value, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = tabiya(&[arguments, &["--json"]].concat())
        .output()
        .expect("the program starts");
    let stderr = text(&stderr);
    assert!(status.success(), "{arguments:?}: {stderr}");
    let json = serde_json::from_slice(&stdout).expect("it is JSON and nothing else");
    (json, stderr)
}

/// The rounds of all games in a file, sorted.
pub(crate) fn rounds(pgn: &str) -> Vec<String> {
    let tags = pgn
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \""));
    let mut rounds: Vec<String> = tags
        .map(|tag| tag.trim_end_matches("\"]").to_owned())
        .collect();
    rounds.sort();
    rounds
}
