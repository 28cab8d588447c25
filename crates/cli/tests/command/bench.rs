//! `tabiya bench`.

use crate::folder::Folder;
use crate::{complaint, printed};

#[test]
fn bench_counts_the_same_each_time() {
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
    assert!(complaint(&["bench", "--epd", &path]).contains("wrong.epd:1: there is neither"));
    assert!(complaint(&["bench", "--epd", "nowhere.epd"]).contains("cannot read nowhere.epd"));
    let path = folder.write("empty.epd", "\n");
    assert!(complaint(&["bench", "--epd", &path]).contains("there is no position in"));
    // What is wrong is told once.
    let path = folder.write("games.pgn", "[Event \"?\"]\n");
    let said = complaint(&["bench", "--epd", &path]);
    assert_eq!(
        said.matches("'[' is none of the pieces").count(),
        1,
        "{said}"
    );
}
