//! The API for scripts. It gives the same answers as the page gets.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabiya_wasm::engine::{
    EngineRequest, EngineResponse, HintRequest, LimitsMessage, MateRequest, SearchInfoMessage,
    ThinkRequest,
};
use tabiya_wasm::{Line, rules};
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::engines::StopOnDrop;
use crate::error::ApiError;
use crate::json::{Json, PgnJson, raw, respond};

/// The longest search of a request, in milliseconds, and the usual one.
const MAX_MOVETIME: u64 = 60_000;
const DEFAULT_MOVETIME: u64 = 1_000;

/// `GET /api`: what there is.
pub(crate) async fn about(State(app): State<Arc<App>>) -> Response {
    #[derive(Serialize)]
    struct About<'a> {
        name: &'static str,
        version: &'static str,
        engine: tabiya_wasm::engine::EngineDescription,
        /// The name of the archive, if one is open.
        archive: Option<&'a str>,
        requests: [&'static str; 11],
    }
    respond(&About {
        name: "Tabiya",
        version: env!("CARGO_PKG_VERSION"),
        engine: app.engines.description(),
        archive: app.explorer().map(|explorer| explorer.name.as_str()),
        requests: [
            "POST /api/position",
            "POST /api/play",
            "POST /api/why",
            "POST /api/line",
            "POST /api/pgn",
            "POST /api/best",
            "POST /api/analyse",
            "POST /api/hint",
            "POST /api/mate",
            "POST /api/explore",
            "GET /api/games",
        ],
    })
}

type Answer = Result<Response, ApiError>;

fn ask(op: &str, request: &Value) -> Answer {
    Ok(raw(rules::call(op, request.to_string().as_bytes(), b"")?))
}

/// `POST /api/position`: a position with its legal moves.
pub(crate) async fn position(Json(request): Json<Value>) -> Answer {
    ask("position", &request)
}

/// `POST /api/play`: a move in any notation.
pub(crate) async fn play(Json(request): Json<Value>) -> Answer {
    ask("play", &request)
}

/// `POST /api/why`: what a move does, or why it is illegal.
pub(crate) async fn why(Json(request): Json<Value>) -> Answer {
    ask("why", &request)
}

/// `POST /api/line`: a line in SAN.
pub(crate) async fn line(Json(request): Json<Value>) -> Answer {
    ask("line", &request)
}

#[derive(Deserialize)]
pub(crate) struct PgnRequest {
    pgn: String,
}

/// `POST /api/pgn`: the games of a PGN, and what is wrong with them.
pub(crate) async fn pgn(Json(request): PgnJson<PgnRequest>) -> Answer {
    let work = spawn_blocking(move || rules::call("games", b"{}", request.pgn.as_bytes()));
    match work.await {
        Ok(answer) => Ok(raw(answer?)),
        Err(_) => Err(failed()),
    }
}

fn failed() -> ApiError {
    ApiError::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the request failed; please report this with what you sent",
    )
}

/// A search without limits would run for ever: a request cannot be stopped.
fn limited(limits: LimitsMessage) -> LimitsMessage {
    let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.clock.is_some();
    let usual = if is_limited {
        MAX_MOVETIME
    } else {
        DEFAULT_MOVETIME
    };
    LimitsMessage {
        movetime: Some(limits.movetime.unwrap_or(usual).min(MAX_MOVETIME)),
        ..limits
    }
}

/// Runs a request on an engine, and returns its reports and its last answer. Stops it if the client goes away.
async fn run(
    app: &App,
    request: EngineRequest,
) -> Result<(Vec<SearchInfoMessage>, EngineResponse), ApiError> {
    #[derive(Default)]
    struct Collected {
        lines: Vec<SearchInfoMessage>,
        last: Option<EngineResponse>,
    }
    let collected = Arc::new(Mutex::new(Collected::default()));
    let stop = StopOnDrop::default();
    let emit = {
        let collected = Arc::clone(&collected);
        move |answer| {
            let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
            match answer {
                EngineResponse::Info { info, .. } => {
                    let index = info.multipv - 1;
                    if index < collected.lines.len() {
                        collected.lines[index] = info;
                    } else {
                        collected.lines.push(info);
                    }
                }
                answer => collected.last = Some(answer),
            }
        }
    };
    app.engines
        .run(app.connection(), request, stop.0.clone(), emit)
        .await
        .map_err(|busy| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, busy.0))?;
    let collected = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    match collected.last {
        Some(EngineResponse::Error { message, .. }) => {
            Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, &message))
        }
        Some(answer) => Ok((collected.lines, answer)),
        None => Err(failed()),
    }
}

/// `POST /api/best`: the best move.
pub(crate) async fn best(
    State(app): State<Arc<App>>,
    Json(mut request): Json<ThinkRequest>,
) -> Answer {
    request.limits = limited(request.limits);
    let (_, answer) = run(&app, EngineRequest::Think(request)).await?;
    match answer {
        EngineResponse::Best { answer, .. } => Ok(respond(&answer)),
        _ => Err(failed()),
    }
}

/// `POST /api/analyse`: the best lines.
pub(crate) async fn analyse(
    State(app): State<Arc<App>>,
    Json(mut request): Json<ThinkRequest>,
) -> Answer {
    #[derive(Serialize)]
    struct Analysis {
        fen: String,
        lines: Vec<SearchInfoMessage>,
    }
    let fen = request.line.history()?.board().to_string();
    request.limits = limited(request.limits);
    let (lines, _) = run(&app, EngineRequest::Think(request)).await?;
    Ok(respond(&Analysis { fen, lines }))
}

/// `POST /api/hint`: a good move, and why it is good.
pub(crate) async fn hint(State(app): State<Arc<App>>, Json(line): Json<Line>) -> Answer {
    let request = HintRequest { id: 0, line };
    match run(&app, EngineRequest::Hint(request)).await? {
        (_, EngineResponse::Hint { answer, .. }) => Ok(respond(&answer)),
        _ => Err(failed()),
    }
}

/// `POST /api/mate`: a proof.
pub(crate) async fn mate(
    State(app): State<Arc<App>>,
    Json(mut request): Json<MateRequest>,
) -> Answer {
    request.nodes = Some(request.nodes.unwrap_or(u64::MAX).min(MAX_PROOF_NODES));
    match run(&app, EngineRequest::Mate(request)).await? {
        (_, EngineResponse::Mate { answer, .. }) => Ok(respond(&answer)),
        _ => Err(failed()),
    }
}

/// The most nodes of a proof: about a minute.
const MAX_PROOF_NODES: u64 = 200_000_000;
