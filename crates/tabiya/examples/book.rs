//! Polyglot: the key of a position, and the moves of a book.

use tabiya::polyglot::{Book, Entry};
use tabiya::{Board, MoveText};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::start();
    println!("key {:016x}", board.key());
    // A book of our own; usually: std::fs::read("book.bin")?
    let mut bytes = Vec::new();
    for (san, weight) in [("e4", 6), ("d4", 4), ("c4", 2)] {
        bytes.extend(Entry::new(&board, board.parse_san(san)?, weight).to_bytes());
    }
    let book = Book::new(bytes)?;
    for (mv, weight) in book.moves(&board) {
        println!("{} {weight}", board.san(mv));
    }
    let random = 7;
    println!(
        "chosen: {}",
        board.san(book.choose(&board, random).expect("a book move"))
    );
    Ok(())
}
