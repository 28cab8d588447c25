//! Games between two settings of the search, in one process.

use std::sync::Mutex;
use std::thread;

use tabiya_arena::{AdjudicationRules, Adjudicator, DrawRule, ResignRule, Tally};
use tabiya_board::{Color, GameHistory};
use tabiya_engine::{Engine, Limits, tuning};

/// An engine with its parameters.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    /// In the order of [`tuning::parameters`].
    values: Vec<i32>,
}

impl Player {
    /// Creates a player.
    pub fn new(values: Vec<i32>) -> Self {
        Self {
            engine: Engine::default(),
            values,
        }
    }

    /// Changes the parameters, and forgets everything learnt with the last ones.
    pub fn set_values(&mut self, values: Vec<i32>) {
        self.values = values;
        self.engine.new_game();
    }
}

/// Reads `name=value` pairs, separated by commas, as changes to the defaults.
pub fn parse_values(text: &str) -> Result<Vec<i32>, String> {
    let parameters = tuning::parameters();
    let mut values: Vec<i32> = parameters.iter().map(|parameter| parameter.value).collect();
    for part in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("{part}: write it as name=value"))?;
        let index = parameters
            .iter()
            .position(|parameter| parameter.name == name)
            .ok_or_else(|| format!("there is no parameter {name}; `tune list` names them"))?;
        values[index] = value
            .parse()
            .map_err(|_| format!("{value} is not a value for {name}"))?;
    }
    Ok(values)
}

/// Plays an opening twice, with each player as White once. Returns the first player's half-points in both games.
pub fn play_pair(players: &mut [Player; 2], opening: &GameHistory, nodes: u64) -> [u32; 2] {
    [Color::White, Color::Black].map(|first| {
        for player in &mut *players {
            player.engine.new_game();
        }
        match play_game(players, first, opening, nodes) {
            None => 1,
            Some(winner) => 2 * u32::from(winner == first),
        }
    })
}

/// Plays a game in which the first player has the colour `first`. Returns the winner.
fn play_game(
    players: &mut [Player; 2],
    first: Color,
    opening: &GameHistory,
    nodes: u64,
) -> Option<Color> {
    let rules = AdjudicationRules {
        resign: Some(ResignRule::default()),
        draw: Some(DrawRule::default()),
        ..AdjudicationRules::default()
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut adjudicator = Adjudicator::default();
    let mut game = opening.clone();
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner();
        }
        if game.can_claim_draw() || game.moves().len() as u32 >= 2 * rules.max_moves {
            return None;
        }
        let mover = game.board().turn();
        let player = &mut players[usize::from(mover != first)];
        tuning::set_values(&player.values);
        // A position that is not over has a legal move.
        let result = player.engine.think(&game, &limits, &mut |_| {})?;
        adjudicator.update(&rules, mover, Some(result.info.score));
        game.play(result.best);
        let number = game.moves().len() as u32 / 2;
        if let Some(end) = adjudicator.decide(&rules, number) {
            return end.winner();
        }
    }
}

/// Plays each opening twice between two settings, and calls `report` after each pair.
pub fn play_match(
    values: &[Vec<i32>; 2],
    openings: &[GameHistory],
    nodes: u64,
    concurrency: usize,
    report: impl Fn(&Tally) + Sync,
) -> Tally {
    let state = Mutex::new((openings.iter(), Tally::default()));
    let lock = || {
        state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    thread::scope(|scope| {
        for _ in 0..concurrency.max(1) {
            scope.spawn(|| {
                let mut players = values.clone().map(Player::new);
                loop {
                    let Some(opening) = lock().0.next() else {
                        break;
                    };
                    let points = play_pair(&mut players, opening, nodes);
                    let mut state = lock();
                    for half_points in points {
                        state.1.add_game(half_points);
                    }
                    state.1.add_pair(points.iter().sum());
                    report(&state.1);
                }
            });
        }
    });
    lock().1
}

#[cfg(test)]
mod tests {
    use tabiya_board::Board;

    use super::*;

    #[test]
    fn values_change_the_defaults_by_name() {
        let defaults = parse_values("").unwrap();
        let changed = parse_values("razoring_margin=300, futility_base=70").unwrap();
        let differing = defaults.iter().zip(&changed).filter(|(a, b)| a != b);
        assert_eq!(differing.count(), 2);
        for wrong in ["razoring_margin", "no_such=1", "razoring_margin=x"] {
            assert!(parse_values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn equal_players_share_the_points_of_a_pair() {
        let mut players = [(); 2].map(|()| Player::new(parse_values("").unwrap()));
        let opening = GameHistory::default();
        let points = play_pair(&mut players, &opening, 50);
        assert_eq!(points.iter().sum::<u32>(), 2);
    }

    #[test]
    fn a_player_who_prunes_all_quiet_moves_loses() {
        let blind = "futility_base=-20000,futility_max_depth=60";
        let values = [parse_values("").unwrap(), parse_values(blind).unwrap()];
        // A fifth of the first moves.
        let openings: Vec<GameHistory> = Board::start()
            .legal_moves()
            .iter()
            .step_by(5)
            .map(|&first| {
                let mut game = GameHistory::default();
                game.play(first);
                game
            })
            .collect();
        let tally = play_match(&values, &openings, 500, 1, |_| {});
        // Some games may be drawn after another change to the search: ask for no more than a clear win.
        assert_eq!(tally.games(), 8);
        assert!(tally.wins >= 5 && tally.losses == 0, "{tally:?}");
    }
}
