//! `tabiya match`.

use crate::complaint;
use crate::folder::Folder;

#[test]
fn a_match_needs_engines() {
    let error = complaint(&["match", "no-such-engine", "no-such-engine", "--games", "2"]);
    assert!(
        error.contains("the engine no-such-engine cannot be started"),
        "{error}"
    );
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let error = complaint(&["match", &engine, &engine, "--pace", "quickly"]);
    assert!(error.contains("60+0.6"), "{error}");
    let error = complaint(&["match", &engine, &format!("{engine} Hush=1")]);
    assert!(error.contains("it has no option \"Hush\""), "{error}");
    let error = complaint(&["match", &engine, &engine, "--sprt", "5,0"]);
    assert!(error.contains("the smaller one first"), "{error}");
    let error = complaint(&["match", &engine, &engine, "--draw", "score"]);
    assert!(error.contains("score=8,moves=8,from=40"), "{error}");
    let error = complaint(&["match", &engine, &engine, "--pgn", "games.pgn.zst"]);
    assert!(error.contains("games.pgn.zst"), "{error}");
}

#[test]
fn openings_that_are_wrong() {
    let folder = Folder::new("match-openings");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let with = |openings: &str| complaint(&["match", &engine, &engine, "--openings", openings]);
    assert!(with("nowhere.epd").contains("cannot read nowhere.epd"));
    let broken = folder.write("broken.epd", "\n8/8 w - -\n");
    let error = with(&broken);
    assert!(error.contains("broken.epd: line 2: "), "{error}");
    let over = folder.write("over.pgn", "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    assert!(with(&over).contains("over.pgn: line 3: the game is over there"));
    let one = folder.write("one.pgn", "1. e4 *\n");
    let error = complaint(&[
        "match",
        &engine,
        &engine,
        "--openings",
        &one,
        "--first-opening",
        "2",
    ]);
    assert!(
        error.contains("one.pgn is 1: the first one cannot be 2"),
        "{error}"
    );
}

#[cfg(unix)]
mod scripted {
    use std::fs;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    use serde_json::json;

    use crate::folder::Folder;
    use crate::scripted::{engine, played, real, rounds};
    use crate::terminal::Terminal;
    use crate::{complaint, printed, tabiya, text};

    /// Longer than anything here takes on a machine that is busy with other things.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Waits until something is so.
    #[track_caller]
    fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "never: {what}");
            sleep(Duration::from_millis(10));
        }
    }

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
            "--pace",
            "depth=2",
            "--openings",
            &openings,
            "--pgn",
            &games,
        ];
        let printed = printed(&arguments);
        assert!(printed.starts_with("new against Tabiya "), "{printed}");
        for line in [
            "\nscore       1 of 2 (50.0 %): 1 won, 0 drawn, 1 lost\n",
            "\nElo         +0.0, normalised +0.0\n",
            "\nsuperior    with a likelihood of 50.0 %\n",
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
        // The same again plays nothing more, and more games only those that are missing.
        let (again, said) = played(&arguments);
        assert_eq!(
            (&again["resumed"], &again["played"]),
            (&json!(2), &json!(2))
        );
        assert!(said.contains("has 2 games of these already"), "{said}");
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
        // Other settings are another match.
        let mut other = arguments;
        other[6] = "depth=1";
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

    /// Plays four games between an engine of this kind and a good one: the result, what was said, and the games.
    fn against_good(kind: &str, pace: &str) -> (serde_json::Value, String, String) {
        let folder = Folder::new(&format!("match-{}", kind.replace(' ', "-")));
        let (bad, good) = (engine(&folder, kind), engine(&folder, "good"));
        let games = folder.path("games.pgn");
        let (json, said) = played(&[
            "match", &bad, &good, "--games", "4", "--pace", pace, "--pgn", &games,
        ]);
        (json, said, folder.read("games.pgn"))
    }

    #[test]
    fn a_crash_loses_that_game_only() {
        let (json, said, games) = against_good("crash 3", "depth=1");
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
    fn a_move_that_is_not_legal_loses() {
        let (json, said, games) = against_good("illegal", "depth=1");
        assert_eq!(json["players"][0]["forfeits"]["illegal"], 4);
        assert_eq!(
            games.matches("[Termination \"rules infraction\"]").count(),
            4,
            "{games}"
        );
        assert!(
            said.contains("the engine's move e2e5 cannot be played"),
            "{said}"
        );
    }

    #[test]
    fn an_engine_that_hangs_or_talks_without_end_loses_on_time() {
        for kind in ["hang 3", "flood 3"] {
            let (json, said, games) = against_good(kind, "0.3+0.3");
            assert_eq!(json["players"][0]["forfeits"]["time"], 4, "{said}");
            assert_eq!(games.matches("[Termination \"time forfeit\"]").count(), 4);
            assert!(said.contains("White loses on time"), "{said}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_not_minded() {
        let (json, said, games) = against_good("garbage", "depth=1");
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

    /// An engine that has been started once and never again loses a few games, and then the match is over.
    #[test]
    fn an_engine_that_does_not_start_any_more_ends_the_match() {
        let folder = Folder::new("match-once");
        let bad = engine(&folder, &format!("once '{}'", folder.path("mark")));
        let (good, games) = (engine(&folder, "good"), folder.path("games.pgn"));
        let output = tabiya(&["match", &bad, &good, "--pace", "depth=1", "--pgn", &games])
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
        // The crash and five more; the last of them may not be counted any more.
        assert!((5..=6).contains(&rounds(&games).len()), "{games}");
    }

    #[test]
    fn a_test_ends_the_match() {
        let folder = Folder::new("match-sprt");
        let (bad, good) = (engine(&folder, "illegal"), engine(&folder, "good"));
        let games = folder.path("games.pgn");
        let arguments = [
            "match",
            &good,
            &bad,
            "--games",
            "1000",
            "--pace",
            "depth=1",
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
        // What is decided stays decided.
        let (again, _) = played(&arguments);
        assert_eq!(again["sprt"], json["sprt"]);
        assert_eq!(
            (&again["played"], &again["resumed"]),
            (&json["played"], &json["played"])
        );
        assert_eq!(rounds(&folder.read("games.pgn")).len() as u64, count);
    }

    /// A match that goes on for long, and the numbers of its engines' processes.
    struct Running {
        child: Child,
        pids: String,
    }

    impl Running {
        fn start(folder: &Folder, games: &str) -> Self {
            let (slow, hanging) = (engine(folder, "slow"), engine(folder, "hang 2"));
            let pids = folder.path("pids");
            let child = tabiya(&[
                "match",
                &slow,
                &hanging,
                "--pace",
                "depth=1",
                "--pgn",
                games,
                "--concurrency",
                "2",
            ])
            .env("PIDS", &pids)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
            let running = Self { child, pids };
            // Two that were asked for their names, and two more for the second table.
            wait_until("four engines run", || running.engines().len() >= 4);
            running
        }

        fn engines(&self) -> Vec<Pid> {
            let text = fs::read_to_string(&self.pids).unwrap_or_default();
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let numbers = whole.lines().filter_map(|line| line.parse().ok());
            numbers.filter_map(Pid::from_raw).collect()
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            // It may have ended already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    #[test]
    fn an_interruption_leaves_no_engine_behind() {
        for signal in [Signal::INT, Signal::TERM] {
            let folder = Folder::new(&format!("match-interrupted-{}", signal.as_raw()));
            let games = folder.path("games.pgn");
            let mut running = Running::start(&folder, &games);
            kill_process(Pid::from_child(&running.child), signal).unwrap();
            let status = running.child.wait().unwrap();
            assert_eq!(status.code(), Some(130));
            let mut said = String::new();
            let mut stderr = running.child.stderr.take().unwrap();
            stderr.read_to_string(&mut said).unwrap();
            assert!(
                said.contains("interrupted after 0 of 100 games: the same command goes on"),
                "{said}"
            );
            for engine in running.engines() {
                wait_until("the engine ends", || test_kill_process(engine).is_err());
            }
            assert_eq!(folder.read("games.pgn"), "", "nobody has lost by it");
        }
    }

    #[test]
    fn one_match_at_a_time_writes_to_a_file() {
        let folder = Folder::new("match-locked");
        let games = folder.path("games.pgn");
        let running = Running::start(&folder, &games);
        let good = engine(&folder, "good");
        let error = complaint(&["match", &good, &good, "--games", "2", "--pgn", &games]);
        assert!(error.contains("games.pgn is in use"), "{error}");
        drop(running);
        // When it is gone, however it went, the file is free.
        let (json, _) = played(&[
            "match", &good, &good, "--games", "2", "--pace", "depth=1", "--pgn", &games,
        ]);
        assert_eq!(json["played"], 2);
    }

    #[test]
    fn a_table_on_the_terminal() {
        let folder = Folder::new("match-terminal");
        let (slow, good) = (engine(&folder, "slow 6"), engine(&folder, "good"));
        let mut terminal = Terminal::start(
            &[
                "match", &slow, &good, "--games", "1000", "--pace", "depth=1",
            ],
            100,
            24,
        );
        terminal.wait_for_text("Script slow against Script good, depth=1");
        terminal.wait_for(|text| {
            text.contains("pairs       0 0 1 0 0") && text.contains("2 of 1000 games, ")
        });
        // The table is drawn over, not again and again.
        let tables = terminal.text().matches("against").count();
        assert_eq!(tables, 1, "{}", terminal.text());
        terminal.press("\u{3}");
        terminal.wait_for_text("give --pgn FILE to be able to go on");
        let text = terminal.text();
        assert_eq!(text.matches(" against ").count(), 1, "{text}");
        assert!(!text.contains("loses"), "{text}");
    }

    /// A line now and then where there is no terminal.
    #[test]
    #[ignore = "it waits for ten seconds"]
    fn lines_for_those_without_a_terminal() {
        let folder = Folder::new("match-lines");
        let slow = engine(&folder, "slow");
        let mut child = tabiya(&["match", &slow, &slow, "--pace", "depth=1"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut lines = stderr.lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains(" of 100 games: "));
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(line.unwrap().contains("; Elo +0.0"));
    }

    /// What docs/arena.md says about the overhead. With `--release`, for which the number is meant.
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
            "--pace",
            "nodes=1000",
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
}
