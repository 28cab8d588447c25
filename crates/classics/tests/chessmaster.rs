//! Tests of chessmaster against a second implementation of how pieces move.

use std::io::{self, BufReader, Read};

use tabiya_board::{Role, Square};
use tabiya_classics::chessmaster::{PieceInputError, reachable_squares, read_piece};

/// Returns the sorted squares, or the error message.
fn answer(input: &[u8]) -> Result<Vec<String>, String> {
    let (role, square) = read_piece(input)
        .unwrap()
        .map_err(|wrong| wrong.to_string())?;
    Ok(reachable_squares(role, square)
        .iter()
        .map(Square::to_string)
        .collect())
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

/// Returns where a piece can go, from its steps and how often it may repeat them. Columns and rows are 1 to 8.
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
fn white_space_is_optional() {
    let squares = reachable_squares(Role::Knight, Square::C5);
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
        // Everything after the third character is ignored.
        "N c 5 and more",
        "Nc55",
        "Nc5\nRd4\n",
    ] {
        assert_eq!(answer(input.as_bytes()), Ok(squares.clone()), "{input:?}");
    }
    assert_eq!(answer(b"Nc5\xff\xfe"), Ok(squares));
}

#[test]
fn reports_the_first_wrong_character() {
    let cases: [(&[u8], PieceInputError); 31] = [
        (b"", PieceInputError::Piece),
        (b" \n\t ", PieceInputError::Piece),
        (b"A c 6", PieceInputError::Piece),
        (b"C i 7", PieceInputError::Piece),
        (b"C i 9", PieceInputError::Piece),
        (b"A", PieceInputError::Piece),
        (b"r d 4", PieceInputError::Piece),
        (b"p", PieceInputError::Piece),
        (b"d4", PieceInputError::Piece),
        (b"4", PieceInputError::Piece),
        (b"\0Rd4", PieceInputError::Piece),
        (b"\xffd4", PieceInputError::Piece),
        ("♖d4".as_bytes(), PieceInputError::Piece),
        (b"R", PieceInputError::Column),
        (b"R ", PieceInputError::Column),
        (b"R i 7", PieceInputError::Column),
        (b"R i 9", PieceInputError::Column),
        (b"R i", PieceInputError::Column),
        (b"R D 4", PieceInputError::Column),
        (b"R 4", PieceInputError::Column),
        (b"R 4 d", PieceInputError::Column),
        (b"RR4", PieceInputError::Column),
        (b"R \x80 4", PieceInputError::Column),
        (b"R ` 4", PieceInputError::Column),
        (b"Rd", PieceInputError::Row),
        (b"R d \n", PieceInputError::Row),
        (b"R d 0", PieceInputError::Row),
        (b"R d 9", PieceInputError::Row),
        (b"R d -4", PieceInputError::Row),
        (b"R d d", PieceInputError::Row),
        (b"R d \xb2", PieceInputError::Row),
    ];
    for (input, wrong) in cases {
        let complaint = answer(input).unwrap_err();
        assert_eq!(complaint, wrong.to_string(), "{input:?}");
    }
    assert_eq!(PieceInputError::Piece.to_string(), "WRONG PIECE");
    assert_eq!(PieceInputError::Column.to_string(), "COLUMN OUTSIDE RANGE");
    assert_eq!(PieceInputError::Row.to_string(), "ROW OUTSIDE RANGE");
}

/// Fails to read.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("read too far"))
    }
}

#[test]
fn reads_no_further_than_needed() {
    let read = |text: &'static [u8]| read_piece(BufReader::with_capacity(1, text.chain(Broken)));
    assert_eq!(read(b"R d 4").unwrap(), Ok((Role::Rook, Square::D4)));
    assert_eq!(read(b"A").unwrap(), Err(PieceInputError::Piece));
    assert_eq!(read(b"R i").unwrap(), Err(PieceInputError::Column));
    // A read error is not the same as the end of the input.
    assert!(read(b"R d ").is_err());
}
