//! Plays the engine against Stockfish and an earlier version of itself. See the README of this crate.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tabiya_arena::{
    AdjudicationRules, DrawRule, EngineSpec, ResignRule, SearchLimit, Standings, Tournament,
    TournamentEvent, TournamentFormat, read_openings, shuffle_openings,
};
use tabiya_benches::arguments::{self, positive};
use tabiya_board::GameHistory;

const USAGE: &str = "\
Plays the engine against Stockfish and an earlier version, at equal nodes and at equal time.

Usage: ladder --openings FILE [OPTIONS]

  --openings FILE     PGN or EPD file to take openings from
  --engine COMMAND    the engine to measure (tabiya uci, from the folder of this program)
  --stockfish COMMAND the Stockfish to play (stockfish)
  --previous COMMAND  the earlier version to play, with its name in the table: \"1.0: old/tabiya uci\"; without it, those
                      matches are left out
  --games PERCENT     percentage of the usual number of games (100)
  --concurrency N     games to play at the same time (1)
  --log FILE          append the rows to this file (docs/lab/ladder.md)
  --help              print this

An interrupted run continues: finished games are kept in the folder `ladder-games` beside this program.";

/// How two engines meet: the limit, and the number of games.
const MATCHES: [(&str, u32); 2] = [("nodes=25000", 300), ("5s+0.05", 100)];
/// The same openings in the same order for every version.
const OPENING_SEED: u64 = 15;

struct Settings {
    engine: String,
    stockfish: String,
    previous: Option<String>,
    openings: PathBuf,
    percent: u32,
    concurrency: usize,
    log: PathBuf,
}

fn main() -> ExitCode {
    arguments::run(USAGE, parse(std::env::args().skip(1)), |settings| {
        play_ladder(&settings)
    })
}

/// Parses the command line. `None` is a request for help.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Settings>, String> {
    let folder = program_folder()?;
    let mut openings = None;
    let mut settings = Settings {
        engine: format!("{} uci", folder.join("tabiya").display()),
        stockfish: "stockfish".to_owned(),
        previous: None,
        openings: PathBuf::new(),
        percent: 100,
        concurrency: 1,
        log: "docs/lab/ladder.md".into(),
    };
    while let Some(option) = arguments.next() {
        if matches!(option.as_str(), "--help" | "-h") {
            return Ok(None);
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--openings" => openings = Some(PathBuf::from(&value)),
            "--engine" => settings.engine = value,
            "--stockfish" => settings.stockfish = value,
            "--previous" => settings.previous = Some(value),
            "--games" => settings.percent = positive(&option, &value)?,
            "--concurrency" => settings.concurrency = positive(&option, &value)?,
            "--log" => settings.log = value.into(),
            _ => return Err(format!("unknown argument: {option}")),
        }
    }
    settings.openings = openings.ok_or("--openings is missing")?;
    Ok(Some(settings))
}

fn program_folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(program.parent().unwrap_or(Path::new(".")).to_owned())
}

/// Plays all matches, prints each result as a row of the table, and appends it to the log.
fn play_ladder(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let text = fs::read(&settings.openings)
        .map_err(|error| format!("cannot read {}: {error}", settings.openings.display()))?;
    let mut openings = read_openings(&String::from_utf8_lossy(&text))?;
    shuffle_openings(&mut openings, OPENING_SEED);
    let records = program_folder()?.join("ladder-games");
    fs::create_dir_all(&records)
        .map_err(|error| format!("cannot create {}: {error}", records.display()))?;
    let version = version();
    let mut opponents = vec![("stockfish", settings.stockfish.as_str())];
    opponents.extend(
        settings
            .previous
            .as_deref()
            .map(|command| ("previous", command)),
    );
    println!("{HEADER}");
    for (opponent, command) in opponents {
        for (limit, games) in MATCHES {
            let games = (games * settings.percent / 100).max(2);
            let record = records.join(record_name(opponent, limit, &version));
            let standings = play_match(settings, command, limit, games, &openings, record)?;
            let row = row(&version, &standings, limit);
            println!("{row}");
            append(&settings.log, &row)?;
        }
    }
    Ok(())
}

/// Returns the name of the file that keeps the games of a match. Each version has its own: the games of one must not
/// count for another.
fn record_name(opponent: &str, limit: &str, version: &str) -> String {
    let version = version.replace(' ', "-");
    format!("{opponent}-{limit}-{version}.pgn")
}

fn play_match(
    settings: &Settings,
    opponent: &str,
    limit: &str,
    games: u32,
    openings: &[GameHistory],
    record: PathBuf,
) -> Result<Standings, Box<dyn Error>> {
    let engine = |command: &str| {
        EngineSpec::parse(command).ok_or_else(|| format!("not the command of an engine: {command}"))
    };
    let tournament = Tournament {
        engines: vec![engine(&settings.engine)?, engine(opponent)?],
        format: TournamentFormat::RoundRobin,
        pairs: games.div_ceil(2),
        openings: openings.to_vec(),
        limit: match limit.strip_prefix("nodes=") {
            Some(nodes) => SearchLimit::Nodes(nodes.parse()?),
            None => SearchLimit::Time(limit.parse()?),
        },
        adjudication: AdjudicationRules {
            resign: Some(ResignRule::default()),
            draw: Some(DrawRule::default()),
            ..AdjudicationRules::default()
        },
        concurrency: settings.concurrency,
        sprt: None,
        record: Some(record),
    };
    let never = Arc::new(AtomicBool::new(false));
    let standings = tournament.play(&never, &mut |event, standings| {
        if let TournamentEvent::GameEnded { .. } = event {
            eprint!(
                "\r{limit}: game {} of {}",
                standings.played, standings.games
            );
        }
    })?;
    eprintln!();
    Ok(standings)
}

const HEADER: &str = "\
| version | opponent | limit | games | result | Elo | losses on time |
| ------- | -------- | ----- | ----: | ------ | --: | ---: |";

fn row(version: &str, standings: &Standings, limit: &str) -> String {
    let tally = &standings.table[0][1];
    let elo = tally.elo();
    // A match that one side wins completely has no estimate.
    let elo = if elo.error.is_finite() {
        format!("{:+.0} ± {:.0}", elo.value, elo.error).replace('-', "−")
    } else {
        "–".to_owned()
    };
    format!(
        "| {version} | {} | {limit} | {} | +{} ={} −{} | {elo} | {} |",
        standings.names[1],
        standings.played,
        tally.wins,
        tally.draws,
        tally.losses,
        standings.forfeits[0].time,
    )
}

/// The commit that is measured, with its date. A plus sign says that the checkout has changes.
fn version() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let Some(commit) = git(&["log", "-1", "--format=%cs %h"]) else {
        return "unknown".to_owned();
    };
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]).unwrap_or_default();
    format!("{commit}{}", if changes.is_empty() { "" } else { "+" })
}

fn append(log: &Path, row: &str) -> Result<(), String> {
    let failed = |error| format!("cannot write {}: {error}", log.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .map_err(failed)?;
    writeln!(file, "{row}").map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Option<Settings>, String> {
        super::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn versions_keep_their_games_apart() {
        let name = |version| record_name("stockfish", "5s+0.05", version);
        assert_eq!(
            name("2026-11-16 c1a083f"),
            "stockfish-5s+0.05-2026-11-16-c1a083f.pgn"
        );
        assert_ne!(name("2026-11-16 c1a083f"), name("2026-11-16 c1a083f+"));
    }

    #[test]
    fn rows_go_to_the_end_of_the_log() {
        let folder = std::env::temp_dir().join(format!("ladder-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let log = folder.join("ladder.md");
        fs::write(&log, format!("{HEADER}\n")).unwrap();
        append(&log, "| a |").unwrap();
        append(&log, "| b |").unwrap();
        let text = fs::read_to_string(&log).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(text, format!("{HEADER}\n| a |\n| b |\n"));
        assert!(append(&folder.join("ladder.md"), "| c |").is_err());
    }

    #[test]
    fn arguments_are_parsed() {
        let settings = parse("--openings book.pgn --games 10 --previous old").unwrap();
        let settings = settings.unwrap();
        assert_eq!(settings.openings, Path::new("book.pgn"));
        assert_eq!((settings.percent, settings.concurrency), (10, 1));
        assert_eq!(settings.previous.as_deref(), Some("old"));
        assert!(parse("--help").unwrap().is_none());
        for wrong in [
            "",
            "--openings",
            "--openings a --games 0",
            "--openings a --x 1",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
