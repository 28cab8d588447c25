use serde_json::json;
use tabiya_serve::ServeOptions;

use crate::client::{TestServer, options};

#[test]
fn a_search_reports_and_ends_with_its_best_move() {
    let server = TestServer::start();
    let mut page = server.socket("/api/engine");
    assert_eq!(page.receive()["engine"]["kind"], "native");
    page.send(&json!({ "type": "think", "id": 1, "limits": { "depth": 6 }, "multipv": 2 }));
    let mut ranks = Vec::new();
    let best = loop {
        let message = page.receive();
        assert_eq!(message["id"], 1);
        match message["type"].as_str() {
            Some("info") => ranks.push(message["info"]["multipv"].as_u64().unwrap()),
            _ => break message,
        }
    };
    assert_eq!(best["type"], "best");
    assert!(best["uci"].is_string());
    assert!(ranks.contains(&1) && ranks.contains(&2));
}

#[test]
fn a_new_request_replaces_the_one_before() {
    let server = TestServer::start();
    let mut page = server.socket("/api/engine");
    page.wait_for("ready");
    page.send(&json!({ "type": "think", "id": 1 }));
    page.wait_for("info");
    page.send(&json!({ "type": "think", "id": 2, "limits": { "depth": 3 } }));
    // The first request's best move is stale, and never arrives.
    let best = page.wait_for("best");
    assert_eq!(best["id"], 2);
}

#[test]
fn a_search_without_limits_can_be_stopped() {
    let server = TestServer::start();
    let mut page = server.socket("/api/engine");
    page.send(&json!({ "type": "think", "id": 7 }));
    page.wait_for("info");
    page.send(&json!({ "type": "stop", "id": 7 }));
    assert_eq!(page.wait_for("best")["id"], 7);
}

#[test]
fn the_engine_stops_when_the_page_leaves() {
    // There is one engine: the second page gets it only if the first one's search has ended.
    let server = TestServer::with(ServeOptions {
        engines: 1,
        ..options()
    });
    let mut first = server.socket("/api/engine");
    first.send(&json!({ "type": "think", "id": 1 }));
    first.wait_for("info");
    drop(first);
    let mut second = server.socket("/api/engine");
    second.send(&json!({ "type": "think", "id": 1, "limits": { "depth": 3 } }));
    second.wait_for("best");
}

#[test]
fn a_page_is_told_when_all_engines_are_busy() {
    let server = TestServer::with(ServeOptions {
        engines: 1,
        ..options()
    });
    let mut first = server.socket("/api/engine");
    first.send(&json!({ "type": "think", "id": 1 }));
    first.wait_for("info");
    let mut second = server.socket("/api/engine");
    second.send(&json!({ "type": "think", "id": 1 }));
    let refused = second.wait_for("error");
    assert_eq!(
        refused["message"],
        "All engines are busy; try again in a moment."
    );
}

#[test]
fn nonsense_is_answered_with_an_error() {
    let server = TestServer::start();
    let mut page = server.socket("/api/engine");
    for message in [
        json!(null),
        json!({ "type": "dance", "id": 1 }),
        json!({ "type": "think", "id": 1, "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }),
        json!({ "type": "think", "id": 2, "moves": ["e2e5"] }),
        json!({ "type": "think", "id": 3, "level": 99 }),
    ] {
        page.send(&message);
        page.wait_for("error");
    }
    page.send(&json!({ "type": "think", "id": 4, "limits": { "depth": 2 } }));
    page.wait_for("best");
}
