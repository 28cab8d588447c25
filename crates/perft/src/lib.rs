//! Perft: counts the sequences of legal moves of a position, with several threads and, if wanted, a table.
//!
//! ```
//! use tabiya_board::Board;
//! use tabiya_perft::{CountTable, perft};
//!
//! let table = CountTable::new(1)?;
//! let counts = perft(&Board::start(), 4, 2, Some(&table), |_| {}).unwrap();
//! assert_eq!(counts.total, 197_281);
//! assert_eq!(counts.by_move.len(), 20);
//! # Ok::<(), std::collections::TryReserveError>(())
//! ```
#![forbid(unsafe_code)]

mod table;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use tabiya_board::{Board, Move};

pub use table::CountTable;

/// The greatest depth that fits the stack of a thread. No position can be counted that far.
pub const MAX_DEPTH: u32 = 100;

/// Below this depth, counting is quicker than a look into the table.
const MIN_TABLE_DEPTH: u32 = 2;
/// Each task is at least this deep, so that fetching it costs next to nothing.
const MIN_TASK_DEPTH: u32 = 4;
/// Tasks take very different times; with this many per thread, all threads stay busy to the end.
const TASKS_PER_THREAD: usize = 64;
/// How often progress is reported while no task finishes.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The counts of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The number of move sequences.
    pub total: u64,
    /// The number of sequences after each first move, in the generator's order.
    pub by_move: Vec<(Move, u64)>,
}

/// How far a count has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftProgress {
    /// Finished tasks.
    pub done: usize,
    /// All tasks.
    pub tasks: usize,
    /// Sequences counted so far.
    pub nodes: u64,
}

/// A position to count, and the index of the first move that led to it.
struct Task {
    root: usize,
    board: Board,
}

/// Counts the sequences of `depth` legal moves, and calls `progress` several times a second.
///
/// Returns `None` if the count does not fit 64 bits. With a table, positions reached in several ways are counted once;
/// it identifies positions by 64-bit keys, so a wrong count is possible, but extremely unlikely.
///
/// # Panics
///
/// Panics if `depth` is greater than [`MAX_DEPTH`].
pub fn perft(
    board: &Board,
    depth: u32,
    threads: usize,
    table: Option<&CountTable>,
    mut progress: impl FnMut(PerftProgress),
) -> Option<Counts> {
    assert!(depth <= MAX_DEPTH, "depth {depth} is too great");
    if depth == 0 {
        return Some(Counts {
            total: 1,
            by_move: Vec::new(),
        });
    }
    let mut by_move = Vec::new();
    let mut tasks = Vec::new();
    board.for_each_child(|mv, &board| {
        tasks.push(Task {
            root: by_move.len(),
            board,
        });
        by_move.push((mv, 0_u64));
    });
    let mut depth = depth - 1;
    while depth > MIN_TASK_DEPTH && !tasks.is_empty() && tasks.len() < threads * TASKS_PER_THREAD {
        tasks = split(&tasks);
        depth -= 1;
    }

    let mut total = 0_u64;
    let mut done = 0;
    let mut add = |finished: Option<(usize, u64)>| {
        if let Some((root, nodes)) = finished {
            total = total.saturating_add(nodes);
            by_move[root].1 = by_move[root].1.saturating_add(nodes);
            done += 1;
        }
        progress(PerftProgress {
            done,
            tasks: tasks.len(),
            nodes: total,
        });
    };
    let queue = Queue {
        tasks: &tasks,
        next: AtomicUsize::new(0),
        depth,
        table,
    };
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        let wanted = threads.min(tasks.len());
        let started = (0..wanted)
            .map_while(|_| {
                let sender = sender.clone();
                let queue = &queue;
                let work = move || queue.work(&sender);
                thread::Builder::new().spawn_scoped(scope, work).ok()
            })
            .count();
        // If the system gives us no thread, this one does the work.
        if started == 0 {
            queue.work(&sender);
        }
        // The channel closes when the last thread has finished.
        drop(sender);
        loop {
            match finished.recv_timeout(PROGRESS_INTERVAL) {
                Ok(counted) => add(Some(counted)),
                Err(RecvTimeoutError::Timeout) => add(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    (total < u64::MAX).then_some(Counts { total, by_move })
}

/// The same tasks one move later.
fn split(tasks: &[Task]) -> Vec<Task> {
    let mut later = Vec::with_capacity(tasks.len() * 32);
    for task in tasks {
        let root = task.root;
        task.board
            .for_each_child(|_, &board| later.push(Task { root, board }));
    }
    later
}

/// The tasks that the threads share.
struct Queue<'a> {
    tasks: &'a [Task],
    next: AtomicUsize,
    depth: u32,
    table: Option<&'a CountTable>,
}

impl Queue<'_> {
    /// Does tasks until none is left, and sends the first move and the count of each.
    fn work(&self, finished: &Sender<(usize, u64)>) {
        while let Some(task) = self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = match self.table {
                Some(table) => with_table(&task.board, self.depth, table),
                None => tabiya_board::perft(&task.board, self.depth),
            };
            if finished.send((task.root, nodes)).is_err() {
                return;
            }
        }
    }
}

fn with_table(board: &Board, depth: u32, table: &CountTable) -> u64 {
    if depth < MIN_TABLE_DEPTH {
        return tabiya_board::perft(board, depth);
    }
    if let Some(nodes) = table.get(board.key(), depth) {
        return nodes;
    }
    let mut nodes = 0_u64;
    // A table makes it possible to reach 2^64: two lone kings are enough.
    board.for_each_child(|_, next| {
        nodes = nodes.saturating_add(with_table(next, depth - 1, table));
    });
    table.put(board.key(), depth, nodes);
    nodes
}
