//! Games against the computer.

use std::collections::HashSet;

use tabiya_classics::herochess::Options;

use crate::{boards, expect_last, options, session, session_with};

const UNDO: &str = "Do you want to undo the last move? (Y/N) ";

/// Returns what the computer says about its first move after this input.
fn opening(seed: u64, typed: &str) -> String {
    let options = Options {
        seed: Some(seed),
        ..options()
    };
    let printed = session_with(options, typed);
    let line = printed.lines().find(|line| line.contains("an opening: "));
    let line = line.unwrap_or_else(|| panic!("{printed}"));
    line.to_owned()
}

#[test]
fn first_move_comes_from_the_library() {
    let openings =
        |typed: &str| -> HashSet<String> { (0..40).map(|seed| opening(seed, typed)).collect() };
    let said = |name: &str| format!("Player 2 has chosen an opening: {name}.");
    let white = openings("3\n2\nb\n4\n2\n");
    for name in ["Queen's Gambit", "English Opening"] {
        assert!(white.contains(&said(name)), "{white:?}");
    }
    assert!(openings("2\ne2 e4\n").contains(&said("Sicilian Defence")));
    assert!(openings("2\nd2 d4\n").contains(&said("Dutch Defence")));
    // The same seed gives the same choice.
    assert_eq!(opening(3, "2\ne2 e4\n"), opening(3, "2\ne2 e4\n"));
}

#[test]
fn later_moves_come_from_the_search() {
    let printed = session("2\ne2 e4\nn\ng1 f3\nq\nn\n4\n");
    assert_eq!(printed.matches("an opening: ").count(), 1, "{printed}");
    assert_eq!(
        printed.matches("Player 2 moved from ").count(),
        2,
        "{printed}"
    );
    // No opening of the library fits.
    let printed = session("2\na2 a3\nq\nn\n4\n");
    assert_eq!(printed.matches("an opening: ").count(), 0, "{printed}");
    assert_eq!(
        printed.matches("Player 2 moved from ").count(),
        1,
        "{printed}"
    );
}

#[test]
fn offers_undo_from_the_second_turn_on() {
    let printed = session("2\ne2 e4\n");
    assert_eq!(printed.matches(UNDO).count(), 1, "{printed}");
    let printed = session("2\n");
    assert_eq!(printed.matches(UNDO).count(), 0, "{printed}");
    // Never in a game between two people.
    let printed = session("1\ne2 e4\ne7 e5\ng1 f3\nq\nn\n4\n");
    assert_eq!(printed.matches(UNDO).count(), 0, "{printed}");
}

#[test]
fn undo_takes_both_moves_back() {
    let printed = session("2\ne2 e4\ny\nd2 d4\nn\nq\nn\n4\n");
    let all = boards(&printed);
    // Before the move, after it, after the reply, then the first board again.
    assert_eq!(all[3], all[0], "{printed}");
    assert_ne!(all[2], all[0]);
    expect_last(&printed, &[("d4", "wP"), ("e4", "  "), ("e2", "wP")]);
    // At the first turn there is nothing to undo, so the question comes twice in all.
    assert_eq!(printed.matches(UNDO).count(), 2, "{printed}");
    // Undo two turns, one after the other.
    let printed = session("2\ne2 e4\nN\na2 a3\nY\ny\nq\nn\n4\n");
    let all = boards(&printed);
    assert_eq!(all.last(), all.first(), "{printed}");
    // Asks again after anything but Y, N or Q.
    let printed = session("2\ne2 e4\nyes\n\nn\nq\nn\n4\n");
    assert_eq!(printed.matches(UNDO).count(), 3, "{printed}");
    assert_eq!(
        printed.matches("Error. Try again\n").count(),
        2,
        "{printed}"
    );
}

#[test]
fn undo_with_black() {
    // The computer's first move stays and is not chosen again.
    let printed = session("3\n2\nb\n4\n2\na7 a6\ny\nh7 h6\nn\nq\nn\n4\n");
    let all = boards(&printed);
    let turns: Vec<_> = all
        .iter()
        .filter(|board| board[1].starts_with("7 | bP"))
        .collect();
    assert_eq!(printed.matches("an opening: ").count(), 1, "{printed}");
    assert!(turns.len() >= 3, "{printed}");
    expect_last(&printed, &[("a7", "bP"), ("h6", "bP")]);
}

#[test]
fn same_seed_gives_the_same_game() {
    let typed = "2\ne2 e4\nn\ng1 f3\nn\nb1 c3\nn\na2 a3\nq\nn\n4\n";
    assert_eq!(session(typed), session(typed));
}
