//! Polyglot books, written by the test.

use std::io::Cursor;

use tabiya_board::{Board, Move, Role, Square};
use tabiya_notation::polyglot::{Book, BookError, ENTRY_LENGTH, Entry, entries};

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn mv(board: &Board, from: Square, to: Square, promotion: Option<Role>) -> Move {
    board.legal_move(from, to, promotion).unwrap()
}

/// A book of these moves, in the order that the format demands.
fn book(moves: &[(Board, Move, u16)]) -> Vec<u8> {
    let entries = moves.iter();
    let mut entries: Vec<Entry> = entries
        .map(|(board, mv, weight)| Entry::new(board, *mv, *weight))
        .collect();
    entries.sort_by_key(|entry| entry.key);
    entries.into_iter().flat_map(Entry::to_bytes).collect()
}

/// Every legal move of a few hundred positions that random games visit.
fn large_book() -> (Vec<(Board, Move, u16)>, Vec<u8>) {
    let mut moves = Vec::new();
    let mut board = Board::start();
    for ply in 0_usize..300 {
        let legal = board.legal_moves();
        if legal.is_empty() {
            break;
        }
        for (i, &mv) in legal.iter().enumerate() {
            moves.push((board, mv, (i * 7 + ply) as u16 % 11));
        }
        board.play(legal[ply * 31 % legal.len()]);
    }
    let bytes = book(&moves);
    (moves, bytes)
}

/// The bytes of 1. e4 with weight 1, from the description of the format.
#[test]
fn the_bytes_are_those_of_the_format() {
    let start = Board::start();
    let e4 = mv(&start, Square::E2, Square::E4, None);
    let bytes = Entry::new(&start, e4, 1).to_bytes();
    let wanted = [
        0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 1, 0, 0, 0, 0,
    ];
    assert_eq!(bytes, wanted);
    let promotion = board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let queen = mv(&promotion, Square::A7, Square::A8, Some(Role::Queen));
    assert_eq!(Entry::new(&promotion, queen, 1).packed_move >> 12, 4);
}

#[test]
fn castling_is_king_takes_rook() {
    let board = board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    for (target, rook) in [(Square::G8, Square::H8), (Square::C8, Square::A8)] {
        let castle = mv(&board, Square::E8, target, None);
        let entry = Entry::new(&board, castle, 5);
        assert_eq!((entry.from(), entry.to()), (Square::E8, rook));
        assert_eq!(entry.to_move(&board), Some(castle));
    }
}

#[test]
fn every_move_of_a_large_book_is_found() {
    let (moves, bytes) = large_book();
    let book = Book::new(&bytes).unwrap();
    assert!(book.len() == moves.len() && book.len() > 1000 && !book.is_empty());
    assert_eq!(book.all().len(), book.len());
    let mut file = Cursor::new(&bytes);
    for (board, mv, weight) in &moves {
        let found = book.moves(board);
        assert!(found.contains(&(*mv, *weight)), "{mv} in {board}");
        assert!(found.is_sorted_by(|(_, a), (_, b)| a >= b));
        let in_file = entries(&mut file, board.key()).unwrap();
        assert_eq!(in_file, book.entries(board.key()).collect::<Vec<_>>());
    }
    for key in [0, 1, u64::MAX] {
        assert_eq!(book.entries(key).count(), 0);
        assert_eq!(entries(&mut file, key).unwrap(), []);
    }
}

#[test]
fn moves_are_chosen_by_weight() {
    let start = Board::start();
    let e4 = mv(&start, Square::E2, Square::E4, None);
    let d4 = mv(&start, Square::D2, Square::D4, None);
    let a3 = mv(&start, Square::A2, Square::A3, None);
    let bytes = book(&[(start, e4, 3), (start, d4, 1), (start, a3, 0)]);
    let book = Book::new(bytes).unwrap();
    let chosen: Vec<Move> = (0..400)
        .filter_map(|random| book.choose(&start, random))
        .collect();
    let count = |wanted| chosen.iter().filter(|&&mv| mv == wanted).count();
    assert_eq!((count(e4), count(d4), count(a3)), (300, 100, 0));
    let other = board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(book.choose(&other, 1), None);
}

#[test]
fn damaged_books_are_no_danger() {
    assert_eq!(
        Book::new(vec![0; 17]).unwrap_err(),
        BookError { length: 17 }
    );
    let start = Board::start();
    // Every packed move in the place of a legal one.
    for packed in 0..=u16::MAX {
        let mut bytes = [0; ENTRY_LENGTH];
        bytes[..8].copy_from_slice(&start.key().to_be_bytes());
        bytes[8..10].copy_from_slice(&packed.to_be_bytes());
        bytes[11] = 1;
        let book = Book::new(bytes).unwrap();
        for (mv, _) in book.moves(&start) {
            assert!(start.is_legal(mv), "{packed:#x}");
        }
    }
    let empty = Book::new([]).unwrap();
    assert!(empty.moves(&start).is_empty());
    // A file that lost its last bytes.
    let (moves, bytes) = large_book();
    let mut torn = Cursor::new(&bytes[..bytes.len() - 5]);
    assert!(entries(&mut torn, moves[0].0.key()).is_ok());
}
