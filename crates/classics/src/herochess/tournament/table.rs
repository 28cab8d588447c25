//! The table of a tournament: pairings, results and standings, as text.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use tabiya_notation::GameResult;
use tabiya_play::UtcDateTime;

use super::super::players::{AiLevel, PlayerKind};

/// The start of the first line.
const PROGRAM: &str = "HeroChess tournament, Tabiya ";
/// The text for a game without a result.
const TO_BE_PLAYED: &str = "to be played";
/// The largest tournament. It has 780 games.
pub(super) const MAX_ENTRANTS: usize = 40;
/// The longest name, in characters. Longer names would wrap the lines of a terminal.
const MAX_NAME: usize = 30;

/// A participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) kind: PlayerKind,
}

impl Entrant {
    /// Parses a name. `AI 3` is the computer. The name must differ from the others.
    pub(super) fn parse(name: &str, others: &[Self]) -> Result<Self, String> {
        if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(format!(
                "A name has at most {MAX_NAME} characters, all of them visible."
            ));
        }
        if name.is_empty() || name.trim() != name {
            return Err("A name must not be empty, or start or end with a space.".to_owned());
        }
        let kind = match name.strip_prefix("AI ") {
            Some(level) => PlayerKind::Computer(AiLevel::parse(level).ok_or_else(|| {
                format!("The computer players are AI 1 to AI {}.", AiLevel::COUNT)
            })?),
            None => PlayerKind::Person,
        };
        if others.iter().any(|other| other.name == name) {
            return Err(format!("{name} is already in the list."));
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
        })
    }
}

/// A pairing, as indices into the list of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pairing {
    pub(super) white: usize,
    pub(super) black: usize,
}

/// Returns the pairings of a round robin, round by round. Each player's numbers of games with
/// White and with Black differ by at most one.
fn pairings(entrants: usize) -> Vec<Pairing> {
    // The circle method: all players but one rotate. With an odd number, one place is a bye.
    let places = entrants + entrants % 2;
    let mut circle: Vec<usize> = (0..places).collect();
    let mut pairings = Vec::new();
    for _ in 1..places {
        for place in 0..places / 2 {
            let (one, other) = (circle[place], circle[places - 1 - place]);
            let (low, high) = (one.min(other), one.max(other));
            if high == entrants {
                continue;
            }
            let low_is_white = (low + high) % 2 == 1;
            let (white, black) = if low_is_white {
                (low, high)
            } else {
                (high, low)
            };
            pairings.push(Pairing { white, black });
        }
        circle[1..].rotate_right(1);
    }
    pairings
}

fn not_a_result(line: usize, text: &str) -> (usize, String) {
    let problem = format!("{text:?} is not a result that can stand here, such as 1-0 or 0-1");
    (line, problem)
}

/// The results of a player.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    won: usize,
    drawn: usize,
    lost: usize,
}

impl Tally {
    const fn half_points(self) -> usize {
        2 * self.won + self.drawn
    }
}

/// Players and results. The games are played in the order of the pairings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    version: String,
    started: String,
    entrants: Vec<Entrant>,
    pairings: Vec<Pairing>,
    results: Vec<GameResult>,
}

impl Table {
    pub(super) fn new(started: UtcDateTime, entrants: Vec<Entrant>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: started.to_string(),
            pairings: pairings(entrants.len()),
            entrants,
            results: Vec::new(),
        }
    }

    /// Parses the text of a file. An error is a line number and a message.
    pub(super) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let lines: Vec<&str> = text.lines().collect();
        let field = |line: usize, name: &str| {
            let content = lines.get(line - 1).copied().unwrap_or_default();
            let value = content.strip_prefix(name).map(str::to_owned);
            value.ok_or_else(|| match line {
                1 => (
                    1,
                    format!("this is not a tournament file, which starts with {name:?}"),
                ),
                _ => (line, format!("it should start with {name:?}")),
            })
        };
        let version = field(1, PROGRAM)?;
        let started = field(2, "Started: ")?;
        let mut entrants = Vec::new();
        // The list ends at an empty line.
        while lines
            .get(2 + entrants.len())
            .is_some_and(|line| !line.is_empty())
        {
            let line = 3 + entrants.len();
            let name = field(line, &format!("Player {}: ", entrants.len() + 1))?;
            let entrant = Entrant::parse(&name, &entrants).map_err(|problem| (line, problem))?;
            entrants.push(entrant);
        }
        if !(2..=MAX_ENTRANTS).contains(&entrants.len()) {
            let problem = format!("a tournament has 2 to {MAX_ENTRANTS} players");
            return Err((3, problem));
        }
        let mut table = Self {
            version,
            started,
            pairings: pairings(entrants.len()),
            entrants,
            results: Vec::new(),
        };
        let first = 4 + table.entrants.len();
        for game in 0..table.games() {
            let line = first + game;
            let result = field(line, &table.game_name(game))?;
            match result.parse() {
                Ok(known) if known != GameResult::Unknown && table.played() == game => {
                    table.results.push(known);
                }
                Err(_) if result == TO_BE_PLAYED => {}
                _ => return Err(not_a_result(line, &result)),
            }
        }
        // The rest follows from what has been read.
        let written = table.to_string();
        let mut expected = written.lines();
        let mut found = lines.iter().copied();
        for line in 1.. {
            match (expected.next(), found.next()) {
                (None, None) => break,
                (Some(expected), Some(found)) if expected == found => {}
                (Some(expected), found) => {
                    let found = found.unwrap_or("the end of the file");
                    return Err((line, format!("it should be {expected:?}, not {found:?}")));
                }
                (None, Some(_)) => {
                    return Err((
                        line,
                        "the file should have ended before this line".to_owned(),
                    ));
                }
            }
        }
        Ok(table)
    }

    pub(super) fn entrant(&self, place: usize) -> &Entrant {
        &self.entrants[place]
    }

    /// Returns the number of games.
    pub(super) fn games(&self) -> usize {
        self.pairings.len()
    }

    /// Returns the number of games played.
    pub(super) fn played(&self) -> usize {
        self.results.len()
    }

    /// Returns the next game.
    pub(super) fn next(&self) -> Option<Pairing> {
        self.pairings.get(self.played()).copied()
    }

    /// Adds the result of the next game.
    pub(super) fn add_result(&mut self, result: GameResult) {
        self.results.push(result);
    }

    /// Returns the text before the result of a game.
    fn game_name(&self, game: usize) -> String {
        let Pairing { white, black } = self.pairings[game];
        let name = |place: usize| &self.entrants[place].name;
        format!("Game {}: {} - {}: ", game + 1, name(white), name(black))
    }

    fn tallies(&self) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.entrants.len()];
        for (&Pairing { white, black }, result) in self.pairings.iter().zip(&self.results) {
            match result {
                GameResult::WhiteWins => {
                    tallies[white].won += 1;
                    tallies[black].lost += 1;
                }
                GameResult::BlackWins => {
                    tallies[black].won += 1;
                    tallies[white].lost += 1;
                }
                GameResult::Draw => {
                    tallies[white].drawn += 1;
                    tallies[black].drawn += 1;
                }
                GameResult::Unknown => {}
            }
        }
        tallies
    }

    /// Returns the players with the most points.
    pub(super) fn winners(&self) -> Vec<&str> {
        let tallies = self.tallies();
        let best = tallies.iter().map(|tally| tally.half_points()).max();
        let all = self.entrants.iter().zip(&tallies);
        all.filter(|(_, tally)| Some(tally.half_points()) == best)
            .map(|(entrant, _)| entrant.name.as_str())
            .collect()
    }

    /// Returns the standings as text, by points. Players with equal points keep the order of the list.
    pub(super) fn standings(&self) -> String {
        let mut ranked: Vec<_> = self.entrants.iter().zip(self.tallies()).collect();
        ranked.sort_by_key(|(_, tally)| Reverse(tally.half_points()));
        let names = ranked
            .iter()
            .map(|(entrant, _)| entrant.name.chars().count());
        let width = names.max().unwrap_or(0);
        let mut text = format!(
            "Standings after {} of {} games:",
            self.played(),
            self.games()
        );
        for (entrant, tally) in &ranked {
            let better = |(_, other): &&(_, Tally)| other.half_points() > tally.half_points();
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "\n{:3}. {:width$} {:4} points: {} won, {} drawn, {} lost",
                1 + ranked.iter().filter(better).count(),
                entrant.name,
                format!("{:.1}", tally.half_points() as f64 / 2.0),
                tally.won,
                tally.drawn,
                tally.lost
            );
        }
        text
    }
}

/// Prints the whole file.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{PROGRAM}{}", self.version)?;
        writeln!(f, "Started: {}", self.started)?;
        for (number, entrant) in (1..).zip(&self.entrants) {
            writeln!(f, "Player {number}: {}", entrant.name)?;
        }
        writeln!(f)?;
        for game in 0..self.games() {
            let result = self.results.get(game);
            let result = result.map_or(TO_BE_PLAYED, |result| result.as_str());
            writeln!(f, "{}{result}", self.game_name(game))?;
        }
        writeln!(f, "\n{}", self.standings())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn round_robin_is_fair() {
        for entrants in 2..=MAX_ENTRANTS {
            let games = pairings(entrants);
            assert_eq!(games.len(), entrants * (entrants - 1) / 2);
            let pairs: HashSet<_> = games
                .iter()
                .map(|game| (game.white.min(game.black), game.white.max(game.black)))
                .collect();
            assert_eq!(pairs.len(), games.len());
            for player in 0..entrants {
                let white = games.iter().filter(|game| game.white == player).count();
                let black = games.iter().filter(|game| game.black == player).count();
                assert_eq!(white + black, entrants - 1);
                assert!(white.abs_diff(black) <= 1, "{white} {black}");
            }
            // Each player has at most one game per round.
            for round in games.chunks(entrants / 2) {
                let players: HashSet<_> = round
                    .iter()
                    .flat_map(|game| [game.white, game.black])
                    .collect();
                assert_eq!(players.len(), 2 * round.len());
            }
        }
    }

    fn table() -> Table {
        let mut entrants = Vec::new();
        for name in ["Ann", "Bob - the Rook", "AI 2"] {
            entrants.push(Entrant::parse(name, &entrants).unwrap());
        }
        Table::new(UtcDateTime::of(UNIX_EPOCH), entrants)
    }

    #[test]
    fn writes_and_parses_the_file() {
        let mut table = table();
        assert_eq!(Table::parse(&table.to_string()), Ok(table.clone()));
        table.add_result(GameResult::BlackWins);
        table.add_result(GameResult::Draw);
        let text = table.to_string();
        let expected = format!(
            "HeroChess tournament, Tabiya {}
Started: 1970-01-01 00:00:00 UTC
Player 1: Ann
Player 2: Bob - the Rook
Player 3: AI 2

Game 1: Bob - the Rook - AI 2: 0-1
Game 2: AI 2 - Ann: 1/2-1/2
Game 3: Ann - Bob - the Rook: to be played

Standings after 2 of 3 games:
  1. AI 2           1.5  points: 1 won, 1 drawn, 0 lost
  2. Ann            0.5  points: 0 won, 1 drawn, 0 lost
  3. Bob - the Rook 0.0  points: 0 won, 0 drawn, 1 lost
",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(text, expected);
        assert_eq!(Table::parse(&text), Ok(table.clone()));
        assert_eq!(Table::parse(&text.replace('\n', "\r\n")), Ok(table.clone()));
        assert_eq!(table.winners(), ["AI 2"]);
    }

    /// A missing or changed line is an error at that line, or before it.
    #[test]
    fn detects_every_damaged_line() {
        let mut table = table();
        table.add_result(GameResult::WhiteWins);
        let text = table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        for damaged in 0..lines.len() {
            for replacement in [None, Some("rubbish")] {
                let mut lines = lines.clone();
                match replacement {
                    Some(rubbish) => lines[damaged] = rubbish,
                    None => drop(lines.remove(damaged)),
                }
                let (line, problem) = Table::parse(&lines.join("\n")).unwrap_err();
                assert!(line <= damaged + 2, "line {damaged}: {line}: {problem}");
                assert!(!problem.is_empty());
            }
        }
        assert!(Table::parse(&format!("{text}more\n")).is_err());
        let early = text.replace(
            "Game 3: Ann - Bob - the Rook: to be played",
            "Game 3: Ann - Bob - the Rook: 1-0",
        );
        assert_eq!(Table::parse(&early).unwrap_err().0, 9);
        assert_eq!(Table::parse("").unwrap_err().0, 1);
    }

    #[test]
    fn parses_names() {
        let ann = Entrant::parse("Ann", &[]).unwrap();
        assert_eq!(ann.kind, PlayerKind::Person);
        assert!(matches!(
            Entrant::parse("AI 1", &[]).unwrap().kind,
            PlayerKind::Computer(_)
        ));
        for wrong in [
            "",
            " Ann",
            "A\tB",
            "AI 0",
            "AI 99",
            "AI x",
            &"x".repeat(31),
            "Ann",
        ] {
            assert!(
                Entrant::parse(wrong, std::slice::from_ref(&ann)).is_err(),
                "{wrong}"
            );
        }
    }
}
