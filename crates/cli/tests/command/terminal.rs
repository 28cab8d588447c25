//! The program in a pseudo-terminal, with a screen that interprets what it draws.

use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::termios::{Termios, tcgetattr};

use crate::tabiya;

/// What the program says when it leaves a game that can be continued.
const KEPT: &str = "Your game is saved. Continue it with: tabiya play --resume";

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What the program writes before and after it draws a screen.
const FRAME_START: &[u8] = b"\x1b[?2026h";
const FRAME_END: &[u8] = b"\x1b[?2026l";
/// A program that was stopped while it drew leaves its frame open. Longer than a busy machine takes for the rest.
const FRAME_TIMEOUT: Duration = Duration::from_secs(5);

/// A child process that is killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) struct Terminal {
    program: Running,
    pty: Pty,
    /// The program's end of the pseudo-terminal, kept open to check its final state.
    end: OwnedFd,
    parser: vt100::Parser,
    /// The last bytes of the program, from the start of an unfinished frame on.
    frame: Vec<u8>,
    before: Termios,
}

fn nonzero(length: u16) -> NonZero<u16> {
    NonZero::new(length).expect("a terminal is not empty")
}

impl Terminal {
    /// Starts the program in a terminal of a given size, with one line already on it, and with environment variables.
    pub(crate) fn start(
        arguments: &[&str],
        variables: &[(&str, &str)],
        columns: u16,
        rows: u16,
    ) -> Self {
        let mut command = tabiya(arguments);
        command.envs(variables.iter().copied());
        Self::start_command(command, columns, rows)
    }

    /// Starts a command in a terminal of a given size, with one line already on it.
    pub(crate) fn start_command(command: std::process::Command, columns: u16, rows: u16) -> Self {
        let (pty, end) = open().expect("there is a pseudo-terminal");
        pty.resize(Size::new(rows, columns))
            .expect("it can be resized");
        let kept = end.as_fd().try_clone_to_owned().expect("it can be shared");
        let before = tcgetattr(&kept).expect("it is a terminal");
        let mut parser = vt100::Parser::new(nonzero(rows), nonzero(columns), 0);
        parser.process(b"$ tabiya\r\n");
        let command = Command::from(command);
        Self {
            program: Running(command.spawn(end).expect("the program starts")),
            pty,
            end: kept,
            parser,
            frame: Vec::new(),
            before,
        }
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.parser.screen().contents()
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Whether a line has wrapped.
    pub(crate) fn is_too_narrow(&self) -> bool {
        let screen = self.parser.screen();
        let (rows, _) = screen.size();
        (0..rows.get()).any(|row| screen.row_wrapped(row))
    }

    /// The background colours, row by row.
    pub(crate) fn backgrounds(&self) -> Vec<vt100::Color> {
        let screen = self.parser.screen();
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        cells.map(vt100::Cell::bgcolor).collect()
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.pty
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let screen = self.parser.screen_mut();
        screen.set_size(nonzero(rows), nonzero(columns));
        self.pty
            .resize(Size::new(rows, columns))
            .expect("it can be resized");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let id = Pid::from_child(&self.program.0);
        kill_process(id, signal).expect("the program is there");
    }

    /// Waits until the program is suspended, as by Ctrl+Z.
    #[track_caller]
    pub(crate) fn wait_until_stopped(&self) {
        let id = Pid::from_child(&self.program.0);
        let start = Instant::now();
        let look = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(id), look).is_ok_and(|status| status.is_none()) {
            assert!(start.elapsed() < TIMEOUT, "the program is still running");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Draws what the program writes within a few milliseconds, and returns whether there was anything.
    fn draw(&mut self) -> bool {
        let short = Timespec {
            tv_sec: 0,
            tv_nsec: 10_000_000,
        };
        let mut ready = [PollFd::new(&self.pty, PollFlags::IN)];
        // Treat an interrupted poll as a timeout.
        if poll(&mut ready, Some(&short)).unwrap_or(0) == 0 {
            return false;
        }
        let mut bytes = [0; 4096];
        let length = self.pty.read(&mut bytes).unwrap_or(0);
        self.parser.process(&bytes[..length]);
        self.follow_frame(&bytes[..length]);
        length > 0
    }

    /// Keeps what the program wrote since the start of an unfinished frame, or a few bytes that may begin one.
    fn follow_frame(&mut self, bytes: &[u8]) {
        self.frame.extend_from_slice(bytes);
        let last = |marker: &[u8]| {
            let mut windows = self.frame.windows(marker.len());
            windows.rposition(|window| window == marker)
        };
        let kept = match (last(FRAME_START), last(FRAME_END)) {
            (Some(start), end) if end.is_none_or(|end| end < start) => start,
            _ => (self.frame.len() + 1).saturating_sub(FRAME_START.len()),
        };
        self.frame.drain(..kept);
    }

    /// Reads the rest of a frame: a screen drawn in part is none that a user sees.
    fn finish_frame(&mut self) {
        let start = Instant::now();
        while self.frame.starts_with(FRAME_START) && start.elapsed() < FRAME_TIMEOUT {
            self.draw();
        }
        if self.frame.starts_with(FRAME_START) {
            self.frame.clear();
        }
    }

    /// Waits until the screen shows what is wanted.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, wanted: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !wanted(&self.text()) {
            self.draw();
            self.finish_frame();
            assert!(
                start.elapsed() < TIMEOUT,
                "the screen stays:\n{}",
                self.text()
            );
        }
    }

    /// Waits until both screens show the same.
    #[track_caller]
    pub(crate) fn wait_for_same(&mut self, other: &mut Self, is_drawn: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while self.text() != other.text() || !is_drawn(&self.text()) {
            self.draw();
            other.draw();
            assert!(
                start.elapsed() < TIMEOUT,
                "the screens stay:\n{}\nand:\n{}",
                self.text(),
                other.text()
            );
        }
    }

    #[track_caller]
    pub(crate) fn wait_for_text(&mut self, wanted: &str) {
        self.wait_for(|text| text.contains(wanted));
    }

    /// Waits until the program ends.
    #[track_caller]
    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            self.draw();
            if let Some(status) = self.program.0.try_wait().expect("it is our child") {
                break status;
            }
            assert!(start.elapsed() < TIMEOUT, "the program does not end");
        };
        while self.draw() {}
        status
    }

    /// Waits until the program ends, and checks that the terminal is as before.
    #[track_caller]
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let status = self.wait_for_exit();
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "{}", self.text());
        assert!(!screen.hide_cursor());
        // A game in progress is kept, and a last line says so.
        let text = self.text();
        let (first, note) = text.split_once('\n').unwrap_or((&text, ""));
        assert_eq!(first, "$ tabiya");
        assert!(note.is_empty() || note == KEPT, "{note}");
        let (_, columns) = screen.size();
        let rows = note.len().div_ceil(columns.get().into());
        assert_eq!(screen.cursor_position(), (1 + rows as u16, 0));
        let after = tcgetattr(&self.end).expect("it is a terminal");
        let modes = |modes: &Termios| {
            (
                modes.input_modes,
                modes.output_modes,
                modes.local_modes,
                modes.control_modes,
            )
        };
        assert_eq!(modes(&after), modes(&self.before));
        status
    }

    /// Closes the terminal like a window, and waits until the program ends.
    #[track_caller]
    pub(crate) fn close(self) -> ExitStatus {
        let Self {
            mut program,
            pty,
            end,
            ..
        } = self;
        drop((pty, end));
        let start = Instant::now();
        loop {
            if let Some(status) = program.0.try_wait().expect("it is our child") {
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "the program does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
