//! One game between two engines.

use std::fmt;
use std::time::{Duration, Instant};

use tabiya_board::{Claim, Color, Line, Outcome};
use tabiya_engine::Score;
use tabiya_notation::pgn::{Game, GameResult, NodeId};
use tabiya_uci::{Client, ClientError, Found, Goal};

use crate::adjudication::{Adjudication, Opinions};
use crate::pace::Pace;

/// An engine may be late by so much: the clock of another program is never ours.
const GRACE: Duration = Duration::from_millis(50);
/// An engine without a clock that has not moved after this is broken.
const LONGEST_MOVE: Duration = Duration::from_secs(600);

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// By a draw that was claimed.
    Claimed(Claim),
    /// The engines agree on the result.
    Agreed(Option<Color>),
    /// It went on for too long.
    TooLong,
    /// The time of a side is up.
    Time(Color),
    /// A side has made a move that is not legal.
    Illegal(Color, String),
    /// The engine of a side has crashed, hangs or does not start.
    Failed(Color, String),
}

impl Ending {
    /// Who has won; nobody in a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::Agreed(winner) => *winner,
            Self::Claimed(_) | Self::TooLong => None,
            Self::Time(loser) | Self::Illegal(loser, _) | Self::Failed(loser, _) => Some(!*loser),
        }
    }

    /// The word for it that the PGN standard has for the tag `Termination`.
    pub const fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) | Self::Claimed(_) => "normal",
            Self::Agreed(_) | Self::TooLong => "adjudication",
            Self::Time(_) => "time forfeit",
            Self::Illegal(..) => "rules infraction",
            Self::Failed(..) => "abandoned",
        }
    }

    /// Whether a side has lost by something else than its moves.
    pub const fn is_forfeit(&self) -> bool {
        matches!(self, Self::Time(_) | Self::Illegal(..) | Self::Failed(..))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => write!(f, "{outcome}"),
            Self::Claimed(claim) => write!(f, "{claim}"),
            Self::Agreed(Some(winner)) => write!(f, "{winner} wins: the engines agree"),
            Self::Agreed(None) => f.write_str("draw: the engines agree"),
            Self::TooLong => f.write_str("draw: the game is too long"),
            Self::Time(color) => write!(f, "{color} loses on time"),
            Self::Illegal(color, reason) | Self::Failed(color, reason) => {
                write!(f, "{color} loses: {reason}")
            }
        }
    }
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves, with what the engines said about them.
    pub game: Game,
    /// Why it ended, and so who has won.
    pub ending: Ending,
    /// Whether an engine broke down or fell silent: it must not be used again.
    pub(crate) broken: Option<Color>,
    pub(crate) effort: Effort,
}

/// What a game has cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// How many moves the engines were asked for.
    pub(crate) moves: u64,
    /// The time from asking for a move to its answer.
    pub(crate) thinking: Duration,
    /// The time between the moves.
    pub(crate) between: Duration,
}

/// The result as PGN has it.
pub(crate) const fn result(winner: Option<Color>) -> GameResult {
    match winner {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    }
}

/// The clocks of a game, if it has any.
struct Clocks {
    pace: Pace,
    left: [Duration; 2],
}

impl Clocks {
    fn new(pace: Pace) -> Self {
        let base = match pace {
            Pace::Clock { base, .. } => base,
            _ => Duration::ZERO,
        };
        Self {
            pace,
            left: [base; 2],
        }
    }

    /// What to ask the side to move for, and how long to wait for it.
    fn goal(&self, color: Color) -> (Goal, Duration) {
        let mut goal = Goal::default();
        let mut timeout = LONGEST_MOVE;
        match self.pace {
            Pace::Clock { increment, .. } => {
                goal.clocks = Some(self.left);
                goal.increments = [increment; 2];
                timeout = self.left[color.index()] + Duration::from_secs(1) + GRACE;
            }
            Pace::Nodes(nodes) => goal.nodes = Some(nodes),
            Pace::Depth(depth) => goal.depth = Some(depth),
            Pace::Move(time) => {
                goal.time = Some(time);
                timeout = time + Duration::from_secs(5);
            }
        }
        (goal, timeout)
    }

    /// Takes the time of a move off the clock; false if there was less.
    fn spend(&mut self, color: Color, time: Duration) -> bool {
        let left = &mut self.left[color.index()];
        match self.pace {
            Pace::Clock { increment, .. } => {
                if time > *left + GRACE {
                    return false;
                }
                *left = left.saturating_sub(time) + increment;
                true
            }
            _ => true,
        }
    }
}

/// A game with the moves of an opening, and where they end.
fn opened(opening: &Line) -> (Game, NodeId) {
    let mut game = Game::new(*opening.start());
    let mut place = Game::ROOT;
    for mv in opening.moves() {
        place = game.add(place, Some(mv));
    }
    (game, place)
}

/// A game that ends before its first move, because an engine does not start.
pub(crate) fn not_begun(opening: &Line, loser: Color, reason: String) -> Played {
    let (game, place) = opened(opening);
    ended(
        game,
        place,
        Ending::Failed(loser, reason),
        None,
        Effort::default(),
    )
}

/// Plays a game from an opening between two engines, White first. Nothing if it is interrupted.
pub(crate) fn play(
    engines: &mut [Client; 2],
    opening: &Line,
    pace: Pace,
    rules: &Adjudication,
) -> Option<Played> {
    let start = Instant::now();
    let mut line = opening.clone();
    let (mut game, mut place) = opened(opening);
    let mut clocks = Clocks::new(pace);
    let mut opinions = Opinions::default();
    let mut broken = None;
    let mut effort = Effort::default();

    let ending = loop {
        if let Some(outcome) = line.outcome() {
            break Ending::Rules(outcome);
        }
        if let Some(claim) = line.claim() {
            break Ending::Claimed(claim);
        }
        let number = u32::from(line.board().fullmove_number());
        if let Some(ending) = opinions.ending(rules, number) {
            break ending;
        }
        if line.moves().len() >= 2 * rules.longest as usize {
            break Ending::TooLong;
        }
        let mover = line.board().turn();
        let (goal, timeout) = clocks.goal(mover);
        match engines[mover.index()].go(&line, &goal, timeout) {
            Ok(found) => {
                effort.moves += 1;
                effort.thinking += found.time;
                if !clocks.spend(mover, found.time) {
                    break Ending::Time(mover);
                }
                opinions.hear(rules, mover, found.reported.score);
                place = game.add(place, Some(found.best));
                game.node_mut(place).comments.push(comment(&found));
                line.play(found.best);
            }
            Err(ClientError::Interrupted) => return None,
            Err(error) => {
                broken = Some(mover);
                break match error {
                    ClientError::Silent(_) if matches!(pace, Pace::Clock { .. }) => {
                        Ending::Time(mover)
                    }
                    ClientError::Illegal { .. } => Ending::Illegal(mover, sentence(&error)),
                    _ => Ending::Failed(mover, sentence(&error)),
                };
            }
        }
    };
    effort.between = start.elapsed().saturating_sub(effort.thinking);
    Some(ended(game, place, ending, broken, effort))
}

fn ended(
    mut game: Game,
    place: NodeId,
    ending: Ending,
    broken: Option<Color>,
    effort: Effort,
) -> Played {
    game.node_mut(place).comments.push(ending.to_string());
    game.result = Some(result(ending.winner()));
    Played {
        game,
        ending,
        broken,
        effort,
    }
}

/// What went wrong, without the control characters that an engine may have put there.
pub(crate) fn sentence(error: &impl fmt::Display) -> String {
    let shown = |letter: char| if letter.is_control() { '?' } else { letter };
    error.to_string().chars().map(shown).collect()
}

/// What an engine said about its move: score, depth and time.
fn comment(found: &Found) -> String {
    let score = match found.reported.score {
        Some(Score::Centipawns(points)) => format!("{:+.2}", f64::from(points) / 100.0),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => "?".to_owned(),
    };
    let depth = found.reported.depth.unwrap_or(0);
    format!("{score}/{depth} {:.3}s", found.time.as_secs_f64())
}
