//! What happens when the program is stopped from outside, as by Ctrl+C.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::{fs, thread};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tabiya_engine::Signal;

/// What is to be done before the program ends.
struct Wishes {
    /// Files to remove.
    temporary: Vec<PathBuf>,
    /// A search to stop, after which the program comes to an end by itself.
    search: Option<Signal>,
}

static WISHES: Mutex<Wishes> = Mutex::new(Wishes {
    temporary: Vec::new(),
    search: None,
});

fn wishes() -> MutexGuard<'static, Wishes> {
    WISHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a file removed if a signal ends the program.
pub(crate) fn remove_when_stopped(path: &Path) {
    wishes().temporary.push(path.to_owned());
    listen();
}

/// Has the first signal stop a search, so that the program can still say what it has found. The second ends it.
pub(crate) fn stop_first(search: &Signal) {
    wishes().search = Some(search.clone());
    listen();
}

fn listen() {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        // Where nobody can listen, a signal leaves a temporary file behind, and nothing worse.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        let _ = thread::Builder::new().spawn(move || {
            for signal in &mut signals {
                let mut wishes = wishes();
                if let Some(search) = wishes.search.take() {
                    search.stop();
                    continue;
                }
                for path in &wishes.temporary {
                    let _ = fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        });
    });
}
