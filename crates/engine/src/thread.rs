//! An engine in its own thread.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use crate::Engine;
use crate::limits::StopSignal;

type Task<'a, E> = Box<dyn FnOnce(&mut E) + Send + 'a>;

/// An engine in its own thread. It runs one task after another while its owner continues.
///
/// A task is a closure; most of them search and send what they find through a channel. Starting a task stops the one
/// before it. Dropping the `EngineThread` stops the last task and ends the thread, without waiting for it.
///
/// `E` is what lives in the thread: an [`Engine`], or something that owns one. It is made when the first task needs it,
/// and made again if a task panics.
///
/// ```
/// use std::sync::mpsc;
/// use tabiya_board::GameHistory;
/// use tabiya_engine::{Engine, EngineThread, Limits, StopSignal};
///
/// let mut thread = EngineThread::spawn(Engine::default)?;
/// let (sender, results) = mpsc::channel();
/// thread.start(StopSignal::default(), move |engine, signal| {
///     let limits = Limits { depth: Some(5), ..Limits::default() };
///     let result = engine.think_until(&GameHistory::default(), &limits, signal, &mut |_| {});
///     let _ = sender.send(result);
/// });
/// // … do something else, and then:
/// let result = results.recv().unwrap().expect("there are legal moves");
/// assert_eq!(result.info.depth, 5);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct EngineThread<'a, E = Engine> {
    tasks: Sender<Task<'a, E>>,
    pending: Arc<Pending>,
    /// Stops the last task.
    signal: StopSignal,
}

/// How many tasks are not done.
#[derive(Debug, Default)]
struct Pending {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Pending {
    fn change(&self, change: impl FnOnce(&mut usize)) {
        change(&mut self.count.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

impl<E: 'static> EngineThread<'static, E> {
    /// Starts a thread. Fails if the system has no thread to give.
    pub fn spawn(make: impl FnMut() -> E + Send + 'static) -> io::Result<Self> {
        let (this, run) = Self::new(make);
        builder().spawn(run)?;
        Ok(this)
    }
}

impl<'a, E: 'a> EngineThread<'a, E> {
    /// Starts a thread in a scope. Its tasks may borrow what the scope borrows.
    pub fn spawn_scoped<'env>(
        scope: &'a Scope<'a, 'env>,
        make: impl FnMut() -> E + Send + 'a,
    ) -> io::Result<Self> {
        let (this, run) = Self::new(make);
        builder().spawn_scoped(scope, run)?;
        Ok(this)
    }

    fn new(make: impl FnMut() -> E + Send + 'a) -> (Self, impl FnOnce() + Send + 'a) {
        let (tasks, received) = mpsc::channel();
        let pending = Arc::<Pending>::default();
        let this = Self {
            tasks,
            pending: Arc::clone(&pending),
            signal: StopSignal::default(),
        };
        (this, move || run(make, &received, &pending))
    }

    /// Stops the task before, and starts another as soon as that has ended.
    ///
    /// The task gets the signal, too. It runs even if it is stopped before it begins: UCI wants a move from every
    /// search.
    pub fn start(
        &mut self,
        signal: StopSignal,
        task: impl FnOnce(&mut E, &StopSignal) + Send + 'a,
    ) {
        self.stop();
        self.signal = signal.clone();
        self.queue(Box::new(move |engine| task(engine, &signal)));
    }

    /// Runs something in the thread after the tasks before, and waits for its result; `None` if it panics.
    pub fn call<T: Send + 'a>(&self, task: impl FnOnce(&mut E) -> T + Send + 'a) -> Option<T> {
        let (sender, result) = mpsc::channel();
        self.queue(Box::new(move |engine| {
            // The receiver waits for it.
            let _ = sender.send(task(engine));
        }));
        result.recv().ok()
    }

    fn queue(&self, task: Task<'a, E>) {
        self.pending.change(|count| *count += 1);
        // The thread ends only when the sender is dropped.
        let _ = self.tasks.send(task);
    }

    /// Stops the last task. It still ends in its own way.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// The signal of the last task.
    pub const fn signal(&self) -> &StopSignal {
        &self.signal
    }

    /// Whether all tasks are done.
    pub fn is_idle(&self) -> bool {
        self.wait(Duration::ZERO)
    }

    /// Waits until all tasks are done; returns false if that takes too long.
    pub fn wait(&self, timeout: Duration) -> bool {
        let count = self.pending.count.lock();
        let count = count.unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .pending
            .changed
            .wait_timeout_while(count, timeout, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

impl<E> fmt::Debug for EngineThread<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("EngineThread");
        shown.field("signal", &self.signal).finish_non_exhaustive()
    }
}

impl<E> Drop for EngineThread<'_, E> {
    fn drop(&mut self) {
        self.signal.stop();
    }
}

fn builder() -> thread::Builder {
    thread::Builder::new().name("engine".to_owned())
}

fn run<E>(mut make: impl FnMut() -> E, tasks: &Receiver<Task<'_, E>>, pending: &Pending) {
    let mut engine = None;
    while let Ok(task) = tasks.recv() {
        let current = engine.get_or_insert_with(&mut make);
        // A task that panics has a bug. The engine may be in any state then: the next task gets a new one.
        if catch_unwind(AssertUnwindSafe(|| task(current))).is_err() {
            engine = None;
        }
        pending.change(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_run_one_after_another() {
        let mut thread = EngineThread::spawn(Vec::new).unwrap();
        for number in 0..3 {
            thread.start(StopSignal::default(), move |list, signal| {
                signal.wait_for_stop();
                list.push(number);
            });
            assert!(!thread.is_idle());
        }
        thread.stop();
        assert_eq!(thread.call(|list| list.clone()), Some(vec![0, 1, 2]));
        assert!(thread.wait(Duration::from_secs(60)));
    }

    #[test]
    fn a_panic_costs_only_the_engine() {
        let mut thread = EngineThread::spawn(|| 7).unwrap();
        thread.start(StopSignal::default(), |number, _| *number = 8);
        assert_eq!(thread.call(|number| *number), Some(8));
        assert_eq!(thread.call(|_| panic!("on purpose")), None::<()>);
        assert_eq!(thread.call(|number| *number), Some(7));
    }
}
