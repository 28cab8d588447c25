//! The `tabiya` command as its users see it: the real program with arguments, output and exit code.

mod analyse;
mod bench;
mod board;
mod classic;
mod config;
mod convert;
mod errors;
mod folder;
#[cfg(unix)]
mod fullscreen;
mod matches;
mod mate;
mod moves;
mod perft;
mod pgn;
mod pictures;
mod play;
#[cfg(unix)]
mod scripted;
mod selfplay;
mod svg;
mod talk;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tournament;
mod uci;
mod welcome;
mod why;

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The starting position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// A position with many kinds of moves, known as Kiwipete.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// A position of Chess960 where White may castle: the king on f1 with the rooks on b1 and g1.
const CHESS960: &str = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";

/// The program with arguments, in an environment that says nothing about colours.
fn tabiya(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(arguments).env("TERM", "xterm-256color");
    // The settings and the games of whoever runs the tests are none of our business.
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/home");
    for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(variable, home);
    }
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CARGO"] {
        command.env_remove(variable);
    }
    command
}

fn output(arguments: &[&str]) -> Output {
    tabiya(arguments).output().expect("the program starts")
}

/// The program with something on its standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    feed(&mut tabiya(arguments), input)
}

/// A program that runs, with pipes for all it reads and writes.
fn piped(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// A program with something on its standard input.
fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = piped(command);
    let mut stdin = child.stdin.take().expect("it has a standard input");
    std::thread::scope(|scope| {
        // A program that has seen enough closes it.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("the program ends")
    })
}

/// A program with something on its standard input, and nobody who reads what it says.
fn feed_unheard(command: &mut Command, input: &[u8]) -> Output {
    let mut child = piped(command);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it has a standard input");
    // It may be gone before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// What the program prints when all goes well.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = output(arguments);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    text(&output.stdout)
}

/// What the program prints as JSON.
#[track_caller]
fn json(arguments: &[&str]) -> serde_json::Value {
    let printed = printed(arguments);
    assert_eq!(
        printed.lines().count(),
        1,
        "one line for programs: {printed}"
    );
    serde_json::from_str(&printed).expect("it is JSON")
}

/// What the program complains about.
#[track_caller]
fn complaint(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    let complaint = text(&output.stderr);
    assert!(
        complaint.starts_with("error: "),
        "{arguments:?}: {complaint}"
    );
    assert!(!complaint.contains("panicked"), "{complaint}");
    complaint
}

/// Whoever should read what the program prints goes away before anything is there, as behind `| head -0`: that is no
/// error.
#[track_caller]
fn unheard(arguments: &[&str]) {
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let output = tabiya(arguments)
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .expect("the program starts");
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert!(output.status.success(), "{arguments:?}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is UTF-8")
}
