//! Time to depth with one thread and with more: see the README of this crate.

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tabiya_benches::arguments::{self, Arguments, FileOption};
use tabiya_board::{Board, GameHistory};
use tabiya_engine::bench::POSITIONS;
use tabiya_engine::{Engine, Limits};

const USAGE: &str = "\
Searches the positions of `tabiya bench` to a depth with one thread and with two, in turn.

Usage: threads [--rounds N] [--quick]

  --rounds N  search each position N times (5; 1 with --quick)
  --quick     search to a small depth, as a smoke test: the times mean little
  --help      print this";

const DEPTH: u32 = 18;
const QUICK_DEPTH: u32 = 8;
/// Positions that one thread finishes sooner are left out: starting a thread takes as long.
const MIN_TIME: Duration = Duration::from_millis(10);
const HASH: usize = 64;

/// The times of the searches of a position with one thread and with two.
#[derive(Clone, Copy, Default)]
struct Times {
    one: Duration,
    two: Duration,
    /// Nodes searched.
    nodes: [u64; 2],
}

impl Times {
    fn speedup(&self) -> f64 {
        self.one.as_secs_f64() / self.two.as_secs_f64()
    }

    fn add(&mut self, other: &Self) {
        self.one += other.one;
        self.two += other.two;
        for (sum, nodes) in self.nodes.iter_mut().zip(other.nodes) {
            *sum += nodes;
        }
    }
}

fn main() -> ExitCode {
    arguments::main(USAGE, FileOption::None, measure)
}

fn measure(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    let depth = if length.quick { QUICK_DEPTH } else { DEPTH };
    let mut engines = [engine(1)?, engine(2)?];
    let mut measured = Vec::new();
    let mut left_out = 0;
    for (number, fen) in POSITIONS.iter().enumerate() {
        eprintln!("position {} of {}", number + 1, POSITIONS.len());
        let game = GameHistory::new(fen.parse::<Board>()?);
        let mut times = Times::default();
        for _ in 0..length.rounds {
            let [one, two] = engines
                .each_mut()
                .map(|engine| search(engine, &game, depth));
            times.add(&Times {
                one: one.0,
                two: two.0,
                nodes: [one.1, two.1],
            });
        }
        if times.one < MIN_TIME * length.rounds as u32 && !length.quick {
            left_out += 1;
        } else {
            measured.push(times);
        }
    }
    let count = measured.len() as f64;
    let mean = measured.iter().map(Times::speedup).sum::<f64>() / count;
    let geometric = (measured
        .iter()
        .map(|times| times.speedup().ln())
        .sum::<f64>()
        / count)
        .exp();
    let mut total = Times::default();
    for times in &measured {
        total.add(times);
    }
    println!(
        "Depth {depth}, {} positions, {} rounds; {left_out} positions under {} ms left out.",
        measured.len(),
        length.rounds,
        MIN_TIME.as_millis()
    );
    println!("Speedup of a second thread: {mean:.2} on average, geometric mean {geometric:.2}.");
    println!(
        "In total {:.1} s and {:.1} s: speedup {:.2}, for {:.2} times the nodes.",
        total.one.as_secs_f64(),
        total.two.as_secs_f64(),
        total.speedup(),
        total.nodes[1] as f64 / total.nodes[0] as f64
    );
    Ok(())
}

fn engine(threads: usize) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::default();
    engine.set_hash(HASH)?;
    engine.set_threads(threads)?;
    Ok(engine)
}

/// Returns the time to a depth with an empty table, and the nodes searched.
fn search(engine: &mut Engine, game: &GameHistory, depth: u32) -> (Duration, u64) {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    engine.new_game();
    let start = Instant::now();
    let result = engine.think(game, &limits, &mut |_| {});
    (
        start.elapsed(),
        result.map_or(0, |result| result.info.nodes),
    )
}
