//! Repairing PGN.

use tabiya_games::{check, fix};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::Batches;

/// Returns the number of games, of moves and of broken games, and the fixed text.
fn fixed(text: &[u8], size: usize) -> ((u64, u64, usize), Vec<u8>) {
    let (mut counts, mut out) = ((0, 0, 0), Vec::new());
    for batch in Batches::new(text, size) {
        let batch = batch.unwrap_or_else(|error| panic!("{error}"));
        let checked = check(&batch, &PieceLetters::ENGLISH);
        counts.0 += checked.games;
        counts.1 += checked.moves;
        counts.2 += checked.broken.len();
        out.extend(fix(&batch, &PieceLetters::ENGLISH).text);
    }
    (counts, out)
}

/// Checks that fixing any bytes keeps games and moves, and that fixing them again changes nothing. The first byte is the
/// size of the batches.
///
/// # Panics
///
/// If a check fails.
pub fn check_fix(bytes: &[u8]) {
    let [size, bytes @ ..] = bytes else {
        return;
    };
    let (before, once) = fixed(bytes, 1 << 20);
    let (after, twice) = fixed(&once, 1 << 20);
    assert_eq!(before, after, "{}", bytes.escape_ascii());
    assert!(once == twice, "{}", bytes.escape_ascii());
    let (in_batches, _) = fixed(bytes, usize::from(*size));
    assert_eq!(before, in_batches, "{}", bytes.escape_ascii());
}
