//! Ctrl-C, which ends a query.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::Context;
use tokio::sync::watch;

/// How often work was to end.
static STOPS: LazyLock<watch::Sender<u64>> = LazyLock::new(|| watch::Sender::new(0));
/// How often it was when the present query began.
static BEGUN: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// How often it was when the query began that this thread works for.
    static BEGUN_HERE: Cell<u64> = const { Cell::new(0) };
}

/// Waits for Ctrl-C from now on, in a separate thread: the threads of the engine may all be busy.
pub(crate) fn watch() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot wait for Ctrl-C")?;
    let wait = move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                stop();
            }
        });
    };
    thread::Builder::new()
        .name("interrupt".to_owned())
        .spawn(wait)
        .context("cannot start a thread")?;
    Ok(())
}

/// Ends the work that goes on.
pub(crate) fn stop() {
    STOPS.send_modify(|count| *count += 1);
}

fn count() -> u64 {
    *STOPS.borrow()
}

/// From now on this thread works for the present query.
pub(crate) fn join_query() {
    BEGUN_HERE.set(BEGUN.load(Ordering::Relaxed));
}

/// Whether the query that this thread works for must end. Threads ask while they work, because all of them may be busy
/// when Ctrl-C comes, even the main thread.
pub(crate) fn is_stopped() -> bool {
    count() != BEGUN_HERE.get()
}

/// Does some work until it is done or is to end; `None` if it was to end.
pub(crate) async fn unless_stopped<T>(
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<Option<T>> {
    let mut stops = STOPS.subscribe();
    let before = count();
    BEGUN.store(before, Ordering::Relaxed);
    let done = tokio::select! {
        done = work => done,
        _ = stops.changed() => return Ok(None),
    };
    if count() > before {
        // An error may be that of a function that was told to end.
        return Ok(None);
    }
    done.map(Some)
}
