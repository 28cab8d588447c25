//! The computer's moves: the first from an opening library, the others by search.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

use tabiya_board::{Board, Color, Move};
use tabiya_notation::{Dialect, parse_san};
use tabiya_play::{ComputerPlayer, PlayerUpdate};

use super::game::ConsoleGame;

/// An opening, and the side that may choose it.
struct Opening {
    name: &'static str,
    side: Color,
    moves: &'static [&'static str],
}

macro_rules! openings {
    ($($side:ident $name:literal $($san:literal)*;)*) => {
        &[$(Opening { name: $name, side: Color::$side, moves: &[$($san),*] }),*]
    };
}

/// The opening library. Each line ends with the move that names the opening.
const OPENINGS: &[Opening] = openings! {
    White "Queen's Gambit" "d4" "d5" "c4";
    White "English Opening" "c4";
    White "Italian Game" "e4" "e5" "Nf3" "Nc6" "Bc4";
    White "Réti Opening" "Nf3" "d5" "c4";
    Black "Sicilian Defence" "e4" "c5";
    Black "French Defence" "e4" "e6";
    Black "Caro-Kann Defence" "e4" "c6";
    Black "Dutch Defence" "d4" "f5";
    Black "Queen's Gambit Declined" "d4" "d5" "c4" "e6";
    Black "King's Indian Defence" "d4" "Nf6" "c4" "g6";
    Black "Dutch Defence" "c4" "f5";
    Black "English Opening, Symmetrical Variation" "c4" "c5";
    Black "Dutch Defence" "Nf3" "f5";
    Black "Réti Opening" "Nf3" "d5";
};

impl Opening {
    /// Returns its next move, if the game follows it so far and its side is to move.
    fn next(&self, game: &ConsoleGame) -> Option<Move> {
        let mut board = Board::start();
        let mut played = game.history().moves();
        if *game.history().start() != board || game.turn() != self.side {
            return None;
        }
        for san in self.moves {
            let mv = parse_san(san, &board, Dialect::Strict).ok()?;
            match played.next() {
                None => return Some(mv),
                Some(other) if other == mv => board.play_unchecked(mv),
                Some(_) => return None,
            }
        }
        None
    }
}

/// Returns a library move for a side that has not moved yet, and the name of the opening.
pub(super) fn library_move(game: &ConsoleGame, rng: &mut Rng) -> Option<(Move, &'static str)> {
    let is_first = game.history().moves().len() < 2;
    if !is_first {
        return None;
    }
    let fitting = OPENINGS
        .iter()
        .filter_map(|opening| Some((opening.next(game)?, opening.name)));
    let fitting: Vec<_> = fitting.collect();
    fitting.get(rng.below(fitting.len())).copied()
}

/// Searches for a move and waits for the result.
pub(super) fn search_move(computer: &mut ComputerPlayer, game: &ConsoleGame) -> io::Result<Move> {
    computer.start(game, Instant::now());
    loop {
        match computer.wait(Duration::from_secs(60)) {
            Some(PlayerUpdate::Move { mv, .. }) => return Ok(mv),
            Some(PlayerUpdate::Failed(reason)) => return Err(io::Error::other(reason)),
            // Still searching.
            _ => {}
        }
    }
}

/// A seeded random number generator.
pub(super) struct Rng(u64);

impl Rng {
    /// Uses a random seed if none is given.
    pub(super) fn new(seed: Option<u64>) -> Self {
        // The standard library gives each of its hashers a random seed.
        Self(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish()))
    }

    /// Returns a number below the limit, or 0 if the limit is 0.
    fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn after(moves: &[&str]) -> ConsoleGame {
        let mut game = ConsoleGame::default();
        for san in moves {
            let mv = parse_san(san, game.board(), Dialect::Strict).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    /// Collects the names and moves of many random choices.
    fn choices(game: &ConsoleGame) -> HashSet<(&'static str, String)> {
        let mut rng = Rng::new(Some(1));
        (0..200)
            .filter_map(|_| library_move(game, &mut rng))
            .map(|(mv, name)| (name, mv.to_string()))
            .collect()
    }

    #[test]
    fn opening_lines_are_legal() {
        for opening in OPENINGS {
            let game = after(opening.moves);
            assert_eq!(game.turn(), !opening.side, "{}", opening.name);
        }
    }

    #[test]
    fn chooses_openings_that_fit_the_position() {
        let names = |game: &ConsoleGame| -> HashSet<_> {
            choices(game).into_iter().map(|(name, _)| name).collect()
        };
        let white = names(&ConsoleGame::default());
        assert!(white.contains("Queen's Gambit") && white.contains("English Opening"));
        assert!(!white.contains("Sicilian Defence"));
        assert!(choices(&after(&["e4"])).contains(&("Sicilian Defence", "c7c5".to_owned())));
        assert!(choices(&after(&["d4"])).contains(&("Dutch Defence", "f7f5".to_owned())));
        // No opening fits, or it is not the first move.
        assert!(choices(&after(&["a3"])).is_empty());
        assert!(choices(&after(&["e4", "c5"])).is_empty());
    }

    #[test]
    fn same_seed_gives_same_numbers() {
        let numbers = |seed| {
            let mut rng = Rng::new(Some(seed));
            (0..20).map(|_| rng.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert_eq!(Rng::new(None).below(0), 0);
    }
}
