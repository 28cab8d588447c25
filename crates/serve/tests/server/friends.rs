use serde_json::json;

use crate::client::{Socket, TestServer};

/// Reads states until one fits.
fn until(page: &mut Socket, fits: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    loop {
        let state = page.wait_for("state");
        if fits(&state) {
            return state;
        }
    }
}

#[test]
fn two_pages_play_a_game() {
    let server = TestServer::start();
    let setup = json!({ "color": "white", "clock": { "base": 600_000, "increment": 0 } });
    let invitation = server.post("/api/friends", &setup).json();
    // Nobody else could follow a link to this computer.
    assert_eq!(invitation["link"], json!(null));
    let id = invitation["id"].as_str().unwrap();
    let path = format!(
        "/api/friends/{id}/socket?seat={}",
        invitation["seat"].as_str().unwrap()
    );
    let mut white = server.socket(&path);
    let state = white.wait_for("state");
    assert_eq!(
        (state["you"].as_str(), state["running"].as_str()),
        (Some("white"), None)
    );

    // A second page of the same player, and a move.
    let mut again = server.socket(&path);
    white.send(&json!({ "type": "move", "uci": "e2e4", "ply": 0 }));
    until(&mut again, |state| state["moves"] == json!(["e2e4"]));
    white.send(&json!({ "type": "move", "uci": "d2d4", "ply": 1 }));
    assert_eq!(white.wait_for("error")["message"], "It is not your turn.");
    white.send(&json!({ "type": "resign" }));
    let end = until(&mut again, |state| !state["end"].is_null());
    assert_eq!(end["end"]["result"], "0-1");
}

#[test]
fn strangers_get_no_seat() {
    let server = TestServer::start();
    let invitation = server
        .post("/api/friends", &json!({ "color": "random" }))
        .json();
    let id = invitation["id"].as_str().unwrap();
    let upgrade = [
        "Connection: Upgrade, close",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    for path in [
        format!("/api/friends/{id}/socket?seat=0"),
        "/api/friends/x/socket?seat=0".into(),
    ] {
        let response = server.request(&format!("GET {path}"), &upgrade, "");
        assert_eq!(response.status, 404, "{path}");
    }
}
