use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{TestServer, stand_in};

const KING_AND_PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[test]
fn the_explorer_says_what_was_played() {
    let server = TestServer::with_archive("games");
    assert_eq!(server.get("/api").json()["archive"], "games");
    let answer = server.post("/api/explore", &json!({})).json();
    assert_eq!(answer["moves"][0]["san"], "e4");
    assert_eq!(answer["moves"][0]["average_rating"], 2345);
    // The stand-in answers with the number of the move: the moves of the line are played.
    for (line, number) in [
        (json!({ "moves": ["e2e4"] }), 1),
        (json!({ "moves": ["e2e4", "e7e5"] }), 2),
        (
            json!({ "fen": KING_AND_PAWN, "moves": ["e2e4", "e8e7", "e4e5", "e7e6"] }),
            3,
        ),
    ] {
        let answer = server.post("/api/explore", &line).json();
        assert_eq!(answer["games"], number, "{line}");
        assert_eq!(answer["moves"], json!([]));
    }
    let refused = server.post("/api/explore", &json!({ "moves": ["e2e5"] }));
    assert_eq!(refused.status, 422);
}

#[test]
fn without_an_archive_there_is_no_explorer() {
    let server = TestServer::start();
    assert_eq!(server.get("/api").json()["archive"], Value::Null);
    let refused = server.post("/api/explore", &json!({}));
    assert_eq!(refused.status, 404);
    assert_eq!(
        refused.message(),
        "No archive is open: start the server with tabiya serve --archive FOLDER."
    );
}

/// Only the command line chooses the archive.
#[test]
fn a_page_cannot_choose_the_archive() {
    for server in [TestServer::start(), TestServer::with_archive("games")] {
        let before = server.get("/api").json()["archive"].clone();
        let line = json!({ "archive": "/etc", "folder": "/etc", "moves": ["e2e4"] });
        server.post("/api/explore?archive=/etc", &line);
        assert_eq!(server.get("/api").json()["archive"], before);
    }
    // Nor can it smuggle another question into the line that the program reads.
    let server = TestServer::with_archive("games");
    for fen in [
        "8/8",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 7",
    ] {
        let refused = server.post("/api/explore", &json!({ "fen": fen }));
        assert_eq!(refused.status, 422, "{fen:?}");
    }
    assert_eq!(
        server
            .post("/api/explore", &json!({ "moves": ["e2e4", "e7e5"] }))
            .json()["games"],
        2
    );
}

#[test]
fn strangers_cannot_explore() {
    let server = TestServer::with_archive("games");
    let json = "Content-Type: application/json";
    let foreign = server.request(
        "POST /api/explore",
        &[json, "Origin: http://evil.example"],
        "{}",
    );
    assert_eq!(foreign.status, 403);
    let form = server.request("POST /api/explore", &["Content-Type: text/plain"], "{}");
    assert_eq!(form.status, 415);
    assert_eq!(server.request("GET /api/explore", &[], "").status, 405);
}

#[test]
fn a_program_that_fails_is_reported_and_started_again() {
    let server = TestServer::with_archive("once");
    for number in [1, 2] {
        let failed = server.post("/api/explore", &json!({}));
        assert_eq!(failed.status, 500);
        assert_eq!(
            failed.message(),
            "The archive cannot be read: tabiya-archive ended before it answered."
        );
        let line = json!({ "fen": format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}") });
        assert_eq!(server.post("/api/explore", &line).json()["games"], number);
    }
    let server = TestServer::with_archive("damaged");
    let failed = server.post("/api/explore", &json!({}));
    assert_eq!(
        (failed.status, failed.message()),
        (
            500,
            "The archive cannot be read: explorer is damaged.".into()
        )
    );
}

/// The stand-in never answers for this position.
const HANGING: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 99";

#[test]
fn a_program_that_hangs_is_given_up_and_started_again() {
    let explorer = stand_in("hangs").with_limit(Duration::from_millis(200));
    let server = TestServer::with_explorer(explorer);
    let failed = server.post("/api/explore", &json!({ "fen": HANGING }));
    assert_eq!(
        (failed.status, failed.message()),
        (
            504,
            "The archive cannot be read: tabiya-archive did not answer within 0.2 s.".into()
        )
    );
    // On a busy machine it may take several tries to start within the limit.
    let answer = loop {
        let answer = server.post("/api/explore", &json!({ "fen": KING_AND_PAWN }));
        if answer.status == 200 {
            break answer;
        }
        assert_eq!(answer.status, 504);
    };
    assert_eq!(answer.json()["games"], 1);
}

#[test]
fn a_program_that_hangs_blocks_no_other_request() {
    let explorer = stand_in("hangs").with_limit(Duration::from_secs(3600));
    let server = TestServer::with_explorer(explorer);
    // More pages wait for the archive than the server has threads, and none of them gets an answer.
    let mut waiting: Vec<TcpStream> = Vec::new();
    for _ in 0..64 {
        let mut page = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let body = json!({ "fen": HANGING }).to_string();
        let (host, length) = (server.host(), body.len());
        let head = format!(
            "POST /api/explore HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        write!(page, "{head}\r\n\r\n{body}").unwrap();
        waiting.push(page);
    }
    for _ in 0..20 {
        let position = server.post("/api/position", &json!({ "moves": ["e2e4"] }));
        assert_eq!(position.json()["turn"], "black");
    }
    let pgn = server.post("/api/pgn", &json!({ "pgn": "1. e4 e5 *" }));
    assert_eq!(pgn.json()["games"][0]["plies"], 2);
    let best = server.post("/api/best", &json!({ "limits": { "depth": 2 } }));
    assert_eq!(best.status, 200);
    for page in &waiting {
        page.set_nonblocking(true).unwrap();
        let answered = page.peek(&mut [0]);
        assert_eq!(
            answered.unwrap_err().kind(),
            std::io::ErrorKind::WouldBlock,
            "nobody can have answered"
        );
    }
}

#[test]
fn many_pages_are_answered_each_with_its_own_position() {
    let server = TestServer::with_archive("games");
    std::thread::scope(|scope| {
        for page in 0..8 {
            let server = &server;
            scope.spawn(move || {
                for round in 0..5 {
                    let number = 1 + page * 10 + round;
                    let line = json!({ "fen": format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}") });
                    let answer = server.post("/api/explore", &line).json();
                    assert_eq!(answer["games"], number);
                }
            });
        }
    });
}
