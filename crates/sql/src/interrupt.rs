//! Ctrl-C, which ends a query.

use std::sync::LazyLock;
use std::thread;

use anyhow::Context;
use tokio::sync::watch;

/// How often work was to end.
static STOPS: LazyLock<watch::Sender<u64>> = LazyLock::new(|| watch::Sender::new(0));

/// Waits for Ctrl-C from now on, in a thread of its own: those of the engine may all be busy.
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

/// How often work was to end. Work that sees the number change ends.
pub(crate) fn count() -> u64 {
    *STOPS.borrow()
}

/// Does some work until it is done or is to end; `None` if it was to end.
pub(crate) async fn unless_stopped<T>(
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<Option<T>> {
    let mut stops = STOPS.subscribe();
    let before = count();
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
