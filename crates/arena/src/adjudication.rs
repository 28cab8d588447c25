//! Adjudication: ending games whose result is clear.

use std::str::FromStr;

use tabiya_board::Color;
use tabiya_notation::Score;
use thiserror::Error;

use crate::game::Termination;

/// Ends a game as won when both engines have scored it as won for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// The score to reach, in centipawns.
    pub score: i32,
    /// For how many moves of each side.
    pub moves: u32,
}

/// Ends a game as drawn when both engines have scored it as even for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The score not to exceed, in centipawns.
    pub score: i32,
    /// For how many moves of each side.
    pub moves: u32,
    /// The first move of the game at which this can happen.
    pub from_move: u32,
}

/// When to end games whose result is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjudicationRules {
    /// When a game is won.
    pub resign: Option<ResignRule>,
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
    /// The number of moves after which a game is drawn in any case.
    pub max_moves: u32,
}

impl Default for ResignRule {
    fn default() -> Self {
        Self {
            score: 1000,
            moves: 3,
        }
    }
}

impl Default for DrawRule {
    fn default() -> Self {
        Self {
            score: 8,
            moves: 8,
            from_move: 40,
        }
    }
}

impl Default for AdjudicationRules {
    fn default() -> Self {
        Self {
            resign: None,
            draw: None,
            max_moves: 300,
        }
    }
}

/// A text that is not a rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("use {known}, as in {example}")]
pub struct ParseRuleError {
    known: &'static str,
    example: &'static str,
}

/// Reads `name=number` pairs separated by commas.
fn settings(text: &str) -> impl Iterator<Item = Option<(&str, u32)>> {
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(|part| {
        let (name, number) = part.split_once('=')?;
        // Scores are signed, and this is more than any score.
        let number: u32 = number.trim().parse().ok()?;
        (number <= 1_000_000).then_some((name.trim(), number))
    })
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let mut rule = Self::default();
        for setting in settings(text) {
            match setting {
                Some(("score", score)) if score > 0 => rule.score = score as i32,
                Some(("moves", moves)) if moves > 0 => rule.moves = moves,
                _ => {
                    return Err(ParseRuleError {
                        known: "score= and moves=",
                        example: "score=1000,moves=3",
                    });
                }
            }
        }
        Ok(rule)
    }
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let mut rule = Self::default();
        for setting in settings(text) {
            match setting {
                Some(("score", score)) => rule.score = score as i32,
                Some(("moves", moves)) if moves > 0 => rule.moves = moves,
                Some(("from", from)) => rule.from_move = from,
                _ => {
                    return Err(ParseRuleError {
                        known: "score=, moves= and from=",
                        example: "score=8,moves=8,from=40",
                    });
                }
            }
        }
        Ok(rule)
    }
}

/// Watches the engines' scores, to end the game when they agree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Adjudicator {
    /// For how many plies in a row the mover has scored the game as won for White, and for Black.
    ahead: [u32; 2],
    /// For how many plies in a row the mover has scored it as even.
    even: u32,
}

impl Adjudicator {
    /// Notes the score of a move from the mover's point of view.
    pub fn update(&mut self, rules: &AdjudicationRules, mover: Color, score: Option<Score>) {
        let points = match score {
            Some(Score::Cp(points)) => points,
            Some(Score::Mate(moves)) => 1_000_000 * if moves > 0 { 1 } else { -1 },
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
        let winning = rules.resign.unwrap_or_default().score;
        let drawn = rules.draw.unwrap_or_default().score;
        count(&mut self.ahead[0], white >= winning);
        count(&mut self.ahead[1], white <= -winning);
        count(&mut self.even, white.abs() <= drawn);
    }

    /// Returns the end that both engines agree on, if they do.
    pub fn decide(&self, rules: &AdjudicationRules, move_number: u32) -> Option<Termination> {
        if let Some(rule) = rules.resign {
            let [white, black] = self.ahead.map(|plies| plies >= 2 * rule.moves);
            if white || black {
                let winner = if white { Color::White } else { Color::Black };
                return Some(Termination::Adjudicated(Some(winner)));
            }
        }
        let rule = rules.draw?;
        let is_even = move_number >= rule.from_move && self.even >= 2 * rule.moves;
        is_even.then_some(Termination::Adjudicated(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_parsed() {
        assert_eq!("".parse(), Ok(ResignRule::default()));
        assert_eq!(
            "score=600, moves=4".parse(),
            Ok(ResignRule {
                score: 600,
                moves: 4
            })
        );
        assert_eq!(
            "from=30".parse(),
            Ok(DrawRule {
                from_move: 30,
                ..DrawRule::default()
            })
        );
        for wrong in [
            "score", "score=-5", "score=x", "points=3", "score=0", "moves=0",
        ] {
            assert!(wrong.parse::<ResignRule>().is_err(), "{wrong}");
        }
        let error = "to=1".parse::<DrawRule>().unwrap_err().to_string();
        assert_eq!(
            error,
            "use score=, moves= and from=, as in score=8,moves=8,from=40"
        );
    }

    /// Scores of White and Black in turn, each from the mover's point of view.
    fn after(rules: &AdjudicationRules, scores: &[Score]) -> Adjudicator {
        let mut opinions = Adjudicator::default();
        for (ply, &score) in scores.iter().enumerate() {
            let mover = if ply % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            opinions.update(rules, mover, Some(score));
        }
        opinions
    }

    #[test]
    fn both_engines_must_agree() {
        let rules = AdjudicationRules {
            resign: Some(ResignRule {
                score: 500,
                moves: 2,
            }),
            draw: Some(DrawRule {
                score: 10,
                moves: 1,
                from_move: 20,
            }),
            ..AdjudicationRules::default()
        };
        let cp = Score::Cp;
        let won = after(&rules, &[cp(600), cp(-500), cp(900), Score::Mate(-3)]);
        assert_eq!(
            won.decide(&rules, 1),
            Some(Termination::Adjudicated(Some(Color::White)))
        );
        let lost = after(
            &rules,
            &[cp(-600), cp(700), Score::Mate(-2), Score::Mate(2)],
        );
        assert_eq!(
            lost.decide(&rules, 1),
            Some(Termination::Adjudicated(Some(Color::Black)))
        );
        // Both think that they are winning.
        let disagreement = after(&rules, &[cp(600), cp(600), cp(600), cp(600)]);
        assert_eq!(disagreement.decide(&rules, 30), None);
        let short = after(&rules, &[cp(600), cp(-600), cp(600)]);
        assert_eq!(short.decide(&rules, 30), None);
        let even = after(&rules, &[cp(10), cp(-10)]);
        assert_eq!(even.decide(&rules, 19), None);
        assert_eq!(
            even.decide(&rules, 20),
            Some(Termination::Adjudicated(None))
        );
        let mut silent = after(&rules, &[cp(0), cp(0)]);
        silent.update(&rules, Color::White, None);
        assert_eq!(silent.decide(&rules, 40), None);
        assert_eq!(even.decide(&AdjudicationRules::default(), 99), None);
    }
}
