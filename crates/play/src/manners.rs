//! How a computer ends a game as a person would: it resigns, and it offers, takes and claims draws.

use std::time::{Duration, Instant};

use tabiya_board::{Color, Line};
use tabiya_engine::Score;

use crate::clock::TimeControl;
use crate::game::Game;
use crate::player::Player;
use crate::thinker::Thinks;

/// What a computer does besides moving. Without any of it, it plays every game to its very end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manners {
    /// Whether it gives up when it has no hope left.
    pub resigns: bool,
    /// Whether it offers and claims draws. It answers the offers of others in any case.
    pub draws: bool,
}

/// Hundredths of a pawn at which there is no hope left.
const HOPELESS: i32 = -1000;
/// Levels up to this one play on: those who play against them want to learn to give mate.
const PLAYS_ON: u8 = 3;
/// Levels up to this one hope for longer.
const HOPEFUL: u8 = 6;
/// Whoever has less than this may lose on time whatever the position.
const SHORT_OF_TIME: Duration = Duration::from_secs(20);
/// A position that is worth no more than this to either side is level, in hundredths of a pawn.
const LEVEL: i32 = 20;
/// A draw is offered when the position was level at so many moves of the computer in a row,
const LEVEL_MOVES: usize = 5;
/// not before this move,
const EARLIEST_OFFER: u16 = 40;
/// when so many plies have gone by without a capture or a pawn move,
const QUIET_PLIES: u8 = 10;
/// and so many since the last offer.
const PLIES_BETWEEN_OFFERS: usize = 20;
/// From this move on, or with so few pieces, a draw in a level position is a fair result.
const LATE_MOVE: u16 = 30;
const FEW_PIECES: usize = 12;
/// A side that stands worse by this many hundredths of a pawn is glad of a draw at any time.
const WORSE: i32 = -150;

/// What a computer has made of the game so far.
#[derive(Clone, Debug)]
pub(crate) struct Mood {
    /// Its last moves in a row at which it had no hope left.
    hopeless: usize,
    /// Its last moves in a row at which the position was level.
    level: usize,
    /// What it thought of the position at its last move; nothing where it did not think.
    points: Option<i32>,
    /// The ply of its last offer.
    offered: Option<usize>,
}

impl Mood {
    /// At the start of a sitting. What it offered in the one before is not known: it acts as if it just had.
    pub(crate) fn new(game: &Game) -> Self {
        let played = game.line().moves().len();
        Self {
            hopeless: 0,
            level: 0,
            points: None,
            offered: (played > 0).then_some(played),
        }
    }

    /// What it thinks of the position in which it is about to move.
    pub(crate) fn feel(&mut self, score: Option<Score>) {
        self.points = score.map(points);
        let counted = |is_so: bool, before: usize| if is_so { before + 1 } else { 0 };
        let is_hopeless = self.points.is_some_and(|points| points <= HOPELESS);
        let is_level = self.points.is_some_and(|points| points.abs() <= LEVEL);
        self.hopeless = counted(is_hopeless, self.hopeless);
        self.level = counted(is_level, self.level);
        // Whoever has found the mate shall give it.
        if score == Some(Score::Mate(-1)) {
            self.hopeless = 0;
        }
    }

    /// Whether the player to move gives up.
    pub(crate) fn resigns(&self, game: &Game, now: Instant) -> bool {
        let color = game.turn();
        let patience = patience(game.player(color));
        patience.is_some_and(|moves| self.hopeless >= moves) && !is_short_of_time(game, !color, now)
    }

    /// Whether the player to move claims the draw that there is to claim.
    pub(crate) fn claims(&self, game: &Game) -> bool {
        game.claim().is_some() && self.points.is_some_and(|points| points <= 0)
    }

    /// Whether the player who has just moved offers a draw with that.
    pub(crate) fn offers(&mut self, game: &Game, now: Instant) -> bool {
        let played = game.line().moves().len();
        let is_soon = |offered| played.saturating_sub(offered) < PLIES_BETWEEN_OFFERS;
        let offers = self.level >= LEVEL_MOVES
            && game.board().fullmove_number() >= EARLIEST_OFFER
            && game.board().halfmove_clock() >= QUIET_PLIES
            && !self.offered.is_some_and(is_soon)
            && game.ending().is_none()
            && game.offer().is_none()
            && !is_short_of_time(game, game.turn(), now);
        if offers {
            self.offered = Some(played);
        }
        offers
    }
}

/// At how many moves in a row a player has no hope before it gives up; nothing for those who never do.
fn patience(player: &Player) -> Option<usize> {
    match player {
        Player::Person(_) => None,
        Player::Computer(level) if level.number() <= PLAYS_ON => None,
        // Bounds may make it as weak as those.
        Player::Bounded { .. } => Some(5),
        Player::Computer(level) if level.number() <= HOPEFUL => Some(5),
        Player::Computer(_) | Player::Engine(_) => Some(3),
    }
}

/// Whether a side has little time left for the rest of the game. Time for each move comes anew with each.
pub(crate) fn is_short_of_time(game: &Game, color: Color, now: Instant) -> bool {
    let left = game.clock().left(color, now);
    matches!(game.clock().control(), TimeControl::Game { .. })
        && left.is_some_and(|left| left < SHORT_OF_TIME)
}

/// Whether a computer that plays a colour takes a draw in this position: when it stands clearly worse, or late in the
/// game when it does not stand better.
pub fn accepts_draw(line: &Line, color: Color) -> bool {
    let Some(thinks) = Thinks::about(line) else {
        return false;
    };
    let for_mover = points(thinks.score);
    let board = line.board();
    let points = if board.turn() == color {
        for_mover
    } else {
        -for_mover
    };
    let is_late = board.fullmove_number() >= LATE_MOVE || board.occupied().len() <= FEW_PIECES;
    points <= WORSE || (points <= LEVEL && is_late)
}

/// What a score is worth in hundredths of a pawn. A mate is worth more than anything else.
const fn points(score: Score) -> i32 {
    match score {
        Score::Centipawns(points) => points,
        Score::Mate(moves) if moves > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}
