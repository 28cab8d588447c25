//! The search: attacker and defender in turn, deeper and deeper.

use std::sync::atomic::Ordering;
use std::time::Instant;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, MoveMatch};

use super::check::mate_in_one;
use super::order::{Answers, Attacks, replies};
use super::table::{Signature, Table};
use super::{MAX_MOVES, MateVerdict, ProofLimits};

/// The limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

/// So many positions are looked at between two looks at the clock.
const BETWEEN_LOOKS: u64 = 1 << 10;

/// The search for one answer.
pub(super) struct Search<'a> {
    table: &'a mut Table,
    answers: Answers,
    limit: ProofLimits<'a>,
    end: Option<Instant>,
    nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a mut Table, limit: &ProofLimits<'a>) -> Self {
        Self {
            table,
            answers: Answers::new(),
            limit: *limit,
            // A time too long for the clock is no limit.
            end: limit.time.and_then(|time| Instant::now().checked_add(time)),
            nodes: 0,
        }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for the shortest mate in at most so many moves, and reports the numbers in which there is none.
    pub(super) fn shortest(
        &mut self,
        position: &Position,
        most: u32,
        report: &mut dyn FnMut(u32),
    ) -> MateVerdict {
        for moves in 1..=most.min(MAX_MOVES) {
            match self.attack(position, moves) {
                Ok(false) => report(moves),
                Err(Interrupted) => {
                    return MateVerdict::Undecided {
                        no_mate_in: moves - 1,
                    };
                }
                Ok(true) => {
                    // What is proved shall not be lost for want of time.
                    self.end = None;
                    self.limit.nodes = None;
                    return match self.line(position, moves) {
                        Ok(line) => MateVerdict::Mate { moves, line },
                        Err(Interrupted) => MateVerdict::Undecided {
                            no_mate_in: moves - 1,
                        },
                    };
                }
            }
        }
        if most > MAX_MOVES {
            return MateVerdict::Undecided {
                no_mate_in: MAX_MOVES,
            };
        }
        MateVerdict::NoMate
    }

    /// Whether the side to move forces mate in at most so many moves, of which there is at least one.
    pub(super) fn attack(&mut self, position: &Position, moves: u32) -> Result<bool, Interrupted> {
        self.count_node()?;
        if moves == 1 {
            return Ok(mate_in_one(position).is_some());
        }
        let signature = Signature::of(position);
        let known = self.table.get(signature);
        if let Some(answer) = known.answer(moves) {
            return Ok(answer);
        }
        let attacks = Attacks::of(position, known.best(), moves > 2);
        if let Some(mv) = attacks.mate {
            self.table.put_mate(signature, 1, mv);
            return Ok(true);
        }
        for mv in attacks.iter() {
            let mut after = *position;
            after.play_unchecked(mv);
            if self.has_no_defence(&after, mv, moves - 1)? {
                self.table.put_mate(signature, moves, mv);
                return Ok(true);
            }
        }
        self.table.put_no_mate(signature, moves);
        Ok(false)
    }

    /// Whether every reply to a move of the attacker, which did not mate, allows a mate in at most so many more moves.
    fn has_no_defence(
        &mut self,
        position: &Position,
        attack: Move,
        moves: u32,
    ) -> Result<bool, Interrupted> {
        // Most moves are refuted by a reply that has refuted others: the list of all replies is seldom needed.
        let hints = self.answers.hints(attack, moves);
        for hint in hints {
            if is_legal(position, hint) && self.refutes(position, attack, hint, moves)? {
                return Ok(false);
            }
        }
        let replies = replies(position, moves > 1);
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        for reply in replies {
            if !hints.contains(&reply) && self.refutes(position, attack, reply, moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a reply to a move of the attacker leaves no mate in at most so many more moves.
    fn refutes(
        &mut self,
        position: &Position,
        attack: Move,
        reply: Move,
        moves: u32,
    ) -> Result<bool, Interrupted> {
        let mut after = *position;
        after.play_unchecked(reply);
        if self.attack(&after, moves)? {
            return Ok(false);
        }
        self.answers.remember(attack, moves, reply);
        Ok(true)
    }

    /// The line of a mate whose exact distance is known.
    fn line(&mut self, position: &Position, moves: u32) -> Result<Vec<Move>, Interrupted> {
        let mut line = Vec::new();
        let mut position = *position;
        for left in (0..moves).rev() {
            let Some(mv) = self.mating_move(&position, left)? else {
                break;
            };
            position.play_unchecked(mv);
            line.push(mv);
            if let Some(reply) = self.longest_defence(&position, left)? {
                position.play_unchecked(reply);
                line.push(reply);
            }
        }
        debug_assert!(position.is_checkmate());
        Ok(line)
    }

    /// A move after which mate is forced in at most so many more.
    fn mating_move(&mut self, position: &Position, left: u32) -> Result<Option<Move>, Interrupted> {
        if left == 0 {
            return Ok(mate_in_one(position));
        }
        let known = self.table.get(Signature::of(position)).best();
        for mv in Attacks::of(position, known, true).iter() {
            let mut after = *position;
            after.play_unchecked(mv);
            if self.has_no_defence(&after, mv, left)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The reply that holds out for so many moves, which the shortest mate has.
    fn longest_defence(
        &mut self,
        position: &Position,
        moves: u32,
    ) -> Result<Option<Move>, Interrupted> {
        for reply in position.legal_moves() {
            let mut after = *position;
            after.play_unchecked(reply);
            if moves <= 1 || !self.attack(&after, moves - 1)? {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    fn count_node(&mut self) -> Result<(), Interrupted> {
        if self.limit.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Interrupted);
        }
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            let is_late = self.end.is_some_and(|end| Instant::now() >= end);
            let stop = self.limit.stop;
            if is_late || stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Interrupted);
            }
        }
        self.nodes += 1;
        Ok(())
    }
}

/// Whether a move that is no castling is legal, without looking for all that are.
fn is_legal(position: &Position, mv: Move) -> bool {
    position.find_move(mv.role(), mv.from().into(), mv.to(), mv.promotion())
        == MoveMatch::Unique(mv)
}
