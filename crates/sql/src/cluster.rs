//! Clusters: what the client, the scheduler and the executors have in common.
//!
//! A plan that is sent to another machine contains only the names of its functions and files. So all three need the
//! chess functions, and read archives through the same stores.

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use anyhow::{Context, bail};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::utils::default_session_builder;
use datafusion::common::Result;
use datafusion::execution::{FunctionRegistry, SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use log::{LevelFilter, Log, Metadata, Record};

use crate::functions::functions;
use crate::session::{adjust, register_functions, runtime};
use crate::stores::Stores;

/// The port of a scheduler, unless another is given.
pub(crate) const PORT: u16 = 50050;

/// Connects to a scheduler at `HOST` or `HOST:PORT`.
pub(crate) async fn connect(address: &str, stores: Arc<Stores>) -> anyhow::Result<SessionContext> {
    let address = if address.contains(':') {
        address.to_owned()
    } else {
        format!("{address}:{PORT}")
    };
    // The first query would say so too, but less plainly.
    if let Err(error) = tokio::net::TcpStream::connect(&address).await {
        bail!("there is no scheduler at {address}: {error}");
    }
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config())
        .with_runtime_env(runtime(stores, None)?)
        .build();
    let context = SessionContext::remote_with_state(&format!("df://{address}"), state)
        .await
        .with_context(|| format!("cannot connect to the scheduler at {address}"))?;
    // The context has the functions of Ballista; ours come after them.
    register_functions(&context);
    Ok(context)
}

/// The settings of a client, a scheduler or an executor.
pub(crate) fn config() -> SessionConfig {
    // The adaptive planner of Ballista 55 replans some joins with an empty side for ever.
    adjust(SessionConfig::new_with_ballista().with_ballista_adaptive_query_planner(false))
}

/// The engine of a scheduler.
pub(crate) fn state(config: SessionConfig, stores: Arc<Stores>) -> Result<SessionState> {
    let runtime = runtime(stores, None)
        .map_err(|error| datafusion::common::DataFusionError::Execution(error.to_string()))?;
    let state = default_session_builder(config)?;
    let mut state = SessionStateBuilder::new_from_existing(state)
        .with_runtime_env(runtime)
        .build();
    for function in functions() {
        state.register_udf(function)?;
    }
    Ok(state)
}

/// Takes a port, which an option gives, or any that is free for port 0.
pub(crate) fn bind(
    host: IpAddr,
    port: u16,
    option: &str,
) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = match TcpListener::bind((host, port)) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => bail!(
            "another program listens on port {port} of {host}: give another port with {option}, or 0 for any free one"
        ),
        listener => listener.with_context(|| format!("cannot listen on port {port} of {host}"))?,
    };
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Writes what happens in a cluster to standard error: warnings, or everything.
pub(crate) fn log(verbose: bool) {
    static LINES: Lines = Lines;
    // This is the only logger of the program.
    let _ = log::set_logger(&LINES);
    log::set_max_level(if verbose {
        LevelFilter::Info
    } else {
        LevelFilter::Warn
    });
}

/// A log with a line for each event.
struct Lines;

impl Log for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let level = record.level().as_str().to_lowercase();
        // If nobody reads the log, the work continues.
        let _ = writeln!(io::stderr(), "{level}: {}", record.args());
    }

    fn flush(&self) {}
}
