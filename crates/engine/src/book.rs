//! The opening book: the moves of the named openings, weighted by how many openings contain them.

use std::collections::HashMap;
use std::sync::LazyLock;

use tabiya_board::{Board, Move};
use tabiya_notation::{Dialect, openings, parse_san};

use crate::history::mix;

/// Moves in fewer openings are left out: many lines have a name because they are bad.
const MIN_COUNT: u32 = 3;
/// Moves this many times rarer than the most common one are left out.
const MAX_RATIO: u32 = 12;

/// Moves by position key, the most common first, with the number of openings that contain them.
static BOOK: LazyLock<HashMap<u64, Vec<(Move, u32)>>> = LazyLock::new(|| {
    let mut book: HashMap<u64, Vec<(Move, u32)>> = HashMap::new();
    for opening in openings() {
        let mut board = Board::start();
        for word in opening.moves.split_whitespace() {
            // The other words are move numbers.
            let Ok(mv) = parse_san(word, &board, Dialect::Strict) else {
                continue;
            };
            let moves = book.entry(board.repetition_key()).or_default();
            match moves.iter_mut().find(|(known, _)| *known == mv) {
                Some((_, count)) => *count += 1,
                None => moves.push((mv, 1)),
            }
            board.play_unchecked(mv);
        }
    }
    for moves in book.values_mut() {
        moves.sort_by_key(|&(mv, count)| (std::cmp::Reverse(count), mv.to_string()));
        let most = moves[0].1;
        moves.retain(|&(_, count)| count >= MIN_COUNT && count * MAX_RATIO >= most);
    }
    book.retain(|_, moves| !moves.is_empty());
    book
});

/// Returns the book moves of a position, the most common first, with the number of named openings that contain them.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_engine::book;
/// let moves: Vec<String> = book::moves(&Board::start()).iter().map(|(mv, _)| mv.to_string()).collect();
/// assert_eq!(moves[..2], ["e2e4", "d2d4"]);
/// ```
pub fn moves(board: &Board) -> &'static [(Move, u32)] {
    BOOK.get(&board.repetition_key()).map_or(&[], Vec::as_slice)
}

/// Chooses a book move at random, weighted by how common it is. The same seed gives the same move.
pub fn choose(board: &Board, seed: u64) -> Option<Move> {
    let moves = moves(board);
    let total: u32 = moves.iter().map(|&(_, count)| count).sum();
    // Without moves the loop below does not run.
    let mut index = (mix(mix(seed, board.key()), 0) % u64::from(total.max(1))) as u32;
    for &(mv, count) in moves {
        if index < count {
            return Some(mv);
        }
        index -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn book_moves_are_legal() {
        let mut boards = vec![Board::start()];
        let mut seen = HashSet::new();
        while let Some(board) = boards.pop() {
            if !seen.insert(board.repetition_key()) {
                continue;
            }
            for &(mv, _) in moves(&board) {
                assert!(board.legal_moves().contains(&mv), "{mv} in {board}");
                boards.push(board.after(mv));
            }
        }
        assert!(seen.len() > 200, "{}", seen.len());
    }

    #[test]
    fn seeds_choose_among_common_moves() {
        let chosen: HashSet<String> = (0..500)
            .filter_map(|seed| choose(&Board::start(), seed))
            .map(|mv| mv.to_string())
            .collect();
        assert!(chosen.contains("e2e4") && chosen.contains("d2d4") && chosen.contains("c2c4"));
        assert!(!chosen.contains("f2f3") && !chosen.contains("g2g4"));
        assert_eq!(choose(&Board::start(), 5), choose(&Board::start(), 5));
        let endgame: Board = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!(choose(&endgame, 1), None);
    }
}
