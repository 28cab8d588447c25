//! `tabiya uci` as a chess program uses it.

use std::time::{Duration, Instant};

use tabiya_board::Board;
use tabiya_notation::uci;

use crate::process::Process;
use crate::{fed, feed_with_closed_output, tabiya, text};

fn process(arguments: &[&str]) -> Process {
    Process::start(tabiya(arguments))
}

fn count(lines: &[String], beginning: &str) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with(beginning))
        .count()
}

#[test]
fn it_replies_while_it_searches() {
    let mut process = process(&["uci"]);
    process.send("uci");
    process.wait_for("uciok");
    process.send("go infinite");
    process.wait_for("info depth 5 ");
    process.send("isready");
    process.wait_for("readyok");
    process.send("setoption name Hash value 1");
    assert!(
        process
            .wait_for("info string")
            .pop()
            .unwrap()
            .contains("send stop first")
    );
    process.send("stop");
    process.wait_for("bestmove ");
    process.send("stop");
    process.send("setoption name Hash value 1");
    process.send("isready");
    let rest = process.wait_for("readyok");
    assert_eq!(rest, ["readyok"]);
    assert_eq!(process.end(), [""; 0]);
}

#[test]
fn pondering_waits_for_ponderhit() {
    let mut process = process(&["uci"]);
    process.send("position startpos moves e2e4 e7e5");
    process.send("go ponder wtime 200 btime 200");
    process.wait_for("info depth 8 ");
    // While pondering, the clock does not run: half a second is more than all its time.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(count(&process.pending_lines(), "bestmove"), 0);
    process.send("ponderhit");
    process.wait_for("bestmove ");
    process.send("go ponder wtime 200 btime 200");
    process.send("stop");
    process.wait_for("bestmove ");
    assert_eq!(process.end(), [""; 0]);
}

#[test]
fn time_limits_are_respected() {
    let mut process = process(&["uci"]);
    for (go, milliseconds) in [
        ("go wtime 100", 100),
        ("go wtime 300 btime 300 winc 10 binc 10", 300),
        ("go movetime 100", 100),
        ("go wtime 1000 btime 1 movestogo 1", 1000),
    ] {
        let start = Instant::now();
        process.send(go);
        process.wait_for("bestmove ");
        // A busy machine may pause the program for long.
        let most = Duration::from_millis(milliseconds) + Duration::from_secs(30);
        assert!(start.elapsed() < most, "{go}: {:?}", start.elapsed());
    }
    assert_eq!(process.end(), [""; 0]);
}

#[test]
fn the_end_of_input_ends_the_search() {
    for go in [
        "go infinite",
        "go ponder",
        "go depth 99",
        "go nodes 1000000000000",
    ] {
        let process = {
            let mut process = process(&["uci"]);
            process.send(go);
            process.wait_for("info depth 1 ");
            process
        };
        let rest = process.end();
        assert_eq!(count(&rest, "bestmove "), 1, "{go}: {rest:?}");
        assert!(rest.last().unwrap().starts_with("bestmove "), "{go}");
    }
}

#[test]
fn tabiya_alone_is_an_engine_for_uci() {
    let mut process = process(&[]);
    process.send("uci");
    process.wait_for("uciok");
    process.send("go depth 3");
    process.wait_for("bestmove ");
    process.send("quit");
    assert_eq!(process.end(), [""; 0]);
    // Any other input lists the commands.
    let welcome = fed(&[], b"hello\n");
    assert!(text(&welcome.stdout).contains("Commands:"));
}

#[test]
fn a_closed_output_is_not_an_error() {
    let input = b"uci\ngo depth 5\nisready\nisready\n";
    let output = feed_with_closed_output(&mut tabiya(&["uci"]), input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// Random lines of protocol words, near misses and noise.
#[test]
fn random_input_never_crashes() {
    const WORDS: [&str; 40] = [
        "uci",
        "isready",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "0000",
        "go",
        "depth",
        "nodes",
        "1",
        "-1",
        "99999999999999999999",
        "wtime",
        "btime",
        "movetime",
        "ponder",
        "stop",
        "ponderhit",
        "setoption",
        "name",
        "value",
        "MultiPV",
        "UCI_Chess960",
        "true",
        "searchmoves",
        "debug",
        "d",
        "eval",
        "mate",
        "\u{0}",
        "\u{fffd}ø",
        "register",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "w",
        "-",
    ];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n as u64) as usize
    };
    let mut input = String::new();
    let mut searches = 0;
    for _ in 0..400 {
        let words: Vec<&str> = (0..below(9)).map(|_| WORDS[below(WORDS.len())]).collect();
        searches += usize::from(words.first() == Some(&"go"));
        input.push_str(&words.join(" "));
        input.push('\n');
        if below(3) == 0 {
            input.push_str("stop\n");
        }
    }
    let output = fed(&["uci"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(count(&lines, "bestmove "), searches);
}

/// All moves and lines of a game against itself are legal.
#[test]
fn a_game_against_itself() {
    let mut process = process(&["uci"]);
    let mut moves = String::new();
    let mut board = Board::start();
    for _ in 0..120 {
        process.send(&format!("position startpos moves{moves}"));
        process.send("go nodes 2000");
        let lines = process.wait_for("bestmove ");
        for line in &lines {
            let Some((_, pv)) = line.split_once(" pv ") else {
                continue;
            };
            let mut board = board;
            for mv in pv.split(' ') {
                board.play(uci::parse(mv, &board).expect(line));
            }
        }
        let last = lines.last().unwrap();
        let best = last.split(' ').nth(1).unwrap();
        if best == "(none)" {
            assert!(!board.has_legal_move());
            break;
        }
        board.play(uci::parse(best, &board).expect(last));
        moves.push(' ');
        moves.push_str(best);
    }
    assert_eq!(process.end(), [""; 0]);
}
