//! The state of a match or a tournament as JSON.

use std::time::Duration;

use crate::report::{decision_name, model_name};
use crate::standings::{Standings, Timing};
use crate::tally::{Elo, Tally};
use crate::tournament::Tournament;
use serde::Serialize;

/// A difference in strength; null if it is not known.
#[derive(Serialize)]
struct Strength {
    value: Option<f64>,
    error: Option<f64>,
}

impl From<Elo> for Strength {
    fn from(elo: Elo) -> Self {
        let known = |number: f64| number.is_finite().then_some(number);
        Self {
            value: known(elo.value),
            error: known(elo.error),
        }
    }
}

/// The results of a player against one opponent or all of them.
#[derive(Serialize)]
struct Results {
    games: u32,
    points: f64,
    score: f64,
    wins: u32,
    draws: u32,
    losses: u32,
    pairs: [u32; 5],
    elo: Strength,
    normalised_elo: Strength,
    superiority: f64,
}

impl From<&Tally> for Results {
    fn from(tally: &Tally) -> Self {
        Self {
            games: tally.games(),
            points: tally.points(),
            score: tally.score(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            elo: tally.elo().into(),
            normalised_elo: tally.normalized_elo().into(),
            superiority: tally.los(),
        }
    }
}

#[derive(Serialize)]
struct Test {
    none: f64,
    gain: f64,
    alpha: f64,
    beta: f64,
    model: &'static str,
    ratio: f64,
    bounds: (f64, f64),
    verdict: &'static str,
}

#[derive(Serialize)]
struct Forfeits {
    time: u32,
    illegal: u32,
    failed: u32,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    rank: usize,
    points: f64,
    byes: u32,
    rating: Strength,
    results: Results,
    forfeits: Forfeits,
    /// Against each player in turn; null against itself.
    against: Vec<Option<Results>>,
}

/// Milliseconds per move.
#[derive(Serialize)]
struct Times {
    moves: u64,
    move_ms: f64,
    between_ms: f64,
    preparing_ms: f64,
    pipes_ms: f64,
    overhead_ms: f64,
}

impl From<&Timing> for Times {
    fn from(cost: &Timing) -> Self {
        let each = |time: Duration| 1000.0 * time.as_secs_f64() / cost.moves.max(1) as f64;
        Self {
            moves: cost.moves,
            move_ms: each(cost.thinking),
            between_ms: each(cost.between),
            preparing_ms: each(cost.preparing),
            pipes_ms: 1000.0 * cost.ping.as_secs_f64(),
            overhead_ms: 1000.0 * cost.overhead(),
        }
    }
}

/// The standings as `--json` prints them.
#[derive(Serialize)]
pub struct StandingsJson<'a> {
    complete: bool,
    games: u64,
    played: u64,
    resumed: u64,
    limit: String,
    /// In the order in which they were given.
    players: Vec<Player<'a>>,
    sprt: Option<Test>,
    times: Times,
}

/// Collects the standings for JSON.
pub fn standings_json<'a>(tournament: &Tournament, standings: &'a Standings) -> StandingsJson<'a> {
    let ranking = standings.ranking();
    let ratings = standings.ratings();
    let player = |number: usize| {
        let faults = standings.forfeits[number];
        let against = standings.table[number].iter().enumerate();
        Player {
            name: &standings.names[number],
            rank: 1 + ranking
                .iter()
                .position(|&other| other == number)
                .unwrap_or(0),
            points: standings.points(number),
            byes: standings.byes[number],
            rating: ratings[number].into(),
            results: (&standings.tally(number)).into(),
            forfeits: Forfeits {
                time: faults.time,
                illegal: faults.illegal,
                failed: faults.crashes,
            },
            against: against
                .map(|(other, tally)| (other != number).then(|| tally.into()))
                .collect(),
        }
    };
    let test = tournament.sprt.map(|sprt| {
        let pairs = standings.table[0][1].pairs;
        Test {
            none: sprt.elo0,
            gain: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: model_name(sprt.model),
            ratio: sprt.llr(pairs),
            bounds: sprt.bounds(),
            verdict: decision_name(sprt.decision(pairs)),
        }
    });
    StandingsJson {
        complete: standings.complete,
        games: standings.games,
        played: standings.played,
        resumed: standings.resumed,
        limit: tournament.limit.to_string(),
        players: (0..standings.names.len()).map(player).collect(),
        sprt: test,
        times: (&standings.timing).into(),
    }
}
