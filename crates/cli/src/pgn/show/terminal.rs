//! A terminal that is drawn on, and that is again as it was when that ends.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event;
use crossterm::style::Print;
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};

/// The terminal while it is drawn on. When that ends, by the user, an error, a panic or a signal, it is again as it was.
pub(crate) struct Terminal;

impl Terminal {
    pub(crate) fn enter() -> io::Result<Self> {
        let usual = std::panic::take_hook();
        // The message of a panic is not to be lost on a screen that goes away.
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            usual(panic);
        }));
        #[cfg(unix)]
        leave_on_signals()?;
        // Said before it is true: from here on, whatever comes, there may be something to be undone.
        *entered() = true;
        let terminal = Self;
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        // The first question for events is when they begin to be heard: a new size that comes after the first drawing
        // and before that would be missed.
        event::poll(Duration::ZERO)?;
        Ok(terminal)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
    }
}

/// Columns and rows.
pub(crate) fn size() -> io::Result<(usize, usize)> {
    let (columns, rows) = terminal::size()?;
    Ok((columns.into(), rows.into()))
}

/// Fills the screen with lines.
pub(crate) fn draw(lines: &[String], rows: usize) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    queue!(out, BeginSynchronizedUpdate)?;
    for row in 0..rows {
        let line = lines.get(row).map_or("", String::as_str);
        let y = u16::try_from(row).unwrap_or(u16::MAX);
        queue!(
            out,
            MoveTo(0, y),
            Clear(ClearType::UntilNewLine),
            Print(line)
        )?;
    }
    queue!(out, EndSynchronizedUpdate)?;
    out.flush()
}

/// Whether the terminal is drawn on. Whoever leaves it holds the lock, so that nobody ends the program meanwhile.
static ENTERED: Mutex<bool> = Mutex::new(false);

fn entered() -> MutexGuard<'static, bool> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn leave() {
    let mut entered = entered();
    // Left once only: a second time would put the cursor back to where it was before.
    if !std::mem::take(&mut *entered) {
        return;
    }
    // A terminal that has gone away needs nothing.
    let _ = terminal::disable_raw_mode();
    let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
}

/// Waits, in a thread of its own, for the signals that end a program, and leaves the terminal before they do.
#[cfg(unix)]
fn leave_on_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    // Where the terminal takes nothing, leaving it takes for ever: the second signal does not wait for that.
    let is_second = Arc::new(AtomicBool::new(false));
    for signal in ending {
        flag::register_conditional_default(signal, Arc::clone(&is_second))?;
        flag::register(signal, Arc::clone(&is_second))?;
    }
    let mut signals = Signals::new(ending)?;
    std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            leave();
            // The program ends as it would have, so that whoever waits for it knows.
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
