//! Work on the games of files, with as many threads as wanted, the results in the order of the games.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tabiya_notation::pgn::{Batch, Batches};

use super::progress::Progress;
use crate::input::{Failure, Input, Unreadable};

/// How many bytes of games are handed to a thread at a time.
const BATCH: usize = 1 << 20;
/// So many batches a thread are being worked on or wait for an earlier one.
const AHEAD: usize = 4;
/// How often the progress is shown when nothing else happens.
const TICK: Duration = Duration::from_millis(200);

/// Does the work on all games of the files, a batch at a time, and hands the results on in the order of the input, each
/// with its place. A file that cannot be read, or not to its end, is an error in that order, too. Whoever gathers them
/// says how many games were in each.
///
/// Memory is bounded: nobody reads on while too many results wait for an earlier one.
pub(crate) fn each_batch<T: Send>(
    files: &[PathBuf],
    threads: usize,
    progress: &mut Progress,
    work: impl Fn(&Batch) -> T + Sync,
    gather: impl FnMut(&mut Progress, Place, Result<T, Unreadable>) -> anyhow::Result<u64>,
) -> anyhow::Result<()> {
    let mut gatherer = Gatherer {
        gather,
        progress,
        place: Place::default(),
    };
    let mut source = Source {
        files,
        next_file: 0,
        open: None,
        number: 0,
        read: gatherer.progress.counter(),
    };
    if threads > 1 {
        let (permits, returned) = mpsc::sync_channel(threads * AHEAD);
        let (sender, results) = mpsc::channel();
        let source = Mutex::new(source);
        let panicked = AtomicBool::new(false);
        return thread::scope(|scope| {
            let worker = || {
                let (permits, sender) = (permits.clone(), sender.clone());
                let (source, work, alarm) = (&source, &work, Alarm(&panicked));
                move || {
                    toil(source, &permits, work, &sender);
                    drop(alarm);
                }
            };
            let started = (0..threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, worker()).ok())
                .count();
            if started == 0 {
                return Err(
                    io::Error::other("the system gives no threads: try --threads 1").into(),
                );
            }
            // The channel closes when the last thread is done.
            drop((permits, sender));
            // The other ends go away with the end of this, so that no thread waits for them any longer.
            in_order(results, returned, &panicked, &mut gatherer)
        });
    }
    while let Some(task) = source.next() {
        gatherer.take(task.map(&work))?;
        gatherer.progress.show();
    }
    Ok(())
}

/// Where a batch comes from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// The number of its file.
    pub(crate) file: usize,
    /// How many games of that file come before it.
    pub(crate) games_before: u64,
}

/// Hands results on.
struct Gatherer<'a, G> {
    gather: G,
    progress: &'a mut Progress,
    /// The place of the next one, if it is of the same file.
    place: Place,
}

impl<G> Gatherer<'_, G> {
    fn take<T>(&mut self, task: Task<T>) -> anyhow::Result<()>
    where
        G: FnMut(&mut Progress, Place, Result<T, Unreadable>) -> anyhow::Result<u64>,
    {
        if task.file != self.place.file {
            self.place = Place {
                file: task.file,
                games_before: 0,
            };
        }
        self.place.games_before += (self.gather)(self.progress, self.place, task.batch)?;
        Ok(())
    }
}

/// A piece of work, and its place among all.
struct Task<T> {
    number: u64,
    file: usize,
    batch: Result<T, Unreadable>,
}

impl Task<Batch> {
    /// Does the work.
    fn map<T>(self, work: impl Fn(&Batch) -> T) -> Task<T> {
        Task {
            number: self.number,
            file: self.file,
            batch: self.batch.map(|batch| work(&batch)),
        }
    }
}

/// Takes batches and works on them until there are none left. Each thread reads for itself while no other does, so that
/// none is there only to read.
fn toil<T>(
    source: &Mutex<Source>,
    permits: &SyncSender<()>,
    work: &impl Fn(&Batch) -> T,
    results: &mpsc::Sender<Task<T>>,
) {
    loop {
        let task = {
            let Ok(mut source) = source.lock() else {
                return;
            };
            // Waits until there are not too many results on their way. Nobody listens any more: there is no use in it.
            if permits.send(()).is_err() {
                return;
            }
            source.next()
        };
        let Some(task) = task else {
            return;
        };
        if results.send(task.map(work)).is_err() {
            return;
        }
    }
}

/// Tells of a thread that has come to a bad end, whose result will never come.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Hands results on in the order of their numbers.
#[allow(clippy::needless_pass_by_value)]
fn in_order<T>(
    results: Receiver<Task<T>>,
    permits: Receiver<()>,
    panicked: &AtomicBool,
    gatherer: &mut Gatherer<
        '_,
        impl FnMut(&mut Progress, Place, Result<T, Unreadable>) -> anyhow::Result<u64>,
    >,
) -> anyhow::Result<()> {
    let mut next = 0;
    let mut waiting = BTreeMap::new();
    loop {
        match results.recv_timeout(TICK) {
            Ok(task) => {
                waiting.insert(task.number, task);
            }
            Err(RecvTimeoutError::Timeout) if !panicked.load(Ordering::Relaxed) => {}
            // The panic goes on where the threads are waited for.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(task) = waiting.remove(&next) {
            next += 1;
            let _ = permits.recv();
            gatherer.take(task)?;
        }
        gatherer.progress.show();
    }
}

/// The batches of all files, one after the other.
struct Source<'a> {
    files: &'a [PathBuf],
    next_file: usize,
    open: Option<(Batches<Input>, Failure)>,
    number: u64,
    read: Arc<AtomicU64>,
}

impl Source<'_> {
    fn next(&mut self) -> Option<Task<Batch>> {
        let batch = self.next_batch()?;
        let task = Task {
            number: self.number,
            // The one that is open, or was until now.
            file: self.next_file - 1,
            batch,
        };
        self.number += 1;
        Some(task)
    }

    fn next_batch(&mut self) -> Option<Result<Batch, Unreadable>> {
        loop {
            if let Some((batches, failure)) = &mut self.open {
                let unreadable = |error| Unreadable::new(&self.files[self.next_file - 1], error);
                if let Some(batch) = batches.next() {
                    return Some(batch.map_err(unreadable));
                }
                let failure = failure.take();
                self.open = None;
                if let Some(error) = failure {
                    return Some(Err(unreadable(error)));
                }
            }
            let path = self.files.get(self.next_file)?;
            self.next_file += 1;
            match Input::open_counted(path, &self.read) {
                Ok(input) => {
                    let failure = input.failure();
                    self.open = Some((Batches::new(input, BATCH), failure));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many small files are many batches.
    fn files() -> Vec<PathBuf> {
        let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        vec![file; 100]
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 5] {
            let files = files();
            let mut progress = Progress::new(&files, false);
            let mut seen = Vec::new();
            each_batch(
                &files,
                threads,
                &mut progress,
                |batch| batch.text.len(),
                |_, place, result| {
                    assert!(result? > 0);
                    assert_eq!(place.games_before, 0);
                    seen.push(place.file);
                    Ok(7)
                },
            )
            .unwrap();
            assert_eq!(seen, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_it() {
        for threads in [1, 3] {
            let files = files();
            let mut progress = Progress::new(&files, false);
            let fail = |_: &mut Progress, place: Place, _| match place.file {
                3 => anyhow::bail!("enough"),
                _ => Ok(0),
            };
            let ended = each_batch(&files, threads, &mut progress, |_| (), fail);
            assert_eq!(ended.unwrap_err().to_string(), "enough");
        }
    }

    #[test]
    fn a_panic_does_not_hang() {
        let files = files();
        let mut progress = Progress::new(&files, false);
        let counter = AtomicU64::new(0);
        let work = |_: &Batch| assert_ne!(counter.fetch_add(1, Ordering::Relaxed), 5);
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            each_batch(&files, 2, &mut progress, work, |_, _, _| Ok(0))
        }));
        assert!(attempt.is_err());
    }
}
