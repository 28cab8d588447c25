//! The search: an AND/OR tree of attacker and defender moves, with iterative deepening.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, MoveMatch};

use super::mate_in_one::mate_in_one;
use super::order::{AttackerMoves, Refutations, replies};
use super::table::{ProofTable, Signature};
use super::{MAX_MOVES, MateVerdict, ProofLimits};
use crate::clock;

/// A limit ended the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

/// How many nodes are searched between two checks of the time.
const CHECK_INTERVAL: u64 = 1 << 10;

/// The search for one mate.
pub(super) struct ProofSearch<'a> {
    table: &'a mut ProofTable,
    refutations: Refutations,
    limits: ProofLimits<'a>,
    deadline: Option<Duration>,
    nodes: u64,
}

impl<'a> ProofSearch<'a> {
    pub(super) fn new(table: &'a mut ProofTable, limits: &ProofLimits<'a>) -> Self {
        Self {
            table,
            refutations: Refutations::new(),
            limits: *limits,
            // A time beyond what the clock can show is no limit.
            deadline: limits.time.and_then(|time| clock::now().checked_add(time)),
            nodes: 0,
        }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for the shortest mate within `max_moves`, and reports the numbers of moves within which there is none.
    pub(super) fn shortest(
        &mut self,
        position: &Position,
        max_moves: u32,
        report: &mut dyn FnMut(u32),
    ) -> MateVerdict {
        for moves in 1..=max_moves.min(MAX_MOVES) {
            match self.attack(position, moves) {
                Ok(false) => report(moves),
                Err(Interrupted) => {
                    return MateVerdict::Undecided {
                        no_mate_in: moves - 1,
                    };
                }
                Ok(true) => {
                    // The mate is proved: find its line without limits.
                    self.deadline = None;
                    self.limits.nodes = None;
                    return match self.line(position, moves) {
                        Ok(line) => MateVerdict::Mate { moves, line },
                        Err(Interrupted) => MateVerdict::Undecided {
                            no_mate_in: moves - 1,
                        },
                    };
                }
            }
        }
        if max_moves > MAX_MOVES {
            return MateVerdict::Undecided {
                no_mate_in: MAX_MOVES,
            };
        }
        MateVerdict::NoMate
    }

    /// Returns whether the side to move can force mate within `moves` moves, at least one.
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
        let attacks = AttackerMoves::of(position, known.best(), moves > 2);
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

    /// Returns whether every reply to the attacker's move allows a mate within `moves` more moves.
    fn has_no_defence(
        &mut self,
        position: &Position,
        attack: Move,
        moves: u32,
    ) -> Result<bool, Interrupted> {
        // Most moves are refuted by a reply that refuted others, so the list of all replies is seldom needed.
        let hints = self.refutations.hints(attack, moves);
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

    /// Returns whether a reply to the attacker's move prevents a mate within `moves` more moves.
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
        self.refutations.remember(attack, moves, reply);
        Ok(true)
    }

    /// Returns the line of a mate whose exact distance is known.
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

    /// Returns a move that forces mate within `left` more moves.
    fn mating_move(&mut self, position: &Position, left: u32) -> Result<Option<Move>, Interrupted> {
        if left == 0 {
            return Ok(mate_in_one(position));
        }
        let known = self.table.get(Signature::of(position)).best();
        for mv in AttackerMoves::of(position, known, true).iter() {
            let mut after = *position;
            after.play_unchecked(mv);
            if self.has_no_defence(&after, mv, left)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Returns a reply that holds out for `moves` moves, the distance of the shortest mate.
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
        if self.limits.nodes.is_some_and(|max| self.nodes >= max) {
            return Err(Interrupted);
        }
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            let is_late = self
                .deadline
                .is_some_and(|deadline| clock::now() >= deadline);
            let stop = self.limits.stop;
            if is_late || stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Interrupted);
            }
        }
        self.nodes += 1;
        Ok(())
    }
}

/// Returns whether a move other than castling is legal, without generating all moves.
fn is_legal(position: &Position, mv: Move) -> bool {
    position.find_move(mv.role(), mv.from().into(), mv.to(), mv.promotion())
        == MoveMatch::Unique(mv)
}
