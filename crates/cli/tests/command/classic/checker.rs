//! `tabiya classic checker`.

use std::fs;

use crate::folder::Folder;
use crate::{complaint, fed, output, printed, tabiya, text};

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
fn a_file_becomes_answers() {
    let folder = Folder::new("checker-answers");
    let boards = folder.write("boards.txt", BOARDS);
    let answers = folder.path("answers.txt");
    for threads in [&[][..], &["--threads", "1"], &["--threads", "3"]] {
        let output = output(&[&["classic", "checker", &boards, &answers], threads].concat());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
        let said = text(&output.stderr);
        assert!(
            said.contains("boards.txt: 3 of 5 lines are not in the format"),
            "{said}"
        );
        assert_eq!(folder.read("answers.txt"), ANSWERS);
        assert_eq!(folder.names(), ["answers.txt", "boards.txt"]);
    }
    // Moves that are not legal are answers, not errors.
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
fn over_the_input_itself() {
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
    // What breaks off leaves the answers as they were.
    folder.write("answers.txt", "precious");
    folder.write("boards.zst", &packed[..packed.len() - 4]);
    let said = complaint(&["classic", "checker", &boards, &answers]);
    assert!(said.contains("answers.txt is left as it was"), "{said}");
    assert!(said.contains("break off before their end"), "{said}");
    assert_eq!(folder.read("answers.txt"), "precious");
    assert_eq!(folder.names(), ["answers.txt", "boards.zst"]);
}

#[test]
fn what_cannot_be_read_or_written() {
    let folder = Folder::new("checker-nowhere");
    let boards = folder.write("boards.txt", BOARDS);
    let answers = folder.write("answers.txt", "precious");
    let missing = folder.path("missing.txt");
    let said = complaint(&["classic", "checker", &missing, &answers]);
    assert!(
        said.contains("missing.txt: there is no such file"),
        "{said}"
    );
    assert_eq!(folder.read("answers.txt"), "precious");
    let said = complaint(&["classic", "checker", &folder.path(""), &answers]);
    assert!(said.contains("it is a directory"), "{said}");
    let said = complaint(&["classic", "checker", &boards, &folder.path("no/such/place")]);
    assert!(said.contains("cannot write"), "{said}");
    let said = complaint(&["classic", "checker", &boards, &folder.path("")]);
    assert!(said.contains("it is a directory"), "{said}");
    complaint(&["classic", "checker", &boards]);
    complaint(&["classic", "checker", &boards, "-", "--explain"]);
    assert_eq!(folder.names(), ["answers.txt", "boards.txt"]);
}

/// A path with seven slashes is a path, not the rows of a board.
#[test]
fn paths_are_paths() {
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

/// Who has seen enough of the explanation still gets the answers.
#[test]
fn an_explanation_that_nobody_reads() {
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

/// Devices are written to, never replaced.
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
    let said = complaint(&["classic", "checker", &boards, "/dev/full"]);
    assert!(said.contains("cannot write /dev/full"), "{said}");
}

/// A signal ends it without a trace: the answers are as they were, and no temporary file stays.
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
        // It waits for the rest of its input.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"q 1 1: 1 1 8 8\n").unwrap();
        let patience = Instant::now() + Duration::from_secs(20);
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
        assert_eq!(status.code(), None, "it ends as the signal wants it");
        assert_eq!(folder.names(), ["answers.txt"]);
        assert_eq!(folder.read("answers.txt"), "precious");
    }
}
