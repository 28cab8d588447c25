//! Counts the openings of a PGN file, with a thread for each batch of games.

use tabiya::pgn::{Batch, Batches, Reader, replay_main_line};
use tabiya::{Opening, opening};

fn openings(batch: &Batch) -> Vec<Opening> {
    let (mut reader, mut found, mut last) = (Reader::new(&batch.text), Vec::new(), None);
    while replay_main_line(&mut reader, |_, board| last = opening(board).or(last)).is_some() {
        found.extend(last.take());
    }
    found
}

fn main() -> std::io::Result<()> {
    let games = "[Event \"1\"]\n\n1. e4 c5 *\n\n[Event \"2\"]\n\n1. d4 d5 2. c4 *\n\n".repeat(500);
    let stream = games.as_bytes(); // or std::fs::File::open("games.pgn")?
    let batches: Vec<Batch> = Batches::new(stream, 10_000).collect::<Result<_, _>>()?;
    let mut counts = std::collections::BTreeMap::new();
    std::thread::scope(|scope| {
        let start = |batch| scope.spawn(move || openings(batch));
        for thread in batches.iter().map(start).collect::<Vec<_>>() {
            for opening in thread.join().unwrap() {
                *counts.entry(opening.name).or_insert(0) += 1;
            }
        }
    });
    println!("{counts:#?}");
    Ok(())
}
