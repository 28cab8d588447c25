//! `tabiya why`.

use crate::{CHESS960, error_message, json, output, printed, text};

/// The reason why a move is illegal.
#[track_caller]
fn illegal(arguments: &[&str]) -> String {
    let output = output(&[&["why"], arguments].concat());
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert_eq!(text(&output.stderr), "");
    let said = text(&output.stdout);
    let reason = said.strip_prefix("Illegal: ").expect(&said);
    reason.trim_end().trim_end_matches('.').to_owned()
}

/// The description of a legal move.
#[track_caller]
fn legal(arguments: &[&str]) -> String {
    let said = printed(&[&["why"], arguments].concat());
    let description = said.strip_prefix("Legal: ").expect(&said);
    description.trim_end().trim_end_matches('.').to_owned()
}

#[test]
fn legal_moves_are_described() {
    assert_eq!(legal(&["g1f3"]), "the knight moves from g1 to f3");
    let fen = "1n2k3/P7/8/2pP4/8/8/8/R3K2R w KQ c6 0 2";
    for (mv, description) in [
        ("a7a8q", "the pawn moves from a7 to a8 and becomes a queen"),
        (
            "a7xb8=N",
            "the pawn on a7 captures the knight on b8 and becomes a knight",
        ),
        (
            "d5c6",
            "the pawn on d5 captures the pawn on c5 en passant and lands on c6",
        ),
        (
            "O-O",
            "White castles kingside: the king moves from e1 to g1 and the rook moves from h1 to f1",
        ),
        (
            "e1c1",
            "White castles queenside: the king moves from e1 to c1 and the rook moves from a1 to d1",
        ),
        ("h1h8", "the rook moves from h1 to h8, with check"),
    ] {
        assert_eq!(legal(&[fen, mv]), description);
    }
    assert_eq!(
        legal(&["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"]),
        "the rook moves from a1 to a8: checkmate"
    );
    assert_eq!(
        legal(&["7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7"]),
        "the queen moves from f2 to f7: stalemate"
    );
}

#[test]
fn refusals_name_the_rule() {
    assert_eq!(
        illegal(&["e2e5"]),
        "pawns move one square forward, or two from their starting square"
    );
    assert_eq!(illegal(&["f1c4"]), "the pawn on e2 is in the way");
    assert_eq!(illegal(&["e4e5"]), "there is no piece on e4");
    assert_eq!(
        illegal(&["e7e5"]),
        "the pawn on e7 is Black's, but it's White's turn"
    );
    assert_eq!(
        illegal(&["r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1", "O-O"]),
        "the king can't castle because the knight on g3 attacks f1"
    );
    assert_eq!(
        illegal(&["4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"]),
        "the pawn promotes on a8: choose a queen, rook, bishop or knight, as in a7a8q"
    );
}

#[test]
fn illegal_castling_is_explained() {
    for (fen, castling, reason) in [
        (
            "4k3/8/8/8/8/8/4K3/7R w - - 0 1",
            "O-O",
            "the king can't castle because it has moved",
        ),
        (
            "4k3/8/8/8/8/8/8/6KR w - - 0 1",
            "0-0",
            "the king can't castle because it has moved",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "O-O",
            "the king can't castle kingside because there is no rook to castle with",
        ),
        (
            "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1",
            "0-0-0",
            "the king can't castle because the rook on a8 has moved",
        ),
        (
            "startpos",
            "o-o-o",
            "the king can't castle because the knight on b1 is in the way",
        ),
    ] {
        assert_eq!(illegal(&[fen, castling]), reason, "{fen}");
    }
}

#[test]
fn castling_of_chess960() {
    let description = "White castles kingside: \
                       the king moves from f1 to g1 and the rook moves from g1 to f1";
    assert_eq!(legal(&[CHESS960, "O-O"]), description);
    assert_eq!(legal(&[CHESS960, "f1g1"]), description);
    assert_eq!(
        legal(&["6k1/8/8/8/8/8/8/R5K1 w A - 0 1", "O-O-O"]),
        "White castles queenside: \
         the king moves from g1 to c1 and the rook moves from a1 to d1"
    );
    assert_eq!(
        legal(&["6k1/8/8/8/8/8/8/6KR w H - 0 1", "O-O"]),
        "White castles kingside: the king stays on g1 and the rook moves from h1 to f1"
    );
}

#[test]
fn a_position_can_be_given_in_many_ways() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let words: Vec<&str> = fen.split(' ').collect();
    let expected = legal(&["--fen", fen, "e1g1"]);
    assert_eq!(legal(&[fen, "e1g1"]), expected);
    assert_eq!(legal(&["e1g1", fen]), expected);
    assert_eq!(legal(&["e1g1", "--fen", fen]), expected);
    assert_eq!(legal(&["e1", "g1", "--fen", fen]), expected);
    assert_eq!(legal(&[&words[..], &["O-O"]].concat()), expected);
    assert_eq!(
        legal(&[&["--fen"], &words[..], &["e1-g1"]].concat()),
        expected
    );
    assert_eq!(legal(&["startpos", "e2-e4"]), legal(&["e2e4"]));
}

#[test]
fn san_is_read_generously() {
    for mv in ["Nf3", "♘f3", "Ng1f3", "Ng1-f3", "1.Nf3!", "Nf3+"] {
        assert_eq!(legal(&[mv]), "the knight moves from g1 to f3", "{mv}");
    }
    let fen = "1n2k3/P7/8/2pP4/8/8/8/R3K2R w KQ c6 0 2";
    assert_eq!(
        legal(&[fen, "axb8=N"]),
        "the pawn on a7 captures the knight on b8 and becomes a knight"
    );
    assert_eq!(
        legal(&[fen, "dxc6 e.p."]),
        "the pawn on d5 captures the pawn on c5 en passant and lands on c6"
    );
    assert_eq!(
        illegal(&["e5"]),
        "pawns move one square forward, or two from their starting square"
    );
    assert_eq!(illegal(&["Ke3"]), "kings move one square in any direction");
    assert!(illegal(&[fen, "a8"]).ends_with("as in a8=Q"));
    assert!(!illegal(&["Bc4"]).is_empty());
    let said = error_message(&["why", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2"]);
    assert!(
        said.contains("more than one knight can move to d2"),
        "{said}"
    );
    assert!(said.contains("say which one, as in Nbd2"), "{said}");
}

#[test]
fn moves_that_cannot_be_read() {
    for mv in ["e9e4", "", "castle", "e2e4e5", "Cf3", "e7e8z", "N"] {
        let error_message = error_message(&["why", mv]);
        assert!(
            error_message.contains("write it like Nf3, exd5 or e8=Q"),
            "{error_message}"
        );
    }
    let said = error_message(&["why", "Cf3"]);
    assert!(said.contains("the letters are P N B R Q K"), "{said}");
    error_message(&["why"]);
    error_message(&["why", "e2", "e3", "e4"]);
}

#[test]
fn colour_adds_a_board() {
    let output = output(&["why", "f1c4", "--color", "always"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains('♝'), "{said}");
    assert!(said.ends_with(" the pawn on e2 is in the way.\n"), "{said}");
}

#[test]
fn as_json() {
    let legal = json(&["why", "--json", "g1f3"]);
    assert_eq!(legal["legal"], true);
    assert_eq!(legal["uci"], "g1f3");
    assert_eq!(legal["sentence"], "the knight moves from g1 to f3");

    let output = output(&["why", "--json", "f1c4"]);
    assert_eq!(output.status.code(), Some(1));
    let refused: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(refused["legal"], false);
    assert!(refused["uci"].is_null());
    assert_eq!(refused["sentence"], "the pawn on e2 is in the way");
    assert_eq!(refused["squares"][0], "e2");
}
