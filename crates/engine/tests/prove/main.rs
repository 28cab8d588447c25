//! Compares proofs of mate with a plain solver and with known distances.

mod files;
mod naive;
mod positions;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use naive::{distance, mates};
use positions::{few_pieces, from_random_games};
use tabiya_board::Board;
use tabiya_engine::prove::{self, MAX_MOVES, MateVerdict, ProofLimits, Prover};

fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Searches for a mate within `moves` moves, and checks the verdict and the line with the plain solver.
fn check(prover: &mut Prover, board: &Board, moves: u32) -> Option<u32> {
    let wanted = distance(board, moves);
    let verdict = prover.mate(board, moves, &ProofLimits::NONE);
    let Some(wanted) = wanted else {
        assert_eq!(verdict, MateVerdict::NoMate, "{board}");
        return None;
    };
    let MateVerdict::Mate { moves, line } = verdict else {
        panic!("{board}: mate in {wanted}, not {verdict:?}");
    };
    assert_eq!(moves, wanted, "{board}");
    assert_eq!(line.len() as u32, 2 * moves - 1, "{board}: {line:?}");
    let mut now = *board;
    for (ply, &mv) in line.iter().enumerate() {
        let left = moves - ply as u32 / 2;
        if ply % 2 == 0 {
            assert_eq!(distance(&now, left), Some(left), "{board}: {line:?}");
        }
        assert!(now.is_legal(mv), "{board}: {line:?}");
        now.play(mv);
    }
    assert!(now.is_checkmate(), "{board}: {line:?}");
    Some(moves)
}

/// Checks the positions, and that at least `least` of them have a mate, by distance.
#[track_caller]
fn check_all(boards: impl Iterator<Item = Board>, moves: u32, least: &[usize]) {
    let mut prover = Prover::new(4);
    let mut found = vec![0; moves as usize + 1];
    for board in boards {
        found[check(&mut prover, &board, moves).unwrap_or(0) as usize] += 1;
    }
    let enough = found.iter().zip(least).all(|(found, least)| found >= least);
    assert!(enough, "too few mates, by distance: {found:?}");
}

#[test]
fn random_games_within_two_moves() {
    check_all(from_random_games(1, 2_000), 2, &[1_000, 20, 20]);
}

#[test]
fn random_games_within_three_moves() {
    check_all(from_random_games(2, 300), 3, &[200, 5, 2, 2]);
}

#[test]
fn few_pieces_within_three_moves() {
    check_all(few_pieces(3, 2_000, 3), 3, &[1_000, 30, 50, 50]);
}

#[test]
fn few_pieces_within_four_moves() {
    check_all(few_pieces(4, 120, 2), 4, &[50, 0, 2, 2, 2]);
}

/// The smallest table replaces entries all the time.
#[test]
fn verdicts_do_not_depend_on_earlier_proofs() {
    let mut old = Prover::new(0);
    for board in from_random_games(5, 200) {
        let fresh = Prover::new(0).mate(&board, 3, &ProofLimits::NONE);
        match (old.mate(&board, 3, &ProofLimits::NONE), fresh) {
            (MateVerdict::Mate { moves: old, .. }, MateVerdict::Mate { moves: fresh, .. }) => {
                assert_eq!(old, fresh, "{board}");
            }
            (old, fresh) => assert_eq!(old, fresh, "{board}"),
        }
        assert_eq!(
            old.can_mate(&board, 3, &ProofLimits::NONE),
            Some(mates(&board, 3))
        );
    }
}

#[test]
fn allows_mate_agrees_with_the_plain_solver() {
    let mut prover = Prover::new(1);
    let mut allowed = 0;
    for board in from_random_games(6, 60) {
        for mv in board.legal_moves() {
            let wanted = mates(&board.after(mv), 2);
            allowed += usize::from(wanted);
            let answer = prover.allows_mate(&board, mv, 2, &ProofLimits::NONE);
            assert_eq!(answer, Some(wanted), "{mv} in {board}");
        }
    }
    assert!(allowed > 50, "only {allowed}");
}

/// Positions with one mating move of a special kind: distance, move, position.
#[test]
fn promotions_en_passant_and_castling_mate() {
    for (moves, first, fen) in [
        // Promotions to a knight, a rook, a bishop.
        (1, "f7f8n", "6K1/5P2/4r1k1/2R3Pp/8/8/8/n7 w - h6 0 1"),
        (1, "b7b8n", "K7/1P5P/k4b2/P4R2/8/3n4/8/8 w - - 0 1"),
        (2, "c7c8n", "8/k1PK4/8/2p2Pp1/1N6/8/6B1/1r6 w - g6 0 1"),
        (2, "f7f8r", "8/5P1k/5K2/3B4/8/5P2/8/8 w - - 0 1"),
        (2, "f7f8r", "8/2Pk1P2/1K6/8/7B/4R3/8/8 w - - 0 1"),
        (2, "e7d8b", "3b4/2P1P3/3Nk3/2K5/2N5/8/8/8 w - - 0 1"),
        // Captures en passant.
        (1, "a5b6", "1RR5/k1P2P2/8/Pp6/3p4/8/8/R3K2R w KQ b6 0 1"),
        (2, "d5e6", "3K1k2/3P1P2/6R1/3Pp3/8/8/5p2/8 w - e6 0 1"),
        // Castling to both sides.
        (1, "e1g1", "8/4P1P1/8/8/P1r5/6p1/6R1/Rrk1K2R w KQ - 0 1"),
        (1, "e1c1", "8/P2n3P/8/Pp1N4/4b3/3k4/2R5/R3K2R w KQ b6 0 1"),
        (2, "e1c1", "5R2/2P1p3/8/8/8/4k3/8/R3K2R w KQ - 0 1"),
        (2, "e1g1", "8/P7/3R4/6p1/8/4k3/8/R3K2R w KQ - 0 1"),
    ] {
        let board = board(fen);
        assert_eq!(check(&mut Prover::new(1), &board, 3), Some(moves), "{fen}");
        let MateVerdict::Mate { line, .. } = prove::mate(&board, moves, &ProofLimits::NONE) else {
            panic!("{fen}");
        };
        assert_eq!(line[0].to_string(), first, "{fen}");
    }
}

#[test]
fn well_known_mates() {
    for (moves, fen) in [
        // Fool's mate, scholar's mate, two rooks, the smothered mate.
        (
            1,
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        ),
        (
            1,
            "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
        ),
        (2, "7k/8/8/8/8/8/R7/1R5K w - - 0 1"),
        (4, "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1"),
        // A quiet move comes first.
        (2, "7k/8/5K2/8/8/8/8/Q7 w - - 0 1"),
        (2, "k7/8/2K5/8/8/8/8/7R w - - 0 1"),
    ] {
        let verdict = prove::mate(&board(fen), moves + 1, &ProofLimits::NONE);
        let MateVerdict::Mate { moves: found, .. } = verdict else {
            panic!("{fen}: {verdict:?}");
        };
        assert_eq!(found, moves, "{fen}");
        assert_eq!(
            prove::mate(&board(fen), moves - 1, &ProofLimits::NONE),
            MateVerdict::NoMate
        );
    }
}

/// Insufficient material, stalemates, and positions without legal moves.
#[test]
fn positions_without_mate() {
    for (moves, fen) in [
        (5, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (5, "7k/7P/6K1/8/8/8/8/8 w - - 0 1"),
        (6, "k7/P7/2K5/8/8/8/8/8 w - - 0 1"),
        (3, "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"),
        (
            3,
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        ),
        (
            3,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (0, "7k/8/6K1/8/8/8/8/R7 w - - 0 1"),
    ] {
        assert_eq!(
            prove::mate(&board(fen), moves, &ProofLimits::NONE),
            MateVerdict::NoMate,
            "{fen}"
        );
        assert_eq!(
            Prover::new(1).can_mate(&board(fen), moves, &ProofLimits::NONE),
            Some(false)
        );
    }
}

#[test]
fn limits_end_a_proof() {
    let start = Board::start();
    let undecided = |limit: &ProofLimits| match prove::mate(&start, 8, limit) {
        MateVerdict::Undecided { no_mate_in } => no_mate_in,
        verdict => panic!("{verdict:?}"),
    };
    let nodes = |nodes| ProofLimits {
        nodes: Some(nodes),
        ..ProofLimits::NONE
    };
    assert_eq!(undecided(&nodes(0)), 0);
    assert_eq!(undecided(&nodes(1)), 1);
    let mut prover = Prover::new(1);
    assert_eq!(prover.can_mate(&start, 8, &nodes(1_000)), None);
    assert_eq!(prover.nodes(), 1_000);

    let time = |time| ProofLimits {
        time: Some(time),
        ..ProofLimits::NONE
    };
    assert_eq!(undecided(&time(Duration::ZERO)), 0);
    let begin = Instant::now();
    undecided(&time(Duration::from_millis(100)));
    assert!(begin.elapsed() >= Duration::from_millis(100));
    // The longest time is no limit.
    let easy = board("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let forever = prove::mate(&easy, 2, &time(Duration::MAX));
    assert!(matches!(forever, MateVerdict::Mate { moves: 2, .. }));

    let stop = AtomicBool::new(true);
    let stopped = ProofLimits {
        stop: Some(&stop),
        ..ProofLimits::NONE
    };
    assert_eq!(undecided(&stopped), 0);
}

/// With so few pieces even the greatest number of moves is searched quickly.
#[test]
fn distances_beyond_the_maximum_are_undecided() {
    let kings = board("8/8/8/2k5/2p5/2P5/2K5/8 w - - 0 1");
    assert_eq!(
        prove::mate(&kings, 12, &ProofLimits::NONE),
        MateVerdict::NoMate
    );
    let bare = board("k7/8/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(
        prove::mate(&bare, MAX_MOVES, &ProofLimits::NONE),
        MateVerdict::NoMate
    );
    assert_eq!(
        prove::mate(&bare, MAX_MOVES + 1, &ProofLimits::NONE),
        MateVerdict::Undecided {
            no_mate_in: MAX_MOVES
        }
    );
}

#[test]
fn fifty_move_rule_is_ignored() {
    let late = board("k7/8/2K5/8/8/8/8/7R w - - 149 200");
    assert_eq!(check(&mut Prover::new(1), &late, 3), Some(2));
}
