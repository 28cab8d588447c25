//! How a match or a tournament stands, for people.

use std::fmt::Write;

use tabiya_arena::{Elo, EloModel, Sprt, Standings, Tally, Tournament, SprtDecision};

use crate::screen::Screen;

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

pub(super) const fn verdict(verdict: SprtDecision) -> &'static str {
    match verdict {
        SprtDecision::Continue => "open",
        SprtDecision::AcceptH1 => "stronger",
        SprtDecision::AcceptH0 => "not stronger",
    }
}

pub(super) const fn model(model: EloModel) -> &'static str {
    match model {
        EloModel::Normalized => "normalised",
        EloModel::Logistic => "logistic",
    }
}

/// What the test says.
fn test(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!(
        "{},{} {}: {:.2} between {lower:.2} and {upper:.2}, {}",
        sprt.elo0,
        sprt.elo1,
        model(sprt.model),
        sprt.llr(tally.pairs),
        verdict(sprt.decision(tally.pairs))
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

/// The width of what stands before the numbers of a match.
const SUBJECT: usize = 12;

fn match_lines(tournament: &Tournament, standings: &Standings) -> Vec<String> {
    let tally = &standings.table[0][1];
    let [first, second] = [&standings.names[0], &standings.names[1]];
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    let mut lines = vec![
        format!("{first} against {second}, {}", tournament.limit),
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
            shown(tally.normalized_elo())
        ),
        format!(
            "superior    with a likelihood of {:.1} %",
            100.0 * tally.los()
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

/// The result, with all that is worth knowing at the end.
pub(super) fn whole(tournament: &Tournament, standings: &Standings, screen: Screen) -> String {
    let mut text = String::new();
    for line in lines(tournament, standings) {
        if standings.names.len() == 2 {
            text.push_str(&screen.wrap(&line, SUBJECT));
        } else {
            // A table that is broken into more lines is none.
            text.push_str(&line);
            text.push('\n');
        }
    }
    for line in details(standings) {
        text.push_str(&screen.wrap(&line, 2));
    }
    text
}

/// What else is worth knowing.
fn details(standings: &Standings) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, faults) in standings.names.iter().zip(&standings.forfeits) {
        let kinds = [
            (faults.time, "on time"),
            (faults.illegal, "by moves that are not legal"),
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
            lines.push(format!(
                "{name} had no opponent for {byes} {plural}, and has won"
            ));
        }
    }
    let cost = &standings.timing;
    if cost.moves > 0 {
        let thought = 1000.0 * cost.thinking.as_secs_f64() / cost.moves as f64;
        lines.push(format!(
            "a move took {thought:.3} ms, with an overhead of {:.3} ms",
            1000.0 * cost.overhead()
        ));
    }
    lines
}
