//! `tabiya pgn fix`.

use super::GAMES;
use crate::folder::Folder;
use crate::{error_message, fed, output, printed, text};

const UNTIDY: &str = "[White \"Morphy\"]\n[Annotator \"me\"]\n[Event \"Paris\"]\n[Result \"*\"]\n\n\
                      1.e2-e4 e7e5 2.Ng1-f3 d7d6 3.d4 0-1";

const TIDY: &str = r#"[Event "Paris"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Morphy"]
[Black "?"]
[Result "0-1"]
[Annotator "me"]

1. e4 e5 2. Nf3 d6 3. d4 0-1

"#;

#[test]
fn games_are_written_in_standard_format() {
    let output = fed(&["pgn", "fix"], UNTIDY.as_bytes());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stdout), TIDY);
    // A second run changes nothing.
    let again = fed(&["pgn", "fix", "-"], TIDY.as_bytes());
    assert_eq!(text(&again.stdout), TIDY);
}

#[test]
fn games_from_a_position_get_setup_tags() {
    let games = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
    let said = text(&fed(&["pgn", "fix"], games.as_bytes()).stdout);
    assert!(said.contains("[SetUp \"1\"]\n[FEN \"4k3/"), "{said}");
}

#[test]
fn unreadable_games_are_kept() {
    let folder = Folder::new("fix-left");
    let file = folder.write("games.pgn", GAMES);
    let output = output(&["pgn", "fix", &file]);
    assert_eq!(output.status.code(), Some(1));
    let fixed = text(&output.stdout);
    let broken = &GAMES[GAMES.find("[Event \"Paris\"]").unwrap()..];
    let broken = &broken[..broken.find("[Event \"New").unwrap()];
    assert!(fixed.contains(broken), "{fixed}");
    assert_eq!(fixed.matches("[Site \"?\"]").count(), 2);
    let said = text(&output.stderr);
    let expected = format!("{file}:17:17: game 2 (Morphy – Allies) is copied unchanged: 5. Qxf4: ");
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(said.lines().count(), 1);
}

/// An illegal variation is not turned into another illegal one.
#[test]
fn variations_without_a_move_to_replace() {
    let games = "1. e4 e5 ((1... c5)) 2. Nf3 *\n";
    let output = fed(&["pgn", "fix"], games.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).trim_end(), games.trim_end());
    let said = text(&output.stderr);
    assert!(said.starts_with("standard input:1:11: game 1 "), "{said}");
}

#[test]
fn the_letters_of_a_language() {
    let german = "[Event \"Paris\"]\n[White \"Morphy\"]\n[Result \"0-1\"]\n[Annotator \"me\"]\n\n\
                  1.e4 e5 2.Sg1-f3 d6 3.d4 0-1";
    let output = fed(&["pgn", "fix", "--letters", "de"], german.as_bytes());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stdout), TIDY);
    let output = fed(&["pgn", "fix"], german.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).trim_end(), german);
    let said = text(&output.stderr);
    assert!(
        said.starts_with(
            "standard input:6:11: game 1 (Morphy – ?) is copied unchanged: 2. Sg1-f3: "
        ),
        "{said}"
    );
    assert!(said.contains("--letters"), "{said}");
    error_message(&["pgn", "fix", "--letters", "xx", "-"]);
}

/// Escaped lines and comments between games are kept.
#[test]
fn text_between_games_is_kept() {
    let games = "\u{feff}% made by hand\n\n{ the first }\n\u{feff}[White \"A\"]\n% of A\n\n\
                 1.e4 {so be it}\n%clock 10 \n e5 1-0\n\n%next\n; and last\n\u{feff}\n[White \"B\"]\n\n*\n%the end";
    let tags = |white: &str, result: &str| {
        let tidy = TIDY.split_once("[Annotator").unwrap().0;
        tidy.replace("Morphy", white)
            .replace("Paris", "?")
            .replace("0-1", result)
    };
    let wanted = format!(
        "% made by hand\n\n{{ the first }}\n{}\n% of A\n1. e4 {{ so be it }}\n%clock 10 \n1... e5 1-0\n\n\
         %next\n; and last\n{}\n*\n\n%the end\n",
        tags("A", "1-0"),
        tags("B", "*")
    );
    let output = fed(&["pgn", "fix"], games.as_bytes());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stdout), wanted);
    assert_eq!(
        text(&fed(&["pgn", "fix"], wanted.as_bytes()).stdout),
        wanted
    );
}

/// `fix` and `check` report the same games in the same words.
#[test]
fn fix_agrees_with_check() {
    let mut games = GAMES.to_owned();
    for broken in [
        "[FEN \"nonsense\"]\n[White \"A\"]\n\n1. e4 *\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[FEN \"nonsense\"]\n\n1. Kd2 *\n",
        "1. e4 (1. d4 (1. c4 *\n",
        "1. e4 {never closed\n\n[Event \"?\"]\n\n1. d4 *\n",
        "1. e4 e5 2. Sf3 *\n",
        "1. e4 e5 2. nonsense *\n",
        "[Black\n\n1. e4 *\n",
    ] {
        games.push_str("\n[Event \"?\"]\n");
        games.push_str(broken);
    }
    let checked = fed(&["pgn", "check", "--quiet", "-"], games.as_bytes());
    let left = text(&fed(&["pgn", "fix"], games.as_bytes()).stderr);
    assert_eq!(
        text(&checked.stdout),
        left.replace(") is copied unchanged: ", "): ")
    );
    assert_eq!(left.lines().count(), 7, "{left}");
}

#[test]
fn into_a_file() {
    let folder = Folder::new("fix-output");
    let file = folder.write("games.pgn", UNTIDY);
    let other = folder.path("fixed.pgn");
    assert_eq!(printed(&["pgn", "fix", &file, &file, "-o", &other]), "");
    assert_eq!(folder.read("fixed.pgn"), format!("{TIDY}{TIDY}"));
    assert_eq!(folder.names(), ["fixed.pgn", "games.pgn"]);
    // Also into the input file itself.
    assert_eq!(printed(&["pgn", "fix", &file, "-o", &file]), "");
    assert_eq!(folder.read("games.pgn"), TIDY);
}

#[test]
fn in_place() {
    let folder = Folder::new("fix-in-place");
    let files = ["a.pgn", "b.pgn", "c.pgn"].map(|name| folder.write(name, UNTIDY));
    let [a, b, c] = files.each_ref().map(String::as_str);
    folder.write("b.pgn", "");
    assert_eq!(printed(&["pgn", "fix", "--in-place", a, b, c]), "");
    assert_eq!(folder.read("a.pgn"), TIDY);
    assert_eq!(folder.read("b.pgn"), "");
    assert_eq!(folder.read("c.pgn"), TIDY);
    assert_eq!(folder.names(), ["a.pgn", "b.pgn", "c.pgn"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new("fix-link");
    let file = folder.write("games.pgn", UNTIDY);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.pgn");
    symlink("games.pgn", &link).unwrap();
    assert_eq!(printed(&["pgn", "fix", "--in-place", &link]), "");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(folder.read("games.pgn"), TIDY);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// A file that cannot be read to the end is not replaced.
#[test]
fn no_file_is_ever_half_written() {
    let folder = Folder::new("fix-half");
    let kept = folder.write("kept.pgn", "precious");
    let packed = zstd::encode_all(UNTIDY.as_bytes(), 1).unwrap();
    let cut = folder.write("cut.pgn.zst", &packed[..packed.len() - 5]);
    for inputs in [&[cut.as_str()][..], &["missing.pgn"]] {
        let output = output(&[&["pgn", "fix", "-o", &kept], inputs].concat());
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains("kept.pgn is unchanged"), "{said}");
        assert_eq!(folder.read("kept.pgn"), "precious");
    }
    assert_eq!(folder.names(), ["cut.pgn.zst", "kept.pgn"]);
}

#[test]
fn unwritable_files_are_errors() {
    let folder = Folder::new("fix-nowhere");
    let file = folder.write("games.pgn", UNTIDY);
    let said = error_message(&["pgn", "fix", &file, "-o", &folder.path("no/such/place.pgn")]);
    assert!(said.contains("cannot write "), "{said}");
    let said = error_message(&["pgn", "fix", &file, "-o", &folder.path("")]);
    assert!(said.contains("it is a directory"), "{said}");
    let said = error_message(&["pgn", "fix", &file, "-o", &folder.path("games.pgn.zst")]);
    assert!(said.contains("never compressed"), "{said}");
    let said = error_message(&["pgn", "fix", "--in-place", &folder.path("games.pgn.gz")]);
    assert!(said.contains("is compressed"), "{said}");
    let said = error_message(&["pgn", "fix", "--in-place", "-"]);
    assert!(said.contains("standard input cannot be replaced"), "{said}");
    error_message(&["pgn", "fix", "--in-place"]);
    error_message(&["pgn", "fix", "--in-place", &file, "-o", &file]);
}
