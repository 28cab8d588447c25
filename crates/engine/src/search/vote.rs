//! Which thread's result to use.

use super::{RootMove, Worker};
use crate::score::{INFINITE, MATE_BOUND};

/// Returns the index of the thread with the best result.
///
/// That is the main thread, the first, unless a helper completed a greater depth with no worse a score, or found a
/// shorter mate.
pub(crate) fn best_worker(workers: &[Worker]) -> usize {
    let result = |index: usize| (workers[index].best(), workers[index].completed_depth());
    let mut best = 0;
    for index in 1..workers.len() {
        if is_better(result(index), result(best)) {
            best = index;
        }
    }
    best
}

fn is_better((new, new_depth): (&RootMove, i32), (old, old_depth): (&RootMove, i32)) -> bool {
    if new_depth == 0 || new.score == -INFINITE {
        return false;
    }
    if old_depth == 0 || old.score == -INFINITE {
        return true;
    }
    // A mate for us is proved at any depth, so the score alone decides.
    if new.score.max(old.score) >= MATE_BOUND {
        return new.score > old.score;
    }
    new_depth > old_depth && new.score >= old.score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MATE, mated_in};
    use tabiya_board::Board;

    #[test]
    fn deeper_and_no_worse_wins() {
        let mv = Board::start().legal_moves()[0];
        let root = |score| RootMove {
            score,
            ..RootMove::new(mv)
        };
        let better = |new: (i32, i32), old: (i32, i32)| {
            is_better((&root(new.0), new.1), (&root(old.0), old.1))
        };
        assert!(better((20, 11), (20, 10)));
        assert!(!better((20, 10), (20, 10)));
        assert!(!better((19, 11), (20, 10)));
        assert!(better((MATE - 5, 5), (300, 10)));
        assert!(better((MATE - 3, 5), (MATE - 5, 10)));
        assert!(!better((300, 11), (MATE - 5, 10)));
        // The deeper search has seen the mate that the other has not.
        assert!(!better((mated_in(4), 11), (-300, 10)));
        assert!(!better((-300, 9), (mated_in(4), 10)));
        assert!(better((-300, 11), (mated_in(4), 10)));
        assert!(!better((0, 0), (-INFINITE, 0)));
        assert!(better((-50, 1), (-INFINITE, 1)));
    }
}
