//! `tabiya analyse`: positions, games and files of positions.

mod games;
mod positions;

use crate::{error_message, json, output, printed, text};

/// White mates on the back rank.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
/// Black is stalemated.
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[test]
fn a_position() {
    let table = printed(&["analyse", "--depth", "6", "--lines", "2"]);
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("White to move: rnbqkbnr/"), "{table}");
    assert!(
        rows[1].contains(" nodes in ") && rows[1].contains(" nodes/s"),
        "{table}"
    );
    for column in ["depth", "score", "White Draw Black %", "line"] {
        assert!(rows[2].contains(column), "{table}");
    }
    let lines: Vec<usize> = (3..rows.len())
        .filter(|&row| rows[row].trim_start().starts_with("6/"))
        .collect();
    assert_eq!(lines.len(), 2, "{table}");
    for &line in &lines {
        assert!(rows[line].contains("  1. "), "{table}");
        assert!(rows[line].contains('='), "the bar shows draws: {table}");
    }
    // A line is followed by what its first move does, if that can be said.
    let after = rows[lines[0] + 1];
    let words = [" a pawn in the centre", " develops the "];
    assert!(words.iter().any(|words| after.contains(words)), "{table}");
    assert_ne!(rows[lines[0]], rows[lines[1]]);
    // The same search gives the same result, except for the time.
    let again = printed(&["analyse", "--depth", "6", "--lines", "2"]);
    assert!(
        again.lines().skip(2).eq(rows[2..].iter().copied()),
        "{again}"
    );
}

/// Scores are White's, even if Black is to move.
#[test]
fn scores_are_from_whites_point_of_view() {
    let black_mates = "k2r4/8/8/8/8/8/5PPP/6K1 b - - 0 7";
    for (fen, score, line) in [
        (BACK_RANK, "#1", "1. Rd8#"),
        (black_mates, "#-1", "7... Rd1#"),
    ] {
        let table = printed(&["analyse", fen, "--depth", "3"]);
        let rows: Vec<&str> = table.lines().collect();
        assert!(
            rows[3].contains(score) && rows[3].ends_with(line),
            "{table}"
        );
        assert!(rows[4].ends_with(" is back-rank mate"), "{table}");
    }
    let found = json(&["analyse", black_mates, "--depth", "3", "--json"]);
    assert_eq!(found["turn"], "black");
    assert_eq!(found["lines"][0]["eval"]["mate"], -1);
    assert_eq!(found["lines"][0]["black"], 1.0);
}

#[test]
fn as_json() {
    let found = json(&["analyse", "--json", "--depth", "5", "--multipv", "3"]);
    assert_eq!(found["fen"], crate::START);
    assert_eq!(found["depth"], 5);
    assert!(found["nodes"].as_u64().unwrap() > 0);
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    let mut before = i64::MAX;
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line["rank"], i + 1);
        let points = line["eval"]["cp"].as_i64().unwrap();
        assert!(points <= before, "the best comes first: {found}");
        before = points;
        let shares = ["white", "draw", "black"].map(|side| line[side].as_f64().unwrap());
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found}");
        let (san, uci) = (
            line["san"].as_array().unwrap(),
            line["uci"].as_array().unwrap(),
        );
        assert!(!san.is_empty() && san.len() == uci.len(), "{found}");
        let numbered = line["line"].as_str().unwrap();
        assert!(numbered.starts_with("1. ") && numbered.contains(san[0].as_str().unwrap()));
    }
}

#[test]
fn live_for_programs() {
    let arguments = [
        "analyse", "--json", "--live", "--depth", "5", "--lines", "2",
    ];
    let found = printed(&arguments);
    let found: Vec<serde_json::Value> = found
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert!(found.len() >= 5, "{found:?}");
    let depths: Vec<u64> = found
        .iter()
        .map(|found| found["depth"].as_u64().unwrap())
        .collect();
    assert!(
        depths.is_sorted() && depths.last() == Some(&5),
        "{depths:?}"
    );
    for found in &found {
        let lines = found["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 2, "{found}");
        assert_eq!(lines[0]["depth"], lines[1]["depth"], "{found}");
    }
}

#[test]
fn limits() {
    let found = json(&["analyse", "--json", "--nodes", "3000"]);
    let nodes = found["nodes"].as_u64().unwrap();
    assert!((1000..20_000).contains(&nodes), "{nodes}");
    // A time limit stops a search of any depth.
    json(&["analyse", "--json", "--time", "0.05", "--depth", "99"]);
    // Asking for more lines than moves shows all moves: the king has three.
    let found = json(&[
        "analyse",
        "--json",
        "--depth",
        "2",
        "--lines",
        "9",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
    ]);
    assert_eq!(found["outcome"], "draw by insufficient material");
    let found = json(&[
        "analyse",
        "--json",
        "--depth",
        "2",
        "--lines",
        "9",
        "7k/7p/8/8/8/8/8/K7 w - - 0 1",
    ]);
    assert_eq!(found["lines"].as_array().unwrap().len(), 3);
}

#[test]
fn finished_games_have_no_lines() {
    let said = printed(&["analyse", STALEMATE]);
    assert_eq!(said, "The game is over: draw by stalemate.\n");
    let found = json(&["analyse", STALEMATE, "--json"]);
    assert_eq!(found["outcome"], "draw by stalemate");
    assert_eq!(found["lines"].as_array().unwrap().len(), 0);
}

#[test]
fn fen_quotes_are_optional_and_analyze_works() {
    let words: Vec<&str> = BACK_RANK.split(' ').collect();
    let found = printed(&[&["analyze"], &words[..], &["--depth", "2"]].concat());
    assert!(found.contains("1. Rd8#"), "{found}");
}

#[test]
fn bad_arguments_are_errors() {
    for (arguments, wanted) in [
        (&["analyse", "--fen", "nonsense"][..], "nonsense"),
        (
            &["analyse", "8/8/8/8 w - - 0 1"],
            "there are 4 ranks instead of 8",
        ),
        (&["analyse", "nowhere.pgn"], "no such file"),
        (&["analyse", "--depth", "0"], "--depth"),
        (&["analyse", "--time", "soon"], "use a number of seconds"),
        (&["analyse", "--lines", "0"], "--lines"),
        (&["analyse", "--game", "1"], "FILE"),
        (&["analyse", "-o", "x.pgn"], "FILE"),
        (&["analyse", "--live"], "--json"),
        (
            &["analyse", "x.pgn", "--json", "--live"],
            "--live works for one position",
        ),
        (
            &["analyse", "x.pgn", "--fen", BACK_RANK],
            "cannot be used with",
        ),
        (&["analyse", "x.pgn", "--game", "0"], "use a number from 1"),
    ] {
        let error_message = error_message(arguments);
        assert!(
            error_message.contains(wanted),
            "{arguments:?}: {error_message}"
        );
    }
}

#[test]
fn help() {
    let help = printed(&["analyse", "--help"]);
    assert!(help.contains("After Ctrl+C"), "{help}");
    assert!(help.contains("[FEN|FILE]"), "{help}");
}

#[test]
fn colours_only_on_a_terminal() {
    let plain = printed(&["analyse", "--depth", "4"]);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let painted = text(&output(&["analyse", "--depth", "4", "--color", "always"]).stdout);
    assert!(painted.contains("\u{1b}[48;5;188m"), "{painted}");
}

/// The table is redrawn in place until Ctrl+C, and then stays.
#[cfg(unix)]
#[test]
fn live_on_a_terminal() {
    use crate::terminal::Terminal;

    let mut terminal =
        Terminal::start(&["analyse", "--lines", "2", "--threads", "1"], &[], 100, 24);
    let depth = |line: &str| {
        let (depth, _) = line.split_whitespace().next()?.split_once('/')?;
        depth.parse::<u32>().ok()
    };
    terminal.wait_for(|screen| screen.lines().filter_map(depth).any(|depth| depth >= 9));
    let screen = terminal.text();
    assert_eq!(screen.matches("depth").count(), 1, "{screen}");
    terminal.press("\u{3}");
    let status = terminal.wait_for_exit();
    assert!(status.success(), "{status}");
    let screen = terminal.text();
    assert_eq!(screen.matches("White to move").count(), 1, "{screen}");
    assert_eq!(screen.matches("depth").count(), 1, "{screen}");
    assert!(!screen.contains("^C"), "{screen}");
    assert!(screen.matches(" 1. ").count() >= 2, "{screen}");
}

#[cfg(unix)]
#[test]
fn narrow_terminals() {
    use crate::terminal::Terminal;

    for columns in [30, 60] {
        let arguments = ["analyse", "--depth", "8", "--lines", "2"];
        let mut terminal = Terminal::start(&arguments, &[], columns, 24);
        let status = terminal.wait_for_exit();
        assert!(status.success(), "{status}");
        let screen = terminal.text();
        assert_eq!(screen.matches("depth").count(), 1, "{screen}");
        assert!(screen.contains(" 1. "), "{screen}");
    }
}
