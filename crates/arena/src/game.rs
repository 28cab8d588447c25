//! A game between two engines.

use std::fmt;
use std::time::{Duration, Instant};

use tabiya_board::{Color, DrawClaim, GameHistory, Outcome};
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::{GameResult, Score, TimeControl, printable};
use tabiya_uci::{Client, ClientError, EngineMove, GoLimits};

use crate::adjudication::{AdjudicationRules, Adjudicator};
use crate::search_limit::SearchLimit;

/// How much an engine may exceed its clock: the clocks of two programs never agree exactly.
const GRACE: Duration = Duration::from_millis(50);
/// An engine without a clock that has not moved after this time counts as hanging.
const MOVE_TIMEOUT: Duration = Duration::from_secs(600);

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Checkmate, stalemate or an automatic draw.
    Outcome(Outcome),
    /// The side to move can claim a draw.
    Claimed(DrawClaim),
    /// The engines' scores agree on the winner, or on a draw.
    Adjudicated(Option<Color>),
    /// The game reached the maximum number of moves, which makes it a draw.
    MaxMoves,
    /// A side ran out of time.
    TimeForfeit(Color),
    /// A side made an illegal move.
    IllegalMove(Color, String),
    /// A side's engine crashed, hung or did not start.
    EngineFailure(Color, String),
}

impl Termination {
    /// Returns the winner; `None` in a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Self::Outcome(outcome) => outcome.winner(),
            Self::Adjudicated(winner) => *winner,
            Self::Claimed(_) | Self::MaxMoves => None,
            Self::TimeForfeit(loser)
            | Self::IllegalMove(loser, _)
            | Self::EngineFailure(loser, _) => Some(!*loser),
        }
    }

    /// Returns the value of the PGN tag `Termination`.
    pub const fn pgn_tag(&self) -> &'static str {
        match self {
            Self::Outcome(_) | Self::Claimed(_) => "normal",
            Self::Adjudicated(_) | Self::MaxMoves => "adjudication",
            Self::TimeForfeit(_) => "time forfeit",
            Self::IllegalMove(..) => "rules infraction",
            Self::EngineFailure(..) => "abandoned",
        }
    }

    /// Whether a side lost by something other than its moves.
    pub const fn is_forfeit(&self) -> bool {
        matches!(
            self,
            Self::TimeForfeit(_) | Self::IllegalMove(..) | Self::EngineFailure(..)
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => write!(f, "{outcome}"),
            Self::Claimed(claim) => write!(f, "{claim}"),
            Self::Adjudicated(Some(winner)) => write!(f, "{winner} wins by adjudication"),
            Self::Adjudicated(None) => f.write_str("draw by adjudication"),
            Self::MaxMoves => f.write_str("draw by the move limit"),
            Self::TimeForfeit(color) => write!(f, "{color} ran out of time"),
            Self::IllegalMove(color, reason) | Self::EngineFailure(color, reason) => {
                write!(f, "{color} loses: {reason}")
            }
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The moves, with the engines' scores as comments.
    pub game: Game,
    /// Why it ended, and so who won.
    pub termination: Termination,
    /// The side whose engine crashed or hung, and must not be used again.
    pub(crate) broken: Option<Color>,
    pub(crate) timing: GameTiming,
}

/// Where the time of a game went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameTiming {
    /// Moves that the engines were asked for.
    pub(crate) moves: u64,
    /// The time from asking for a move to the answer.
    pub(crate) thinking: Duration,
    /// The time between the moves.
    pub(crate) between: Duration,
}

/// Converts a winner into a result.
pub(crate) const fn result(winner: Option<Color>) -> GameResult {
    match winner {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    }
}

/// The clocks of a game, if it has any.
struct Clocks {
    limit: SearchLimit,
    left: [Duration; 2],
}

impl Clocks {
    fn new(limit: SearchLimit) -> Self {
        let base = match limit {
            SearchLimit::Time(control) => control.base().unwrap_or_default(),
            _ => Duration::ZERO,
        };
        Self {
            limit,
            left: [base; 2],
        }
    }

    /// Returns what to ask the side to move for, and how long to wait for its move.
    fn go_limits(&self, color: Color) -> (GoLimits, Duration) {
        let mut limits = GoLimits::default();
        let mut timeout = MOVE_TIMEOUT;
        match self.limit {
            SearchLimit::Time(TimeControl::Game { increment, .. }) => {
                limits.clocks = Some(self.left);
                limits.increments = [increment; 2];
                timeout = self.left[color.index()] + Duration::from_secs(1) + GRACE;
            }
            SearchLimit::Time(TimeControl::Move(time)) => {
                limits.time = Some(time);
                timeout = time + Duration::from_secs(5);
            }
            SearchLimit::Time(_) => {}
            SearchLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            SearchLimit::Depth(depth) => limits.depth = Some(depth),
        }
        (limits, timeout)
    }

    /// Takes the time of a move off the clock; returns false if the flag has fallen.
    fn spend(&mut self, color: Color, time: Duration) -> bool {
        let left = &mut self.left[color.index()];
        if let SearchLimit::Time(TimeControl::Game { increment, .. }) = self.limit {
            if time > *left + GRACE {
                return false;
            }
            *left = left.saturating_sub(time) + increment;
        }
        true
    }
}

/// Returns a game with the moves of an opening, and its last move.
fn opened(opening: &GameHistory) -> (Game, NodeId) {
    let mut game = Game::new(*opening.start());
    let mut place = Game::ROOT;
    for mv in opening.moves() {
        place = game.add_unchecked(place, Some(mv));
    }
    (game, place)
}

/// Returns a game that ended before its first move because an engine did not start.
pub(crate) fn not_begun(opening: &GameHistory, loser: Color, reason: String) -> PlayedGame {
    let (game, place) = opened(opening);
    ended(
        game,
        place,
        Termination::EngineFailure(loser, reason),
        None,
        GameTiming::default(),
    )
}

/// Plays a game from an opening, White's engine first; `None` if it is interrupted.
pub(crate) fn play(
    engines: &mut [Client; 2],
    opening: &GameHistory,
    limit: SearchLimit,
    rules: &AdjudicationRules,
) -> Option<PlayedGame> {
    let start = Instant::now();
    let mut line = opening.clone();
    let (mut game, mut place) = opened(opening);
    let mut clocks = Clocks::new(limit);
    let has_clock = matches!(limit, SearchLimit::Time(TimeControl::Game { .. }));
    let mut adjudicator = Adjudicator::default();
    let mut broken = None;
    let mut timing = GameTiming::default();

    let termination = loop {
        if let Some(outcome) = line.outcome() {
            break Termination::Outcome(outcome);
        }
        if let Some(claim) = line.claim() {
            break Termination::Claimed(claim);
        }
        let number = u32::from(line.board().fullmove_number());
        if let Some(termination) = adjudicator.decide(rules, number) {
            break termination;
        }
        if line.moves().len() >= 2 * rules.max_moves as usize {
            break Termination::MaxMoves;
        }
        let mover = line.board().turn();
        let (limits, timeout) = clocks.go_limits(mover);
        match engines[mover.index()].go(&line, &limits, timeout) {
            Ok(found) => {
                timing.moves += 1;
                timing.thinking += found.time;
                if !clocks.spend(mover, found.time) {
                    break Termination::TimeForfeit(mover);
                }
                adjudicator.update(rules, mover, found.info.as_ref().map(|info| info.score));
                place = game.add_unchecked(place, Some(found.best));
                game.node_mut(place).comments.push(comment(&found));
                line.play(found.best);
            }
            Err(ClientError::Interrupted) => return None,
            Err(error) => {
                broken = Some(mover);
                break match error {
                    ClientError::Timeout(_) if has_clock => Termination::TimeForfeit(mover),
                    ClientError::IllegalMove { .. } => {
                        Termination::IllegalMove(mover, printable(&error.to_string()))
                    }
                    _ => Termination::EngineFailure(mover, printable(&error.to_string())),
                };
            }
        }
    };
    timing.between = start.elapsed().saturating_sub(timing.thinking);
    Some(ended(game, place, termination, broken, timing))
}

fn ended(
    mut game: Game,
    place: NodeId,
    termination: Termination,
    broken: Option<Color>,
    timing: GameTiming,
) -> PlayedGame {
    game.node_mut(place).comments.push(termination.to_string());
    game.result = Some(result(termination.winner()));
    PlayedGame {
        game,
        termination,
        broken,
        timing,
    }
}

/// Writes an engine's score, depth and time as a comment on its move.
fn comment(found: &EngineMove) -> String {
    let score = match found.info.as_ref().map(|info| info.score) {
        Some(Score::Cp(points)) => format!("{:+.2}", f64::from(points) / 100.0),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => "?".to_owned(),
    };
    let depth = found.info.as_ref().map_or(0, |info| info.depth);
    format!("{score}/{depth} {:.3}s", found.time.as_secs_f64())
}
