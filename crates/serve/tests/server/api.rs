use serde_json::json;

use crate::client::TestServer;

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

#[test]
fn positions_have_their_legal_moves() {
    let server = TestServer::start();
    let answer = server
        .post("/api/position", &json!({ "moves": ["e2e4", "e7e5"] }))
        .json();
    assert_eq!(answer["moves"].as_array().unwrap().len(), 29);
    assert_eq!(answer["opening"]["name"], "King's Pawn Game");
    let refused = server.post("/api/position", &json!({ "moves": ["e2e5"] }));
    assert_eq!(refused.status, 422);
    assert!(
        refused.message().starts_with("1. e2e5: "),
        "{}",
        refused.message()
    );
}

#[test]
fn illegal_moves_have_reasons() {
    let server = TestServer::start();
    let answer = server.post("/api/why", &json!({ "move": "f1c4" })).json();
    assert_eq!(answer["message"], "The pawn on e2 is in the way.");
    assert_eq!(answer["squares"], json!(["e2"]));
    let refused = server.post("/api/play", &json!({ "move": "f1c4" }));
    assert_eq!(
        (refused.status, refused.message()),
        (422, "The pawn on e2 is in the way.".into())
    );
}

#[test]
fn the_engine_answers_scripts() {
    let server = TestServer::start();
    let line = json!({ "fen": MATE_IN_ONE, "limits": { "depth": 4 } });
    assert_eq!(server.post("/api/best", &line).json()["san"], "Rd8#");
    let analysis = json!({ "limits": { "depth": 4 }, "multipv": 2 });
    let lines = server.post("/api/analyse", &analysis).json();
    assert_eq!(lines["lines"].as_array().unwrap().len(), 2);
    let mate = server
        .post("/api/mate", &json!({ "fen": MATE_IN_ONE, "mate": 2 }))
        .json();
    assert_eq!(
        (mate["verdict"].as_str(), mate["moves"].as_u64()),
        (Some("mate"), Some(1))
    );
    let hint = server
        .post("/api/hint", &json!({ "fen": MATE_IN_ONE }))
        .json();
    assert_eq!(hint["san"], "Rd8#");
    let stalemate = json!({ "fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" });
    assert_eq!(
        server.post("/api/best", &stalemate).json()["uci"],
        json!(null)
    );
    assert_eq!(
        server.post("/api/best", &json!({ "fen": "8/8" })).status,
        422
    );
    assert_eq!(
        server.post("/api/best", &json!({ "level": 11 })).status,
        422
    );
}

#[test]
fn pgn_is_checked_with_line_and_column() {
    let server = TestServer::start();
    let answer = server.post(
        "/api/pgn",
        &json!({ "pgn": "1. e4 e5 2. Nf3 *\n\n1. e4 e5\n2. Ke3 *\n" }),
    );
    let games = answer.json()["games"].clone();
    assert_eq!(games[0]["error"], json!(null));
    assert_eq!(games[1]["error"]["line"], 4);
    assert_eq!(games[1]["error"]["column"], 4);
}
