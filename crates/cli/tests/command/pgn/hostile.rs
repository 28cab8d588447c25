//! Files made to exhaust memory, to take over the terminal, or to be misread.

use std::io::Write;

use crate::folder::Folder;
use crate::{fed, output, text};

/// A text as a file of many compressed pieces, which decompress one after another: 600 MB in a few hundred kilobytes.
#[cfg(target_os = "linux")]
fn bomb(start: &str, letter: u8, compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let piece = compress(&vec![letter; 4_000_000]);
    [compress(start.as_bytes()), piece.repeat(150)].concat()
}

/// Runs the program with less memory than a bomb has bytes: if it kept them, it would abort.
#[cfg(target_os = "linux")]
fn limited(arguments: &[&str]) -> std::process::Output {
    limited_to(400_000, arguments)
}

/// Runs the program with this many kilobytes of memory.
#[cfg(target_os = "linux")]
fn limited_to(kilobytes: u32, arguments: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "ulimit -v $0 && exec \"$@\"", &kilobytes.to_string()])
        .arg(env!("CARGO_BIN_EXE_tabiya"))
        .args(arguments);
    command.output().expect("the shell starts")
}

/// Comments of 30 and of 500 MB, the second above what `fix` can rewrite: neither may cost much more than it has bytes.
#[cfg(target_os = "linux")]
#[test]
fn giants_are_fixed_in_bounded_memory() {
    let folder = Folder::new("giants");
    let game = |letters: usize| {
        let mut bytes = b"[White \"A\"]\n\n1. e4 {".to_vec();
        bytes.resize(bytes.len() + letters, b'x');
        bytes.extend_from_slice(b"} *\n\n[White \"B\"]\n\n1. d4 *\n");
        zstd::encode_all(&bytes[..], 1).unwrap()
    };
    for (letters, code, remarks) in [
        (30_000_000, 0, ""),
        (
            500_000_000,
            1,
            "game 1 (A – ?) is copied unchanged: the game is larger than 32 MB, the limit of what fix can rewrite",
        ),
    ] {
        let file = folder.write("giant.pgn.zst", game(letters));
        let target = folder.path("fixed.pgn");
        let fix = [
            "pgn",
            "fix",
            "--max-game",
            "600MB",
            "--threads",
            "2",
            &file,
            "-o",
            &target,
        ];
        let output = limited_to(700_000, &fix);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(text(&output.stderr).contains(remarks), "{output:?}");
        let fixed = std::fs::read(&target).unwrap();
        assert!(fixed.len() > letters && fixed.ends_with(b"\n\n1. d4 *\n\n"));
        std::fs::remove_file(&target).unwrap();
        let check = limited_to(
            700_000,
            &[
                "pgn",
                "check",
                "--max-game",
                "600MB",
                "--threads",
                "1",
                &file,
            ],
        );
        let said = text(&check.stdout);
        assert!(
            said.starts_with("2 games, 2 half-moves, none broken"),
            "{check:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bombs_are_read_in_little_memory() {
    use std::process::Output;

    let folder = Folder::new("bombs");
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let gzip = |bytes: &[u8]| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    };
    let bzip2 = |bytes: &[u8]| {
        let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    };
    let start = "[Event \"a\"]\n[White \"A\"]\n\n1. e4 {";
    let files = [
        folder.write("comment.pgn.zst", bomb(start, b'x', zstd)),
        folder.write("comment.pgn.gz", bomb(start, b'x', gzip)),
        folder.write("comment.pgn.bz2", bomb(start, b'x', bzip2)),
    ];
    let threads = ["--threads", "2"];
    let too_large = |output: &Output, code: i32| {
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains("larger than 32 MB"), "{output:?}");
        assert_eq!(output.status.code(), Some(code));
    };
    for file in &files {
        too_large(
            &limited(&[&["pgn", "check", file], &threads[..]].concat()),
            1,
        );
    }
    let file = files[0].as_str();
    too_large(
        &limited(&["pgn", "fix", "-o", "/dev/null", "--threads", "1", file]),
        1,
    );
    too_large(&limited(&["convert", "--to", "uci", file]), 1);
    too_large(&limited(&["pgn", "show", file]), 1);
    too_large(
        &limited(&["analyse", "--hash", "1", "--threads", "1", file]),
        1,
    );
    let stats = limited(&["pgn", "stats", file]);
    assert!(text(&stats.stdout).contains("1 broken"), "{stats:?}");

    let zeros = folder.write("zeros.pgn.zst", bomb("1. e4 *\n", 0, zstd));
    let output = limited(&[&["pgn", "check", zeros.as_str()], &threads[..]].concat());
    assert!(
        text(&output.stdout).starts_with("1 game, 1 half-move, none broken"),
        "{output:?}"
    );
    for name in ["zeros.uci.zst", "zeros.epd.zst"] {
        let zeros = folder.write(name, bomb("", 0, zstd));
        let output = limited(&["convert", "--to", "fen", &zeros]);
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn games_after_one_that_is_too_large_are_read() {
    let large = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(1_500_000));
    let games = [&large, "[White \"B\"]\n\n1. d4 d5 *\n"].concat();
    let check = fed(
        &["pgn", "check", "--max-game", "1MB", "-"],
        games.as_bytes(),
    );
    let said = text(&check.stdout);
    let expected = "standard input:1:1: game 1 (A – ?): the game is larger than 1 MB, the limit, which --max-game can \
                    raise\n2 games, 2 half-moves, 1 broken;";
    assert!(said.starts_with(expected), "{said}");
    let fix = fed(&["pgn", "fix", "--max-game", "1MB"], games.as_bytes());
    let fixed = text(&fix.stdout);
    assert!(fixed.starts_with(&large), "the game stays as it is");
    assert!(fixed.ends_with("1. d4 d5 *\n\n"));
    let whole = fed(&["pgn", "check", "-"], games.as_bytes());
    assert!(text(&whole.stdout).starts_with("2 games, 3 half-moves, none broken;"));
}

#[test]
fn analyse_copies_a_game_that_is_too_large_and_goes_on() {
    let folder = Folder::new("analyse-large");
    let large = format!("[White \"A\"]\n\n1. e4 {{{}}} *", "x".repeat(2_500_000));
    let games = format!("{large}\n\n[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let file = folder.write("games.pgn", &games);
    let target = folder.path("analysed.pgn");
    let output = output(&[
        "analyse",
        "--max-game",
        "1MB",
        "--nodes",
        "100",
        &file,
        "-o",
        &target,
    ]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let remark = text(&output.stderr);
    assert!(
        remark.ends_with(
            "games.pgn:1:1: the game is larger than 1 MB, the limit, which --max-game can raise (game 1 is copied \
             unchanged)\n"
        ),
        "{remark}"
    );
    let analysed = std::fs::read_to_string(&target).unwrap();
    let rest = analysed
        .strip_prefix(&large)
        .expect("the game stays as it is");
    assert!(
        rest.starts_with("\n\n[Event ") && rest.contains("[White \"B\"]"),
        "{rest}"
    );
    assert!(rest.contains("[%eval"), "{rest}");
}

#[test]
fn utf_16_is_read_and_said_to_be_that() {
    let folder = Folder::new("utf-16");
    let games = "\u{feff}[White \"Müller\"]\n\n1. e4 e5 1-0\n";
    let little: Vec<u8> = games.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = games.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let file = folder.write("games.pgn", &bytes);
        for arguments in [
            &["pgn", "check", &file][..],
            &["pgn", "stats", &file],
            &["pgn", "show", &file],
            &["pgn", "fix", &file],
            &["convert", "--to", "pgn", &file],
        ] {
            let output = output(arguments);
            assert!(output.status.success(), "{output:?}");
            let remark = text(&output.stderr);
            assert_eq!(remark, format!("{file} is UTF-16: it is read as UTF-8\n"));
        }
        let fixed = text(&output(&["pgn", "fix", &file]).stdout);
        assert!(fixed.contains("[White \"Müller\"]"), "{fixed}");
    }
}

/// Not read as something else, and said once.
#[test]
fn utf_32_is_refused_with_one_sentence() {
    let folder = Folder::new("utf-32");
    let games = "\u{feff}[White \"A\"]\n\n1. e4 e5 1-0\n";
    let bytes: Vec<u8> = games
        .chars()
        .flat_map(|letter| u32::from(letter).to_le_bytes())
        .collect();
    let file = folder.write("games.pgn", &bytes);
    for arguments in [
        &["pgn", "check", &file][..],
        &["pgn", "stats", &file],
        &["pgn", "show", &file],
        &["pgn", "fix", &file],
        &["convert", "--to", "pgn", &file],
        &["analyse", &file],
        &["play", "--pgn", &file],
    ] {
        let output = output(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let reason = "it is UTF-32; convert it with: iconv -f UTF-32 -t UTF-8";
        let message = format!("error: cannot read {file}: {reason}\n");
        assert_eq!(text(&output.stderr), message, "{arguments:?}");
    }
}

#[test]
fn contradictions_are_reported_and_stay() {
    let games = "[Result \"0-1\"]\n\n1. e4 1-0\n\n1. f3 e5 2. g4 Qh4# 1-0\n";
    let check = fed(&["pgn", "check", "-"], games.as_bytes());
    let said = text(&check.stdout);
    let expected = "standard input:3:7: game 1 (? – ?): the Result tag says 0-1, but the moves end with 1-0\n\
                    standard input:5:21: game 2 (? – ?): White is checkmated, but the result is 1-0\n\
                    2 games, 5 half-moves, none broken, 2 remarks;";
    assert!(said.starts_with(expected), "{said}");
    assert!(check.status.success());
    let fix = fed(&["pgn", "fix"], games.as_bytes());
    let (fixed, remarks) = (text(&fix.stdout), text(&fix.stderr));
    assert!(fixed.contains("[Result \"0-1\"]\n\n1. e4 1-0\n"), "{fixed}");
    assert_eq!(remarks.matches("is left as it is").count(), 2, "{remarks}");
}

#[test]
fn other_variants_are_said_to_be_that() {
    let games =
        "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 1-0\n\n[Variant \"Chess960\"]\n\n1. d4 0-1\n";
    let reason = "this is a game of Atomic, not of chess";
    let check = fed(&["pgn", "check", "-"], games.as_bytes());
    let said = text(&check.stdout);
    assert!(
        said.contains(reason) && said.contains("2 games, 1 half-move, 1 broken"),
        "{said}"
    );
    let stats = text(&fed(&["pgn", "stats", "-"], games.as_bytes()).stdout);
    assert!(
        stats.contains("1 of other variants") && !stats.contains("broken"),
        "{stats}"
    );
    let fix = fed(&["pgn", "fix"], games.as_bytes());
    assert!(text(&fix.stdout).starts_with("[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 1-0\n\n["));
    for arguments in [
        &["convert", "--to", "uci", "--from", "pgn"][..],
        &["pgn", "show", "-"],
    ] {
        let output = fed(arguments, games.as_bytes());
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains(reason), "{said}");
        assert_eq!(output.status.code(), Some(1));
    }
}

/// Comments that clear the screen, set its title and turn text around.
#[cfg(unix)]
const ESCAPES: &str =
    "[White \"A\x1b[2J\x1b]0;title\x07\u{9b}2J\u{202e}B\"]\n\n1. e4 {start \x1b[2J\x1bc end} *\n";

#[cfg(unix)]
#[test]
fn games_cannot_control_the_terminal() {
    let folder = Folder::new("escapes");
    let file = folder.write("games.pgn", ESCAPES);
    let broken = folder.write("broken.pgn", ESCAPES.replace("1. e4", "1. Ke4"));
    for arguments in [
        &["pgn", "fix", &file][..],
        &["pgn", "fix", &broken],
        &["convert", "--to", "pgn", &file],
        &["pgn", "check", &broken],
    ] {
        let mut terminal = crate::terminal::Terminal::start(arguments, &[], 80, 30);
        assert!(terminal.wait_for_exit().code().is_some());
        let screen = terminal.text();
        // Nothing has cleared the first line, and the letters of the escapes are there.
        assert!(screen.starts_with("$ tabiya"), "{arguments:?}: {screen}");
        assert!(screen.contains("A [2J"), "{arguments:?}: {screen}");
        assert!(!screen.contains('\u{202e}'), "{screen}");
    }
    // In a pipe, everything stays as it is.
    let piped = text(&output(&["pgn", "fix", &file]).stdout);
    assert!(
        piped.contains("\x1b[2J") && piped.contains('\u{202e}'),
        "{piped:?}"
    );
}
