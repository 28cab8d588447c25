//! The `tabiya` command as users see it: the real program with arguments, output and exit code.

mod analyse;
#[cfg(unix)]
mod archive;
mod arguments;
mod bench;
mod board;
mod classic;
mod config;
mod convert;
mod errors;
mod folder;
#[cfg(unix)]
mod fullscreen;
#[cfg(unix)]
mod leaving;
mod matches;
mod mate;
mod moves;
mod perft;
mod pgn;
#[cfg(unix)]
mod pictures;
mod play;
mod process;
#[cfg(unix)]
mod scripted;
mod selfplay;
#[cfg(unix)]
mod serve;

#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tournament;
mod uci;
#[cfg(unix)]
mod walk;
mod welcome;
mod why;

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The starting position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// A position with many kinds of moves, known as Kiwipete.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// A Chess960 position: White can castle with the king on f1 and the rooks on b1 and g1.
const CHESS960: &str = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";

/// The program with arguments, and without colour settings in the environment.
fn tabiya(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(arguments).env("TERM", "xterm-256color");
    // Leave the settings and games of the person who runs the tests alone.
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

/// Runs the program with input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    feed(&mut tabiya(arguments), input)
}

/// Starts a program with pipes for input and output.
fn piped(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Runs a program with input.
fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = piped(command);
    let mut stdin = child.stdin.take().expect("it has a standard input");
    std::thread::scope(|scope| {
        // Fails if the program stops reading early.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("the program ends")
    })
}

/// Runs a program with input and a closed standard output.
fn feed_with_closed_output(command: &mut Command, input: &[u8]) -> Output {
    let mut child = piped(command);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it has a standard input");
    // It may end before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// The output of a successful run.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = output(arguments);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    text(&output.stdout)
}

/// The JSON output of a successful run.
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

/// The error message of a failed run.
#[track_caller]
fn error_message(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    let error_message = text(&output.stderr);
    assert!(
        error_message.starts_with("error: "),
        "{arguments:?}: {error_message}"
    );
    assert!(!error_message.contains("panicked"), "{error_message}");
    error_message
}

/// Checks that a closed standard output, as with `| head -0`, is not an error.
#[track_caller]
fn check_closed_output(arguments: &[&str]) {
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
