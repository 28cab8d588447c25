//! The counting itself, with as many threads as wanted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use tabiya_board::{Board, Move};

use super::table::Table;

/// The count that stands for all too large ones.
pub(crate) const OVERFLOW: u64 = u64::MAX;

/// Below this depth counting anew is quicker than looking into the table.
const WORTH_REMEMBERING: u32 = 2;
/// Positions given to one thread at a time are at least this deep, so that fetching them costs nothing in comparison.
const SHALLOWEST_TASK: u32 = 4;
/// So many positions a thread keep all threads busy to the end, though some take longer than others.
const TASKS_PER_THREAD: usize = 64;
/// How often the progress is shown when nothing else happens.
const TICK: Duration = Duration::from_millis(200);

/// What was counted.
pub(crate) struct Counted {
    pub(crate) total: u64,
    /// The count after each first move, in the order of the generator.
    pub(crate) by_move: Vec<(Move, u64)>,
}

/// A position whose count is wanted, and the first move that led to it.
struct Task {
    root: usize,
    board: Board,
}

/// Counts the sequences of `depth` moves. The progress is told now and then: tasks done, all tasks, nodes so far.
pub(crate) fn count(
    board: &Board,
    depth: u32,
    threads: usize,
    table: Option<&Table>,
    mut progress: impl FnMut(usize, usize, u64),
) -> Counted {
    if depth == 0 {
        return Counted {
            total: 1,
            by_move: Vec::new(),
        };
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
    while depth > SHALLOWEST_TASK && !tasks.is_empty() && tasks.len() < threads * TASKS_PER_THREAD {
        tasks = split(&tasks);
        depth -= 1;
    }

    let mut total = 0_u64;
    let mut done = 0;
    let mut gather = |finished: Option<(usize, u64)>| {
        if let Some((root, nodes)) = finished {
            total = total.saturating_add(nodes);
            by_move[root].1 = by_move[root].1.saturating_add(nodes);
            done += 1;
        }
        progress(done, tasks.len(), total);
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
        // Where the system gives fewer threads, those that there are do it all; where it gives none, this one.
        if started == 0 {
            queue.work(&sender);
        }
        // The channel closes when the last thread is done.
        drop(sender);
        loop {
            match finished.recv_timeout(TICK) {
                Ok(counted) => gather(Some(counted)),
                Err(RecvTimeoutError::Timeout) => gather(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    Counted { total, by_move }
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

/// The tasks, from which each thread takes the next one when it has done one.
struct Queue<'a> {
    tasks: &'a [Task],
    next: AtomicUsize,
    depth: u32,
    table: Option<&'a Table>,
}

impl Queue<'_> {
    /// Does tasks until there are none left, and sends the first move and the count of each.
    fn work(&self, finished: &Sender<(usize, u64)>) {
        while let Some(task) = self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = match self.table {
                Some(table) => remembering(&task.board, self.depth, table),
                None => tabiya_board::perft(&task.board, self.depth),
            };
            if finished.send((task.root, nodes)).is_err() {
                return;
            }
        }
    }
}

/// Counts with the help of a table.
fn remembering(board: &Board, depth: u32, table: &Table) -> u64 {
    if depth < WORTH_REMEMBERING {
        return tabiya_board::perft(board, depth);
    }
    if let Some(nodes) = table.get(board.key(), depth) {
        return nodes;
    }
    let mut nodes = 0_u64;
    // Without a table, too many to count would take forever. With one, two lone kings can do it.
    board.for_each_child(|_, next| {
        nodes = nodes.saturating_add(remembering(next, depth - 1, table));
    });
    table.put(board.key(), depth, nodes);
    nodes
}
