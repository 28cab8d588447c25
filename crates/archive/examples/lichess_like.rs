//! Writes games that look like those of a month of Lichess, for measurements: the same ones every time.
//!
//!     cargo run --release -p tabiya-archive --example lichess_like -- 1000000 > games.pgn
//!
//! Tags, clocks, evaluations and lengths are distributed about as in the real games of `../shared/data/games`. Openings
//! follow the table of openings; later moves avoid the worst blunders. Real games share a few more positions.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use tabiya_board::{Board, Color, Move, Outcome, Role};
use tabiya_notation::{Dialect, opening, openings, parse_san, write_san};

/// Time controls in seconds and how many of a thousand games have them.
const CONTROLS: [(u32, u32, &str, u32); 8] = [
    (60, 0, "Bullet", 260),
    (120, 1, "Bullet", 40),
    (180, 0, "Blitz", 200),
    (180, 2, "Blitz", 60),
    (300, 0, "Blitz", 170),
    (300, 3, "Blitz", 80),
    (600, 0, "Rapid", 140),
    (900, 10, "Rapid", 50),
];

/// Pseudo-random numbers, by SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Between 0 and 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal: the sum of four.
    fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let sum: f64 = (0..4).map(|_| self.fraction()).sum();
        mean + (sum - 2.0) * deviation * 3.0_f64.sqrt()
    }
}

/// How often the table of openings plays a move in a position.
type Book = HashMap<u64, Vec<(Move, u32)>>;

fn book() -> Book {
    let mut book = Book::new();
    for opening in openings() {
        let mut board = Board::start();
        // Short lines are played most.
        let weight = 60 / (2 + opening.plies() as u32);
        for san in opening.sans() {
            let Ok(mv) = parse_san(san, &board, Dialect::Strict) else {
                break;
            };
            let moves = book.entry(board.key()).or_default();
            match moves.iter_mut().find(|known| known.0 == mv) {
                Some(known) => known.1 += weight,
                None => moves.push((mv, weight)),
            }
            board.play_unchecked(mv);
        }
    }
    book
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// What a move wins at once, less what it leaves to be taken.
fn worth(board: &Board, mv: Move) -> i32 {
    let won = board.captured(mv).map_or(0, value) + mv.promotion().map_or(0, value);
    let is_attacked = board.is_attacked(mv.to(), !board.turn());
    won - if is_attacked { value(mv.role()) } else { 0 }
}

fn choose(board: &Board, book: &Book, ply: usize, random: &mut Random) -> Move {
    if let Some(moves) = book.get(&board.key())
        && random.below(40) > ply
    {
        let total: u32 = moves.iter().map(|known| known.1).sum();
        let mut left = random.below(total as usize) as u32;
        for &(mv, weight) in moves {
            if left < weight {
                return mv;
            }
            left -= weight;
        }
    }
    let moves = board.legal_moves();
    let mut best = moves[random.below(moves.len())];
    for _ in 0..3 {
        let other = moves[random.below(moves.len())];
        if worth(board, other) > worth(board, best) {
            best = other;
        }
    }
    best
}

fn name(player: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "ra", "mon", "chess", "ka", "li", "Alex", "dr", "to", "king", "sa", "no", "Mar", "ti",
        "vi", "el", "99",
    ];
    let mut random = Random(player as u64);
    let mut name = String::new();
    for _ in 0..2 + random.below(3) {
        name += SYLLABLES[random.below(SYLLABLES.len())];
    }
    let _ = write!(name, "{}", player % 10_000);
    name
}

fn control(random: &mut Random) -> (u32, u32, &'static str, u32) {
    let mut left = random.below(1000) as u32;
    for control in CONTROLS {
        if left < control.3 {
            return control;
        }
        left -= control.3;
    }
    CONTROLS[0]
}

fn game(number: usize, count: usize, book: &Book, text: &mut String) {
    let mut random = Random(number as u64);
    let (base, increment, class, _) = control(&mut random);
    // A few play most of the games.
    let players = (count / 6).max(2);
    let mut player = || (random.fraction().powi(3) * players as f64) as usize;
    let names = [player(), player()].map(name);
    let strength = random.normal(1650.0, 330.0).clamp(400.0, 3000.0);
    let elos = [(); 2].map(|()| random.normal(strength, 60.0) as i32);
    let id: String = (0..8)
        .map(|_| {
            char::from(
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[random.below(62)],
            )
        })
        .collect();
    let length = (58.0 * (random.normal(0.0, 0.5)).exp()) as usize;
    let has_evals = random.below(12) == 0;

    let mut board = Board::start();
    let mut named = None;
    let mut moves = String::new();
    let mut clocks = [f64::from(base); 2];
    let mut eval = 0.3;
    for ply in 0..length {
        if board.outcome().is_some() {
            break;
        }
        let mv = choose(&board, book, ply, &mut random);
        let (side, san) = (ply % 2, write_san(&board, mv));
        board.play_unchecked(mv);
        named = opening(&board).or(named);
        let pace = f64::from(base) / 45.0 + f64::from(increment);
        let spent = -pace * (1.0 - random.fraction()).ln() * if ply < 12 { 0.3 } else { 1.0 };
        clocks[side] = (clocks[side] - spent + f64::from(increment)).max(1.0);
        let seconds = clocks[side] as u32;
        let dots = if side == 0 { "." } else { "..." };
        let _ = write!(moves, "{}{dots} {san} {{ ", ply / 2 + 1);
        if has_evals {
            eval += random.normal(0.0, 0.7);
            let _ = write!(moves, "[%eval {eval:.2}] ");
        }
        let _ = write!(
            moves,
            "[%clk {}:{:02}:{:02}] }} ",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        );
    }
    let outcome = board.outcome().map(Outcome::winner);
    let result = match outcome {
        Some(Some(Color::White)) => "1-0",
        Some(Some(Color::Black)) => "0-1",
        Some(None) => "1/2-1/2",
        None => ["1-0", "1-0", "0-1", "0-1", "1/2-1/2"][random.below(5)],
    };
    let day = 1 + number * 30 / count;
    let second = number * 30 % count * 86_400 / count;
    let time = format!(
        "{:02}:{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    let gain = 1 + random.below(12) as i32;
    let gains = match result {
        "1-0" => [gain, -gain],
        "0-1" => [-gain, gain],
        _ => [0, 0],
    };
    let (eco, opening_name) = named.map_or(("A00", "Unknown"), |named| (named.eco, named.name));
    let end = if outcome.is_some() || random.below(3) > 0 {
        "Normal"
    } else {
        "Time forfeit"
    };
    for (tag, value) in [
        ("Event", format!("Rated {class} game")),
        ("Site", format!("https://lichess.org/{id}")),
        ("Date", format!("2025.05.{day:02}")),
        ("Round", "-".to_owned()),
        ("White", names[0].clone()),
        ("Black", names[1].clone()),
        ("Result", result.to_owned()),
        ("UTCDate", format!("2025.05.{day:02}")),
        ("UTCTime", time),
        ("WhiteElo", elos[0].to_string()),
        ("BlackElo", elos[1].to_string()),
        ("WhiteRatingDiff", format!("{:+}", gains[0])),
        ("BlackRatingDiff", format!("{:+}", gains[1])),
        ("ECO", eco.to_owned()),
        ("Opening", opening_name.to_owned()),
        ("TimeControl", format!("{base}+{increment}")),
        ("Termination", end.to_owned()),
    ] {
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let _ = write!(text, "\n{moves}{result}\n\n");
}

fn main() -> io::Result<()> {
    let Some(count) = std::env::args().nth(1).and_then(|count| count.parse().ok()) else {
        eprintln!("usage: lichess_like COUNT > games.pgn");
        std::process::exit(2);
    };
    let book = book();
    let mut output = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut text = String::new();
    for number in 0..count {
        game(number, count, &book, &mut text);
        output.write_all(text.as_bytes())?;
        text.clear();
    }
    output.flush()
}
