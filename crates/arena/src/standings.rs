//! The standings of a tournament.

use std::collections::HashMap;
use std::time::Duration;

use tabiya_notation::GameResult;

use crate::ratings::ratings;
use crate::schedule::{ScheduledGame, Slot};
use crate::swiss::SwissPlayer;
use crate::tally::{Elo, Tally};

/// How often a player lost by something other than its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forfeits {
    /// On time.
    pub time: u32,
    /// By an illegal move.
    pub illegal: u32,
    /// By crashing, hanging or not starting.
    pub crashes: u32,
}

/// Where the time of this run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Moves that engines were asked for.
    pub moves: u64,
    /// The time from asking for a move to the answer, over all threads.
    pub thinking: Duration,
    /// The time between the moves.
    pub between: Duration,
    /// The time before games, including starting engines.
    pub preparing: Duration,
    /// The average time of an `isready` round trip.
    pub ping: Duration,
}

impl Timing {
    /// Returns the time per move that is not thinking time, in seconds: between moves, before games, and in the pipes.
    pub fn overhead(&self) -> f64 {
        let moves = self.moves.max(1) as f64;
        (self.between + self.preparing).as_secs_f64() / moves + self.ping.as_secs_f64()
    }
}

/// The standings of a tournament.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The names of the players, all different.
    pub names: Vec<String>,
    /// The number of games in the whole tournament.
    pub games: u64,
    /// The number of games played, including earlier runs.
    pub played: u64,
    /// The number of games from earlier runs.
    pub resumed: u64,
    /// The results of each player against each other.
    pub table: Vec<Vec<Tally>>,
    /// The number of byes of each player. A bye counts as won.
    pub byes: Vec<u32>,
    /// How players lost by something other than their moves.
    pub forfeits: Vec<Forfeits>,
    /// Where the time of this run went.
    pub timing: Timing,
    /// Whether the tournament is over: all games have been played, or the SPRT has reached a decision.
    pub complete: bool,
    /// The number of games that two opponents play in a round.
    games_per_round: u32,
    /// White's half-points.
    results: HashMap<Slot, u32>,
}

impl Standings {
    pub(crate) fn new(names: Vec<String>, games: u64, meeting: u32) -> Self {
        let players = names.len();
        Self {
            names,
            games,
            played: 0,
            resumed: 0,
            table: vec![vec![Tally::default(); players]; players],
            byes: vec![0; players],
            forfeits: vec![Forfeits::default(); players],
            timing: Timing::default(),
            complete: false,
            games_per_round: meeting,
            results: HashMap::new(),
        }
    }

    /// Counts a game, and the pair that it completes. Counting it again changes nothing.
    pub(crate) fn add(&mut self, fixture: &ScheduledGame, result: GameResult, termination: &str) {
        let half_points = match result {
            GameResult::WhiteWins => 2,
            GameResult::BlackWins => 0,
            GameResult::Draw | GameResult::Unknown => 1,
        };
        if self.results.insert(fixture.slot, half_points).is_some() {
            return;
        }
        self.played += 1;
        let [white, black] = fixture.players;
        self.table[white][black].add_game(half_points);
        self.table[black][white].add_game(2 - half_points);
        if let Some(other) = self.results.get(&fixture.slot.partner()) {
            // That game had the colours reversed.
            let pair = half_points + 2 - other;
            self.table[white][black].add_pair(pair);
            self.table[black][white].add_pair(4 - pair);
        }
        if half_points != 1 {
            let loser = if half_points == 0 { white } else { black };
            let faults = &mut self.forfeits[loser];
            match termination {
                "time forfeit" => faults.time += 1,
                "rules infraction" => faults.illegal += 1,
                "abandoned" => faults.crashes += 1,
                _ => {}
            }
        }
    }

    /// Counts a bye.
    pub(crate) fn add_bye(&mut self, player: usize) {
        self.byes[player] += 1;
    }

    /// Returns the results of a player against all others.
    pub fn tally(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for tally in &self.table[player] {
            sum.add(tally);
        }
        sum
    }

    /// Returns the points of a player, including byes.
    pub fn points(&self, player: usize) -> f64 {
        self.tally(player).points() + f64::from(self.byes[player] * self.games_per_round)
    }

    /// Returns the ratings of all players, which average zero.
    pub fn ratings(&self) -> Vec<Elo> {
        ratings(&self.table)
    }

    /// Returns the players, the best first: by points, then by Sonneborn-Berger score.
    pub fn ranking(&self) -> Vec<usize> {
        let players = 0..self.names.len();
        let points: Vec<f64> = players.clone().map(|player| self.points(player)).collect();
        let beaten = |player: usize| -> f64 {
            let tallies = self.table[player].iter().zip(&points);
            tallies.map(|(tally, points)| tally.points() * points).sum()
        };
        let mut ranking: Vec<(f64, f64, usize)> = players
            .map(|player| (points[player], beaten(player), player))
            .collect();
        ranking.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        ranking.into_iter().map(|(_, _, player)| player).collect()
    }

    /// Returns what the pairings of the next Swiss round depend on.
    pub(crate) fn before_round(&self) -> Vec<SwissPlayer> {
        let standing = |player: usize| SwissPlayer {
            half_points: (2.0 * self.points(player)) as u32,
            met: self.table[player]
                .iter()
                .map(|tally| tally.games().div_ceil(self.games_per_round.max(1)))
                .collect(),
            byes: self.byes[player],
        };
        (0..self.names.len()).map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::pair;

    fn standings() -> Standings {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        Standings::new(names, 6, 2)
    }

    #[test]
    fn a_pair_counts_after_both_games() {
        let mut standings = standings();
        let [first, second] = pair(1, 0, 0, [0, 1], 0);
        // The second game may end first.
        standings.add(&second, GameResult::WhiteWins, "normal");
        assert_eq!(standings.table[0][1].pairs, [0; 5]);
        standings.add(&first, GameResult::Draw, "normal");
        assert_eq!(standings.table[0][1].pairs, [0, 1, 0, 0, 0]);
        assert_eq!(standings.table[1][0].pairs, [0, 0, 0, 1, 0]);
        assert_eq!(standings.played, 2);
        // A game counts once.
        standings.add(&first, GameResult::WhiteWins, "normal");
        assert_eq!(standings.played, 2);
        assert_eq!(standings.tally(0).points().to_string(), "0.5");
        assert_eq!(standings.tally(1).points().to_string(), "1.5");
    }

    #[test]
    fn forfeits_count_for_the_loser() {
        let mut standings = standings();
        let [first, second] = pair(1, 0, 0, [0, 1], 0);
        standings.add(&first, GameResult::BlackWins, "time forfeit");
        standings.add(&second, GameResult::WhiteWins, "abandoned");
        let faults = standings.forfeits[0];
        assert_eq!((faults.time, faults.illegal, faults.crashes), (1, 0, 1));
        assert_eq!(standings.forfeits[1], Forfeits::default());
    }

    #[test]
    fn a_bye_counts_as_won() {
        let mut standings = standings();
        standings.add_bye(2);
        assert_eq!(standings.points(2).to_string(), "2");
        assert_eq!(standings.ranking()[0], 2);
        let before = standings.before_round();
        assert_eq!((before[2].half_points, before[2].byes), (4, 1));
        assert_eq!(before[2].met, [0, 0, 0]);
    }
}
