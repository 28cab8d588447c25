//! Talks to a stand-in for tabiya-archive; the name of the archive says how it behaves.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tabiya_board::Board;
use tabiya_explorer::{Explorer, ExplorerError, ExplorerThread};

fn fake() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-archive")
}

fn open(archive: &str) -> Result<Explorer, ExplorerError> {
    Explorer::with_program(&fake(), archive.as_ref())
}

/// A position whose answer has this number of games.
fn numbered(number: u64) -> Board {
    format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")
        .parse()
        .unwrap()
}

/// What an error says: one sentence in one line.
fn message(error: &ExplorerError) -> String {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    text
}

#[test]
fn moves_come_with_their_counts() {
    let mut explorer = open("games").unwrap();
    assert_eq!(explorer.folder(), Path::new("games"));
    let explored = explorer.explore(&Board::start()).unwrap();
    let [e4, d4, end] = &explored.moves[..] else {
        panic!("{explored:?}")
    };
    assert_eq!((e4.name(), e4.uci.as_deref()), ("e4", Some("e2e4")));
    assert_eq!((e4.games, e4.average_rating), (1200, Some(2345)));
    assert_eq!(e4.percentages(), Some([45, 33, 22]));
    assert_eq!(e4.last_year(), Some("2024"));
    assert_eq!((d4.average_rating, d4.last_year()), (None, None));
    assert_eq!((end.name(), end.uci.as_deref()), ("(end)", None));
    assert_eq!(explored.top[0].tags[0].1, "Ada");
    // One process answers all questions.
    let mut explorer = open("process").unwrap();
    let process = explorer.explore(&numbered(1)).unwrap().games;
    assert_eq!(explorer.explore(&numbered(2)).unwrap().games, process);
}

#[test]
fn what_goes_wrong_is_said_in_a_sentence() {
    let error = Explorer::with_program("/no/such/program".as_ref(), "games".as_ref()).unwrap_err();
    assert_eq!(
        message(&error),
        "tabiya-archive is not installed: cargo install --path crates/archive"
    );
    let error = Explorer::with_program("/".as_ref(), "games".as_ref()).unwrap_err();
    assert!(message(&error).starts_with("cannot start tabiya-archive: "));
    for (archive, expected) in [
        ("none", "none is not an archive: build one"),
        ("silent", "tabiya-archive ended before it answered"),
        (
            "nonsense",
            "tabiya-archive gave an unreadable answer; is it the same version as this program?",
        ),
    ] {
        assert_eq!(message(&open(archive).unwrap_err()), expected);
    }
}

#[test]
fn a_program_that_died_is_started_again_by_the_next_question() {
    let mut explorer = open("once").unwrap();
    for number in 1..4 {
        let error = explorer.explore(&numbered(number)).unwrap_err();
        assert_eq!(message(&error), "tabiya-archive ended before it answered");
        assert_eq!(explorer.explore(&numbered(number)).unwrap().games, number);
    }
}

#[test]
fn after_an_error_the_archive_is_opened_anew() {
    // The stand-in's first answer is whole.
    let mut explorer = open("damaged").unwrap();
    for number in 1..4 {
        let error = explorer.explore(&numbered(number)).unwrap_err();
        assert_eq!(message(&error), "explorer is damaged");
        assert_eq!(explorer.explore(&numbered(number)).unwrap().games, number);
    }
}

#[test]
fn a_program_that_hangs_is_ended_and_started_again() {
    let mut explorer = open("hangs")
        .unwrap()
        .with_limit(Duration::from_millis(200));
    for number in 1..4 {
        let error = explorer.explore(&numbered(99)).unwrap_err();
        assert_eq!(
            message(&error),
            "tabiya-archive did not answer within 0.2 s"
        );
        // On a busy machine it may take longer than that to start.
        explorer = explorer.with_limit(Duration::from_secs(300));
        assert_eq!(explorer.explore(&numbered(number)).unwrap().games, number);
        explorer = explorer.with_limit(Duration::from_millis(200));
    }
}

/// Asks, and waits for the answer.
fn answer(thread: &mut ExplorerThread) -> Result<u64, ExplorerError> {
    loop {
        if let Some(answer) = thread.poll() {
            assert!(!thread.is_waiting());
            return answer.map(|explored| explored.games);
        }
        assert!(thread.is_waiting());
        std::thread::yield_now();
    }
}

#[test]
fn answers_that_nobody_waits_for_are_dropped() {
    let mut thread = ExplorerThread::spawn(open("games").unwrap()).unwrap();
    assert!(!thread.is_waiting() && thread.poll().is_none());
    for round in 0..50 {
        let last = 10 * round + 9;
        for number in 10 * round + 1..=last {
            thread.ask(numbered(number));
        }
        assert_eq!(answer(&mut thread).unwrap(), last);
        // Each answer comes once.
        assert!(thread.poll().is_none());
    }
}

#[test]
fn errors_come_from_the_background_too() {
    let mut thread = ExplorerThread::spawn(open("once").unwrap()).unwrap();
    thread.ask(numbered(3));
    assert!(matches!(answer(&mut thread), Err(ExplorerError::Ended)));
    thread.ask(numbered(3));
    assert_eq!(answer(&mut thread).unwrap(), 3);
}

/// Whether a process is at work; one that has ended may still have its entry.
#[cfg(target_os = "linux")]
fn is_running(process: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_ends_with_the_explorer() {
    let mut explorer = open("process").unwrap();
    let process = explorer.explore(&numbered(1)).unwrap().games;
    assert!(is_running(process));
    drop(explorer);
    assert!(!is_running(process));
}

const CHILD: &str = "TABIYA_EXPLORER_TEST_CHILD";

/// Not a test of its own: the process that the next test kills.
#[cfg(target_os = "linux")]
#[test]
fn child_of_the_next_test() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut explorer = open("process").unwrap();
    let process = explorer.explore(&numbered(1)).unwrap().games;
    println!("\nprocess {process}");
    loop {
        std::thread::park();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_ends_when_its_parent_is_killed() {
    use std::io::{BufRead, BufReader};

    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_of_the_next_test", "--nocapture"])
        .env(CHILD, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    let process = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("process ").map(str::to_owned));
    let process: u64 = process.unwrap().parse().unwrap();
    assert!(is_running(process));
    parent.kill().unwrap();
    parent.wait().unwrap();
    // It reads the end of its input as soon as it gets a processor. Generous, because the machine may be busy.
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while is_running(process) {
        assert!(std::time::Instant::now() < patience, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
