//! Reports for people: the state of a match or a tournament in words and tables.

use std::fmt::Write;

use crate::sprt::{EloModel, Sprt, SprtDecision};
use crate::standings::Standings;
use crate::tally::{Elo, Tally};
use crate::tournament::Tournament;

/// Writes a difference in strength with its error, as far as they are known.
fn format_elo(elo: Elo) -> String {
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

pub(crate) const fn decision_name(decision: SprtDecision) -> &'static str {
    match decision {
        SprtDecision::Continue => "undecided",
        SprtDecision::AcceptH1 => "stronger",
        SprtDecision::AcceptH0 => "not stronger",
    }
}

pub(crate) const fn model_name(model: EloModel) -> &'static str {
    match model {
        EloModel::Normalized => "normalised",
        EloModel::Logistic => "logistic",
    }
}

fn format_sprt(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!(
        "{},{} {}: LLR {:.2} between {lower:.2} and {upper:.2}, {}",
        sprt.elo0,
        sprt.elo1,
        model_name(sprt.model),
        sprt.llr(tally.pairs),
        decision_name(sprt.decision(tally.pairs))
    )
}

/// Warns that there are too few openings, if so.
pub fn openings_warning(tournament: &Tournament) -> Option<String> {
    let (openings, pairs) = (tournament.openings.len(), tournament.openings_needed());
    if openings >= pairs {
        return None;
    }
    let plural = if openings == 1 { "opening" } else { "openings" };
    Some(format!(
        "{openings} {plural} for {pairs} pairs of games: deterministic engines will repeat games"
    ))
}

/// Says how many games a file already has, if any: of this tournament, and others.
pub fn resume_notice(recorded: u64, others: u64, file: &str) -> Option<String> {
    let plural = |count: u64| if count == 1 { "game" } else { "games" };
    let mut text = match (recorded, others) {
        (0, 0) => return None,
        (0, _) => format!("{file} has no games of this tournament yet"),
        _ => format!("{file} already has {recorded} {}", plural(recorded)),
    };
    if others > 0 {
        let games = plural(others);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ", and {others} {games} of other players or settings, which are left alone"
        );
    }
    Some(text)
}

/// Summarises the standings in one line.
pub fn summary_line(tournament: &Tournament, standings: &Standings) -> String {
    let mut line = format!("{} of {} games: ", standings.played, standings.games);
    if standings.names.len() == 2 {
        let tally = &standings.table[0][1];
        let _ = write!(
            line,
            "{} won, {} drawn, {} lost; Elo {}",
            tally.wins,
            tally.draws,
            tally.losses,
            format_elo(tally.elo())
        );
        if let Some(sprt) = &tournament.sprt {
            let _ = write!(line, "; SPRT {}", format_sprt(sprt, tally));
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

/// Writes the standings as lines: the numbers of a match, or the table of a tournament.
pub fn standings_lines(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    if standings.names.len() == 2 {
        match_lines(tournament, standings)
    } else {
        table_lines(standings)
    }
}

/// The width of the labels in the lines of a match: further lines are indented by as much.
pub const MATCH_LABEL_WIDTH: usize = 12;

fn match_lines(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let tally = &standings.table[0][1];
    let [first, second] = [&standings.names[0], &standings.names[1]];
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    let mut lines = vec![
        format!("{first} vs {second}, {}", tournament.limit),
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
            format_elo(tally.elo()),
            format_elo(tally.normalized_elo())
        ),
        format!(
            "LOS         {:.1} % (likelihood of superiority)",
            100.0 * tally.los()
        ),
        format!("pairs       {pairs} (of 0 ½ 1 1½ 2 points)"),
    ];
    if let Some(sprt) = &tournament.sprt {
        lines.push(format!("SPRT        {}", format_sprt(sprt, tally)));
    }
    lines
}

/// The greatest width of the column of names.
const MAX_NAME_WIDTH: usize = 30;

fn table_lines(standings: &Standings) -> Vec<String> {
    let ratings = standings.ratings();
    let ranking = standings.ranking();
    let length = |name: &String| name.chars().count();
    let width = standings.names.iter().map(length).max().unwrap_or(0);
    let width = width.clamp(4, MAX_NAME_WIDTH);
    let mut header = format!(
        "    {:width$} {:>7} {:>6} {:>6} {:>8} {:>7}  {:>5} {:>5} {:>5}",
        "name", "points", "games", "%", "Elo", "±", "won", "drawn", "lost"
    );
    // The crosstable, as long as it fits a screen.
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

/// Writes the rest of the final report: forfeits, byes and timing.
pub fn detail_lines(standings: &Standings) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, faults) in standings.names.iter().zip(&standings.forfeits) {
        let kinds = [
            (faults.time, "on time"),
            (faults.illegal, "by illegal moves"),
            (faults.crashes, "by crashing or hanging"),
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
            lines.push(format!("{name} had a bye in {byes} {plural}"));
        }
    }
    let cost = &standings.timing;
    if cost.moves > 0 {
        let thought = 1000.0 * cost.thinking.as_secs_f64() / cost.moves as f64;
        lines.push(format!(
            "average time per move: {thought:.3} ms, plus {:.3} ms of overhead",
            1000.0 * cost.overhead()
        ));
    }
    lines
}
