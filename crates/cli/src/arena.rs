//! What `tabiya match` and `tabiya tournament` have in common.

mod json;
mod live;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_arena::{
    AdjudicationRules, DrawRule, EngineSpec, TournamentFormat, EloModel, TournamentEvent, SearchLimit, ResignRule, Sprt, Tournament,
    read_openings,
};
use tabiya_board::GameHistory;
use tabiya_notation::TimeControl;

use crate::input::{is_packed, is_standard_input, name, read_whole};
use crate::remark;
use crate::screen::{CommandOutput, Screen};
use live::Live;

/// The exit code of a tournament that was interrupted, as shells have it for Ctrl+C.
const INTERRUPTED: u8 = 130;

/// More would take years, and the list of them all the memory.
const MOST_GAMES: u64 = 5_000_000;

/// How the games are played and kept.
#[derive(Args)]
pub(crate) struct Settings {
    /// Time for each side: 5+3 is 5 minutes plus 3 seconds per move, 10s+0.1 is 10 seconds plus 0.1, 0.5s/move
    #[arg(long, value_name = "TIME", default_value = "10s+0.1", value_parser = parse_clock)]
    clock: TimeControl,

    /// Search this many nodes for each move, without a clock
    #[arg(long, value_name = "N", conflicts_with = "clock", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search this many plies deep for each move, without a clock
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["clock", "nodes"], value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,

    /// Where the games begin: a file of games (PGN) or positions (EPD, FEN); without it, the starting position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// The number of the first opening to use
    #[arg(long, value_name = "N", default_value_t = 1, requires = "openings", value_parser = clap::value_parser!(u32).range(1..))]
    first_opening: u32,

    /// Use the openings in an order by chance: another number, another order
    #[arg(long, value_name = "NUMBER", requires = "openings")]
    shuffle: Option<u64>,

    /// How many games to play at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::arguments::parse_threads)]
    concurrency: usize,

    /// Keep the games in this file, and go on where they end: what is there of the same games is not played again
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// End games on whose result both engines agree: --resign and --draw with their defaults
    #[arg(long)]
    adjudicate: bool,

    /// End games that both engines have seen won for a while [score=1000,moves=3]
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,

    /// End games that both engines have seen even for a while [score=8,moves=8,from=40]
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,

    /// End games as drawn after so many moves
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().max_moves, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_moves: u32,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A test that may end a match early.
#[derive(Args)]
pub(crate) struct Test {
    /// End the match when it is clear whether the first engine is stronger by the second number rather than the first
    #[arg(long, value_name = "ELO,ELO", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,

    /// How often the test may find a gain where there is none, and none where there is one
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", requires = "sprt", value_parser = parse_errors)]
    sprt_errors: (f64, f64),

    /// In what the numbers of the test are given
    #[arg(long, value_name = "MODEL", default_value = "normalised", requires = "sprt", value_parser = ["normalised", "logistic"])]
    sprt_model: String,
}

impl Test {
    pub(crate) fn sprt(&self) -> Option<Sprt> {
        let (none, gain) = self.sprt?;
        let (alpha, beta) = self.sprt_errors;
        Some(Sprt {
            elo0: none,
            elo1: gain,
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
    let fits = |&(none, gain): &(f64, f64)| none < gain && none.abs() < 1e4 && gain.abs() < 1e4;
    parse_two(text)
        .filter(fits)
        .ok_or_else(|| "give two numbers, the smaller one first, as in 0,5".to_owned())
}

fn parse_errors(text: &str) -> Result<(f64, f64), String> {
    let fits = |&(alpha, beta): &(f64, f64)| alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
    parse_two(text).filter(fits).ok_or_else(|| {
        "give two shares that are less than one together, as in 0.05,0.05".to_owned()
    })
}

/// An engine as it is given.
pub(crate) fn contestant(line: &str) -> anyhow::Result<EngineSpec> {
    EngineSpec::parse(line).context("an engine is a command, as in \"stockfish Hash=64\"")
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

impl Settings {
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
        let shown = name(path);
        let mut openings = read_openings(&read_whole(path)?).with_context(|| shown.clone())?;
        if let Some(number) = self.shuffle {
            shuffle(&mut openings, number);
        }
        let skipped = self.first_opening as usize - 1;
        if skipped >= openings.len() {
            bail!(
                "the number of openings in {shown} is {}: the first one cannot be {}",
                openings.len(),
                self.first_opening
            );
        }
        openings.rotate_left(skipped);
        Ok(openings)
    }

    fn adjudication(&self) -> AdjudicationRules {
        AdjudicationRules {
            resign: self.resign.or(self.adjudicate.then(ResignRule::default)),
            draw: self.draw.or(self.adjudicate.then(DrawRule::default)),
            max_moves: self.max_moves,
        }
    }

    /// Plays what is missing, and prints where that leads.
    pub(crate) fn play(
        &self,
        contestants: Vec<EngineSpec>,
        form: TournamentFormat,
        games: u32,
        sprt: Option<Sprt>,
        screen: Screen,
    ) -> anyhow::Result<CommandOutput> {
        if let Some(path) = &self.pgn
            && (is_packed(path) || is_standard_input(path))
        {
            bail!(
                "games are kept in a plain file: give another name than {}",
                name(path)
            );
        }
        let tournament = Tournament {
            engines: contestants,
            format: form,
            pairs: games.div_ceil(2),
            openings: self.openings()?,
            limit: self.limit(),
            adjudication: self.adjudication(),
            concurrency: self.concurrency,
            sprt,
            record: self.pgn.clone(),
        };
        let all = form.games(tournament.engines.len(), tournament.pairs);
        if all > MOST_GAMES {
            bail!("these are {all} games, and more than {MOST_GAMES} are too many");
        }
        let stop = stop_on_signals().context("cannot wait for signals")?;
        let mut live = Live::new();
        let played = tournament.play(&stop, &mut |news, standings| {
            if let TournamentEvent::Started { games, others } = news {
                live.say(&report::openings(&tournament));
                let file = self.pgn.as_deref().map(name).unwrap_or_default();
                live.say(&report::resumed(games, others, &file));
            }
            if let TournamentEvent::GameEnded {
                slot,
                players,
                played,
            } = &news
                && played.end.is_forfeit()
            {
                let [white, black] = players.map(|player| standings.names[player].as_str());
                live.say(&format!(
                    "game {slot}, {white} – {black}: {}",
                    played.end
                ));
            }
            live.show(
                standings,
                || report::lines(&tournament, standings),
                || report::line(&tournament, standings),
            );
        });
        live.clear();
        let standings = played?;
        let text = if self.json {
            screen.json(&json::report(&tournament, &standings))?
        } else {
            report::whole(&tournament, &standings, screen)
        };
        let code = if standings.complete {
            0
        } else {
            let rest = match &self.pgn {
                Some(_) => "the same command goes on from there",
                None => "give --pgn FILE to be able to go on",
            };
            remark(format_args!(
                "interrupted after {} of {} games: {rest}",
                standings.played, standings.games
            ));
            INTERRUPTED
        };
        Ok(CommandOutput { text, code })
    }
}

/// Puts openings into an order by chance that is the same for the same number everywhere.
fn shuffle(openings: &mut [GameHistory], number: u64) {
    let mut state = number;
    // SplitMix64.
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    for last in (1..openings.len()).rev() {
        openings.swap(last, (random() % (last as u64 + 1)) as usize);
    }
}

/// Something that becomes true when the program is told to end. The second time it ends at once.
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
