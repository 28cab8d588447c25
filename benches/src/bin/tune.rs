//! Tunes the parameters of the search by games. See the README of this crate.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabiya_arena::{Tally, read_openings, shuffle_openings};
use tabiya_benches::arguments::{self, positive};
use tabiya_benches::duel::{self, Player};
use tabiya_benches::spsa::Spsa;
use tabiya_board::GameHistory;
use tabiya_engine::tuning;

const USAGE: &str = "\
Tunes the parameters of the search by games at fixed nodes.

Usage: tune list                            print the parameters, their defaults and ranges
       tune match --openings FILE [OPTIONS] play two settings against each other
       tune spsa --openings FILE [OPTIONS]  tune parameters

  --openings FILE     PGN or EPD file to take openings from
  --nodes N           nodes per move (25000)
  --games N           games to play (400)
  --concurrency N     games to play at the same time (1)
  --seed N            the order of the openings, and chance (1)
  --first NAME=VALUE,...   match: parameters of the first player that are not the defaults
  --second NAME=VALUE,...  match: the same of the second player
  --tune NAME,...     spsa: the parameters to tune (all)
  --state FILE        spsa: where the values are kept; a run continues from there (spsa.txt)
  --help              print this";

struct Settings {
    command: String,
    openings: PathBuf,
    nodes: u64,
    games: u64,
    concurrency: usize,
    seed: u64,
    players: [String; 2],
    tuned: Option<String>,
    state: PathBuf,
}

fn main() -> ExitCode {
    arguments::run(
        USAGE,
        parse(std::env::args().skip(1)),
        |settings| match settings.command.as_str() {
            "list" => {
                list();
                Ok(())
            }
            "match" => play_match(&settings),
            _ => tune(&settings),
        },
    )
}

/// Parses the command line. `None` is a request for help.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Settings>, String> {
    let mut settings = Settings {
        command: arguments
            .next()
            .ok_or("say what to do: list, match or spsa")?,
        openings: PathBuf::new(),
        nodes: 25_000,
        games: 400,
        concurrency: 1,
        seed: 1,
        players: [String::new(), String::new()],
        tuned: None,
        state: "spsa.txt".into(),
    };
    match settings.command.as_str() {
        "--help" | "-h" => return Ok(None),
        "list" | "match" | "spsa" => {}
        other => return Err(format!("unknown command: {other}")),
    }
    while let Some(option) = arguments.next() {
        if matches!(option.as_str(), "--help" | "-h") {
            return Ok(None);
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--nodes" => settings.nodes = positive(&option, &value)?,
            "--games" => settings.games = positive(&option, &value)?,
            "--concurrency" => settings.concurrency = positive(&option, &value)?,
            "--seed" => settings.seed = positive(&option, &value)?,
            "--openings" => settings.openings = value.into(),
            "--first" => settings.players[0] = value,
            "--second" => settings.players[1] = value,
            "--tune" => settings.tuned = Some(value),
            "--state" => settings.state = value.into(),
            _ => return Err(format!("unknown argument: {option}")),
        }
    }
    if settings.command != "list" && settings.openings == Path::new("") {
        return Err("--openings is missing".to_owned());
    }
    Ok(Some(settings))
}

fn list() {
    for parameter in tuning::parameters() {
        let (low, high) = parameter.range;
        println!("{} {} ({low} to {high})", parameter.name, parameter.value);
    }
}

/// Reads the openings, one for each pair of games.
fn openings(settings: &Settings) -> Result<Vec<GameHistory>, Box<dyn Error>> {
    let path = &settings.openings;
    let text =
        fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut openings = read_openings(&String::from_utf8_lossy(&text))?;
    shuffle_openings(&mut openings, settings.seed);
    let pairs = settings.games.div_ceil(2) as usize;
    Ok(openings.into_iter().cycle().take(pairs).collect())
}

fn play_match(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let [first, second] = &settings.players;
    let values = [duel::parse_values(first)?, duel::parse_values(second)?];
    let tally = duel::play_match(
        &values,
        &openings(settings)?,
        settings.nodes,
        settings.concurrency,
        |tally| eprint!("\r{}", result(tally)),
    );
    eprintln!();
    println!("{}", result(&tally));
    Ok(())
}

fn result(tally: &Tally) -> String {
    let elo = tally.elo();
    format!(
        "{} games: +{} ={} −{}, {:+.1} ± {:.1}",
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses,
        elo.value,
        elo.error,
    )
}

fn tune(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let parameters = tuning::parameters();
    let defaults: Vec<i32> = parameters.iter().map(|parameter| parameter.value).collect();
    let names: Vec<&str> = match &settings.tuned {
        Some(names) => names.split(',').map(str::trim).collect(),
        None => parameters.iter().map(|parameter| parameter.name).collect(),
    };
    let openings = openings(settings)?;
    let mut spsa = Spsa::new(parameters, &names, openings.len() as u64, settings.seed)?;
    if let Ok(text) = fs::read_to_string(&settings.state)
        && !spsa.resume(&text)
    {
        let path = settings.state.display();
        return Err(format!("{path} is of other parameters: remove it, or name another").into());
    }
    let spsa = Mutex::new(spsa);
    let lock = || spsa.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..settings.concurrency {
            scope.spawn(|| {
                let mut players = [(); 2].map(|()| Player::new(defaults.clone()));
                loop {
                    let mut spsa = lock();
                    if spsa.is_finished() {
                        break;
                    }
                    let step = spsa.begin(&defaults);
                    let opening = &openings[(spsa.step() - 1) as usize];
                    drop(spsa);
                    for (player, values) in players.iter_mut().zip(&step.values) {
                        player.set_values(values.clone());
                    }
                    let half_points: u32 = duel::play_pair(&mut players, opening, settings.nodes)
                        .iter()
                        .sum();
                    let mut spsa = lock();
                    spsa.end(&step, f64::from(half_points) - 2.0);
                    eprint!("\rstep {} of {}", spsa.step(), openings.len());
                    if let Err(error) = spsa.save(&settings.state) {
                        eprintln!("\ncannot write {}: {error}", settings.state.display());
                    }
                }
            });
        }
    });
    eprintln!();
    print!("{}", lock().to_text());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Option<Settings>, String> {
        super::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_are_parsed() {
        let settings = parse("match --openings book.pgn --first a=1 --games 10").unwrap();
        let settings = settings.unwrap();
        assert_eq!((settings.games, settings.nodes), (10, 25_000));
        assert_eq!(settings.players, ["a=1".to_owned(), String::new()]);
        assert!(parse("spsa --help").unwrap().is_none());
        assert!(parse("list").unwrap().is_some());
        for wrong in [
            "",
            "play",
            "match",
            "spsa --openings a --nodes 0",
            "spsa --x 1",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
