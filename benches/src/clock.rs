//! CPU time, so that what else the machine does disturbs the measurements as little as possible.

use std::io;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::sys::resource::{UsageWho, getrusage};
#[cfg(unix)]
use nix::sys::time::{TimeVal, TimeValLike};
#[cfg(unix)]
use nix::time::ClockId;

/// A clock: of CPU time where the system has it, of wall time elsewhere.
#[derive(Debug)]
pub enum Clock {
    /// The CPU time of a thread or a process.
    #[cfg(unix)]
    Cpu(ClockId),
    /// The CPU time of all child processes that have ended and been waited for.
    #[cfg(unix)]
    Children,
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

    /// The clock of the child processes, which goes on when one has ended and been waited for.
    pub fn of_children() -> Self {
        #[cfg(unix)]
        return Self::Children;
        #[cfg(not(unix))]
        Self::Wall(Instant::now())
    }

    /// What this clock tells.
    pub fn kind(&self) -> &'static str {
        match self {
            #[cfg(unix)]
            Self::Cpu(_) | Self::Children => "CPU time",
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
            #[cfg(unix)]
            Self::Children => {
                let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
                let microseconds = |time: TimeVal| time.num_microseconds().unsigned_abs();
                let used = microseconds(usage.user_time()) + microseconds(usage.system_time());
                Ok(Duration::from_micros(used))
            }
            Self::Wall(start) => Ok(start.elapsed()),
        }
    }
    /// Does some work, and tells how long that took on this clock.
    ///
    /// # Errors
    ///
    /// When the clock cannot be read.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> io::Result<(T, Duration)> {
        let start = self.now()?;
        let done = work();
        let end = self.now()?;
        Ok((done, end.saturating_sub(start)))
    }
}
