//! Entering moves: every kind, every spelling, every error.

use crate::{at, boards, expect_last, game, session, session_with};

const COLUMN: &str = "Error: Out of bounds column option\n";
const ERROR: &str = "Error. Try again\n";

#[test]
fn accepts_squares_on_one_line_or_two() {
    for typed in [
        "e2 e4",
        "e2\ne4",
        "E2\nE4",
        "E2 e4",
        "  e2   e4  ",
        "e2e4",
        "e2\n e4\r",
    ] {
        let printed = game(typed);
        expect_last(&printed, &[("e2", "  "), ("e4", "wP")]);
        assert_eq!(boards(&printed).len(), 2, "{typed:?}");
        assert!(!printed.contains("Error"), "{printed}");
    }
}

#[test]
fn errors_are_reported_and_change_nothing() {
    for (typed, columns, errors) in [
        ("i2", 1, 0),
        ("z9", 1, 0),
        ("e2\ni4", 1, 0),
        ("e2 z4", 1, 0),
        ("é4", 1, 0),
        // Not a row, not a square, not text.
        ("e9", 0, 1),
        ("e0", 0, 1),
        ("22", 0, 1),
        ("e", 0, 1),
        ("", 0, 1),
        ("hello", 0, 1),
        ("e2 e4 e5", 0, 1),
        ("e2\n", 0, 1),
        ("e2\ne4 e5", 0, 1),
        // An empty square, the opponent's piece.
        ("e4", 0, 1),
        ("e4 e5", 0, 1),
        ("e7", 0, 1),
        ("e7 e5", 0, 1),
        // Illegal moves.
        ("e2 e5", 0, 1),
        ("e2\ne5", 0, 1),
        ("e1 g1", 0, 1),
        ("h1 e1", 0, 1),
        ("a1 a3", 0, 1),
        ("e2 e2", 0, 1),
    ] {
        let printed = game(typed);
        assert_eq!(
            printed.matches(COLUMN).count(),
            columns,
            "{typed:?}: {printed}"
        );
        assert_eq!(
            printed.matches(ERROR).count(),
            errors,
            "{typed:?}: {printed}"
        );
        assert_eq!(boards(&printed).len(), 1, "{typed:?}: {printed}");
        // Asks the same player again.
        assert_eq!(
            printed.matches("Player 1 pick your piece: ").count(),
            2,
            "{typed:?}"
        );
        let after = game(&format!("{typed}\ne2 e4"));
        expect_last(&after, &[("e4", "wP"), ("e7", "bP"), ("e1", "wK")]);
    }
}

#[test]
fn moves_may_not_expose_the_own_king() {
    // The queen on h5 pins the pawn on f7.
    let printed = game("e2 e4\ne7 e5\nd1 h5\nf7 f6");
    assert_eq!(printed.matches(ERROR).count(), 1, "{printed}");
    // A move that ignores a check is illegal.
    let printed = game("e2 e4\nf7 f6\nd1 h5\na7 a6\ng7 g6");
    assert!(printed.contains("Player 2 is in check.\n"), "{printed}");
    assert_eq!(printed.matches(ERROR).count(), 1, "{printed}");
    expect_last(&printed, &[("a7", "bP"), ("g6", "bP")]);
}

#[test]
fn explain_gives_the_reason() {
    let options = || tabiya_classics::herochess::Options {
        explain: true,
        ..crate::options()
    };
    for (typed, reason) in [
        ("c1 e3", "the pawn on d2 is in the way"),
        ("e7 e5", "the pawn on e7 is Black's, but it's White's turn"),
        ("e4", "there is no piece on e4"),
        (
            "h1 e1",
            "the king can't castle because the bishop on f1 is in the way",
        ),
    ] {
        let printed = session_with(options(), &format!("1\n{typed}\nq\nn\n4\n"));
        let expected = format!("{ERROR}({reason})\n");
        assert!(printed.contains(&expected), "{printed}");
    }
}

/// Moves after which both sides can castle on both sides.
const OPEN: &str = "e2 e4\ne7 e5\ng1 f3\ng8 f6\nf1 e2\nf8 e7\nd2 d4\nd7 d5\nc1 e3\nc8 e6\n\
                    b1 c3\nb8 c6\nd1 d2\nd8 d7";

#[test]
fn castling_can_be_entered_in_three_ways() {
    for (white, black) in [
        ("e1 g1", "e8 g8"),
        ("e1 h1", "e8 h8"),
        ("h1 e1", "h8 e8"),
        ("e1\nh1", "h8\ne8"),
    ] {
        let printed = game(&format!("{OPEN}\n{white}\n{black}"));
        let expected = [
            ("g1", "wK"),
            ("f1", "wR"),
            ("e1", "  "),
            ("h1", "  "),
            ("g8", "bK"),
            ("f8", "bR"),
            ("e8", "  "),
            ("h8", "  "),
            ("a1", "wR"),
        ];
        expect_last(&printed, &expected);
        assert!(!printed.contains("Error"), "{printed}");
    }
    for (white, black) in [("e1 c1", "e8 c8"), ("e1 a1", "e8 a8"), ("a1 e1", "a8 e8")] {
        let printed = game(&format!("{OPEN}\n{white}\n{black}"));
        let expected = [
            ("c1", "wK"),
            ("d1", "wR"),
            ("a1", "  "),
            ("e1", "  "),
            ("c8", "bK"),
            ("d8", "bR"),
            ("a8", "  "),
            ("e8", "  "),
        ];
        expect_last(&printed, &expected);
        assert!(!printed.contains("Error"), "{printed}");
    }
}

#[test]
fn illegal_castling_is_rejected() {
    // After the king has moved, entered in any of the three ways.
    for asked in ["e1 g1", "e1 h1", "h1 e1"] {
        let there_and_back = "e1 f1\na7 a6\nf1 e1\na6 a5";
        let printed = game(&format!("{OPEN}\n{there_and_back}\n{asked}"));
        assert_eq!(printed.matches(ERROR).count(), 1, "{asked}: {printed}");
        expect_last(&printed, &[("e1", "wK"), ("h1", "wR")]);
    }
}

#[test]
fn en_passant_only_at_once() {
    let printed = game("e2 e4\na7 a6\ne4 e5\nd7 d5\ne5 d6");
    expect_last(&printed, &[("d6", "wP"), ("d5", "  "), ("e5", "  ")]);
    assert!(
        printed.contains("8 | bR | bN | bB | bQ | bK | bB | bN | bR |   bP\n"),
        "{printed}"
    );
    // One move later the right is gone.
    let printed = game("e2 e4\na7 a6\ne4 e5\nd7 d5\nh2 h3\nh7 h6\ne5 d6");
    assert_eq!(printed.matches(ERROR).count(), 1, "{printed}");
}

/// A white pawn is about to capture on g8.
const PROMOTING: &str = "h2 h4\ng7 g5\nh4 g5\nh7 h6\ng5 h6\na7 a6\nh6 h7\na6 a5";

#[test]
fn promotes_to_each_piece() {
    for (typed, piece) in [
        ("Q", "wQ"),
        ("q", "wQ"),
        ("R", "wR"),
        ("r", "wR"),
        ("B", "wB"),
        ("b", "wB"),
        ("N", "wN"),
        ("n", "wN"),
        // Asks again after anything else.
        ("K\nP\n\nqueen\nx\nN", "wN"),
    ] {
        let printed = game(&format!("{PROMOTING}\nh7 g8\n{typed}"));
        expect_last(&printed, &[("g8", piece), ("h7", "  ")]);
        let asked = printed
            .matches("Promote the pawn to Q, R, B or N: ")
            .count();
        assert_eq!(asked, typed.lines().count(), "{printed}");
        assert_eq!(printed.matches(ERROR).count(), asked - 1, "{printed}");
    }
    // The end of the input quits the game without the move.
    let printed = session(&format!("1\n{PROMOTING}\nh7\ng8\n"));
    expect_last(&printed, &[("h7", "wP"), ("g8", "bN")]);
}

#[test]
fn captured_pieces_stand_beside_the_board_in_order() {
    // Nine captures fill three rows.
    let printed = game(
        "e2 e4\nd7 d5\ne4 d5\nd8 d5\nb1 c3\nd5 g2\nf1 g2\nb8 c6\ng2 c6\nb7 c6\n\
         d1 f3\nc8 g4\nf3 c6\ng4 d7\nc6 a8\nd7 c8\na8 a7\ne7 e5\na7 c7",
    );
    let last = &boards(&printed);
    let last = last.last().unwrap();
    let beside: Vec<&str> = last.iter().map(|row| row[43..].trim_start()).collect();
    assert_eq!(
        beside,
        ["bP wP wP bQ", "bN wB bP bR", "bP bP", "", "", "", "", ""],
        "{printed}"
    );
    assert!(printed.contains("   ----------------------------------------   Captured:\n"));
    assert_eq!(at(last, "c7"), "wQ");
    // Before the first capture there is nothing.
    assert!(
        boards(&printed)[2].iter().all(|row| row.len() == 43),
        "{printed}"
    );
}
