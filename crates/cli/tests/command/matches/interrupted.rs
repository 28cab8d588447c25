//! Matches that are watched and interrupted.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::folder::Folder;
use crate::scripted::{engine, played};
use crate::terminal::Terminal;
use crate::{error_message, tabiya};

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until a condition holds.
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < TIMEOUT, "never: {what}");
        sleep(Duration::from_millis(10));
    }
}

/// A long match, and the process IDs of its engines.
struct Running {
    child: Child,
    pids: String,
}

impl Running {
    fn start(folder: &Folder, games: &str) -> Self {
        let (slow, hanging) = (engine(folder, "slow"), engine(folder, "hang 2"));
        let pids = folder.path("pids");
        let child = tabiya(&[
            "match",
            &slow,
            &hanging,
            "--depth",
            "1",
            "--pgn",
            games,
            "--concurrency",
            "2",
        ])
        .env("PIDS", &pids)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
        let running = Self { child, pids };
        // Two to ask for their names, and two more for the second game.
        wait_until("four engines run", || running.engines().len() >= 4);
        running
    }

    fn engines(&self) -> Vec<Pid> {
        let text = fs::read_to_string(&self.pids).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let numbers = whole.lines().filter_map(|line| line.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_interruption_leaves_no_engine_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = Folder::new(&format!("match-interrupted-{}", signal.as_raw()));
        let games = folder.path("games.pgn");
        let mut running = Running::start(&folder, &games);
        kill_process(Pid::from_child(&running.child), signal).unwrap();
        let status = running.child.wait().unwrap();
        assert_eq!(status.code(), Some(130));
        let mut said = String::new();
        let mut stderr = running.child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        assert!(
            said.contains("interrupted after 0 of 100 games: repeat the command to continue"),
            "{said}"
        );
        for engine in running.engines() {
            wait_until("the engine ends", || test_kill_process(engine).is_err());
        }
        assert_eq!(folder.read("games.pgn"), "", "no game is lost");
    }
}

#[test]
fn one_match_at_a_time_writes_to_a_file() {
    let folder = Folder::new("match-locked");
    let games = folder.path("games.pgn");
    let running = Running::start(&folder, &games);
    let good = engine(&folder, "good");
    let error = error_message(&["match", &good, &good, "--games", "2", "--pgn", &games]);
    assert!(error.contains("games.pgn is in use"), "{error}");
    drop(running);
    // Once it has ended, in any way, the file is free.
    let (json, _) = played(&[
        "match", &good, &good, "--games", "2", "--depth", "1", "--pgn", &games,
    ]);
    assert_eq!(json["played"], 2);
}

#[test]
fn a_table_on_the_terminal() {
    let folder = Folder::new("match-terminal");
    let (slow, good) = (engine(&folder, "slow 6"), engine(&folder, "good"));
    let mut terminal = Terminal::start(
        &["match", &slow, &good, "--games", "1000", "--depth", "1"],
        &[],
        100,
        24,
    );
    terminal.wait_for_text("Script slow vs Script good, depth 1");
    // Only after the first game.
    terminal.wait_for(|text| text.contains(" of 1000 games, ") && text.contains(" left"));
    // The table is redrawn in place.
    let tables = terminal.text().matches(" vs ").count();
    assert_eq!(tables, 1, "{}", terminal.text());
    terminal.press("\u{3}");
    terminal.wait_for_text("use --pgn FILE to be able to continue");
    // The result comes last.
    terminal.wait_for_text("ms of overhead");
    let text = terminal.text();
    assert_eq!(text.matches(" vs ").count(), 1, "{text}");
    assert!(!text.contains("loses"), "{text}");
}

/// Without a terminal, a line is printed now and then.
#[test]
#[ignore = "it waits for ten seconds"]
fn progress_lines_without_a_terminal() {
    let folder = Folder::new("match-lines");
    let slow = engine(&folder, "slow");
    let mut child = tabiya(&["match", &slow, &slow, "--depth", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut lines = stderr.lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains(" of 100 games: "));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(line.unwrap().contains("; Elo +0.0"));
}
