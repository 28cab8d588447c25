//! The pictures of the documentation show what the program prints.
//!
//! After an intended change, update them and look at them:
//! `TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-cli pictures`

#[path = "../../../terminal/src/pictures/svg.rs"]
mod svg;

use std::fs;
use std::num::NonZero;
use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::{output, text};

/// Text with colour codes as a screen that is just large enough.
fn screen(text: &str) -> Buffer {
    let mut parser = vt100::Parser::new(
        NonZero::new(100).expect("not zero"),
        NonZero::new(200).expect("not zero"),
        0,
    );
    parser.process(text.trim_end().replace('\n', "\r\n").as_bytes());
    let contents = parser.screen().contents();
    let rows = contents.lines().count() as u16;
    let columns = contents.lines().map(|line| line.chars().count()).max();
    let columns = columns.expect("there is text") as u16;
    let color = |color| match color {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(1) => Color::Red,
        vt100::Color::Idx(2) => Color::Green,
        vt100::Color::Idx(number) => Color::Indexed(number),
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    };
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        let Some(from) = parser.screen().cell(y, x) else {
            continue;
        };
        let to = &mut buffer[(x, y)];
        if from.has_contents() {
            to.set_symbol(from.contents());
        }
        to.set_fg(color(from.fgcolor()))
            .set_bg(color(from.bgcolor()));
        to.modifier.set(Modifier::BOLD, from.bold());
        to.modifier.set(Modifier::DIM, from.dim());
    }
    buffer
}

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
    let drawn = svg::draw(&screen(&drawn), &[" "]);
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
         If the change is intended, run TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-cli pictures"
    );
}

#[test]
fn why() {
    let fen = "r2qk2r/p1p2ppp/bpn2n2/2b1p3/4P3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 9";
    compare("why.svg", &["why", fen, "O-O"]);
}
