//! The computer resigns and offers draws.

use super::Home;

/// An engine that plays given moves as Black and reports the same score for every position.
const SCRIPT: &str = r#"
score=$1
shift
moves=$*
while read -r word rest; do
    case $word in
    uci) echo uciok ;;
    isready) echo readyok ;;
    position) set -- ${rest#*moves}; played=$# ;;
    go)
        set -- $moves
        shift $((played / 2))
        printf 'info depth 9 score cp %s pv %s\nbestmove %s\n' "$score" "$1" "$1"
        ;;
    quit) exit 0 ;;
    esac
done
"#;

/// Rooks and three pawns each, at move 45.
const ENDGAME: &str = "3r2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 45";

/// The command line of an engine that reports a score for every position of the endgame.
fn engine(home: &Home, score: &str) -> String {
    let script = home.folder.write("engine.sh", SCRIPT);
    format!("sh \"{script}\" {score} d8d7 d7d6 d6d5 d5d4 d4d3 d3d2")
}

const MOVES: &str = "Ra2\nRa3\nRa4\nRa5\nRa6\n";

#[test]
fn the_computer_resigns() {
    let home = Home::new("resigns");
    let engine = engine(&home, "-1500");
    let arguments = ["--opponent", &engine, "--fen", ENDGAME];
    let printed = home.printed(&arguments, "Ra2\nRa3\nRa4\n");
    assert!(
        printed.contains("46... Rd6\n47. Ra4\nWhite wins: Black resigned. 1-0\n"),
        "{printed}"
    );
    let games = home.collection();
    for tag in ["[Result \"1-0\"]", "[Termination \"normal\"]"] {
        assert!(games.contains(tag), "{games}");
    }
    assert_eq!(home.unfinished(), [""; 0]);
}

#[test]
fn resigning_can_be_turned_off() {
    let home = Home::new("no-resigns");
    let set = home.command(&["config", "set", "resigns", "no"]).output();
    assert!(set.unwrap().status.success());
    let engine = engine(&home, "-1500");
    let arguments = ["--opponent", &engine, "--fen", ENDGAME];
    let printed = home.printed(&arguments, MOVES);
    assert!(printed.contains("49. Ra6\n49... Rd3\n"), "{printed}");
}

#[test]
fn the_computers_draw_offer_can_be_accepted_after_resuming() {
    let home = Home::new("offers");
    let engine = engine(&home, "3");
    let arguments = ["--opponent", &engine, "--fen", ENDGAME];
    let offer = "Black offers a draw. Type draw to accept, or play on.\n";
    let printed = home.printed(&arguments, MOVES);
    assert!(
        printed.contains(&format!("49... Rd3\n{offer}")),
        "{printed}"
    );
    let printed = home.printed(&["--resume"], "draw\n");
    assert!(
        printed.contains(&format!("{offer}Draw by agreement. 1/2-1/2\n")),
        "{printed}"
    );
    // A move declines the offer.
    let printed = home.printed(&arguments, &format!("{MOVES}Ra7\n"));
    assert!(
        printed.contains(&format!("{offer}50. Ra7\n50... Rd2\n")),
        "{printed}"
    );
}
