//! An archive that is open for reading.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::ArchiveError;
use crate::manifest::{DataFile, Manifest};
use crate::read::TableFile;
use crate::table::Table;

/// An archive that is open for reading.
#[derive(Clone, Debug)]
pub struct Archive {
    folder: PathBuf,
    manifest: Manifest,
}

/// What is in an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ArchiveInfo {
    /// The number of games.
    pub games: u64,
    /// How many of them could not be read to their end.
    pub broken: u64,
    /// How many of them are there more than once.
    pub duplicates: u64,
    /// The number of positions.
    pub positions: u64,
    /// How often games were added, the first time included.
    pub parts: usize,
    /// The size in bytes.
    pub bytes: u64,
    /// The tables.
    pub tables: Vec<TableInfo>,
}

/// What is in a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableInfo {
    /// The table.
    pub table: Table,
    /// The number of files.
    pub files: usize,
    /// The number of rows.
    pub rows: u64,
    /// The size in bytes.
    pub bytes: u64,
}

impl Archive {
    /// Opens an archive. A folder without a complete one is an error.
    pub fn open(folder: &Path) -> Result<Self, ArchiveError> {
        Ok(Self {
            folder: folder.to_owned(),
            manifest: Manifest::read(folder)?,
        })
    }

    /// The list of the files.
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(crate) fn table(&self, file: &DataFile) -> Result<TableFile, ArchiveError> {
        TableFile::open(&self.folder, file)
    }

    /// Says what is in the archive.
    pub fn info(&self) -> ArchiveInfo {
        let parts = &self.manifest.parts;
        let tables = Table::ALL.map(|table| TableInfo {
            table,
            files: self.manifest.files(table).count(),
            rows: self.manifest.files(table).map(|file| file.rows).sum(),
            bytes: self.manifest.files(table).map(|file| file.size).sum(),
        });
        ArchiveInfo {
            games: parts.iter().map(|part| u64::from(part.games)).sum(),
            broken: parts.iter().map(|part| part.broken).sum(),
            duplicates: parts.iter().map(|part| part.duplicates).sum(),
            positions: parts.iter().map(|part| part.positions).sum(),
            parts: parts.len(),
            bytes: tables.iter().map(|table| table.bytes).sum(),
            tables: tables.to_vec(),
        }
    }

    /// Reads every byte of every file, and returns what is wrong with them. The function is called before each file.
    pub fn check(&self, mut progress: impl FnMut(&Path)) -> Vec<ArchiveError> {
        let files = Table::ALL
            .into_iter()
            .flat_map(|table| self.manifest.files(table));
        let mut problems = Vec::new();
        for file in files {
            progress(&file.path(&self.folder));
            problems.extend(self.check_file(file).err());
        }
        problems
    }

    fn check_file(&self, file: &DataFile) -> Result<(), ArchiveError> {
        file.open(&self.folder)?.check()?;
        let table = self.table(file)?;
        let rows: usize = (0..table.groups())
            .map(|group| table.group_rows(group))
            .sum();
        if rows as u64 != file.rows {
            let reason = format!("it has {rows} rows and should have {}", file.rows);
            return Err(ArchiveError::damaged(&file.path(&self.folder), reason));
        }
        Ok(())
    }
}
