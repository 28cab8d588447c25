//! What `tabiya match` and `tabiya tournament` share.

mod live_table;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_arena::{
    AdjudicationRules, DrawRule, EloModel, EngineSpec, ResignRule, SearchLimit, Sprt, Standings,
    Tournament, TournamentEvent, TournamentFormat, read_openings, report, shuffle_openings,
    standings_json,
};
use tabiya_board::GameHistory;
use tabiya_games::{display_name, is_compressed, is_standard_input, read_text};
use tabiya_notation::TimeControl;

use crate::screen::{CommandOutput, Screen};
use crate::{INTERRUPTED, remark};
use live_table::LiveTable;

/// More games would take years, and their schedule all the memory.
const MAX_GAMES: u64 = 5_000_000;

/// How to play the games and where to keep them.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// Time for each side: 5+3 is 5 minutes plus 3 seconds per move, 10s+0.1 is 10 seconds plus 0.1, 0.5s/move is half
    /// a second per move
    #[arg(long, value_name = "TIME", default_value = "10s+0.1", value_parser = parse_clock)]
    clock: TimeControl,

    /// Search this many nodes for each move, without a clock
    #[arg(long, value_name = "N", conflicts_with = "clock", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search to this depth for each move, without a clock
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["clock", "nodes"], value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// File of openings: games (PGN) or positions (EPD, FEN) [default: the starting position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Number of the first opening to use
    #[arg(long, value_name = "N", default_value_t = 1, requires = "openings", value_parser = clap::value_parser!(u32).range(1..))]
    first_opening: u32,

    /// Shuffle the openings; the same seed gives the same order
    #[arg(long, value_name = "SEED", requires = "openings")]
    shuffle: Option<u64>,

    /// Number of games to play at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::arguments::parse_threads)]
    concurrency: usize,

    /// File to keep the games in; games that it already has are not played again
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// End games when both engines agree on the result: --resign and --draw with their defaults
    #[arg(long)]
    adjudicate: bool,

    /// End games that both engines have scored as won for several moves [score=1000,moves=3]
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,

    /// End games that both engines have scored as drawn for several moves [score=8,moves=8,from=40]
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,

    /// Number of moves after which a game is drawn
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().max_moves, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_moves: u32,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A test that may end a match early.
#[derive(Args)]
pub(crate) struct SprtArguments {
    /// Run a sequential test: end the match once one of the two Elo differences is accepted and the other rejected
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// Accepted rates of false positives and false negatives
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", requires = "sprt", value_parser = parse_errors)]
    sprt_errors: (f64, f64),

    /// Elo model of the test
    #[arg(long, value_name = "MODEL", default_value = "normalised", requires = "sprt", value_parser = ["normalised", "logistic"])]
    sprt_model: String,
}

impl SprtArguments {
    pub(crate) fn sprt(&self) -> Option<Sprt> {
        let (elo0, elo1) = self.sprt?;
        let (alpha, beta) = self.sprt_errors;
        Some(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model: match self.sprt_model.as_str() {
                "logistic" => EloModel::Logistic,
                _ => EloModel::Normalized,
            },
        })
    }
}

fn parse_two(text: &str) -> Option<(f64, f64)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let fits = |&(elo0, elo1): &(f64, f64)| elo0 < elo1 && elo0.abs() < 1e4 && elo1.abs() < 1e4;
    parse_two(text)
        .filter(fits)
        .ok_or_else(|| "give two numbers, the smaller one first, as in 0,5".to_owned())
}

fn parse_errors(text: &str) -> Result<(f64, f64), String> {
    let fits = |&(alpha, beta): &(f64, f64)| alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
    parse_two(text)
        .filter(fits)
        .ok_or_else(|| "give two numbers whose sum is less than 1, as in 0.05,0.05".to_owned())
}

/// Reads a time control; engines need one.
fn parse_clock(text: &str) -> Result<TimeControl, String> {
    match text.parse() {
        Ok(TimeControl::None) => {
            Err("engines need a limit: give a clock, --nodes or --depth".to_owned())
        }
        Ok(control) => Ok(control),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads an engine.
pub(crate) fn parse_engine(line: &str) -> anyhow::Result<EngineSpec> {
    EngineSpec::parse(line).context("an engine is a command, as in \"stockfish Hash=64\"")
}

impl GameArguments {
    const fn limit(&self) -> SearchLimit {
        match (self.nodes, self.depth) {
            (Some(nodes), _) => SearchLimit::Nodes(nodes),
            (_, Some(depth)) => SearchLimit::Depth(depth),
            _ => SearchLimit::Time(self.clock),
        }
    }

    fn openings(&self) -> anyhow::Result<Vec<GameHistory>> {
        let Some(path) = &self.openings else {
            return Ok(vec![GameHistory::default()]);
        };
        let shown = display_name(path);
        let mut openings = read_openings(&read_text(path)?).with_context(|| shown.clone())?;
        if let Some(seed) = self.shuffle {
            shuffle_openings(&mut openings, seed);
        }
        let first = self.first_opening as usize;
        if first > openings.len() {
            let count = openings.len();
            bail!("{shown} has {count} openings: --first-opening {first} is too large");
        }
        openings.rotate_left(first - 1);
        Ok(openings)
    }

    fn adjudication(&self) -> AdjudicationRules {
        AdjudicationRules {
            resign: self.resign.or(self.adjudicate.then(ResignRule::default)),
            draw: self.draw.or(self.adjudicate.then(DrawRule::default)),
            max_moves: self.max_moves,
        }
    }

    /// Plays the games that are missing, and prints the result.
    pub(crate) fn play(
        &self,
        engines: Vec<EngineSpec>,
        format: TournamentFormat,
        games: u32,
        sprt: Option<Sprt>,
        screen: Screen,
    ) -> anyhow::Result<CommandOutput> {
        if let Some(path) = &self.pgn
            && (is_compressed(path) || is_standard_input(path))
        {
            let name = display_name(path);
            bail!("--pgn needs a regular file, not {name}");
        }
        let tournament = Tournament {
            engines,
            format,
            pairs: games.div_ceil(2),
            openings: self.openings()?,
            limit: self.limit(),
            adjudication: self.adjudication(),
            concurrency: self.concurrency,
            sprt,
            record: self.pgn.clone(),
        };
        let games = format.games(tournament.engines.len(), tournament.pairs);
        if games > MAX_GAMES {
            bail!("too many games: {games}; the limit is {MAX_GAMES}");
        }
        let stop = stop_on_signals().context("cannot listen for signals")?;
        let mut live = LiveTable::new();
        let played = tournament.play(&stop, &mut |event, standings| {
            show(&event, &tournament, standings, &mut live);
        });
        live.clear();
        let standings = played?;
        let text = if self.json {
            screen.json(&standings_json(&tournament, &standings))?
        } else {
            final_report(&tournament, &standings, screen)
        };
        let code = if standings.complete { 0 } else { INTERRUPTED };
        if !standings.complete {
            let advice = match &self.pgn {
                Some(_) => "repeat the command to continue",
                None => "use --pgn FILE to be able to continue next time",
            };
            remark(format_args!(
                "interrupted after {} of {} games: {advice}",
                standings.played, standings.games
            ));
        }
        Ok(CommandOutput { text, code })
    }
}

/// Shows on standard error what happens.
fn show(
    event: &TournamentEvent<'_>,
    tournament: &Tournament,
    standings: &Standings,
    live: &mut LiveTable,
) {
    match event {
        TournamentEvent::Started { games, others } => {
            let file = tournament.record.as_deref();
            let file = file.map(Path::new).map(display_name).unwrap_or_default();
            let warning = report::openings_warning(tournament);
            let notice = report::resume_notice(*games, *others, &file);
            for line in warning.into_iter().chain(notice) {
                live.say(&line);
            }
        }
        TournamentEvent::FewerThreads { running, wanted } => live.say(&format!(
            "cannot start more threads: playing {running} games at the same time instead of {wanted}"
        )),
        TournamentEvent::GameEnded {
            slot,
            players,
            played,
        } if played.termination.is_forfeit() => {
            let [white, black] = players.map(|player| standings.names[player].as_str());
            live.say(&format!("game {slot}, {white} – {black}: {}", played.termination));
        }
        _ => {}
    }
    live.show(
        standings,
        || report::standings_lines(tournament, standings),
        || report::summary_line(tournament, standings),
    );
}

fn final_report(tournament: &Tournament, standings: &Standings, screen: Screen) -> String {
    let mut text = String::new();
    for line in report::standings_lines(tournament, standings) {
        if standings.names.len() == 2 {
            text.push_str(&screen.wrap(&line, report::MATCH_LABEL_WIDTH));
        } else {
            // Wrapping would destroy the table.
            text.push_str(&line);
            text.push('\n');
        }
    }
    for line in report::detail_lines(standings) {
        text.push_str(&screen.wrap(&line, 2));
    }
    text
}

/// Returns a flag that a signal sets. A second signal ends the program at once.
#[cfg(unix)]
fn stop_on_signals() -> std::io::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;

    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

#[cfg(not(unix))]
fn stop_on_signals() -> std::io::Result<Arc<AtomicBool>> {
    Ok(Arc::default())
}
