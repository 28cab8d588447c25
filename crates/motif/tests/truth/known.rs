//! Well-known positions and the sentences about them.

use tabiya_board::{Board, Move};
use tabiya_motif::{Idea, Motif, explain_mistake};
use tabiya_notation::{Dialect, Score, parse_san};

use super::oracle::Case;

/// A position and the moves of a line in SAN.
fn read(fen: &str, text: &str) -> Result<(Board, Vec<Move>), String> {
    let start: Board = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    let mut board = start;
    let moves = text.split_whitespace().map(|word| {
        let mv = parse_san(word, &board, Dialect::Import)
            .map_err(|error| format!("{board} {word}: {error}"))?;
        board.play(mv);
        Ok(mv)
    });
    Ok((start, moves.collect::<Result<_, String>>()?))
}

/// FEN, line, words.
const KNOWN: &[(&str, &str, &str)] = &[
    ("8/8/8/3p1k2/8/5B2/8/4K3 w - - 0 1", "Bg4+", "gives check"),
    (
        "4k3/8/8/8/3p4/8/5N2/4K3 w - - 0 1",
        "Nd3",
        "blocks the passed pawn on d4 and covers e5 in the centre",
    ),
    (
        "6k1/5ppp/8/8/P7/8/5PPP/5RK1 w - - 0 1",
        "Ra1",
        "puts the rook behind the passed pawn",
    ),
    (
        "6k1/p4ppp/8/8/8/8/5PPP/5RK1 w - - 0 1",
        "Ra1",
        "wins a pawn or more",
    ),
    (
        "r5k1/p4ppp/8/8/8/8/5PPP/5RK1 w - - 0 1",
        "Ra1",
        "puts the rook on the half-open a-file",
    ),
    (
        "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "h3",
        "keeps the knight off g4",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e3",
        "opens a line for the bishop on f1 and covers d4 in the centre",
    ),
    (
        "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "Bb2",
        "develops the bishop",
    ),
    ("4k3/8/8/8/8/8/5N2/4K3 w - - 0 1", "Nd1", ""),
    (
        "4k3/p7/8/8/8/8/7N/4K3 w - - 0 1",
        "Nf3",
        "covers d4 and e5 in the centre",
    ),
    ("4k3/8/p7/8/8/8/8/4KQ2 b - - 0 1", "Kd8", ""),
    (
        "8/1k6/p7/8/8/8/8/6K1 w - - 0 1",
        "Kg2",
        "brings the king nearer to the centre",
    ),
    // The Two Knights Defence: a fork that wins, and one that is a sacrifice.
    (
        "r1bqkb1r/pppp1pp1/2n2n1p/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 5",
        "Nxf7",
        "forks queen and rook and wins a pawn",
    ),
    (
        "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
        "Nc7+",
        "forks king and rook and wins the rook",
    ),
    (
        "q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
        "Nc7+",
        "forks king and queen and wins the queen",
    ),
    (
        "4k3/8/8/2n1b3/8/2PP4/5K2/8 w - - 0 1",
        "d4",
        "attacks the bishop and pushes the passed pawn",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n5/4p3/2B1n3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 5",
        "Re1",
        "attacks the knight on e4",
    ),
    (
        "6k1/3q1r2/8/8/3P2N1/2P5/6PP/R6K w - - 0 1",
        "Ne5",
        "forks queen and rook and wins material",
    ),
    (
        "8/2k5/8/8/3R4/8/8/r3K3 w - - 0 1",
        "Kd2",
        "moves the king out of check",
    ),
    (
        "3k4/8/8/8/8/5n2/3P4/2R1K3 w - - 0 1",
        "Ke2",
        "moves the king out of check and attacks the knight",
    ),
    (
        "6k1/5ppp/8/8/1b6/8/5PPP/Q5K1 w - - 0 1",
        "Qa8+",
        "gives check",
    ),
    (
        "3q2k1/5ppp/8/8/8/2b5/5PPP/3Q2K1 w - - 0 1",
        "Qxd8+",
        "is back-rank mate",
    ),
    (
        "r4k1r/8/4N3/8/8/8/8/4K3 b - - 0 1",
        "Ke7",
        "moves the king out of check and attacks the knight",
    ),
    (
        "r3k2r/ppp2ppp/8/3Nb3/8/8/PPP2PPP/R3K2R w KQkq - 0 1",
        "Nxc7+",
        "gives check",
    ),
    (
        "rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3",
        "Bxg5",
        "wins the queen",
    ),
    (
        "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 0 3",
        "Bb4",
        "pins the knight on c3 to the king",
    ),
    (
        "4k3/4n3/8/8/8/8/8/R5K1 w - - 0 1",
        "Re1",
        "pins the knight to the king",
    ),
    (
        "3qk3/8/5n2/8/8/8/8/2B1K3 w - - 0 1",
        "Bg5",
        "pins the knight to the queen",
    ),
    (
        "4k3/8/2n5/8/8/3B4/8/4K3 w - - 0 1",
        "Bb5",
        "pins the knight to the king",
    ),
    (
        "r1bqkbnr/ppp2ppp/2np4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 4",
        "Bb5",
        "pins the knight on c6 to the king",
    ),
    ("8/8/8/8/k6q/8/8/K5R1 w - - 0 1", "Rg4+", "gives check"),
    (
        "q7/8/8/3k4/8/8/8/4KB2 w - - 0 1",
        "Bg2+",
        "skewers king and queen and wins the queen",
    ),
    (
        "r7/1q5k/8/8/8/8/6P1/4KB2 w - - 0 1",
        "g3",
        "pushes the passed pawn",
    ),
    (
        "7q/8/8/4k3/8/8/8/2B1K3 w - - 0 1",
        "Bb2+",
        "skewers king and queen and wins the queen",
    ),
    (
        "8/8/8/4k2r/8/8/8/R3K3 w - - 0 1",
        "Ra5+",
        "skewers king and rook and wins the rook",
    ),
    (
        "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1",
        "Nd6+",
        "gives double check",
    ),
    (
        "4k3/8/8/7q/4N3/8/8/4R1K1 w - - 0 1",
        "Nf6+",
        "forks king and queen and wins the queen",
    ),
    (
        "3qk3/8/8/8/3B4/8/8/3RK3 w - - 0 1",
        "Bf6",
        "uncovers an attack on the queen",
    ),
    (
        "2q1k3/8/8/8/2N5/8/8/2R1K3 w - - 0 1",
        "Nd6+",
        "forks king and queen and wins the queen",
    ),
    (
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
        "Rd8#",
        "is back-rank mate",
    ),
    (
        "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
        "Nf7#",
        "is smothered mate",
    ),
    (
        "2r3k1/5ppp/8/8/8/8/6Q1/K1R5 w - - 0 1",
        "Rxc8#",
        "is back-rank mate",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
        "Qxf7#",
        "mates",
    ),
    (
        "3r2k1/5ppp/8/8/8/8/8/K2RR3 w - - 0 1",
        "Rxd8#",
        "is back-rank mate",
    ),
    (
        "2r3k1/5ppp/8/8/8/8/8/K1RR4 w - - 0 1",
        "Rxc8#",
        "is back-rank mate",
    ),
    (
        "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
        "Ra7 Kg8 Rb8#",
        "mates in 2",
    ),
    (
        "r6k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1",
        "Qg8+ Rxg8 Nf7#",
        "forces smothered mate in 2",
    ),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "Qe7",
        "stops mate in 1",
    ),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "g6",
        "stops mate in 1",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3",
        "Qh5",
        "threatens mate in 1 and attacks the pawn on e5",
    ),
    (
        "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1",
        "Kf1",
        "stops mate in 1",
    ),
    (
        "6k1/5ppp/8/8/8/8/3r1PPP/6K1 w - - 0 1",
        "h3",
        "stops mate in 1",
    ),
    (
        "4k3/8/8/3p4/2B5/8/8/4K3 w - - 0 1",
        "Bb3",
        "saves the bishop",
    ),
    (
        "4k3/4r3/8/8/4B3/8/3P4/4K3 w - - 0 1",
        "d3",
        "saves the bishop",
    ),
    (
        "r3k3/1b6/8/8/8/5B2/8/4K3 w - - 0 1",
        "Bxb7",
        "wins the bishop",
    ),
    (
        "4k3/3p4/2n5/4b3/8/5N2/B7/4K3 w - - 0 1",
        "Nxe5",
        "trades knight for bishop",
    ),
    ("4k3/8/2n5/8/8/8/8/R3KB2 w Q - 0 1", "O-O-O", "castles"),
    (
        "4k3/1pp5/2n5/4b3/B7/5N2/8/4K3 w - - 0 1",
        "Bxc6+",
        "removes the defender of the bishop and wins the knight",
    ),
    (
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "a8=Q+",
        "promotes to a queen and gives check",
    ),
    (
        "8/5P1k/8/8/8/8/8/4K3 w - - 0 1",
        "f8=N+",
        "promotes to a knight and gives check",
    ),
    (
        "8/P7/8/8/8/8/k7/4K3 w - - 0 1",
        "a8=Q+",
        "promotes to a queen and gives check",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "Nf3",
        "develops the knight and attacks the pawn on e5",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "Bc4",
        "develops the bishop and attacks f7",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e4",
        "puts a pawn in the centre",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "Nf3",
        "develops the knight",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
        "O-O",
        "castles",
    ),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "d4",
        "attacks the pawn on e5 and puts a pawn in the centre",
    ),
    (
        "6k1/8/8/8/8/8/R7/6K1 w - - 0 1",
        "Ra7",
        "brings the rook to the seventh rank",
    ),
    (
        "6k1/8/8/8/P7/8/8/6K1 w - - 0 1",
        "a5",
        "pushes the passed pawn",
    ),
    (
        "6k1/8/8/8/P7/8/8/6K1 w - - 0 1",
        "Kf2",
        "brings the king nearer to the centre",
    ),
    (
        "4k3/8/8/8/7b/8/8/4K3 w - - 0 1",
        "Kd1",
        "moves the king out of check",
    ),
    (
        "4k3/8/8/8/7b/8/3P1P2/4K3 w - - 0 1",
        "Ke2",
        "brings the king nearer to the centre",
    ),
    ("6k1/8/8/8/8/8/1K6/2q5 w - - 0 1", "Kxc1", "wins the queen"),
    (
        "6k1/pp3ppp/8/3q4/3Q4/8/PP3PPP/6K1 w - - 0 1",
        "Qxd5",
        "wins the queen and threatens mate in 1",
    ),
    (
        "6k1/pp3ppp/4p3/3q4/3Q4/8/PP3PPP/6K1 w - - 0 1",
        "Qxd5",
        "trades queens",
    ),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "Qf8#", "mates"),
    ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "Qf7", "stalemates"),
    (
        "r1b1k2r/pppp1ppp/2n2n2/4p1B1/1bB1P1q1/2N2N2/PPPP1PPP/R2QK2R b KQkq - 0 1",
        "Qxg2",
        "wins a pawn",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        "Qh4#",
        "mates",
    ),
    (
        "5rk1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1",
        "Rd7",
        "brings the rook to the seventh rank",
    ),
    (
        "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
        "Kxe2",
        "wins the queen",
    ),
    (
        "3rk3/8/8/8/8/8/3R4/3RK3 w - - 0 1",
        "Rxd8+",
        "wins the rook and gives check",
    ),
    (
        "4k3/8/8/8/8/3b4/8/3RK3 w - - 0 1",
        "Rxd3",
        "wins the bishop",
    ),
    (
        "4k3/2p5/3b4/8/8/8/8/3RK3 w - - 0 1",
        "Rxd6",
        "takes the bishop",
    ),
    (
        "4k3/8/3r1p2/4B3/8/8/8/4K3 w - - 0 1",
        "Bxd6",
        "wins the rook",
    ),
    (
        "4k3/2p5/3r4/4B3/8/8/8/4K3 w - - 0 1",
        "Bxd6",
        "wins the exchange",
    ),
    (
        "4k3/2p5/3q4/8/8/8/8/3RK3 w - - 0 1",
        "Rxd6",
        "wins the queen for a rook",
    ),
    (
        "4k3/8/8/8/8/8/PPP5/2KR3R b - - 0 1",
        "Ke7",
        "brings the king nearer to the centre",
    ),
    (
        "rnb1k1nr/ppppqppp/8/4p3/1b2P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4",
        "Nd5",
        "attacks the queen and brings the knight to the centre",
    ),
    (
        "4k3/8/4b3/8/8/8/4R3/4K3 w - - 0 1",
        "Kd2",
        "brings the king nearer to the centre",
    ),
    (
        "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
        "h3",
        "gives the king an escape square",
    ),
    (
        "6k1/2p2ppp/3p4/8/8/8/3R1PPP/R5K1 w - - 0 1",
        "Rad1",
        "doubles the rooks on the d-file",
    ),
    (
        "4k3/pppppppp/8/8/P7/8/1PPPPPPP/4K3 w - - 0 1",
        "a5",
        "gains space",
    ),
];

#[test]
fn known_positions_have_their_sentences() {
    let mut wrong = Vec::new();
    for &(fen, moves, wanted) in KNOWN {
        let (board, line) = match read(fen, moves) {
            Ok(read) => read,
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        let explanation = Idea::new(&board, &line).explain();
        let case = Case::new(board, line[0], None);
        for motif in &explanation.motifs {
            assert!(case.holds(motif), "{fen} {moves}: {motif:?} is false");
        }
        let words = explanation.words().unwrap_or_default();
        if words != wanted {
            let names: Vec<_> = explanation.motifs.iter().map(Motif::name).collect();
            wrong.push(format!(
                "{fen} {moves}: {words:?}, not {wanted:?} ({names:?})"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// FEN, bad move, best line, reply, words.
const MISTAKES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1",
        "Qd5",
        "Qd4",
        "cxd5",
        "hangs the queen on d5",
    ),
    (
        "4k3/8/8/3p4/2B5/8/8/4K3 w - - 0 1",
        "Kd2",
        "Bb3",
        "dxc4",
        "leaves the bishop on c4 hanging",
    ),
    (
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
        "g4",
        "e4",
        "Qh4#",
        "allows Qh4#",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "d3",
        "Qxf7#",
        "Nxh5",
        "misses mate in 1",
    ),
    (
        "r3k3/7p/8/1N6/8/8/8/4K3 b - - 0 1",
        "h6",
        "Kd7",
        "Nc7+ Kd7 Nxa8",
        "allows Nc7+, forking king and rook and winning the rook",
    ),
    (
        "r3k3/7p/8/1N6/8/8/8/4K3 w - - 0 1",
        "Ke2",
        "Nc7+ Kd7 Nxa8",
        "Kd7",
        "misses Nc7+, forking king and rook and winning the rook",
    ),
    (
        "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1",
        "Rb1",
        "Rd8#",
        "Rb2",
        "misses mate in 1",
    ),
    (
        "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1",
        "Re1",
        "Rd8#",
        "Rb2",
        "misses mate in 1",
    ),
    (
        "rnb1kbnr/pppp1ppp/5q2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 3 3",
        "Qxf3",
        "Bb4",
        "Qxf3",
        "loses the queen for a minor piece",
    ),
    (
        "4k3/8/8/3n4/8/8/4P3/3RK3 b - - 0 1",
        "Kd7",
        "Nf6",
        "Rxd5+",
        "leaves the knight on d5 hanging",
    ),
    (
        "3rk3/8/8/3n4/8/8/4P3/3RK3 b - - 0 1",
        "Rb8",
        "Rd7",
        "Rxd5",
        "hangs the knight on d5",
    ),
    // A missed bishop counts more than an allowed pawn.
    (
        "4k3/8/8/5b2/8/5Q2/2P5/4K3 w - - 0 1",
        "Ke2",
        "Qxf5",
        "Bxc2",
        "misses Qxf5, winning the bishop",
    ),
];

/// A pawn that the line gives back, or that the score does not count, is not said to be won.
#[test]
fn gambits_win_no_pawn() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2";
    let words = |line: &str, score: i32| {
        let (board, line) = read(fen, line).unwrap();
        let idea = Idea {
            score: Some(Score::Cp(score)),
            ..Idea::new(&board, &line)
        };
        idea.explain().words().unwrap_or_default()
    };
    assert_eq!(words("exf4", 40), "takes the pawn on f4");
    assert_eq!(words("exf4", 110), "wins a pawn");
    // The line shows how it is won back.
    assert_eq!(
        words("exf4 Nf3 d5 exd5 Nf6 d4 Nxd5 Bxf4 Nxf4", 110),
        "wins a pawn"
    );
    assert_eq!(words("exf4 d4 d5 Bxf4 dxe4 Nc3 Nf6", 110), "wins a pawn");
    assert_eq!(words("exf4 d4 d6 Bxf4", 110), "takes the pawn on f4");
    let played = fen
        .replace("4PP2", "4P3")
        .replace("PPPP2PP", "PPPP1PPP")
        .replace(" b ", " w ");
    let (before, f4) = read(&played, "f4").unwrap();
    let (_, best) = read(&played, "Nf3").unwrap();
    let (_, reply) = read(fen, "exf4 Nf3 g5 h4").unwrap();
    let scores = (Score::Cp(30), Score::Cp(50));
    assert_eq!(explain_mistake(&before, f4[0], &best, &reply, scores), None);
}

#[test]
fn the_fried_liver_is_a_sacrifice_that_forks() {
    let fen = "r1bqkb1r/ppp2ppp/2n2n2/3Pp1N1/2B5/8/PPPP1PPP/RNBQK2R b KQkq - 0 5";
    let (before, played) = read(fen, "Nxd5").unwrap();
    let (_, best) = read(fen, "Na5").unwrap();
    let (_, reply) = read(&before.after(played[0]).to_string(), "Nxf7 Kxf7 Qf3+ Ke6").unwrap();
    let scores = (Score::Cp(-30), Score::Cp(90));
    let mistake = explain_mistake(&before, played[0], &best, &reply, scores).unwrap();
    assert_eq!(
        mistake.to_string(),
        "allows Nxf7, sacrificing the knight to fork queen and rook"
    );
}

#[test]
fn known_mistakes_have_their_reasons() {
    let mut wrong = Vec::new();
    for &(fen, played, best, reply, wanted) in MISTAKES {
        let (board, bad) = read(fen, played).unwrap();
        let (_, best) = read(fen, best).unwrap();
        let played = bad[0];
        let after = board.after(played).to_string();
        let (_, reply) = read(&after, reply).unwrap();
        let scores = if wanted.starts_with("misses mate") {
            (Score::Mate(4), Score::Cp(0))
        } else if wanted.contains('#') || wanted.contains("allows mate") {
            (Score::Cp(0), Score::Mate(4))
        } else {
            (Score::Cp(2000), Score::Cp(2000))
        };
        let mistake = explain_mistake(&board, played, &best, &reply, scores);
        let words = mistake.map_or(String::new(), |mistake| mistake.to_string());
        if words != wanted {
            wrong.push(format!("{fen} {played}: {words:?}, not {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
