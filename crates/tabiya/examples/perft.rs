//! Counts move sequences: the standard test of a move generator.

use tabiya::{Board, CastlingSide, FenError, MoveText, perft};

fn main() -> Result<(), FenError> {
    let kiwipete: Board =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse()?;
    for depth in 1..=4 {
        println!("depth {depth}: {}", perft(&kiwipete, depth));
    }
    // The same, split by first move.
    let mut total = 0;
    kiwipete.for_each_child(|mv, next| {
        let count = perft(next, 2);
        total += count;
        if mv.castling_side() == Some(CastlingSide::KingSide) {
            println!("{}: {count}", kiwipete.san(mv));
        }
    });
    println!("total: {total}");
    Ok(())
}
