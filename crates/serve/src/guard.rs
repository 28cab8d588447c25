//! Who may use the server: this computer's own page and scripts, and others on the network who have the token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;

/// Scripts, styles and everything else come from this server only. WebAssembly may be compiled.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
     worker-src 'self'; manifest-src 'self'; media-src 'self' data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-embedder-policy"),
        "require-corp",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// The cookie that keeps the token.
const TOKEN_COOKIE: &str = "tabiya-token";

/// Checks a request, passes it on, and adds the headers that every answer has.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(None) => next.run(request).await,
        Ok(Some(redirect)) => redirect,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses a request, or answers it with a redirection that keeps the token in a cookie.
fn check(app: &App, request: &Request) -> Result<Option<Response>, ApiError> {
    let headers = request.headers();
    let host = text(headers, &HOST);
    // A name that someone else's DNS points here is not ours.
    let Some(host) = host.filter(|host| is_own_host(host, app.address)) else {
        return Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this server answers only to its own address",
        ));
    };
    let is_foreign = headers.contains_key(ORIGIN)
        && text(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host);
    let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
    let is_api = request.uri().path().starts_with("/api");
    if is_foreign || is_api && matches!(site, Some("cross-site" | "same-site")) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "pages of other sites cannot use this server",
        ));
    }
    match &app.token {
        None => Ok(None),
        Some(token) => check_token(token, request),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a `Host` header names this server: an address of this computer with the port.
fn is_own_host(host: &str, own: SocketAddr) -> bool {
    let port = own.port();
    let with_port = |name: &str| host.eq_ignore_ascii_case(&format!("{name}:{port}"));
    let is_default_port = port == 80 && !host.ends_with(']') && !host.contains(':');
    if with_port("localhost") || is_default_port && host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let address = match host.parse::<SocketAddr>() {
        Ok(address) if address.port() == port => address.ip(),
        Err(_) if port == 80 => match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => address,
            Err(_) => return false,
        },
        _ => return false,
    };
    // A server that listens on all addresses is reached by any of them; a numeric address cannot be redirected by DNS.
    address == own.ip() || address.is_loopback() || own.ip().is_unspecified()
}

fn check_token(token: &str, request: &Request) -> Result<Option<Response>, ApiError> {
    let headers = request.headers();
    let is_token = |given: &str| same(given, token);
    let bearer = text(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    if bearer.is_some_and(is_token)
        || cookies.any(|(name, value)| name == TOKEN_COOKIE && is_token(value))
    {
        return Ok(None);
    }
    let uri = request.uri();
    let in_address = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .any(|(name, value)| name == "token" && is_token(value));
    if in_address && request.method() == Method::GET {
        // The token leaves the address bar, where it would be copied by accident.
        let cookie = format!("{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax");
        let head = [(LOCATION, uri.path().to_owned()), (SET_COOKIE, cookie)];
        return Ok(Some((StatusCode::SEE_OTHER, head).into_response()));
    }
    Err(ApiError::new(
        StatusCode::UNAUTHORIZED,
        "this board needs the link with its token: ask the person who started it",
    ))
}

/// Compares two texts in constant time.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_addresses_are_hosts() {
        let local: SocketAddr = "127.0.0.1:8064".parse().unwrap();
        for host in [
            "127.0.0.1:8064",
            "localhost:8064",
            "LOCALHOST:8064",
            "[::1]:8064",
        ] {
            assert!(is_own_host(host, local), "{host}");
        }
        for host in [
            "evil.example:8064",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:8064",
            "192.168.0.7:8064",
            "",
            "localhost",
        ] {
            assert!(!is_own_host(host, local), "{host}");
        }
        let open: SocketAddr = "0.0.0.0:8064".parse().unwrap();
        assert!(is_own_host("192.168.0.7:8064", open));
        assert!(!is_own_host("evil.example:8064", open));
    }
}
