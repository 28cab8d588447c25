//! What the page asks, without a browser; and what no page should ask.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_wasm::rules::answer;

fn ask(request: &Value, body: &str) -> Value {
    let text = format!("{request}\n{body}");
    serde_json::from_slice(&answer(text.as_bytes())).expect("an answer is always JSON")
}

fn value(request: &Value, body: &str) -> Value {
    let answer = ask(request, body);
    assert_eq!(answer["ok"], true, "{request}: {answer}");
    answer["value"].clone()
}

#[test]
fn games_with_variations_survive_the_page() {
    let pgn = "[Event \"?\"]\n\n1. e4 { first } (1. d4 $1 d5 (1... Nf6)) 1... e5 $2 { [%clk 0:01:00] } 2. Nf3 *\n";
    let game = value(&json!({ "op": "read_game" }), pgn)["game"].clone();
    assert_eq!(game["error"], Value::Null);
    assert_eq!(game["nodes"][0]["children"].as_array().unwrap().len(), 2);
    let clocks: Vec<_> = game["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| &node["clock"])
        .collect();
    assert!(clocks.contains(&&json!(60_000)));
    let written = value(&json!({ "op": "write_game", "game": game }), "");
    let again = value(
        &json!({ "op": "read_game" }),
        written["pgn"].as_str().unwrap(),
    )["game"]
        .clone();
    assert_eq!(again["nodes"], game["nodes"]);
}

#[test]
fn a_broken_game_is_read_up_to_its_error() {
    let game = value(&json!({ "op": "read_game" }), "1. e4 e5\n2. Ke3 *")["game"].clone();
    assert_eq!(game["nodes"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&game["error"]["line"], &game["error"]["column"]),
        (&json!(2), &json!(4))
    );
}

#[test]
fn chess960_castling_names_the_rook() {
    let fen = "4k3/8/8/8/8/8/8/RK5R w KQ - 0 1";
    let position = value(&json!({ "op": "position", "fen": fen }), "");
    assert_eq!(position["chess960"], true);
    let moves = position["moves"].as_array().unwrap();
    let castling: Vec<_> = moves
        .iter()
        .filter(|mv| !mv["castling"].is_null())
        .collect();
    assert!(!castling.is_empty());
    for mv in castling {
        assert_eq!(
            mv["uci"].as_str().unwrap()[2..],
            *mv["castling"]["rook_from"].as_str().unwrap()
        );
    }
    let start = value(&json!({ "op": "chess960", "number": 518 }), "");
    assert_eq!(
        start["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn the_editor_hears_everything_that_is_wrong() {
    let setup = json!({ "op": "setup", "pieces": { "e1": "K", "a1": "P" }, "turn": "white", "castling": "K" });
    let checked = value(&setup, "");
    assert_eq!(checked["ok"], false);
    assert!(!checked["problems"].as_array().unwrap().is_empty());
    let setup = json!({ "op": "setup", "pieces": { "e1": "K", "e8": "k", "h1": "R" }, "turn": "white", "castling": "K" });
    let checked = value(&setup, "");
    assert_eq!(
        (&checked["ok"], &checked["fen"]),
        (&json!(true), &json!("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    );
}

#[test]
fn lone_pieces_say_what_blocks_them() {
    let request = json!({ "op": "lone_moves", "pieces": { "e4": "R", "e6": "P", "c4": "n" }, "square": "e4" });
    let moves = value(&request, "");
    assert_eq!(moves["captures"], json!(["c4"]));
    let blocked: Vec<_> = moves["blocked"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &at["square"])
        .collect();
    assert!(blocked.contains(&&json!("e6")) && blocked.contains(&&json!("a4")));
}

#[test]
fn a_review_judges_by_evaluations() {
    let evals = json!([
        { "eval": { "cp": 20 }, "best": ["e2e4"], "depth": 10 },
        { "eval": { "cp": -300 }, "best": ["e7e5"], "depth": 10 }
    ]);
    let review = value(&json!({ "op": "review", "evals": evals }), "1. g4 *");
    assert_eq!(review["moves"][0]["judgement"], "blunder");
    assert_eq!(review["worst"]["white"]["name"], "1. g4??");
}

#[test]
fn a_tree_that_bites_its_tail_is_written_once() {
    let nodes =
        json!([{ "id": 0, "children": [1, 1] }, { "id": 1, "uci": "e2e4", "children": [0, 1] }]);
    let written = value(
        &json!({ "op": "write_game", "game": { "nodes": nodes } }),
        "",
    );
    assert!(written["pgn"].as_str().unwrap().contains("1. e4"));
}

const OPERATIONS: [&str; 15] = [
    "position",
    "play",
    "why",
    "why_no_moves",
    "line",
    "null_move",
    "opening",
    "chess960",
    "setup",
    "lone_moves",
    "games",
    "read_game",
    "write_game",
    "review",
    "nothing",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _: Value = serde_json::from_slice(&answer(&bytes)).unwrap();
    }

    #[test]
    fn no_fields_make_it_panic(
        op in 0..OPERATIONS.len(),
        fen in "[rnbqkpRNBQKP1-8/ wbKQkqHAha0-9-]{0,80}",
        moves in prop::collection::vec("[a-i][0-9][a-h][1-9][qrbnk]?|0000|", 0..6),
        text in "\\PC{0,12}",
        square in "[a-i][0-9]",
        letter in any::<char>(),
        number: u16,
        body in "[1-9. a-hNBRQKxO+#=()\\[\\]{}%\"\n$*-]{0,80}",
    ) {
        let mut pieces = serde_json::Map::new();
        pieces.insert(square.clone(), json!(letter.to_string()));
        let request = json!({
            "op": OPERATIONS[op], "fen": fen, "moves": moves, "move": text, "square": square, "number": number,
            "pieces": pieces, "turn": text, "castling": fen, "en_passant": square, "halfmove_clock": number,
            "fullmove_number": number, "game": { "nodes": [{ "id": 0, "children": [1] }, { "id": 1, "uci": text }] },
            "evals": [{ "eval": { "cp": i32::MIN }, "best": moves }, { "eval": { "mate": i32::MIN } }],
        });
        ask(&request, &body);
    }
}
