//! Measures CPU time, so that other work on the machine disturbs the benchmarks as little as possible.

use std::io;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::sys::resource::{UsageWho, getrusage};
#[cfg(unix)]
use nix::sys::time::{TimeVal, TimeValLike};
#[cfg(unix)]
use nix::time::ClockId;

/// A clock that measures CPU time where the system supports it, and wall time elsewhere.
#[derive(Debug)]
pub enum BenchClock {
    /// The CPU time of a thread or a process.
    #[cfg(unix)]
    Cpu(ClockId),
    /// The CPU time of all child processes that have been waited for.
    #[cfg(unix)]
    Children,
    /// The wall time since an instant.
    Wall(Instant),
}

impl BenchClock {
    /// Returns the clock of the calling thread.
    pub fn of_this_thread() -> Self {
        #[cfg(unix)]
        return Self::Cpu(ClockId::CLOCK_THREAD_CPUTIME_ID);
        #[cfg(not(unix))]
        Self::Wall(Instant::now())
    }

    /// Returns the clock of another process, which counts all its threads.
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

    /// Returns the clock of the child processes, which advances when one has been waited for.
    pub fn of_children() -> Self {
        #[cfg(unix)]
        return Self::Children;
        #[cfg(not(unix))]
        Self::Wall(Instant::now())
    }

    /// Names what this clock measures.
    pub fn kind(&self) -> &'static str {
        match self {
            #[cfg(unix)]
            Self::Cpu(_) | Self::Children => "CPU time",
            Self::Wall(_) => "wall time",
        }
    }

    /// Reads the clock. Only the difference between two readings has a meaning.
    ///
    /// # Errors
    ///
    /// If the clock cannot be read, for example because its process has ended.
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

    /// Does some work and measures how long it took.
    ///
    /// # Errors
    ///
    /// If the clock cannot be read.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> io::Result<(T, Duration)> {
        let start = self.now()?;
        let done = work();
        let end = self.now()?;
        Ok((done, end.saturating_sub(start)))
    }
}
