//! What to do when a signal stops the program, as Ctrl+C does.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::{fs, thread};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tabiya_engine::StopSignal;

/// What to do before the program ends.
struct Cleanup {
    temporary_files: Vec<PathBuf>,
    /// A search, or games, to stop. The program then ends normally.
    search: Option<StopSignal>,
}

static CLEANUP: Mutex<Cleanup> = Mutex::new(Cleanup {
    temporary_files: Vec::new(),
    search: None,
});

fn cleanup() -> MutexGuard<'static, Cleanup> {
    CLEANUP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a file if a signal ends the program.
pub(crate) fn remove_when_stopped(path: &Path) {
    cleanup().temporary_files.push(path.to_owned());
    listen();
}

/// Lets the first signal stop a search, so that the program can still print its result. The second one ends the
/// program.
pub(crate) fn stop_first(search: &StopSignal) {
    cleanup().search = Some(search.clone());
    listen();
}

/// Makes writing fail with an error when a file reaches the greatest size that the user allows (`ulimit -f`), instead
/// of ending the program.
pub(crate) fn report_full_files() {
    // The handler need not do anything. Without it, the signal ends the program as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

fn listen() {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        // Without a handler, a signal merely leaves a temporary file behind.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        let _ = thread::Builder::new().spawn(move || {
            for signal in &mut signals {
                let mut cleanup = cleanup();
                if let Some(search) = cleanup.search.take() {
                    search.stop();
                    continue;
                }
                for path in &cleanup.temporary_files {
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        });
    });
}
