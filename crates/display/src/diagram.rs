//! Board diagrams made of characters.

use std::fmt;

use crate::palette;
use anstyle::{Ansi256Color, Style};
use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Color, File, Move, Piece, Rank, Role, Square};

/// A board to print: eight ranks and the letters of the files.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_display::diagram::Diagram;
///
/// let text = Diagram::new(&Board::start()).to_string();
/// assert!(text.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n"));
/// ```
pub struct Diagram<'a> {
    /// The position to draw.
    pub position: &'a Position,
    /// How to draw it.
    pub style: DiagramStyle,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// Squares to highlight, if the style has colours.
    pub highlights: Highlights,
}

/// How pieces and squares are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramStyle {
    /// Letters as in a FEN, capitals for White.
    Letters,
    /// Chess figures on coloured squares. Both sides use the solid figures: the outlined ones, meant for White, are
    /// hard to see on a dark screen.
    Figures {
        /// The width of a square: 3, or 2 for narrow screens.
        columns: usize,
    },
}

/// Squares drawn in other colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Highlights {
    /// Where a move starts and ends, or where a piece can go.
    pub moves: Bitboard,
    /// The pieces that forbid a move.
    pub culprits: Bitboard,
}

/// The columns of a board with figures, three columns a square.
const WIDE_BOARD: usize = 2 + 8 * 3;

impl DiagramStyle {
    /// The style for a screen with or without colours, of a width if it is known.
    pub fn for_screen(color: bool, columns: Option<usize>) -> Self {
        let is_wide = columns.is_none_or(|columns| columns >= WIDE_BOARD);
        match (color, is_wide) {
            (false, _) => Self::Letters,
            (true, true) => Self::Figures { columns: 3 },
            (true, false) => Self::Figures { columns: 2 },
        }
    }
}

impl Highlights {
    /// The squares of a move, such as the last one.
    pub fn of_move(mv: Option<Move>) -> Self {
        Self {
            moves: mv.map_or(Bitboard::EMPTY, |mv| {
                Bitboard::from(mv.from()) | Bitboard::from(mv.to())
            }),
            culprits: Bitboard::EMPTY,
        }
    }
}

impl<'a> Diagram<'a> {
    /// A diagram in letters, with White at the bottom.
    pub fn new(position: &'a Position) -> Self {
        Self {
            position,
            style: DiagramStyle::Letters,
            flipped: false,
            highlights: Highlights::default(),
        }
    }
}

const LABEL: Style = Style::new().dimmed();

const fn figure_color(color: Color) -> Ansi256Color {
    match color {
        Color::White => Ansi256Color(231),
        Color::Black => Ansi256Color(16),
    }
}

/// The solid figure of a piece.
pub const fn figure(role: Role) -> &'static str {
    match role {
        // The pawn is also an emoji: the selector asks for the plain character.
        Role::Pawn => "♟\u{fe0e}",
        Role::Knight => "♞",
        Role::Bishop => "♝",
        Role::Rook => "♜",
        Role::Queen => "♛",
        Role::King => "♚",
    }
}

impl Diagram<'_> {
    fn square_color(&self, square: Square) -> Ansi256Color {
        let [light, dark] = if self.highlights.culprits.contains(square) {
            palette::CULPRIT
        } else if self.highlights.moves.contains(square) {
            palette::MOVE
        } else {
            palette::PLAIN
        };
        Ansi256Color(if square.is_light() { light } else { dark })
    }

    fn write_square(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        let piece = self.position.piece_at(square);
        match self.style {
            DiagramStyle::Letters => write!(f, " {}", piece.map_or('.', Piece::char)),
            DiagramStyle::Figures { columns } => {
                let mut style = Style::new().bg_color(Some(self.square_color(square).into()));
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
        match self.style {
            DiagramStyle::Letters => {
                f.write_str("  ")?;
                for file in files {
                    write!(f, " {file}")?;
                }
            }
            DiagramStyle::Figures { columns } => {
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
            match self.style {
                DiagramStyle::Letters => write!(f, "{rank} ")?,
                DiagramStyle::Figures { .. } => write!(f, "{LABEL}{rank} {LABEL:#}")?,
            }
            for file in files {
                self.write_square(f, Square::new(file, rank))?;
            }
            writeln!(f)?;
        }
        self.write_files(f, files)
    }
}
