//! `explore --stream`: other programs ask, position after position.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::Value;
use tabiya_notation::MoveText;

use crate::common::{Folder, build_archive, command, random_games, run, stderr, stdout};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn archive(folder: &Folder) -> PathBuf {
    let file = folder.file("games.pgn", random_games(200, 5));
    let path = folder.path("archive");
    build_archive(&path, &[file]);
    path
}

/// The program, at work, and both ends of the talk with it.
struct Stream {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Stream {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command()
            .arg("explore")
            .args(arguments)
            .arg("--stream")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            questions: child.stdin.take(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, text: &[u8]) {
        self.questions.as_mut().unwrap().write_all(text).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line
    }

    fn ask(&mut self, fen: &str) -> Value {
        self.send(format!("{fen}\n").as_bytes());
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Ends the questions; returns what is still said, and the exit code.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.questions.take());
        let rest = self.line();
        (rest, self.child.wait().unwrap().code())
    }
}

#[test]
fn a_stream_says_what_the_command_says() {
    let folder = Folder::new();
    let path = archive(&folder);
    let name = path.to_str().unwrap();
    for filter in [&[][..], &["--rating", "1800-"]] {
        let mut stream = Stream::start(&[&[name][..], filter].concat());
        let mut fen = START.to_owned();
        for _ in 0..8 {
            let arguments = [&["explore", name, "--json", "--fen", &fen][..], filter].concat();
            let command: Value = serde_json::from_str(&stdout(&run(&arguments))).unwrap();
            assert!(command["games"].as_u64().unwrap() > 0, "{fen}");
            assert_eq!(stream.ask(&fen), command, "{fen}");
            let mut board: tabiya_board::Board = fen.parse().unwrap();
            let uci = command["moves"][0]["uci"].as_str().unwrap().to_owned();
            board.play_unchecked(board.parse_uci(&uci).unwrap());
            fen = board.to_string();
        }
        assert_eq!(stream.end(), (String::new(), Some(0)));
    }
}

#[test]
fn what_is_no_position_gets_an_error_and_the_stream_goes_on() {
    let folder = Folder::new();
    let path = archive(&folder);
    let mut stream = Stream::start(&[path.to_str().unwrap()]);
    let long = "8/".repeat(5000);
    for nonsense in ["", "e4", "8/8/8/8/8/8/8/8 w - - 0 1", "\u{1b}[31m", &long] {
        let answer = stream.ask(nonsense);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains("is not a position"), "{error}");
        assert!(!error.contains('\u{1b}'), "{error:?}");
    }
    stream.send(b"\xff\xfe\n");
    assert!(stream.line().contains("error"));
    // Lines may end as on Windows, and the last one need not end at all.
    assert_eq!(stream.ask(&format!("{START}\r"))["games"], 200);
    stream.send(START.as_bytes());
    let (answer, code) = stream.end();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["games"], code), (&Value::from(200), Some(0)));
}

#[test]
fn a_folder_without_an_archive_ends_the_stream_with_the_reason() {
    let folder = Folder::new();
    let output = run(&["explore", folder.0.to_str().unwrap(), "--stream"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert!(
        stderr(&output).contains("is not an archive"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_stream_takes_its_positions_from_nowhere_else() {
    for extra in [&["e4"][..], &["--fen", START], &["--json"]] {
        let output = run(&[&["explore", "games", "--stream"][..], extra].concat());
        assert_eq!(output.status.code(), Some(2), "{extra:?}");
        assert!(
            stderr(&output).contains("cannot be used"),
            "{}",
            stderr(&output)
        );
    }
}
