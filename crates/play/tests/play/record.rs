//! Game records, intact and damaged.

use std::fs::{self, File};
use std::time::{Duration, Instant, SystemTime};

use tabiya_board::Board;
use tabiya_play::{
    EngineCommand, Game, GameRecord, Level, Player, RecordError, Store, Termination, TimeControl,
};

use crate::folder::Folder;
use crate::{BLACK, WHITE, game_from, moves, people, play};

const SECOND: Duration = Duration::from_secs(1);

/// Checks that a resumed game equals the original.
#[track_caller]
fn assert_same(resumed: &mut Game, before: &Game) {
    assert_eq!(resumed.history(), before.history());
    assert_eq!(resumed.players(), before.players());
    assert_eq!(resumed.termination(), before.termination());
    assert_eq!(resumed.draw_offer(), before.draw_offer());
    assert_eq!(resumed.move_times(), before.move_times());
    assert_eq!(resumed.clock().control(), before.clock().control());
    assert_eq!(resumed.started_at(), before.started_at());
    assert_eq!(resumed.take_warning(), None);
}

/// An action in a game.
type Step = fn(&mut Game, Instant);

#[test]
fn a_game_can_be_resumed_after_every_event() {
    let folder = Folder::new("every-event");
    let path = folder.join("game.pgn");
    let mut game = game_from(Board::start(), "5+3".parse().unwrap());
    game.set_record(GameRecord::new(&path));
    assert!(!path.exists(), "nothing has happened yet");
    let start = Instant::now();
    game.start(start);
    let steps: [Step; 14] = [
        |game, now| drop(game.play_text("e4", now).unwrap()),
        |game, now| drop(game.play_text("e5", now).unwrap()),
        |game, now| drop(game.offer_draw(WHITE, now).unwrap()),
        |game, now| drop(game.decline_draw(BLACK, now).unwrap()),
        |game, now| drop(game.play_text("Nf3", now).unwrap()),
        |game, now| drop(game.offer_draw(WHITE, now).unwrap()),
        |game, now| drop(game.play_text("Nc6", now).unwrap()),
        |game, now| drop(game.take_back(now).unwrap()),
        |game, now| drop(game.play_text("d6", now).unwrap()),
        |game, now| drop(game.swap_sides(now).unwrap()),
        |game, now| {
            let computer = Player::Computer(Level::ALL[2]);
            game.set_player(WHITE, computer, now).unwrap();
        },
        |game, now| drop(game.play_text("d4", now).unwrap()),
        Game::pause,
        |game, now| drop(game.resign(BLACK, now).unwrap()),
    ];
    for (index, step) in steps.iter().enumerate() {
        let now = start + (index as u32 + 1) * SECOND;
        step(&mut game, now);
        assert_eq!(game.take_warning(), None);
        // The original is locked.
        let copy = folder.join("copy.pgn");
        fs::copy(&path, &copy).unwrap();
        let mut resumed = Game::resume(&copy).unwrap_or_else(|error| panic!("{index}: {error}"));
        assert_same(&mut resumed, &game);
        if game.clock().running().is_none() {
            for color in [WHITE, BLACK] {
                assert_eq!(
                    resumed.clock().remaining(color, now),
                    game.clock().remaining(color, now)
                );
            }
        }
    }
    assert_eq!(game.termination(), Some(Termination::Resigned(BLACK)));
}

#[test]
fn a_record_is_pgn() {
    let folder = Folder::new("pgn");
    let path = folder.join("game.pgn");
    let mut game = people();
    game.set_record(GameRecord::new(&path));
    play(&mut game, "e4 e5 Nf3 Nc6");
    game.take_back(Instant::now()).unwrap();
    play(&mut game, "d6 Bc4 Nc6");
    let text = fs::read_to_string(&path).unwrap();
    let mut reader = tabiya_notation::pgn::Reader::new(text.as_bytes());
    let read = tabiya_notation::pgn::Game::read(&mut reader)
        .unwrap()
        .unwrap();
    assert_eq!(read.main_line().count(), 6, "{text}");
    assert_eq!(read.tag("White"), Some("Ann"));
    assert!(tabiya_notation::pgn::Game::read(&mut reader).is_none());
}

#[test]
fn truncation_loses_only_the_last_line() {
    let folder = Folder::new("cut");
    let path = folder.join("game.pgn");
    let mut game = game_from(Board::start(), "5+3".parse().unwrap());
    game.set_record(GameRecord::new(&path));
    game.start(Instant::now());
    play(&mut game, "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    let whole = fs::read(&path).unwrap();
    let tags = whole.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    for length in tags..=whole.len() {
        let copy = folder.join("copy.pgn");
        fs::write(&copy, &whole[..length]).unwrap();
        let resumed = Game::resume(&copy).unwrap_or_else(|error| panic!("{length}: {error}"));
        // Every complete line counts.
        let lines = whole[tags..length].split(|&byte| byte == b'\n').count() - 1;
        let expected: Vec<_> = game
            .history()
            .moves()
            .take(resumed.history().moves().len())
            .collect();
        assert_eq!(resumed.history().moves().collect::<Vec<_>>(), expected);
        assert!(
            resumed.history().moves().len() >= lines.min(7),
            "{length}: {}",
            moves(&resumed)
        );
    }
}

#[test]
fn a_game_from_a_position_with_an_engine_is_resumed() {
    let folder = Folder::new("engine");
    let path = folder.join("game.pgn");
    let engine = EngineCommand::parse("\"/no such/engine\" --fast Hash=8").unwrap();
    let players = [Player::Engine(engine), Player::person("O\"Neil \\ {x}")];
    let line = Board::chess960_start(7).into();
    let mut game = Game::new(line, players, "30s/move".parse().unwrap());
    game.set_record(GameRecord::new(&path));
    play(&mut game, "e4");
    let copy = folder.join("copy.pgn");
    fs::copy(&path, &copy).unwrap();
    assert_same(&mut Game::resume(&copy).unwrap(), &game);
}

#[test]
fn a_record_is_locked_while_it_is_played() {
    let folder = Folder::new("lock");
    let store = Store::new(folder.path());
    let mut game = people();
    game.set_record(store.new_record());
    play(&mut game, "e4");
    let path = game.record().unwrap().path().to_owned();
    assert!(matches!(Game::resume(&path), Err(RecordError::Locked(_))));
    assert!(store.resume(&[]).is_err());
    drop(game);
    let mut resumed = store.resume(&[]).unwrap().unwrap();
    assert_eq!(moves(&resumed), "1. e4");
    assert!(matches!(Game::resume(&path), Err(RecordError::Locked(_))));
    play(&mut resumed, "e5");
    assert!(matches!(Game::resume(&path), Err(RecordError::Locked(_))));
}

#[test]
fn other_files_are_errors() {
    let folder = Folder::new("none");
    for (content, problem) in [
        ("", "it has no WhiteSeat tag"),
        ("[Event \"x\"]\n\n1. e4 *\n", "it has no WhiteSeat tag"),
        ("[FEN \"x\"]\n\n", "its FEN is invalid"),
        (
            "[WhiteSeat \"person\"]\n[BlackSeat \"robot\"]\n\n",
            "unknown player \"robot\"",
        ),
        ("\u{0}\u{1}\u{fffd}\n", "it has no "),
    ] {
        let path = folder.join("game.pgn");
        fs::write(&path, content).unwrap();
        let error = Game::resume(&path).unwrap_err().to_string();
        assert!(
            error.contains("is not a saved game") && error.contains(problem),
            "{error}"
        );
    }
    assert!(matches!(
        Game::resume(folder.path()),
        Err(RecordError::Read { .. })
    ));
    assert!(matches!(
        Game::resume(&folder.join("nowhere")),
        Err(RecordError::Read { .. })
    ));
    // The game ends before an illegal move.
    let path = folder.join("game.pgn");
    let text =
        "[WhiteSeat \"person\"]\n[BlackSeat \"level 3\"]\n\n1. e4\n1... e5\n2. Qh8\n2... a6\n";
    fs::write(&path, text).unwrap();
    let mut game = Game::resume(&path).unwrap();
    assert_eq!(moves(&game), "1. e4 e5");
    assert!(
        game.take_warning()
            .unwrap()
            .contains("line 6 has an illegal move")
    );
}

/// Damaged records are read up to the damage, or are errors.
#[test]
fn any_bytes_are_read_without_a_panic() {
    let folder = Folder::new("noise");
    let path = folder.join("game.pgn");
    let mut game = game_from(Board::start(), "5+3".parse().unwrap());
    game.set_record(GameRecord::new(&path));
    game.start(Instant::now());
    play(&mut game, "e4 e5 Nf3 Nc6 Bb5 a6 O-O h6");
    game.offer_draw(WHITE, Instant::now()).unwrap();
    game.pause(Instant::now());
    let whole = fs::read(&path).unwrap();
    let words: [&[u8]; 8] = [
        b"[%clk 99999999999999999999:00:00]",
        b"[%paused 1e300]",
        b"[%end flag Green]",
        b"[TimeControl \"1e18+1e18\"]",
        b"{",
        b"}",
        b"\n",
        b"\x00\xff",
    ];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n as u64) as usize
    };
    let (mut read, mut error) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..=below(4) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.drain(at..(at + below(40)).min(bytes.len()))),
                _ => drop(bytes.splice(at..at, words[below(words.len())].iter().copied())),
            }
            if bytes.is_empty() {
                break;
            }
        }
        match Game::from_record(&bytes) {
            Ok(mut game) => {
                read += 1;
                let now = Instant::now();
                game.start(now);
                // No action may panic.
                let _ = game.take_back(now);
                let _ = game.pgn().to_string();
            }
            Err(_) => error += 1,
        }
    }
    assert!(read > 1000 && error > 1000, "{read} read, {error} refused");
}

/// A full disk is reported once, the game continues, and the record is complete again as soon as there is room.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_once() {
    let mut game = people();
    game.set_record(GameRecord::new("/dev/full"));
    play(&mut game, "e4");
    let warning = game.take_warning().unwrap();
    assert!(
        warning.contains("could not write the game to /dev/full: No space left"),
        "{warning}"
    );
    play(&mut game, "e5 Nf3");
    assert_eq!(game.take_warning(), None);
    assert_eq!(moves(&game), "1. e4 e5 2. Nf3");
    assert!(game.record().unwrap().is_failing());
}

#[test]
fn a_failed_record_is_rewritten_completely() {
    let folder = Folder::new("healed");
    let blocked = folder.join("blocked");
    // A file in place of the folder.
    fs::write(&blocked, "").unwrap();
    let path = blocked.join("game.pgn");
    let mut game = people();
    game.set_record(GameRecord::new(&path));
    play(&mut game, "e4 e5");
    assert!(game.take_warning().is_some());
    fs::remove_file(&blocked).unwrap();
    play(&mut game, "Nf3");
    assert_eq!(game.take_warning(), None);
    drop(game);
    assert_eq!(moves(&Game::resume(&path).unwrap()), "1. e4 e5 2. Nf3");
}

#[test]
fn tidy_finishes_interrupted_work() {
    let folder = Folder::new("tidy");
    let store = Store::new(folder.path());
    assert!(store.resume(&[]).unwrap().is_none());
    store.tidy().unwrap();
    let mut game = people();
    game.set_record(store.new_record());
    play(&mut game, "e4 e5");
    game.resign(WHITE, Instant::now()).unwrap();
    // As if the program was killed before adding the game to the collection.
    drop(game);
    assert!(store.resume(&[]).unwrap().is_none());
    store.tidy().unwrap();
    assert_eq!(
        store.unfinished().unwrap(),
        [""; 0].map(std::path::PathBuf::from)
    );
    let games = fs::read_to_string(store.collection().path()).unwrap();
    assert!(
        games.contains("1. e4") && games.trim_end().ends_with("0-1"),
        "{games}"
    );
}

#[test]
fn the_most_recent_game_is_resumed() {
    let folder = Folder::new("last");
    let store = Store::new(folder.path());
    let mut games: Vec<Game> = ["e4", "d4", "c4"]
        .iter()
        .map(|first| {
            let mut game = people();
            game.set_record(store.new_record());
            play(&mut game, first);
            game
        })
        .collect();
    play(&mut games[1], "d5");
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    for other in [&games[0], &games[2]] {
        let file = File::options()
            .write(true)
            .open(other.record().unwrap().path());
        file.unwrap().set_modified(hour_ago).unwrap();
    }
    drop(games);
    assert_eq!(moves(&store.resume(&[]).unwrap().unwrap()), "1. d4 d5");
    assert_eq!(store.unfinished().unwrap().len(), 3);
    let none = TimeControl::None;
    assert_eq!(store.resume(&[]).unwrap().unwrap().clock().control(), none);
}

/// A record with an illegal move in the middle.
const DAMAGED: &str =
    "[WhiteSeat \"person\"]\n[BlackSeat \"level 3\"]\n\n1. e4\n1... e5\n2. Qh8\n2... a6\n3. d4\n";

#[test]
fn a_damaged_record_is_copied_before_it_is_rewritten() {
    let folder = Folder::new("damaged");
    let path = folder.join("game.pgn");
    let copies = ["game.damaged", "game.2.damaged"].map(|name| folder.join(name));
    for (index, copy) in copies.iter().enumerate() {
        fs::write(&path, DAMAGED).unwrap();
        let mut game = Game::resume(&path).unwrap();
        let warning = game.take_warning().unwrap();
        for part in [
            "line 6 has an illegal move",
            "without the 2 moves after it: a6 d4",
            "kept as game.damaged",
        ] {
            assert!(warning.contains(part), "{warning}");
        }
        // Looking changes nothing.
        assert_eq!(fs::read_to_string(&path).unwrap(), DAMAGED);
        assert!(!copy.exists(), "{index}");
        play(&mut game, "Nf3 a6");
        assert_eq!(game.take_warning(), None);
        assert_eq!(fs::read_to_string(copy).unwrap(), DAMAGED);
        drop(game);
        let mut game = Game::resume(&path).unwrap();
        assert_eq!(moves(&game), "1. e4 e5 2. Nf3 a6");
        assert_eq!(game.take_warning(), None);
    }
}

/// A game resumed from a record with lines of it changed, and the warning.
fn resumed(changes: &[(&str, &str)]) -> (String, String) {
    let lines = [
        "1. e4",
        "1... e5",
        "2. Nf3",
        "2... Nc6",
        "3. Bb5",
        "3... a6",
        "4. Bxc6",
        "4... dxc6",
        "5. Nxe5",
        "5... Qd4",
        "6. Nf3",
        "6... Qxe4+",
        "7. Qe2",
    ];
    let mut record = format!(
        "[WhiteSeat \"person\"]\n[BlackSeat \"level 3\"]\n\n{}\n",
        lines.join("\n")
    );
    for (line, new) in changes {
        assert!(record.contains(line), "{line}");
        record = record.replacen(line, new, 1);
    }
    let mut game = Game::from_record(record.as_bytes()).unwrap();
    (moves(&game), game.take_warning().unwrap_or_default())
}

#[test]
fn moves_behind_a_damaged_line_are_kept_if_they_fit_in_one_way() {
    let (whole, none) = resumed(&[]);
    assert_eq!(none, "");
    assert!(whole.ends_with("7. Qe2"));
    for (line, new, said) in [
        // A line that is no move at all, between good ones.
        (
            "3. Bb5\n",
            "}\u{1}\u{fffd} #! zz\u{1b}\n3. Bb5\n",
            "line 8 is not valid PGN; the moves around it fit together, and the moves after it are kept",
        ),
        (
            "3. Bb5\n",
            "3. Bb9\n",
            "line 8 is not valid PGN; Bb5 was played there, the only move that fits",
        ),
        (
            "2. Nf3\n",
            "2. Nf4\n",
            "line 6 has an illegal move, Nf4; Nf3 was played there, the only move that fits",
        ),
        // A lost line.
        (
            "3. Bb5\n",
            "",
            "line 8 has an illegal move, a6; Bb5 was played before it, the only move that fits",
        ),
    ] {
        let (kept, warning) = resumed(&[(line, new)]);
        assert_eq!(kept, whole, "{warning}");
        assert!(warning.contains(said), "{warning}");
        assert!(!warning.contains('\u{1b}'), "{warning}");
    }
    // Two damaged places.
    let (kept, warning) = resumed(&[("3. Bb5\n", "3. Bb9\n"), ("6. Nf3\n", "6. Nf3\n} zz\n")]);
    assert_eq!(kept, whole, "{warning}");
    assert_eq!(
        warning.matches(" is not valid PGN; ").count(),
        2,
        "{warning}"
    );
}

#[test]
fn moves_behind_a_damaged_line_are_shown_if_they_fit_in_many_ways() {
    for (change, last, said) in [
        (
            ("5... Qd4\n", "5... Qd9\n"),
            "5. Nxe5",
            "it continues from the last good move, without the 3 moves after it: Nf3 Qxe4+ Qe2",
        ),
        (
            ("6... Qxe4+\n", "6... Qxe9+\n"),
            "6. Nf3",
            "it continues from the last good move, without the move after it: Qe2",
        ),
    ] {
        let (kept, warning) = resumed(&[change]);
        assert!(kept.ends_with(last), "{kept}: {warning}");
        assert!(warning.ends_with(said), "{warning}");
    }
}

/// However a record is damaged, reading it neither fails nor takes long, and what it keeps is a legal game.
#[test]
fn records_with_much_damage_are_read_quickly() {
    for line in [
        "Nf9 ",
        "Nf3 Nf6 Ng1 Ng8 Qh8 ",
        "} e4 ",
        "e4 e5 Ke2 Ke7 Ke1 Ke8 -- ",
    ] {
        let text = format!(
            "[WhiteSeat \"person\"]\n[BlackSeat \"person\"]\n\n{}\n",
            line.repeat(50_000)
        );
        let mut game = Game::from_record(text.as_bytes()).unwrap();
        assert!(game.take_warning().is_some(), "{line}");
    }
}

#[test]
fn a_damaged_record_of_a_finished_game_is_copied_before_it_is_deleted() {
    let folder = Folder::new("damaged-end");
    let store = Store::new(folder.path());
    let record = store.new_record();
    let text = DAMAGED.replace("1... e5", "1... e5 {[%end resigned White]}");
    fs::create_dir_all(record.path().parent().unwrap()).unwrap();
    fs::write(record.path(), &text).unwrap();
    let game = Game::resume(record.path()).unwrap();
    assert!(game.termination().is_some());
    drop(game);
    store.tidy().unwrap();
    assert!(!record.path().exists());
    let copy = record.path().with_extension("damaged");
    // A second start leaves it alone.
    store.tidy().unwrap();
    assert_eq!(fs::read_to_string(copy).unwrap(), text);
    assert!(store.unfinished().unwrap().is_empty());
}

/// Whoever can write into the folder must not be able to start programs.
#[test]
fn only_engines_that_the_person_knows_are_resumed() {
    let folder = Folder::new("engines");
    let store = Store::new(folder.path());
    let record = store.new_record();
    fs::create_dir_all(record.path().parent().unwrap()).unwrap();
    let text = DAMAGED.replace("level 3", "engine touch\u{1b}[2J /evil");
    fs::write(record.path(), text).unwrap();
    for known in [vec![], vec![EngineCommand::parse("touch").unwrap()]] {
        let error = store.resume(&known).unwrap_err();
        assert!(
            matches!(error, RecordError::UnknownEngine { .. }),
            "{error}"
        );
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
    let known = EngineCommand::parse("touch\u{1b}[2J /evil").unwrap();
    assert!(store.resume(&[known]).unwrap().is_some());
}

/// Opening a pipe would wait for somebody to write to it.
#[test]
#[cfg(unix)]
fn pipes_and_devices_are_not_records() {
    let folder = Folder::new("pipe");
    let store = Store::new(folder.path());
    let pipe = store.new_record().path().to_owned();
    fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let error = store.resume(&[]).unwrap_err().to_string();
    assert!(error.ends_with("not a file"), "{error}");
    store.tidy().unwrap();
    let zeros = Game::resume(std::path::Path::new("/dev/zero")).unwrap_err();
    assert!(zeros.to_string().ends_with("not a file"), "{zeros}");
}
