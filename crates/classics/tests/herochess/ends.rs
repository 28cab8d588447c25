//! How games end.

use tabiya_board::{Board, Color};
use tabiya_classics::herochess::ConsoleGame;

use crate::{FOOLS_MATE, boards, expect_last, session};

#[test]
fn checkmate_names_the_winner() {
    let printed = session(&format!("1\n{FOOLS_MATE}\nn\n4\n"));
    assert!(
        printed.contains("Checkmate! Player 2 (Black) wins.\n"),
        "{printed}"
    );
    // The final board is printed, and mate is not announced as check.
    expect_last(&printed, &[("h4", "bQ")]);
    assert_eq!(boards(&printed).len(), 5);
    assert!(!printed.contains("in check"), "{printed}");
    let printed = session("1\ne2 e4\ne7 e5\nf1 c4\nb8 c6\nd1 h5\ng8 f6\nh5 f7\nn\n4\n");
    assert!(
        printed.contains("Checkmate! Player 1 (White) wins.\n"),
        "{printed}"
    );
    // With the colours swapped.
    let printed = session(&format!("3\n1\n2\n4\n1\n{FOOLS_MATE}\nn\n4\n"));
    assert!(
        printed.contains("Checkmate! Player 1 (Black) wins.\n"),
        "{printed}"
    );
}

#[test]
fn stalemate_is_a_draw() {
    let moves = "e2 e3\na7 a5\nd1 h5\na8 a6\nh5 a5\nh7 h5\nh2 h4\na6 h6\na5 c7\nf7 f6\nc7 d7\n\
                 e8 f7\nd7 b7\nd8 d3\nb7 b8\nd3 h7\nb8 c8\nf7 g6\nc8 e6";
    let printed = session(&format!("1\n{moves}\nn\n4\n"));
    assert!(
        printed.contains("The game is a draw: stalemate.\n"),
        "{printed}"
    );
    assert_eq!(printed.matches("is in check.").count(), 1, "{printed}");
}

#[test]
fn threefold_repetition_is_a_draw() {
    let around = "g1 f3\ng8 f6\nf3 g1\nf6 g8\n";
    let printed = session(&format!("1\n{around}{around}n\n4\n"));
    assert!(
        printed.contains("The game is a draw: the same position for the third time.\n"),
        "{printed}"
    );
    assert!(printed.ends_with("Choose Option: \n"), "{printed}");
}

#[test]
fn other_draws_end_the_game() {
    let end = |fen: &str| {
        let board: Board = fen.parse().unwrap();
        let end = ConsoleGame::new(board).end();
        end.map(|end| (end.to_string(), end.winner()))
    };
    let draw = |reason: &str| Some((reason.to_owned(), None));
    assert_eq!(
        end("8/8/4k3/8/8/4KB2/8/8 w - - 0 1"),
        draw("neither side has enough pieces to give mate")
    );
    assert_eq!(end("8/8/4k3/8/8/4KR2/8/8 w - - 99 80"), None);
    assert_eq!(
        end("8/8/4k3/8/8/4KR2/8/8 w - - 100 80"),
        draw("fifty moves without a capture or a pawn move")
    );
    // Checkmate takes precedence over the fifty-move rule.
    assert_eq!(
        end("4k2R/8/4K3/8/8/8/8/8 b - - 100 80"),
        Some(("checkmate".to_owned(), Some(Color::White)))
    );
}
