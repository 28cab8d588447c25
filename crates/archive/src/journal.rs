//! What an unfinished build has done so far: one line for each finished step.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{ArchiveError, Context};
use crate::manifest::{DataFile, InputFile, sync_folder};
use crate::testing;

/// A finished step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Step {
    /// The build was started.
    Begin(Begin),
    /// Games were read, up to a place in a file, and are on the disk, their positions sorted.
    Chunk(Chunk),
    /// The first runs were merged into one, which is now the last.
    Merged {
        /// How many.
        count: usize,
        /// The number in the name of the new one.
        number: usize,
    },
    /// The duplicates were found.
    Duplicates {
        /// The file that lists them.
        file: DataFile,
    },
    /// A part of the keys is done.
    Sorted {
        /// Which.
        number: usize,
        /// The positions and the explorer's sums.
        files: [DataFile; 2],
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Begin {
    pub(crate) inputs: Vec<InputFile>,
    /// The number of parts of the archive before this one.
    pub(crate) part: usize,
    pub(crate) first_game: u32,
    /// The memory after which a chunk ends. It decides what is in which file, so it stays the same.
    pub(crate) chunk_memory: usize,
    /// The rows of a file of positions, about. The number of files depends on it, so it stays the same too.
    pub(crate) file_rows: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Chunk {
    pub(crate) number: usize,
    pub(crate) games: u32,
    pub(crate) broken: u64,
    pub(crate) entries: u64,
    pub(crate) place: Place,
    pub(crate) file: DataFile,
}

/// How far the files of games have been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The index of a file.
    pub(crate) input: usize,
    /// The bytes of its text, decompressed.
    pub(crate) bytes: u64,
    /// The checksum of these bytes.
    pub(crate) sum: u32,
}

/// The journal of a build.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a folder, and returns the steps in it. An incomplete last line is removed.
    pub(crate) fn open(building: &Path) -> Result<(Self, Vec<Step>), ArchiveError> {
        let path = building.join("journal");
        let mut options = File::options();
        let file = options.create(true).append(true).open(&path);
        let file = file.context("create", &path)?;
        let bytes = fs::read(&path).context("read", &path)?;
        let mut steps = Vec::new();
        let mut good = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Some(step) = read_line(line) else {
                break;
            };
            steps.push(step);
            good += line.len() as u64;
        }
        file.set_len(good).context("write", &path)?;
        Ok((Self { path, file }, steps))
    }

    /// Adds a step. Once this returns, the step survives a crash.
    pub(crate) fn write(&mut self, step: &Step) -> Result<(), ArchiveError> {
        testing::point();
        if let Some(folder) = self.path.parent() {
            // The files that the step names must be there as well.
            sync_folder(folder);
        }
        let json = serde_json::to_string(step).unwrap_or_default();
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        // In two writes, so that a test can kill the process in between.
        let (first, second) = line.as_bytes().split_at(line.len() / 2);
        let mut write = || {
            self.file.write_all(first)?;
            testing::point();
            self.file.write_all(second)?;
            testing::sync(&self.file)
        };
        write().context("write", &self.path)?;
        testing::point();
        Ok(())
    }
}

fn read_line(line: &[u8]) -> Option<Step> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (sum, json) = line.split_once(' ')?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (crc32fast::hash(json.as_bytes()) == sum).then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_forgotten() {
        let folder = std::env::temp_dir().join(format!("tabiya-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let steps: Vec<Step> = (0..3)
            .map(|number| Step::Merged { count: 2, number })
            .collect();
        let (mut journal, before) = Journal::open(&folder).unwrap();
        assert_eq!(before, []);
        for step in &steps {
            journal.write(step).unwrap();
        }
        let whole = fs::read(folder.join("journal")).unwrap();
        let lines: Vec<usize> = (0..=whole.len())
            .filter(|&end| end == 0 || whole[end - 1] == b'\n')
            .collect();
        for length in 0..=whole.len() {
            fs::write(folder.join("journal"), &whole[..length]).unwrap();
            let (mut journal, read) = Journal::open(&folder).unwrap();
            let complete = lines
                .iter()
                .filter(|&&end| end > 0 && end <= length)
                .count();
            assert_eq!(read, steps[..complete], "{length} bytes");
            // The next line starts on a line of its own.
            journal.write(&steps[0]).unwrap();
            let (_, read) = Journal::open(&folder).unwrap();
            assert_eq!(read.len(), complete + 1);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
