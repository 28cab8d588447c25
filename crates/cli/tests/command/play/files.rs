//! Files of games, and disk errors.

use std::fs;

use super::{Home, PEOPLE};

#[test]
fn the_end_of_input_keeps_the_game() {
    let home = Home::new("eof");
    let printed = home.printed(PEOPLE, "e4\ne5\n");
    assert!(
        printed.ends_with("Game saved. Continue it with: tabiya play --resume\n"),
        "{printed}"
    );
    let printed = home.printed(&["--resume"], "Nf3\nquit\nNc6\n");
    assert!(
        printed.starts_with("White: Player\nBlack: Player 2\n1. e4 e5\n"),
        "{printed}"
    );
    // Input after quit is not read.
    let printed = home.printed(&["--resume"], "");
    assert!(printed.contains("1. e4 e5 2. Nf3\n"), "{printed}");
    // A game without moves is not kept.
    let home = Home::new("eof-empty");
    assert!(!home.printed(PEOPLE, "").contains("saved"));
    assert_eq!(home.unfinished(), [""; 0]);
}

#[test]
fn clocks_resume_where_they_stopped() {
    let home = Home::new("clocks");
    home.printed(&["--clock", "5+0", "--opponent", "person"], "e4\ne5\n");
    let record = home.path("tabiya/unfinished").join(&home.unfinished()[0]);
    let text = fs::read_to_string(&record).unwrap();
    // As if both had used more time.
    let (before, white) = text.split_once("[%clk ").unwrap();
    let (_, between) = white.split_once(']').unwrap();
    let (between, black) = between.split_once("[%clk ").unwrap();
    let (_, after) = black.split_once(']').unwrap();
    let older = format!("{before}[%clk 0:01:23]{between}[%clk 0:02:34]{after}");
    fs::write(&record, older).unwrap();
    let printed = home.printed(&["--resume"], "clock\n");
    // White has used a little more since.
    assert!(printed.contains("Clock: White 1:"), "{printed}");
    assert!(printed.contains(", Black 2:34\n"), "{printed}");
}

#[test]
fn games_are_saved_to_a_given_file() {
    let home = Home::new("save");
    let file = home.path("mine.pgn");
    let input = format!(
        "e4\ne5\nsave {}\nsave /no/such/folder/x.pgn\nsave -\n",
        file.display()
    );
    let (printed, remarks) = home.remarks(PEOPLE, &input);
    assert!(fs::read_to_string(&file).unwrap().contains("1. e4"));
    assert!(printed.contains("[White \"Player\"]"), "{printed}");
    assert!(
        remarks.starts_with("Could not add the game to /no/such/folder/x.pgn"),
        "{remarks}"
    );
    assert_eq!(remarks.lines().count(), 1);
}

#[test]
fn saving_never_replaces_a_file() {
    let home = Home::new("save-again");
    let file = home.path("mine.pgn");
    let save = format!("save {}\n", file.display());
    let printed = home.printed(PEOPLE, &format!("e4\n{save}"));
    assert!(printed.contains("Saved to "), "{printed}");
    let first = fs::read_to_string(&file).unwrap();
    let printed = home.printed(PEOPLE, &format!("d4\n{save}"));
    assert!(printed.contains("Added to the games in "), "{printed}");
    let both = fs::read_to_string(&file).unwrap();
    assert!(both.starts_with(&first) && both.contains("1. d4"), "{both}");
    let diary = home.path("diary.txt");
    fs::write(&diary, "Dear diary,").unwrap();
    let (_, remarks) = home.remarks(PEOPLE, &format!("save {}\n", diary.display()));
    assert!(remarks.contains("not a PGN file"), "{remarks}");
    assert_eq!(fs::read_to_string(&diary).unwrap(), "Dear diary,");
}

#[test]
fn moves_and_endings_can_be_taken_back_and_played_again() {
    let home = Home::new("redo");
    let input = "nf3\nundo\nredo\nf6\nresign black\nundo\nmoves\ng1e2x\nhnit\n";
    let (printed, remarks) = home.remarks(PEOPLE, input);
    for line in [
        "1. Nf3\nOpening: A04 Zukertort Opening\nTook back the last move.\nPlayed the move again.\n",
        "1... f6\nWhite wins: Black resigned. 1-0\n",
        "The game goes on.\n1. Nf3 f6\n",
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    let expected = "Unknown move or command: g1e2x. Try Nf3, e2e4 or help.\n\
                    Unknown command: hnit. Did you mean hint?\n";
    assert_eq!(remarks, expected);
}

#[test]
fn an_unusable_folder_is_reported_and_the_game_continues() {
    let home = Home::new("blocked");
    // A file where the folder should be.
    fs::write(home.path("tabiya"), "").unwrap();
    let (printed, remarks) = home.remarks(PEOPLE, "f3\ne5\ng4\nQh4\n");
    assert!(
        printed.contains("Black wins by checkmate. 0-1\n"),
        "{printed}"
    );
    let remarks: Vec<&str> = remarks.lines().collect();
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(
        remarks[0].starts_with("Could not write the game to "),
        "{remarks:?}"
    );
    assert!(
        remarks[1].starts_with("Could not add the game to "),
        "{remarks:?}"
    );
}

/// On a full disk the game ends normally, and is added to the collection once there is room.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_nothing_is_lost() {
    let home = Home::new("full");
    fs::create_dir_all(home.path("tabiya")).unwrap();
    let collection = home.path("tabiya/games.pgn");
    std::os::unix::fs::symlink("/dev/full", &collection).unwrap();
    let (printed, remarks) = home.remarks(PEOPLE, "f3\ne5\ng4\nQh4\nmoves\n");
    assert!(
        printed.contains("Black wins by checkmate. 0-1\n1. f3 e5 2. g4 Qh4#\n"),
        "{printed}"
    );
    assert!(
        remarks.contains("games.pgn: No space left on device"),
        "{remarks}"
    );
    fs::remove_file(&collection).unwrap();
    home.printed(PEOPLE, "");
    let games = home.collection();
    assert!(
        games.contains("2. g4") && games.trim_end().ends_with("0-1"),
        "{games}"
    );
    assert_eq!(home.unfinished(), [""; 0]);
}

#[test]
fn several_games_end_at_once() {
    let home = Home::new("at-once");
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..2 {
                    home.printed(PEOPLE, "f3\ne5\ng4\nQh4\n");
                }
            });
        }
    });
    let games = home.collection();
    assert_eq!(games.matches("[Event ").count(), 12);
    assert_eq!(games.matches("0-1\n\n").count(), 12, "{games}");
    let output = home
        .command(&["pgn", "check"])
        .arg(home.path("tabiya/games.pgn"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_game_is_resumed_in_one_window_only() {
    let home = Home::new("window");
    let mut process = home.process(PEOPLE);
    process.send("e4");
    process.wait_for("1. e4");
    let output = home.play(&["--resume"], "");
    assert_eq!(output.status.code(), Some(2));
    let error_message = crate::text(&output.stderr);
    assert!(
        error_message.contains("is open in another window"),
        "{error_message}"
    );
    process.end();
    home.printed(&["--resume"], "");
}

#[test]
fn a_screen_reader_hears_moves_and_boards_in_words() {
    let home = Home::new("speak");
    let arguments = [PEOPLE, &["--speak"]].concat();
    let input =
        "e4\nd5\nexd5\nboard\nrank 4\nfile d\nsquare d5\nwhere knights\nwhere black queen\nwhere\n";
    let (printed, remarks) = home.remarks(&arguments, input);
    for line in [
        "White: pawn from e2 to e4.\n",
        "White: pawn from e4 takes pawn on d5.\n",
        "rank 4: empty\n",
        "file d: white queen d1, white pawn d2, white pawn d5 and black queen d8\n",
        "d5: white pawn\n",
        "white knights: b1, g1; black knights: b8, g8\n",
        "black queen: d8\n",
        "rank 5: white pawn d5\n",
        "Black to move\n",
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    // No diagram, and nothing that moves the cursor.
    assert!(
        !printed.contains('\u{1b}') && !printed.contains("r n b q"),
        "{printed}"
    );
    assert!(remarks.starts_with("Where needs a piece"), "{remarks}");
}
