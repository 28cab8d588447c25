//! Colour themes.

use ratatui::style::Color;
use tabiya_board::Color as Side;
use tabiya_display::palette::{self, SquarePair};

/// A colour theme.
///
/// Tests ensure a contrast of at least 3:1 between all pieces and squares. Squares that show white and black pieces
/// with that contrast differ from each other by 7:3 at most; the high-contrast theme comes close to it.
#[derive(PartialEq, Eq, Debug)]
pub struct Theme {
    /// The name.
    pub name: &'static str,
    /// A short description.
    pub description: &'static str,
    /// Paper, ink, dim, accent, good, bad and bar.
    tones: [u32; 7],
    /// Light and dark squares: plain, last, chosen, hint, check and cursor.
    grounds: [[u32; 2]; 6],
    /// The same in the 256-colour palette. The nearest colours would be too much alike.
    palette: [SquarePair; 6],
}

/// The roles of colours. The first ones are in the order of [`Theme::tones`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// The background.
    Paper,
    Ink,
    /// Less important text: coordinates, descriptions.
    Dim,
    /// The selected entry, and headings.
    Accent,
    Good,
    Bad,
    /// The background of the key bar.
    Bar,
    /// The frame around the move list.
    Frame,
    /// White's pieces.
    White,
    /// Black's pieces.
    Black,
}

/// The roles of square colours, in the order of [`Theme::grounds`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SquareColor {
    Plain,
    /// The squares of the last move.
    Last,
    /// The selected piece.
    Chosen,
    /// The squares of the hinted move.
    Hint,
    /// A king in check.
    Check,
    /// The keyboard cursor.
    Cursor,
}

impl Theme {
    /// All themes, the default first.
    pub const ALL: &'static [Self] = &THEMES;

    /// The default theme.
    pub fn default_theme() -> &'static Self {
        &THEMES[0]
    }

    /// Finds a theme by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        THEMES
            .iter()
            .find(|theme| theme.name.eq_ignore_ascii_case(name))
    }

    /// The next theme, cyclically.
    pub fn next(&self) -> &'static Self {
        let at = THEMES.iter().position(|theme| theme == self).unwrap_or(0);
        &THEMES[(at + 1) % THEMES.len()]
    }

    pub(crate) const fn tone(&self, tone: Tone) -> u32 {
        match tone {
            Tone::White => 0xffffff,
            Tone::Black => 0x000000,
            Tone::Frame => self.tones[Tone::Bar as usize],
            tone => self.tones[tone as usize],
        }
    }

    pub(crate) const fn ground(&self, ground: SquareColor, is_light: bool) -> u32 {
        self.grounds[ground as usize][if is_light { 0 } else { 1 }]
    }

    /// The colour of a square in the 256-colour palette.
    pub(crate) const fn palette(&self, ground: SquareColor, is_light: bool) -> u8 {
        self.palette[ground as usize][if is_light { 0 } else { 1 }]
    }
}

#[rustfmt::skip]
static THEMES: [Theme; 4] = [
    Theme {
        name: "dark",
        description: "walnut on slate",
        tones: [0x1b1d22, 0xd9d6cf, 0x858a94, 0xd9a962, 0x8fbf7a, 0xe58074, 0x272a31],
        grounds: [
            [0xa49071, 0x735b43], [0x798241, 0x6f7c2d], [0x5e9aa6, 0x3f7f8c],
            [0x9a8bc0, 0x7a66a8], [0xc86a58, 0xa8483c], [0xc08a3c, 0xa8702a],
        ],
        palette: [palette::PLAIN, palette::MOVE, [66, 66], [103, 97], palette::CULPRIT, [136, 130]],
    },
    Theme {
        name: "light",
        description: "sage on paper",
        tones: [0xf6f4ee, 0x2b2d31, 0x62666d, 0x8a5a14, 0x2f6b2a, 0xa8281c, 0xe6e2d6],
        grounds: [
            [0x8a9880, 0x4f684c], [0x8f7b3e, 0x89763b], [0x5e93b0, 0x3f769a],
            [0x9a8bc0, 0x7a66a8], [0xd0705e, 0xb04a3c], [0xc08a3c, 0xa8702a],
        ],
        palette: [[246, 59], [100, 100], [67, 67], [103, 97], [167, 131], [136, 130]],
    },
    Theme {
        name: "high-contrast",
        description: "white on black, grey and deep blue",
        tones: [0x000000, 0xffffff, 0xc8c8c8, 0xffd75f, 0x87ff87, 0xff8787, 0x262626],
        grounds: [
            [0x90959d, 0x1e5c9b], [0x947300, 0x927100], [0x008a8a, 0x008080],
            [0xb060d0, 0xb060d0], [0xe03030, 0xd82828], [0xd75f00, 0xd75f00],
        ],
        palette: [[246, 25], [94, 136], [30, 30], [134, 134], [160, 160], [166, 166]],
    },
    // Blue and orange replace red and green.
    Theme {
        name: "colour-blind",
        description: "blue and orange, no red or green",
        tones: [0x15181f, 0xdfe3ea, 0x8a93a3, 0xf0b040, 0x6db8f0, 0xf0913a, 0x222733],
        grounds: [
            [0x8094af, 0x4b617d], [0x8c7b32, 0x917419], [0x2f95d0, 0x0072b2],
            [0xb07fa8, 0x965c8c], [0xd56a00, 0xb85a00], [0xc4861c, 0xb07410],
        ],
        palette: [[103, 60], [94, 100], [32, 25], [139, 96], [166, 130], [136, 130]],
    },
];

/// The sixteen ANSI colours, used for every theme on terminals with no others. Users can redefine them, and the Linux
/// console has only the first eight as backgrounds. No colour among those shows both white and black pieces, so each
/// piece has a tile of its own behind it.
pub(crate) struct AnsiColors;

impl AnsiColors {
    pub(crate) const fn tone(tone: Tone) -> Color {
        match tone {
            Tone::Paper | Tone::Ink | Tone::Dim | Tone::Bar => Color::Reset,
            Tone::Frame => Color::DarkGray,
            Tone::Accent => Color::Yellow,
            Tone::Good => Color::Green,
            Tone::Bad => Color::Red,
            Tone::White => Color::White,
            Tone::Black => Color::Black,
        }
    }

    pub(crate) const fn ground(ground: SquareColor, is_light: bool) -> Color {
        match ground {
            SquareColor::Plain if is_light => Color::Cyan,
            SquareColor::Plain => Color::Blue,
            SquareColor::Last => Color::Magenta,
            SquareColor::Chosen => Color::Yellow,
            SquareColor::Hint => Color::Green,
            SquareColor::Check => Color::Red,
            SquareColor::Cursor => Color::Gray,
        }
    }

    /// The colours of a figure and of the tile behind it.
    pub(crate) const fn tile(color: Side) -> [Color; 2] {
        match color {
            Side::White => [Color::Black, Color::Gray],
            Side::Black => [Color::White, Color::Black],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance as defined in the Web Content Accessibility Guidelines.
    fn luminance(rgb: u32) -> f64 {
        let [_, red, green, blue] = rgb.to_be_bytes().map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(a: u32, b: u32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    const GROUNDS: [SquareColor; 6] = [
        SquareColor::Plain,
        SquareColor::Last,
        SquareColor::Chosen,
        SquareColor::Hint,
        SquareColor::Check,
        SquareColor::Cursor,
    ];

    /// The colour of an entry of the 256-colour palette after the first sixteen.
    fn palette_rgb(index: u8) -> u32 {
        const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];
        if let Some(gray) = index.checked_sub(232) {
            return (8 + 10 * u32::from(gray)) * 0x1_01_01;
        }
        let index = usize::from(index - 16);
        let [red, green, blue] = [index / 36, index / 6 % 6, index % 6].map(|digit| LEVELS[digit]);
        red << 16 | green << 8 | blue
    }

    /// The sixteen colours of two widespread terminals: xterm, and the Linux console.
    fn ansi_rgb(color: Color) -> [u32; 2] {
        match color {
            Color::Black => [0, 0],
            Color::Red => [0xcd_00_00, 0xaa_00_00],
            Color::Green => [0x00_cd_00, 0x00_aa_00],
            Color::Yellow => [0xcd_cd_00, 0xaa_55_00],
            Color::Blue => [0x00_00_ee, 0x00_00_aa],
            Color::Magenta => [0xcd_00_cd, 0xaa_00_aa],
            Color::Cyan => [0x00_cd_cd, 0x00_aa_aa],
            Color::Gray => [0xe5_e5_e5, 0xaa_aa_aa],
            Color::White => [0xff_ff_ff, 0xff_ff_ff],
            other => panic!("the Linux console has no background {other}"),
        }
    }

    /// The squares of a theme in true colours and in the palette: a function from role and shade to a colour.
    fn depths(theme: &Theme) -> [impl Fn(SquareColor, bool) -> u32; 2] {
        [false, true].map(|is_palette| {
            move |ground, is_light| {
                if is_palette {
                    palette_rgb(theme.palette(ground, is_light))
                } else {
                    theme.ground(ground, is_light)
                }
            }
        })
    }

    #[test]
    fn pieces_can_be_seen_on_every_square() {
        for theme in &THEMES {
            for (depth, square) in depths(theme).into_iter().enumerate() {
                for ground in GROUNDS {
                    for is_light in [true, false] {
                        for figure in [Tone::White, Tone::Black] {
                            let found = contrast(square(ground, is_light), theme.tone(figure));
                            let name = theme.name;
                            assert!(
                                found >= 3.0,
                                "{name}, depth {depth}: {figure:?} on {ground:?} {is_light}: {found:.2}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn light_dark_and_last_squares_differ_in_brightness() {
        for theme in &THEMES {
            let is_high = theme.name == "high-contrast";
            let (squares, last) = if is_high { (2.1, 1.4) } else { (1.6, 1.25) };
            for (depth, square) in depths(theme).into_iter().enumerate() {
                let name = format!("{}, depth {depth}", theme.name);
                let plain = [true, false].map(|is_light| square(SquareColor::Plain, is_light));
                let found = contrast(plain[0], plain[1]);
                assert!(found >= squares, "{name}: {found:.2}");
                for (is_light, plain) in [true, false].into_iter().zip(plain) {
                    let found = contrast(square(SquareColor::Last, is_light), plain);
                    assert!(found >= last, "{name}: last {is_light}: {found:.2}");
                }
            }
        }
    }

    #[test]
    fn sixteen_colors_are_enough() {
        for terminal in [0, 1] {
            let rgb = |color| ansi_rgb(color)[terminal];
            for side in Side::ALL {
                let [figure, tile] = AnsiColors::tile(side);
                assert!(contrast(rgb(figure), rgb(tile)) >= 7.0, "{side}");
            }
            let square = |ground, is_light| rgb(AnsiColors::ground(ground, is_light));
            let [light, dark] = [true, false].map(|is_light| square(SquareColor::Plain, is_light));
            assert!(contrast(light, dark) >= 3.0);
            for plain in [light, dark] {
                let found = contrast(plain, square(SquareColor::Last, true));
                assert!(found >= 1.5, "{terminal}: {found:.2}");
            }
        }
    }

    #[test]
    fn board_and_play_have_one_palette() {
        let theme = Theme::default_theme();
        for (ground, shared) in [
            (SquareColor::Plain, palette::PLAIN),
            (SquareColor::Last, palette::MOVE),
            (SquareColor::Check, palette::CULPRIT),
        ] {
            let pair = [true, false].map(|is_light| theme.palette(ground, is_light));
            assert_eq!(pair, shared);
        }
    }

    #[test]
    fn text_can_be_read() {
        for theme in &THEMES {
            for ground in [Tone::Paper, Tone::Bar] {
                for (ink, least) in [
                    (Tone::Ink, 7.0),
                    (Tone::Dim, 4.0),
                    (Tone::Accent, 4.0),
                    (Tone::Good, 4.0),
                    (Tone::Bad, 4.0),
                ] {
                    let found = contrast(theme.tone(ground), theme.tone(ink));
                    let name = theme.name;
                    assert!(found >= least, "{name}: {ink:?} on {ground:?}: {found:.2}");
                }
            }
        }
    }

    #[test]
    fn themes_are_found_by_name_and_follow_each_other() {
        for theme in &THEMES {
            assert_eq!(Theme::named(&theme.name.to_uppercase()), Some(theme));
        }
        assert_eq!(Theme::named("pink"), None);
        let round = THEMES
            .iter()
            .fold(Theme::default_theme(), |theme, _| theme.next());
        assert_eq!(round, Theme::default_theme());
    }
}
