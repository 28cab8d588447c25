//! What all requests share, and where they go.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::middleware;
use axum::routing::{get, post, put};
use tabiya_explorer::Explorer;
use tabiya_play::Store;
use tokio::sync::watch;

use crate::engines::Engines;
use crate::explorer::SharedExplorer;
use crate::friends::{FriendFiles, Friends};
use crate::games::Games;
use crate::{ServeOptions, api, explorer, friends, games, guard, network_address, page, socket};

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) address: SocketAddr,
    pub(crate) token: Option<String>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) games: Games,
    pub(crate) friends: Friends,
    /// Empty if no archive is open.
    explorer: OnceLock<SharedExplorer>,
    /// Turns true when the server ends.
    ending: watch::Sender<bool>,
    connections: AtomicU64,
}

impl App {
    pub(crate) fn new(
        options: ServeOptions,
        address: SocketAddr,
        token: Option<String>,
        friends: FriendFiles,
    ) -> Self {
        Self {
            address,
            token,
            engines: Arc::new(Engines::new(options.engines, options.threads, options.hash)),
            games: Games::new(options.folder.map(Store::new)),
            friends: Friends::new(friends),
            explorer: OnceLock::new(),
            ending: watch::Sender::new(false),
            connections: AtomicU64::new(1),
        }
    }

    /// Opens the explorer of an archive; the first one stays.
    pub(crate) fn open_explorer(&self, explorer: Explorer) {
        self.explorer.get_or_init(|| SharedExplorer::new(explorer));
    }

    pub(crate) fn explorer(&self) -> Option<&SharedExplorer> {
        self.explorer.get()
    }

    /// Starts what runs beside the requests.
    pub(crate) fn start(self: &Arc<Self>) {
        tokio::spawn(Arc::clone(&self.engines).clean_up());
    }

    /// Ends all sockets.
    pub(crate) fn stop(&self) {
        self.ending.send_replace(true);
    }

    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// A number for a connection.
    pub(crate) fn connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// The address to open.
    pub(crate) fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified()
            && let Some(ip) = network_address()
        {
            address.set_ip(ip);
        }
        match &self.token {
            None => format!("http://{address}/"),
            Some(token) => format!("http://{address}/?token={token}"),
        }
    }
}

/// Waits for the end of the server.
pub(crate) async fn ended(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await;
}

pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/api", get(api::about))
        .route("/api/position", post(api::position))
        .route("/api/play", post(api::play))
        .route("/api/why", post(api::why))
        .route("/api/line", post(api::line))
        .route("/api/pgn", post(api::pgn))
        .route("/api/best", post(api::best))
        .route("/api/analyse", post(api::analyse))
        .route("/api/hint", post(api::hint))
        .route("/api/mate", post(api::mate))
        .route("/api/explore", post(explorer::explore))
        .route("/api/engine", get(socket::engine))
        .route("/api/games", get(games::list).post(games::create))
        .route("/api/games/{id}", put(games::save).delete(games::delete))
        .route("/api/friends", post(friends::invite))
        .route("/api/friends/{id}/socket", get(friends::join))
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            guard::guard,
        ))
        .with_state(Arc::clone(app))
}
