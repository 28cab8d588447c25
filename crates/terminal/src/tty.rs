//! Taking over the terminal, and restoring it.

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

/// The terminal in full-screen mode. It is restored at the end, also after an error, a panic or a signal.
pub(crate) struct Tty {
    terminal: Screen,
}

type Screen = Terminal<CrosstermBackend<FullScreen>>;

/// A screen that will be drawn from scratch.
fn blank() -> io::Result<Screen> {
    let mut out = FullScreen::default();
    execute!(out, Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(out))
}

/// What is written to the full screen. Nothing is once the terminal is restored: a signal may do that while another
/// thread draws.
#[derive(Default)]
struct FullScreen {
    pending: Vec<u8>,
}

impl Write for FullScreen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let entered = entered();
        let mut out = io::stdout().lock();
        let written = if *entered {
            out.write_all(&self.pending)
        } else {
            Ok(())
        };
        self.pending.clear();
        written.and_then(|()| out.flush())
    }
}

impl Tty {
    pub(crate) fn enter() -> io::Result<Self> {
        let usual = std::panic::take_hook();
        // Leave the full screen before a panic prints its message.
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            usual(panic);
        }));
        #[cfg(unix)]
        leave_on_signals()?;
        let guard = Guard;
        enter()?;
        // Start listening for events before the first drawing, or a resize in between
        // would be missed.
        event::poll(Duration::ZERO)?;
        let terminal = blank()?;
        std::mem::forget(guard);
        Ok(Self { terminal })
    }

    /// Draws the changes in one synchronised update.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(draw)?;
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.terminal.backend_mut())
    }

    /// Rings the bell.
    pub(crate) fn ring(&mut self) -> io::Result<()> {
        let out = self.terminal.backend_mut();
        out.write_all(b"\x07")?;
        Write::flush(out)
    }

    /// Redraws everything next time.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // ratatui's own method asks the terminal for the cursor position, and some never answer.
        self.terminal = blank()?;
        Ok(())
    }

    /// Suspends the program, as Ctrl+Z does.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        leave();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter()?;
        self.clear()
    }

    /// Not supported on this platform.
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

/// Restores the terminal if the setup fails halfway.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Whether the terminal is in full-screen mode. The lock is held while drawing, and while leaving it, so that the
/// program does not end first.
static ENTERED: Mutex<bool> = Mutex::new(false);

fn entered() -> MutexGuard<'static, bool> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enter() -> io::Result<()> {
    // Set this first: from here on there may be something to restore.
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
    // Leave only once: a second time would move the cursor to its saved position.
    if !std::mem::take(&mut *entered) {
        return;
    }
    // Errors do not matter: the terminal may be gone.
    let _ = terminal::disable_raw_mode();
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        Show,
        LeaveAlternateScreen
    );
}

/// Starts a thread that restores the terminal when a signal ends the program.
#[cfg(unix)]
fn leave_on_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let ending = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    // A blocked terminal blocks the restoring too: a second signal ends the program at once.
    let is_second = Arc::new(AtomicBool::new(false));
    for signal in ending {
        flag::register_conditional_default(signal, Arc::clone(&is_second))?;
        flag::register(signal, Arc::clone(&is_second))?;
    }
    let mut signals = Signals::new(ending)?;
    std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            leave();
            // End with the signal, so that the parent process sees the right status.
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
