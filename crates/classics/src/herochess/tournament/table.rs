//! The table of a tournament: who plays whom, the results and the standings, as text.

use std::cmp::Reverse;
use std::fmt::{self, Write};

use tabiya_board::Color;
use tabiya_play::Moment;

use super::super::game::End;
use super::super::players::{Kind, Level};

/// What the first line starts with.
const PROGRAM: &str = "HeroChess tournament, Tabiya ";
/// What stands for a result that is not known yet.
const TO_BE_PLAYED: &str = "to be played";
/// With more, nobody would see the end of it.
pub(super) const MOST_ENTRANTS: usize = 40;
/// Longer names would break the lines of a terminal.
const LONGEST_NAME: usize = 30;

/// One who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) kind: Kind,
}

impl Entrant {
    /// One of this name: `AI 3` is the computer. The name has to be new among the others.
    pub(super) fn read(name: &str, others: &[Self]) -> Result<Self, String> {
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(format!(
                "A name has at most {LONGEST_NAME} letters, all of them visible."
            ));
        }
        if name.is_empty() || name.trim() != name {
            return Err("A name starts and ends with a letter.".to_owned());
        }
        let kind =
            match name.strip_prefix("AI ") {
                Some(level) => Kind::Computer(Level::read(level).ok_or_else(|| {
                    format!("The computer is called AI 1 to AI {}.", Level::COUNT)
                })?),
                None => Kind::Person,
            };
        if others.iter().any(|other| other.name == name) {
            return Err(format!("{name} is there already."));
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
        })
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Score {
    WhiteWins,
    Draw,
    BlackWins,
}

impl Score {
    const ALL: [Self; 3] = [Self::WhiteWins, Self::Draw, Self::BlackWins];

    pub(super) const fn of(end: End) -> Self {
        match end.winner() {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWins => "0-1",
        }
    }
}

/// Who plays whom, as places in the list of players from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pairing {
    pub(super) white: usize,
    pub(super) black: usize,
}

/// The games of everyone against everyone, round by round. All have White as often as Black, or once more or less.
fn pairings(entrants: usize) -> Vec<Pairing> {
    // All but one move on by one place in a circle; with an odd number, the last place is a rest.
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

/// What a player has achieved.
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

/// Players and results. Games are played in the order of the pairings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    version: String,
    started: String,
    entrants: Vec<Entrant>,
    pairings: Vec<Pairing>,
    scores: Vec<Score>,
}

impl Table {
    pub(super) fn new(started: Moment, entrants: Vec<Entrant>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: started.to_string(),
            pairings: pairings(entrants.len()),
            entrants,
            scores: Vec::new(),
        }
    }

    /// Reads the text of a file. What is wrong comes with the number of its line.
    pub(super) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let lines: Vec<&str> = text.lines().collect();
        let field = |line: usize, name: &str| {
            let content = lines.get(line - 1).copied().unwrap_or_default();
            let value = content.strip_prefix(name).map(str::to_owned);
            value.ok_or_else(|| match line {
                1 => (
                    1,
                    format!("this is not a tournament: it would start with {name:?}"),
                ),
                _ => (line, format!("it should start with {name:?}")),
            })
        };
        let version = field(1, PROGRAM)?;
        let started = field(2, "Started: ")?;
        let mut entrants = Vec::new();
        // Until an empty line.
        while lines
            .get(2 + entrants.len())
            .is_some_and(|line| !line.is_empty())
        {
            let line = 3 + entrants.len();
            let name = field(line, &format!("Player {}: ", entrants.len() + 1))?;
            let entrant = Entrant::read(&name, &entrants).map_err(|problem| (line, problem))?;
            entrants.push(entrant);
        }
        if !(2..=MOST_ENTRANTS).contains(&entrants.len()) {
            let problem = format!("a tournament has 2 to {MOST_ENTRANTS} players");
            return Err((3, problem));
        }
        let mut table = Self {
            version,
            started,
            pairings: pairings(entrants.len()),
            entrants,
            scores: Vec::new(),
        };
        let first = 4 + table.entrants.len();
        for game in 0..table.games() {
            let line = first + game;
            let result = field(line, &table.game_name(game))?;
            match Score::ALL
                .into_iter()
                .find(|score| score.as_str() == result)
            {
                Some(score) if table.played() == game => table.scores.push(score),
                None if result == TO_BE_PLAYED => {}
                _ => {
                    let problem =
                        format!("{result:?} is not a result that can stand here, as 1-0 or 0-1");
                    return Err((line, problem));
                }
            }
        }
        // The rest follows.
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
                    return Err((line, "the file should end before it".to_owned()));
                }
            }
        }
        Ok(table)
    }

    pub(super) fn entrant(&self, place: usize) -> &Entrant {
        &self.entrants[place]
    }

    /// How many games there are.
    pub(super) fn games(&self) -> usize {
        self.pairings.len()
    }

    /// How many of them have been played.
    pub(super) fn played(&self) -> usize {
        self.scores.len()
    }

    /// The next game.
    pub(super) fn next(&self) -> Option<Pairing> {
        self.pairings.get(self.played()).copied()
    }

    /// Enters the result of the next game.
    pub(super) fn enter(&mut self, score: Score) {
        self.scores.push(score);
    }

    /// What stands before the result of a game.
    fn game_name(&self, game: usize) -> String {
        let Pairing { white, black } = self.pairings[game];
        let name = |place: usize| &self.entrants[place].name;
        format!("Game {}: {} - {}: ", game + 1, name(white), name(black))
    }

    fn tallies(&self) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.entrants.len()];
        for (&Pairing { white, black }, score) in self.pairings.iter().zip(&self.scores) {
            match score {
                Score::WhiteWins => {
                    tallies[white].won += 1;
                    tallies[black].lost += 1;
                }
                Score::BlackWins => {
                    tallies[black].won += 1;
                    tallies[white].lost += 1;
                }
                Score::Draw => {
                    tallies[white].drawn += 1;
                    tallies[black].drawn += 1;
                }
            }
        }
        tallies
    }

    /// Those with the most points.
    pub(super) fn winners(&self) -> Vec<&str> {
        let tallies = self.tallies();
        let best = tallies.iter().map(|tally| tally.half_points()).max();
        let all = self.entrants.iter().zip(&tallies);
        all.filter(|(_, tally)| Some(tally.half_points()) == best)
            .map(|(entrant, _)| entrant.name.as_str())
            .collect()
    }

    /// The standings as lines: by points, those with the same number of points in the order of their names in the list.
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
            // Writing to memory does not fail.
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

/// The whole text of the file.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{PROGRAM}{}", self.version)?;
        writeln!(f, "Started: {}", self.started)?;
        for (number, entrant) in (1..).zip(&self.entrants) {
            writeln!(f, "Player {number}: {}", entrant.name)?;
        }
        writeln!(f)?;
        for game in 0..self.games() {
            let score = self.scores.get(game);
            let result = score.map_or(TO_BE_PLAYED, |score| score.as_str());
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
    fn everyone_meets_everyone_once() {
        for entrants in 2..=MOST_ENTRANTS {
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
            // Nobody plays twice in a round.
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
            entrants.push(Entrant::read(name, &entrants).unwrap());
        }
        Table::new(Moment::of(UNIX_EPOCH), entrants)
    }

    #[test]
    fn the_file() {
        let mut table = table();
        assert_eq!(Table::parse(&table.to_string()), Ok(table.clone()));
        table.enter(Score::BlackWins);
        table.enter(Score::Draw);
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

    /// Whatever line is missing or changed, that is noticed, at that line or before.
    #[test]
    fn every_damage_is_found() {
        let mut table = table();
        table.enter(Score::WhiteWins);
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
    fn names() {
        let ann = Entrant::read("Ann", &[]).unwrap();
        assert_eq!(ann.kind, Kind::Person);
        assert!(matches!(
            Entrant::read("AI 1", &[]).unwrap().kind,
            Kind::Computer(_)
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
                Entrant::read(wrong, std::slice::from_ref(&ann)).is_err(),
                "{wrong}"
            );
        }
    }
}
