//! Bodies in JSON.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The largest body: a PGN of many games.
const MAX_PGN: usize = 16 << 20;
/// The largest body of other requests.
const MAX_BODY: usize = 256 << 10;

/// A body in JSON of any kind.
pub(crate) struct Json<T, const LIMIT: usize = MAX_BODY>(pub(crate) T);

/// A body that may hold a PGN.
pub(crate) type PgnJson<T> = Json<T, MAX_PGN>;

impl<T: DeserializeOwned, S: Sync, const LIMIT: usize> FromRequest<S> for Json<T, LIMIT> {
    type Rejection = ApiError;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, ApiError> {
        let headers = request.headers();
        if !is_json(headers) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "send JSON, with the header Content-Type: application/json",
            ));
        }
        let too_large = || {
            let most = LIMIT >> 10;
            let phrase = format!("the body is larger than {most} KB, the most that is accepted");
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, &phrase)
        };
        let length = headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if let Some(length) = length.filter(|&length| length > LIMIT as u64) {
            // Some clients read the answer only after they have sent everything.
            if length <= 4 * LIMIT as u64 {
                let _ = to_bytes(request.into_body(), 4 * LIMIT).await;
            }
            return Err(too_large());
        }
        let bytes = to_bytes(request.into_body(), LIMIT)
            .await
            .map_err(|_| too_large())?;
        let value = serde_json::from_slice(&bytes).map_err(|error| {
            let phrase = format!("unexpected JSON: {error}");
            ApiError::new(StatusCode::BAD_REQUEST, &phrase)
        })?;
        Ok(Self(value))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Text that is already JSON.
pub(crate) fn raw(text: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Writes a value as JSON.
pub(crate) fn respond<T: Serialize>(value: &T) -> Response {
    raw(serde_json::to_vec(value).unwrap_or_default())
}
