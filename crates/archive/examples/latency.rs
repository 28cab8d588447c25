//! Measures how long the explorer takes for a position: cold, with nothing of the archive in the system's cache, and warm.
//!
//!     cargo run --release -p tabiya-archive --features synthetic --example latency -- ARCHIVE
//!     cargo run --release -p tabiya-archive --features synthetic --example latency -- ARCHIVE --synthetic 20000000
//!
//! With `--synthetic` an archive of so many games is written first, if the folder does not exist: 13 GB for twenty
//! million. The positions are the named openings and what lies a move behind them. Each is asked of an archive that is
//! opened for it, as the command does, first cold, then warm.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tabiya_archive::{Archive, Filter, Table, synthetic};
use tabiya_board::Board;

/// How many positions are asked, beside the start.
const POSITIONS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, games) = match &arguments[..] {
        [folder] => (PathBuf::from(folder), None),
        [folder, option, games] if option == "--synthetic" => {
            (PathBuf::from(folder), Some(games.parse()?))
        }
        _ => {
            eprintln!("usage: latency ARCHIVE [--synthetic GAMES]");
            exit(2);
        }
    };
    if let Some(games) = games
        && !folder.exists()
    {
        let start = Instant::now();
        let threads = available_parallelism().map_or(1, std::num::NonZero::get);
        synthetic::write(&folder, games, threads)?;
        println!("written in {:.0} s", start.elapsed().as_secs_f64());
    }
    let info = Archive::open(&folder)?.info();
    println!(
        "{} games, {} positions, {} MB",
        info.games,
        info.positions,
        info.bytes / 1_000_000
    );

    let known = synthetic::known(info.games as u32);
    let step = known.len().div_ceil(POSITIONS);
    let mut boards: Vec<Board> = known
        .iter()
        .step_by(step)
        .map(|known| known.board)
        .collect();
    boards.insert(0, Board::start());
    let mut asked: Vec<(u64, Duration, Duration)> = Vec::new();
    for board in &boards {
        forget(&folder)?;
        let (games, cold) = ask(&folder, board)?;
        let warm = (0..3).map(|_| ask(&folder, board).map(|asked| asked.1));
        let warm = warm
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .min()
            .unwrap_or_default();
        asked.push((games, cold, warm));
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let row = |name: &str, games: u64, mut times: Vec<(Duration, Duration)>| {
        let mut print = vec![name.to_owned(), games.to_string(), times.len().to_string()];
        for which in [
            |time: &(Duration, Duration)| time.0,
            |time: &(Duration, Duration)| time.1,
        ] {
            times.sort_by_key(which);
            for time in [&times[times.len() / 2], &times[times.len() - 1]] {
                print.push(format!("{:.1}", milliseconds(which(time))));
            }
        }
        println!(
            "{:<18} {:>12} {:>9} {:>9} {:>9} {:>9} {:>9}",
            print[0], print[1], print[2], print[3], print[4], print[5], print[6]
        );
    };
    println!("milliseconds          most games positions      cold   slowest      warm   slowest");
    row("the start", asked[0].0, vec![(asked[0].1, asked[0].2)]);
    for (name, least, most) in [
        ("no game", 0, 0),
        ("1 to 15 games", 1, 15),
        ("16 to 999 games", 16, 999),
        ("1000 or more", 1000, u64::MAX),
    ] {
        let some: Vec<_> = asked
            .iter()
            .filter(|asked| (least..=most).contains(&asked.0))
            .collect();
        let times: Vec<_> = some.iter().map(|asked| (asked.1, asked.2)).collect();
        if !times.is_empty() {
            row(
                name,
                some.iter().map(|asked| asked.0).max().unwrap_or(0),
                times,
            );
        }
    }
    Ok(())
}

fn ask(folder: &Path, board: &Board) -> Result<(u64, Duration), Box<dyn Error>> {
    let start = Instant::now();
    let explored = Archive::open(folder)?.explore(board, &Filter::default())?;
    Ok((explored.games, start.elapsed()))
}

/// Asks the system to drop the files of an archive from its cache. Only Linux is asked.
fn forget(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut folders: Vec<PathBuf> = Table::ALL
        .iter()
        .map(|table| folder.join(table.name()))
        .collect();
    folders.extend([folder.to_owned(), folder.join("checksums")]);
    for folder in folders {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() {
                let file = File::open(path)?;
                #[cfg(target_os = "linux")]
                rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
                drop(file);
            }
        }
    }
    Ok(())
}
