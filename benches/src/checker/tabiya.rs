//! Our checker, from file to file.

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use tabiya_classics::checker;

use super::{Counts, Files};
use crate::clock::Clock;
use crate::race::{Contestant, Lap};
use crate::versions;

/// Has it check the lines on so many threads.
pub(super) fn contestant(files: &Files, threads: usize) -> Contestant<'_, Counts> {
    Contestant {
        name: "tabiya".to_owned(),
        version: match threads {
            1 => format!("{}, 1 thread", versions::TABIYA),
            _ => format!("{}, {threads} threads", versions::TABIYA),
        },
        run: Box::new(move || {
            let clock = Clock::Wall(Instant::now());
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
