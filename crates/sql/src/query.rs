//! `tabiya archive sql`: queries.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::ptr::addr_eq;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Context, bail};
use clap::Args;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParser, Statement};
use futures::StreamExt;
use tabiya_games::{display_name, parse_size};
use tokio::runtime::Runtime;

use crate::output::{Printer, Style, write_parquet};
use crate::pgn::TemporaryArchive;
use crate::session::{self, Resources};
use crate::start::StartFromRow;
use crate::stores::Stores;
use crate::{INTERRUPTED, cluster, interrupt, prompt};

/// Query an archive in SQL
///
/// The tables are games, positions, explorer and duplicates; `show tables` and `describe games` say more. Column
/// names are case-sensitive: select White, WhiteElo from games. Chess functions such as
/// has_position(moves, fen) and the table player_games('NAME') are described in docs/sql.md.
#[derive(Args)]
#[command(
    override_usage = "tabiya archive sql [OPTIONS] <ARCHIVE> [SQL]",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  tabiya archive sql games \"select White, Black, Result from games limit 10\"
  tabiya archive sql games \"select White, count(*) from games group by White\" --csv
  tabiya archive sql games                          a prompt; Ctrl-D leaves it
  tabiya archive sql games.pgn.zst \"select avg(ply_count) from games\"
  tabiya archive sql games --parquet long.parquet \"select * from games where ply_count > 200\"
  tabiya archive sql s3://BUCKET/games \"select count(*) from games\"
  tabiya archive sql --cluster 10.0.0.1 s3://BUCKET/games \"select count(*) from games\"

Archives on S3 (s3://BUCKET/FOLDER) are reached with the environment variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, \
AWS_REGION and, for servers other than Amazon's, AWS_ENDPOINT_URL."
)]
pub(crate) struct Arguments {
    /// The folder of an archive, also on S3, or a file of games in PGN, compressed (zst, gz, bz2) or not
    #[arg(value_name = "ARCHIVE")]
    source: PathBuf,

    /// The query, or several with ; between them [default: a prompt, or standard input]
    #[arg(value_name = "SQL")]
    sql: Option<String>,

    /// Print comma-separated values
    #[arg(long, group = "output")]
    csv: bool,

    /// Print one JSON object per line
    #[arg(long, group = "output")]
    json: bool,

    /// Write the rows to a Parquet file, complete or not at all
    #[arg(long, group = "output", value_name = "FILE", requires = "sql")]
    parquet: Option<PathBuf>,

    /// Run the query on the cluster of this scheduler; all its machines must see the archive under the same name, on a
    /// shared disk or on S3
    #[arg(long, value_name = "HOST[:PORT]")]
    cluster: Option<String>,

    /// How much memory to use, such as 500MB or 4GB; larger sorts and groups go to the disk
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = parse_size)]
    memory: usize,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZero<usize>>,
}

/// How often a cluster is asked if executors fail.
const ATTEMPTS: u32 = 3;

/// Something that answers queries.
pub(crate) struct Engine {
    runtime: Runtime,
    context: SessionContext,
    /// Where the games of its tables start.
    starts: Arc<StartFromRow>,
    style: Style,
    /// Whether the work is done elsewhere.
    is_cluster: bool,
    /// How much of an answer may wait for the rest of it.
    memory: usize,
}

/// How a query ended.
pub(crate) enum End {
    Finished,
    /// Ctrl-C.
    Stopped,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let threads = arguments.threads.or_else(|| available_parallelism().ok());
    let resources = Resources {
        memory: arguments.memory,
        threads: threads.map_or(1, NonZero::get),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(resources.threads)
        .build()
        .context("cannot start threads")?;
    interrupt::watch()?;
    if arguments.cluster.is_some() && is_games(&arguments.source) {
        bail!("a cluster reads archives only: build one with `tabiya archive build`");
    }
    // Is removed when it is dropped.
    let mut temporary = None;
    let folder = match &arguments.source {
        source if is_games(source) => {
            let archive = match TemporaryArchive::build(&runtime, source, resources)? {
                Some(archive) => temporary.insert(archive),
                None => return Ok(INTERRUPTED),
            };
            archive.folder().to_owned()
        }
        source => source.clone(),
    };
    let Some(folder) = folder.to_str() else {
        bail!(
            "{}: the name of the folder is not Unicode",
            display_name(&folder)
        );
    };
    let stores = Arc::new(Stores::default());
    let context = match &arguments.cluster {
        Some(scheduler) => runtime.block_on(cluster::connect(scheduler, stores.clone()))?,
        None => session::local(&stores, resources)?,
    };
    let starts = runtime.block_on(session::register_archive(&context, &stores, folder))?;
    let engine = Engine {
        runtime,
        context,
        starts,
        style: Style::new(arguments.csv, arguments.json),
        is_cluster: arguments.cluster.is_some(),
        memory: arguments.memory,
    };
    let code = match (&arguments.sql, &arguments.parquet) {
        (Some(sql), Some(file)) => engine.save(sql, file),
        (Some(sql), None) => engine.print_all(sql),
        (None, _) if io::stdin().is_terminal() => prompt::run(&engine),
        (None, _) => io::read_to_string(io::stdin())
            .context("cannot read standard input")
            .and_then(|sql| engine.print_all(&sql)),
    };
    // Don't wait for functions that are still running.
    interrupt::stop();
    engine.runtime.shutdown_background();
    drop(temporary);
    code
}

/// Whether a path is a file of games rather than an archive.
fn is_games(path: &Path) -> bool {
    path.is_file()
}

/// Whether rows of a finished query were lost with an executor. The error arrives as text.
fn is_lost(error: &anyhow::Error) -> bool {
    let text = format!("{error:?}");
    [
        "FetchFailed",
        "GrpcConnectionError",
        "GrpcActionError",
        "transport error",
    ]
    .iter()
    .any(|sign| text.contains(sign))
}

impl Engine {
    /// The tables and functions, for the prompt.
    pub(crate) const fn context(&self) -> &SessionContext {
        &self.context
    }

    /// The names of the tables and their columns.
    pub(crate) fn columns(&self) -> Vec<String> {
        let mut names = Vec::new();
        for table in tabiya_archive::Table::ALL.map(tabiya_archive::Table::name) {
            names.push(table.to_owned());
            if let Ok(provider) = self.runtime.block_on(self.context.table_provider(table)) {
                let schema = provider.schema();
                names.extend(schema.fields().iter().map(|field| field.name().clone()));
            }
        }
        names
    }

    /// Answers all queries of a text.
    pub(crate) fn print_all(&self, sql: &str) -> anyhow::Result<u8> {
        Ok(match self.print(sql)? {
            End::Finished => 0,
            End::Stopped => INTERRUPTED,
        })
    }

    /// Prints the answers to all queries of a text.
    pub(crate) fn print(&self, sql: &str) -> anyhow::Result<End> {
        self.until_stopped(async {
            for statement in DFParser::parse_sql(sql)? {
                let mut rows = self.answer(statement).await?;
                let mut out = BufWriter::new(io::stdout().lock());
                let mut printer = Printer::new(self.style, rows.schema(), &mut out)?;
                while let Some(batch) = rows.next().await {
                    printer.print(&batch?)?;
                }
                printer.finish()?;
                out.flush()?;
            }
            Ok(())
        })
    }

    /// Writes the answer to a query into a file.
    fn save(&self, sql: &str, file: &Path) -> anyhow::Result<u8> {
        let ended = self.until_stopped(async {
            let mut statements = DFParser::parse_sql(sql)?;
            let (Some(statement), None) = (statements.pop_front(), statements.pop_front()) else {
                bail!("--parquet works with one query only");
            };
            write_parquet(self.answer(statement).await?, file).await
        })?;
        Ok(match ended {
            End::Finished => 0,
            End::Stopped => INTERRUPTED,
        })
    }

    /// Returns the rows of an answer.
    async fn answer(&self, statement: Statement) -> anyhow::Result<SendableRecordBatchStream> {
        let plan = self.context.state().statement_to_plan(statement).await?;
        let read_only = SQLOptions::new().with_allow_dml(false);
        if read_only.verify_plan(&plan).is_err() {
            bail!("an archive is only read: write rows to a file with --parquet, --csv or --json");
        }
        let LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)) = &plan else {
            return self.run(plan).await;
        };
        let table = table.clone();
        let name = || table.name.clone();
        let before = self.context.table_provider(name()).await.ok();
        let rows = self.run(plan).await?;
        let after = self.context.table_provider(name()).await?;
        // With "if not exists", it may be an older table, of other rows.
        if !before.is_some_and(|before| addr_eq(Arc::as_ptr(&before), Arc::as_ptr(&after))) {
            self.starts.add(&after, self.starts.pairs(&table.input));
        }
        Ok(rows)
    }

    /// Runs a query.
    ///
    /// An executor that fails while its rows are being fetched loses them. So the answer of a cluster is held back
    /// until it is complete, if there is memory for it, and the query runs again if a part is lost.
    async fn run(&self, plan: LogicalPlan) -> anyhow::Result<SendableRecordBatchStream> {
        if !self.is_cluster {
            return self.rows(plan).await;
        }
        let mut attempt = 1;
        loop {
            match self.held(plan.clone()).await {
                Err(error) if attempt < ATTEMPTS && is_lost(&error) => attempt += 1,
                rows => return rows,
            }
        }
    }

    async fn rows(&self, plan: LogicalPlan) -> anyhow::Result<SendableRecordBatchStream> {
        let frame = self.context.execute_logical_plan(plan).await?;
        Ok(frame.execute_stream().await?)
    }

    /// Rows that have all arrived, if there is memory for them.
    async fn held(&self, plan: LogicalPlan) -> anyhow::Result<SendableRecordBatchStream> {
        let mut rows = self.rows(plan).await?;
        let mut held = Vec::new();
        let mut size = 0;
        while size < self.memory
            && let Some(batch) = rows.next().await
        {
            let batch = batch?;
            size += batch.get_array_memory_size();
            held.push(Ok(batch));
        }
        let schema = rows.schema();
        let rows = futures::stream::iter(held).chain(rows);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }

    /// Waits for the end of some work, or for Ctrl-C.
    fn until_stopped(&self, work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<End> {
        let done = self.runtime.block_on(interrupt::unless_stopped(work))?;
        Ok(done.map_or(End::Stopped, |()| End::Finished))
    }
}
