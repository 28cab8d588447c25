//! A log of games continues after its writer was killed, and no complete game is lost.

use std::fs;
use std::path::PathBuf;

use tabiya_engine::StopSignal;
use tabiya_selfplay::blocks::{BLOCK_HEADER, Block, FILE_HEADER, read_header};
use tabiya_selfplay::{
    GameLog, Generator, LogError, SelfplayFileError, SelfplaySettings, check_block,
};

const SETTINGS: SelfplaySettings = SelfplaySettings {
    seed: 3,
    nodes: 50,
    network: tabiya_selfplay::NetworkId(0),
    random_plies: 8,
    max_opening_score: 400,
    adjudication: tabiya_selfplay::ScoreAdjudication {
        win_plies: 4,
        win_score: 600,
        draw_plies: 8,
        draw_score: 10,
        draw_after: 40,
    },
};

/// Returns a path for a test, and removes what an earlier run left there.
fn path(test: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.records"));
    let _ = fs::remove_file(&path);
    path
}

fn generator(games: u64, threads: usize) -> Generator {
    Generator {
        settings: SETTINGS,
        network: None,
        threads,
        games: Some(games),
        positions: None,
    }
}

fn generate(path: &std::path::Path, games: u64, threads: usize) -> u64 {
    let mut log = GameLog::open(path, &SETTINGS).unwrap();
    let progress = generator(games, threads)
        .run(&mut log, &StopSignal::default(), &mut |_| {})
        .unwrap();
    assert_eq!(progress.games, games.max(log.done().len() as u64));
    assert_eq!(progress.positions, log.positions());
    progress.new_games
}

/// Returns the games of a file in the order of their numbers, after checking them.
fn games(path: &std::path::Path) -> Vec<Block> {
    let bytes = fs::read(path).unwrap();
    let mut rest = &bytes[..];
    assert_eq!(read_header(&mut rest).unwrap(), SETTINGS);
    let mut games = Vec::new();
    while let Some(block) = Block::read(&mut rest, 0).unwrap() {
        check_block(&block, SETTINGS.adjudication).unwrap();
        games.push(block);
    }
    games.sort_by_key(|block| block.number);
    games
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let (whole, parts) = (path("whole"), path("parts"));
    assert_eq!(generate(&whole, 6, 1), 6);
    assert_eq!(generate(&parts, 2, 1), 2);
    assert_eq!(generate(&parts, 6, 3), 4);
    assert_eq!(generate(&parts, 6, 3), 0);
    let games_of_whole = games(&whole);
    let numbers: Vec<u64> = games_of_whole.iter().map(|block| block.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    assert_eq!(games(&parts), games_of_whole);
}

#[test]
fn an_incomplete_game_is_cut_off() {
    let path = path("torn");
    generate(&path, 3, 1);
    let whole = fs::read(&path).unwrap();
    let all = games(&path);
    let last = BLOCK_HEADER + 32 * all[2].records.len();
    let kept = whole.len() - last;
    for torn in [1, 20, 32, 63, 64, 65, 96, last - 1] {
        fs::write(&path, &whole[..kept + torn]).unwrap();
        let log = GameLog::open(&path, &SETTINGS).unwrap();
        assert_eq!((log.done().len(), log.truncated_bytes()), (2, torn as u64));
        drop(log);
        assert_eq!(fs::read(&path).unwrap(), whole[..kept]);
        // The log continues as if nothing had happened.
        assert_eq!(generate(&path, 3, 1), 1);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    // A crash of the system may leave zeros instead of the game.
    let mut zeros = whole[..kept].to_vec();
    zeros.resize(whole.len() + 5000, 0);
    fs::write(&path, zeros).unwrap();
    assert_eq!(generate(&path, 3, 1), 1);
    assert_eq!(fs::read(&path).unwrap(), whole);
    // An incomplete header.
    fs::write(&path, &whole[..FILE_HEADER - 5]).unwrap();
    assert_eq!(generate(&path, 3, 1), 3);
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn damaged_files_are_not_changed() {
    let path = path("damaged");
    generate(&path, 3, 1);
    let whole = fs::read(&path).unwrap();
    // The records, the number of records, and the reserved zeros of the first game.
    for place in [
        FILE_HEADER + 100,
        FILE_HEADER + 20,
        FILE_HEADER + 21,
        FILE_HEADER + 2,
    ] {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        fs::write(&path, &damaged).unwrap();
        let error = GameLog::open(&path, &SETTINGS).unwrap_err();
        assert!(matches!(error, LogError::Read(_)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    for other in [&b"[Event \"x\"]"[..], &[0; 4096]] {
        fs::write(&path, other).unwrap();
        let error = GameLog::open(&path, &SETTINGS).unwrap_err();
        assert!(
            matches!(error, LogError::Read(SelfplayFileError::NotSelfplay)),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), other);
    }
}

#[test]
fn a_log_has_one_writer_and_one_set_of_settings() {
    let path = path("one");
    let first = GameLog::open(&path, &SETTINGS).unwrap();
    let error = GameLog::open(&path, &SETTINGS).unwrap_err();
    assert!(matches!(error, LogError::Locked), "{error}");
    drop(first);
    let other = SelfplaySettings {
        nodes: 51,
        ..SETTINGS
    };
    let error = GameLog::open(&path, &other).unwrap_err();
    assert_eq!(
        error.to_string(),
        "its games were played with 50 nodes, not with 51 nodes: use another file"
    );
}

#[test]
fn generation_can_end_at_a_number_of_positions() {
    let path = path("positions");
    let mut log = GameLog::open(&path, &SETTINGS).unwrap();
    let wanted = Generator {
        games: None,
        positions: Some(100),
        ..generator(0, 1)
    };
    let mut reports = 0;
    let progress = wanted
        .run(&mut log, &StopSignal::default(), &mut |_| reports += 1)
        .unwrap();
    assert!(progress.positions >= 100);
    assert!(reports >= progress.games);
    drop(log);
    let games = games(&path);
    let before: usize = games[..games.len() - 1]
        .iter()
        .map(|game| game.records.len())
        .sum();
    assert!(before < 100);
}

#[test]
fn a_stop_signal_ends_generation() {
    let path = path("signal");
    let mut log = GameLog::open(&path, &SETTINGS).unwrap();
    let signal = StopSignal::default();
    let endless = Generator {
        games: None,
        ..generator(0, 2)
    };
    let progress = endless
        .run(&mut log, &signal, &mut |progress| {
            if progress.games >= 2 {
                signal.stop();
            }
        })
        .unwrap();
    assert!(progress.games >= 2);
    drop(log);
    assert_eq!(games(&path).len() as u64, progress.games);
}
