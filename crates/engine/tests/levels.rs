//! Levels play by chance, but the same seed gives the same game.

use tabiya_board::{GameHistory, Move};
use tabiya_engine::{Engine, Level, Limits};

/// Plays a level against itself.
fn play(level: Level, seed: u64, plies: usize) -> Vec<Move> {
    let mut engine = Engine::default();
    engine.set_strength(level.strength(), seed);
    let mut game = GameHistory::default();
    (0..plies)
        .map_while(|_| {
            let result = engine.think(&game, &Limits::default(), &mut |_| {})?;
            game.play(result.best);
            Some(result.best)
        })
        .collect()
}

#[test]
fn same_seed_gives_the_same_game() {
    for level in [Level::ALL[0], Level::ALL[3], Level::ALL[6]] {
        let game = play(level, 7, 30);
        assert!(game.len() >= 20, "{level}");
        assert_eq!(game, play(level, 7, 30), "{level}");
    }
}

#[test]
fn other_seeds_give_other_games() {
    let level = Level::ALL[3];
    let game = play(level, 7, 20);
    assert!((8..12).any(|seed| play(level, seed, 20) != game));
}

#[test]
fn levels_keep_their_node_limits() {
    for level in &Level::ALL[..6] {
        let mut engine = Engine::default();
        let strength = level.strength();
        engine.set_strength(strength, 1);
        for _ in 0..10 {
            let result = engine.think(&GameHistory::default(), &Limits::default(), &mut |_| {});
            let nodes = result.expect("a legal move").info.nodes;
            // A few nodes more are counted while the search unwinds.
            assert!(
                nodes < strength.nodes.expect("a limit") + 50,
                "{level}: {nodes}"
            );
        }
    }
}
