//! What is in an archive: the list of its files, written last.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checked_file::{Seal, SealedFile};
use crate::error::{ArchiveError, Context};
use crate::table::Table;
use crate::testing;

/// The version of the files.
pub(crate) const FORMAT: u32 = 1;
const NAME: &str = "archive.json";
/// The folder of unfinished work.
const BUILDING: &str = "building";
const CHECKSUMS: &str = "checksums";

/// The list of the files of an archive. A folder without it is not an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format.
    pub format: u32,
    /// What has been added, in order.
    pub parts: Vec<Part>,
}

/// What one `build` or `add` has brought.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The files of games that were read.
    pub inputs: Vec<InputFile>,
    /// The number of the first game.
    pub first_game: u32,
    /// The number of games, the next two kinds included.
    pub games: u32,
    /// How many of them could not be read to their end.
    pub broken: u64,
    /// How many of them were in the archive already.
    pub duplicates: u64,
    /// The number of positions.
    pub positions: u64,
    /// The files.
    pub files: Vec<DataFile>,
}

/// A file of games that was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputFile {
    /// Its name, as it was given.
    pub name: String,
    /// Its size in bytes; `None` for standard input.
    pub size: Option<u64>,
}

/// A file of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DataFile {
    /// Its table.
    pub table: Table,
    /// Its name in the folder of the table.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The checksum of the list of its checksums.
    pub checksum: u32,
    /// The number of rows.
    pub rows: u64,
    /// The smallest and the largest value of the first column; `None` without rows.
    pub range: Option<(i64, i64)>,
}

impl DataFile {
    pub(crate) fn new(
        table: Table,
        name: String,
        rows: u64,
        seal: &Seal,
        range: Option<(i64, i64)>,
    ) -> Self {
        Self {
            table,
            name,
            size: seal.size,
            checksum: seal.root(),
            rows,
            range,
        }
    }

    /// Whether the first column may have a value.
    pub(crate) fn may_have(&self, value: i64) -> bool {
        self.range
            .is_some_and(|(first, last)| (first..=last).contains(&value))
    }

    /// Where the file lies in a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.table.name()).join(&self.name)
    }

    /// Where its checksums lie: the CRC-32 of every [`BLOCK`](crate::BLOCK), as little-endian numbers.
    pub fn sums_path(&self, folder: &Path) -> PathBuf {
        let name = format!("{}-{}.crc32", self.table.name(), self.name);
        folder.join(CHECKSUMS).join(name)
    }

    /// Writes the checksums into a folder.
    pub(crate) fn write_sums(&self, folder: &Path, seal: &Seal) -> Result<(), ArchiveError> {
        let path = self.sums_path(folder);
        let mut file = fs::File::create(&path).context("create", &path)?;
        let written = file
            .write_all(&seal.to_bytes())
            .and_then(|()| testing::sync(&file));
        written.context("write", &path)
    }

    pub(crate) fn open(&self, folder: &Path) -> Result<SealedFile, ArchiveError> {
        let (path, sums) = (self.path(folder), self.sums_path(folder));
        SealedFile::open(&path, &sums, self.size, self.checksum)
    }
}

/// The manifest on the disk: with a checksum of the rest in the first line.
impl Manifest {
    /// Where the manifest lies in a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// Reads the manifest of an archive.
    pub fn read(folder: &Path) -> Result<Self, ArchiveError> {
        let path = Self::path(folder);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let folder = folder.to_owned();
                return Err(if building(&folder).is_dir() {
                    ArchiveError::Unfinished(folder)
                } else {
                    ArchiveError::NoArchive(folder)
                });
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Err(ArchiveError::damaged(&path, "it is not text"));
            }
            read => read.context("read", &path)?,
        };
        Self::parse(&text, &path)
    }

    /// Parses the text of a manifest, for readers of archives that are not in a folder. Errors name the path.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ArchiveError> {
        let damaged = || ArchiveError::damaged(path, "its checksum does not match");
        let Sealed { checksum, archive } = serde_json::from_str(text)
            .map_err(|error| ArchiveError::damaged(path, error.to_string()))?;
        let manifest: Self =
            serde_json::from_value(archive.clone()).map_err(|error| {
                match archive.get("format").and_then(serde_json::Value::as_u64) {
                    Some(found) if found != u64::from(FORMAT) => ArchiveError::Format {
                        path: path.to_owned(),
                        found: found as u32,
                    },
                    _ => ArchiveError::damaged(path, error.to_string()),
                }
            })?;
        if crc32fast::hash(manifest.text().as_bytes()) != checksum {
            return Err(damaged());
        }
        if manifest.format != FORMAT {
            return Err(ArchiveError::Format {
                path: path.to_owned(),
                found: manifest.format,
            });
        }
        Ok(manifest)
    }

    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Writes the manifest: the whole of it or nothing.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), ArchiveError> {
        let sealed = Sealed {
            checksum: crc32fast::hash(self.text().as_bytes()),
            archive: serde_json::to_value(self).unwrap_or_default(),
        };
        let text = serde_json::to_string_pretty(&sealed).unwrap_or_default() + "\n";
        let path = Self::path(folder);
        let new = building(folder).join(NAME);
        let mut file = fs::File::create(&new).context("create", &new)?;
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| testing::sync(&file));
        written.context("write", &new)?;
        fs::rename(&new, &path).context("write", &path)?;
        sync_folder(folder);
        Ok(())
    }

    /// The number of the next game.
    pub(crate) fn next_game(&self) -> u32 {
        self.parts
            .last()
            .map_or(0, |part| part.first_game + part.games)
    }

    /// All files of a table, in the order in which they were added.
    pub fn files(&self, table: Table) -> impl Iterator<Item = &DataFile> {
        let files = self.parts.iter().flat_map(|part| &part.files);
        files.filter(move |file| file.table == table)
    }
}

/// The manifest, and a checksum of it.
#[derive(Serialize, Deserialize)]
struct Sealed {
    checksum: u32,
    archive: serde_json::Value,
}

/// The folder of unfinished work.
pub(crate) fn building(folder: &Path) -> PathBuf {
    folder.join(BUILDING)
}

/// Creates the folders of the tables.
pub(crate) fn create_folders(folder: &Path) -> Result<(), ArchiveError> {
    for name in Table::ALL.map(Table::name).into_iter().chain([CHECKSUMS]) {
        let path = folder.join(name);
        fs::create_dir_all(&path).context("create", &path)?;
    }
    Ok(())
}

/// Writes the names in a folder to disk, where the system can.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = fs::File::open(folder) {
        let _ = testing::sync(&folder);
    }
}
