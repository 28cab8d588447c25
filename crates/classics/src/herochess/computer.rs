//! The computer's moves: its first one from a library of openings, the others by thinking.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

use tabiya_board::{Board, Color, Move};
use tabiya_notation::{Dialect, read_move};
use tabiya_play::{Report, Thinker};

use super::game::Game;

/// An opening, and for whom it is a choice.
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

/// The library: each opening up to the move that makes it what it is.
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
    /// Its next move, if what has been played is the start of it and its side is to move.
    fn next(&self, game: &Game) -> Option<Move> {
        let mut board = Board::start();
        let mut played = game.line().moves();
        if *game.line().start() != board || game.turn() != self.side {
            return None;
        }
        for san in self.moves {
            let mv = read_move(san, &board, Dialect::Strict).ok()?;
            match played.next() {
                None => return Some(mv),
                Some(other) if other == mv => board.play_unchecked(mv),
                Some(_) => return None,
            }
        }
        None
    }
}

/// The move from the library for a side that has not moved yet, and what the opening is called.
pub(super) fn from_library(game: &Game, lots: &mut Lots) -> Option<(Move, &'static str)> {
    let is_first = game.line().moves().len() < 2;
    if !is_first {
        return None;
    }
    let fitting = OPENINGS
        .iter()
        .filter_map(|opening| Some((opening.next(game)?, opening.name)));
    let fitting: Vec<_> = fitting.collect();
    fitting.get(lots.draw(fitting.len())).copied()
}

/// A move found by thinking, however long that takes.
pub(super) fn by_thinking(thinker: &mut Thinker, game: &Game) -> io::Result<Move> {
    thinker.start(game, Instant::now());
    loop {
        match thinker.wait(Duration::from_secs(60)) {
            Some(Report::Move { mv, .. }) => return Ok(mv),
            Some(Report::Failed(reason)) => return Err(io::Error::other(reason)),
            // It goes on thinking.
            _ => {}
        }
    }
}

/// Numbers drawn by lot: the same ones for the same seed.
pub(super) struct Lots(u64);

impl Lots {
    /// With a seed, or without one different each time.
    pub(super) fn new(seed: Option<u64>) -> Self {
        // The standard library seeds its hash maps at random.
        Self(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish()))
    }

    /// A number below the limit; 0 if that is 0.
    fn draw(&mut self, limit: usize) -> usize {
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

    fn after(moves: &[&str]) -> Game {
        let mut game = Game::default();
        for san in moves {
            let mv = read_move(san, game.board(), Dialect::Strict).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    /// The names and moves that many lots give.
    fn choices(game: &Game) -> HashSet<(&'static str, String)> {
        let mut lots = Lots::new(Some(1));
        (0..200)
            .filter_map(|_| from_library(game, &mut lots))
            .map(|(mv, name)| (name, mv.to_string()))
            .collect()
    }

    #[test]
    fn every_line_can_be_played() {
        for opening in OPENINGS {
            let game = after(opening.moves);
            assert_eq!(game.turn(), !opening.side, "{}", opening.name);
        }
    }

    #[test]
    fn the_openings_that_fit() {
        let names = |game: &Game| -> HashSet<_> {
            choices(game).into_iter().map(|(name, _)| name).collect()
        };
        let white = names(&Game::default());
        assert!(white.contains("Queen's Gambit") && white.contains("English Opening"));
        assert!(!white.contains("Sicilian Defence"));
        assert!(choices(&after(&["e4"])).contains(&("Sicilian Defence", "c7c5".to_owned())));
        assert!(choices(&after(&["d4"])).contains(&("Dutch Defence", "f7f5".to_owned())));
        // None fits, or it is not the first move.
        assert!(choices(&after(&["a3"])).is_empty());
        assert!(choices(&after(&["e4", "c5"])).is_empty());
    }

    #[test]
    fn a_seed_makes_it_repeatable() {
        let drawn = |seed| {
            let mut lots = Lots::new(Some(seed));
            (0..20).map(|_| lots.draw(1000)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        assert_eq!(Lots::new(None).draw(0), 0);
    }
}
