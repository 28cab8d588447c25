//! `tabiya-sql executor`.

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::{Context, bail};
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use clap::Args;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use tabiya_games::parse_size;

use crate::cluster::{self, PORT};
use crate::stores::Stores;

/// The seconds between an executor's signs of life. The scheduler waits for at least five.
const HEARTBEAT: u64 = 1;
/// How long to try to reach the scheduler, in seconds.
const CONNECT: u16 = 60;
/// How long parts of answers are kept, and how often old ones are removed, in seconds.
const KEEP: u64 = 24 * 3600;
const CLEAN: u64 = 600;

/// Start an executor of a cluster, which works on the queries of a scheduler
///
/// An executor must see the archive where the client sees it: in the same folder of a shared disk, or on S3. It waits
/// for the scheduler for a minute.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya-sql executor                                for a scheduler on this machine
  tabiya-sql executor --port 0 --task-port 0         another one on this machine
  tabiya-sql executor --scheduler 10.0.0.1 --bind 10.0.0.2

For archives on S3, set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for servers other than Amazon's, \
AWS_ENDPOINT_URL: here, for the scheduler and for clients.")]
pub(crate) struct Arguments {
    /// The scheduler's address
    #[arg(long, value_name = "HOST[:PORT]", default_value = "localhost")]
    scheduler: String,

    /// The address to listen on, by which clients, the scheduler and other executors reach this one
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// The port for rows; 0 for any free one
    #[arg(long, default_value_t = 50051)]
    port: u16,

    /// The port for tasks; 0 for any free one
    #[arg(long, default_value_t = 50052)]
    task_port: u16,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZero<usize>>,

    /// How much memory to use, such as 500MB or 4GB; larger sorts and groups go to the disk
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = parse_size)]
    memory: usize,

    /// The folder for parts of answers [default: a temporary folder]
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,

    /// Log everything that happens, not only warnings
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    cluster::log(arguments.verbose);
    let (host, port) = match arguments.scheduler.rsplit_once(':') {
        Some((host, port)) => (
            host.to_owned(),
            port.parse()
                .with_context(|| format!("--scheduler: '{port}' is not a port"))?,
        ),
        None => (arguments.scheduler.clone(), PORT),
    };
    // Both ports are free now, and are used at once.
    let (rows, tasks) = (
        cluster::bind(arguments.bind, arguments.port, "--port")?,
        cluster::bind(arguments.bind, arguments.task_port, "--task-port")?,
    );
    let (port_for_rows, port_for_tasks) = (rows.1.port(), tasks.1.port());
    drop((rows, tasks));
    let temporary =
        std::env::temp_dir().join(format!("tabiya-sql-executor-{}", std::process::id()));
    let work = arguments.work.clone().unwrap_or_else(|| temporary.clone());
    std::fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    let Some(folder) = work.to_str().map(str::to_owned) else {
        bail!("{}: the name of the folder is not Unicode", work.display());
    };

    let stores = Arc::new(Stores::default());
    let functions = cluster::state(cluster::config(), stores.clone())?;
    let files = RuntimeEnvBuilder::new()
        .with_object_store_registry(stores)
        .with_temp_file_path(&work)
        .build_arc()?;
    let threads = arguments.threads.or_else(|| available_parallelism().ok());
    let config = ExecutorProcessConfig {
        bind_host: arguments.bind.to_string(),
        external_host: Some(arguments.bind.to_string()),
        port: port_for_rows,
        grpc_port: port_for_tasks,
        scheduler_host: host,
        scheduler_port: port,
        scheduler_connect_timeout_seconds: CONNECT,
        vcores: threads.map_or(1, NonZero::get),
        work_dir: Some(folder),
        job_data_ttl_seconds: KEEP,
        job_data_clean_up_interval_seconds: CLEAN,
        executor_heartbeat_interval_seconds: HEARTBEAT,
        memory_pool_size: Some(arguments.memory as u64),
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&functions))),
        override_runtime_producer: Some(Arc::new(move |_| Ok(files.clone()))),
        override_config_producer: Some(Arc::new(cluster::config)),
        ..ExecutorProcessConfig::default()
    };
    // Standard output may be closed.
    let _ = writeln!(
        io::stdout(),
        "The executor listens on {} and {} of {}.",
        port_for_rows,
        port_for_tasks,
        arguments.bind
    );
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    let ended = runtime.block_on(start_executor_process(Arc::new(config)));
    if arguments.work.is_none() {
        // Leftover files there are useless.
        let _ = std::fs::remove_dir_all(&temporary);
    }
    match ended {
        Err(BallistaError::IoError(error)) if error.kind() == ErrorKind::AddrInUse => bail!(
            "another program has just taken port {port_for_rows} or {port_for_tasks} of {}: start the executor again",
            arguments.bind
        ),
        ended => Ok(ended?),
    }
}
