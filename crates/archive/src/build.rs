//! Building an archive from files of games, and adding to it.
//!
//! Games are read in chunks that fit into memory. Each chunk becomes a file of games and a sorted run of their
//! positions. When everything has been read, the runs are merged into the sorted tables, one range of keys at a time.
//! All this happens in a folder of its own, with a journal of finished steps, so that a killed build resumes at the
//! next step. At the end the files move to their places, and the manifest, written last, makes them an archive.

mod chunks;
mod finish;

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use tabiya_games::{InputError, display_name, is_standard_input};

use crate::error::{ArchiveError, Context};
use crate::journal::{Begin, Chunk, Journal, Place, Step};
use crate::manifest::{DataFile, InputFile, Manifest, Part, building, create_folders};
use crate::sorted_tables::FILE_ROWS;
use crate::testing;

/// The smallest memory that a build can work with.
pub(crate) const MIN_MEMORY: usize = 128_000_000;
/// The memory for the batches that a thread works on.
const THREAD_MEMORY: usize = 16_000_000;

/// How to build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// The folder of the archive.
    pub folder: PathBuf,
    /// The files of games: PGN, plain or compressed; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// The memory to use, in bytes, about.
    pub memory: usize,
    /// The number of threads to use; fewer if the memory is short.
    pub threads: usize,
}

/// How far a build is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildProgress {
    /// Games are read.
    Reading {
        /// The bytes read so far, before decompression.
        bytes: u64,
        /// The games read so far.
        games: u64,
    },
    /// Positions are sorted.
    Sorting {
        /// How many parts are done.
        done: usize,
        /// How many there are.
        parts: usize,
    },
}

/// What a build has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildSummary {
    /// What is new in the archive.
    pub part: Part,
    /// The number of games that an earlier, interrupted build had read.
    pub resumed_games: u32,
    /// Whether everything was done before.
    pub was_finished: bool,
}

/// Builds a new archive. If an interrupted build of the same files is in the folder, it resumes.
pub fn build(
    options: &BuildOptions,
    progress: &mut dyn FnMut(BuildProgress),
) -> Result<BuildSummary, ArchiveError> {
    run(options, false, progress)
}

/// Adds games to an archive. If the same addition was interrupted, it resumes.
pub fn add(
    options: &BuildOptions,
    progress: &mut dyn FnMut(BuildProgress),
) -> Result<BuildSummary, ArchiveError> {
    run(options, true, progress)
}

fn run(
    options: &BuildOptions,
    is_addition: bool,
    progress: &mut dyn FnMut(BuildProgress),
) -> Result<BuildSummary, ArchiveError> {
    if options.memory < MIN_MEMORY {
        return Err(ArchiveError::TooLittleMemory);
    }
    let folder = &options.folder;
    let inputs = identify(&options.inputs)?;
    existing(folder, &inputs, is_addition)?;
    let building = building(folder);
    fs::create_dir_all(&building).context("create", &building)?;
    let _lock = lock(&building)?;
    // Check again: another process may have finished in the meantime.
    let manifest = existing(folder, &inputs, is_addition)?;
    create_folders(&building)?;
    if let (false, Some(manifest)) = (is_addition, &manifest)
        && !building.join("journal").exists()
    {
        // Killed while it tidied up.
        let part = manifest.parts[0].clone();
        finish::clean_up(&building)?;
        return Ok(BuildSummary {
            resumed_games: part.games,
            part,
            was_finished: true,
        });
    }
    let mut build = Build::open(options, &building, manifest, inputs)?;
    if !is_addition && build.begin.part > 0 {
        // An addition of the same files was interrupted.
        return Err(ArchiveError::Exists(folder.clone()));
    }
    if let Some(part) = build.committed() {
        finish::clean_up(&building)?;
        return Ok(BuildSummary {
            resumed_games: part.games,
            part,
            was_finished: true,
        });
    }
    let resumed_games = build.games();
    build.read_games(progress)?;
    build.find_duplicates()?;
    build.sort_positions(progress)?;
    let part = build.commit()?;
    Ok(BuildSummary {
        part,
        resumed_games,
        was_finished: false,
    })
}

/// The names and sizes of the files of games. All of them must exist before the work begins.
fn identify(inputs: &[PathBuf]) -> Result<Vec<InputFile>, ArchiveError> {
    let mut files = Vec::with_capacity(inputs.len());
    for path in inputs {
        let size = if is_standard_input(path) {
            None
        } else {
            let metadata = fs::metadata(path).map_err(|error| InputError::new(path, error))?;
            metadata.is_file().then_some(metadata.len())
        };
        files.push(InputFile {
            name: path.to_string_lossy().into_owned(),
            size,
        });
    }
    Ok(files)
}

/// The manifest of the archive, if there is one. Refuses folders that an archive must not be built in.
fn existing(
    folder: &Path,
    inputs: &[InputFile],
    is_addition: bool,
) -> Result<Option<Manifest>, ArchiveError> {
    match Manifest::read(folder) {
        Ok(manifest) if is_addition => Ok(Some(manifest)),
        // It may have been killed after its last step.
        Ok(manifest) if building(folder).is_dir() && manifest.parts.len() == 1 => {
            if manifest.parts[0].inputs == inputs {
                Ok(Some(manifest))
            } else {
                Err(ArchiveError::Exists(folder.to_owned()))
            }
        }
        Ok(_) => Err(ArchiveError::Exists(folder.to_owned())),
        Err(ArchiveError::NoArchive(_)) if !is_addition => {
            let is_empty = match fs::read_dir(folder) {
                Ok(mut entries) => entries.next().is_none(),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
                Err(error) => return Err(error).context("read", folder),
            };
            if is_empty {
                Ok(None)
            } else {
                Err(ArchiveError::NotEmpty(folder.to_owned()))
            }
        }
        Err(ArchiveError::Unfinished(_)) if !is_addition => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps other processes out until it is dropped.
fn lock(building: &Path) -> Result<File, ArchiveError> {
    let path = building.join("lock");
    let file = File::create(&path).context("create", &path)?;
    match file.try_lock() {
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let folder = building.parent().unwrap_or(building);
            Err(ArchiveError::Busy(folder.to_owned()))
        }
    }
}

/// A build under way: its options, and what is done.
struct Build<'a> {
    options: &'a BuildOptions,
    building: &'a Path,
    threads: usize,
    /// The archive before the build.
    manifest: Manifest,
    journal: Journal,
    begin: Begin,
    chunks: Vec<Chunk>,
    /// The numbers of the runs of positions that are not merged yet.
    runs: Vec<usize>,
    duplicates: Option<DataFile>,
    sorted: Vec<(usize, [DataFile; 2])>,
}

impl<'a> Build<'a> {
    fn open(
        options: &'a BuildOptions,
        building: &'a Path,
        manifest: Option<Manifest>,
        inputs: Vec<InputFile>,
    ) -> Result<Self, ArchiveError> {
        let manifest = manifest.unwrap_or_else(|| Manifest {
            format: crate::manifest::FORMAT,
            parts: Vec::new(),
        });
        let (mut journal, steps) = Journal::open(building)?;
        let mut steps = steps.into_iter();
        let begin = if let Some(Step::Begin(begin)) = steps.next() {
            if begin.inputs != inputs {
                return Err(ArchiveError::OtherBuild {
                    folder: options.folder.clone(),
                    started: names(&begin.inputs),
                    building: building.to_owned(),
                });
            }
            begin
        } else {
            // Two chunks are in memory: one is filled while the other is sorted and compressed, which takes more.
            let begin = Begin {
                inputs,
                part: manifest.parts.len(),
                first_game: manifest.next_game(),
                chunk_memory: testing::size("TABIYA_ARCHIVE_CHUNK", options.memory as u64 / 5)
                    as usize,
                file_rows: testing::size("TABIYA_ARCHIVE_FILE_ROWS", FILE_ROWS),
            };
            journal.write(&Step::Begin(begin.clone()))?;
            begin
        };
        let mut build = Self {
            options,
            building,
            threads: options
                .threads
                .clamp(1, (options.memory / 2 / THREAD_MEMORY).max(1)),
            manifest,
            journal,
            begin,
            chunks: Vec::new(),
            runs: Vec::new(),
            duplicates: None,
            sorted: Vec::new(),
        };
        for step in steps {
            build.apply(step);
        }
        Ok(build)
    }

    /// Writes a step to the journal and remembers it.
    fn done(&mut self, step: Step) -> Result<(), ArchiveError> {
        self.journal.write(&step)?;
        self.apply(step);
        Ok(())
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Begin(_) => {}
            Step::Chunk(chunk) => {
                self.runs.push(chunk.number);
                self.chunks.push(chunk);
            }
            Step::Merged { count, number } => {
                self.runs.drain(..count.min(self.runs.len()));
                self.runs.push(number);
            }
            Step::Duplicates { file } => self.duplicates = Some(file),
            Step::Sorted { number, files } => self.sorted.push((number, files)),
        }
    }

    /// The number of games read so far.
    fn games(&self) -> u32 {
        self.chunks.iter().map(|chunk| chunk.games).sum()
    }

    /// Where reading goes on.
    fn place(&self) -> Place {
        self.chunks
            .last()
            .map(|chunk| chunk.place)
            .unwrap_or_default()
    }

    /// The part of the archive that this build has already added, if it was killed at the very end.
    fn committed(&self) -> Option<Part> {
        self.manifest.parts.get(self.begin.part).cloned()
    }

    fn run_path(&self, number: usize) -> PathBuf {
        self.building.join(format!("positions-{number:05}.run"))
    }

    fn prints_path(&self, number: usize) -> PathBuf {
        self.building.join(format!("fingerprints-{number:05}.run"))
    }

    /// The name of a file in the archive: the number of the part, and the number in it.
    fn file_name(&self, number: usize) -> String {
        format!("{:04}-{number:05}.parquet", self.begin.part)
    }
}

fn names(inputs: &[InputFile]) -> String {
    let names: Vec<String> = inputs
        .iter()
        .map(|input| display_name(Path::new(&input.name)))
        .collect();
    names.join(", ")
}

/// Removes a file that is no longer needed. If that fails, it takes up space until the end of the build.
fn discard(path: &Path) {
    testing::point();
    let _ = fs::remove_file(path);
}
