use serde_json::json;
use tabiya_serve::Server;

use crate::client::{TestServer, options};

const JSON: &str = "Content-Type: application/json";
const UPGRADE: [&str; 4] = [
    "Connection: Upgrade, close",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

#[test]
fn foreign_hosts_are_misdirected() {
    let server = TestServer::start();
    for host in ["evil.example", "evil.example:80", "localhost.evil.example"] {
        let header = format!("Host: {host}:{}", server.port);
        for path in ["/", "/api", "/api/games", "/api/engine"] {
            let response = server.request(&format!("GET {path}"), &[&header], "");
            assert_eq!(response.status, 421, "{host} {path}");
        }
    }
    let localhost = format!("Host: localhost:{}", server.port);
    assert_eq!(server.request("GET /", &[&localhost], "").status, 200);
    assert_eq!(server.raw(b"GET / HTTP/1.0\r\n\r\n").status, 421);
}

#[test]
fn foreign_origins_are_refused() {
    let server = TestServer::start();
    let body = json!({}).to_string();
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
    ] {
        let origin = format!("Origin: {origin}");
        let response = server.request("POST /api/position", &[JSON, &origin], &body);
        assert_eq!(response.status, 403, "{origin}");
    }
    let own = format!("Origin: http://{}", server.host());
    let response = server.request("POST /api/position", &[JSON, &own], &body);
    assert_eq!(response.status, 200);
    // A script or an image of another site, which has no Origin.
    let response = server.request("GET /api/games", &["Sec-Fetch-Site: cross-site"], "");
    assert_eq!(response.status, 403);
}

#[test]
fn foreign_pages_get_no_socket() {
    let server = TestServer::start();
    let mut headers = UPGRADE.to_vec();
    headers.push("Origin: http://evil.example");
    assert_eq!(server.request("GET /api/engine", &headers, "").status, 403);
    headers.pop();
    let host = format!("Host: evil.example:{}", server.port);
    headers.push(&host);
    assert_eq!(server.request("GET /api/engine", &headers, "").status, 421);
}

#[test]
fn only_json_is_read() {
    let server = TestServer::start();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let header = format!("Content-Type: {kind}");
        let response = server.request("POST /api/position", &[&header], "{}");
        assert_eq!(response.status, 415, "{kind}");
    }
    assert_eq!(server.request("POST /api/position", &[], "{}").status, 415);
    assert_eq!(
        server.request("POST /api/position", &[JSON], "{").status,
        400
    );
    let charset = "Content-Type: application/json; charset=utf-8";
    assert_eq!(
        server
            .request("POST /api/position", &[charset], "{}")
            .status,
        200
    );
}

#[test]
fn large_bodies_are_refused() {
    let server = TestServer::start();
    let body = json!({ "fen": "x".repeat(300 << 10) }).to_string();
    assert_eq!(
        server.request("POST /api/position", &[JSON], &body).status,
        413
    );
    // Its length is known before it is sent.
    let head = format!(
        "POST /api/pgn HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{JSON}\r\nContent-Length: 99999999999\r\n\r\n",
        server.host()
    );
    assert_eq!(server.raw(head.as_bytes()).status, 413);
}

#[test]
fn every_answer_has_the_headers_that_protect_the_page() {
    let server = TestServer::start();
    for response in [
        server.get("/"),
        server.get("/rules.wasm"),
        server.get("/nothing"),
        server.request("GET /", &["Host: evil.example"], ""),
    ] {
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.starts_with(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"
        ));
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'"));
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(response.header(name), Some(value));
        }
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = TestServer::start();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/api/games/..%2f..%2fgames",
        "/.gitattributes",
    ] {
        let status = server.get(path).status;
        assert!(matches!(status, 404 | 405), "{path}: {status}");
    }
    assert_eq!(
        server
            .request("DELETE /api/games/..%2f..%2fx", &[], "")
            .status,
        404
    );
    assert_eq!(server.request("POST /index.html", &[], "").status, 405);
}

#[test]
fn the_network_needs_the_token() {
    let server = TestServer::open_to_network();
    let token = server.token();
    assert_eq!(token.len(), 32);
    assert_eq!(server.get("/").status, 401);
    assert_eq!(server.get("/api").status, 401);
    assert_eq!(server.get("/?token=0").status, 401);
    assert_eq!(server.request("GET /api/engine", &UPGRADE, "").status, 401);

    let first = server.get(&format!("/?token={token}"));
    assert_eq!(first.status, 303);
    assert_eq!(first.header("location"), Some("/"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=lax"));
    let cookie = format!("Cookie: tabiya-token={token}");
    assert_eq!(server.request("GET /", &[&cookie], "").status, 200);
    let bearer = format!("Authorization: Bearer {token}");
    assert_eq!(server.request("GET /api", &[&bearer], "").status, 200);
    assert_eq!(
        server
            .request("GET /api", &["Cookie: tabiya-token=0"], "")
            .status,
        401
    );
}

#[test]
fn a_busy_port_names_the_remedy() {
    let server = TestServer::start();
    let mut options = options();
    options.port = server.port;
    let error = Server::bind(options).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("port {} is in use", server.port)),
        "{error}"
    );
    assert!(error.contains("--port"), "{error}");
}

#[test]
fn a_page_that_is_unchanged_is_not_sent_again() {
    let server = TestServer::start();
    let first = server.get("/");
    assert_eq!(first.status, 200);
    let tag = format!("If-None-Match: {}", first.header("etag").unwrap());
    let second = server.request("GET /", &[&tag], "");
    assert_eq!((second.status, second.body.len()), (304, 0));
}
