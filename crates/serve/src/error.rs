//! Refusals as JSON.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tabiya_wasm::Problem;

/// Why a request is refused: a status, and a sentence for people.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) problem: Problem,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, phrase: &str) -> Self {
        Self {
            status,
            problem: Problem::new(phrase),
        }
    }
}

/// A request that is well formed, but not possible in chess.
impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            problem,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            error: &'a Problem,
        }
        let body = serde_json::to_vec(&Body {
            error: &self.problem,
        });
        let head = [(CONTENT_TYPE, "application/json")];
        (self.status, head, body.unwrap_or_default()).into_response()
    }
}
