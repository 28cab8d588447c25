//! `tabiya classic checker`.

use std::fs;

use crate::folder::Folder;
use crate::{error_message, fed, output, printed, tabiya, text};

const BOARDS: &str = "\
k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3
q 1 1: 1 1 8 8\r
q 1 1 1: 1 1 8 8

q 1 1: 1 1 8";

const ANSWERS: &str = "\
1 1 3 3 illegal
Legal
error: '1' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character 7)
error: the line is empty
error: a number is missing: the last move has 3 of 4 (character 12)
";

#[test]
fn each_line_is_answered() {
    let folder = Folder::new("checker-answers");
    let boards = folder.write("boards.txt", BOARDS);
    let answers = folder.path("answers.txt");
    for threads in [&[][..], &["--threads", "1"], &["--threads", "3"]] {
        let output = output(&[&["classic", "checker", &boards, &answers], threads].concat());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
        let said = text(&output.stderr);
        assert!(
            said.contains("boards.txt: 3 of 5 lines have a wrong format"),
            "{said}"
        );
        assert_eq!(folder.read("answers.txt"), ANSWERS);
        assert_eq!(folder.names(), ["answers.txt", "boards.txt"]);
    }
    // Illegal moves are answers, not errors.
    folder.write("boards.txt", "q 1 1: 1 1 2 3\n");
    assert_eq!(printed(&["classic", "checker", &boards, &answers]), "");
    assert_eq!(folder.read("answers.txt"), "1 1 2 3 illegal\n");
    folder.write("boards.txt", "");
    assert_eq!(printed(&["classic", "checker", &boards, &answers]), "");
    assert_eq!(folder.read("answers.txt"), "");
}

#[test]
fn standard_input_and_output() {
    let output = fed(&["classic", "checker", "-", "-"], BOARDS.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), ANSWERS);
    let folder = Folder::new("checker-pipe");
    let answers = folder.path("answers.txt");
    let output = fed(&["classic", "checker", "-", &answers], BOARDS.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(folder.read("answers.txt"), ANSWERS);
}

#[test]
fn the_output_can_replace_the_input() {
    let folder = Folder::new("checker-itself");
    let boards = folder.write("boards.txt", BOARDS);
    output(&["classic", "checker", &boards, &boards]);
    assert_eq!(folder.read("boards.txt"), ANSWERS);
    assert_eq!(folder.names(), ["boards.txt"]);
}

#[test]
fn compressed_lines() {
    let folder = Folder::new("checker-packed");
    let packed = zstd::encode_all(BOARDS.as_bytes(), 1).unwrap();
    let boards = folder.write("boards.zst", &packed);
    let answers = folder.write("answers.txt", "precious");
    output(&["classic", "checker", &boards, &answers]);
    assert_eq!(folder.read("answers.txt"), ANSWERS);
    // A truncated file leaves the answers unchanged.
    folder.write("answers.txt", "precious");
    folder.write("boards.zst", &packed[..packed.len() - 4]);
    let said = error_message(&["classic", "checker", &boards, &answers]);
    assert!(said.contains("answers.txt is unchanged"), "{said}");
    assert!(said.contains("the compressed data is incomplete"), "{said}");
    assert_eq!(folder.read("answers.txt"), "precious");
    assert_eq!(folder.names(), ["answers.txt", "boards.zst"]);
}

#[test]
fn unreadable_input_and_unwritable_output() {
    let folder = Folder::new("checker-nowhere");
    let boards = folder.write("boards.txt", BOARDS);
    let answers = folder.write("answers.txt", "precious");
    let missing = folder.path("missing.txt");
    let said = error_message(&["classic", "checker", &missing, &answers]);
    assert!(said.contains("missing.txt: no such file"), "{said}");
    assert_eq!(folder.read("answers.txt"), "precious");
    let said = error_message(&["classic", "checker", &folder.path(""), &answers]);
    assert!(said.contains("it is a directory"), "{said}");
    let said = error_message(&["classic", "checker", &boards, &folder.path("no/such/place")]);
    assert!(said.contains("cannot write"), "{said}");
    let said = error_message(&["classic", "checker", &boards, &folder.path("")]);
    assert!(said.contains("it is a directory"), "{said}");
    error_message(&["classic", "checker", &boards]);
    error_message(&["classic", "checker", &boards, "-", "--explain"]);
    assert_eq!(folder.names(), ["answers.txt", "boards.txt"]);
}

/// A path with seven slashes is not a FEN.
#[test]
fn deep_paths_are_not_fens() {
    let folder = Folder::new("checker-paths");
    fs::create_dir_all(folder.path("a/b/c/d/e/f/g")).unwrap();
    folder.write("a/b/c/d/e/f/g/boards.txt", "q 1 1: 1 1 8 8\n");
    let status = tabiya(&[
        "classic",
        "checker",
        "a/b/c/d/e/f/g/boards.txt",
        "a/b/c/d/e/f/g/answers",
    ])
    .current_dir(folder.path(""))
    .status()
    .unwrap();
    assert!(status.success());
    assert_eq!(folder.read("a/b/c/d/e/f/g/answers"), "Legal\n");
}

#[test]
fn the_explanation_is_printed() {
    let folder = Folder::new("checker-explain");
    let boards = folder.write("boards.txt", BOARDS);
    let answers = folder.path("answers.txt");
    let output = output(&["classic", "checker", &boards, &answers, "--explain"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(folder.read("answers.txt"), ANSWERS);
    let said = text(&output.stdout);
    assert!(
        said.contains("Black: 1 1 3 3 illegal: the rook on b2 is in the way\n"),
        "{said}"
    );
    assert_eq!(said.matches("   1 2 3 4 5 6 7 8\n").count(), 4, "{said}");
    assert!(
        said.ends_with("Line 5: a number is missing: the last move has 3 of 4 (character 12).\n\n")
    );
}

/// The answers are written even if nothing reads the explanation.
#[test]
fn a_closed_output_does_not_stop_the_answers() {
    let folder = Folder::new("checker-unread");
    let lines = "q 1 1: 1 1 8 8\n".repeat(2000);
    let boards = folder.write("boards.txt", &lines);
    let answers = folder.path("answers.txt");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = tabiya(&["classic", "checker", &boards, &answers, "--explain"])
        .stdout(writer)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(folder.read("answers.txt"), "Legal\n".repeat(2000));
}

/// Devices are written to, not replaced.
#[cfg(target_os = "linux")]
#[test]
fn devices_stay_devices() {
    use std::os::unix::fs::FileTypeExt;

    let folder = Folder::new("checker-device");
    let boards = folder.write("boards.txt", "q 1 1: 1 1 8 8\n");
    assert_eq!(printed(&["classic", "checker", &boards, "/dev/null"]), "");
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let said = error_message(&["classic", "checker", &boards, "/dev/full"]);
    assert!(said.contains("cannot write /dev/full"), "{said}");
}

/// A signal leaves the answers unchanged and no temporary file.
#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_behind() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let folder = Folder::new("checker-signal");
    let answers = folder.write("answers.txt", "precious");
    for signal in ["-INT", "-TERM"] {
        let mut child = tabiya(&["classic", "checker", "-", &answers])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // The program waits for more input.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"q 1 1: 1 1 8 8\n").unwrap();
        let patience = Instant::now() + Duration::from_secs(120);
        while folder.names().len() < 2 && Instant::now() < patience {
            sleep(Duration::from_millis(5));
        }
        let names = folder.names();
        assert_eq!(names.len(), 2, "{names:?}");
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "the signal ends it");
        assert_eq!(folder.names(), ["answers.txt"]);
        assert_eq!(folder.read("answers.txt"), "precious");
    }
}
