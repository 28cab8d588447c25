//! The pictures of the documentation show what the program prints.
//!
//! After an intended change, update them and look at them:
//! `TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-cli -- pictures walk`

#[path = "../../../terminal/src/pictures/svg.rs"]
mod svg;

use std::fs;
use std::num::NonZero;
use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::{output, text};

/// The symbols of large pieces, drawn as rectangles: the index is the set of quarters that are filled.
const QUARTERS: [&str; 16] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
];

/// The sixteen colours by their number.
const NAMED: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// Text with colour codes as a screen that is just large enough.
fn printed(text: &str) -> Buffer {
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
    buffer(parser.screen(), columns, rows)
}

/// The upper left part of a screen.
fn buffer(screen: &vt100::Screen, columns: u16, rows: u16) -> Buffer {
    let color = |color| match color {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(number) => match NAMED.get(usize::from(number)) {
            Some(named) => *named,
            None => Color::Indexed(number),
        },
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    };
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        let Some(from) = screen.cell(y, x) else {
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
        to.modifier.set(Modifier::UNDERLINED, from.underline());
        to.modifier.set(Modifier::REVERSED, from.inverse());
    }
    buffer
}

/// Compares a screen with its picture.
#[track_caller]
pub(crate) fn compare_screen(name: &str, screen: &vt100::Screen) {
    let (rows, columns) = screen.size();
    let buffer = buffer(screen, columns.get(), rows.get());
    compare_picture(name, &svg::draw(&buffer, &QUARTERS), "the walk shows");
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
    let drawn = svg::draw(&printed(&drawn), &[" "]);
    compare_picture(name, &drawn, &format!("`{command}` prints"));
}

#[track_caller]
fn compare_picture(name: &str, drawn: &str, what: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/images")
        .join(name);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    // Git may have changed the line ends, and another engine may judge a game a little differently.
    if without_percentages(&kept.replace('\r', "")) == without_percentages(drawn) {
        return;
    }
    if std::env::var_os("TABIYA_UPDATE_IMAGES").is_some() {
        fs::write(&path, drawn).expect("the picture can be written");
        return;
    }
    panic!(
        "docs/images/{name} is not what {what}. If the change is intended, run \
         TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-cli -- pictures walk"
    );
}

fn without_percentages(text: &str) -> String {
    let mut parts = text.split('%');
    let last = parts.next_back().unwrap_or_default();
    let numberless =
        parts.map(|part| part.trim_end_matches(|letter: char| letter.is_ascii_digit()));
    numberless.chain([last]).collect::<Vec<_>>().join("%")
}

#[test]
fn why() {
    let fen = "r2qk2r/p1p2ppp/bpn2n2/2b1p3/4P3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 9";
    compare("why.svg", &["why", fen, "O-O"]);
}
