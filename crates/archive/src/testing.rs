//! What tests can change about a build: where it is killed, and how small its pieces are. Not in release builds.

/// Ends the process without warning if a test has asked for it: the variable says at which of these points.
pub(crate) fn point() {
    #[cfg(debug_assertions)]
    {
        use std::sync::LazyLock;
        use std::sync::atomic::{AtomicU64, Ordering};
        static LEFT: LazyLock<Option<AtomicU64>> =
            LazyLock::new(|| variable("TABIYA_ARCHIVE_KILL_AT").map(AtomicU64::new));
        if let Some(left) = &*LEFT
            && left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            std::process::abort();
        }
    }
}

/// A size that a test can make smaller with a variable, so that few games fill many files.
#[cfg(debug_assertions)]
pub(crate) fn size(name: &str, usual: u64) -> u64 {
    variable(name).unwrap_or(usual)
}

/// The usual size.
#[cfg(not(debug_assertions))]
pub(crate) const fn size(_name: &str, usual: u64) -> u64 {
    usual
}

/// Waits until a file is on the disk. Tests that kill only processes, not the system, can skip this: on a busy disk it
/// takes nearly all the time of a small build.
pub(crate) fn sync(file: &std::fs::File) -> std::io::Result<()> {
    if size("TABIYA_ARCHIVE_NO_SYNC", 0) > 0 {
        return Ok(());
    }
    file.sync_all()
}

#[cfg(debug_assertions)]
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
