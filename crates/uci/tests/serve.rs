//! The engine's side of the protocol: all commands, and invalid ones.

use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory};
use tabiya_notation::{polyglot, uci};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// The engine plays the same moves and makes the same mistakes in every run.
const SEED: u64 = 1;

/// The engine's output so far.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone());
        let text = text.expect("the engine writes UTF-8");
        text.lines().map(str::to_owned).collect()
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Input that ends only when the engine has answered: at the end of its input, it has to hurry.
struct Patient<'a> {
    commands: &'a [u8],
    searches: usize,
    heard: Heard,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.commands.is_empty() {
            let start = Instant::now();
            while beginning(&self.heard.lines(), "bestmove").len() < self.searches {
                assert!(start.elapsed() < PATIENCE, "the engine does not answer");
                thread::sleep(Duration::from_millis(1));
            }
        }
        self.commands.read(buffer)
    }
}

/// Returns the output for input whose searches all have a limit, however long they take.
fn thoughts(input: impl AsRef<str>) -> Vec<String> {
    let input = input.as_ref();
    let heard = Heard::default();
    let patient = Patient {
        commands: input.as_bytes(),
        searches: input.lines().filter(|line| line.starts_with("go ")).count(),
        heard: heard.clone(),
    };
    tabiya_uci::serve_seeded(BufReader::new(patient), heard.clone(), SEED)
        .expect("writing to memory works");
    heard.lines()
}

/// Returns the output for some input. A search that still runs at its end has a few seconds left.
fn answers(input: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    tabiya_uci::serve_seeded(input.as_ref(), &mut output, SEED).expect("writing to memory works");
    let text = String::from_utf8(output).expect("the engine writes UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// Returns the lines that begin with a word.
fn beginning<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    let lines = lines.iter().map(String::as_str);
    lines
        .filter(|line| line.split(' ').next() == Some(word))
        .collect()
}

fn remarks(lines: &[String]) -> Vec<&str> {
    let infos = beginning(lines, "info").into_iter();
    infos
        .filter_map(|line| line.strip_prefix("info string "))
        .collect()
}

/// Returns the number after a word of a line.
fn number(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&found| found != word);
    words.nth(1)?.parse().ok()
}

/// Checks that there is one best move, and that it and all principal variations are legal; returns the move.
#[track_caller]
fn legal_best(lines: &[String], start: &GameHistory) -> String {
    let best = beginning(lines, "bestmove");
    assert_eq!(best.len(), 1, "{lines:#?}");
    for line in lines {
        let Some((_, pv)) = line.split_once(" pv ") else {
            continue;
        };
        let mut board = *start.board();
        for text in pv.split(' ') {
            let mv = uci::parse(text, &board).unwrap_or_else(|error| panic!("{line}: {error}"));
            board.play(mv);
        }
    }
    let words: Vec<&str> = best[0].split(' ').collect();
    let mv = uci::parse(words[1], start.board()).expect("the best move is legal");
    if let [_, _, "ponder", reply] = words[..] {
        uci::parse(reply, &start.board().after(mv)).expect("the reply is legal");
    }
    words[1].to_owned()
}

#[test]
fn uci_lists_the_options() {
    let lines = answers("uci\nisready\n");
    assert!(lines[0].starts_with("id name Tabiya "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    for option in [
        "Hash type spin default 16 min 1 ",
        "Threads type spin default 1 min 1 ",
        "MultiPV type spin default 1 min 1 ",
        "Ponder type check",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "Move Overhead type spin",
        "Clear Hash type button",
        "OwnBook type check default false",
        "BookFile type string default <embedded>",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin",
        "Level type spin default 10 min 1 max 10",
    ] {
        let expected = format!("option name {option}");
        assert!(
            lines.iter().any(|line| line.starts_with(&expected)),
            "{option}"
        );
    }
}

#[test]
fn a_search_reports_what_it_finds() {
    let lines = thoughts(
        "setoption name UCI_ShowWDL value true\nposition startpos moves e2e4\ngo depth 7\n",
    );
    let mut start = GameHistory::default();
    start.play(uci::parse("e2e4", start.board()).unwrap());
    legal_best(&lines, &start);
    let last = beginning(&lines, "info").pop().unwrap().to_owned();
    assert_eq!(number(&last, "depth"), Some(7));
    for word in [
        "seldepth", "multipv", "cp", "wdl", "nodes", "nps", "hashfull", "time",
    ] {
        assert!(number(&last, word).is_some(), "{word}: {last}");
    }
}

#[test]
fn node_limits_are_kept() {
    for nodes in [1, 100, 5_000, 50_000] {
        let lines = thoughts(format!("go nodes {nodes}\n"));
        legal_best(&lines, &GameHistory::default());
        let used = beginning(&lines, "info")
            .iter()
            .filter_map(|line| number(line, "nodes"))
            .max()
            .unwrap_or(0);
        assert!(used <= nodes + 300, "{used} of {nodes}");
    }
}

#[test]
fn mates_are_exact() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", -1),
    ] {
        let lines = thoughts(format!("position fen {fen}\ngo depth 8\n"));
        let start: Board = fen.parse().unwrap();
        legal_best(&lines, &start.into());
        let last = beginning(&lines, "info").pop().unwrap().to_owned();
        assert_eq!(number(&last, "mate"), Some(mate), "{last}");
    }
    let lines = thoughts("position fen 6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1\ngo mate 2\n");
    assert_eq!(
        beginning(&lines, "bestmove")[0].split(' ').nth(1),
        Some("a1a8")
    );
}

#[test]
fn multipv_reports_several_lines() {
    let lines = thoughts("setoption name MultiPV value 3\ngo depth 6\n");
    legal_best(&lines, &GameHistory::default());
    let last: Vec<&str> = beginning(&lines, "info")
        .into_iter()
        .rev()
        .take(3)
        .rev()
        .collect();
    let ranks: Vec<_> = last
        .iter()
        .map(|line| number(line, "multipv").unwrap())
        .collect();
    assert_eq!(ranks, [1, 2, 3]);
    let scores: Vec<_> = last
        .iter()
        .map(|line| number(line, "cp").unwrap())
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let firsts: Vec<_> = last
        .iter()
        .map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next())
        .collect();
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    // More lines than moves: as many as there are.
    let lines = thoughts(
        "setoption name MultiPV value 100\nposition fen k7/8/1K6/8/8/8/8/7R b - - 0 1\ngo depth 3\n",
    );
    assert!(
        beginning(&lines, "bestmove")[0].starts_with("bestmove a8b8"),
        "{lines:?}"
    );
}

#[test]
fn searchmoves_restricts_the_search() {
    let lines = thoughts("go depth 5 searchmoves a2a3 h2h4\n");
    let best = legal_best(&lines, &GameHistory::default());
    assert!(["a2a3", "h2h4"].contains(&best.as_str()), "{best}");
}

#[test]
fn chess960_castling_is_written_as_requested() {
    let fen = "4k3/8/8/8/8/8/8/1R3K2 w B - 0 1";
    for (option, castling) in [("false", "f1c1"), ("true", "f1b1")] {
        let lines = answers(format!(
            "setoption name UCI_Chess960 value {option}\nposition fen {fen}\ngo depth 1 searchmoves f1b1\n"
        ));
        assert!(
            beginning(&lines, "bestmove")[0].starts_with(&format!("bestmove {castling}")),
            "{lines:?}"
        );
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    for (fen, score) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "mate 0",
        ),
        ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        let lines = answers(format!("position fen {fen}\ngo depth 3\n"));
        assert_eq!(
            lines,
            [
                format!("info depth 0 score {score}"),
                "bestmove (none)".to_owned()
            ]
        );
    }
}

#[test]
fn drawn_positions_still_have_a_move() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "7k/8/8/8/8/8/R7/K7 w - - 100 90",
        "7k/8/8/8/8/8/R7/K7 w - - 200 150",
    ] {
        let lines = thoughts(format!("position fen {fen}\ngo depth 5\n"));
        legal_best(&lines, &fen.parse::<Board>().unwrap().into());
        let last = beginning(&lines, "info").pop().unwrap().to_owned();
        assert_eq!(number(&last, "cp"), Some(0), "{last}");
    }
}

#[test]
fn every_invalid_line_gets_one_remark() {
    for (line, reason) in [
        ("joho", "unknown command"),
        ("\u{1b}[2J\u{7f}", "unknown command"),
        ("go fast depth 1", "\"fast\" is not an argument of go"),
        ("go depth x nodes 1", "needs a number"),
        ("go depth -3 nodes 1", "negative"),
        ("go depth 99999999999999999999999999 nodes 1", "too large"),
        ("go searchmoves e2e5 nodes 1", "ignoring the move e2e5"),
        ("position", "needs startpos or fen"),
        ("position fen", "there is no position now"),
        (
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "there is no position now",
        ),
        (
            "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "there is no position now",
        ),
        (
            "position startpos moves e2e4 e2e4",
            "move 2, e2e4, is illegal",
        ),
        ("position startpos moves 0000", "move 1, 0000, is illegal"),
        ("setoption", "setoption needs a name"),
        ("setoption name Contempt value 1", "there is no option"),
        ("setoption name Hash value 0", "whole number from 1"),
        ("setoption name Hash value many", "whole number from 1"),
        ("setoption name Threads value 100000", "from 1 to 1024"),
        ("setoption name UCI_Chess960 value maybe", "true or false"),
        ("perft", "perft needs a depth"),
        ("perft 1000", "perft needs a depth"),
        ("bench deep", "bench needs a depth"),
    ] {
        let lines = answers(format!("{line}\nisready\n"));
        let remarks = remarks(&lines);
        assert_eq!(remarks.len(), 1, "{line}: {lines:?}");
        assert!(remarks[0].contains(reason), "{line}: {remarks:?}");
        let searches = usize::from(line.starts_with("go"));
        assert_eq!(
            beginning(&lines, "bestmove").len(),
            searches,
            "{line}: {lines:?}"
        );
        assert!(lines.contains(&"readyok".to_owned()), "{line}: {lines:?}");
        assert!(
            lines.iter().all(|line| !line.contains('\u{1b}')),
            "{lines:?}"
        );
    }
}

#[test]
fn commands_without_answer_are_silent() {
    assert_eq!(answers(""), [""; 0]);
    assert_eq!(
        answers("\n\r\n   \nstop\nponderhit\ndebug on\nregister later\nucinewgame\n"),
        [""; 0]
    );
    assert_eq!(answers("quit\nisready\n"), [""; 0]);
    assert_eq!(answers(b"isready"), ["readyok"]);
}

#[test]
fn after_an_invalid_position_there_is_no_move() {
    for wrong in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position nowhere",
    ] {
        let lines = thoughts(format!("position startpos\n{wrong}\ngo depth 3\nd\neval\n"));
        assert_eq!(
            beginning(&lines, "bestmove"),
            ["bestmove (none)"],
            "{wrong}"
        );
        assert_eq!(remarks(&lines).len(), 4, "{wrong}: {lines:?}");
        assert!(
            lines.iter().all(|line| !line.contains(" pv ")),
            "{wrong}: {lines:?}"
        );
        // The next position is as good as any.
        let lines = thoughts(format!("{wrong}\nposition startpos\ngo depth 3\n"));
        legal_best(&lines, &GameHistory::default());
    }
}

#[test]
fn without_a_position_an_infinite_search_still_waits_for_stop() {
    let lines = answers("position nowhere\ngo infinite\nisready\nstop\n");
    let order: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| !line.starts_with("info"))
        .collect();
    assert_eq!(order, ["readyok", "bestmove (none)"]);
}

#[test]
fn rights_that_cannot_be_are_dropped() {
    let lines = thoughts("position fen 4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1\ngo depth 3\n");
    let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    legal_best(&lines, &board.into());
    let remarks = remarks(&lines);
    assert_eq!(remarks.len(), 1, "{lines:?}");
    assert!(
        remarks[0].starts_with("ignoring impossible rights in the FEN"),
        "{remarks:?}"
    );
}

#[test]
fn a_line_of_ten_megabytes_is_ignored() {
    let mut input = b"position startpos moves ".to_vec();
    input.resize(10 << 20, b'x');
    input.extend(b"\ngo depth 2\n");
    let lines = answers(&input);
    assert_eq!(remarks(&lines).len(), 1);
    legal_best(&lines, &GameHistory::default());
}

#[test]
fn every_go_gets_one_best_move() {
    // A search that is replaced by another answers first.
    let lines = answers(
        "go infinite\ngo infinite\nposition startpos moves d2d4\ngo ponder wtime 1000 btime 1000\ngo depth 2\n",
    );
    assert_eq!(beginning(&lines, "bestmove").len(), 4, "{lines:#?}");
    // The input ends during a search.
    for go in [
        "go",
        "go infinite",
        "go ponder",
        "go wtime 100",
        "go btime 100",
        "go movetime 50",
        "go mate 1",
        "go wtime 0 btime 0",
        "go wtime -5 btime -5",
        "go movestogo 0 wtime 50 btime 50",
        "go depth 0",
        "go nodes 0",
    ] {
        let lines = answers(format!("position startpos\n{go}\n"));
        legal_best(&lines, &GameHistory::default());
    }
}

#[test]
fn perft_counts_moves() {
    for command in ["perft 3", "go perft 3"] {
        let lines = answers(format!("position startpos\n{command}\n"));
        assert_eq!(lines.last().unwrap(), "Nodes searched: 8902");
        assert!(lines.contains(&"e2e4: 600".to_owned()));
    }
    assert_eq!(answers("perft 0\n").last().unwrap(), "Nodes searched: 1");
    // Perft to an impossible depth ends when it is stopped.
    assert!(
        answers("perft 20\nquit\n")
            .last()
            .unwrap()
            .contains("stopped")
    );
}

#[test]
fn three_threads_find_a_move() {
    let lines = thoughts("setoption name Threads value 3\nposition startpos\ngo nodes 30000\n");
    legal_best(&lines, &GameHistory::default());
}

#[test]
fn a_weaker_player_searches_fewer_nodes() {
    let nodes = |options: &str| {
        let lines = thoughts(format!("{options}position startpos\ngo depth 12\n"));
        legal_best(&lines, &GameHistory::default());
        let infos = beginning(&lines, "info");
        number(infos.last().expect("there is news"), "nodes").expect("nodes are told")
    };
    let full = nodes("");
    let level = nodes("setoption name Level value 3\n");
    let rating =
        nodes("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1200\n");
    assert!(
        full > 10_000 && level < 2_000 && rating < 2_000,
        "{full} {level} {rating}"
    );
    // A rating alone has no effect, and a level can be reset.
    assert_eq!(nodes("setoption name UCI_Elo value 1200\n"), full);
    assert_eq!(
        nodes("setoption name Level value 1\nsetoption name Level value 10\n"),
        full
    );
    let wrong = answers("setoption name Level value 11\nsetoption name UCI_Elo value 100\n");
    assert_eq!(remarks(&wrong).len(), 2, "{wrong:?}");
}

#[test]
fn book_moves_need_no_search() {
    let book = "setoption name OwnBook value true\n";
    let lines = answers(format!("{book}position startpos moves e2e4\ngo depth 30\n"));
    legal_best(&lines, &{
        let mut line = GameHistory::default();
        let mv = uci::parse("e2e4", line.board()).unwrap();
        line.play(mv);
        line
    });
    assert_eq!(remarks(&lines), ["book move"]);
    // Analysis does not use the book, and neither does a position outside it.
    for go in ["go depth 2 searchmoves a2a3", "go depth 2 infinite\nstop"] {
        let lines = answers(format!("{book}position startpos\n{go}\n"));
        assert!(remarks(&lines).is_empty(), "{lines:?}");
    }
    let lines = answers(format!(
        "{book}position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 2\n"
    ));
    assert!(remarks(&lines).is_empty(), "{lines:?}");
}

/// A Polyglot book with one move that nobody would choose.
#[test]
fn book_files_replace_the_book() {
    let board = Board::start();
    let move_of_the_book = uci::parse("a2a3", &board).unwrap();
    let bytes = polyglot::Entry::new(&board, move_of_the_book, 1).to_bytes();
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (book, broken) = (format!("{folder}/book.bin"), format!("{folder}/broken.bin"));
    fs::write(&book, bytes).unwrap();
    fs::write(&broken, &bytes[1..]).unwrap();
    let go = |option: &str| {
        answers(format!(
            "setoption name OwnBook value true\nsetoption name BookFile value {option}\nposition startpos\ngo depth 2\n"
        ))
    };
    let lines = go(&book);
    assert_eq!(remarks(&lines), ["book move"]);
    assert_eq!(lines.last().unwrap(), "bestmove a2a3");
    // The book that is built in.
    assert_eq!(remarks(&go("<embedded>")), ["book move"]);
    for (file, reason) in [
        (
            &*broken,
            "not a Polyglot book: its 15 bytes cannot be divided into entries of 16",
        ),
        (&format!("{folder}/none.bin"), "No such file"),
    ] {
        let lines = go(file);
        assert!(remarks(&lines)[0].contains(reason), "{lines:?}");
    }
}

#[test]
fn a_bench_can_be_stopped() {
    let lines = answers("bench 60\nquit\n");
    assert_eq!(lines, ["info string bench stopped"]);
}

#[test]
fn positions_that_no_game_leads_to_are_searched_with_a_remark() {
    let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    let lines = thoughts(format!("position fen {fen}\neval\ngo depth 3\n"));
    let board = Board::from_fen_forgiving(fen, |_| true).unwrap();
    legal_best(&lines, &board.into());
    assert_eq!(
        remarks(&lines)[0],
        "no game leads to this position: White has more pieces than promotions can explain"
    );
    let counted = answers(format!("position fen {fen}\nperft 1\n"));
    assert_eq!(counted.last().unwrap(), "Nodes searched: 270");
}
