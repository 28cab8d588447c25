//! The opening explorer of the archive that the command line named.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use tabiya_explorer::{Explorer, ExplorerError};
use tabiya_wasm::Line;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::app::App;
use crate::error::ApiError;
use crate::json::{Json, respond};

/// The explorer that all pages share: one question at a time, because one program answers them.
#[derive(Debug)]
pub(crate) struct SharedExplorer {
    /// The name of the archive's folder. Pages must not learn its path.
    pub(crate) name: String,
    /// How long a request waits for the answers to others.
    limit: Duration,
    explorer: Arc<Mutex<Explorer>>,
}

impl SharedExplorer {
    pub(crate) fn new(explorer: Explorer) -> Self {
        let folder = explorer.folder();
        // `.` and `..` have no name of their own.
        let named = folder.canonicalize();
        let named = named.as_deref().unwrap_or(folder).file_name();
        let name = named.map_or("archive".into(), |name| name.to_string_lossy());
        Self {
            name: tabiya_notation::printable(&name),
            limit: explorer.limit(),
            explorer: Arc::new(Mutex::new(explorer)),
        }
    }
}

/// `POST /api/explore`: what was played in a position.
pub(crate) async fn explore(
    State(app): State<Arc<App>>,
    Json(line): Json<Line>,
) -> Result<Response, ApiError> {
    let Some(shared) = app.explorer() else {
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "no archive is open: start the server with tabiya serve --archive FOLDER",
        ));
    };
    let board = *line.history()?.board();
    // Waiting takes no thread, and a page that has moved on stops waiting.
    let waiting = timeout(shared.limit, Arc::clone(&shared.explorer).lock_owned());
    let Ok(mut explorer) = waiting.await else {
        return Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the archive is busy with other positions; try again in a moment",
        ));
    };
    match spawn_blocking(move || explorer.explore(&board)).await {
        Ok(Ok(explored)) => Ok(respond(&explored)),
        Ok(Err(error)) => {
            let status = match error {
                ExplorerError::TooSlow(_) => StatusCode::GATEWAY_TIMEOUT,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            let phrase = format!("the archive cannot be read: {error}");
            Err(ApiError::new(status, &phrase))
        }
        Err(_) => Err(ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the explorer failed; please report this with what you sent",
        )),
    }
}
