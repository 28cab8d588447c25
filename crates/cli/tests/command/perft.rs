//! `tabiya perft`.

use crate::{CHESS960, KIWIPETE, error_message, json, printed};

/// The number after `nodes:`.
fn nodes(printed: &str) -> u64 {
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix("nodes: "));
    line.expect(printed).parse().expect("plain digits")
}

#[test]
fn the_starting_position() {
    for (depth, count) in [("0", 1), ("1", 20), ("2", 400), ("3", 8902), ("4", 197_281)] {
        assert_eq!(nodes(&printed(&["perft", depth])), count);
    }
}

#[test]
fn all_options_give_the_same_count() {
    for (fen, depth, count) in [
        ("startpos", "4", 197_281),
        (KIWIPETE, "3", 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "5", 674_624),
        // Counted by python-chess.
        (CHESS960, "4", 318_338),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "4",
            326_672,
        ),
    ] {
        let plain = printed(&["perft", depth, "--fen", fen, "--threads", "1"]);
        assert_eq!(nodes(&plain), count, "{fen}");
        for options in [
            &[][..],
            &["--threads", "2"],
            &["--threads", "7"],
            &["--hash", "1", "--threads", "1"],
            &["--hash", "16"],
            &["--hash", "1", "--threads", "4"],
            &["--divide", "--hash", "1", "--threads", "3"],
        ] {
            let arguments = [&["perft", depth, "--fen", fen], options].concat();
            let printed = printed(&arguments);
            assert_eq!(nodes(&printed), count, "{arguments:?}");
            if options.contains(&"--divide") {
                let parts = printed.lines().take_while(|line| !line.is_empty());
                let counts = parts.map(|line| line.split_once(": ").unwrap().1);
                let sum: u64 = counts.map(|count| count.parse::<u64>().unwrap()).sum();
                assert_eq!(sum, count);
            }
        }
    }
}

/// Deep enough to split the work after more than the first move, even with few moves in each position.
#[test]
fn deep_and_narrow() {
    for fen in [
        "8/8/8/8/8/k7/p7/K7 b - - 0 1",
        "7k/8/8/p7/P7/8/8/7K w - - 0 1",
    ] {
        let plain = nodes(&printed(&["perft", "7", fen, "--threads", "1"]));
        for options in [&["--threads", "5"][..], &["--hash", "1", "--threads", "3"]] {
            let arguments = [&["perft", "7", fen], options].concat();
            assert_eq!(nodes(&printed(&arguments)), plain, "{arguments:?}");
        }
    }
}

#[test]
fn divided_by_first_move_in_order() {
    let printed = printed(&["perft", "2", "--divide"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "a2a3: 20");
    assert_eq!(lines[19], "h2h4: 20");
    assert_eq!(lines[20], "");
    assert_eq!(lines[21], "nodes: 400");
    assert!(lines[22].starts_with("time:  "), "{printed}");
    assert!(lines[23].ends_with(" nodes per second"), "{printed}");
    assert!(lines[..20].is_sorted());

    let castles = crate::printed(&["perft", "1", "--divide", "5k2/8/8/8/8/8/8/5K1R w K - 0 1"]);
    assert!(castles.contains("f1g1: 1\n"), "{castles}");
    assert!(castles.contains("f1h1: 1\n"), "{castles}");
}

#[test]
fn nothing_to_count() {
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    for depth in ["1", "2", "6", "100"] {
        assert_eq!(nodes(&printed(&["perft", depth, mate])), 0);
    }
    assert_eq!(nodes(&printed(&["perft", "0", mate, "--divide"])), 1);
}

#[test]
fn as_json() {
    let report = json(&[
        "perft",
        "2",
        "--json",
        "--divide",
        "--threads",
        "2",
        "--hash",
        "3",
    ]);
    assert_eq!(report["depth"], 2);
    assert_eq!(report["nodes"], 400);
    assert_eq!(report["threads"], 2);
    assert_eq!(report["hash_mb"], 3);
    assert_eq!(report["divide"]["e2e4"], 20);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["nodes_per_second"].as_u64().is_some());
    assert!(json(&["perft", "2", "--json"]).get("divide").is_none());
}

#[test]
fn numbers_out_of_range() {
    for arguments in [
        &["perft"][..],
        &["perft", "six"],
        &["perft", "-1"],
        &["perft", "101"],
        &["perft", "99999999999999999999"],
        &["perft", "1", "--threads", "0"],
        &["perft", "1", "--threads", "x"],
        &["perft", "1", "--hash", "lots"],
        &["perft", "1", "--hash", "-5"],
    ] {
        error_message(arguments);
    }
    let error_message = error_message(&["perft", "six"]);
    assert!(
        error_message.contains("use a whole number from 0 to 100"),
        "{error_message}"
    );
}

/// With a table, two lone kings are counted to any depth at once.
#[test]
fn more_than_can_be_counted() {
    let fen = "7k/8/8/8/8/8/8/7K w - - 0 1";
    let error_message = error_message(&["perft", "40", fen, "--hash", "64"]);
    assert!(error_message.contains("more than 2^64"), "{error_message}");
}
