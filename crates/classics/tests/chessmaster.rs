//! Chessmaster against ways of moving that are written here a second time, step by step.

use std::io::{self, BufReader, Read};

use tabiya_board::{Role, Square};
use tabiya_classics::chessmaster::{Wrong, reach, read};

/// The program's answer: the squares, sorted, or the complaint.
fn answer(input: &[u8]) -> Result<Vec<String>, String> {
    let (role, square) = read(input).unwrap().map_err(|wrong| wrong.to_string())?;
    Ok(reach(role, square).iter().map(Square::to_string).collect())
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (1, -2),
    (-1, 2),
    (-1, -2),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
];

/// Where a piece goes from column and row 1 to 8, by its steps and how often it may repeat them.
fn by_steps(piece: char, column: i32, row: i32) -> Vec<String> {
    let all = [STRAIGHT, DIAGONAL].concat();
    let (steps, times) = match piece {
        'R' => (STRAIGHT.to_vec(), 7),
        'B' => (DIAGONAL.to_vec(), 7),
        'Q' => (all, 7),
        'K' => (all, 1),
        'N' => (JUMPS.to_vec(), 1),
        _ => (vec![(0, 1)], if row == 2 { 2 } else { 1 }),
    };
    let mut squares = Vec::new();
    for (right, up) in steps {
        for time in 1..=times {
            let (column, row) = (column + time * right, row + time * up);
            if (1..=8).contains(&column) && (1..=8).contains(&row) {
                let letter = char::from(b'`' + u8::try_from(column).unwrap());
                squares.push(format!("{letter}{row}"));
            }
        }
    }
    squares.sort();
    squares
}

#[test]
fn every_piece_on_every_square() {
    for piece in "RNBQKP".chars() {
        let mut lengths = Vec::new();
        for (column, letter) in (1..).zip('a'..='h') {
            for row in 1..=8 {
                let expected = by_steps(piece, column, row);
                let input = format!("{piece}{letter}{row}");
                lengths.push(expected.len());
                assert_eq!(answer(input.as_bytes()), Ok(expected), "{input}");
            }
        }
        let range = match piece {
            'R' => 14..=14,
            'N' => 2..=8,
            'B' => 7..=13,
            'Q' => 21..=27,
            'K' => 3..=8,
            _ => 0..=2,
        };
        assert_eq!(lengths.iter().min(), Some(range.start()), "{piece}");
        assert_eq!(lengths.iter().max(), Some(range.end()), "{piece}");
    }
}

#[test]
fn the_three_characters_may_stand_apart() {
    let squares = reach(Role::Knight, Square::C5);
    let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
    assert_eq!(squares, ["a4", "a6", "b3", "b7", "d3", "d7", "e4", "e6"]);
    for input in [
        "Nc5",
        "N c 5",
        "N c5",
        "Nc 5",
        "  N\tc\t5  ",
        "N\nc\n5\n",
        "N\r\nc\r\n5\r\n",
        "\x0b\x0cN c\x0b5",
        // What comes behind them is not looked at.
        "N c 5 and more",
        "Nc55",
        "Nc5\nRd4\n",
    ] {
        assert_eq!(answer(input.as_bytes()), Ok(squares.clone()), "{input:?}");
    }
    assert_eq!(answer(b"Nc5\xff\xfe"), Ok(squares));
}

#[test]
fn the_first_wrong_character_is_named() {
    let cases: [(&[u8], Wrong); 31] = [
        (b"", Wrong::Piece),
        (b" \n\t ", Wrong::Piece),
        (b"A c 6", Wrong::Piece),
        (b"C i 7", Wrong::Piece),
        (b"C i 9", Wrong::Piece),
        (b"A", Wrong::Piece),
        (b"r d 4", Wrong::Piece),
        (b"p", Wrong::Piece),
        (b"d4", Wrong::Piece),
        (b"4", Wrong::Piece),
        (b"\0Rd4", Wrong::Piece),
        (b"\xffd4", Wrong::Piece),
        ("♖d4".as_bytes(), Wrong::Piece),
        (b"R", Wrong::Column),
        (b"R ", Wrong::Column),
        (b"R i 7", Wrong::Column),
        (b"R i 9", Wrong::Column),
        (b"R i", Wrong::Column),
        (b"R D 4", Wrong::Column),
        (b"R 4", Wrong::Column),
        (b"R 4 d", Wrong::Column),
        (b"RR4", Wrong::Column),
        (b"R \x80 4", Wrong::Column),
        (b"R ` 4", Wrong::Column),
        (b"Rd", Wrong::Row),
        (b"R d \n", Wrong::Row),
        (b"R d 0", Wrong::Row),
        (b"R d 9", Wrong::Row),
        (b"R d -4", Wrong::Row),
        (b"R d d", Wrong::Row),
        (b"R d \xb2", Wrong::Row),
    ];
    for (input, wrong) in cases {
        let complaint = answer(input).unwrap_err();
        assert_eq!(complaint, wrong.to_string(), "{input:?}");
    }
    assert_eq!(Wrong::Piece.to_string(), "WRONG PIECE");
    assert_eq!(Wrong::Column.to_string(), "COLUMN OUTSIDE RANGE");
    assert_eq!(Wrong::Row.to_string(), "ROW OUTSIDE RANGE");
}

/// What cannot be read.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("read too far"))
    }
}

#[test]
fn nothing_is_waited_for_that_is_not_needed() {
    let read = |text: &'static [u8]| read(BufReader::with_capacity(1, text.chain(Broken)));
    assert_eq!(read(b"R d 4").unwrap(), Ok((Role::Rook, Square::D4)));
    assert_eq!(read(b"A").unwrap(), Err(Wrong::Piece));
    assert_eq!(read(b"R i").unwrap(), Err(Wrong::Column));
    // Input that cannot be read is not the same as input that ends.
    assert!(read(b"R d ").is_err());
}
