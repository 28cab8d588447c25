//! `tabiya tournament`.

use std::collections::HashSet;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::scripted::{engine, played, real, rounds};
use crate::{error_message, tabiya};

/// A number of players. All but the last play an illegal move, each later than the one before.
fn field(folder: &Folder, count: usize) -> Vec<String> {
    (0..count)
        .map(|number| {
            let kind = match count - number {
                1 => "good".to_owned(),
                left => format!("illegal {}", 8 - left.min(8)),
            };
            format!("p{number}: {}", engine(folder, &kind))
        })
        .collect()
}

/// Runs a tournament between engines.
#[track_caller]
fn tournament(engines: &[String], options: &[&str]) -> (Value, String) {
    let mut arguments = vec!["tournament"];
    arguments.extend(engines.iter().map(String::as_str));
    arguments.extend(["--depth", "1"]);
    arguments.extend(options);
    played(&arguments)
}

#[test]
fn round_robin() {
    let folder = Folder::new("tournament-everybody");
    let games = folder.path("games.pgn");
    let (json, _) = tournament(
        &field(&folder, 4),
        &["--games", "4", "--pgn", &games, "--concurrency", "2"],
    );
    assert_eq!((&json["games"], &json["played"]), (&json!(24), &json!(24)));
    let players = json["players"].as_array().unwrap();
    for (number, player) in players.iter().enumerate() {
        assert_eq!(player["name"], format!("p{number}"));
        assert_eq!(player["results"]["games"], 12);
        assert_eq!(player["against"][number], json!(null));
        for (other, against) in player["against"].as_array().unwrap().iter().enumerate() {
            assert!(other == number || against["games"] == 4, "{player}");
        }
    }
    // The later an engine breaks the rules, the more games it wins. The last one never does.
    assert_eq!(players[3]["rank"], 1);
    assert_eq!(players[3]["points"], 12.0);
    assert_eq!(players[0]["points"], 0.0);
    let rating = |player: &Value| player["rating"]["value"].as_f64().unwrap();
    assert!(rating(&players[3]) > 100.0 && rating(&players[0]) < -100.0);
    assert_eq!(rounds(&folder.read("games.pgn")).len(), 24);
}

#[test]
fn gauntlet() {
    let folder = Folder::new("tournament-gauntlet");
    let engines = field(&folder, 4);
    let (json, _) = tournament(&engines, &["--format", "gauntlet", "--seeds", "2"]);
    assert_eq!(json["played"], 8);
    let players = json["players"].as_array().unwrap();
    assert_eq!(players[0]["against"][1]["games"], 0);
    assert_eq!(players[0]["against"][2]["games"], 2);
    assert_eq!(players[2]["against"][3]["games"], 0);
    let mut arguments = vec!["tournament", "--format", "gauntlet", "--seeds", "4"];
    arguments.extend(engines.iter().map(String::as_str));
    assert!(error_message(&arguments).contains("--seeds 4 needs more than 4 engines"));
}

#[test]
fn swiss() {
    let folder = Folder::new("tournament-swiss");
    // Five players from a file, so that one has a bye in each round.
    let mut file = "# the players\n\n".to_owned();
    file.push_str(&field(&folder, 5).join("\n"));
    let file = folder.write("engines.txt", file);
    let games = folder.path("games.pgn");
    let arguments = [
        "--format",
        "swiss",
        "--rounds",
        "3",
        "--engines",
        &file,
        "--pgn",
        &games,
    ];
    let (json, _) = tournament(&[], &arguments);
    assert_eq!(json["played"], 12);
    let players = json["players"].as_array().unwrap();
    let byes: Vec<u64> = players
        .iter()
        .map(|player| player["byes"].as_u64().unwrap())
        .collect();
    assert_eq!(byes.iter().sum::<u64>(), 3);
    assert!(byes.iter().all(|&byes| byes <= 1), "{byes:?}");
    for player in players {
        let byes = player["byes"].as_u64().unwrap();
        assert_eq!(player["results"]["games"].as_u64().unwrap() + 2 * byes, 6);
        // No pair has met twice.
        let against = player["against"].as_array().unwrap();
        assert!(
            against
                .iter()
                .all(|against| against.is_null() || against["games"].as_u64().unwrap() <= 2)
        );
    }
    let points: f64 = players
        .iter()
        .map(|player| player["points"].as_f64().unwrap())
        .sum();
    assert!((points - 18.0).abs() < 1e-9);
    assert_eq!(players[4]["rank"], 1);
    // The same command has nothing left to do and prints the same.
    let (again, _) = tournament(&[], &arguments);
    assert_eq!(again["resumed"], 12);
    assert_eq!(again["players"], json["players"]);
}

#[test]
fn bad_arguments_are_errors() {
    let folder = Folder::new("tournament-wrong");
    let good = engine(&folder, "good");
    assert!(error_message(&["tournament", &good]).contains("you gave 1"));
    let error = error_message(&["tournament", &good, &good, "--rounds", "3"]);
    assert!(
        error.contains("--rounds works only with --format swiss"),
        "{error}"
    );
    let error = error_message(&["tournament", &good, &good, "--seeds", "1"]);
    assert!(
        error.contains("--seeds works only with --format gauntlet"),
        "{error}"
    );
    let many = ["--games", "1000000", "--format", "swiss", "--rounds", "9"];
    let error = error_message(&[&["tournament", &good, &good], &many[..]].concat());
    assert!(error.contains("too many games: 9000000"), "{error}");
    assert!(error_message(&["tournament", "--engines", "nowhere.txt"]).contains("nowhere.txt"));
    let file = folder.write("engines.txt", "good: sh x\nbad: \n");
    let error = error_message(&["tournament", "--engines", &file]);
    assert!(
        error.contains("engines.txt:2: an engine is a command"),
        "{error}"
    );
}

#[test]
fn a_table_is_printed() {
    let folder = Folder::new("tournament-table");
    let mut arguments = vec!["tournament", "--depth", "1"];
    let engines = field(&folder, 3);
    arguments.extend(engines.iter().map(String::as_str));
    let output = tabiya(&arguments).output().unwrap();
    let printed = crate::text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].contains("name") && lines[0].contains("points"),
        "{printed}"
    );
    assert!(lines[1].starts_with("  1 p2 "), "{printed}");
    assert!(lines[1].trim_end().ends_with("-     2     2"), "{printed}");
    assert!(printed.contains("p0 lost 4 by illegal moves"), "{printed}");
    assert!(printed.contains("ms of overhead"), "{printed}");
}

/// Kills a tournament ten times at moments without a pattern. The same command finishes it, and every game is
/// played and counted once.
#[test]
fn killed_ten_times() {
    let mut random = 0x9e37_79b9_u32;
    for form in ["round-robin", "swiss"] {
        let folder = Folder::new(&format!("tournament-killed-{form}"));
        let games = folder.path("games.pgn");
        let engines: Vec<String> = (1..=4)
            .map(|number| format!("p{number}: {} Hash={number}", real()))
            .collect();
        let mut arguments = vec!["tournament", "--format", form];
        arguments.extend(engines.iter().map(String::as_str));
        arguments.extend(["--nodes", "100", "--games", "30", "--max-moves", "20"]);
        arguments.extend(["--concurrency", "2", "--pgn", &games]);
        let size = || std::fs::metadata(&games).map_or(0, |file| file.len());
        let mut kills = 0;
        while kills < 10 {
            let before = size();
            let mut child = tabiya(&arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            // At least one more game each time, so that it is killed in the middle.
            let start = Instant::now();
            while size() <= before && child.try_wait().unwrap().is_none() {
                assert!(start.elapsed() < Duration::from_secs(120), "no game ends");
                sleep(Duration::from_millis(1));
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            sleep(Duration::from_millis(u64::from(random >> 26)));
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
        }
        let (json, _) = played(&arguments);
        let expected = if form == "swiss" { 2 * 2 * 30 } else { 6 * 30 };
        assert_eq!(
            (&json["games"], &json["played"]),
            (&json!(expected), &json!(expected))
        );
        assert_eq!(json["complete"], true);
        let places = rounds(&folder.read("games.pgn"));
        assert_eq!(places.len(), expected, "{form}");
        assert_eq!(
            places.iter().collect::<HashSet<_>>().len(),
            expected,
            "{form}"
        );
        let players = json["players"].as_array().unwrap();
        let sum: u64 = players
            .iter()
            .map(|player| player["results"]["games"].as_u64().unwrap())
            .sum();
        assert_eq!(sum, 2 * expected as u64);
        let forfeits = json!({"time": 0, "illegal": 0, "failed": 0});
        assert!(
            players.iter().all(|player| player["forfeits"] == forfeits),
            "{json}"
        );
        // Every pair is complete.
        for player in players {
            let pairs = player["results"]["pairs"].as_array().unwrap();
            let pairs: u64 = pairs.iter().map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(2 * pairs, player["results"]["games"].as_u64().unwrap());
        }
    }
}
