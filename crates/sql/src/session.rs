//! The engine, set up for archives.

use std::path::Path as FilePath;
use std::sync::Arc;

use anyhow::{Context, bail};
use datafusion::catalog::TableProvider;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::parquet::arrow::parquet_to_arrow_schema;
use datafusion::parquet::schema::parser::parse_message_type;
use datafusion::parquet::schema::types::SchemaDescriptor;
use datafusion::prelude::{SessionConfig, SessionContext};
use object_store::path::Path;
use tabiya_archive::{Archive, ArchiveError, Manifest, Table};
use url::Url;

use crate::checked_store::below;
use crate::functions::functions;
use crate::player_games::PlayerGames;
use crate::start::StartFromRow;
use crate::stores::Stores;

/// What a query may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
}

/// The settings that a plan depends on. A client and the executors of a cluster must agree on them.
pub(crate) fn adjust(config: SessionConfig) -> SessionConfig {
    let mut config = config.with_information_schema(true);
    let options = config.options_mut();
    // The columns have the names that Lichess gave them: "White" is found as White.
    options.sql_parser.enable_ident_normalization = false;
    options.execution.parquet.schema_force_view_types = false;
    config
}

/// A runtime in which every file of an archive is checked.
pub(crate) fn runtime(
    stores: Arc<Stores>,
    memory: Option<usize>,
) -> anyhow::Result<Arc<RuntimeEnv>> {
    let mut builder = RuntimeEnvBuilder::new().with_object_store_registry(stores);
    if let Some(memory) = memory {
        builder = builder.with_memory_pool(Arc::new(FairSpillPool::new(memory)));
    }
    Ok(builder.build_arc()?)
}

/// An engine on this machine, without tables.
pub(crate) fn local(stores: &Arc<Stores>, resources: Resources) -> anyhow::Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(resources.threads);
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(adjust(config))
        .with_runtime_env(runtime(stores.clone(), Some(resources.memory))?)
        .build();
    let context = SessionContext::new_with_state(state);
    register_functions(&context);
    Ok(context)
}

/// Makes the chess functions known.
pub(crate) fn register_functions(context: &SessionContext) {
    for function in functions() {
        context.register_udf(function.as_ref().clone());
    }
}

/// The address of a folder on this machine or on S3.
fn address(folder: &str) -> anyhow::Result<Url> {
    if folder.starts_with("s3://") {
        return Url::parse(folder).with_context(|| format!("{folder} is not an address"));
    }
    let absolute = std::path::absolute(folder).with_context(|| format!("cannot read {folder}"))?;
    match Url::from_directory_path(&absolute) {
        Ok(url) => Ok(url),
        Err(()) => bail!("cannot read {folder}"),
    }
}

/// Makes the tables of an archive known. Returns what knows where their games start.
pub(crate) async fn register_archive(
    context: &SessionContext,
    stores: &Stores,
    name: &str,
) -> anyhow::Result<Arc<StartFromRow>> {
    let folder = &address(name)?;
    if folder.scheme() == "file" {
        // Says what is wrong with a folder that is not an archive.
        Archive::open(name.as_ref())?;
    }
    let path = Path::from_url_path(folder.path()).with_context(|| format!("cannot read {name}"))?;
    let manifest = stores.get(folder)?.manifest(&path).await?;
    let Some(manifest) = manifest else {
        return Err(ArchiveError::NoArchive(name.into()).into());
    };
    for table in Table::ALL {
        let provider = provider(folder, &path, &manifest, table)?;
        context.register_table(table.name(), provider)?;
    }
    let games = context.table_provider("games").await?;
    let starts = Arc::new(StartFromRow::default());
    starts.add_games(&games);
    context.add_analyzer_rule(starts.clone());
    let duplicates = context.table_provider("duplicates").await?;
    context.register_udtf("player_games", Arc::new(PlayerGames { games, duplicates }));
    Ok(starts)
}

/// A table with exactly the files that the manifest names: others may be left from an interrupted addition.
fn provider(
    folder: &Url,
    path: &Path,
    manifest: &Manifest,
    table: Table,
) -> anyhow::Result<Arc<dyn TableProvider>> {
    let mut urls = Vec::new();
    for file in manifest.files(table) {
        let path = below(path, &file.path(FilePath::new("")));
        let mut url = folder.clone();
        url.set_path(&format!("/{path}"));
        urls.push(ListingTableUrl::try_new(url, None)?);
    }
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    let message = Arc::new(parse_message_type(table.schema())?);
    let schema = Arc::new(parquet_to_arrow_schema(
        &SchemaDescriptor::new(message),
        None,
    )?);
    if urls.is_empty() {
        return Ok(Arc::new(EmptyTable::new(schema)));
    }
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config)?))
}
