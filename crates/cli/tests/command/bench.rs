//! `tabiya bench`.

use crate::folder::Folder;
use crate::{error_message, printed};

#[test]
fn bench_is_deterministic() {
    let nodes = || {
        let printed = printed(&["bench", "--depth", "4"]);
        printed.lines().next().unwrap().to_owned()
    };
    let first = nodes();
    assert!(first.starts_with("nodes: "), "{first}");
    assert_eq!(first, nodes());
}

#[test]
fn bench_solves_problems() {
    let folder = Folder::new("bench");
    let path = folder.write(
        "problems.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\n6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#;\n",
    );
    let printed = printed(&["bench", "--depth", "3", "--epd", &path]);
    assert_eq!(printed, "line 3: Rd8#\nsolved: 1 of 2\n");
    let path = folder.write("wrong.epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"x\";\n");
    assert!(error_message(&["bench", "--epd", &path]).contains("wrong.epd:1: no best move"));
    assert!(error_message(&["bench", "--epd", "nowhere.epd"]).contains("cannot read nowhere.epd"));
    let path = folder.write("empty.epd", "\n");
    assert!(error_message(&["bench", "--epd", &path]).contains("no position in"));
    // The error is printed once.
    let path = folder.write("games.pgn", "[Event \"?\"]\n");
    let said = error_message(&["bench", "--epd", &path]);
    assert_eq!(
        said.matches("unexpected '[' among the pieces").count(),
        1,
        "{said}"
    );
}
