use serde_json::json;

use std::net::IpAddr;
use std::path::PathBuf;

use tabiya_serve::ServeOptions;

use crate::client::{Socket, TestServer, folder, options};

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

/// A server that others on the network can reach, and that keeps its games.
fn open_with_folder(folder: PathBuf) -> TestServer {
    TestServer::with(ServeOptions {
        host: IpAddr::from([0, 0, 0, 0]),
        folder: Some(folder),
        ..options()
    })
}

/// The path of the socket for the friend who gets the link.
fn path_of(link: &str) -> String {
    let (_, address) = link.split_once("#/play?game=").unwrap();
    let (id, seat) = address.split_once("&seat=").unwrap();
    format!("/api/friends/{id}/socket?seat={seat}")
}

#[test]
fn a_game_and_its_links_survive_a_restart() {
    let folder = folder("friends-restart");
    let server = open_with_folder(folder.clone());
    let token = server.token().to_owned();
    let bearer = format!("Authorization: Bearer {token}");
    let setup =
        json!({ "color": "white", "clock": { "base": 600_000, "increment": 2000 } }).to_string();
    let headers = [bearer.as_str(), "Content-Type: application/json"];
    let invitation = server.request("POST /api/friends", &headers, &setup).json();
    let (id, seat) = (&invitation["id"], &invitation["seat"]);
    let mine = format!(
        "/api/friends/{}/socket?seat={}",
        id.as_str().unwrap(),
        seat.as_str().unwrap()
    );
    let theirs = path_of(invitation["link"].as_str().unwrap());
    // A second game that nobody has come to yet.
    let waiting = server.request("POST /api/friends", &headers, &setup).json();
    let waiting = path_of(waiting["link"].as_str().unwrap());

    let mut white = server.socket_with(&mine, &bearer);
    let mut black = server.socket_with(&theirs, &bearer);
    white.send(&json!({ "type": "move", "uci": "e2e4", "ply": 0 }));
    until(&mut black, |state| state["moves"] == json!(["e2e4"]));
    black.send(&json!({ "type": "move", "uci": "c7c5", "ply": 1 }));
    until(&mut white, |state| {
        state["moves"] == json!(["e2e4", "c7c5"])
    });
    drop((white, black, server));

    let server = open_with_folder(folder.clone());
    assert_eq!(server.token(), token, "the links contain the token");
    let mut white = server.socket_with(&mine, &bearer);
    let state = white.wait_for("state");
    assert_eq!(state["moves"], json!(["e2e4", "c7c5"]));
    assert_eq!(state["you"], "white");
    assert_eq!(
        state["clock"],
        json!({ "base": 600_000, "increment": 2000 })
    );
    // The clock stands still until both are back.
    assert_eq!(state["running"], json!(null));
    let mut black = server.socket_with(&theirs, &bearer);
    until(&mut black, |state| state["running"] == "white");
    white.send(&json!({ "type": "move", "uci": "g1f3", "ply": 2 }));
    until(&mut black, |state| {
        state["moves"] == json!(["e2e4", "c7c5", "g1f3"])
    });
    let mut guest = server.socket_with(&waiting, &bearer);
    assert_eq!(guest.wait_for("state")["you"], "black");
    guest.send(&json!({ "type": "resign" }));
    until(&mut guest, |state| !state["end"].is_null());

    black.send(&json!({ "type": "resign" }));
    until(&mut white, |state| state["end"]["result"] == "1-0");
    // A rematch at the same table survives, too, with colours swapped.
    black.send(&json!({ "type": "rematch" }));
    until(&mut white, |state| state["rematch_offer"] == "black");
    white.send(&json!({ "type": "rematch" }));
    until(&mut white, |state| {
        state["you"] == "black" && state["end"].is_null()
    });
    drop((white, black, guest, server));
    let server = open_with_folder(folder.clone());
    let mut white = server.socket_with(&mine, &bearer);
    assert_eq!(white.wait_for("state")["you"], "black");
    white.send(&json!({ "type": "resign" }));
    until(&mut white, |state| state["end"]["result"] == "1-0");
    drop((white, server));

    // When all games are over, so are their links.
    let server = open_with_folder(folder.clone());
    assert_ne!(server.token(), token);
    drop(server);
    let games = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert_eq!(games.matches("[Event ").count(), 1, "{games}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_name_of_a_game_leads_out_of_the_folder() {
    let folder = folder("friends-names");
    let server = TestServer::with_folder(folder.clone());
    std::fs::create_dir_all(&folder).unwrap();
    let seats =
        r#"{"seats":["a","b"],"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#;
    std::fs::write(folder.join("outside.json"), seats).unwrap();
    for id in ["..%2Foutside", "%2e%2e%2foutside", "outside"] {
        let upgrade = [
            "Connection: Upgrade, close",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ];
        let path = format!("GET /api/friends/{id}/socket?seat=a");
        assert_eq!(server.request(&path, &upgrade, "").status, 404, "{id}");
    }
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}
