//! Tests draw claims, at once and by an intended move, against counting the positions of the game as texts.

mod common;

use common::Rng;
use tabiya_board::{Board, DrawClaim, DrawClaims, GameHistory, Move, Outcome, Square};

/// What makes two positions the same: the first three fields, and the en passant square if a capture there is legal.
fn signature(board: &Board) -> String {
    let can_capture = board.legal_moves().iter().any(|mv| mv.is_en_passant());
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    format!("{} {} {} {can_capture}", fields[0], fields[1], fields[2])
}

fn expected(board: &Board, earlier: &[String]) -> Vec<DrawClaim> {
    let mut claims = Vec::new();
    let now = signature(board);
    if earlier.iter().filter(|&past| *past == now).count() >= 2 {
        claims.push(DrawClaim::ThreefoldRepetition);
    }
    if board.halfmove_clock() >= 100 && board.has_legal_move() {
        claims.push(DrawClaim::FiftyMoves);
    }
    claims
}

fn list(claims: DrawClaims) -> Vec<DrawClaim> {
    claims.into_iter().collect()
}

#[test]
fn all_claims_agree_with_a_count_of_positions() {
    let starts = [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 88 60",
        "k7/8/1K6/8/8/8/8/7R w - - 95 60",
        "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1",
        "4k2r/8/8/8/8/8/8/4K2R w Kk - 70 80",
    ];
    let mut rng = Rng::new(0xc1a1);
    let mut seen = [0; 4];
    for game in 0..200 {
        let start: Board = starts[game % starts.len()].parse().unwrap();
        let mut history = GameHistory::new(start);
        let mut earlier = Vec::new();
        for _ in 0..40 {
            let board = *history.board();
            let now = expected(&board, &earlier);
            assert_eq!(list(history.claims()), now, "{board}");
            assert_eq!(history.claim(), now.first().copied());
            earlier.push(signature(&board));
            let mut by_move = false;
            for mv in board.legal_moves() {
                let next = expected(&board.after(mv), &earlier);
                assert_eq!(
                    list(history.claims_by(mv).unwrap()),
                    next,
                    "{mv} on {board}"
                );
                by_move |= !next.is_empty();
                seen[1] += usize::from(next.contains(&DrawClaim::ThreefoldRepetition));
                seen[2] += usize::from(next.len() == 2);
            }
            assert_eq!(
                history.can_claim_draw(),
                by_move || !now.is_empty(),
                "{board}"
            );
            seen[0] += now.len();
            seen[3] += usize::from(by_move && now.is_empty());
            // Few moves to choose from, so that positions occur again.
            let moves = board.legal_moves();
            let Some(&mv) = moves.get(rng.below(moves.len().clamp(1, 2))) else {
                break;
            };
            history.play(mv);
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// The hundredth move may mate: then there is nothing to claim.
#[test]
fn a_mate_leaves_no_claim() {
    let board: Board = "7k/8/6K1/8/8/8/8/R7 w - - 99 90".parse().unwrap();
    let history = GameHistory::new(board);
    let mate = board.legal_move(Square::A1, Square::A8, None).unwrap();
    assert!(history.claims_by(mate).unwrap().is_empty());
    let other = board.legal_move(Square::A1, Square::A7, None).unwrap();
    assert_eq!(
        list(history.claims_by(other).unwrap()),
        [DrawClaim::FiftyMoves]
    );
    let mated = GameHistory::new(board.after(mate));
    assert!(matches!(mated.outcome(), Some(Outcome::Checkmate { .. })));
    assert_eq!(mated.claim(), None);
    assert!(!mated.can_claim_draw());
}

#[test]
fn an_illegal_move_claims_nothing() {
    let history = GameHistory::default();
    let mv: Move = Board::start()
        .legal_move(Square::E2, Square::E4, None)
        .unwrap();
    let next = GameHistory::new(Board::start().after(mv));
    assert!(history.claims_by(mv).is_ok());
    assert!(next.claims_by(mv).is_err());
}

/// Fivefold repetition and seventy-five moves end the game; both claims still hold.
#[test]
fn both_claims_and_an_automatic_draw_can_hold_at_once() {
    let board: Board = "4k3/8/8/8/8/8/8/4K2R w - - 140 100".parse().unwrap();
    let mut history = GameHistory::new(board);
    for _ in 0..4 {
        for (from, to) in [("h1", "h2"), ("e8", "d8"), ("h2", "h1"), ("d8", "e8")] {
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            history.play(history.board().legal_move(from, to, None).unwrap());
        }
    }
    assert_eq!(history.repetitions(), 5);
    assert_eq!(history.board().halfmove_clock(), 156);
    assert_eq!(history.outcome(), Some(Outcome::FivefoldRepetition));
    assert_eq!(
        list(history.claims()),
        [DrawClaim::ThreefoldRepetition, DrawClaim::FiftyMoves]
    );
}
