//! Deciding when a self-play game is over.

use tabiya_board::{Color, GameHistory};

use crate::MAX_PLIES;
use crate::game::{Termination, Wdl};

/// When the scores end a game. A rule with 0 plies is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreAdjudication {
    /// Plies in a row that decide a win…
    pub win_plies: u16,
    /// … with at least this score, in centipawns.
    pub win_score: u16,
    /// Plies in a row that decide a draw…
    pub draw_plies: u16,
    /// … within this score, in centipawns.
    pub draw_score: u16,
    /// The first ply at which a draw can be decided.
    pub draw_after: u16,
}

impl ScoreAdjudication {
    /// Play all games to their end.
    pub const NEVER: Self = Self {
        win_plies: 0,
        win_score: 0,
        draw_plies: 0,
        draw_score: 0,
        draw_after: 0,
    };
}

impl Default for ScoreAdjudication {
    /// The same as in self-play on a GPU: a test compares them.
    fn default() -> Self {
        Self {
            win_plies: 4,
            win_score: 1000,
            draw_plies: 10,
            draw_score: 8,
            draw_after: 80,
        }
    }
}

/// Returns how a game has ended by the rules, and White's result. Draws that can be claimed count as claimed.
///
/// The order matters: a stalemate can also be a dead position.
pub(crate) fn end_by_rules(line: &GameHistory) -> Option<(Termination, Wdl)> {
    let board = line.board();
    if board.is_insufficient_material() {
        return Some((Termination::InsufficientMaterial, Wdl::Draw));
    }
    if !board.has_legal_move() {
        return Some(if board.is_check() {
            (Termination::Checkmate, Wdl::Loss.for_side(board.turn()))
        } else {
            (Termination::Stalemate, Wdl::Draw)
        });
    }
    if line.repetitions() >= 3 {
        return Some((Termination::ThreefoldRepetition, Wdl::Draw));
    }
    (board.halfmove_clock() >= 100).then_some((Termination::FiftyMoves, Wdl::Draw))
}

/// Watches a game and its scores, and ends it.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    adjudication: ScoreAdjudication,
    /// For how many plies in a row White, and Black, has been winning.
    ahead: [u16; 2],
    /// For how many plies in a row the score has been even.
    level: u16,
}

impl Referee {
    pub(crate) fn new(adjudication: ScoreAdjudication) -> Self {
        Self {
            adjudication,
            ahead: [0; 2],
            level: 0,
        }
    }

    /// Returns how the game has ended after a move with this score for the side that played it, and White's result.
    pub(crate) fn judge(&mut self, line: &GameHistory, score: i16) -> Option<(Termination, Wdl)> {
        let mover = !line.board().turn();
        let rule = &self.adjudication;
        for (ahead, side) in self.ahead.iter_mut().zip(Color::ALL) {
            let own = i32::from(score) * if side == mover { 1 } else { -1 };
            *ahead = if own >= i32::from(rule.win_score) {
                ahead.saturating_add(1)
            } else {
                0
            };
        }
        self.level = if score.unsigned_abs() <= rule.draw_score {
            self.level.saturating_add(1)
        } else {
            0
        };
        let plies = line.played().len();
        if let Some(over) = end_by_rules(line) {
            return Some(over);
        }
        if rule.win_plies > 0 {
            for (ahead, side) in self.ahead.iter().zip(Color::ALL) {
                if *ahead >= rule.win_plies {
                    return Some((Termination::AdjudicatedWin, Wdl::Win.for_side(side)));
                }
            }
        }
        if rule.draw_plies > 0
            && plies >= usize::from(rule.draw_after)
            && self.level >= rule.draw_plies
        {
            return Some((Termination::AdjudicatedDraw, Wdl::Draw));
        }
        (plies >= MAX_PLIES).then_some((Termination::MaxPlies, Wdl::Draw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_board::Board;

    fn after(fen: &str, moves: &str) -> GameHistory {
        let mut line = GameHistory::new(fen.parse::<Board>().unwrap());
        for name in moves.split_whitespace() {
            let legal = line.board().legal_moves();
            line.play(*legal.iter().find(|mv| mv.to_string() == name).unwrap());
        }
        line
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_rules_end_games() {
        let drawn = |termination| Some((termination, Wdl::Draw));
        assert_eq!(
            end_by_rules(&after(START, "f2f3 e7e5 g2g4 d8h4")),
            Some((Termination::Checkmate, Wdl::Loss))
        );
        assert_eq!(
            end_by_rules(&after("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "")),
            drawn(Termination::Stalemate)
        );
        // Stalemate as well, but neither side could have won.
        assert_eq!(
            end_by_rules(&after("k7/8/KB6/8/8/8/8/8 b - - 0 1", "")),
            drawn(Termination::InsufficientMaterial)
        );
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        assert_eq!(end_by_rules(&after(START, shuffle)), None);
        assert_eq!(
            end_by_rules(&after(START, &format!("{shuffle} f6g8"))),
            drawn(Termination::ThreefoldRepetition)
        );
        let rook = "7k/8/8/8/8/8/8/KR6 w - - 99 80";
        assert_eq!(end_by_rules(&after(rook, "")), None);
        assert_eq!(
            end_by_rules(&after(rook, "b1b2")),
            drawn(Termination::FiftyMoves)
        );
        // Checkmate on the hundredth ply still wins.
        assert_eq!(
            end_by_rules(&after("7k/8/6K1/8/8/8/8/1R6 w - - 99 80", "b1b8")),
            Some((Termination::Checkmate, Wdl::Win))
        );
    }

    #[test]
    fn the_scores_end_games() {
        let rule = ScoreAdjudication {
            win_plies: 3,
            win_score: 500,
            draw_plies: 2,
            draw_score: 5,
            draw_after: 3,
        };
        let judge = |scores: &[i16]| {
            let mut referee = Referee::new(rule);
            let mut line = GameHistory::default();
            let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
            let mut verdict = None;
            for (name, &score) in moves.iter().zip(scores) {
                assert_eq!(verdict, None);
                let legal = line.board().legal_moves();
                line.play(*legal.iter().find(|mv| mv.to_string() == *name).unwrap());
                verdict = referee.judge(&line, score);
            }
            verdict
        };
        let won = |result| Some((Termination::AdjudicatedWin, result));
        assert_eq!(judge(&[500, -500, 700]), won(Wdl::Win));
        assert_eq!(judge(&[-500, 500, -700]), won(Wdl::Loss));
        assert_eq!(judge(&[500, 500, 500]), None);
        assert_eq!(judge(&[500, -499, 500, -500]), None);
        assert_eq!(
            judge(&[0, 0, -5]),
            Some((Termination::AdjudicatedDraw, Wdl::Draw))
        );
        assert_eq!(judge(&[0, 0, 6, 0]), None);
    }
}
