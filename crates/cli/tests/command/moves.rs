//! `tabiya moves`.

use crate::{CHESS960, KIWIPETE, error_message, json, printed};

#[test]
fn grouped_by_piece() {
    let printed = printed(&["moves"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[..3], ["Nb1: Na3 Nc3", "Ng1: Nf3 Nh3", "a2: a3 a4"]);
    assert_eq!(lines[10], "White has 20 legal moves.");
    assert_eq!(lines.len(), 11);
}

#[test]
fn the_king_first_with_castling_and_captures_marked() {
    let printed = printed(&["moves", "--fen", KIWIPETE]);
    assert!(
        printed.starts_with("Ke1: Kd1 Kf1 O-O-O O-O\nQf3:"),
        "{printed}"
    );
    assert!(
        printed.contains("\nNe5: Nd3 Nc4 Ng4 Nc6 Nxg6 Nxd7 Nxf7\n"),
        "{printed}"
    );
    assert!(
        printed.ends_with("\nWhite has 48 legal moves.\n"),
        "{printed}"
    );
}

#[test]
fn promotions_and_en_passant() {
    let fen = "1n2k3/P7/8/2pP4/8/8/8/4K3 w - c6 0 2";
    assert_eq!(
        printed(&["moves", fen, "a7"]),
        "a7: a8=Q a8=R a8=B a8=N axb8=Q+ axb8=R+ axb8=B axb8=N\n"
    );
    assert_eq!(printed(&["moves", fen, "d5"]), "d5: d6 dxc6\n");
}

#[test]
fn one_legal_move() {
    let printed = printed(&["moves", "7k/8/5K1R/8/8/8/8/8 b - - 0 1"]);
    assert_eq!(printed, "Kh8: Kg8\nBlack has 1 legal move.\n");
}

#[test]
fn no_legal_move_at_all() {
    assert_eq!(
        printed(&["moves", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]),
        "Black has no legal moves and is not in check: stalemate, a draw.\n"
    );
    assert_eq!(
        printed(&["moves", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]),
        "Black is in check and has no legal moves: checkmate, White wins.\n"
    );
}

#[test]
fn a_piece_without_moves_has_a_reason() {
    for (fen, square, reason) in [
        ("startpos", "e4", "There is no piece on e4."),
        (
            "startpos",
            "e7",
            "The pawn on e7 is Black's, but it's White's turn.",
        ),
        (
            "startpos",
            "a1",
            "The rook on a1 can't move: your own knight on b1 and pawn on a2 are in the way.",
        ),
        (
            "startpos",
            "e1",
            "The king on e1 can't move: your own queen on d1, bishop on f1, pawn on d2, \
             pawn on e2 and pawn on f2 are in the way.",
        ),
        (
            "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1",
            "e4",
            "The pawn on e4 can't move: the pawn on e5 blocks the pawn; pawns capture only diagonally.",
        ),
        (
            "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1",
            "e2",
            "The pawn on e2 can't move: your own pawn on e3 is in the way.",
        ),
        (
            "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1",
            "c3",
            "The knight on c3 can't move: the knight on c3 is pinned to the king on e1 by the bishop on b4.",
        ),
        (
            "4k3/8/8/8/7q/8/N7/4K3 w - - 0 1",
            "a2",
            "The knight on a2 can't move: the king on e1 is in check from the queen on h4, \
             and the knight can neither capture it nor block the check.",
        ),
        (
            "4r1k1/8/8/8/7b/8/8/R3K3 w - - 0 1",
            "a1",
            "The rook on a1 can't move: the king on e1 is in double check, \
             so only the king can move.",
        ),
    ] {
        let said = printed(&["moves", "--fen", fen, square]);
        assert_eq!(said.trim_end(), reason);
    }
    let said = printed(&["moves", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "h8"]);
    assert_eq!(
        said.trim_end(),
        "The king on h8 can't move: the king on g6 would attack the king on g7; \
         the king on g6 would attack the king on h7; \
         the queen on f7 would attack the king on g8. It's stalemate: a draw."
    );
}

#[test]
fn uci_for_scripts() {
    let printed = printed(&["moves", "--uci"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[..3], ["a2a3", "a2a4", "b1a3"]);
    assert_eq!(crate::printed(&["moves", "--uci", "g1"]), "g1f3\ng1h3\n");
    assert_eq!(crate::printed(&["moves", "--uci", "a1"]), "");
    let castles = crate::printed(&["moves", "--uci", KIWIPETE, "e1"]);
    assert_eq!(castles, "e1c1\ne1d1\ne1f1\ne1g1\n");
    let promotions = crate::printed(&["moves", "--uci", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7"]);
    assert_eq!(promotions, "a7a8b\na7a8n\na7a8q\na7a8r\n");
}

#[test]
fn chess960_castling_differs_from_a_king_move() {
    let printed = printed(&["moves", "--uci", CHESS960, "f1"]);
    assert_eq!(printed, "f1b1\nf1e1\nf1g1\n");
    let step = "5k2/8/8/8/8/8/8/5K1R w K - 0 1";
    let printed = crate::printed(&["moves", "--uci", step, "f1"]);
    assert_eq!(printed, "f1e1\nf1e2\nf1f2\nf1g1\nf1g2\nf1h1\n");
    let grouped = crate::printed(&["moves", step, "f1"]);
    assert_eq!(grouped, "Kf1: Ke1 Kg1 Ke2 Kf2 Kg2 O-O+\n");
}

#[test]
fn as_json() {
    let listing = json(&["moves", "--json", KIWIPETE]);
    assert_eq!(listing["fen"], KIWIPETE);
    assert_eq!(listing["count"], 48);
    assert_eq!(listing["moves"].as_array().unwrap().len(), 48);
    let castle = listing["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|mv| mv["uci"] == "e1g1")
        .unwrap();
    assert_eq!(castle["castling"], "O-O");
    assert_eq!(castle["san"], "O-O");
    assert_eq!(castle["role"], "king");
    let capture = json(&[
        "moves",
        "--json",
        "1n2k3/P7/8/2pP4/8/8/8/4K3 w - c6 0 2",
        "d5",
    ]);
    assert_eq!(capture["count"], 2);
    let capture = &capture["moves"][1];
    assert_eq!(capture["captures"], "pawn");
    assert_eq!(capture["en_passant"], true);
    let none = json(&["moves", "--json", "a1"]);
    assert_eq!(none["count"], 0);
    assert!(none["reason"].as_str().unwrap().contains("in the way"));
}

#[test]
fn colour_adds_a_board() {
    let plain = printed(&["moves", "g1"]);
    let painted = printed(&["moves", "g1", "--color", "always"]);
    assert!(!plain.contains('♞'));
    assert!(painted.contains('♞'));
    assert!(painted.ends_with(": Nf3 Nh3\n"), "{painted}");
}

#[test]
fn not_a_square() {
    let error_message = error_message(&["moves", "e9"]);
    assert!(
        error_message
            .contains("a square is a letter from a to h and a digit from 1 to 8, as in e4"),
        "{error_message}"
    );
}
