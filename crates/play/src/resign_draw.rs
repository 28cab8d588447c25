//! When a computer resigns, and when it offers, accepts and claims draws.

use std::time::{Duration, Instant};

use tabiya_board::{Color, GameHistory};
use tabiya_notation::Score;

use crate::computer::quick_eval;
use crate::game::Game;
use crate::player::Player;
use tabiya_notation::TimeControl;

/// The score at which a position counts as lost, in centipawns.
const LOST_SCORE: i32 = -1000;
/// Levels up to this one never resign: their opponents want to practise giving mate.
const NEVER_RESIGNS_LEVEL: u8 = 3;
/// Levels up to this one resign later.
const RESIGNS_LATE_LEVEL: u8 = 6;
/// With less time than this, a player may lose on time in any position.
const SHORT_OF_TIME: Duration = Duration::from_secs(20);
/// Scores up to this size, in centipawns, are level.
const LEVEL_SCORE: i32 = 20;
/// The computer offers a draw if its last scores, this many, were level,
const LEVEL_MOVES: usize = 5;
/// from this move on,
const MIN_OFFER_MOVE: u16 = 40;
/// after this many plies without a capture or pawn move,
const QUIET_PLIES: u16 = 10;
/// and this many plies after its last offer.
const PLIES_BETWEEN_OFFERS: usize = 20;
/// From this move on, or with this few pieces, the computer accepts a draw in a level position.
const LATE_MOVE: u16 = 30;
const FEW_PIECES: usize = 12;
/// At this score or below, in centipawns, the computer accepts a draw at any time.
const WORSE_SCORE: i32 = -150;

/// A computer's recent scores.
#[derive(Clone, Debug)]
pub(crate) struct ScoreTrend {
    /// The number of latest moves in a row with a lost score.
    lost: usize,
    /// The number of latest moves in a row with a level score.
    level: usize,
    /// The latest score in centipawns; `None` if there was no search.
    points: Option<i32>,
    /// The ply of its last offer.
    offered: Option<usize>,
}

impl ScoreTrend {
    /// Starts without scores. In a resumed game earlier offers are unknown, so it acts as if it had just made one.
    pub(crate) fn new(game: &Game) -> Self {
        let played = game.history().moves().len();
        Self {
            lost: 0,
            level: 0,
            points: None,
            offered: (played > 0).then_some(played),
        }
    }

    /// Adds the score of the position before the computer's move.
    pub(crate) fn update(&mut self, score: Option<Score>) {
        self.points = score.map(points);
        let counted = |is_so: bool, before: usize| if is_so { before + 1 } else { 0 };
        let is_lost = self.points.is_some_and(|points| points <= LOST_SCORE);
        let is_level = self
            .points
            .is_some_and(|points| points.abs() <= LEVEL_SCORE);
        self.lost = counted(is_lost, self.lost);
        self.level = counted(is_level, self.level);
        // The opponent has earned the mate on the board.
        if score == Some(Score::Mate(-1)) {
            self.lost = 0;
        }
    }

    /// Whether the computer to move resigns.
    pub(crate) fn resigns(&self, game: &Game, now: Instant) -> bool {
        let color = game.turn();
        let patience = patience(game.player(color));
        patience.is_some_and(|moves| self.lost >= moves) && !is_short_of_time(game, !color, now)
    }

    /// Whether the computer to move claims a draw.
    pub(crate) fn claims(&self, game: &Game) -> bool {
        game.claimable_draw().is_some() && self.points.is_some_and(|points| points <= 0)
    }

    /// Whether the computer that has just moved offers a draw.
    pub(crate) fn offers(&mut self, game: &Game, now: Instant) -> bool {
        let played = game.history().moves().len();
        let is_soon = |offered| played.saturating_sub(offered) < PLIES_BETWEEN_OFFERS;
        let offers = self.level >= LEVEL_MOVES
            && game.board().fullmove_number() >= MIN_OFFER_MOVE
            && game.board().halfmove_clock() >= QUIET_PLIES
            && !self.offered.is_some_and(is_soon)
            && game.termination().is_none()
            && game.draw_offer().is_none()
            && !is_short_of_time(game, game.turn(), now);
        if offers {
            self.offered = Some(played);
        }
        offers
    }
}

/// How many moves in a row with a lost score a player waits before resigning; `None` for those who never resign.
fn patience(player: &Player) -> Option<usize> {
    match player {
        Player::Person(_) => None,
        Player::Computer(level) if level.number() <= NEVER_RESIGNS_LEVEL => None,
        // Its limits may make it as weak as those levels.
        Player::Limited { .. } => Some(5),
        Player::Computer(level) if level.number() <= RESIGNS_LATE_LEVEL => Some(5),
        Player::Computer(_) | Player::Engine(_) => Some(3),
    }
}

/// Whether a side may lose on time. With a fixed time per move, it never counts as short of time.
pub(crate) fn is_short_of_time(game: &Game, color: Color, now: Instant) -> bool {
    let left = game.clock().remaining(color, now);
    matches!(game.clock().control(), TimeControl::Game { .. })
        && left.is_some_and(|left| left < SHORT_OF_TIME)
}

/// Whether a computer accepts a draw in this position: when it is clearly worse, or late in the game when it is not
/// better.
pub fn accepts_draw(line: &GameHistory, color: Color) -> bool {
    let Some(info) = quick_eval(line) else {
        return false;
    };
    let for_mover = points(info.score);
    let board = line.board();
    let points = if board.turn() == color {
        for_mover
    } else {
        -for_mover
    };
    let is_late = board.fullmove_number() >= LATE_MOVE || board.occupied().len() <= FEW_PIECES;
    points <= WORSE_SCORE || (points <= LEVEL_SCORE && is_late)
}

/// A score in centipawns, with mates beyond all others.
const fn points(score: Score) -> i32 {
    match score {
        Score::Cp(points) => points,
        Score::Mate(moves) if moves > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}
