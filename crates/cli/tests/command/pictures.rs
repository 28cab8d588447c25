//! The pictures of the documentation show what the program prints.
//!
//! After an intended change, update them and look at them:
//! `TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya pictures`

use std::fs;
use std::path::Path;

use crate::{output, svg, text};

/// The Sicilian Najdorf with 6.Be3 e5 7.Nb3: where many games begin to be their own.
const NAJDORF: &str = "rnbqkb1r/1p3ppp/p2p1n2/4p3/4P3/1NN1B3/PPP2PPP/R2QKB1R b KQkq - 1 7";

#[track_caller]
fn compare(name: &str, arguments: &[&str]) {
    let painted = text(&output(&[arguments, &["--color", "always"]].concat()).stdout);
    let quoted = arguments.iter().map(|argument| {
        if argument.contains(' ') {
            format!("\"{argument}\"")
        } else {
            (*argument).to_owned()
        }
    });
    let command = format!("tabiya {}", quoted.collect::<Vec<_>>().join(" "));
    let drawn = format!("\u{1b}[2m$\u{1b}[0m {command}\n\n{painted}");
    let drawn = svg::draw(&drawn);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/images")
        .join(name);
    if std::env::var_os("TABIYA_UPDATE_IMAGES").is_some() {
        fs::write(&path, &drawn).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    // Git may have changed the line ends.
    assert!(
        kept.replace('\r', "") == drawn,
        "docs/images/{name} is not what `{command}` prints. \
         If it should be, run TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya pictures"
    );
}

#[test]
fn board() {
    compare("board.svg", &["board", NAJDORF]);
}

#[test]
fn why() {
    let fen = "r2qk2r/p1p2ppp/bpn2n2/2b1p3/4P3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 9";
    compare("why.svg", &["why", fen, "O-O"]);
}

#[test]
fn moves() {
    compare("moves.svg", &["moves", "g1"]);
}
