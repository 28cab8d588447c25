//! `tabiya board`.

use crate::{CHESS960, KIWIPETE, START, error_message, json, printed, tabiya, text};

const START_DRAWN: &str = "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  P P P P P P P P
1  R N B Q K B N R
   a b c d e f g h

White to move
Castling: White on both sides; Black on both sides
FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
";

#[test]
fn in_a_pipe_it_is_drawn_with_letters() {
    assert_eq!(printed(&["board"]), START_DRAWN);
    assert_eq!(printed(&["board", "--fen", "startpos"]), START_DRAWN);
    assert_eq!(printed(&["board", "--fen", START]), START_DRAWN);
}

#[test]
fn flipped() {
    let printed = printed(&["board", "--flip"]);
    assert!(
        printed.starts_with("1  R N B K Q B N R\n2  P P"),
        "{printed}"
    );
    assert!(printed.contains("\n   h g f e d c b a\n"), "{printed}");
}

#[test]
fn with_colour_the_squares_are_painted() {
    let printed = printed(&["board", "--color", "always"]);
    assert!(printed.contains("\u{1b}[48;5;"), "{printed}");
    assert_eq!(printed.matches('♟').count(), 16);
    assert_eq!(printed.matches('♚').count(), 2);
    // Outlined figures are never used.
    assert!(!printed.contains('♙'));
}

#[test]
fn without_colours_the_pieces_are_letters() {
    for colourless in [
        &["board", "--color", "never"][..],
        &["board", "--color", "auto"],
        &["board", "--color", "always", "--ascii"],
        &["board", "--ascii"],
    ] {
        assert_eq!(printed(colourless), START_DRAWN, "{colourless:?}");
    }
}

#[test]
fn color_variables_of_the_environment() {
    let with = |variable: &str, arguments: &[&str]| {
        let output = tabiya(arguments).env(variable, "1").output().unwrap();
        text(&output.stdout)
    };
    assert_eq!(with("NO_COLOR", &["board"]), START_DRAWN);
    let forced = with("CLICOLOR_FORCE", &["board"]);
    assert!(forced.contains('\u{1b}'), "{forced}");
    // The command line overrides the environment.
    let asked = with("NO_COLOR", &["board", "--color=always"]);
    assert!(asked.contains('\u{1b}'), "{asked}");
    let asked = with("CLICOLOR_FORCE", &["board", "--color=never"]);
    assert_eq!(asked, START_DRAWN);
}

/// The lines below the board.
fn said(fen: &str) -> String {
    let printed = printed(&["board", fen]);
    let (_, said) = printed.split_once("\n\n").unwrap();
    let (said, repeated) = said.split_once("FEN: ").unwrap();
    assert_eq!(repeated.trim_end(), fen);
    said.to_owned()
}

#[test]
fn the_position_is_described() {
    assert_eq!(
        said("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
        "Checkmate: Black wins\nCheck from the queen on h4\n\
         Castling: White on both sides; Black on both sides\n"
    );
    assert_eq!(
        said("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        "Draw: Black is stalemated\nCastling: neither side\n"
    );
    assert_eq!(
        said("7k/8/6K1/8/8/8/8/5B2 b - - 0 1"),
        "Draw: neither side has enough pieces to give mate\nCastling: neither side\n"
    );
    assert_eq!(
        said("7k/8/6K1/8/8/8/8/5R2 w - - 150 100"),
        "Draw: 75 moves by each side without a capture or a pawn move\n\
         Castling: neither side\n"
    );
    assert_eq!(
        said("7k/8/8/6K1/8/8/8/5R2 w - - 100 100"),
        "White to move\nWhite can claim a draw by the fifty-move rule\n\
         Castling: neither side\n"
    );
    assert_eq!(
        said("4k3/8/5N2/8/8/8/8/K3R3 b - - 0 1"),
        "Black to move\nCheck from the rook on e1 and the knight on f6\n\
         Castling: neither side\n"
    );
    assert_eq!(
        said("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w Kq f6 0 3"),
        "White to move\nCastling: White kingside; Black queenside\n\
         En passant: on f6\n"
    );
    assert_eq!(
        said("1r3kr1/8/8/8/8/8/8/1R3KR1 w KQq - 0 1"),
        "White to move\nCastling: White with the rooks on b1 and g1; Black with the rook on b8\n"
    );
}

#[test]
fn json_of_the_starting_position() {
    let facts = json(&["board", "--json"]);
    assert_eq!(facts["fen"], START);
    assert_eq!(facts["key"], "463b96181691fc9c");
    assert_eq!(facts["turn"], "white");
    assert_eq!(facts["pieces"].as_object().unwrap().len(), 32);
    assert_eq!(facts["pieces"]["e1"], "K");
    assert_eq!(facts["pieces"]["d8"], "q");
    assert_eq!(facts["castling"]["white"]["king"], "h1");
    assert_eq!(facts["castling"]["black"]["queen"], "a8");
    assert!(facts["en_passant"].is_null());
    assert_eq!(facts["halfmove_clock"], 0);
    assert_eq!(facts["fullmove_number"], 1);
    assert_eq!(facts["check"], false);
    assert!(facts["outcome"].is_null());
    assert!(facts["claim"].is_null());
    assert_eq!(facts["legal_moves"], 20);
}

#[test]
fn json_of_other_positions() {
    assert_eq!(json(&["board", "--json", KIWIPETE])["legal_moves"], 48);
    let facts = json(&["board", "--json", CHESS960]);
    assert_eq!(facts["castling"]["white"]["king"], "g1");
    assert_eq!(facts["castling"]["black"]["queen"], "b8");

    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let facts = json(&["board", "--json", mate]);
    assert_eq!(facts["check"], true);
    assert_eq!(facts["checkers"][0], "h4");
    assert_eq!(facts["outcome"]["result"], "0-1");
    assert_eq!(facts["outcome"]["reason"], "checkmate");
    assert_eq!(facts["outcome"]["winner"], "black");

    let facts = json(&["board", "--json", "7k/8/8/6K1/8/8/8/5R2 w - - 100 100"]);
    assert_eq!(facts["claim"], "fifty moves");
    let facts = json(&["board", "--json", "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2"]);
    assert_eq!(facts["en_passant"], "c6");
}

#[test]
fn json_conflicts_with_drawing_options() {
    error_message(&["board", "--json", "--flip"]);
    error_message(&["board", "--json", "--ascii"]);
}

/// Puzzles use positions that no game leads to; the commands that look at a position take them.
#[test]
fn positions_that_no_game_leads_to_get_a_remark() {
    let fen = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    let remark =
        "No game leads to this position: White has more pieces than promotions can explain.\n";
    for (arguments, expected) in [
        (&["board"][..], fen),
        (&["moves", "--json"], "\"count\":270"),
        (&["perft", "1"], "nodes: 270"),
        (&["analyse", "--depth", "2"], " mates"),
        (&["mate", "1"], "mate in 1"),
    ] {
        let arguments = [arguments, &["--fen", fen]].concat();
        let output = tabiya(&arguments).output().unwrap();
        let (printed, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert!(errors.starts_with(remark), "{arguments:?}: {errors}");
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
    // A game is read again from its PGN, so it needs a position that a game leads to.
    assert!(error_message(&["play", "--fen", fen]).contains("promotions can explain"));
}
