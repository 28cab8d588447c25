//! The tables: their columns, and how they are written.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::checked_file::{Seal, SealedWriter};
use crate::error::{ArchiveError, Context};

/// The tables of an archive; each is a folder of Parquet files.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Table {
    /// The games: tags, moves, clocks.
    Games,
    /// The games that are in the archive more than once.
    Duplicates,
    /// Every position of every game, sorted by key.
    Positions,
    /// The sums of the positions that occur often.
    Explorer,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 4] = [
        Self::Games,
        Self::Duplicates,
        Self::Positions,
        Self::Explorer,
    ];

    /// The name of the table, which is that of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Duplicates => "duplicates",
            Self::Positions => "positions",
            Self::Explorer => "explorer",
        }
    }

    /// The columns, as a message type of Parquet.
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Games => {
                "message games {
                    required int32 game_id;
                    optional binary Event (STRING);
                    optional binary Site (STRING);
                    optional binary Date (STRING);
                    optional binary Round (STRING);
                    optional binary White (STRING);
                    optional binary Black (STRING);
                    required binary Result (STRING);
                    optional binary WhiteTitle (STRING);
                    optional binary BlackTitle (STRING);
                    optional int32 WhiteElo (INTEGER(16,true));
                    optional int32 BlackElo (INTEGER(16,true));
                    optional int32 WhiteRatingDiff (INTEGER(16,true));
                    optional int32 BlackRatingDiff (INTEGER(16,true));
                    optional int32 UTCDate (DATE);
                    optional binary UTCTime (STRING);
                    optional binary ECO (STRING);
                    optional binary Opening (STRING);
                    optional binary Termination (STRING);
                    optional binary TimeControl (STRING);
                    optional binary Variant (STRING);
                    optional binary FEN (STRING);
                    required int32 ply_count;
                    required binary moves;
                    optional group clocks (LIST) {
                        repeated group list { optional int32 element; }
                    }
                    optional group evals (LIST) {
                        repeated group list { optional int32 element; }
                    }
                    optional int64 final_key;
                    required int64 fingerprint;
                    optional binary error (STRING);
                }"
            }
            Self::Duplicates => {
                "message duplicates {
                    required int32 game_id;
                    required int32 duplicate_of;
                }"
            }
            Self::Positions => {
                "message positions {
                    required int64 key;
                    required int32 game_id;
                    required int32 ply;
                    optional int32 move;
                    optional int32 result (INTEGER(8,true));
                    optional int32 white_elo (INTEGER(16,true));
                    optional int32 black_elo (INTEGER(16,true));
                }"
            }
            Self::Explorer => {
                "message explorer {
                    required int64 key;
                    optional int32 move;
                    required int32 white_wins;
                    required int32 draws;
                    required int32 black_wins;
                    required int32 unknown;
                    required int64 rating_sum;
                    required int32 rating_count;
                    optional int32 last_played (DATE);
                    required group top_games (LIST) {
                        repeated group list { required int32 element; }
                    }
                    required group top_ratings (LIST) {
                        repeated group list { required int32 element; }
                    }
                    required group recent_games (LIST) {
                        repeated group list { required int32 element; }
                    }
                    required group recent_days (LIST) {
                        repeated group list { required int32 element (DATE); }
                    }
                }"
            }
        }
    }

    fn message(self) -> Result<TypePtr, ParquetError> {
        parse_message_type(self.schema()).map(Arc::new)
    }

    /// The number of rows in a page. A page is the smallest part that can be read.
    const fn page_rows(self) -> usize {
        match self {
            Self::Games => 512,
            Self::Duplicates | Self::Positions => 4096,
            Self::Explorer => 1024,
        }
    }

    /// The rows after which a row group ends.
    pub(crate) const fn group_rows(self) -> usize {
        match self {
            Self::Games => 1 << 15,
            Self::Duplicates | Self::Positions => 1 << 18,
            Self::Explorer => 1 << 16,
        }
    }

    fn properties(self) -> WriterProperties {
        // Positions are packed numbers, in which a longer search finds nothing.
        let level = if self == Self::Games { 3 } else { 1 };
        let level = ZstdLevel::try_new(level).unwrap_or_default();
        let mut properties = WriterProperties::builder()
            // Pages of the first version are read everywhere.
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_compression(Compression::ZSTD(level))
            .set_data_page_row_count_limit(self.page_rows())
            .set_write_batch_size(self.page_rows())
            .set_max_row_group_row_count(None)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_dictionary_page_size_limit(1 << 16);
        let column = |name: &str| ColumnPath::new(name.split('.').map(str::to_owned).collect());
        let delta: &[&str] = match self {
            Self::Games => &["game_id", "ply_count"],
            Self::Duplicates => &["game_id", "duplicate_of"],
            // Game numbers are not in order here, but packed they need fewer bits than four plain bytes.
            Self::Positions => &["key", "game_id"],
            Self::Explorer => &["key", "rating_sum"],
        };
        for name in delta {
            properties = properties
                .set_column_dictionary_enabled(column(name), false)
                .set_column_encoding(column(name), Encoding::DELTA_BINARY_PACKED);
        }
        // Nearly every value is different, and to look up one of them, a whole dictionary would have to be read.
        let plain: &[&str] = match self {
            Self::Games => &[
                "Site",
                "White",
                "Black",
                "UTCTime",
                "FEN",
                "moves",
                "final_key",
                "fingerprint",
                "error",
            ],
            Self::Positions | Self::Duplicates | Self::Explorer => &[],
        };
        for name in plain {
            properties = properties
                .set_column_dictionary_enabled(column(name), false)
                .set_column_encoding(column(name), Encoding::PLAIN);
        }
        if matches!(self, Self::Positions | Self::Explorer) {
            properties = properties
                .set_column_statistics_enabled(column("key"), EnabledStatistics::Page)
                .set_sorting_columns(Some(vec![SortingColumn {
                    column_idx: 0,
                    descending: false,
                    nulls_first: false,
                }]));
        }
        if self == Self::Positions {
            // Every row group has nearly all values of these.
            for name in ["game_id", "ply", "move", "result", "white_elo", "black_elo"] {
                properties =
                    properties.set_column_statistics_enabled(column(name), EnabledStatistics::None);
            }
        }
        if self == Self::Games {
            properties = properties
                .set_column_statistics_enabled(column("moves"), EnabledStatistics::None)
                .set_column_statistics_enabled(column("FEN"), EnabledStatistics::None)
                .set_column_statistics_enabled(column("error"), EnabledStatistics::None);
        }
        properties.build()
    }
}

/// Many values of a column.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    Int(Vec<i32>),
    Long(Vec<i64>),
    OptionalInt(Optional<i32>),
    OptionalLong(Optional<i64>),
    Text(Texts),
    OptionalText(OptionalTexts),
    List(Lists),
}

/// Values that may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Optional<T> {
    pub(crate) values: Vec<T>,
    /// 1 where there is a value, 0 where not.
    pub(crate) levels: Vec<i16>,
}

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl<T> Optional<T> {
    pub(crate) fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn clear(&mut self) {
        self.values.clear();
        self.levels.clear();
    }
}

/// Texts or bytes one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn arrays(&self) -> Vec<ByteArray> {
        let bytes = Bytes::copy_from_slice(&self.bytes);
        let mut start = 0;
        let mut arrays = Vec::with_capacity(self.ends.len());
        for &end in &self.ends {
            arrays.push(ByteArray::from(bytes.slice(start..end)));
            start = end;
        }
        arrays
    }
}

/// Texts that may be missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionalTexts {
    texts: Texts,
    levels: Vec<i16>,
}

impl OptionalTexts {
    pub(crate) fn push(&mut self, text: Option<&str>) {
        self.levels.push(i16::from(text.is_some()));
        if let Some(text) = text {
            self.texts.push(text.as_bytes());
        }
    }
}

/// Lists of numbers, in the three arrays of the Dremel encoding.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    values: Vec<i32>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
    /// Whether a list may be missing, and an element of it.
    optional: bool,
}

impl Lists {
    pub(crate) const fn new(optional: bool) -> Self {
        Self {
            values: Vec::new(),
            definition: Vec::new(),
            repetition: Vec::new(),
            optional,
        }
    }

    fn level(&mut self, repetition: i16, definition: i16) {
        self.repetition.push(repetition);
        self.definition.push(definition);
    }

    /// Adds a list; a missing list if it is `None`.
    pub(crate) fn push(&mut self, list: Option<&[Option<i32>]>) {
        let list_level = i16::from(self.optional);
        match list {
            None => self.level(0, 0),
            Some([]) => self.level(0, list_level),
            Some(list) => {
                for (index, value) in list.iter().enumerate() {
                    let present = i16::from(self.optional && value.is_some());
                    self.level(i16::from(index > 0), list_level + 1 + present);
                    self.values.extend(*value);
                }
            }
        }
    }
}

impl Column {
    /// Removes all values, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Int(values) => values.clear(),
            Self::Long(values) => values.clear(),
            Self::OptionalInt(column) => column.clear(),
            Self::OptionalLong(column) => column.clear(),
            Self::Text(texts) => texts.clear(),
            Self::OptionalText(column) => {
                column.texts.clear();
                column.levels.clear();
            }
            Self::List(lists) => {
                lists.values.clear();
                lists.definition.clear();
                lists.repetition.clear();
            }
        }
    }

    /// The memory that the values take.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Int(values) => values.len() * 4,
            Self::Long(values) => values.len() * 8,
            Self::OptionalInt(column) => column.values.len() * 4 + column.levels.len() * 2,
            Self::OptionalLong(column) => column.values.len() * 8 + column.levels.len() * 2,
            Self::Text(texts) => texts.bytes.len() + texts.ends.len() * 8,
            Self::OptionalText(column) => {
                column.texts.bytes.len() + column.texts.ends.len() * 8 + column.levels.len() * 2
            }
            Self::List(lists) => lists.values.len() * 4 + lists.definition.len() * 4,
        }
    }

    fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        match (self, writer) {
            (Self::Int(values), ColumnWriter::Int32ColumnWriter(writer)) => {
                writer.write_batch(values, None, None)?;
            }
            (Self::Long(values), ColumnWriter::Int64ColumnWriter(writer)) => {
                writer.write_batch(values, None, None)?;
            }
            (Self::OptionalInt(column), ColumnWriter::Int32ColumnWriter(writer)) => {
                writer.write_batch(&column.values, Some(&column.levels), None)?;
            }
            (Self::OptionalLong(column), ColumnWriter::Int64ColumnWriter(writer)) => {
                writer.write_batch(&column.values, Some(&column.levels), None)?;
            }
            (Self::Text(texts), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                writer.write_batch(&texts.arrays(), None, None)?;
            }
            (Self::OptionalText(column), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                writer.write_batch(&column.texts.arrays(), Some(&column.levels), None)?;
            }
            (Self::List(lists), ColumnWriter::Int32ColumnWriter(writer)) => {
                let (definition, repetition) = (&lists.definition, &lists.repetition);
                writer.write_batch(&lists.values, Some(definition), Some(repetition))?;
            }
            _ => {
                return Err(ParquetError::General(
                    "a column has another type".to_owned(),
                ));
            }
        }
        Ok(())
    }
}

/// Writes a file of a table.
pub(crate) struct TableWriter<'a> {
    path: &'a Path,
    writer: SerializedFileWriter<SealedWriter>,
    rows: u64,
}

impl<'a> TableWriter<'a> {
    pub(crate) fn create(table: Table, path: &'a Path) -> Result<Self, ArchiveError> {
        let file = SealedWriter::create(path)?;
        let schema = table.message().context("write", path)?;
        let properties = Arc::new(table.properties());
        let writer = SerializedFileWriter::new(file, schema, properties).context("write", path)?;
        Ok(Self {
            path,
            writer,
            rows: 0,
        })
    }

    /// Writes a row group: the pieces have the same columns, one below another.
    pub(crate) fn write_group(
        &mut self,
        rows: usize,
        pieces: &[&[Column]],
    ) -> Result<(), ArchiveError> {
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows as u64;
        let path = self.path;
        let mut write = || -> Result<(), ParquetError> {
            let mut group = self.writer.next_row_group()?;
            let mut index = 0;
            while let Some(mut column) = group.next_column()? {
                for piece in pieces {
                    piece[index].write(column.untyped())?;
                }
                column.close()?;
                index += 1;
            }
            group.close()?;
            Ok(())
        };
        write().context("write", path)
    }

    /// Returns the number of rows and the seal of the file, once it is on the disk.
    pub(crate) fn finish(self) -> Result<(u64, Seal), ArchiveError> {
        let file = self.writer.into_inner().context("write", self.path)?;
        Ok((self.rows, file.finish()?))
    }
}
