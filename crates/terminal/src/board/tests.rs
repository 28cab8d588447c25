use super::*;
use crate::appearance::{ColorDepth, PieceStyle};
use crate::pictures::text;
use crate::theme::Theme;
use tabiya_board::Board;

fn appearance(colors: ColorDepth, figures: PieceStyle) -> Appearance {
    Appearance {
        colors,
        figures,
        theme: Theme::default_theme(),
    }
}

const EVERY: [(ColorDepth, PieceStyle); 6] = [
    (ColorDepth::True, PieceStyle::Glyphs),
    (ColorDepth::Palette, PieceStyle::Glyphs),
    (ColorDepth::Sixteen, PieceStyle::Glyphs),
    (ColorDepth::Sixteen, PieceStyle::Letters),
    (ColorDepth::None, PieceStyle::Glyphs),
    (ColorDepth::None, PieceStyle::Letters),
];

fn drawn(
    board: &Board,
    highlights: &BoardHighlights,
    appearance: &Appearance,
    size: SquareSize,
    flipped: bool,
) -> Buffer {
    let area = Rect::new(0, 0, size.width(), size.height());
    let mut buffer = Buffer::empty(area);
    let view = BoardView {
        position: board,
        highlights,
        appearance,
        size,
        flipped,
    };
    view.render(area, &mut buffer);
    buffer
}

#[test]
fn characters_replace_missing_colors() {
    let board: Board = "4k3/8/8/3p4/4P3/8/3n4/R3K2R w KQ - 0 1".parse().unwrap();
    let highlights = BoardHighlights {
        last: Bitboard::from(Square::D5) | Bitboard::from(Square::D7),
        chosen: Some(Square::E4),
        targets: Bitboard::from(Square::D5) | Bitboard::from(Square::E5),
        check: Some(Square::E1),
        hint: Bitboard::from(Square::H1),
        cursor: Some(Square::A1),
    };
    let appearance = appearance(ColorDepth::None, PieceStyle::Letters);
    let expected = "\
8     .     .  k  .     .
7  .     . [ ] .     .
6     .     .     .     .
5  .     . xp] *     .
4     .     . (P) .     .
3  .     .     .     .
2     .     n     .     .
1 <R>    .    !K     . {R}
   a  b  c  d  e  f  g  h
";
    let drawn = text(&drawn(
        &board,
        &highlights,
        &appearance,
        SquareSize::SMALL,
        false,
    ));
    assert_eq!(drawn, expected, "\n{drawn}");
}

#[test]
fn figures_have_no_dots_where_colors_tell_the_sides() {
    let board = Board::start();
    for size in [
        SquareSize::TINY,
        SquareSize::SMALL,
        SquareSize::new(5, 2, true),
    ] {
        for colors in [ColorDepth::Sixteen, ColorDepth::Palette, ColorDepth::True] {
            let appearance = appearance(colors, PieceStyle::Glyphs);
            let buffer = drawn(
                &board,
                &BoardHighlights::default(),
                &appearance,
                size,
                false,
            );
            let text = text(&buffer);
            assert_eq!(text.matches('♟').count(), 16, "{text}");
            assert_eq!(text.matches('.').count(), 0, "{text}");
        }
    }
}

/// The same piece on the same square differs between the sides.
#[test]
fn sides_differ_in_every_style_and_size() {
    for (colors, figures) in EVERY {
        let appearance = appearance(colors, figures);
        for size in SquareSize::ALL {
            if size.shifted && !appearance.has_glyphs() {
                continue;
            }
            for letter in ['N', 'B', 'R', 'Q', 'P'] {
                let [white, black] = [letter, letter.to_ascii_lowercase()].map(|letter| {
                    let fen = format!("k7/8/8/2{letter}5/8/8/8/5K2 w - - 0 1");
                    let board: Board = fen.parse().unwrap();
                    drawn(
                        &board,
                        &BoardHighlights::default(),
                        &appearance,
                        size,
                        false,
                    )
                });
                if appearance.has_color() {
                    assert_ne!(white, black, "{appearance:?} {size:?}");
                } else {
                    assert_ne!(text(&white), text(&black), "{appearance:?} {size:?}");
                }
            }
        }
    }
}

#[test]
fn ascii_style_is_plain_ascii() {
    let board = Board::start();
    let highlights = BoardHighlights {
        chosen: Some(Square::E2),
        targets: Bitboard(u64::MAX),
        check: Some(Square::E8),
        ..BoardHighlights::default()
    };
    for colors in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::True] {
        let appearance = appearance(colors, PieceStyle::Letters);
        for size in SquareSize::ALL.into_iter().filter(|size| !size.shifted) {
            let text = text(&drawn(&board, &highlights, &appearance, size, false));
            assert!(text.is_ascii(), "{text}");
        }
    }
}

#[test]
fn every_cell_is_one_column_wide() {
    let board = Board::start();
    let appearance = appearance(ColorDepth::True, PieceStyle::Glyphs);
    for size in SquareSize::ALL.into_iter().chain([SquareSize::TINY]) {
        let buffer = drawn(
            &board,
            &BoardHighlights::default(),
            &appearance,
            size,
            false,
        );
        for cell in &buffer.content {
            let width = ratatui::text::Span::raw(cell.symbol()).width();
            assert_eq!(width, 1, "{:?}", cell.symbol());
        }
    }
}

#[test]
fn mouse_positions_match_the_drawn_squares() {
    let appearance = appearance(ColorDepth::True, PieceStyle::Letters);
    for size in SquareSize::ALL.into_iter().chain([SquareSize::TINY]) {
        for flipped in [false, true] {
            let board_area = BoardArea::new(Point::new(0, 0), size, flipped);
            for square in Square::all() {
                // Kings in far corners, and a queen on the square.
                let fen = ["k7/8/8/8/8/8/8/7K", "7K/8/8/8/8/8/8/k7"]
                    .into_iter()
                    .map(|rows| format!("{rows} w - - 0 1"))
                    .find(|fen| {
                        let board: Board = fen.parse().unwrap();
                        board.piece_at(square).is_none()
                    });
                let Some(fen) = fen else { continue };
                let board: Board = fen.parse().unwrap();
                let highlights = BoardHighlights {
                    targets: square.into(),
                    ..BoardHighlights::default()
                };
                let buffer = drawn(&board, &highlights, &appearance, size, flipped);
                let found = (0..size.height() - 1)
                    .flat_map(|y| (0..size.width()).map(move |x| Point::new(x, y)))
                    .find(|&point| buffer[point].symbol() == "*");
                let point = found.expect("it is drawn");
                assert_eq!(
                    board_area.square_at(point),
                    Some(square),
                    "{size:?} {flipped}"
                );
            }
            let beyond = Point::new(size.width(), 0);
            assert_eq!(board_area.square_at(beyond), None);
            assert_eq!(board_area.square_at(Point::new(2, size.height() - 1)), None);
            assert_eq!(board_area.square_at(Point::new(0, 0)), None);
        }
    }
}
