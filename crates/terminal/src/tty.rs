//! A terminal that is drawn on, and that is again as it was when that ends.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

/// The terminal while it is drawn on. When that ends, by the user, an error, a panic or a signal, it is again as it was.
pub(crate) struct Tty {
    terminal: Screen,
}

type Screen = Terminal<CrosstermBackend<io::BufWriter<io::Stdout>>>;

/// A screen on which nothing is drawn yet, whatever is on it.
fn blank() -> io::Result<Screen> {
    execute!(io::stdout(), Clear(ClearType::All))?;
    let out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    Terminal::new(CrosstermBackend::new(out))
}

impl Tty {
    pub(crate) fn enter() -> io::Result<Self> {
        let usual = std::panic::take_hook();
        // The message of a panic is not to be lost on a screen that goes away.
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            usual(panic);
        }));
        #[cfg(unix)]
        leave_on_signals()?;
        let guard = Guard;
        enter()?;
        // The first question for events is when they begin to be heard: a new size that comes after the first drawing
        // and before that would be missed.
        event::poll(Duration::ZERO)?;
        let terminal = blank()?;
        std::mem::forget(guard);
        Ok(Self { terminal })
    }

    /// Draws what has changed, in one piece.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(draw)?;
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.terminal.backend_mut())
    }

    /// Draws everything anew the next time.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // The library's own way asks the terminal where its cursor is, and not all of them answer.
        self.terminal = blank()?;
        Ok(())
    }

    /// Leaves the terminal to others until the user comes back: what Ctrl-Z asks for.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        leave();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter()?;
        self.clear()
    }

    /// There is nothing like it here.
    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        self.clear()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        leave();
    }
}

/// Leaves the terminal when not everything could be set up.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Whether the terminal is drawn on. Whoever leaves it holds the lock, so that nobody ends the program meanwhile.
static ENTERED: Mutex<bool> = Mutex::new(false);

fn entered() -> MutexGuard<'static, bool> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enter() -> io::Result<()> {
    // Said before it is true: from here on, whatever comes, there may be something to be undone.
    *entered() = true;
    terminal::enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
}

fn leave() {
    let mut entered = entered();
    // Left once only: a second time would put the cursor back to where it was before.
    if !std::mem::take(&mut *entered) {
        return;
    }
    // A terminal that has gone away needs nothing.
    let _ = terminal::disable_raw_mode();
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        Show,
        LeaveAlternateScreen
    );
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
