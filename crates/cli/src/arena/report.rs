//! How a match or a tournament stands, in words and in numbers.

use std::fmt::Write;

use serde::Serialize;
use tabiya_arena::{Cost, Elo, Model, Sprt, Standings, Tally, Tournament, Verdict};

/// A difference in strength with its error, as far as they are known.
fn shown(elo: Elo) -> String {
    let value = match elo.value {
        value if value.is_nan() => "unknown".to_owned(),
        value if value.is_infinite() => format!("{}infinite", if value > 0.0 { '+' } else { '-' }),
        value => format!("{value:+.1}"),
    };
    if elo.error.is_finite() {
        format!("{value} ± {:.1}", elo.error)
    } else {
        value
    }
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Gain => "stronger",
        Verdict::None => "not stronger",
    }
}

const fn model(model: Model) -> &'static str {
    match model {
        Model::Normalised => "normalised",
        Model::Logistic => "logistic",
    }
}

/// What the test says.
fn test(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!(
        "{},{} {}: {:.2} between {lower:.2} and {upper:.2}, {}",
        sprt.none,
        sprt.gain,
        model(sprt.model),
        sprt.likelihood_ratio(tally.pairs),
        verdict(sprt.verdict(tally.pairs))
    )
}

/// That there are too few openings, if so.
pub(super) fn openings(tournament: &Tournament) -> String {
    let (openings, pairs) = (tournament.openings.len(), tournament.openings_needed());
    if openings >= pairs {
        return String::new();
    }
    let plural = if openings == 1 { "opening" } else { "openings" };
    format!(
        "{openings} {plural} for {pairs} pairs of games: engines that always answer alike repeat their games"
    )
}

/// That games were there already.
pub(super) fn resumed(games: u64, others: u64, file: &str) -> String {
    let plural = |count: u64| if count == 1 { "game" } else { "games" };
    let mut text = String::new();
    if games > 0 {
        let _ = write!(
            text,
            "{file} has {games} {} of these already",
            plural(games)
        );
    } else if others > 0 {
        let _ = write!(text, "{file} has no games of these yet");
    }
    if others > 0 {
        let _ = write!(
            text,
            ", and {others} {} of other players or settings, which stay as they are",
            plural(others)
        );
    }
    text
}

/// All of it in one line.
pub(super) fn line(tournament: &Tournament, standings: &Standings) -> String {
    let mut line = format!("{} of {} games: ", standings.played, standings.games);
    if standings.names.len() == 2 {
        let tally = &standings.table[0][1];
        let _ = write!(
            line,
            "{} won, {} drawn, {} lost; Elo {}",
            tally.wins,
            tally.draws,
            tally.losses,
            shown(tally.elo())
        );
        if let Some(sprt) = &tournament.sprt {
            let _ = write!(line, "; SPRT {}", test(sprt, tally));
        }
    } else {
        let leaders = standings.ranking().into_iter().take(3);
        let leaders: Vec<String> = leaders
            .map(|player| format!("{} {}", standings.names[player], standings.points(player)))
            .collect();
        line.push_str(&leaders.join(", "));
    }
    line
}

/// The table.
pub(super) fn lines(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    if standings.names.len() == 2 {
        match_lines(tournament, standings)
    } else {
        table_lines(standings)
    }
}

fn match_lines(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let tally = &standings.table[0][1];
    let [first, second] = [&standings.names[0], &standings.names[1]];
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    let mut lines = vec![
        format!("{first} against {second}, {}", tournament.pace),
        format!(
            "score       {} of {} ({:.1} %): {} won, {} drawn, {} lost",
            tally.points(),
            tally.games(),
            100.0 * tally.score(),
            tally.wins,
            tally.draws,
            tally.losses
        ),
        format!(
            "Elo         {}, normalised {}",
            shown(tally.elo()),
            shown(tally.normalised_elo())
        ),
        format!(
            "superior    with a likelihood of {:.1} %",
            100.0 * tally.superiority()
        ),
        format!("pairs       {pairs} (of 0 ½ 1 1½ 2 points)"),
    ];
    if let Some(sprt) = &tournament.sprt {
        lines.push(format!("SPRT        {}", test(sprt, tally)));
    }
    lines
}

/// How wide a column of names may be.
const NAME: usize = 30;

fn table_lines(standings: &Standings) -> Vec<String> {
    let ratings = standings.ratings();
    let ranking = standings.ranking();
    let length = |name: &String| name.chars().count();
    let width = standings.names.iter().map(length).max().unwrap_or(0);
    let width = width.clamp(4, NAME);
    let mut header = format!(
        "    {:width$} {:>7} {:>6} {:>6} {:>8} {:>7}  {:>5} {:>5} {:>5}",
        "name", "points", "games", "%", "Elo", "±", "won", "drawn", "lost"
    );
    // What each has against each, as long as that is a table to look at.
    let crossed = ranking.len() <= 10;
    if crossed {
        header.push(' ');
        for rank in 1..=ranking.len() {
            let _ = write!(header, " {rank:>5}");
        }
    }
    let mut lines = vec![header];
    for (rank, &player) in (1..).zip(&ranking) {
        let name: String = standings.names[player].chars().take(width).collect();
        let (tally, rating) = (standings.tally(player), ratings[player]);
        let error = if rating.error.is_finite() {
            format!("{:.1}", rating.error)
        } else {
            "?".to_owned()
        };
        let mut line = format!(
            "{rank:>3} {name:width$} {:>7} {:>6} {:>6.1} {:>+8.1} {error:>7}  {:>5} {:>5} {:>5}",
            standings.points(player).to_string(),
            tally.games(),
            100.0 * tally.score(),
            rating.value,
            tally.wins,
            tally.draws,
            tally.losses
        );
        if crossed {
            line.push(' ');
            for &opponent in &ranking {
                let against = &standings.table[player][opponent];
                let cell = match against.games() {
                    0 => "-".to_owned(),
                    _ => against.points().to_string(),
                };
                let _ = write!(line, " {cell:>5}");
            }
        }
        lines.push(line);
    }
    lines
}

/// What else is worth knowing at the end.
pub(super) fn details(standings: &Standings) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, faults) in standings.names.iter().zip(&standings.faults) {
        let kinds = [
            (faults.time, "on time"),
            (faults.illegal, "by moves that are not legal"),
            (faults.failed, "by crashing or hanging"),
        ];
        let kinds: Vec<String> = kinds
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, how)| format!("{count} {how}"))
            .collect();
        if !kinds.is_empty() {
            lines.push(format!("{name} lost {}", kinds.join(", ")));
        }
    }
    for (name, &byes) in standings.names.iter().zip(&standings.byes) {
        if byes > 0 {
            let plural = if byes == 1 { "round" } else { "rounds" };
            lines.push(format!(
                "{name} had no opponent for {byes} {plural}, and has won"
            ));
        }
    }
    let cost = &standings.cost;
    if cost.moves > 0 {
        let thought = 1000.0 * cost.thinking.as_secs_f64() / cost.moves as f64;
        lines.push(format!(
            "a move took {thought:.3} ms, with an overhead of {:.3} ms",
            1000.0 * cost.overhead()
        ));
    }
    lines
}

/// A difference in strength for programs; nothing where it is not known.
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

/// What a player has achieved, against all or against one.
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
            normalised_elo: tally.normalised_elo().into(),
            superiority: tally.superiority(),
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
    /// Against each of the players, in their order.
    against: Vec<Option<Results>>,
}

/// Milliseconds a move.
#[derive(Serialize)]
struct Times {
    moves: u64,
    move_ms: f64,
    between_ms: f64,
    preparing_ms: f64,
    pipes_ms: f64,
    overhead_ms: f64,
}

impl From<&Cost> for Times {
    fn from(cost: &Cost) -> Self {
        let each =
            |time: std::time::Duration| 1000.0 * time.as_secs_f64() / cost.moves.max(1) as f64;
        Self {
            moves: cost.moves,
            move_ms: each(cost.thinking),
            between_ms: each(cost.between),
            preparing_ms: each(cost.preparing),
            pipes_ms: 1000.0 * cost.echo.as_secs_f64(),
            overhead_ms: 1000.0 * cost.overhead(),
        }
    }
}

/// All of it for programs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    complete: bool,
    games: u64,
    played: u64,
    resumed: u64,
    pace: String,
    /// In the order they were given in.
    players: Vec<Player<'a>>,
    sprt: Option<Test>,
    times: Times,
}

pub(super) fn json<'a>(tournament: &Tournament, standings: &'a Standings) -> Report<'a> {
    let ranking = standings.ranking();
    let ratings = standings.ratings();
    let player = |number: usize| {
        let faults = standings.faults[number];
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
                failed: faults.failed,
            },
            against: against
                .map(|(other, tally)| (other != number).then(|| tally.into()))
                .collect(),
        }
    };
    let test = tournament.sprt.map(|sprt| {
        let pairs = standings.table[0][1].pairs;
        Test {
            none: sprt.none,
            gain: sprt.gain,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: model(sprt.model),
            ratio: sprt.likelihood_ratio(pairs),
            bounds: sprt.bounds(),
            verdict: verdict(sprt.verdict(pairs)),
        }
    });
    Report {
        complete: standings.complete,
        games: standings.games,
        played: standings.played,
        resumed: standings.resumed,
        pace: tournament.pace.to_string(),
        players: (0..standings.names.len()).map(player).collect(),
        sprt: test,
        times: (&standings.cost).into(),
    }
}
