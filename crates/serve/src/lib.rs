//! The web server: the page, the native engine behind a WebSocket, and a JSON API for scripts.
//!
//! The page and the rules' WebAssembly are embedded, so the server needs no files. It accepts connections from this
//! computer only, unless [`ServeOptions::host`] says otherwise; then every request needs a token. `docs/api.md`
//! describes the API.
//!
//! ```
//! use tabiya_serve::{ServeOptions, Server};
//!
//! let server = Server::bind(ServeOptions { port: 0, ..ServeOptions::default() })?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! // server.run() serves until Ctrl+C.
//! # Ok::<(), tabiya_serve::ServeError>(())
//! ```

#![forbid(unsafe_code)]

mod api;
mod app;
mod browser;
mod engines;
mod error;
mod explorer;
mod friends;
mod games;
mod guard;
mod json;
mod page;
mod socket;

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tabiya_explorer::Explorer;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use app::App;
pub use browser::open_browser;
use friends::FriendFiles;

/// The port, if none is chosen.
pub const DEFAULT_PORT: u16 = 8064;
/// How long connections may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address to listen on. Any but a loopback address opens the server to the network.
    pub host: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The most engines at a time.
    pub engines: usize,
    /// The threads of each engine.
    pub threads: usize,
    /// The megabytes of each engine's hash table.
    pub hash: usize,
    /// The folder that keeps games; `None` to keep them in memory only.
    pub folder: Option<PathBuf>,
}

impl Default for ServeOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            host: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            engines: 24,
            // Leave a core to the page.
            threads: cores.saturating_sub(1).clamp(1, 4),
            hash: 16,
            folder: None,
        }
    }
}

/// Why the server cannot start or has ended.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Another program has the port.
    #[error(
        "port {port} is in use, perhaps by another tabiya serve; choose another with --port, or --port 0 for any free one"
    )]
    PortInUse {
        /// The port.
        port: u16,
    },
    /// The address is not one of this computer's, or the port is not allowed.
    #[error("cannot listen on {address}: {error}; check --host and --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        error: io::Error,
    },
    /// The system refuses something else.
    #[error("the server cannot run: {0}")]
    Io(#[from] io::Error),
}

/// A server that listens but does not answer yet.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: Arc<App>,
}

impl Server {
    /// Listens.
    pub fn bind(options: ServeOptions) -> Result<Self, ServeError> {
        let address = SocketAddr::new(options.host, options.port);
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse { port: options.port },
            _ => ServeError::Listen { address, error },
        })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            // Engines run on blocking threads; the rest is for PGN and files.
            .max_blocking_threads(options.engines + 8)
            .thread_name("serve")
            .enable_all()
            .build()?;
        let friends = FriendFiles::new(options.folder.as_ref());
        // The links of games that are being played must go on working.
        let token = || friends.token().unwrap_or_else(random_name);
        let token = (!options.host.is_loopback()).then(token);
        let app = Arc::new(App::new(options, address, token, friends));
        Ok(Self {
            runtime,
            listener,
            app,
        })
    }

    /// Opens the explorer of an archive to the page and to scripts.
    #[must_use]
    pub fn with_explorer(self, explorer: Explorer) -> Self {
        self.app.open_explorer(explorer);
        self
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.app.address.port()
    }

    /// The address to open, with the token if there is one.
    pub fn url(&self) -> String {
        self.app.url()
    }

    /// Whether others on the network can reach the server.
    pub fn is_open_to_network(&self) -> bool {
        self.app.token.is_some()
    }

    /// Serves until Ctrl+C, then ends connections and engines.
    pub fn run(self) -> Result<(), ServeError> {
        self.run_until(async {
            // Without a signal handler the server runs until it is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }

    /// Serves until the future is ready.
    pub fn run_until(self, end: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Self {
            runtime,
            listener,
            app,
        } = self;
        let result = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            app.start();
            let router = app::router(&app);
            let mut shutdown = std::pin::pin!({
                let app = Arc::clone(&app);
                async move {
                    end.await;
                    app.stop();
                }
            });
            // Polled before the first request is answered, so that from then on Ctrl+C is caught.
            let is_over = tokio::select! {
                biased;
                () = &mut shutdown => true,
                () = std::future::ready(()) => false,
            };
            // `end` may borrow, so it is raced here and not given to the server's task.
            let (stopped, ending) = tokio::sync::oneshot::channel::<()>();
            let server = axum::serve(listener, router).with_graceful_shutdown(async {
                let _ = ending.await;
            });
            let server = tokio::spawn(server.into_future());
            if !is_over {
                shutdown.await;
            }
            let _ = stopped.send(());
            // A page that does not let go must not hold the server up.
            let _ = tokio::time::timeout(GRACE, server).await;
            Ok::<(), io::Error>(())
        });
        runtime.shutdown_timeout(GRACE);
        result.map_err(ServeError::Io)
    }
}

/// A name of 128 random bits that nobody can guess.
pub(crate) fn random_name() -> String {
    let mut bytes = [0_u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        // Every system we run on has a source of random numbers; without one, no name may be guessable.
        std::process::abort();
    }
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// This computer's address on the network, for links.
pub(crate) fn network_address() -> Option<IpAddr> {
    // Sends nothing: connecting a UDP socket only chooses the interface.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}
