//! Records of games: saving, loading, replaying and continuing.

use std::fs;

use tabiya_classics::herochess::{
    HerochessRecord, HerochessRecordError, HerochessSession, Options, PlayerKind,
};

use crate::{FOOLS_MATE, Folder, boards, options, session_with};

const NAME: &str = "herochess-20260101-000015.txt";

/// A game with castling, en passant and a promotion.
const EVERYTHING: &str = "e2 e4\ng8 f6\ne4 e5\nd7 d5\ne5 d6\nb8 c6\ng1 f3\nc8 g4\nf1 e2\nd8 d7\n\
                          e1 g1\ne8 c8\nd6 c7\na7 a6\nc7 d8\nN";

/// Plays a game between two people, saves it and returns the record.
fn saved(folder: &Folder, moves: &str) -> String {
    let typed = format!("1\n{moves}\nq\ny\n4\n");
    session_with(folder.options(), &typed);
    folder.read(NAME)
}

#[test]
fn record_has_all_parts() {
    let folder = Folder::new("record");
    let typed = format!("1\n{FOOLS_MATE}\nY\n4\n");
    let printed = session_with(folder.options(), &typed);
    let path = folder.path(NAME);
    let expected = format!("Saved the replay in {}.\n", path.display());
    assert!(printed.contains(&expected), "{printed}");
    let text = folder.read(NAME);
    let version = env!("CARGO_PKG_VERSION");
    let start = format!(
        "HeroChess, Tabiya {version}\n\
         File: {NAME}\n\
         Date: 2026-01-01 00:00:15 UTC\n\
         Player 1: White, person\n\
         Player 2: Black, person\n\
         \n\
         Player 1 moved from f2 to f3.\n   -----"
    );
    assert!(text.starts_with(&start), "{text}");
    assert!(
        text.contains("\nPlayer 2 moved from d8 to h4.\n   -----"),
        "{text}"
    );
    assert!(
        text.ends_with("\nWinner: Player 2 (Black), by checkmate\n"),
        "{text}"
    );
    // The board after every move, as printed in the game.
    assert_eq!(boards(&text), boards(&printed)[1..]);
    assert_eq!(folder.names(), [NAME]);
}

#[test]
fn record_of_other_results() {
    let folder = Folder::new("record-unfinished");
    let text = saved(&folder, "e2 e4");
    assert!(
        text.ends_with("\nWinner: nobody yet, the game is not finished\n"),
        "{text}"
    );
    let folder = Folder::new("record-draw");
    let around = "g1 f3\ng8 f6\nf3 g1\nf6 g8\n";
    session_with(folder.options(), &format!("1\n{around}{around}y\n4\n"));
    let text = folder.read(NAME);
    assert!(
        text.ends_with("\nWinner: nobody, a draw (the same position for the third time)\n"),
        "{text}"
    );
    // A game without moves.
    let folder = Folder::new("record-empty");
    session_with(folder.options(), "1\nq\ny\n4\n");
    assert_eq!(folder.record(NAME).game().history().moves().len(), 0);
}

#[test]
fn saved_records_can_be_loaded() {
    let folder = Folder::new("record-back");
    let text = saved(&folder, EVERYTHING);
    assert!(text.contains("\nPlayer 1 moved from e1 to g1.\n"), "{text}");
    assert!(
        text.contains("\nPlayer 1 moved from c7 to d8 and promoted to N.\n"),
        "{text}"
    );
    let record = folder.record(NAME);
    assert_eq!(record.to_string(), text);
    assert_eq!(
        record.game().board().to_string(),
        "2kN1b1r/1p1qpppp/p1n2n2/8/6b1/5N2/PPPPBPPP/RNBQ1RK1 b - - 0 8"
    );
    // Windows line breaks are fine.
    assert_eq!(
        HerochessRecord::parse(&text.replace('\n', "\r\n")).unwrap(),
        record
    );
}

#[test]
fn record_names_the_computer_and_the_colours() {
    let folder = Folder::new("record-computer");
    session_with(folder.options(), "3\n2\nb\n3\n1\n4\n2\ng8 f6\nq\ny\n4\n");
    let record = folder.record(NAME);
    let text = record.to_string();
    assert!(
        text.contains("\nPlayer 1: Black, person\nPlayer 2: White, AI level 1\n"),
        "{text}"
    );
    let kinds = record.seats().players.each_ref().map(|player| player.kind);
    assert!(matches!(
        kinds,
        [PlayerKind::Person, PlayerKind::Computer(_)]
    ));
}

#[test]
fn never_overwrites_a_file() {
    let folder = Folder::new("record-twice");
    fs::write(folder.path(NAME), "precious").unwrap();
    for number in 2..5 {
        session_with(folder.options(), "1\nq\ny\n4\n");
        let name = format!("herochess-20260101-000015-{number}.txt");
        let text = folder.read(&name);
        assert!(text.contains(&format!("\nFile: {name}\n")), "{text}");
    }
    assert_eq!(folder.read(NAME), "precious");
    assert_eq!(folder.names().len(), 4, "{:?}", folder.names());
}

#[test]
fn program_continues_if_saving_fails() {
    let folder = Folder::new("record-nowhere");
    let missing = Options {
        folder: folder.path("no/such/folder"),
        ..options()
    };
    let printed = session_with(missing, &format!("1\n{FOOLS_MATE}\ny\n1\nq\nn\n4\n"));
    let said = printed
        .lines()
        .find(|line| line.starts_with("Cannot save the replay in "));
    assert!(said.is_some(), "{printed}");
    assert_eq!(printed.matches("Choose Option: ").count(), 3, "{printed}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn asks_until_the_answer_is_yes_or_no() {
    let folder = Folder::new("record-question");
    let printed = session_with(folder.options(), "1\nq\nperhaps\n\nno\nN\n4\n");
    assert_eq!(
        printed.matches("Error. Try again\n").count(),
        3,
        "{printed}"
    );
    assert_eq!(folder.names(), [""; 0]);
}

fn replayed(record: &HerochessRecord, typed: &str, pause: bool) -> String {
    let mut printed = Vec::new();
    let mut session = HerochessSession::new(typed.as_bytes(), &mut printed, options());
    session.replay(record, pause).unwrap();
    String::from_utf8(printed).unwrap()
}

#[test]
fn replay_shows_the_game() {
    let folder = Folder::new("replay");
    let text = saved(&folder, EVERYTHING);
    let record = folder.record(NAME);
    let printed = replayed(&record, "", false);
    assert_eq!(boards(&printed)[1..], boards(&text));
    for line in text.lines().filter(|line| !line.is_empty()) {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    // Move by move, until the person quits.
    let printed = replayed(&record, "\n\nx\nq\n", true);
    assert_eq!(boards(&printed).len(), 3, "{printed}");
    assert_eq!(boards(&replayed(&record, "", true)).len(), 1);
}

#[test]
fn game_continues_from_its_record() {
    let folder = Folder::new("continue");
    saved(&folder, "f2 f3\ne7 e5");
    let record = folder.record(NAME);
    let mut printed = Vec::new();
    let typed = "g2 g4\nd8 h4\ny\n4\n";
    let mut session = HerochessSession::new(typed.as_bytes(), &mut printed, folder.options());
    session.resume(&record).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert!(
        printed.contains("Checkmate! Player 2 (Black) wins.\n"),
        "{printed}"
    );
    // The menu follows.
    assert!(printed.ends_with("Choose Option: \n"), "{printed}");
    let whole = folder.record("herochess-20260101-000015-2.txt");
    assert_eq!(whole.game().history().moves().len(), 4);
}

#[test]
fn moves_of_a_record_can_be_undone() {
    let folder = Folder::new("continue-undo");
    session_with(folder.options(), "2\ne2 e4\nq\ny\n4\n");
    let record = folder.record(NAME);
    let mut printed = Vec::new();
    let mut session = HerochessSession::new(&b"y\nq\nn\n4\n"[..], &mut printed, folder.options());
    session.resume(&record).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    let all = boards(&printed);
    assert_eq!(all.len(), 2, "{printed}");
    assert!(
        all[1].iter().all(|row| !row.contains("wP | wP |    ")),
        "{printed}"
    );
    // The computer's first move is in the record, so it doesn't use the library again.
    assert!(!printed.contains("an opening"), "{printed}");
}

/// Every missing or changed line is an error that names the line.
#[test]
fn detects_every_damaged_line() {
    let folder = Folder::new("record-damage");
    let text = saved(&folder, "e2 e4\nd7 d5\ne4 d5");
    let lines: Vec<&str> = text.lines().collect();
    // The version, the file name and the date are free text.
    for damaged in 3..lines.len() {
        for replacement in [None, Some("rubbish")] {
            let mut lines = lines.clone();
            match replacement {
                Some(rubbish) => lines[damaged] = rubbish,
                None => drop(lines.remove(damaged)),
            }
            let error = HerochessRecord::parse(&lines.join("\n")).unwrap_err();
            let line = match &error {
                HerochessRecordError::Line { line, .. }
                | HerochessRecordError::Truncated { line, .. } => *line,
                HerochessRecordError::Unreadable(_) => panic!("{error}"),
            };
            // A missing move is noticed by the one after it.
            assert!(line >= damaged, "line {}: {error}", damaged + 1);
            assert!(line <= damaged + 25, "line {}: {error}", damaged + 1);
        }
    }
    for end in 0..lines.len() {
        let error = HerochessRecord::parse(&lines[..end].join("\n")).unwrap_err();
        assert!(
            matches!(
                error,
                HerochessRecordError::Truncated { .. } | HerochessRecordError::Line { .. }
            ),
            "{error}"
        );
    }
    assert!(HerochessRecord::parse(&format!("{text}\n")).is_err());
}

#[test]
fn errors_say_what_and_where() {
    let folder = Folder::new("record-errors");
    let text = saved(&folder, "e2 e4\nd7 d5\ne4 d5");
    for (from, to, error) in [
        (
            "HeroChess,",
            "Chess,",
            "line 1: this is not the record of a game, which starts with \"HeroChess, Tabiya \"",
        ),
        ("Date: ", "Day: ", "line 3: it should start with \"Date: \""),
        (
            "Player 2: Black, person",
            "Player 2: White, person",
            "line 5: both players have White",
        ),
        (
            "Black, person",
            "Black, AI level 99",
            "line 5: \"Black, AI level 99\" is not a player",
        ),
        (
            "from e2 to e4.",
            "from e2 to e5.",
            "line 7: the move is not legal: pawns move one square forward, or two from their starting square",
        ),
        (
            "from e2 to e4.",
            "from e2 to e4",
            "line 7: \"Player 1 moved from e2 to e4\" is not a move",
        ),
        (
            "Player 2 moved",
            "Player 1 moved",
            "line 27: it should be \"Player 2 moved from d7 to d5.\"",
        ),
        (
            "Winner: nobody yet, the game is not finished",
            "Winner: Player 1 (White), by checkmate",
            "line 67: it should be \"Winner: nobody yet, the game is not finished\"",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let found = HerochessRecord::parse(&text.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(found.starts_with(error), "{found}");
    }
    assert_eq!(
        HerochessRecord::parse("").unwrap_err().to_string(),
        "the file ends too early: line 1 should be \"HeroChess, Tabiya …\""
    );
    // No moves after the end of the game.
    let folder = Folder::new("record-after-the-end");
    session_with(folder.options(), &format!("1\n{FOOLS_MATE}\ny\n4\n"));
    let text = folder.read(NAME);
    let more = text.replace("\nWinner", "\nPlayer 1 moved from a2 to a3.\n\nWinner");
    let error = HerochessRecord::parse(&more).unwrap_err().to_string();
    assert!(error.contains("the game ended before this move"), "{error}");
}

#[test]
fn rejects_other_files() {
    let folder = Folder::new("record-files");
    assert!(matches!(
        HerochessRecord::read(&folder.path("missing")),
        Err(HerochessRecordError::Unreadable(_))
    ));
    assert!(HerochessRecord::read(&folder.path("")).is_err());
    fs::write(folder.path("bytes"), [0xff, 0xfe, 0]).unwrap();
    assert!(HerochessRecord::read(&folder.path("bytes")).is_err());
}
