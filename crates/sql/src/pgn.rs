//! Queries over a file of games: an archive that is built for them and removed afterwards.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use tabiya_archive::{BuildOptions, BuildProgress, build};
use tabiya_display::progress::progress_line;
use tabiya_games::{display_name, total_size};
use tokio::runtime::Runtime;

use crate::interrupt;
use crate::session::Resources;

/// How often the progress is shown.
const INTERVAL: Duration = Duration::from_millis(200);
const WIDTH: usize = 76;

/// A folder that is removed in the end.
struct TemporaryFolder(PathBuf);

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // After Ctrl-C, a thread may still be writing.
        for _ in 0..50 {
            match std::fs::remove_dir_all(&self.0) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => return,
            }
        }
    }
}

/// An archive of a file of games, removed when this value is dropped.
pub(crate) struct TemporaryArchive {
    folder: PathBuf,
    _removed: TemporaryFolder,
}

impl TemporaryArchive {
    /// Reads a file of games; `None` after Ctrl-C.
    pub(crate) fn build(
        runtime: &Runtime,
        file: &Path,
        resources: Resources,
    ) -> anyhow::Result<Option<Self>> {
        let name = format!("tabiya-sql-{}", std::process::id());
        let parent = std::env::temp_dir().join(name);
        std::fs::create_dir(&parent)
            .with_context(|| format!("cannot create {}", parent.display()))?;
        let removed = TemporaryFolder(parent);
        let folder = removed.0.join("games");
        let options = BuildOptions {
            folder: folder.clone(),
            inputs: vec![file.to_owned()],
            memory: resources.memory,
            threads: resources.threads,
        };
        let built = runtime.block_on(interrupt::unless_stopped(async {
            let work = tokio::task::spawn_blocking(move || build_with_progress(&options));
            work.await.context("the games could not be read")?
        }))?;
        let Some(broken) = built else {
            return Ok(None);
        };
        if broken > 0 {
            let games = if broken == 1 {
                "1 game could not be read to its end".to_owned()
            } else {
                format!("{broken} games could not be read to their end")
            };
            let _ = writeln!(
                io::stderr(),
                "{}: {games}: select game_id, error from games where error is not null",
                display_name(file)
            );
        }
        Ok(Some(Self {
            folder,
            _removed: removed,
        }))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Returns how many games are broken.
fn build_with_progress(options: &BuildOptions) -> anyhow::Result<u64> {
    let (start, total) = (Instant::now(), total_size(&options.inputs));
    let is_terminal = io::stderr().is_terminal();
    let mut next = start + INTERVAL;
    let mut shown = false;
    let show = |line: &str| {
        // If the terminal is gone, the work continues.
        let _ = write!(io::stderr(), "\r{line:<WIDTH$.WIDTH$}\r");
    };
    let built = build(options, &mut |progress| {
        if !is_terminal || Instant::now() < next {
            return;
        }
        next = Instant::now() + INTERVAL;
        shown = true;
        show(&match progress {
            BuildProgress::Reading { bytes, .. } => progress_line(bytes, total, start.elapsed()),
            BuildProgress::Sorting { done, parts } => {
                format!("sorting positions: {done} of {parts} parts")
            }
        });
    });
    if shown {
        show("");
    }
    Ok(built?.part.broken)
}
