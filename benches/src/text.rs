//! Reading and writing moves and positions.

mod cozy_chess;
mod eschac;
mod shakmaty;
mod tabiya;

use std::error::Error;
use std::fmt;
use std::hint::black_box;

use tabiya_board::Board;
use tabiya_board::unkeyed::Position;
use tabiya_notation::pgn::{Game, Reader};

use crate::clock::BenchClock;
use crate::race::{self, Contestant, Lap};
use crate::table::{self, TableLayout, Unit};

use self::cozy_chess::CozyChess;
use self::eschac::Eschac;
use self::shakmaty::Shakmaty;

/// A chess library as a reader and writer of text.
trait Library {
    /// The name of the library.
    const NAME: &str;

    /// Its version, with other remarks.
    const VERSION: &str;

    /// The library's type of a position.
    type Position: Clone;

    /// Reads a position in Forsyth-Edwards Notation.
    fn read_fen(fen: &str) -> Option<Self::Position>;

    /// Appends the FEN of a position, in the library's fastest way.
    fn write_fen(position: &Self::Position, out: &mut String);
}

/// A library that reads moves in Standard Algebraic Notation.
trait ReadSan: Library {
    /// Reads and plays a legal move in the library's fastest way. Returns whether it could.
    fn read_and_play(position: &mut Self::Position, san: &str) -> bool;
}

/// A library that writes moves in Standard Algebraic Notation.
trait WriteSan: Library {
    /// A legal move.
    type Move<'a>: Copy
    where
        Self::Position: 'a;

    /// Reads a move in UCI notation.
    fn read_uci<'a>(position: &'a Self::Position, uci: &str) -> Option<Self::Move<'a>>;

    /// Appends a legal move with its `+` or `#`, in the library's fastest way.
    fn write_san(position: &Self::Position, chess_move: Self::Move<'_>, out: &mut String);
}

/// A position of a game and the move played there.
#[derive(Clone, Debug)]
struct Turn {
    fen: String,
    uci: String,
    san: String,
}

/// Legal games from the standard starting position, and how often to replay them.
#[derive(Clone, Debug)]
pub struct Sample {
    games: Vec<Vec<Turn>>,
    /// Their final positions.
    ends: Vec<String>,
    passes: usize,
}

impl Sample {
    /// The main lines of games in PGN, repeated until there are `moves` moves.
    pub fn new(text: &[u8], moves: usize) -> Self {
        let mut reader = Reader::new(text);
        let mut games = Vec::new();
        let mut ends = Vec::new();
        while let Some(game) = Game::read(&mut reader) {
            if let Some((turns, end)) = game.ok().as_ref().and_then(turns) {
                games.push(turns);
                ends.push(end);
            }
        }
        let count: usize = games.iter().map(Vec::len).sum();
        Self {
            games,
            ends,
            passes: moves.div_ceil(count.max(1)),
        }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of moves in one pass.
    pub fn moves(&self) -> usize {
        self.turns().count()
    }

    /// The number of passes.
    pub fn passes(&self) -> usize {
        self.passes
    }

    fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.games.iter().flatten()
    }
}

/// The turns of a game and its final position; `None` if it has another start or a null move.
fn turns(game: &Game) -> Option<(Vec<Turn>, String)> {
    let mut board = *game.start();
    if board != Board::start() {
        return None;
    }
    let mut turns = Vec::new();
    for place in game.main_line() {
        let mv = game.move_to(place)?;
        turns.push(Turn {
            fen: board.to_string(),
            uci: mv.to_string(),
            san: tabiya_notation::write_san(&board, mv).to_string(),
        });
        board.play_unchecked(mv);
    }
    Some((turns, board.to_string()))
}

/// What to read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTask {
    /// Read and play the moves of the games.
    ReadSan,
    /// Write them.
    WriteSan,
    /// Read the positions of the games.
    ReadFen,
    /// Write them.
    WriteFen,
}

/// The counts of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// The moves or positions.
    items: u64,
    /// The bytes read or written.
    bytes: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.items, self.bytes)
    }
}

/// The text that a library failed on, and why.
fn failure<L: Library>(what: &str, text: &str) -> Box<dyn Error> {
    format!("{} {} {what}: {text}", L::NAME, L::VERSION).into()
}

/// A library that works against the clock. The work returns its counts of a pass, or the text that
/// it failed on.
fn lap<L: Library>(
    passes: usize,
    work: impl Fn(&mut Counts) -> Result<(), String>,
) -> Result<Lap<Counts>, Box<dyn Error>> {
    let mut counts = Counts::default();
    let (done, time) = BenchClock::of_this_thread().time(|| {
        for _ in 0..passes {
            work(&mut counts)?;
        }
        Ok(())
    })?;
    done.map_err(|text: String| failure::<L>("cannot read", &text))?;
    Ok(Lap { counts, time })
}

fn contestant<L: Library>(run: race::Run<'_, Counts>) -> Contestant<'_, Counts> {
    Contestant {
        name: L::NAME.to_owned(),
        version: L::VERSION.to_owned(),
        run,
    }
}

/// The pieces and the side to move, which all libraries write alike.
fn beginning(fen: &str) -> impl Iterator<Item = &str> {
    fen.split(' ').take(2)
}

fn start<L: Library>() -> Result<L::Position, Box<dyn Error>> {
    let start = Board::start().to_string();
    L::read_fen(&start).ok_or_else(|| failure::<L>("cannot read", &start))
}

fn read_san<'a, L: ReadSan + 'a>(
    sample: &'a Sample,
) -> Result<Contestant<'a, Counts>, Box<dyn Error>> {
    let start = start::<L>()?;

    // The final positions show that it reads the right moves.
    for (game, end) in sample.games.iter().zip(&sample.ends) {
        let mut position = start.clone();
        for turn in game {
            if !L::read_and_play(&mut position, &turn.san) {
                return Err(failure::<L>("cannot read", &turn.san));
            }
        }
        let mut written = String::new();
        L::write_fen(&position, &mut written);
        if !beginning(&written).eq(beginning(end)) {
            return Err(failure::<L>("comes to", &written));
        }
    }

    Ok(contestant::<L>(Box::new(move || {
        lap::<L>(sample.passes, |counts| {
            for game in &sample.games {
                let mut position = start.clone();
                for Turn { san, .. } in game {
                    if !L::read_and_play(&mut position, san) {
                        return Err(san.clone());
                    }
                    counts.items += 1;
                    counts.bytes += san.len() as u64;
                }
                black_box(&position);
            }
            Ok(())
        })
    })))
}

/// All positions of the games.
fn positions<L: Library>(sample: &Sample) -> Result<Vec<L::Position>, Box<dyn Error>> {
    sample
        .turns()
        .map(|Turn { fen, .. }| L::read_fen(fen).ok_or_else(|| failure::<L>("cannot read", fen)))
        .collect()
}

fn write_san<'a, L: WriteSan + 'a>(
    sample: &'a Sample,
) -> Result<Contestant<'a, Counts>, Box<dyn Error>>
where
    L::Position: 'a,
{
    let positions = positions::<L>(sample)?;
    Ok(contestant::<L>(Box::new(move || {
        // Some libraries' moves borrow their position, so they cannot outlive the round.
        let mut moves = Vec::with_capacity(positions.len());
        let mut out = String::new();
        for (position, Turn { uci, san, .. }) in positions.iter().zip(sample.turns()) {
            let chess_move =
                L::read_uci(position, uci).ok_or_else(|| failure::<L>("cannot read", uci))?;
            out.clear();
            L::write_san(position, chess_move, &mut out);
            if out != *san {
                return Err(failure::<L>("writes", &out));
            }
            moves.push((position, chess_move));
        }
        lap::<L>(sample.passes, |counts| {
            let mut out = String::with_capacity(16);
            for &(position, chess_move) in &moves {
                out.clear();
                L::write_san(position, chess_move, &mut out);
                counts.items += 1;
                counts.bytes += black_box(&out).len() as u64;
            }
            Ok(())
        })
    })))
}

/// Checks that a library writes the known positions of the games.
fn check_fens<L: Library>(sample: &Sample) -> Result<Vec<L::Position>, Box<dyn Error>> {
    let positions = positions::<L>(sample)?;
    let mut out = String::new();
    for (position, Turn { fen, .. }) in positions.iter().zip(sample.turns()) {
        out.clear();
        L::write_fen(position, &mut out);
        if out != *fen {
            return Err(failure::<L>("writes", &out));
        }
    }
    Ok(positions)
}

fn read_fen<'a, L: Library + 'a>(
    sample: &'a Sample,
) -> Result<Contestant<'a, Counts>, Box<dyn Error>> {
    check_fens::<L>(sample)?;
    Ok(contestant::<L>(Box::new(|| {
        lap::<L>(sample.passes, |counts| {
            for Turn { fen, .. } in sample.turns() {
                let Some(position) = L::read_fen(fen) else {
                    return Err(fen.clone());
                };
                black_box(&position);
                counts.items += 1;
                counts.bytes += fen.len() as u64;
            }
            Ok(())
        })
    })))
}

fn write_fen<'a, L: Library + 'a>(
    sample: &'a Sample,
) -> Result<Contestant<'a, Counts>, Box<dyn Error>>
where
    L::Position: 'a,
{
    let positions = check_fens::<L>(sample)?;
    Ok(contestant::<L>(Box::new(move || {
        lap::<L>(sample.passes, |counts| {
            let mut out = String::with_capacity(128);
            for position in &positions {
                out.clear();
                L::write_fen(position, &mut out);
                counts.items += 1;
                counts.bytes += black_box(&out).len() as u64;
            }
            Ok(())
        })
    })))
}

/// The libraries that take part in a task.
fn contestants(
    task: TextTask,
    sample: &Sample,
) -> Result<Vec<Contestant<'_, Counts>>, Box<dyn Error>> {
    Ok(match task {
        TextTask::ReadSan => vec![
            read_san::<Position>(sample)?,
            read_san::<Board>(sample)?,
            read_san::<Eschac>(sample)?,
            read_san::<CozyChess>(sample)?,
            read_san::<Shakmaty>(sample)?,
        ],
        TextTask::WriteSan => vec![
            write_san::<Position>(sample)?,
            write_san::<Eschac>(sample)?,
            write_san::<CozyChess>(sample)?,
            write_san::<Shakmaty>(sample)?,
        ],
        TextTask::ReadFen => vec![
            read_fen::<Position>(sample)?,
            read_fen::<Board>(sample)?,
            read_fen::<CozyChess>(sample)?,
            read_fen::<Shakmaty>(sample)?,
        ],
        TextTask::WriteFen => vec![
            write_fen::<Position>(sample)?,
            write_fen::<CozyChess>(sample)?,
            write_fen::<Shakmaty>(sample)?,
        ],
    })
}

/// Runs the race of one task, reports each round to `progress`, and returns the table.
///
/// # Errors
///
/// If a library fails, or its result differs from the others.
pub fn run(
    task: TextTask,
    sample: &Sample,
    rounds: usize,
    progress: impl FnMut(usize),
) -> Result<String, Box<dyn Error>> {
    let standings = race::run(contestants(task, sample)?, rounds, progress)?;
    let all = ["eschac", "cozy-chess", "shakmaty"];
    let layout = TableLayout {
        units: &[Unit {
            name: "million/s",
            decimals: 2,
            amount: &|counts: &Counts| counts.items as f64 / 1e6,
        }],
        baselines: match task {
            TextTask::ReadSan | TextTask::WriteSan => &all,
            TextTask::ReadFen | TextTask::WriteFen => &all[1..],
        },
        last: None,
    };
    Ok(table::render(&standings, &layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn all_libraries_agree() {
        let sample = Sample::new(&games::random(50_000), 10_000);
        assert!(sample.games() > 10);
        for task in [
            TextTask::ReadSan,
            TextTask::WriteSan,
            TextTask::ReadFen,
            TextTask::WriteFen,
        ] {
            let table = run(task, &sample, 2, |_| {}).unwrap();
            assert!(table.contains("| tabiya Position "), "{table}");
        }
    }

    #[test]
    fn games_are_repeated_to_reach_the_number_of_moves() {
        let text = b"1. e4 e5 2. Nf3 *\n\n1. e5 *\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra8# *";
        let sample = Sample::new(text, 7);
        assert_eq!((sample.games(), sample.moves(), sample.passes()), (1, 3, 3));
        let counts = (contestants(TextTask::ReadSan, &sample).unwrap()[0].run)()
            .unwrap()
            .counts;
        assert_eq!(
            counts,
            Counts {
                items: 9,
                bytes: 21
            }
        );
    }

    #[test]
    fn a_wrong_text_is_an_error() {
        let mut sample = Sample::new(b"1. e4 e5 2. Nf3 *", 1);
        sample.games[0][2].san = "Nh3".to_owned();
        assert!(contestants(TextTask::ReadSan, &sample).is_err());
        assert!(run(TextTask::WriteSan, &sample, 1, |_| {}).is_err());
        assert!(contestants(TextTask::ReadFen, &sample).is_ok());
        sample.games[0][1].fen.insert(0, '9');
        assert!(contestants(TextTask::ReadFen, &sample).is_err());
        assert!(contestants(TextTask::WriteFen, &sample).is_err());
    }
}
