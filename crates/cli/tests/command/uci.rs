//! `tabiya uci` as a chess program meets it: the real program, at its own pace, with everything that can go wrong.

use std::time::{Duration, Instant};

use tabiya_board::Board;
use tabiya_notation::uci;

use crate::talk::Talk;
use crate::{fed, feed_unheard, tabiya, text};

fn talk(arguments: &[&str]) -> Talk {
    Talk::start(tabiya(arguments))
}

fn count(lines: &[String], beginning: &str) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with(beginning))
        .count()
}

#[test]
fn it_is_ready_while_it_searches() {
    let mut talk = talk(&["uci"]);
    talk.say("uci");
    talk.hear("uciok");
    talk.say("go infinite");
    talk.hear("info depth 5 ");
    talk.say("isready");
    talk.hear("readyok");
    talk.say("setoption name Hash value 1");
    assert!(
        talk.hear("info string")
            .pop()
            .unwrap()
            .contains("send stop first")
    );
    talk.say("stop");
    talk.hear("bestmove ");
    talk.say("stop");
    talk.say("setoption name Hash value 1");
    talk.say("isready");
    let rest = talk.hear("readyok");
    assert_eq!(rest, ["readyok"]);
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn pondering_waits_for_its_hit() {
    let mut talk = talk(&["uci"]);
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder wtime 200 btime 200");
    talk.hear("info depth 8 ");
    // Its own clock has not started: half a second is more than the whole of it.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(count(&talk.heard(), "bestmove"), 0);
    talk.say("ponderhit");
    talk.hear("bestmove ");
    talk.say("go ponder wtime 200 btime 200");
    talk.say("stop");
    talk.hear("bestmove ");
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn clocks_are_kept() {
    let mut talk = talk(&["uci"]);
    for (go, milliseconds) in [
        ("go wtime 100", 100),
        ("go wtime 300 btime 300 winc 10 binc 10", 300),
        ("go movetime 100", 100),
        ("go wtime 1000 btime 1 movestogo 1", 1000),
    ] {
        let start = Instant::now();
        talk.say(go);
        talk.hear("bestmove ");
        // A busy machine may be slow to run us at all.
        let most = Duration::from_millis(milliseconds) + Duration::from_secs(5);
        assert!(start.elapsed() < most, "{go}: {:?}", start.elapsed());
    }
    assert_eq!(talk.end(), [""; 0]);
}

#[test]
fn the_end_of_input_ends_the_search() {
    for go in [
        "go infinite",
        "go ponder",
        "go depth 99",
        "go nodes 1000000000000",
    ] {
        let talk = {
            let mut talk = talk(&["uci"]);
            talk.say(go);
            talk.hear("info depth 1 ");
            talk
        };
        let rest = talk.end();
        assert_eq!(count(&rest, "bestmove "), 1, "{go}: {rest:?}");
        assert!(rest.last().unwrap().starts_with("bestmove "), "{go}");
    }
}

#[test]
fn a_program_that_says_uci_to_tabiya_alone_gets_the_engine() {
    let mut talk = talk(&[]);
    talk.say("uci");
    talk.hear("uciok");
    talk.say("go depth 3");
    talk.hear("bestmove ");
    talk.say("quit");
    assert_eq!(talk.end(), [""; 0]);
    // Anything else gets the welcome.
    let welcome = fed(&[], b"hello\n");
    assert!(text(&welcome.stdout).contains("Commands:"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let input = b"uci\ngo depth 5\nisready\nisready\n";
    let output = feed_unheard(&mut tabiya(&["uci"]), input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// Lines made at random from the words of the protocol, from near misses and from noise.
#[test]
fn torture() {
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

/// A whole game against itself: every move legal, every line legal, and an end by the rules or the length.
#[test]
fn a_game_against_itself() {
    let mut talk = talk(&["uci"]);
    let mut moves = String::new();
    let mut board = Board::start();
    for _ in 0..120 {
        talk.say(&format!("position startpos moves{moves}"));
        talk.say("go nodes 2000");
        let lines = talk.hear("bestmove ");
        for line in &lines {
            let Some((_, pv)) = line.split_once(" pv ") else {
                continue;
            };
            let mut board = board;
            for mv in pv.split(' ') {
                board.play(uci::read(mv, &board).expect(line));
            }
        }
        let last = lines.last().unwrap();
        let best = last.split(' ').nth(1).unwrap();
        if best == "(none)" {
            assert!(!board.has_legal_move());
            break;
        }
        board.play(uci::read(best, &board).expect(last));
        moves.push(' ');
        moves.push_str(best);
    }
    assert_eq!(talk.end(), [""; 0]);
}
