//! Working on many files in parallel, with the results in order.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tabiya_notation::pgn::{Batch, Batches, MAX_GAME};
use thiserror::Error;

use crate::encoding::{Encoding, EncodingSlot};
use crate::input::{Input, InputError, ReadErrorSlot};

/// The size of a batch in bytes, about.
const BATCH: usize = 1 << 20;
/// The number of batches per thread that are worked on or wait for an earlier one.
const AHEAD: usize = 4;
/// How often progress is reported while no result arrives.
const TICK: Duration = Duration::from_millis(200);

/// The system gave us no threads.
#[derive(Debug, Error)]
#[error("the system cannot start more threads: try with one")]
pub struct ProcessError(#[source] io::Error);

/// Where a batch comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The index of its file.
    pub file: usize,
    /// The number of games before it in that file.
    pub games_before: u64,
    /// The encoding of that file.
    pub encoding: Encoding,
}

/// What [`process`] may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// The number of threads.
    pub threads: usize,
    /// The most bytes of a game: see [`Batches::with_max_game`].
    pub max_game: usize,
}

impl Resources {
    /// This many threads, and games up to [`MAX_GAME`].
    pub const fn threads(threads: usize) -> Self {
        Self {
            threads,
            max_game: MAX_GAME,
        }
    }
}

/// Receives the results of [`process`]. A closure of the type of [`collect`](Self::collect) is one.
pub trait Collector<T> {
    /// What ends the work early.
    type Error;

    /// Takes the result of the next batch, and returns the number of games in it. A file that cannot be read, or not
    /// to its end, is an error at its place in the order; the next file follows.
    fn collect(&mut self, place: Place, result: Result<T, InputError>) -> Result<u64, Self::Error>;

    /// Called after each result and five times a second, with the number of bytes read so far, before decompression.
    fn progress(&mut self, _bytes_read: u64) {}
}

impl<T, E, F> Collector<T> for F
where
    F: FnMut(Place, Result<T, InputError>) -> Result<u64, E>,
{
    type Error = E;

    fn collect(&mut self, place: Place, result: Result<T, InputError>) -> Result<u64, E> {
        self(place, result)
    }
}

/// Works on all games of files, one batch at a time, in several threads, and collects the results in the order of the
/// games.
///
/// Memory is bounded: reading waits while too many results, or too large ones, wait for an earlier one. An error of the
/// collector ends the work.
pub fn process<T, C>(
    files: &[PathBuf],
    resources: Resources,
    work: impl Fn(&Batch) -> T + Sync,
    mut collector: C,
) -> Result<(), C::Error>
where
    T: Send,
    C: Collector<T>,
    C::Error: From<ProcessError>,
{
    let bytes_read = Arc::new(AtomicU64::new(0));
    let Resources { threads, max_game } = resources;
    let mut batches = Numbered {
        batches: FileBatches::counted(files, Arc::clone(&bytes_read)).with_max_game(max_game),
        number: 0,
        max_permits: threads * AHEAD,
    };
    let mut ordered = Ordered {
        collector: &mut collector,
        bytes_read,
        place: Place::default(),
    };
    if threads <= 1 {
        while let Some(task) = batches.next() {
            ordered.collect(task.map(&work))?;
            ordered.progress();
        }
        return Ok(());
    }
    let (permits, returned) = mpsc::sync_channel(threads * AHEAD);
    let (sender, results) = mpsc::channel();
    let batches = Mutex::new(batches);
    let panicked = AtomicBool::new(false);
    thread::scope(|scope| {
        let worker = || {
            let (permits, sender) = (permits.clone(), sender.clone());
            let (batches, work, alarm) = (&batches, &work, PanicAlarm(&panicked));
            move || {
                work_on(batches, &permits, work, &sender);
                drop(alarm);
            }
        };
        let mut started = 0;
        for _ in 0..threads {
            match thread::Builder::new().spawn_scoped(scope, worker()) {
                Ok(_) => started += 1,
                Err(error) if started == 0 => return Err(ProcessError(error).into()),
                Err(_) => break,
            }
        }
        // Drop these, so that the channel closes when the last thread ends.
        drop((permits, sender));
        // Consumes its ends of the channels, so that no thread waits for them if it returns early.
        in_order(results, returned, &panicked, &mut ordered)
    })
}

/// Hands results to the collector, each with its place.
struct Ordered<'a, C> {
    collector: &'a mut C,
    bytes_read: Arc<AtomicU64>,
    /// The place of the next result, if it is from the same file.
    place: Place,
}

impl<C> Ordered<'_, C> {
    fn collect<T>(&mut self, task: Task<T>) -> Result<(), C::Error>
    where
        C: Collector<T>,
    {
        if task.file != self.place.file {
            self.place = Place {
                file: task.file,
                ..Place::default()
            };
        }
        self.place.encoding = task.encoding;
        self.place.games_before += self.collector.collect(self.place, task.result)?;
        Ok(())
    }

    fn progress<T>(&mut self)
    where
        C: Collector<T>,
    {
        let bytes_read = self.bytes_read.load(Ordering::Relaxed);
        self.collector.progress(bytes_read);
    }
}

/// A batch or the result of the work on it.
struct Task<T> {
    number: u64,
    file: usize,
    encoding: Encoding,
    /// The permits that it takes, by its size.
    permits: usize,
    result: Result<T, InputError>,
}

impl Task<Batch> {
    fn map<T>(self, work: impl Fn(&Batch) -> T) -> Task<T> {
        Task {
            number: self.number,
            file: self.file,
            encoding: self.encoding,
            permits: self.permits,
            result: self.result.map(|batch| work(&batch)),
        }
    }
}

/// Takes batches and works on them until none are left. The threads take turns at reading, so that none only reads.
fn work_on<T>(
    batches: &Mutex<Numbered>,
    permits: &SyncSender<()>,
    work: &impl Fn(&Batch) -> T,
    results: &mpsc::Sender<Task<T>>,
) {
    loop {
        let task = {
            let Ok(mut batches) = batches.lock() else {
                return;
            };
            // Waits while too many results are on their way. Fails if the collector is gone.
            if permits.send(()).is_err() {
                return;
            }
            let task = batches.next();
            let more = task.as_ref().map_or(0, |task| task.permits - 1);
            if (0..more).any(|_| permits.send(()).is_err()) {
                return;
            }
            task
        };
        let Some(task) = task else {
            return;
        };
        if results.send(task.map(work)).is_err() {
            return;
        }
    }
}

/// Reports a thread that panics: its result will never arrive.
struct PanicAlarm<'a>(&'a AtomicBool);

impl Drop for PanicAlarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Hands results on in the order of their numbers.
#[allow(clippy::needless_pass_by_value)]
fn in_order<T, C: Collector<T>>(
    results: Receiver<Task<T>>,
    permits: Receiver<()>,
    panicked: &AtomicBool,
    ordered: &mut Ordered<'_, C>,
) -> Result<(), C::Error> {
    let mut next = 0;
    let mut waiting = BTreeMap::new();
    loop {
        match results.recv_timeout(TICK) {
            Ok(task) => {
                waiting.insert(task.number, task);
            }
            Err(RecvTimeoutError::Timeout) if !panicked.load(Ordering::Relaxed) => {}
            // The scope of the threads passes the panic on.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(task) = waiting.remove(&next) {
            next += 1;
            for _ in 0..task.permits {
                let _ = permits.recv();
            }
            ordered.collect(task)?;
        }
        ordered.progress();
    }
}

/// The batches of many files, one after another, each with the index of its file.
///
/// A file that cannot be read, or not to its end, is an error; the next file follows.
pub struct FileBatches<'a> {
    files: &'a [PathBuf],
    next_file: usize,
    open: Option<(Batches<Input>, ReadErrorSlot)>,
    encoding: EncodingSlot,
    max_game: usize,
    bytes_read: Arc<AtomicU64>,
}

impl<'a> FileBatches<'a> {
    /// The batches of these files.
    pub fn new(files: &'a [PathBuf]) -> Self {
        Self::counted(files, Arc::default())
    }

    /// The batches of these files. The number of bytes read is added to a counter, before decompression.
    pub fn counted(files: &'a [PathBuf], bytes_read: Arc<AtomicU64>) -> Self {
        Self {
            files,
            next_file: 0,
            open: None,
            encoding: EncodingSlot::default(),
            max_game: MAX_GAME,
            bytes_read,
        }
    }

    /// Reads games up to this many bytes: see [`Batches::with_max_game`].
    #[must_use]
    pub const fn with_max_game(mut self, bytes: usize) -> Self {
        self.max_game = bytes;
        self
    }

    /// Returns the encoding of the file that is open.
    pub fn encoding(&self) -> Encoding {
        self.encoding.get()
    }

    fn next_batch(&mut self) -> Option<Result<Batch, InputError>> {
        loop {
            if let Some((batches, error)) = &mut self.open {
                let input_error = |error| InputError::new(&self.files[self.next_file - 1], error);
                if let Some(batch) = batches.next() {
                    return Some(batch.map_err(input_error));
                }
                let error = error.take();
                self.open = None;
                if let Some(error) = error {
                    return Some(Err(input_error(error)));
                }
            }
            let path = self.files.get(self.next_file)?;
            self.next_file += 1;
            match Input::open_counted(path, &self.bytes_read) {
                Ok(input) => {
                    let error = input.error();
                    self.encoding = input.encoding_slot();
                    let batches = Batches::new(input, BATCH).with_max_game(self.max_game);
                    self.open = Some((batches, error));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for FileBatches<'_> {
    type Item = (usize, Result<Batch, InputError>);

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.next_batch()?;
        // The file that is open, or was until now.
        Some((self.next_file - 1, batch))
    }
}

/// Batches with their place in the order.
struct Numbered<'a> {
    batches: FileBatches<'a>,
    number: u64,
    max_permits: usize,
}

impl Numbered<'_> {
    fn next(&mut self) -> Option<Task<Batch>> {
        let (file, result) = self.batches.next()?;
        let number = self.number;
        self.number += 1;
        let bytes = result.as_ref().map_or(0, |batch| batch.text.len());
        Some(Task {
            number,
            file,
            encoding: self.batches.encoding(),
            permits: bytes.div_ceil(BATCH).clamp(1, self.max_permits.max(1)),
            result,
        })
    }
}

#[cfg(test)]
mod tests {
    use tabiya_notation::pgn::BatchKind;

    use super::*;

    #[derive(Debug, Error)]
    enum TestError {
        #[error(transparent)]
        Process(#[from] ProcessError),
        #[error("enough")]
        Enough,
    }

    /// Many small files are many batches.
    fn files() -> Vec<PathBuf> {
        let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        vec![file; 100]
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 5] {
            let mut seen = Vec::new();
            let collect = |place: Place, result: Result<usize, InputError>| {
                assert!(result.unwrap() > 0);
                assert_eq!(place.games_before, 0);
                seen.push(place.file);
                Ok::<_, TestError>(7)
            };
            process(
                &files(),
                Resources::threads(threads),
                |batch| batch.text.len(),
                collect,
            )
            .unwrap();
            assert_eq!(seen, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn games_before_a_batch_are_counted_by_file() {
        let games = "[Event \"?\"]\n\n1. e4 *\n\n".repeat(200_000);
        let name = format!("tabiya-games-{}-places.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, &games).unwrap();
        let count = |batch: &Batch| count_results(&batch.text);
        let (mut games, mut batches) = ([0, 0], 0);
        let collect = |place: Place, result: Result<u64, InputError>| {
            assert_eq!(place.games_before, games[place.file]);
            games[place.file] += result.as_ref().unwrap();
            batches += 1;
            Ok::<_, TestError>(result.unwrap())
        };
        process(
            &[path.clone(), path.clone()],
            Resources::threads(2),
            count,
            collect,
        )
        .unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(games, [200_000, 200_000]);
        assert!(batches > 4, "{batches}");
    }

    fn count_results(text: &[u8]) -> u64 {
        text.split(|&byte| byte == b'*').skip(1).count() as u64
    }

    #[test]
    fn unreadable_file_is_an_error_at_its_place() {
        let mut files = files();
        files.truncate(3);
        files[1] = "no/such.pgn".into();
        for threads in [1, 2] {
            let mut seen = Vec::new();
            let collect = |place: Place, result: Result<(), InputError>| {
                seen.push((place.file, result.is_ok()));
                Ok::<_, TestError>(0)
            };
            process(&files, Resources::threads(threads), |_| (), collect).unwrap();
            assert_eq!(seen, [(0, true), (1, false), (2, true)]);
        }
    }

    #[test]
    fn error_of_the_collector_ends_the_work() {
        for threads in [1, 3] {
            let collect = |place: Place, _: Result<(), InputError>| match place.file {
                3 => Err(TestError::Enough),
                _ => Ok(0),
            };
            let ended = process(&files(), Resources::threads(threads), |_| (), collect);
            assert!(matches!(ended, Err(TestError::Enough)));
        }
    }

    #[test]
    fn large_games_take_turns() {
        // Each of these takes all permits.
        let game = format!(
            "[Event \"?\"]\n\n1. e4 {{{}}} *\n\n",
            "x".repeat(20 * BATCH)
        );
        let name = format!("tabiya-games-{}-large.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, game.repeat(3)).unwrap();
        for (max_game, kinds) in [(MAX_GAME, 1), (BATCH, 3)] {
            let mut seen = Vec::new();
            let resources = Resources {
                threads: 2,
                max_game,
            };
            let collect = |_: Place, result: Result<BatchKind, InputError>| {
                seen.push(result.unwrap());
                Ok::<_, TestError>(0)
            };
            process(
                std::slice::from_ref(&path),
                resources,
                |batch| batch.kind,
                collect,
            )
            .unwrap();
            let games = seen.iter().filter(|&&kind| kind != BatchKind::Rest).count();
            assert_eq!(games, 3);
            seen.dedup();
            assert!(seen.len() >= kinds, "{seen:?}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn panic_does_not_hang() {
        let counter = AtomicU64::new(0);
        let work = |_: &Batch| assert_ne!(counter.fetch_add(1, Ordering::Relaxed), 5);
        let collect = |_: Place, _: Result<(), InputError>| Ok::<_, TestError>(0);
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            process(&files(), Resources::threads(2), work, collect)
        }));
        assert!(attempt.is_err());
    }
}
