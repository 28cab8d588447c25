//! Colours, piece style and theme.

use ratatui::style::{Color, Modifier, Style};
use tabiya_board as board;

use crate::theme::{AnsiColors, SquareColor, Theme, Tone};

/// The terminal's colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorDepth {
    /// No colours: characters show everything.
    None,
    /// The sixteen ANSI colours.
    Sixteen,
    /// The 256-colour palette.
    Palette,
    /// 24-bit colours.
    True,
}

/// The style of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceStyle {
    /// Chess figures. Both sides use the filled ones, because outlines are hard to see on a dark screen.
    Glyphs,
    /// Letters, with capitals for White. The whole screen is plain ASCII.
    Letters,
}

/// How the screen is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appearance {
    /// The available colours.
    pub colors: ColorDepth,
    /// The style of the pieces.
    pub figures: PieceStyle,
    /// The colours.
    pub theme: &'static Theme,
}

/// The environment variables that describe the terminal.
struct Environment<'a> {
    term: &'a str,
    colorterm: &'a str,
    /// The first locale variable that is set.
    locale: Option<&'a str>,
}

impl Environment<'_> {
    fn colors(&self) -> ColorDepth {
        if matches!(self.colorterm, "truecolor" | "24bit") || self.term.ends_with("-direct") {
            ColorDepth::True
        } else if self.term.contains("256color") {
            ColorDepth::Palette
        } else {
            ColorDepth::Sixteen
        }
    }

    fn figures(&self) -> PieceStyle {
        let is_unicode = self.locale.is_none_or(|locale| {
            let locale = locale.to_ascii_uppercase();
            locale.contains("UTF-8") || locale.contains("UTF8")
        });
        // The Linux console font has no chess figures.
        if is_unicode && self.term != "linux" {
            PieceStyle::Glyphs
        } else {
            PieceStyle::Letters
        }
    }
}

impl Appearance {
    /// Detects what the terminal supports from environment variables. The caller decides whether to use colours at
    /// all.
    pub fn detect(wants_color: bool, theme: &'static Theme) -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(text);
        let (term, colorterm) = (text("TERM"), text("COLORTERM"));
        let environment = Environment {
            term: term.as_deref().unwrap_or(""),
            colorterm: colorterm.as_deref().unwrap_or(""),
            // Windows sets no variables and supports everything.
            locale: locale.as_deref(),
        };
        let colors = if wants_color && variable("NO_COLOR").is_none() {
            environment.colors()
        } else {
            ColorDepth::None
        };
        Self {
            colors,
            figures: environment.figures(),
            theme,
        }
    }

    /// Whether non-ASCII characters are allowed.
    pub(crate) fn is_unicode(&self) -> bool {
        self.figures == PieceStyle::Glyphs
    }

    /// Whether colours are available.
    pub(crate) fn has_color(&self) -> bool {
        self.colors != ColorDepth::None
    }

    /// Whether pieces are drawn as figures. Without colours, both sides would look the same.
    pub(crate) fn has_glyphs(&self) -> bool {
        self.is_unicode() && self.has_color()
    }

    /// The first text, or the second on an ASCII screen.
    pub(crate) fn either<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.is_unicode() { unicode } else { ascii }
    }

    fn color(&self, rgb: u32, named: Color) -> Color {
        match self.colors {
            ColorDepth::None => Color::Reset,
            ColorDepth::Sixteen => named,
            ColorDepth::Palette => Color::Indexed(nearest(rgb)),
            ColorDepth::True => {
                let [_, red, green, blue] = rgb.to_be_bytes();
                Color::Rgb(red, green, blue)
            }
        }
    }

    /// A theme colour.
    pub(crate) fn tone(&self, tone: Tone) -> Color {
        self.color(self.theme.tone(tone), AnsiColors::tone(tone))
    }

    /// The colour of a square.
    pub(crate) fn ground(&self, ground: SquareColor, is_light: bool) -> Color {
        if self.colors == ColorDepth::Palette {
            return Color::Indexed(self.theme.palette(ground, is_light));
        }
        self.color(
            self.theme.ground(ground, is_light),
            AnsiColors::ground(ground, is_light),
        )
    }

    /// The colour of a side's pieces.
    pub(crate) fn figure_color(&self, color: board::Color) -> Color {
        match color {
            board::Color::White => self.tone(Tone::White),
            board::Color::Black => self.tone(Tone::Black),
        }
    }

    /// The colours of a figure and of the tile behind it, where square colours do not suit both sides.
    pub(crate) fn tile(&self, color: board::Color) -> Option<[Color; 2]> {
        (self.colors == ColorDepth::Sixteen).then(|| AnsiColors::tile(color))
    }

    /// The style of normal text.
    pub(crate) fn text(&self) -> Style {
        Style::new()
            .fg(self.tone(Tone::Ink))
            .bg(self.tone(Tone::Paper))
    }

    /// Text in a theme colour.
    pub(crate) fn ink(&self, tone: Tone) -> Style {
        let style = Style::new().fg(self.tone(tone));
        match (tone, self.colors) {
            (Tone::Dim, ColorDepth::None | ColorDepth::Sixteen) => {
                style.add_modifier(Modifier::DIM)
            }
            (Tone::Accent | Tone::Bad, ColorDepth::None) => style.add_modifier(Modifier::BOLD),
            _ => style,
        }
    }

    /// Emphasised text.
    pub(crate) fn strong(&self) -> Style {
        self.ink(Tone::Ink).add_modifier(Modifier::BOLD)
    }

    /// The selected list entry.
    pub(crate) fn chosen(&self) -> Style {
        if self.has_color() {
            Style::new()
                .fg(self.tone(Tone::Paper))
                .bg(self.tone(Tone::Accent))
                .add_modifier(Modifier::BOLD)
        } else {
            Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
        }
    }

    /// The figure or letter of a piece.
    pub(crate) fn figure(&self, piece: board::Piece) -> &'static str {
        if self.has_glyphs() {
            tabiya_display::diagram::figure(piece.role)
        } else {
            letter(piece)
        }
    }
}

const fn letter(piece: board::Piece) -> &'static str {
    use board::Role;
    match (piece.color, piece.role) {
        (board::Color::White, Role::Pawn) => "P",
        (board::Color::White, Role::Knight) => "N",
        (board::Color::White, Role::Bishop) => "B",
        (board::Color::White, Role::Rook) => "R",
        (board::Color::White, Role::Queen) => "Q",
        (board::Color::White, Role::King) => "K",
        (board::Color::Black, Role::Pawn) => "p",
        (board::Color::Black, Role::Knight) => "n",
        (board::Color::Black, Role::Bishop) => "b",
        (board::Color::Black, Role::Rook) => "r",
        (board::Color::Black, Role::Queen) => "q",
        (board::Color::Black, Role::King) => "k",
    }
}

/// The levels of the colour cube in the 256-colour palette.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest palette colour, except the first sixteen, which users redefine.
fn nearest(rgb: u32) -> u8 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let distance = |[r, g, b]: [u8; 3]| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, red) + square(g, green) + square(b, blue)
    };
    let cube = (0..216).map(|number: u8| {
        let level = |digit: u8| LEVELS[usize::from(digit)];
        let color = [level(number / 36), level(number / 6 % 6), level(number % 6)];
        (distance(color), 16 + number)
    });
    let grays = (0..24).map(|number: u8| (distance([8 + 10 * number; 3]), 232 + number));
    cube.chain(grays).min().map_or(16, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment<'a>(
        term: &'a str,
        colorterm: &'a str,
        locale: Option<&'a str>,
    ) -> Environment<'a> {
        Environment {
            term,
            colorterm,
            locale,
        }
    }

    #[test]
    fn colours_are_those_of_the_terminal() {
        for (term, colorterm, colors) in [
            ("xterm-256color", "truecolor", ColorDepth::True),
            ("xterm-kitty", "24bit", ColorDepth::True),
            ("xterm-direct", "", ColorDepth::True),
            ("xterm-256color", "", ColorDepth::Palette),
            ("screen.xterm-256color", "", ColorDepth::Palette),
            ("xterm", "", ColorDepth::Sixteen),
            ("linux", "", ColorDepth::Sixteen),
        ] {
            assert_eq!(environment(term, colorterm, None).colors(), colors);
        }
    }

    #[test]
    fn figures_need_a_font_for_them() {
        for (term, locale, figures) in [
            ("xterm", None, PieceStyle::Glyphs),
            ("xterm", Some("de_DE.utf8"), PieceStyle::Glyphs),
            ("xterm", Some("C"), PieceStyle::Letters),
            ("linux", Some("en_US.UTF-8"), PieceStyle::Letters),
        ] {
            assert_eq!(environment(term, "", locale).figures(), figures);
        }
    }

    #[test]
    fn the_nearest_colour_of_the_palette() {
        for (rgb, number) in [
            (0x000000, 16),
            (0xffffff, 231),
            (0x5f5f87, 60),
            (0x8787af, 103),
            (0x1c1c1c, 234),
            (0x8888b0, 103),
        ] {
            assert_eq!(nearest(rgb), number, "{rgb:06x}");
        }
    }
}
