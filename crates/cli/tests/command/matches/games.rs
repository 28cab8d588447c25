//! Complete matches.

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::scripted::{engine, played, real, rounds};
use crate::terminal::Terminal;
use crate::{printed, tabiya, text};

#[test]
fn two_engines_play_a_match() {
    let folder = Folder::new("match");
    let games = folder.path("games.pgn");
    let openings = folder.write(
        "openings.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"mate in one\";\n",
    );
    let (first, second) = (format!("new: {}", real()), real());
    let arguments = [
        "match",
        &first,
        &second,
        "--games",
        "2",
        "--depth",
        "2",
        "--openings",
        &openings,
        "--pgn",
        &games,
    ];
    let printed = printed(&arguments);
    assert!(printed.starts_with("new vs Tabiya "), "{printed}");
    for line in [
        "\nscore       1 of 2 (50.0 %): 1 won, 0 drawn, 1 lost\n",
        "\nElo         +0.0, normalised +0.0\n",
        "\nLOS         50.0 % (likelihood of superiority)\n",
        "\npairs       0 0 1 0 0 (of 0 ½ 1 1½ 2 points)\n",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
    let record = folder.read("games.pgn");
    assert_eq!(record.matches("1. Rd8#").count(), 2, "{record}");
    assert_eq!(record.matches("[Result \"1-0\"]").count(), 2, "{record}");
    assert_eq!(record.matches("[White \"new\"]").count(), 1, "{record}");
    assert_eq!(record.matches("[Black \"new\"]").count(), 1, "{record}");
    assert_eq!(rounds(&record), ["1.1.1", "1.1.2"]);
    // The same command plays nothing more; with more games, it plays only the missing ones.
    let (again, said) = played(&arguments);
    assert_eq!(
        (&again["resumed"], &again["played"]),
        (&json!(2), &json!(2))
    );
    assert!(said.contains("already has 2 games"), "{said}");
    assert_eq!(folder.read("games.pgn"), record);
    let (longer, _) = played(&[&arguments[..], &["--max-moves", "300"]].concat());
    assert_eq!(longer["resumed"], 2);
    let mut more = arguments;
    more[4] = "6";
    let (longer, said) = played(&more);
    assert_eq!(
        (&longer["resumed"], &longer["played"]),
        (&json!(2), &json!(6))
    );
    assert!(said.contains("1 opening for 3 pairs of games"), "{said}");
    let first = &longer["players"][0];
    assert_eq!(first["results"]["pairs"], json!([0, 0, 3, 0, 0]));
    assert_eq!(first["results"]["superiority"], 0.5);
    assert_eq!(first["against"][0], json!(null));
    assert_eq!(first["against"][1]["wins"], 3);
    assert_eq!(longer["complete"], true);
    assert!(longer["times"]["overhead_ms"].as_f64().unwrap() > 0.0);
    let record = folder.read("games.pgn");
    assert_eq!(rounds(&record).len(), 6);
    // Other settings make another match.
    let mut other = arguments;
    other[6] = "1";
    let (other, said) = played(&other);
    assert_eq!(
        (&other["resumed"], &other["played"]),
        (&json!(0), &json!(2))
    );
    assert!(
        said.contains("6 games of other players or settings"),
        "{said}"
    );
    assert!(folder.read("games.pgn").starts_with(&record));
}

/// Plays games against a good engine: the result, the messages and the games.
fn against_good(kind: &str, limit: [&str; 2], count: &str) -> (Value, String, String) {
    let folder = Folder::new(&format!("match-{}", kind.replace(' ', "-")));
    let (bad, good) = (engine(&folder, kind), engine(&folder, "good"));
    let games = folder.path("games.pgn");
    let (json, said) = played(&[
        "match", &bad, &good, "--games", count, limit[0], limit[1], "--pgn", &games,
    ]);
    (json, said, folder.read("games.pgn"))
}

#[test]
fn a_crash_loses_that_game_only() {
    let (json, said, games) = against_good("crash 3", ["--depth", "1"], "4");
    let first = &json["players"][0];
    assert_eq!(first["results"]["losses"], 4);
    assert_eq!(first["results"]["pairs"], json!([2, 0, 0, 0, 0]));
    assert_eq!(
        first["forfeits"],
        json!({"time": 0, "illegal": 0, "failed": 4})
    );
    assert_eq!(json["players"][1]["forfeits"]["failed"], 0);
    assert_eq!(
        games.matches("[Termination \"abandoned\"]").count(),
        4,
        "{games}"
    );
    assert!(
        said.contains("game 1.1.1, Script crash – Script good: White loses: the engine has ended (exit status: 3)"),
        "{said}"
    );
    let one_line = games.replace('\n', " ");
    assert!(
        one_line.contains("{ Black loses: the engine has ended (exit status: 3) } 1-0"),
        "{games}"
    );
}

#[test]
fn an_illegal_move_loses() {
    let (json, said, games) = against_good("illegal", ["--depth", "1"], "4");
    assert_eq!(json["players"][0]["forfeits"]["illegal"], 4);
    assert_eq!(
        games.matches("[Termination \"rules infraction\"]").count(),
        4,
        "{games}"
    );
    assert!(
        said.contains("the engine made an illegal move, e2e5"),
        "{said}"
    );
}

#[test]
fn an_engine_that_hangs_or_floods_loses_on_time() {
    for kind in ["hang 3", "flood 3"] {
        // Enough for a good engine on a busy machine.
        let (json, said, games) = against_good(kind, ["--clock", "4s"], "2");
        assert_eq!(json["players"][0]["forfeits"]["time"], 2, "{said}");
        assert_eq!(games.matches("[Termination \"time forfeit\"]").count(), 2);
        assert!(said.contains("White ran out of time"), "{said}");
    }
}

#[test]
fn garbage_output_is_ignored() {
    let (json, said, games) = against_good("garbage", ["--depth", "1"], "4");
    assert_eq!(json["players"][0]["results"]["draws"], 4, "{said}");
    assert_eq!(
        games.matches("draw by threefold repetition").count(),
        4,
        "{games}"
    );
    assert_eq!(
        games.matches("[Termination \"normal\"]").count(),
        4,
        "{games}"
    );
}

/// If an engine no longer starts, it loses a few games, and then the match ends.
#[test]
fn an_engine_that_no_longer_starts_ends_the_match() {
    let folder = Folder::new("match-once");
    let bad = engine(&folder, &format!("once '{}'", folder.path("mark")));
    let (good, games) = (engine(&folder, "good"), folder.path("games.pgn"));
    // One game at a time, so that the crash comes first.
    let arguments = ["--depth", "1", "--concurrency", "1", "--pgn", &games];
    let output = tabiya(&[&["match", &bad, &good], &arguments[..]].concat())
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("error: Script once could not be started for 5 games in a row"),
        "{said}"
    );
    assert!(said.contains("exit status: 7"), "{said}");
    let games = folder.read("games.pgn");
    assert_eq!(rounds(&games).len(), 6, "the crash and five more: {games}");
}

#[test]
fn sprt_ends_the_match() {
    let folder = Folder::new("match-sprt");
    let (bad, good) = (engine(&folder, "illegal"), engine(&folder, "good"));
    let games = folder.path("games.pgn");
    let arguments = [
        "match",
        &good,
        &bad,
        "--games",
        "1000",
        "--depth",
        "1",
        "--pgn",
        &games,
        "--sprt",
        "0,200",
        "--sprt-model",
        "logistic",
        "--concurrency",
        "3",
    ];
    let (json, _) = played(&arguments);
    assert_eq!(json["sprt"]["verdict"], "stronger");
    assert_eq!(json["complete"], true);
    assert!(json["sprt"]["ratio"].as_f64().unwrap() >= 2.944);
    let count = json["played"].as_u64().unwrap();
    assert!(count < 1000, "{count}");
    // The verdict stays.
    let (again, _) = played(&arguments);
    assert_eq!(again["sprt"], json["sprt"]);
    assert_eq!(
        (&again["played"], &again["resumed"]),
        (&json["played"], &json["played"])
    );
    assert_eq!(rounds(&folder.read("games.pgn")).len() as u64, count);
}

#[test]
fn the_result_on_a_narrow_terminal() {
    let folder = Folder::new("match-narrow");
    let good = engine(&folder, "good");
    let arguments = ["match", &good, &good, "--games", "2", "--depth", "1"];
    let mut terminal = Terminal::start(&arguments, &[], 40, 40);
    assert!(terminal.wait_for_exit().success());
    let screen = terminal.text();
    let score = "score       1 of 2 (50.0 %): 0 won, 2\n            drawn, 0 lost\n";
    assert!(screen.contains(score), "{screen}");
    assert!(!terminal.is_too_narrow(), "{screen}");
}

/// The overhead that docs/arena.md states; meant for `--release`.
#[test]
#[ignore = "it takes minutes"]
fn a_thousand_games_with_little_overhead() {
    let folder = Folder::new("match-thousand");
    let games = folder.path("games.pgn");
    let (json, _) = played(&[
        "match",
        &real(),
        &real(),
        "--games",
        "1000",
        "--nodes",
        "1000",
        "--concurrency",
        "2",
        "--pgn",
        &games,
    ]);
    assert_eq!(json["played"], 1000);
    assert_eq!(rounds(&folder.read("games.pgn")).len(), 1000);
    let times = &json["times"];
    assert!(times["overhead_ms"].as_f64().unwrap() < 2.0, "{times}");
}
