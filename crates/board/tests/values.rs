//! Tests the small types: names, values by colour and role, and setups as text.

mod common;

use std::fmt::{Debug, Display};
use std::str::FromStr;

use common::{Rng, random_setup};
use tabiya_board::{
    Bitboard, Board, ByColor, ByRole, CastlingSide, Color, File, Piece, Rank, Role, Setup, Square,
};

/// Every value is read from the text that it prints as.
#[track_caller]
fn round_trips<T: Display + FromStr<Err: Debug> + PartialEq + Debug>(
    values: impl IntoIterator<Item = T>,
) {
    for value in values {
        assert_eq!(value.to_string().parse::<T>().unwrap(), value);
    }
}

fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)))
}

#[test]
fn names_are_read_as_they_are_written() {
    round_trips(Color::ALL);
    round_trips(Role::ALL);
    round_trips(File::ALL);
    round_trips(Rank::ALL);
    round_trips(Square::all());
    round_trips(CastlingSide::ALL);
    round_trips(pieces());
}

#[test]
fn letters_are_names_too() {
    for role in Role::ALL {
        assert_eq!(role.char().to_string().parse(), Ok(role));
        assert_eq!(role.upper_char().to_string().parse(), Ok(role));
    }
    for piece in pieces() {
        assert_eq!(piece.char().to_string().parse(), Ok(piece));
    }
    for color in Color::ALL {
        assert_eq!(color.char().to_string().parse(), Ok(color));
        assert_eq!(color.name().parse(), Ok(color));
        assert_eq!(color.name().to_uppercase().parse(), Ok(color));
    }
    for (text, side) in [
        ("K", CastlingSide::KingSide),
        ("q", CastlingSide::QueenSide),
        ("O-O", CastlingSide::KingSide),
        ("o-o-o", CastlingSide::QueenSide),
    ] {
        assert_eq!(text.parse(), Ok(side));
    }
    assert_eq!("E".parse(), Ok(File::E));
}

#[test]
fn other_texts_are_refused_with_a_sentence() {
    fn refused<T: FromStr<Err: Display> + Debug>(texts: &[&str], sentence: &str) {
        for text in texts {
            match text.parse::<T>() {
                Ok(value) => panic!("{text:?} became {value:?}"),
                Err(error) => assert_eq!(error.to_string(), sentence),
            }
        }
    }
    refused::<Color>(
        &["", "x", "whites", "wb", "w "],
        "a colour is white or black, or w or b",
    );
    refused::<Role>(
        &["", "x", "knights", "nn", "♞"],
        "a role is a name such as knight, or a letter of pnbrqk",
    );
    refused::<Piece>(
        &[
            "",
            "x",
            "knight",
            "black",
            "blackknight",
            "black  knight",
            "black knight ",
        ],
        "a piece is a letter of PNBRQK or pnbrqk, or a colour and a role such as black knight",
    );
    refused::<File>(&["", "i", "aa", "1"], "a file is a letter from a to h");
    refused::<Rank>(&["", "0", "9", "12", "a"], "a rank is a digit from 1 to 8");
    refused::<CastlingSide>(
        &["", "0-0", "king", "O-O-O-O"],
        "a castling side is kingside or queenside, k or q, O-O or O-O-O",
    );
}

#[test]
fn values_by_colour_and_role_are_indexed_by_them() {
    let mut clocks = ByColor::from_fn(|color| color.index() as u32);
    for color in Color::ALL {
        assert_eq!(clocks[color], color.index() as u32);
        clocks[color] += 10;
    }
    assert_eq!(
        clocks,
        ByColor {
            white: 10,
            black: 11
        }
    );
    assert_eq!(clocks.into_iter().sum::<u32>(), 21);
    for clock in &mut clocks {
        *clock += 1;
    }
    assert_eq!(clocks.iter().copied().collect::<Vec<_>>(), [11, 12]);

    let letters = ByRole::from_fn(Role::char);
    for role in Role::ALL {
        assert_eq!(letters[role], role.char());
        assert_eq!(*letters.get(role), role.char());
    }
    let order: Vec<Role> = letters.entries().map(|(role, _)| role).collect();
    assert_eq!(order, Role::ALL);
    assert_eq!(letters.into_iter().collect::<String>(), "pnbrqk");
    assert_eq!(letters.map(|letter| letter.to_ascii_uppercase()).queen, 'Q');
}

#[test]
fn material_is_counted() {
    let mut rng = Rng::new(0x3a7e);
    for _ in 0..1000 {
        let pieces = random_setup(&mut rng).pieces;
        let material = pieces.material();
        for color in Color::ALL {
            for role in Role::ALL {
                let count = usize::from(material[color][role]);
                assert_eq!(count, pieces.pieces(color, role).len());
            }
        }
    }
}

/// An editor's position goes through FEN whether it is legal or not.
#[test]
fn setups_are_read_as_they_are_written() {
    let mut rng = Rng::new(0x5e7f);
    let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    let (mut legal, mut illegal) = (0, 0);
    for _ in 0..20_000 {
        let mut setup = random_setup(&mut rng);
        // The castling field has letters for these only.
        setup.castling_rooks &= back_ranks;
        let fen = setup.to_string();
        assert_eq!(fen.parse::<Setup>(), Ok(setup), "{fen}");
        match Board::new(&setup) {
            Ok(board) => {
                legal += 1;
                assert_eq!(board.setup().to_string(), board.to_string());
            }
            Err(_) => illegal += 1,
        }
    }
    assert!(legal > 1000 && illegal > 1000, "{legal} and {illegal}");
}

#[test]
fn unfinished_setups_have_a_fen() {
    let mut setup = Setup::default();
    assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/8 w - - 0 1");
    setup.pieces.put(Square::H1, "R".parse().unwrap());
    setup.castling_rooks.insert(Square::H1);
    setup.castling_rooks.insert(Square::A8);
    setup.en_passant = Some(Square::E4);
    setup.halfmove_clock = 5000;
    assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/7R w Ka e4 5000 1");
    assert_eq!(setup.to_string().parse(), Ok(setup));
}
