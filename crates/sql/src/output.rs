//! The rows of an answer: as a table, CSV, JSON or Parquet.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;
use futures::StreamExt;
use tabiya_files::AtomicFile;
use tabiya_games::display_name;
use tabiya_notation::printable;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The rows that decide how wide the columns of a table are.
const SAMPLE: usize = 1000;
/// Between two columns.
const GAP: &str = "  ";
/// The smallest width of a column. If not all columns fit, a row is printed as a list.
const MIN_WIDTH: usize = 5;

/// How rows are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Columns below each other, on a terminal of some width or in a file.
    Table {
        width: Option<usize>,
        bold: bool,
    },
    Csv,
    Json,
}

impl Style {
    pub(crate) fn new(csv: bool, json: bool) -> Self {
        if csv {
            return Self::Csv;
        }
        if json {
            return Self::Json;
        }
        let size = io::stdout()
            .is_terminal()
            .then(terminal_size::terminal_size);
        let width = size.map(|size| size.map_or(80, |(width, _)| usize::from(width.0)));
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self::Table {
            width,
            bold: width.is_some() && !no_color,
        }
    }
}

/// Prints the rows of an answer as they come.
pub(crate) struct Printer<'a, W: Write> {
    style: Style,
    out: &'a mut W,
    schema: SchemaRef,
    /// Rows of a table that are not printed before the widths are known.
    waiting: Vec<Vec<String>>,
    layout: Option<Layout>,
    rows: usize,
}

impl<'a, W: Write> Printer<'a, W> {
    pub(crate) fn new(style: Style, schema: SchemaRef, out: &'a mut W) -> io::Result<Self> {
        let mut printer = Self {
            style,
            out,
            schema,
            waiting: Vec::new(),
            layout: None,
            rows: 0,
        };
        if style == Style::Csv && printer.has_columns() {
            let names = printer.names();
            printer.csv(&names)?;
        }
        Ok(printer)
    }

    /// A statement without rows, such as `set`, has no columns.
    fn has_columns(&self) -> bool {
        !self.schema.fields().is_empty()
    }

    fn names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    pub(crate) fn print(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        self.rows += batch.num_rows();
        if self.style == Style::Json {
            // NULLs are written, so that all lines have the same fields.
            let builder = WriterBuilder::new().with_explicit_nulls(true);
            let mut writer = builder.build::<_, LineDelimited>(&mut *self.out);
            writer.write(batch)?;
            writer.finish()?;
            return Ok(());
        }
        let options = FormatOptions::default();
        let columns = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
            .collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            let cells = columns
                .iter()
                .map(|column| column.value(row).try_to_string());
            let cells = cells.collect::<Result<Vec<String>, _>>()?;
            if self.style == Style::Csv {
                self.csv(&cells)?;
                continue;
            }
            let cells: Vec<String> = cells.iter().map(|cell| printable(cell)).collect();
            match &self.layout {
                Some(layout) => layout.row(self.out, &cells)?,
                None => self.waiting.push(cells),
            }
            if self.waiting.len() == SAMPLE {
                self.lay_out()?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        let Style::Table { width, .. } = self.style else {
            return Ok(());
        };
        if !self.has_columns() {
            return Ok(());
        }
        if self.layout.is_none() {
            self.lay_out()?;
        }
        if width.is_some() {
            let rows = match self.rows {
                0 => "no rows".to_owned(),
                1 => "1 row".to_owned(),
                rows => format!("{rows} rows"),
            };
            writeln!(self.out, "({rows})")?;
        }
        Ok(())
    }

    /// Decides on the widths, and prints the rows that waited for them.
    fn lay_out(&mut self) -> io::Result<()> {
        let names = self.names();
        let names: Vec<String> = names.iter().map(|name| printable(name)).collect();
        let right = self.schema.fields().iter();
        let right = right.map(|field| field.data_type().is_numeric()).collect();
        let layout = Layout::new(names, right, &self.waiting, self.style);
        layout.header(self.out)?;
        for row in std::mem::take(&mut self.waiting) {
            layout.row(self.out, &row)?;
        }
        self.layout = Some(layout);
        Ok(())
    }

    /// Writes a line of CSV. Cells with commas, quotes or line breaks are quoted.
    fn csv(&mut self, cells: &[String]) -> io::Result<()> {
        let quoted = cells.iter().map(|cell| {
            if cell.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        });
        let line: Vec<String> = quoted.collect();
        writeln!(self.out, "{}", line.join(","))
    }
}

/// How a table is laid out.
struct Layout {
    names: Vec<String>,
    widths: Vec<usize>,
    /// Numbers end below each other.
    right: Vec<bool>,
    /// Cells that are wider are cut on a terminal.
    limit: Option<usize>,
    as_list: bool,
    bold: bool,
}

impl Layout {
    fn new(names: Vec<String>, right: Vec<bool>, rows: &[Vec<String>], style: Style) -> Self {
        let (limit, bold) = match style {
            Style::Table { width, bold } => (width, bold),
            Style::Csv | Style::Json => (None, false),
        };
        let mut widths: Vec<usize> = names.iter().map(|name| name.width()).collect();
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let gaps = GAP.len() * names.len().saturating_sub(1);
        let mut as_list = false;
        if let Some(limit) = limit {
            let needed: usize = widths.iter().map(|width| (*width).min(MIN_WIDTH)).sum();
            as_list = needed + gaps > limit;
            // The widest columns give way.
            while !as_list && widths.iter().sum::<usize>() + gaps > limit {
                if let Some(widest) = widths.iter_mut().max() {
                    *widest -= 1;
                }
            }
        }
        Self {
            names,
            widths,
            right,
            limit,
            as_list,
            bold,
        }
    }

    fn header(&self, out: &mut impl Write) -> io::Result<()> {
        if self.as_list {
            return Ok(());
        }
        self.line(out, &self.names, self.bold)?;
        let rules: Vec<String> = self.widths.iter().map(|width| "─".repeat(*width)).collect();
        writeln!(out, "{}", rules.join(GAP))
    }

    fn row(&self, out: &mut impl Write, cells: &[String]) -> io::Result<()> {
        if !self.as_list {
            return self.line(out, cells, false);
        }
        let name_width = self
            .names
            .iter()
            .map(|name| name.width())
            .max()
            .unwrap_or(0);
        for (name, cell) in self.names.iter().zip(cells) {
            let room = self
                .limit
                .map(|limit| limit.saturating_sub(name_width + GAP.len()));
            let cell = cut(cell, room.unwrap_or(usize::MAX).max(MIN_WIDTH));
            let padding = " ".repeat(name_width - name.width());
            writeln!(out, "{name}{padding}{GAP}{cell}")?;
        }
        writeln!(out)
    }

    fn line(&self, out: &mut impl Write, cells: &[String], bold: bool) -> io::Result<()> {
        let mut line = String::new();
        for (index, cell) in cells.iter().enumerate() {
            let width = self.widths[index];
            let cell = match self.limit {
                Some(_) => cut(cell, width),
                None => cell.clone(),
            };
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            if index > 0 {
                line.push_str(GAP);
            }
            if self.right[index] {
                line.push_str(&padding);
                line.push_str(&cell);
            } else {
                line.push_str(&cell);
                line.push_str(&padding);
            }
        }
        let line = line.trim_end();
        if bold {
            writeln!(out, "\x1b[1m{line}\x1b[0m")
        } else {
            writeln!(out, "{line}")
        }
    }
}

/// Cuts a text that is too wide.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}

/// Writes rows into a Parquet file: all of them, or none.
pub(crate) async fn write_parquet(
    mut rows: SendableRecordBatchStream,
    path: &Path,
) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", display_name(path));
    let file = AtomicFile::create(path).with_context(cannot)?;
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .build();
    let mut writer =
        ArrowWriter::try_new(file, rows.schema(), Some(properties)).with_context(cannot)?;
    while let Some(batch) = rows.next().await {
        writer.write(&batch?).with_context(cannot)?;
    }
    let file = writer.into_inner().with_context(cannot)?;
    file.commit().with_context(cannot)?;
    Ok(())
}
