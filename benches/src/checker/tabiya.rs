//! Our checker, from file to file.

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use tabiya_classics::checker;

use super::{Counts, Files, Mode};
use crate::clock::Clock;
use crate::race::{Contestant, Lap};
use crate::versions;

/// Has it check the lines.
pub(super) fn contestant(files: &Files, mode: Mode) -> Contestant<'_, Counts> {
    let threads = match mode {
        Mode::OneCore => 1,
        Mode::Threads(threads) => threads,
    };
    Contestant {
        name: "tabiya".to_owned(),
        version: format!("{}, threads: {threads}", versions::TABIYA),
        run: Box::new(move || {
            let clock = match mode {
                Mode::OneCore => Clock::of_this_thread(),
                Mode::Threads(_) => Clock::Wall(Instant::now()),
            };
            let (checked, time) = clock.time(|| check(files, threads))?;
            checked?;
            let counts = Counts::of_file(&files.answers)?;
            Ok(Lap { counts, time })
        }),
    }
}

fn check(files: &Files, threads: usize) -> Result<(), Box<dyn Error>> {
    let lines = File::open(&files.lines)?;
    let mut answers = File::create(&files.answers)?;
    checker::check(lines, &mut answers, threads, || {})?;
    Ok(())
}
