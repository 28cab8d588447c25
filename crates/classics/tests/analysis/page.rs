//! The specification of analysis, case by case.

use std::io::{self, BufReader, Read};

use tabiya_classics::analysis::read_game;

use crate::{answer, text};

/// Checks games and their outputs. Adds a line feed to each line.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (game, wanted) in cases {
        assert_eq!(text(&format!("{game}\n")), *wanted, "{game:?}");
    }
}

#[test]
fn examples_of_the_specification() {
    check(&[
        ("e4 e5 f3", "game incomplete"),
        ("e4 d5 i4", "parse error at character 'i'"),
        ("e4 d5 ed5", "parse error at character 'd'"),
        ("e4 d5 exd5a5", "parse error at character 'a'"),
        ("e4 e5 d5", "move completion error: white pawn to d5"),
        ("e4 d5 exd5 O-O", "illegal move: black king from e8 to g8"),
        ("f3 e5 g4 Qh4", "black wins by checkmate"),
    ]);
}

#[test]
fn recognises_ends_of_games() {
    check(&[
        ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7", "white wins by checkmate"),
        (
            "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7 Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
            "draw by stalemate",
        ),
        // Fivefold repetition doesn't end the game.
        (
            "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
            "game incomplete",
        ),
        // There are no moves after the end.
        ("f3 e5 g4 Qh4 a3", "illegal move: white pawn from a2 to a3"),
        ("f3 e5 g4 Qh4 a5", "move completion error: white pawn to a5"),
    ]);
}

#[test]
fn accepts_spaces_and_line_ends() {
    for game in [
        "f3 e5 g4 Qh4",
        "f3 e5 g4 Qh4\n",
        "f3 e5 g4 Qh4\r",
        "f3 e5 g4 Qh4\r\n",
        "   f3  e5     g4 Qh4   \n",
        "f3 e5 g4 Qh4 \r\nnonsense",
        "f3 e5 g4 Qh4\nnonsense\n",
        "f3 e5 g4 Qh4\rnonsense\n",
    ] {
        assert_eq!(text(game), "black wins by checkmate", "{game:?}");
    }
    for nothing in ["", "\n", "\r", "\r\n", " ", "    \n", "\ne4", " \r x"] {
        assert_eq!(text(nothing), "game incomplete", "{nothing:?}");
    }
    // Other white space is an error.
    assert_eq!(text("e4\te5\n"), "parse error at character '\t'");
    assert_eq!(text("\u{a0}e4\n"), "parse error at character '\u{a0}'");
    assert_eq!(text("e4\u{b}\n"), "parse error at character '\u{b}'");
}

/// The error names the character after an incomplete move.
#[test]
fn incomplete_moves_are_parse_errors() {
    for start in [
        "e", "ex", "exd", "N", "Nx", "Ng", "N1", "e8=", "O", "O-", "O-O-", "0-",
    ] {
        for (end, wanted) in [(" e5\n", " "), ("\n", "\n"), ("\r\n", "\r"), ("", "\n")] {
            assert_eq!(
                text(&format!("{start}{end}")),
                format!("parse error at character '{wanted}'"),
                "{start:?} {end:?}"
            );
        }
    }
}

#[test]
fn parse_errors_name_the_character() {
    check(&[
        ("P", "parse error at character 'P'"),
        ("Pe4", "parse error at character 'P'"),
        ("E4", "parse error at character 'E'"),
        ("nf3", "parse error at character 'n'"),
        ("e9", "parse error at character '9'"),
        ("e0", "parse error at character '0'"),
        ("e2e4", "parse error at character 'e'"),
        ("e2-e4", "parse error at character '-'"),
        ("e4+", "parse error at character '+'"),
        ("e4!", "parse error at character '!'"),
        ("Nf3#", "parse error at character '#'"),
        ("Nf33", "parse error at character '3'"),
        ("Nf3xe5+", "parse error at character '+'"),
        ("Nf3=Q", "parse error at character '='"),
        ("Zf3", "parse error at character 'Z'"),
        ("1. e4", "parse error at character '1'"),
        ("1.e4", "parse error at character '1'"),
        ("e4 e5 1-0", "parse error at character '1'"),
        ("e4 e5 *", "parse error at character '*'"),
        ("e4 e5 0-1", "parse error at character '1'"),
        ("e8=K", "parse error at character 'K'"),
        ("e8=P", "parse error at character 'P'"),
        ("e8=q", "parse error at character 'q'"),
        ("e8Q", "parse error at character 'Q'"),
        ("exd8=QQ", "parse error at character 'Q'"),
        ("O-O-O-O", "parse error at character '-'"),
        ("O-0", "parse error at character '0'"),
        ("OO", "parse error at character 'O'"),
        ("o-o", "parse error at character 'o'"),
        ("O-O+", "parse error at character '+'"),
        ("e4,e5", "parse error at character ','"),
        ("e4.", "parse error at character '.'"),
        ("--", "parse error at character '-'"),
        ("♘f3", "parse error at character '♘'"),
        ("eé", "parse error at character 'é'"),
        ("e4\u{0}", "parse error at character '\u{0}'"),
        ("e4\u{1b}[31m", "parse error at character '\u{1b}'"),
        ("'", "parse error at character '''"),
        (&"a".repeat(100_000), "parse error at character 'a'"),
        (&"é".repeat(100_000), "parse error at character 'é'"),
    ]);
}

/// Bytes that are not UTF-8 are printed as they are.
#[test]
fn invalid_utf8_is_a_parse_error() {
    for (game, wanted) in [
        (&b"\xff"[..], b'\xff'),
        (b"e4 e5\xfe\n", b'\xfe'),
        (b"N\x80f3", b'\x80'),
        (b"e\xc3", b'\xc3'),
        (b"e\xc3 ", b'\xc3'),
        // An earlier error comes first.
        (b"exx\xff", b'x'),
    ] {
        let line = [&b"parse error at character '"[..], &[wanted], b"'"].concat();
        assert_eq!(answer(game), line, "{game:?}");
    }
}

#[test]
fn finds_the_piece_that_moves() {
    check(&[
        ("Nc4", "move completion error: white knight to c4"),
        ("Qd3", "move completion error: white queen to d3"),
        ("Ke2", "move completion error: white king to e2"),
        ("e5", "move completion error: white pawn to e5"),
        ("e2", "move completion error: white pawn to e2"),
        ("exd3", "move completion error: white pawn to d3"),
        ("exe3", "move completion error: white pawn to e3"),
        ("Nxf3", "move completion error: white knight to f3"),
        ("Nbf3", "move completion error: white knight to f3"),
        ("Nb1f3", "move completion error: white knight to f3"),
        ("N2f3", "move completion error: white knight to f3"),
        // Unnecessary files and ranks.
        ("Nbc3 Nb8c6 N1f3", "game incomplete"),
        ("Ng1f3 a6 Rh1g1 a5 Rgh1", "game incomplete"),
        // Captures with and without the x.
        ("e4 d5 d5", "move completion error: white pawn to d5"),
        ("e4 d5 exd5 Qd5", "move completion error: black queen to d5"),
        (
            "e4 d5 exd5 Qxd5 Nc3 Qd8xd5",
            "move completion error: black queen to d5",
        ),
        // Two knights can reach d2; the file says which.
        (
            "Nf3 a6 d3 a5 Nd2",
            "move completion error: white knight to d2",
        ),
        ("Nf3 a6 d3 a5 Nbd2", "game incomplete"),
        ("Nf3 a6 d3 a5 N1d2", "game incomplete"),
    ]);
}

#[test]
fn pinned_pieces_still_make_a_move_ambiguous() {
    let pinned = |mv: &str| text(&format!("e4 e5 Nf3 Nc6 Bb5 d6 {mv}"));
    assert_eq!(
        pinned("O-O Nb4"),
        "illegal move: black knight from c6 to b4"
    );
    assert_eq!(
        pinned("O-O Nce7"),
        "illegal move: black knight from c6 to e7"
    );
    assert_eq!(pinned("O-O Nge7"), "game incomplete");
    // Both knights can reach e7, but one of them is pinned.
    assert_eq!(
        pinned("O-O Ne7"),
        "move completion error: black knight to e7"
    );
    assert_eq!(
        pinned("Nxe5 Ne7"),
        "move completion error: black knight to e7"
    );
}

#[test]
fn king_may_not_be_left_in_check() {
    check(&[
        // Still in check; moving into check; kings side by side.
        (
            "e4 e5 Qh5 Nc6 Qxf7 a6",
            "illegal move: black pawn from a7 to a6",
        ),
        ("e4 e5 Qh5 Nc6 Qxf7 Kxf7", "game incomplete"),
        ("e4 f6 Qh5 Kf7", "illegal move: black king from e8 to f7"),
        ("e4 f5 Qh5 a6", "illegal move: black pawn from a7 to a6"),
        ("e4 f5 Qh5 Kf7", "illegal move: black king from e8 to f7"),
    ]);
}

#[test]
fn castling_conditions() {
    check(&[
        ("e4 e5 Nf3 Nf6 Be2 Be7 O-O 0-0", "game incomplete"),
        (
            "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O 0-0-0",
            "game incomplete",
        ),
        ("O-O", "illegal move: white king from e1 to g1"),
        ("O-O-O", "illegal move: white king from e1 to c1"),
        ("a3 0-0-0", "illegal move: black king from e8 to c8"),
        // The king has moved and come back, or stands elsewhere.
        (
            "e4 e5 Nf3 a6 Be2 a5 Kf1 a4 Ke1 a3 O-O",
            "illegal move: white king from e1 to g1",
        ),
        (
            "e4 e5 Nf3 a6 Be2 a5 Kf1 a4 O-O",
            "illegal move: white king from e1 to g1",
        ),
        // The rook has moved; the king is in check; the king would cross an attacked square.
        (
            "e4 e5 Nf3 a6 Be2 a5 Rg1 a4 Rh1 a3 O-O",
            "illegal move: white king from e1 to g1",
        ),
        (
            "e4 e6 d4 d5 Nf3 a6 Bd3 Bb4 O-O",
            "illegal move: white king from e1 to g1",
        ),
        (
            "e4 b6 Nf3 Ba6 d3 h6 g3 h5 Bh3 Bxd3 O-O",
            "illegal move: white king from e1 to g1",
        ),
        // Castling cannot be written as a king's move.
        (
            "e4 e5 Nf3 Nf6 Be2 Be7 Kg1",
            "move completion error: white king to g1",
        ),
    ]);
}

#[test]
fn en_passant_captures() {
    check(&[
        ("e4 a6 e5 d5 exd6", "game incomplete"),
        ("e4 a6 e5 d6 exd6", "game incomplete"),
        // A move too late; without the x.
        (
            "e4 a6 e5 d5 a3 a5 exd6",
            "move completion error: white pawn to d6",
        ),
        ("e4 a6 e5 d5 d6", "move completion error: white pawn to d6"),
        // The capture would expose the king on b5.
        (
            "e4 e5 Ke2 a6 Kd3 a5 Kc4 a4 Kb5 Qg5 d4 h6 dxe5 Qf5 a3 f6 b3 d5 exd6",
            "illegal move: white pawn from e5 to d6",
        ),
    ]);
}

#[test]
fn promotions_must_be_complete() {
    let before_promotion = |mv: &str| text(&format!("a4 b5 axb5 a6 bxa6 Bb7 axb7 h6 {mv}"));
    for mv in ["bxa8=Q", "bxa8=R", "bxa8=B", "bxa8=N"] {
        assert_eq!(before_promotion(mv), "game incomplete");
    }
    assert_eq!(
        before_promotion("bxa8"),
        "illegal move: white pawn from b7 to a8"
    );
    assert_eq!(
        before_promotion("b8=Q"),
        "move completion error: white pawn to b8"
    );
    check(&[
        ("e4=Q", "illegal move: white pawn from e2 to e4"),
        ("e3=N", "illegal move: white pawn from e2 to e3"),
        ("e8=Q", "move completion error: white pawn to e8"),
    ]);
}

/// Moves are read and played one after the other.
#[test]
fn reports_the_first_error() {
    check(&[
        ("e4 O-O nonsense", "illegal move: black king from e8 to g8"),
        ("e4 d5 d5 !", "move completion error: white pawn to d5"),
        ("e4 ! d5 O-O", "parse error at character '!'"),
        // A parse error in a move comes before its illegality.
        ("e4 Qd4!", "parse error at character '!'"),
    ]);
}

/// Reading stops at the first error.
#[test]
fn stops_reading_endless_input() {
    let spaces = BufReader::new("e4 d4".as_bytes().chain(io::repeat(b'x')));
    assert_eq!(answer(spaces), b"parse error at character 'x'");
    let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(1_000) + "Ke2";
    assert_eq!(text(&knights), "move completion error: white king to e2");
}

#[test]
fn read_errors_are_reported() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let mut input = BufReader::new("e4 e5 ".as_bytes().chain(Broken));
    assert_eq!(read_game(&mut input).unwrap_err().to_string(), "broken");
}
