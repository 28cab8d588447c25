//! A board drawn with characters.

use std::fmt;

use anstyle::{Ansi256Color, Style};
use tabiya_board::{Bitboard, Color, File, Piece, Position, Rank, Role, Square};

use crate::screen::Screen;

/// A board to be printed: eight ranks and the letters of the files. On a narrow screen it takes 18 columns.
pub(crate) struct Diagram<'a> {
    pub(crate) position: &'a Position,
    pub(crate) look: Look,
    /// Whether Black sits at the bottom.
    pub(crate) flipped: bool,
    pub(crate) marks: Marks,
}

/// How the pieces are drawn.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// Letters as in a FEN, capitals for White: readable without colours.
    Letters,
    /// Chess figures on painted squares, so many columns each. The same figures serve both sides, because the outlined
    /// ones that are meant for White are hardly seen on a dark screen; the colour tells the sides apart.
    Painted { columns: usize },
}

/// Squares painted in another colour.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks {
    /// Where a piece comes from, goes or could go.
    pub(crate) way: Bitboard,
    /// What stands in the way or attacks.
    pub(crate) trouble: Bitboard,
}

/// Columns of a painted board of three columns a square.
const WIDE_BOARD: usize = 2 + 8 * 3;

impl Look {
    /// What suits a screen.
    pub(crate) fn suiting(screen: Screen) -> Self {
        let fits = screen.columns.is_none_or(|columns| columns >= WIDE_BOARD);
        match (screen.color, fits) {
            (false, _) => Self::Letters,
            (true, true) => Self::Painted { columns: 3 },
            (true, false) => Self::Painted { columns: 2 },
        }
    }
}

/// The names of files and ranks.
const LABEL: Style = Style::new().dimmed();

// On each of these squares both a white and a black figure have a contrast of about 3 to 1 or more.
const LIGHT: Ansi256Color = Ansi256Color(103);
const DARK: Ansi256Color = Ansi256Color(60);
const LIGHT_WAY: Ansi256Color = Ansi256Color(35);
const DARK_WAY: Ansi256Color = Ansi256Color(29);
const LIGHT_TROUBLE: Ansi256Color = Ansi256Color(167);
const DARK_TROUBLE: Ansi256Color = Ansi256Color(131);

const fn figure_color(color: Color) -> Ansi256Color {
    match color {
        Color::White => Ansi256Color(231),
        Color::Black => Ansi256Color(16),
    }
}

const fn figure(role: Role) -> &'static str {
    match role {
        // Alone of the six it is also an emoji. The selector asks for the plain character.
        Role::Pawn => "♟\u{fe0e}",
        Role::Knight => "♞",
        Role::Bishop => "♝",
        Role::Rook => "♜",
        Role::Queen => "♛",
        Role::King => "♚",
    }
}

impl Diagram<'_> {
    fn ground(&self, square: Square) -> Ansi256Color {
        let [light, dark] = if self.marks.trouble.contains(square) {
            [LIGHT_TROUBLE, DARK_TROUBLE]
        } else if self.marks.way.contains(square) {
            [LIGHT_WAY, DARK_WAY]
        } else {
            [LIGHT, DARK]
        };
        if square.is_light() { light } else { dark }
    }

    fn write_square(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        let piece = self.position.piece_at(square);
        match self.look {
            Look::Letters => write!(f, " {}", piece.map_or('.', Piece::char)),
            Look::Painted { columns } => {
                let mut style = Style::new().bg_color(Some(self.ground(square).into()));
                if let Some(piece) = piece {
                    style = style.fg_color(Some(figure_color(piece.color).into()));
                }
                let figure = piece.map_or(" ", |piece| figure(piece.role));
                let margin = if columns > 2 { " " } else { "" };
                write!(f, "{style}{margin}{figure} {style:#}")
            }
        }
    }

    fn write_files(&self, f: &mut fmt::Formatter<'_>, files: [File; 8]) -> fmt::Result {
        match self.look {
            Look::Letters => {
                f.write_str("  ")?;
                for file in files {
                    write!(f, " {file}")?;
                }
            }
            Look::Painted { columns } => {
                write!(f, "{LABEL}  ")?;
                let margin = if columns > 2 { " " } else { "" };
                for file in files {
                    write!(f, "{margin}{file} ")?;
                }
                write!(f, "{LABEL:#}")?;
            }
        }
        writeln!(f)
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut files, mut ranks) = (File::ALL, Rank::ALL);
        if self.flipped {
            files.reverse();
        } else {
            ranks.reverse();
        }
        for rank in ranks {
            match self.look {
                Look::Letters => write!(f, "{rank} ")?,
                Look::Painted { .. } => write!(f, "{LABEL}{rank} {LABEL:#}")?,
            }
            for file in files {
                self.write_square(f, Square::new(file, rank))?;
            }
            writeln!(f)?;
        }
        self.write_files(f, files)
    }
}
