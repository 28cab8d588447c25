//! Driving engines that misbehave. Good ones play in the tests of the `tabiya` command.
#![cfg(unix)]

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};
use tabiya_board::GameHistory;
use tabiya_notation::Score;
use tabiya_uci::{Client, ClientError, EngineCommand, GoLimits};

const SHORT: Duration = Duration::from_millis(300);
/// Longer than a busy machine takes to start a shell.
const LONG: Duration = Duration::from_secs(120);

/// Starts an engine that is a shell script.
fn script(text: &str, timeout: Duration) -> Result<Client, ClientError> {
    Client::start("sh", &["-c".to_owned(), text.to_owned()], timeout)
}

#[test]
fn other_programs_are_errors() {
    let start = |program, timeout| Client::start(program, &[], timeout).unwrap_err();
    assert!(matches!(
        start("no-such-program", LONG),
        ClientError::Start { .. }
    ));
    assert!(matches!(start("true", LONG), ClientError::Exited { .. }));
    // It echoes its input.
    assert!(matches!(start("cat", SHORT), ClientError::Timeout(_)));
}

#[test]
fn a_hanging_engine_is_killed() {
    let begin = Instant::now();
    let error = script("exec sleep 1000", SHORT).unwrap_err();
    assert!(matches!(error, ClientError::Timeout(_)));
    assert!(begin.elapsed() < LONG);
}

#[test]
fn moves_are_parsed_and_checked() {
    let engine = |best: &str| {
        let text = format!(
            "while read -r word rest; do case $word in uci) echo id name Script; echo option name Hash type spin; echo uciok;; \
             isready) echo readyok;; go) echo noise; echo info depth 3 score cp 7 nodes 9 pv {best}; echo bestmove {best};; quit) exit;; esac; done"
        );
        script(&text, LONG).unwrap()
    };
    let mut client = engine("e2e4");
    assert_eq!(client.name(), "Script");
    assert!(client.has_option("hash") && !client.has_option("Threads"));
    client.new_game(LONG).unwrap();
    let found = client
        .go(&GameHistory::default(), &GoLimits::default(), LONG)
        .unwrap();
    assert_eq!(found.best.to_string(), "e2e4");
    assert_eq!(found.info.unwrap().depth, 3);
    let mut client = engine("e2e5");
    let error = client
        .go(&GameHistory::default(), &GoLimits::default(), LONG)
        .unwrap_err();
    assert!(matches!(error, ClientError::IllegalMove { .. }), "{error}");
    assert!(
        error.to_string().contains("illegal move, e2e5: "),
        "{error}"
    );
}

#[test]
fn options_are_set_by_their_names() {
    let text = "while read -r word rest; do case $word in uci) echo option name Skill Level type spin; \
                echo option name UCI_Elo type spin; echo uciok;; isready) echo readyok;; \
                setoption) case $rest in 'name Skill Level value 3'|'name UCI_Elo value 1500') ;; \
                *) exit 9;; esac;; quit) exit;; esac; done";
    let start = |options: &str| {
        let mut program = EngineCommand::parse(&format!("sh {options}")).unwrap();
        program.arguments = vec!["-c".to_owned(), text.to_owned()];
        program.start(LONG)
    };
    // An underscore stands for itself or for a space.
    assert!(start("Skill_Level=3 UCI_Elo=1500").is_ok());
    let error = start("Skill_Level=4").unwrap_err();
    assert!(matches!(error, ClientError::Exited { .. }), "{error}");
    let error = start("Skill_Levels=3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the engine has no option \"Skill Levels\""
    );
}

#[test]
fn an_endless_search_is_stopped() {
    let text = "while read -r word rest; do case $word in uci) echo uciok;; \
                go) echo info depth 1 score cp 5 pv e2e4 e7e5 e1e5; echo info string pv a2a4;; \
                stop) echo bestmove e2e4;; quit) exit;; esac; done";
    let mut client = script(text, LONG).unwrap();
    let is_stopped = Cell::new(false);
    let mut reports = Vec::new();
    let found = client.go_until(
        &GameHistory::default(),
        &GoLimits::default(),
        LONG,
        &|| is_stopped.get(),
        &mut |info| {
            let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
            reports.push((info.score, moves.join(" ")));
            is_stopped.set(true);
        },
    );
    assert_eq!(found.unwrap().best.to_string(), "e2e4");
    // The line is cut off at the first illegal move.
    assert_eq!(reports, [(Score::Cp(5), "e2e4 e7e5".to_owned())]);
}

#[test]
fn an_engine_may_die_during_a_search() {
    let text = "read -r line; echo uciok; read -r line; read -r line; exit 1";
    let mut client = script(text, LONG).unwrap();
    let error = client
        .go(&GameHistory::default(), &GoLimits::default(), LONG)
        .unwrap_err();
    assert!(matches!(error, ClientError::Exited { .. }), "{error}");
    assert_eq!(error.to_string(), "the engine has ended (exit status: 1)");
}

#[test]
fn an_engine_that_never_stops_talking_times_out() {
    let begin = Instant::now();
    let error = script("while :; do echo id author me; done", SHORT).unwrap_err();
    assert!(matches!(error, ClientError::Timeout(_)), "{error}");
    assert!(begin.elapsed() < LONG);
}

#[test]
fn waiting_can_be_interrupted() {
    let text = "read -r line; echo uciok; sleep 1000";
    let mut client = script(text, LONG).unwrap();
    let interrupt = Arc::new(AtomicBool::new(false));
    client.interrupt_on(Arc::clone(&interrupt));
    let begin = Instant::now();
    let waiting = thread::spawn(move || {
        let timeout = Duration::from_secs(1000);
        client.go(&GameHistory::default(), &GoLimits::default(), timeout)
    });
    interrupt.store(true, Ordering::Relaxed);
    let error = waiting.join().unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Interrupted), "{error}");
    assert!(begin.elapsed() < LONG);
}

/// The child processes of an engine end with it, even if neither listens.
#[test]
fn child_processes_are_killed_too() {
    ends_with_its_child("wait; sleep 1000");
}

/// An engine that quits as it should may leave child processes.
#[test]
fn child_processes_of_an_engine_that_quits_are_killed_too() {
    ends_with_its_child("read -r line; exit 0");
}

/// Starts an engine with a child process and drops it.
#[track_caller]
fn ends_with_its_child(rest: &str) {
    let text =
        format!("read -r line; sleep 1000 > /dev/null & echo id name $!; echo uciok; {rest}");
    let client = script(&text, LONG).unwrap();
    let child = client.name().parse().ok().and_then(Pid::from_raw).unwrap();
    assert!(test_kill_process(child).is_ok());
    drop(client);
    // A zombie has ended, too.
    let is_gone = || {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero()));
        test_kill_process(child).is_err() || status.is_ok_and(|status| status.contains(") Z"))
    };
    let begin = Instant::now();
    while !is_gone() {
        assert!(begin.elapsed() < LONG, "it still runs");
        thread::sleep(Duration::from_millis(5));
    }
}

/// What an engine says is printed: it must not control the terminal.
#[test]
fn texts_of_an_engine_are_printable() {
    let text = r#"
        read -r line
        printf 'id name A\033[2J\302\233B\342\200\256C\n'
        printf 'option name X\033Y type check default false\n'
        echo uciok
        while read -r line; do
            case "$line" in go*) printf 'bestmove e9\033]0;x\007%0200d\n' 0;; esac
        done"#;
    let mut client = script(text, LONG).unwrap();
    assert_eq!(client.name(), "A [2J BC");
    assert!(client.has_option("X Y"));
    let error = client
        .go(&GameHistory::default(), &GoLimits::default(), LONG)
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("e9") && !text.contains(char::is_control),
        "{text:?}"
    );
    assert!(text.len() < 200, "{text}");
}
