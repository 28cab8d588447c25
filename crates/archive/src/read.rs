//! Reading the tables: whole columns, or only the pages that have what is wanted.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;

use crate::checked_file::SealedFile;
use crate::error::{ArchiveError, Context};
use crate::manifest::DataFile;

/// An open file of a table.
pub(crate) struct TableFile {
    file: Arc<SealedFile>,
    metadata: ParquetMetaData,
}

/// A row group of a file, with the places of its pages.
pub(crate) struct Group<'a> {
    table: &'a TableFile,
    rows: &'a RowGroupMetaData,
    pages: ParquetMetaData,
}

/// The values of some rows, with the levels that tell missing values and lists.
struct Levels<T> {
    values: Vec<T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl TableFile {
    pub(crate) fn open(folder: &Path, file: &DataFile) -> Result<Self, ArchiveError> {
        let file = file.open(folder)?;
        let metadata = ParquetMetaDataReader::new()
            .parse_and_finish(&file)
            .context("read", file.path())?;
        Ok(Self {
            file: Arc::new(file),
            metadata,
        })
    }

    fn path(&self) -> &Path {
        self.file.path()
    }

    /// The number of a column.
    pub(crate) fn column(&self, name: &str) -> Result<usize, ArchiveError> {
        let schema = self.metadata.file_metadata().schema_descr();
        let mut columns = schema.columns().iter();
        let found = columns.position(|column| {
            let parts = column.path().parts();
            parts.first().is_some_and(|first| first == name)
        });
        found.ok_or_else(|| ArchiveError::damaged(self.path(), format!("it has no column {name}")))
    }

    pub(crate) fn groups(&self) -> usize {
        self.metadata.num_row_groups()
    }

    pub(crate) fn group_rows(&self, group: usize) -> usize {
        self.metadata.row_group(group).num_rows() as usize
    }

    /// Opens a row group. Only its own pages are looked up.
    pub(crate) fn group(&self, index: usize) -> Result<Group<'_>, ArchiveError> {
        let rows = self.metadata.row_group(index);
        let one = ParquetMetaData::new(self.metadata.file_metadata().clone(), vec![rows.clone()]);
        let mut reader = ParquetMetaDataReader::new_with_metadata(one)
            .with_page_index_policy(PageIndexPolicy::Optional);
        let read = reader.read_page_indexes(&*self.file);
        let pages = read.and_then(|()| reader.finish());
        Ok(Group {
            table: self,
            rows,
            pages: pages.context("read", self.path())?,
        })
    }

    /// Returns the numbers of a column, all of which must be there.
    pub(crate) fn longs(&self, name: &str) -> Result<Vec<i64>, ArchiveError> {
        let column = self.column(name)?;
        let mut all = Vec::new();
        for index in 0..self.groups() {
            let group = self.group(index)?;
            let rows = 0..self.group_rows(index);
            all.extend(group.longs(column, std::slice::from_ref(&rows))?);
        }
        Ok(all)
    }

    /// Returns the numbers of a column, all of which must be there.
    pub(crate) fn ints(&self, name: &str) -> Result<Vec<i32>, ArchiveError> {
        let column = self.column(name)?;
        let mut all = Vec::new();
        for index in 0..self.groups() {
            let group = self.group(index)?;
            let rows = 0..self.group_rows(index);
            let ints = group.ints(column, std::slice::from_ref(&rows))?;
            all.extend(ints.into_iter().flatten());
        }
        Ok(all)
    }

    /// Returns where a key is, in a file that is sorted by its first column: row groups, and rows in them.
    pub(crate) fn find(&self, key: i64) -> Result<Vec<(Group<'_>, Range<usize>)>, ArchiveError> {
        let mut found = Vec::new();
        for (index, group) in self.metadata.row_groups().iter().enumerate() {
            let Some(Statistics::Int64(statistics)) = group.column(0).statistics() else {
                let reason = "the keys of a row group are not known";
                return Err(ArchiveError::damaged(self.path(), reason));
            };
            if statistics.max_opt().is_some_and(|&max| max < key) {
                continue;
            }
            if statistics.min_opt().is_some_and(|&min| min > key) {
                break;
            }
            let group = self.group(index)?;
            let rows = group.rows_with_key(key)?;
            if !rows.is_empty() {
                found.push((group, rows));
            }
        }
        Ok(found)
    }
}

impl Group<'_> {
    fn locations(&self, column: usize) -> Option<Vec<PageLocation>> {
        let index = self.pages.offset_index()?.first()?;
        Some(index.get(column)?.page_locations().clone())
    }

    /// The rows with a key.
    fn rows_with_key(&self, key: i64) -> Result<Range<usize>, ArchiveError> {
        let count = self.rows.num_rows() as usize;
        let mut rows = 0..count;
        // The pages that may have it.
        let index = self
            .pages
            .column_index()
            .and_then(|groups| groups.first()?.first());
        if let (Some(ColumnIndexMetaData::INT64(index)), Some(pages)) = (index, self.locations(0)) {
            let (min, max) = (index.min_values(), index.max_values());
            if min.len() == pages.len() && max.len() == pages.len() {
                let first = max.partition_point(|max| *max < key);
                let last = min.partition_point(|min| *min <= key);
                let start = |page: usize| {
                    pages
                        .get(page)
                        .map_or(count, |page| page.first_row_index as usize)
                };
                rows = start(first)..start(last.max(first));
            }
        }
        let keys = self.longs(0, std::slice::from_ref(&rows))?;
        let first = keys.partition_point(|other| *other < key);
        let last = keys.partition_point(|other| *other <= key);
        Ok(rows.start + first..rows.start + last)
    }

    /// Reads some rows of a column. The ranges must be in order.
    fn read<T: DataType>(
        &self,
        column: usize,
        rows: &[Range<usize>],
    ) -> Result<Levels<T::T>, ArchiveError> {
        let count = self.rows.num_rows() as usize;
        let read = || -> Result<Levels<T::T>, ParquetError> {
            let chunk = self.rows.column(column);
            let descriptor = chunk.column_descr_ptr();
            let file = Arc::clone(&self.table.file);
            let pages = SerializedPageReader::new(file, chunk, count, self.locations(column))?;
            let has_definition = descriptor.max_def_level() > 0;
            let has_repetition = descriptor.max_rep_level() > 0;
            let mut reader = ColumnReaderImpl::<T>::new(descriptor, Box::new(pages));
            let mut levels = Levels {
                values: Vec::new(),
                definition: Vec::new(),
                repetition: Vec::new(),
            };
            let missing = || ParquetError::General("rows are missing".to_owned());
            let mut at = 0;
            for range in rows {
                let skipped = range.start.saturating_sub(at);
                if reader.skip_records(skipped)? != skipped {
                    return Err(missing());
                }
                let mut left = range.len();
                while left > 0 {
                    let (records, _, _) = reader.read_records(
                        left,
                        has_definition.then_some(&mut levels.definition),
                        has_repetition.then_some(&mut levels.repetition),
                        &mut levels.values,
                    )?;
                    if records == 0 {
                        return Err(missing());
                    }
                    left -= records;
                }
                at = range.end;
            }
            Ok(levels)
        };
        read().context("read", self.table.path())
    }

    /// Returns numbers, all of which must be there.
    pub(crate) fn longs(
        &self,
        column: usize,
        rows: &[Range<usize>],
    ) -> Result<Vec<i64>, ArchiveError> {
        self.read::<Int64Type>(column, rows)
            .map(|levels| levels.values)
    }

    /// Returns numbers, `None` where there is none.
    pub(crate) fn ints(
        &self,
        column: usize,
        rows: &[Range<usize>],
    ) -> Result<Vec<Option<i32>>, ArchiveError> {
        Ok(self.read::<Int32Type>(column, rows)?.optional(1))
    }

    /// Returns texts or bytes, `None` where there are none.
    pub(crate) fn texts(
        &self,
        column: usize,
        rows: &[Range<usize>],
    ) -> Result<Vec<Option<ByteArray>>, ArchiveError> {
        Ok(self.read::<ByteArrayType>(column, rows)?.optional(1))
    }

    /// Returns lists of numbers that may be missing. A missing list is empty.
    pub(crate) fn lists(
        &self,
        column: usize,
        rows: &[Range<usize>],
    ) -> Result<Vec<Vec<Option<i32>>>, ArchiveError> {
        let levels = self.read::<Int32Type>(column, rows)?;
        let full = self.rows.column(column).column_descr().max_def_level();
        // The first level is the list's own, unless it must be there; the next is that of an element.
        let missing = if full == 3 { 2 } else { full };
        let mut values = levels.values.into_iter();
        let mut lists: Vec<Vec<Option<i32>>> = Vec::new();
        for (definition, repetition) in levels.definition.into_iter().zip(levels.repetition) {
            if repetition == 0 {
                lists.push(Vec::new());
            }
            if definition >= missing
                && let Some(list) = lists.last_mut()
            {
                list.push(if definition == full {
                    values.next()
                } else {
                    None
                });
            }
        }
        Ok(lists)
    }
}

impl<T> Levels<T> {
    /// The values with gaps where they are missing.
    fn optional(self, full: i16) -> Vec<Option<T>> {
        let mut values = self.values.into_iter();
        if self.definition.is_empty() {
            return values.map(Some).collect();
        }
        let levels = self.definition.into_iter();
        levels
            .map(|level| if level == full { values.next() } else { None })
            .collect()
    }
}
