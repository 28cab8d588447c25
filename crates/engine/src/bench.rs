//! The benchmark: a fixed set of searches. Its node count changes only when the search or the evaluation does.

use std::time::Duration;

use tabiya_board::{Board, GameHistory};

use crate::clock::Stopwatch;
use crate::engine::Engine;
use crate::limits::{Limits, StopSignal};

/// The default search depth.
pub const DEPTH: u32 = 12;

/// The positions: openings, middlegames and endgames; sharp, quiet, won, drawn and odd ones.
pub const POSITIONS: [&str; 40] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 5",
    "rnbqkb1r/pp3ppp/2p1pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 b - - 3 12",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/R4R1K w - - 4 14",
    "r1b2rk1/pp1nqppp/2p1pn2/3p4/1bPP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 5 9",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "r1bqr1k1/pp3pbp/2pp1np1/8/2PNP3/2N3P1/PP3PBP/R1BQR1K1 w - - 1 12",
    "4r1k1/p1pb1ppp/Qbp1r3/8/1P6/2Pq1B2/R2P1PPP/2B2RK1 b - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "r1q2rk1/p1b1bppp/1pn1pn2/2p5/2P1P3/1PN1BN1P/PBQ2PP1/3R1RK1 b - - 0 16",
    "2rq1rk1/pb2bppp/1pn1p3/3n4/3P4/P1N2N2/1PQBBPPP/R2R2K1 w - - 0 15",
    "r2qr1k1/1b1nbp1p/p2p1np1/1p2p3/P2PP3/2P2NNP/1PB2PP1/R1BQR1K1 w - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/3k4/p1p1p3/P1PpP1p1/3P2P1/3K4/8/8 w - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "8/5pk1/4p1p1/1p2P2p/1P1n1P1P/r5P1/3N1K2/2R5 w - - 2 40",
    "3r2k1/p4ppp/1p2p3/8/2P5/1P3P2/P4KPP/2R5 w - - 0 28",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 80",
    "8/8/5N2/8/p7/8/3K3p/k1N5 w - - 0 1",
    "8/8/3P3k/8/1p6/8/1P6/1K3n2 b - - 0 1",
    "6k1/5ppp/8/8/1Q6/5q2/5P1P/6K1 w - - 0 35",
    "4k3/8/8/8/8/8/4B3/4K2N w - - 0 1",
    "r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16",
    "2r2k2/1b3pp1/p3p2p/1p1pP3/3P1P2/P2B2P1/1P4KP/2R5 b - - 3 27",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "r1k2r1q/p1ppbppp/8/8/8/8/P1PPBPPP/R1K2R1Q w FAfa - 0 1",
    "8/8/2k5/8/8/4K3/3QR3/q7 b - - 98 120",
];

/// The result of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes searched.
    pub nodes: u64,
    /// Search time.
    pub time: Duration,
}

/// Searches all positions to a depth, each with an empty table. Returns `None` if the search is stopped.
#[expect(clippy::missing_panics_doc, reason = "the positions are valid")]
pub fn bench(engine: &mut Engine, depth: u32, signal: &StopSignal) -> Option<BenchResult> {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("valid bench position");
        engine.new_game();
        let stopwatch = Stopwatch::start();
        let result = engine.think_until(&GameHistory::new(board), &limits, signal, &mut |_| {})?;
        if signal.is_stopped() {
            return None;
        }
        nodes += result.info.nodes;
        time += stopwatch.elapsed();
    }
    Some(BenchResult { nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(engine: &mut Engine) -> Option<u64> {
        bench(engine, 6, &StopSignal::default()).map(|result| result.nodes)
    }

    #[test]
    fn node_count_is_reproducible() {
        let mut engine = Engine::default();
        let first = nodes(&mut engine);
        assert!(first > Some(10_000));
        assert_eq!(first, nodes(&mut engine));
        assert_eq!(first, nodes(&mut Engine::default()));
    }

    #[test]
    fn bench_can_be_stopped() {
        let signal = StopSignal::default();
        signal.stop();
        assert_eq!(bench(&mut Engine::default(), 60, &signal), None);
    }
}
