//! Why a move is bad, in words.

use tabiya_board::{Board, Move};
use tabiya_notation::{Score, write_san};

use crate::explanation::{Idea, MoveMotifs};
use crate::motif::{Motif, Target};
use crate::solver::{Solver, material, piece_value};

/// The nodes for the question whether a piece was in danger before.
const DANGER_NODES: u32 = 50_000;

/// Why a move is bad. Prints as words after the move: `hangs the queen on d5`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mistake {
    /// The opponent can now mate.
    AllowsMate {
        /// The mating move.
        reply: Move,
        /// It in SAN.
        san: String,
        /// The moves to mate.
        moves: u32,
    },
    /// The move misses a mate.
    MissesMate {
        /// The moves to mate.
        moves: u32,
    },
    /// The opponent can take this piece for nothing, and could not before.
    Hangs {
        /// The piece.
        target: Target,
    },
    /// The opponent can take this piece for nothing, as before the move.
    LeavesHanging {
        /// The piece.
        target: Target,
    },
    /// The opponent takes this piece and gives less for it.
    Loses {
        /// The piece.
        target: Target,
        /// What the opponent gives for it, in pawns.
        cost: i32,
    },
    /// The opponent has a strong reply.
    Allows {
        /// The reply.
        reply: Move,
        /// It in SAN.
        san: String,
        /// What it does.
        explanation: MoveMotifs,
    },
    /// There was a strong move.
    Misses {
        /// The move.
        best: Move,
        /// It in SAN.
        san: String,
        /// What it does.
        explanation: MoveMotifs,
    },
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AllowsMate { san, moves: 1, .. } => write!(f, "allows {san}"),
            Self::AllowsMate { san, moves, .. } => write!(f, "allows mate in {moves} with {san}"),
            Self::MissesMate { moves } => write!(f, "misses mate in {moves}"),
            Self::Hangs { target } => write!(f, "hangs the {} on {}", target.role, target.square),
            Self::LeavesHanging { target } => {
                write!(f, "leaves the {} on {} hanging", target.role, target.square)
            }
            Self::Loses { target, cost } => {
                write!(f, "loses {target}")?;
                match cost {
                    0 => Ok(()),
                    cost => write!(f, " for {}", Motif::price(*cost)),
                }
            }
            Self::Allows {
                san, explanation, ..
            } => write_with(f, "allows", san, explanation),
            Self::Misses {
                san, explanation, ..
            } => write_with(f, "misses", san, explanation),
        }
    }
}

fn write_with(
    f: &mut std::fmt::Formatter<'_>,
    verb: &str,
    san: &str,
    explanation: &MoveMotifs,
) -> std::fmt::Result {
    write!(f, "{verb} {san}")?;
    match explanation.participles() {
        Some(words) => write!(f, ", {words}"),
        None => Ok(()),
    }
}

impl Mistake {
    /// The material that the opponent wins, in pawns.
    fn pawns(&self) -> i32 {
        match self {
            Self::Hangs { target } | Self::LeavesHanging { target } => piece_value(target.role),
            Self::Loses { target, cost } => piece_value(target.role) - cost,
            Self::Allows { explanation, .. } => explanation.pawns(),
            _ => 0,
        }
    }

    /// The motifs behind it, if any: of the reply or the missed move.
    pub fn motifs(&self) -> &[Motif] {
        match self {
            Self::Allows { explanation, .. } | Self::Misses { explanation, .. } => {
                &explanation.motifs
            }
            _ => &[],
        }
    }
}

/// Says why a move is bad: what the opponent's best reply does, or what the best move would have done, whichever is
/// worth more. `None` if neither can be proved.
///
/// `best` is the best line, beginning with the best move; `reply` the best line after the bad move. The scores are
/// those of the positions before and after the move, each for the side to move there.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_motif::explain_mistake;
/// use tabiya_notation::Score;
///
/// let board: Board = "4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1".parse()?;
/// let played = board.legal_move(Square::D1, Square::D5, None)?;
/// let reply = board.after(played).legal_move(Square::C6, Square::D5, None)?;
/// let scores = (Score::Cp(800), Score::Cp(200));
/// let mistake = explain_mistake(&board, played, &[], &[reply], scores).unwrap();
/// assert_eq!(mistake.to_string(), "hangs the queen on d5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_mistake(
    board: &Board,
    played: Move,
    best: &[Move],
    reply: &[Move],
    scores: (Score, Score),
) -> Option<Mistake> {
    if !board.is_legal(played) {
        return None;
    }
    let after = board.after(played);
    let (before, score) = scores;
    let missed = Idea {
        score: Some(before),
        ..Idea::new(board, best)
    };
    let answer = Idea {
        score: Some(score),
        previous: Some((board, played)),
        ..Idea::new(&after, reply)
    };
    let answered = answer.explain();
    let refuted = answered_by(board, &after, played, &answer, answered);
    if matches!(refuted, Some(Mistake::AllowsMate { .. })) {
        return refuted;
    }
    let is_other = |best: &&Move| **best != played;
    let Some(&best) = best.first().filter(is_other) else {
        return refuted;
    };
    // What was missed is the reason if it was worth more: a missed mate, or more material.
    let explanation = missed.explain();
    let lost = refuted.as_ref().map_or(0, Mistake::pawns);
    match explanation.motifs.first() {
        Some(&Motif::Mate { moves, .. }) => Some(Mistake::MissesMate { moves }),
        _ if refuted.is_some() && lost >= explanation.pawns() => refuted,
        _ if explanation.is_tactical() => Some(Mistake::Misses {
            best,
            san: write_san(board, best).to_string(),
            explanation,
        }),
        _ => refuted,
    }
}

/// What the reply does to the player, if it does something.
fn answered_by(
    board: &Board,
    after: &Board,
    played: Move,
    answer: &Idea,
    explanation: MoveMotifs,
) -> Option<Mistake> {
    let &reply = answer.line.first().filter(|&&mv| after.is_legal(mv))?;
    let san = write_san(after, reply).to_string();
    let first = explanation.motifs.first()?;
    if let &Motif::Mate { moves, .. } = first {
        return Some(Mistake::AllowsMate { reply, san, moves });
    }
    let taken = after.captured(reply).map(|_| reply.to());
    let loss = explanation.motifs.iter().find_map(|motif| match motif {
        Motif::Wins { target, cost } if Some(target.square) == taken => Some((*target, *cost)),
        _ => None,
    });
    match loss {
        Some((target, cost)) if target.role != tabiya_board::Role::Pawn => {
            // A piece that has just captured got something in return, even if it can now be taken for nothing.
            let is_gift = cost == 0 && board.captured(played).is_none();
            Some(match (is_gift, was_hanging(board, played, target)) {
                (true, false) => Mistake::Hangs { target },
                (true, true) => Mistake::LeavesHanging { target },
                (false, _) => Mistake::Loses { target, cost },
            })
        }
        _ if explanation.is_tactical() => Some(Mistake::Allows {
            reply,
            san,
            explanation,
        }),
        _ => None,
    }
}

/// Whether the opponent could already take the piece with a gain, had the player passed.
fn was_hanging(board: &Board, played: Move, target: Target) -> bool {
    if played.to() == target.square {
        return false;
    }
    let Some(passed) = board.null_move() else {
        return false;
    };
    let them = passed.turn();
    let gain = material(&passed, them) + 1;
    Solver::new(them, DANGER_NODES).captures(&passed, None, target.square, gain) != Some(false)
}
