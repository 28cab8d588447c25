//! `tabiya selfplay`.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::{error_message, json, output, printed, tabiya, text};

/// Quick games.
fn generate<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["selfplay", "generate", file, "--nodes", "60"];
    arguments.extend(more);
    arguments
}

/// The output of a complete run.
#[track_caller]
fn generated(file: &str, more: &[&str]) -> String {
    let output = output(&generate(file, more));
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains(" games/s, "), "{errors}");
    assert!(errors.contains(" positions/s, "), "{errors}");
    text(&output.stdout)
}

/// The first block after the header: its number of records is at byte 20.
const FIRST: usize = 64;

#[test]
fn games_are_generated_inspected_and_checked() {
    let folder = Folder::new("selfplay");
    let file = folder.path("a.records");
    let said = generated(&file, &["--games", "3", "--threads", "2"]);
    assert!(said.starts_with("3 games, "), "{said}");

    let seen = json(&["selfplay", "inspect", &file, "--json", "--first", "2"]);
    assert_eq!(seen["games"], 3);
    assert_eq!(seen["settings"]["nodes"], 60);
    let positions = seen["positions"].as_u64().unwrap();
    assert_eq!(said, format!("3 games, {positions} positions\n"));
    let sum = |field: &str| -> u64 {
        let counts = seen[field].as_object().unwrap().values();
        counts.map(|count| count.as_u64().unwrap()).sum()
    };
    assert_eq!((sum("results"), sum("endings")), (3, 3));
    let scores = seen["scores"].as_array().unwrap().iter();
    let scores: u64 = scores.map(|band| band["count"].as_u64().unwrap()).sum();
    assert_eq!(scores, positions);
    let first = seen["first"].as_array().unwrap();
    assert_eq!(first.len(), 2);
    // The best move of the first position leads to the second.
    let fen = |i: usize| first[i]["fen"].as_str().unwrap().to_owned();
    let mv = first[0]["move"].as_str().unwrap();
    printed(&["why", mv, "--fen", &fen(0)]);
    assert_ne!(fen(0).split(' ').nth(1), fen(1).split(' ').nth(1));

    let people = printed(&["selfplay", "inspect", &file]);
    assert!(
        people.contains(&format!("positions: {positions}\n")),
        "{people}"
    );
    assert!(people.contains(&fen(1)), "{people}");
    let checked = printed(&["selfplay", "check", &file]);
    assert_eq!(
        checked,
        format!("3 games, {positions} positions: no errors\n")
    );

    // The records alone are a valid file: everything with occupied squares after the header.
    let bytes = fs::read(&file).unwrap();
    let rows = bytes[64..].chunks(32).filter(|row| row[..8] != [0; 8]);
    let bare = folder.write("bare.records", rows.flatten().copied().collect::<Vec<u8>>());
    let checked = printed(&["selfplay", "check", &bare]);
    assert_eq!(checked, format!("{positions} positions: no errors\n"));
    let again = json(&["selfplay", "inspect", &bare, "--json", "--first", "2"]);
    assert_eq!(again["results"], seen["results"]);
    assert_eq!(again["first"], seen["first"]);
}

/// Returns where the last complete game ends: after the header of 64 bytes come blocks, each with a header of its own
/// that says how many records follow.
fn end_of_last_game(bytes: &[u8]) -> usize {
    let mut end = 64;
    while let Some(header) = bytes.get(end..end + 64) {
        let records = usize::from(u16::from_le_bytes([header[20], header[21]]));
        let next = end + 64 + 32 * records;
        if next > bytes.len() {
            break;
        }
        end = next;
    }
    end
}

#[test]
fn the_same_command_continues_after_a_kill() {
    let folder = Folder::new("selfplay-kill");
    let (whole, killed) = (folder.path("whole.records"), folder.path("killed.records"));
    let enough = ["--games", "12", "--threads", "1"];
    generated(&whole, &enough);

    let mut child = tabiya(&generate(&killed, &enough))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(&killed).map_or(0, |metadata| metadata.len()) < 4000 {
        assert!(start.elapsed() < Duration::from_secs(120), "no games come");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL on Unix: the program cannot clean up.
    child.kill().unwrap();
    child.wait().unwrap();
    // As if it had been killed while writing a game.
    let mut bytes = fs::read(&killed).unwrap();
    let complete = fs::read(&whole).unwrap();
    assert!(complete.starts_with(&bytes));
    if bytes.len() < complete.len() {
        let more = (complete.len() - bytes.len()).min(50);
        bytes.extend(&complete[bytes.len()..][..more]);
        // Not always 50: the kill itself may have cut a game, where a page of memory ends.
        let unfinished = bytes.len() - end_of_last_game(&bytes);
        fs::write(&killed, bytes).unwrap();
        let output = output(&generate(&killed, &enough));
        assert!(output.status.success());
        let errors = text(&output.stderr);
        assert!(
            unfinished == 0
                || errors.contains(&format!("removed {unfinished} bytes of an unfinished game")),
            "{errors}"
        );
    }
    assert_eq!(fs::read(&killed).unwrap(), complete);
    // A complete file is not changed.
    generated(&killed, &enough);
    assert_eq!(fs::read(&killed).unwrap(), complete);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_generation_cleanly() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new("selfplay-interrupted");
    let file = folder.path("a.records");
    let child = tabiya(&generate(&file, &["--games", "1000000"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(&file).map_or(0, |metadata| metadata.len()) < 4000 {
        assert!(start.elapsed() < Duration::from_secs(120), "no games come");
        std::thread::sleep(Duration::from_millis(2));
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stdout);
    assert!(
        said.ends_with("; interrupted: repeat the command to continue\n"),
        "{said}"
    );
    let checked = printed(&["selfplay", "check", &file]);
    assert!(checked.ends_with(": no errors\n"), "{checked}");
    let counts = |text: &str| text.split([';', ':']).next().unwrap().trim().to_owned();
    assert_eq!(counts(&said), counts(&checked));
}

#[test]
fn damage_is_reported() {
    let folder = Folder::new("selfplay-damage");
    let file = folder.path("a.records");
    generated(&file, &["--games", "2", "--threads", "1"]);
    let whole = fs::read(&file).unwrap();
    let checked = |bytes: &[u8]| {
        let file = folder.write("damaged.records", bytes);
        error_message(&["selfplay", "check", &file])
    };
    let mut flipped = whole.clone();
    flipped[FIRST + 70] ^= 1;
    let said = checked(&flipped);
    assert!(
        said.contains("damaged.records: the file is damaged at byte 64: the checksum"),
        "{said}"
    );
    assert!(checked(&whole[..whole.len() - 1]).contains("is cut off"));
    let mut other = whole.clone();
    other[17] ^= 1;
    assert!(checked(&other).contains("the checksum of the header"));
    other = whole;
    other[8] = 9;
    assert!(checked(&other).contains("has version 9"));
    for nonsense in [&b""[..], b"1. e4 e5", &[0; 64], &[0xff; 320]] {
        assert!(checked(nonsense).contains("not a file of self-play"));
    }
    assert!(error_message(&["selfplay", "inspect", "nowhere.games"]).contains("no such file"));
}

/// A sample of one game: fool's mate, the first two plies random.
fn sample(result: u8, ending: u8) -> Vec<u8> {
    let mut game = vec![4, 0, 2, 0, result, ending, 0, 0];
    let moves: [(u16, u16, i16); 4] = [
        (13, 21, 32767),
        (52, 36, 32767),
        (14, 30, -80),
        (59, 31, 29999),
    ];
    for (from, to, score) in moves {
        game.extend((from | to << 6).to_le_bytes());
        game.extend(score.to_le_bytes());
    }
    let mut bytes = b"TABIYAGM\x01\0\0\0".to_vec();
    bytes.extend(checksum(&game).to_le_bytes());
    bytes.extend((game.len() as u64).to_le_bytes());
    bytes.extend(game);
    bytes
}

/// CRC-32 as zip has it, bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !sum
}

#[test]
fn samples_are_replayed() {
    let folder = Folder::new("selfplay-sample");
    let good = folder.write("good.games", sample(0, 0));
    assert_eq!(
        printed(&["selfplay", "check", &good]),
        "1 game, 2 positions: no errors\n"
    );
    let seen = json(&["selfplay", "inspect", &good, "--json"]);
    assert_eq!(seen["results"]["black"], 1);
    assert_eq!(seen["endings"]["checkmate"], 1);
    assert_eq!(seen["first"][1]["move"], "d8h4");
    // White has not won, and it is not stalemate.
    for (result, ending) in [(2, 0), (1, 1), (0, 5)] {
        let wrong = folder.write("wrong.games", sample(result, ending));
        let output = output(&["selfplay", "check", &wrong]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "1 game, 2 positions: 1 error\n");
        let errors = text(&output.stderr);
        assert!(errors.contains("game 1: the file says "), "{errors}");
        assert!(
            errors.contains("but the game ended by checkmate (0-1)"),
            "{errors}"
        );
    }
}

#[test]
fn unplayable_games_are_reported() {
    let folder = Folder::new("selfplay-errors");
    let file = folder.path("a.records");
    assert!(error_message(&["selfplay", "generate", &file]).contains("--games"));
    let pgn = folder.write("a.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    let said = error_message(&generate(&pgn, &["--games", "1"]));
    assert!(
        said.contains("a.pgn: this is not a file of self-play"),
        "{said}"
    );
    assert_eq!(folder.read("a.pgn"), "[Event \"x\"]\n\n1. e4 *\n");
    generated(&file, &["--games", "1"]);
    let said = error_message(&generate(&file, &["--games", "2", "--seed", "5"]));
    assert!(said.contains("with seed 1, not with seed 5"), "{said}");
    let said = error_message(&generate(&file, &["--games", "2", "--network", &pgn]));
    assert!(said.contains("a.pgn: not a network file"), "{said}");
}

#[cfg(unix)]
#[test]
fn narrow_terminals() {
    use crate::terminal::Terminal;

    let folder = Folder::new("selfplay-narrow");
    let file = folder.path("a.records");
    for (arguments, wanted) in [
        (generate(&file, &["--games", "2"]), " positions/s,"),
        (vec!["selfplay", "inspect", &file, "--first", "0"], "███"),
    ] {
        let mut terminal = Terminal::start(&arguments, &[], 40, 40);
        assert!(terminal.wait_for_exit().success());
        let screen = terminal.text();
        assert!(screen.contains(wanted), "{screen}");
        assert!(!terminal.is_too_narrow(), "{screen}");
    }
}

/// As on a full disk.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_grow() {
    use std::process::Command;

    let folder = Folder::new("selfplay-full");
    let program = tabiya(&generate(&folder.path("a.records"), &["--games", "9"]));
    // The shell counts in blocks of 512 or 1024 bytes. Writing more is an error, not a crash.
    let limited = "ulimit -f 1; trap '' XFSZ; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = text(&output.stderr);
    assert!(said.contains("cannot write a game: "), "{said}");
    assert_eq!(said.matches("os error").count(), 1, "{said}");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [&[][..], &["generate"], &["inspect"], &["check"]] {
        let printed = printed(&[&["selfplay"], command, &["--help"]].concat());
        assert!(printed.contains("Usage: tabiya selfplay"), "{printed}");
        assert!(
            printed.contains("Examples:\n  tabiya selfplay "),
            "{printed}"
        );
    }
}
