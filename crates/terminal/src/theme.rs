//! Colour themes.

use ratatui::style::Color;

/// A colour theme.
///
/// A test ensures a contrast of at least 3:1 between all pieces and squares.
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
}

#[rustfmt::skip]
static THEMES: [Theme; 4] = [
    Theme {
        name: "dark",
        description: "walnut on slate",
        tones: [0x1b1d22, 0xd9d6cf, 0x858a94, 0xd9a962, 0x8fbf7a, 0xe58074, 0x272a31],
        grounds: [
            [0xa38f70, 0x745c44], [0x8f9a4e, 0x6a7a33], [0x5e9aa6, 0x3f7f8c],
            [0x9a8bc0, 0x7a66a8], [0xc86a58, 0xa8483c], [0xc08a3c, 0xa8702a],
        ],
    },
    Theme {
        name: "light",
        description: "sage on paper",
        tones: [0xf6f4ee, 0x2b2d31, 0x62666d, 0x8a5a14, 0x2f6b2a, 0xa8281c, 0xe6e2d6],
        grounds: [
            [0x8a9880, 0x5a7657], [0xa8914a, 0x8a7530], [0x5e93b0, 0x3f769a],
            [0x9a8bc0, 0x7a66a8], [0xd0705e, 0xb04a3c], [0xc08a3c, 0xa8702a],
        ],
    },
    Theme {
        name: "high-contrast",
        description: "white on black, strong colours",
        tones: [0x000000, 0xffffff, 0xc8c8c8, 0xffd75f, 0x87ff87, 0xff8787, 0x262626],
        grounds: [
            [0x8a7868, 0x5a6a8a], [0x7c8414, 0x647010], [0x008a8a, 0x007878],
            [0xb060d0, 0x9850b8], [0xe03030, 0xc82020], [0xb87800, 0xa06800],
        ],
    },
    // Blue and orange replace red and green.
    Theme {
        name: "colour-blind",
        description: "blue and orange, no red or green",
        tones: [0x15181f, 0xdfe3ea, 0x8a93a3, 0xf0b040, 0x6db8f0, 0xf0913a, 0x222733],
        grounds: [
            [0x7f93ad, 0x4f6684], [0xa8943e, 0x8a7620], [0x2f95d0, 0x0072b2],
            [0xb07fa8, 0x965c8c], [0xd56a00, 0xb85a00], [0xc4861c, 0xb07410],
        ],
    },
];

/// The sixteen ANSI colours, used for every theme on terminals with no others. Users can redefine them; these pairs
/// are distinct on most terminals.
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
            SquareColor::Plain => Color::DarkGray,
            SquareColor::Last => Color::Green,
            SquareColor::Chosen => Color::Blue,
            SquareColor::Hint => Color::Magenta,
            SquareColor::Check => Color::Red,
            SquareColor::Cursor => Color::Yellow,
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

    #[test]
    fn pieces_can_be_seen_on_every_square() {
        for theme in &THEMES {
            let least = if theme.name == "high-contrast" {
                3.5
            } else {
                3.0
            };
            for ground in GROUNDS {
                for is_light in [true, false] {
                    for figure in [Tone::White, Tone::Black] {
                        let found = contrast(theme.ground(ground, is_light), theme.tone(figure));
                        let name = theme.name;
                        assert!(
                            found >= least,
                            "{name}: {figure:?} on {ground:?} {is_light}: {found:.2}"
                        );
                    }
                }
            }
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
