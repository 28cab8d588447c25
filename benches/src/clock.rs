//! CPU time, so that what else the machine does disturbs the measurements as little as possible.

use std::io;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::time::ClockId;

/// A clock: of CPU time where the system has it, of wall time elsewhere.
#[derive(Debug)]
pub enum Clock {
    /// The CPU time of a thread or a process.
    #[cfg(unix)]
    Cpu(ClockId),
    /// The wall time since a moment.
    Wall(Instant),
}

impl Clock {
    /// The clock of the calling thread.
    pub fn of_this_thread() -> Self {
        #[cfg(unix)]
        return Self::Cpu(ClockId::CLOCK_THREAD_CPUTIME_ID);
        #[cfg(not(unix))]
        Self::Wall(Instant::now())
    }

    /// The clock of another process, all its threads together.
    pub fn of_process(pid: u32) -> Self {
        #[cfg(target_os = "linux")]
        if let Ok(pid) = i32::try_from(pid)
            && let Ok(clock) = ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(pid))
        {
            return Self::Cpu(clock);
        }
        let _ = pid;
        Self::Wall(Instant::now())
    }

    /// What this clock tells.
    pub fn kind(&self) -> &'static str {
        match self {
            #[cfg(unix)]
            Self::Cpu(_) => "CPU time",
            Self::Wall(_) => "wall time",
        }
    }

    /// The time on this clock, which means something only next to another time on it.
    ///
    /// # Errors
    ///
    /// When the clock cannot be read, as that of a process which is gone.
    pub fn now(&self) -> io::Result<Duration> {
        match self {
            #[cfg(unix)]
            Self::Cpu(clock) => Ok(clock.now()?.into()),
            Self::Wall(start) => Ok(start.elapsed()),
        }
    }
}
