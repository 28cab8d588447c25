//! Generates `tests/data/mates.epd`: positions with a forced mate, and its distance.
//!
//! ```console
//! $ cargo run --release -p tabiya-engine --example generate_mates > crates/engine/tests/data/mates.epd
//! ```
//!
//! The positions come from games of the engine's weak levels against itself, from games of random moves, and from the
//! list below. The prover finds the mates. For the games, a second solver that shares no code with it confirms every
//! distance. It takes about ten minutes.

use std::collections::{HashMap, HashSet};

use tabiya_board::{Board, GameHistory};
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};
use tabiya_engine::{Engine, Limits, Strength};

/// The most positions of each distance, from mate in one.
const MAX_COUNTS: [usize; 5] = [40, 50, 50, 40, 20];
/// How many games of each kind to play.
const GAMES: u64 = 37;
/// At most this many positions come from one game.
const PER_GAME: usize = 2;
/// What the second solver may spend on a position.
const MAX_VISITS: u64 = 40_000_000;

/// Famous combinations and compositions: name, position, distance.
const FAMOUS: [(&str, &str, u32); 14] = [
    (
        "Fool's mate",
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        1,
    ),
    (
        "Scholar's mate",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
        1,
    ),
    (
        "Legal's mate",
        "r2qkbnr/ppp2p1p/2np2p1/4N3/2B1P3/2N4P/PPPP1PP1/R1BbK2R w KQkq - 0 7",
        2,
    ),
    (
        "Anderssen - Kieseritzky, London 1851",
        "r1bk2nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 w - - 1 22",
        2,
    ),
    (
        "Morphy - Duke Karl / Count Isouard, Paris 1858",
        "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16",
        2,
    ),
    ("P. Morphy, problem", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    (
        "Reti - Tartakower, Vienna 1910",
        "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9",
        3,
    ),
    (
        "Philidor's legacy",
        "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
        4,
    ),
    (
        "S. Loyd, Excelsior, 1861",
        "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1",
        5,
    ),
    ("Two rooks", "7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
    ("Queen", "7k/8/5K2/8/8/8/8/Q7 w - - 0 1", 2),
    ("Rook", "k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
    ("Arabian mate", "7k/R7/5N2/8/8/8/8/K7 w - - 0 1", 1),
    (
        "Anastasia's mate",
        "5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1",
        2,
    ),
];

/// A plain solver with a memory, independent of the prover.
#[derive(Default)]
struct Naive {
    known: HashMap<(u64, u32), bool>,
    visits: u64,
}

impl Naive {
    /// Returns whether the side to move can force mate within `moves` moves; `None` if that takes too long.
    fn mates(&mut self, board: &Board, moves: u32) -> Option<bool> {
        if moves == 0 {
            return Some(false);
        }
        if let Some(&known) = self.known.get(&(board.repetition_key(), moves)) {
            return Some(known);
        }
        let mut mates = false;
        for mv in board.legal_moves() {
            self.visits += 1;
            if self.visits > MAX_VISITS {
                return None;
            }
            let after = board.after(mv);
            let replies = after.legal_moves();
            let mut all = !replies.is_empty() || after.is_check();
            for reply in replies {
                if !self.mates(&after.after(reply), moves - 1)? {
                    all = false;
                    break;
                }
            }
            if all {
                mates = true;
                break;
            }
        }
        if moves > 1 {
            self.known.insert((board.repetition_key(), moves), mates);
        }
        Some(mates)
    }

    fn confirms(board: &Board, moves: u32) -> bool {
        let mut solver = Self::default();
        solver.mates(board, moves - 1) == Some(false) && solver.mates(board, moves) == Some(true)
    }
}

struct Generator {
    prover: Prover,
    found: [usize; 5],
    seen: HashSet<u64>,
}

impl Generator {
    /// Prints a position if it has a mate of a distance that is still wanted, and returns whether it does.
    fn offer(&mut self, board: &Board, source: &str) -> bool {
        let limits = ProofLimits {
            nodes: Some(100_000),
            ..ProofLimits::NONE
        };
        let MateVerdict::Mate { moves, .. } = self.prover.mate(board, 5, &limits) else {
            return false;
        };
        let index = moves as usize - 1;
        if self.found[index] == MAX_COUNTS[index]
            || self.seen.contains(&board.repetition_key())
            || !Naive::confirms(board, moves)
        {
            return false;
        }
        self.seen.insert(board.repetition_key());
        self.found[index] += 1;
        print(board, moves, source);
        true
    }

    fn offer_game(&mut self, boards: &[Board], source: &str) {
        let mut count = 0;
        for board in boards.iter().skip(8) {
            if count == PER_GAME {
                break;
            }
            count += usize::from(self.offer(board, source));
        }
    }
}

fn print(board: &Board, moves: u32, source: &str) {
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    println!("{} dm {moves}; id \"{source}\";", fields.join(" "));
}

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn random_game(seed: u64) -> Vec<Board> {
    let mut state = seed;
    let mut boards = vec![Board::start()];
    for _ in 0..160 {
        let board = boards[boards.len() - 1];
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        boards.push(board.after(moves[random(&mut state) as usize % moves.len()]));
    }
    boards
}

/// A game of a weak level against itself, after six random plies.
fn engine_game(engine: &mut Engine, seed: u64) -> Vec<Board> {
    engine.set_strength(Strength::from_rating(800 + seed as u32 % 8 * 100), seed);
    let mut game = GameHistory::new(Board::start());
    let mut boards = random_game(seed);
    boards.truncate(7);
    for pair in boards.windows(2) {
        let moves = pair[0].legal_moves();
        let mv = moves
            .iter()
            .copied()
            .find(|&mv| pair[0].after(mv) == pair[1]);
        game.play(mv.expect("the boards are one move apart"));
    }
    for _ in 0..160 {
        let Some(result) = engine.think(&game, &Limits::default(), &mut |_| {}) else {
            break;
        };
        game.play(result.best);
        boards.push(*game.board());
    }
    boards
}

fn main() {
    println!("# Forced mates with their distances. Written by examples/generate_mates.rs.");
    let mut generator = Generator {
        prover: Prover::new(64),
        found: [0; 5],
        seen: HashSet::new(),
    };
    for (name, fen, moves) in FAMOUS {
        let board: Board = fen.parse().expect("a valid FEN");
        let verdict = generator.prover.mate(&board, moves, &ProofLimits::NONE);
        let MateVerdict::Mate { moves: found, .. } = verdict else {
            panic!("{name}: {verdict:?}");
        };
        assert_eq!(found, moves, "{name}");
        generator.seen.insert(board.repetition_key());
        print(&board, moves, name);
    }
    let mut engine = Engine::default();
    for seed in 1..=GAMES {
        let boards = engine_game(&mut engine, seed);
        generator.offer_game(&boards, &format!("game {seed} of a weak level"));
        let boards = random_game(seed);
        generator.offer_game(&boards, &format!("random game {seed}"));
    }
}
