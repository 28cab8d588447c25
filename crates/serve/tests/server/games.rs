use serde_json::{Value, json};

use crate::client::{TestServer, folder};

fn game(moves: &[&str]) -> Value {
    json!({
        "start": null,
        "moves": moves,
        "white": { "kind": "person", "name": "Ada" },
        "black": { "kind": "computer", "level": 3 },
        "clock": { "base": 300_000, "increment": 2_000 },
        "remaining": { "white": 298_000, "black": 301_000 },
        "end": null,
    })
}

#[test]
fn a_game_survives_a_restart_of_the_server() {
    let folder = folder("restart");
    let server = TestServer::with_folder(folder.clone());
    let saved = server.send("PUT /api/games/mine", &game(&["e2e4", "e7e5"]));
    assert_eq!(saved.status, 200);
    drop(server);

    let server = TestServer::with_folder(folder.clone());
    let games = server.get("/api/games").json()["games"].clone();
    assert_eq!(games[0]["moves"], json!(["e2e4", "e7e5"]));
    assert_eq!(games[0]["black"], json!({ "kind": "computer", "level": 3 }));
    // The page goes on, under its own name for the game, and there is still one.
    let saved = server
        .send("PUT /api/games/mine", &game(&["e2e4", "e7e5", "g1f3"]))
        .json();
    assert_eq!(saved["moves"].as_array().unwrap().len(), 3);
    assert_eq!(saved["remaining"]["white"], 298_000);
    // Or another page, under the server's name.
    let id = games[0]["id"].as_str().unwrap();
    let line = format!("PUT /api/games/{id}");
    server.send(&line, &game(&["e2e4", "e7e5", "g1f3", "b8c6"]));
    let games = server.get("/api/games").json()["games"].clone();
    assert_eq!(games.as_array().unwrap().len(), 1);
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 4);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn takebacks_and_new_games_are_followed() {
    let folder = folder("takeback");
    let server = TestServer::with_folder(folder.clone());
    for moves in [
        &["e2e4", "e7e5", "g1f3", "b8c6"][..],
        &["e2e4", "e7e5"],
        &["e2e4", "e7e5", "f2f4"],
        &["d2d4"],
        &[],
    ] {
        let saved = server.send("PUT /api/games/mine", &game(moves)).json();
        assert_eq!(saved["moves"], json!(moves));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn finished_games_go_to_the_collection() {
    let folder = folder("finish");
    let server = TestServer::with_folder(folder.clone());
    let mut resigned = game(&["e2e4", "e7e5"]);
    resigned["end"] = json!({ "kind": "resigned", "loser": "white" });
    let saved = server.send("PUT /api/games/one", &resigned).json();
    assert_eq!(saved["end"]["result"], "0-1");
    let mate = game(&["f2f3", "e7e5", "g2g4", "d8h4"]);
    let saved = server.send("PUT /api/games/two", &mate).json();
    assert_eq!(saved["end"]["result"], "0-1");
    assert_eq!(server.get("/api/games").json()["games"], json!([]));
    let collection = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert!(collection.contains("Qh4#"), "{collection}");
    assert_eq!(collection.matches("[Result \"0-1\"]").count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn games_can_be_deleted() {
    let folder = folder("delete");
    let server = TestServer::with_folder(folder.clone());
    let created = server.post("/api/games", &game(&["e2e4"]));
    assert_eq!(created.status, 201);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let line = format!("DELETE /api/games/{id}");
    assert_eq!(server.request(&line, &[], "").status, 204);
    assert_eq!(server.request(&line, &[], "").status, 404);
    assert_eq!(server.get("/api/games").json()["games"], json!([]));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn impossible_games_are_refused() {
    let server = TestServer::start();
    assert_eq!(
        server.send("PUT /api/games/x", &game(&["e2e5"])).status,
        422
    );
    let mut level = game(&[]);
    level["black"]["level"] = json!(11);
    assert_eq!(server.send("PUT /api/games/x", &level).status, 422);
    assert_eq!(server.send("PUT /api/games/x", &json!({})).status, 400);
}
