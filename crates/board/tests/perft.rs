//! Perft: counts sequences of legal moves and compares them with known counts, by every way to generate moves and at
//! every SIMD level.
//!
//! `tests/data` holds the counts of 1,960 positions for the depths 1 to 4, computed by two independent libraries (see
//! `perft_data.rs`). Two longer lists, which are not part of the project, are checked too if they are present. They
//! go to depth 6: 4.4 trillion moves, about an hour on two cores.
//!
//! ```text
//! TABIYA_PERFT_DEPTH=6 cargo test --release -p tabiya-board --test perft -- suite --nocapture
//! ```

mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use common::{alone, at_all_simd_levels, on_two_threads};
use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, perft};

/// A position and its counts for the depths 1, 2, 3 …
type Counted = (&'static str, &'static [u64]);

/// The six positions that chess programmers usually check their generators with.
const WELL_KNOWN: [Counted; 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

/// Positions that test one rule each. Two other libraries, shakmaty and cozy-chess, give the same counts.
const TRICKY: [Counted; 36] = [
    // En passant: both pawns leave the rank on which the king and a rook face each other.
    (
        "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1",
        &[5, 85, 537, 9_803, 62_649],
    ),
    (
        "4K3/8/8/8/k2Pp2R/8/8/8 b - d3 0 1",
        &[6, 96, 656, 11_689, 78_822],
    ),
    // The same with a second pawn that still shields the king: now it is legal.
    (
        "7k/8/8/K1PpP2r/8/8/8/8 w - d6 0 1",
        &[9, 117, 814, 12_612, 92_746],
    ),
    // The pawn that would capture is pinned on the diagonal across, on the diagonal along, on the file.
    (
        "7k/b7/8/2PpP3/8/4K3/8/8 w - d6 0 1",
        &[9, 61, 503, 4_754, 39_207],
    ),
    (
        "7k/4b3/8/2Pp4/1K6/8/8/8 w - d6 0 1",
        &[7, 75, 499, 6_130, 40_366],
    ),
    (
        "7k/8/3q4/1pP5/1K6/8/8/8 w - b6 0 1",
        &[6, 137, 683, 16_224, 86_829],
    ),
    (
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        &[6, 82, 574, 8_889, 61_205],
    ),
    // The pawn that would be captured shields the king on a diagonal.
    (
        "4k3/8/b7/1pP5/8/3K4/8/8 w - b6 0 1",
        &[8, 63, 511, 5_383, 40_388],
    ),
    // The pawn that has moved two squares gives check: en passant is an answer to it.
    (
        "8/8/8/1k6/2Pp4/8/8/4KQ2 b - c3 0 1",
        &[7, 125, 674, 16_274, 89_169],
    ),
    (
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        &[9, 50, 379, 2_369, 17_879, 111_840],
    ),
    // Castling: free on all sides; over, out of and into attacks; b1 attacked, which is no matter.
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        &[26, 568, 13_744, 314_346],
    ),
    (
        "r3k2r/p6p/8/5b2/2B5/8/P6P/R3K2R w KQkq - 0 1",
        &[26, 578, 14_872, 338_344],
    ),
    (
        "r3k2r/8/8/8/8/5n2/8/R3K2R w KQkq - 0 1",
        &[4, 136, 3_113, 91_937],
    ),
    (
        "1r2k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        &[25, 574, 14_110, 340_791],
    ),
    (
        "r3k2r/8/8/3rr3/3RR3/8/8/R3K2R b KQkq - 0 1",
        &[36, 1_148, 38_344, 1_254_897],
    ),
    // A bishop takes the rook with which White could castle.
    (
        "1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1",
        &[13, 284, 3_529, 85_765, 1_063_513],
    ),
    // Promotions: by capture, of castling rooks too; out of check by capture or by blocking.
    (
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        &[39, 1_007, 28_659, 764_007],
    ),
    (
        "n1n1k3/PPP5/8/8/8/8/5ppp/3K1N1N b - - 0 1",
        &[22, 410, 6_722, 115_286],
    ),
    (
        "1r5k/2P5/8/8/8/8/8/K7 w - - 0 1",
        &[9, 56, 455, 5_021, 55_868],
    ),
    (
        "8/8/8/8/k6R/8/1p1p4/7K b - - 0 1",
        &[4, 64, 717, 9_038, 120_933],
    ),
    // Double checks, to be given and to be answered.
    (
        "4k3/8/4r3/8/4b3/8/8/4K2R b K - 0 1",
        &[27, 250, 6_718, 91_320, 2_364_568],
    ),
    (
        "r5k1/8/8/8/4r3/6n1/8/4K2R w K - 0 1",
        &[3, 102, 1_458, 47_017, 647_426],
    ),
    (
        "r5k1/8/8/8/4r3/3n4/8/4K2R w K - 0 1",
        &[3, 111, 1_374, 42_921, 607_007],
    ),
    // Pins: of a knight, in all eight directions at once, and of pieces of many kinds.
    (
        "3rk3/8/8/8/8/2b5/3N4/3K4 w - - 0 1",
        &[4, 92, 816, 20_043, 180_084],
    ),
    (
        "Q2R2Q1/8/2bnp3/R1rkq2R/2ppb3/1B6/8/K2R3B b - - 0 1",
        &[12, 558, 7_724, 378_472],
    ),
    (
        "3rk3/1b6/4r2b/8/q1NPQB1q/3K4/2P1N3/1b1r2b1 w - - 0 1",
        &[3, 186, 4_615, 265_945],
    ),
    // Stalemates and mates all around; a stalemate itself.
    (
        "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
        &[31, 39, 1_046, 3_130, 86_330, 270_253],
    ),
    ("k7/8/KP6/8/8/8/8/8 w - - 0 1", &[3, 5, 24, 83, 553, 2_087]),
    ("8/8/8/8/8/k1p5/2P5/K7 b - - 0 1", &[2, 4, 18, 55, 304, 820]),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[0, 0, 0, 0]),
    // A mate.
    (
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        &[0, 0, 0],
    ),
    // Pawns only; as many moves as a game can give.
    (
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        &[18, 324, 5_658, 98_766],
    ),
    (
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        &[218, 99, 19_073],
    ),
    // From games: en passant on the third move; a check by the double step of a shielding pawn.
    (
        "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        &[31, 570, 17_546, 351_806],
    ),
    (
        "6bk/8/8/8/3Pp3/2p5/B7/K7 b - d3 0 1",
        &[12, 84, 852, 7_141, 84_355],
    ),
    // The two clocks may be missing.
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        &[20, 400, 8_902],
    ),
];

/// The same for Chess960.
const CHESS960: [Counted; 14] = [
    // The first and the last start.
    (
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        &[20, 400, 9_006, 201_143, 4_975_808],
    ),
    (
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
        &[20, 400, 9_006, 201_143, 4_973_573],
    ),
    // The king is where it ends, or next to it, or far away; the king and the rook change places.
    (
        "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1",
        &[24, 480, 10_990, 238_938],
    ),
    (
        "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
        &[24, 479, 11_099, 242_723],
    ),
    (
        "5rkr/8/8/8/8/8/8/5RKR w HFhf - 0 1",
        &[20, 329, 6_961, 142_655],
    ),
    (
        "5k2/8/8/8/8/8/8/5KR1 w G - 0 1",
        &[13, 43, 719, 3_975, 73_098],
    ),
    (
        "r1k1r3/p1ppp3/8/8/8/8/P1PPP3/R1K1R3 w EAea - 0 1",
        &[18, 319, 6_011, 111_346],
    ),
    // The rook shields the square where the king ends, or the king itself.
    (
        "4k3/8/8/8/8/8/8/qRK4R w HB - 0 1",
        &[16, 265, 5_087, 106_265],
    ),
    (
        "8/6k1/8/8/8/8/8/1r2RK1R w HE - 0 1",
        &[16, 219, 4_777, 72_294],
    ),
    (
        "1rk4q/8/8/8/8/8/8/2KR4 b b - 0 1",
        &[29, 303, 9_203, 113_483],
    ),
    // An enemy rook between, an inner rook with the right, a pawn that takes a castling rook, a bishop on the way.
    ("3k4/8/8/8/8/8/8/4KRrR w F - 0 1", &[13, 151, 3_171, 44_904]),
    (
        "r1r1k1r1/8/8/8/8/8/8/R1R1K1RR w GCgc - 0 1",
        &[37, 993, 36_832, 1_060_573],
    ),
    (
        "1k6/8/8/8/8/8/6p1/RK4R1 w GA - 0 1",
        &[18, 83, 1_637, 12_950, 291_400],
    ),
    (
        "4k3/8/8/8/8/b7/8/R4KR1 w GA - 0 1",
        &[19, 199, 4_999, 55_473],
    ),
];

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Checks all counts of these positions.
fn check_all(counted: &[Counted]) {
    on_two_threads(counted.len(), |number| {
        let (fen, counts) = counted[number];
        assert_eq!(perft(&position(fen), 0), 1, "{fen} at depth 0");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(
                perft(&position(fen), depth),
                count,
                "{fen} at depth {depth}"
            );
        }
    });
}

#[test]
fn well_known_positions() {
    let _alone = alone();
    at_all_simd_levels(|_| check_all(&WELL_KNOWN));
}

#[test]
fn tricky_positions() {
    let _alone = alone();
    at_all_simd_levels(|_| check_all(&TRICKY));
}

#[test]
fn chess960_positions() {
    let _alone = alone();
    at_all_simd_levels(|_| check_all(&CHESS960));
}

/// A way to count the legal moves of a board and to visit the boards after them.
type Way = (
    &'static str,
    fn(&Board) -> usize,
    fn(&Board, &mut dyn FnMut(&Board)),
);

/// Every way to generate and play the legal moves.
const WAYS: [Way; 4] = [
    (
        "list, and play in place",
        |board| board.legal_moves().len(),
        |board, visit| {
            for mv in board.legal_moves() {
                let mut next = *board;
                next.play(mv);
                visit(&next);
            }
        },
    ),
    (
        "children of a board",
        |board| board.count_legal(),
        |board, visit| board.for_each_child(|_, next| visit(next)),
    ),
    (
        "children of a position",
        |board| {
            let mut count = 0;
            board.position().for_each_child(|_, _| count += 1);
            count
        },
        |board, visit| {
            board
                .position()
                .for_each_child(|_, next| visit(&Board::from(*next)));
        },
    ),
    (
        "batches by piece, and play on a copy",
        |board| {
            let mut count = 0;
            let end = board.for_each_piece_moves(|moves| {
                count += moves.len();
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(end, ControlFlow::Continue(()));
            count
        },
        |board, visit| {
            let _ = board.for_each_piece_moves(|moves| {
                for mv in moves {
                    visit(&board.after_unchecked(mv));
                }
                ControlFlow::<()>::Continue(())
            });
        },
    ),
];

fn walk(way: &Way, board: &Board, depth: usize) -> u64 {
    if depth == 1 {
        return way.1(board) as u64;
    }
    let mut nodes = 0;
    way.2(board, &mut |next| nodes += walk(way, next, depth - 1));
    nodes
}

#[test]
fn every_way_to_generate_moves() {
    let _alone = alone();
    let positions: Vec<Counted> = [&WELL_KNOWN[..], &TRICKY, &CHESS960].concat();
    at_all_simd_levels(|_| {
        on_two_threads(positions.len(), |number| {
            let (fen, counts) = positions[number];
            // The deepest count that is quick.
            let depth = counts.iter().take_while(|&&count| count < 500_000).count();
            for way in &WAYS {
                let nodes = walk(way, &position(fen).into(), depth);
                assert_eq!(
                    nodes,
                    counts[depth - 1],
                    "{fen} at depth {depth}, {}",
                    way.0
                );
            }
        });
    });
}

/// Checks a table of this project, whose lines are like `FEN ;D1 20 ;D2 400`.
fn check_table(table: &str, positions: usize) {
    let _alone = alone();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), positions);
    at_all_simd_levels(|_| {
        on_two_threads(lines.len(), |number| {
            let mut fields = lines[number].split(" ;D");
            let fen = fields.next().unwrap();
            let mut depths = 0;
            for field in fields {
                let (depth, count) = field.split_once(' ').expect("a depth and a count");
                let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
                assert_eq!(
                    perft(&position(fen), depth),
                    count,
                    "{fen} at depth {depth}"
                );
                depths += 1;
            }
            assert_eq!(depths, 4, "{fen}");
        });
    });
}

#[test]
fn positions_of_random_games() {
    check_table(include_str!("data/random.epd"), 600);
}

#[test]
fn positions_of_random_chess960_games() {
    check_table(include_str!("data/chess960.epd"), 400);
}

#[test]
fn all_chess960_starting_positions() {
    check_table(include_str!("data/chess960_starts.epd"), 960);
}

/// The depth to which the longer lists are checked.
fn suite_depth() -> u32 {
    match std::env::var("TABIYA_PERFT_DEPTH") {
        Ok(depth) => depth.parse().expect("TABIYA_PERFT_DEPTH is a number"),
        Err(_) => 4,
    }
}

/// Reads a longer list, which is not part of the project.
fn suite(name: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/perft")
        .join(name);
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

/// Checks a longer list, in which `perft DEPTH COUNT` lines follow each `epd` line with a position.
fn check_suite(name: &str, positions: usize) {
    let _alone = alone();
    let Some(text) = suite(name) else {
        return;
    };
    let most = suite_depth();
    let mut cases: Vec<(&str, Vec<(u32, u64)>)> = Vec::new();
    for line in text.lines() {
        if let Some(epd) = line.strip_prefix("epd ") {
            cases.push((epd, Vec::new()));
        } else if let Some((depth, count)) = line
            .strip_prefix("perft ")
            .and_then(|counts| counts.split_once(' '))
        {
            let depth = depth.parse().expect("a depth");
            if depth <= most {
                let (_, counts) = cases.last_mut().expect("a position before its counts");
                counts.push((depth, count.trim().parse().expect("a count")));
            }
        }
    }
    assert_eq!(cases.len(), positions, "positions in {name}");

    let checked = AtomicUsize::new(0);
    let nodes = AtomicU64::new(0);
    on_two_threads(cases.len(), |number| {
        let (fen, counts) = &cases[number];
        for &(depth, count) in counts {
            assert_eq!(
                perft(&position(fen), depth),
                count,
                "{fen} at depth {depth}"
            );
            nodes.fetch_add(count, Ordering::Relaxed);
        }
        checked.fetch_add(counts.len(), Ordering::Relaxed);
    });
    let (checked, nodes) = (checked.into_inner(), nodes.into_inner());
    eprintln!("{name}: {checked} counts of {positions} positions, {nodes} nodes");
    assert_eq!(checked, positions * most.min(6) as usize);
}

#[test]
fn random_suite() {
    check_suite("random.perft", 6_838);
}

#[test]
fn chess960_suite() {
    check_suite("chess960.perft", 960);
}
