//! One game between two engines.

use std::fmt;
use std::time::Duration;

use tabiya_board::{Claim, Color, Line, Outcome};
use tabiya_engine::Score;
use tabiya_notation::pgn::{Game, GameResult};
use tabiya_uci::{Client, ClientError, Found, Goal};

use crate::pace::Pace;

/// An engine may be late by so much: the clock of another program is never ours.
const GRACE: Duration = Duration::from_millis(50);
/// An engine without a clock that has not moved after this is broken.
const LONGEST_MOVE: Duration = Duration::from_secs(600);
/// Engines that agree need not play on: on a win of so many hundredths of a pawn for so many moves in a row, and on a
/// draw after so many moves of the game.
const DECIDED: i32 = 1000;
const DECIDED_PLIES: u32 = 6;
const EVEN: i32 = 8;
const EVEN_PLIES: u32 = 16;
const EVEN_FROM_PLY: usize = 80;
/// No game is longer.
const LONGEST_GAME: usize = 600;

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// By a draw that was claimed.
    Claimed(Claim),
    /// The engines agree on the result.
    Agreed,
    /// The time of a side is up.
    Time(Color),
    /// A side did something that ends its game.
    Forfeit(Color, String),
    /// It went on for too long.
    TooLong,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => write!(f, "{outcome}"),
            Self::Claimed(claim) => write!(f, "{claim}"),
            Self::Agreed => f.write_str("the engines agree"),
            Self::Time(color) => write!(f, "{color} loses on time"),
            Self::Forfeit(color, reason) => write!(f, "{color} forfeits: {reason}"),
            Self::TooLong => f.write_str("draw: the game is too long"),
        }
    }
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves, with what the engines said about them.
    pub game: Game,
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: Ending,
    /// Whether an engine broke down or fell silent: it must not be used again.
    pub broken: Option<Color>,
}

/// What the engines think of the game, to end it when they agree.
#[derive(Default)]
struct Agreement {
    /// How many plies in a row a side was winning, as both saw it.
    decided: [u32; 2],
    even: u32,
}

impl Agreement {
    fn hear(&mut self, mover: Color, score: Option<Score>) {
        let points = match score {
            Some(Score::Centipawns(points)) => points,
            Some(Score::Mate(moves)) => 30_000 * moves.signum(),
            None => {
                *self = Self::default();
                return;
            }
        };
        let white = if mover == Color::White {
            points
        } else {
            -points
        };
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        count(&mut self.decided[0], white >= DECIDED);
        count(&mut self.decided[1], white <= -DECIDED);
        count(&mut self.even, white.abs() <= EVEN);
    }

    /// The result that both agree on.
    fn result(&self, ply: usize) -> Option<GameResult> {
        let [white, black] = self.decided.map(|plies| plies >= DECIDED_PLIES);
        if white {
            Some(GameResult::WhiteWins)
        } else if black {
            Some(GameResult::BlackWins)
        } else {
            (ply >= EVEN_FROM_PLY && self.even >= EVEN_PLIES).then_some(GameResult::Draw)
        }
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

/// Plays a game from an opening between two engines, White first.
pub(crate) fn play(
    engines: [&mut Client; 2],
    opening: &Line,
    pace: Pace,
    adjudicate: bool,
) -> Played {
    let [white, black] = engines;
    let names = [white.name().to_owned(), black.name().to_owned()];
    let engines = [white, black];
    let mut line = opening.clone();
    let mut game = Game::new(*line.start());
    let mut place = Game::ROOT;
    for mv in line.moves() {
        place = game.add(place, Some(mv));
    }
    let mut clocks = Clocks::new(pace);
    let mut agreement = Agreement::default();
    let mut broken = None;

    let (winner, ending) = loop {
        if let Some(outcome) = line.outcome() {
            break (outcome.winner(), Ending::Rules(outcome));
        }
        if let Some(claim) = line.claim() {
            break (None, Ending::Claimed(claim));
        }
        let ply = line.moves().len();
        if ply >= LONGEST_GAME {
            break (None, Ending::TooLong);
        }
        if adjudicate && let Some(result) = agreement.result(ply) {
            let winner = match result {
                GameResult::WhiteWins => Some(Color::White),
                GameResult::BlackWins => Some(Color::Black),
                _ => None,
            };
            break (winner, Ending::Agreed);
        }
        let mover = line.board().turn();
        let (goal, timeout) = clocks.goal(mover);
        match engines[mover.index()].go(&line, &goal, timeout) {
            Ok(found) => {
                if !clocks.spend(mover, found.time) {
                    break (Some(!mover), Ending::Time(mover));
                }
                agreement.hear(mover, found.reported.score);
                place = game.add(place, Some(found.best));
                game.node_mut(place).comments.push(comment(&found));
                line.play(found.best);
            }
            Err(ClientError::Silent(_)) if matches!(pace, Pace::Clock { .. }) => {
                broken = Some(mover);
                break (Some(!mover), Ending::Time(mover));
            }
            Err(error) => {
                broken = Some(mover);
                break (Some(!mover), Ending::Forfeit(mover, error.to_string()));
            }
        }
    };

    let result = match winner {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    };
    let [white, black] = names;
    for (name, value) in [
        ("White", white.as_str()),
        ("Black", black.as_str()),
        ("Result", result.as_str()),
        ("TimeControl", &pace.to_string()),
        ("Termination", &ending.to_string()),
    ] {
        game.set_tag(name, value);
    }
    game.result = Some(result);
    Played {
        game,
        winner,
        ending,
        broken,
    }
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
