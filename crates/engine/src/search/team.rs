//! What the threads of a search tell each other besides what is in the table: which moves they are looking at, so that
//! they share the work instead of doing it twice; what they have found on the principal variation, where the table is
//! not trusted; and how far the fastest of them is, so that nobody stays behind.

use std::collections::HashMap;
use std::mem::take;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_board::{Board, Move};

use super::node::Node;
use super::root::{RootMove, Stage};
use super::{Shared, Worker};
use crate::history::mix;
use crate::score::INFINITE;
use crate::tt::Bound;

/// Places for the moves that are being looked at: many more than threads times plies, since a move may push another out
/// of its place.
const PLACES: usize = 1 << 14;

/// A node of the principal variation: threads that come to the same one in the same stage search it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spot {
    key: u64,
    ply: usize,
    depth: i32,
    stage: u32,
}

/// What the threads have found at a spot.
#[derive(Debug)]
struct Finding {
    /// The best score so far.
    score: i32,
    variation: Vec<Move>,
    /// What the score says about the real one; none as long as nobody has looked at all the moves.
    bound: Option<Bound>,
}

impl Default for Finding {
    fn default() -> Self {
        Self {
            score: -INFINITE,
            variation: Vec::new(),
            bound: None,
        }
    }
}

impl Finding {
    /// Whether the real score is known to be better than this.
    fn beats(&self, alpha: i32) -> bool {
        self.score > alpha && self.bound != Some(Bound::Upper)
    }
}

/// A spot on the way to the node that a thread is at, and the window there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    spot: Spot,
    alpha: i32,
    beta: i32,
}

/// Several threads that search the same position.
#[derive(Debug)]
pub(super) struct Team {
    busy: Box<[AtomicU64]>,
    /// What has been found at the spots of the stage below.
    findings: Mutex<HashMap<Spot, Finding>>,
    /// How many spots have been settled.
    settled: AtomicU32,
    /// The number of the stage below.
    number: AtomicU32,
    lead: Mutex<Option<Lead>>,
}

/// Where the fastest thread is, and what it has found up to there.
#[derive(Debug)]
struct Lead {
    stage: Stage,
    roots: Vec<RootMove>,
    /// The root moves when the last depth was completed.
    completed: Vec<RootMove>,
}

impl Team {
    pub(super) fn new() -> Self {
        Self {
            busy: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
            findings: Mutex::default(),
            settled: AtomicU32::new(0),
            number: AtomicU32::new(0),
            lead: Mutex::default(),
        }
    }

    /// The place of a move of a position, and what stands there while a thread is looking at it.
    fn place(&self, board: &Board, mv: Move) -> (&AtomicU64, u64) {
        let ticket = mix(board.key(), u64::from(mv.to_bits()));
        (&self.busy[ticket as usize % PLACES], ticket)
    }

    /// Whether a thread is looking at a move.
    pub(super) fn looks_at(&self, board: &Board, mv: Move) -> bool {
        let (place, ticket) = self.place(board, mv);
        place.load(Ordering::Relaxed) == ticket
    }

    /// Tells the others that a thread begins to look at a move.
    pub(super) fn begin(&self, board: &Board, mv: Move) {
        let (place, ticket) = self.place(board, mv);
        place.store(ticket, Ordering::Relaxed);
    }

    /// Tells the others that a thread has looked at a move.
    pub(super) fn end(&self, board: &Board, mv: Move) {
        let (place, ticket) = self.place(board, mv);
        if place.load(Ordering::Relaxed) == ticket {
            place.store(0, Ordering::Relaxed);
        }
    }

    fn findings(&self) -> MutexGuard<'_, HashMap<Spot, Finding>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the others of a score at a spot, better than alpha, and the line that leads to it.
    fn tell(&self, spot: Spot, score: i32, variation: &[Move]) {
        let mut findings = self.findings();
        let finding = findings.entry(spot).or_default();
        if finding.bound.is_none() && score > finding.score {
            finding.score = score;
            finding.variation = variation.to_vec();
        }
    }

    /// Tells the others what comes of all the moves of a spot, and gives it back: a score with its line, which may be
    /// another thread's.
    fn settle(&self, joint: &Joint, score: i32, variation: &mut Vec<Move>) -> i32 {
        let mut findings = self.findings();
        let finding = findings.entry(joint.spot).or_default();
        if finding.bound.is_some() {
            return score;
        }
        if score < finding.score {
            variation.clone_from(&finding.variation);
        } else {
            finding.score = score;
            finding.variation.clone_from(variation);
        }
        finding.bound = Some(Bound::of(finding.score, joint.alpha, joint.beta));
        self.settled.fetch_add(1, Ordering::Relaxed);
        finding.score
    }

    /// The score of a spot, if it is settled as far as a window asks.
    fn answer(&self, joint: &Joint) -> Option<(i32, Vec<Move>)> {
        let findings = self.findings();
        let finding = findings.get(&joint.spot)?;
        let score = finding.score;
        let settled = match finding.bound? {
            Bound::Exact => true,
            Bound::Lower => score >= joint.beta,
            _ => score <= joint.alpha,
        };
        settled.then(|| (score, finding.variation.clone()))
    }

    /// Whether a thread is further than this stage.
    pub(super) fn is_past(&self, stage: &Stage) -> bool {
        self.number.load(Ordering::Relaxed) > stage.number
    }

    /// Brings a thread that has come to a stage together with the others: those behind will follow, and if another one
    /// is there already, or further, it takes over what that one has found.
    pub(super) fn meet(
        &self,
        stage: &mut Stage,
        roots: &mut Vec<RootMove>,
        completed: &mut Vec<RootMove>,
    ) {
        let mut lead = self.lead.lock().unwrap_or_else(PoisonError::into_inner);
        match &*lead {
            Some(first) if first.stage.number >= stage.number => {
                *stage = first.stage;
                roots.clone_from(&first.roots);
                completed.clone_from(&first.completed);
            }
            _ => {
                *lead = Some(Lead {
                    stage: *stage,
                    roots: roots.clone(),
                    completed: completed.clone(),
                });
                self.findings().clear();
                self.number.store(stage.number, Ordering::Relaxed);
            }
        }
    }
}

impl Worker {
    /// Comes to a node of the principal variation, to search it together with the others until it is
    /// [left](Self::leave).
    pub(super) fn join(&mut self, board: &Board, depth: i32, alpha: i32, beta: i32) {
        let spot = Spot {
            key: board.key(),
            ply: self.ply,
            depth,
            stage: self.stage.number,
        };
        self.joints.push(Joint { spot, alpha, beta });
    }

    pub(super) fn leave(&mut self) {
        self.joints.pop();
    }

    /// Searches the moves of a node of the principal variation, unless another thread is done with them sooner.
    pub(super) fn search_together(
        &mut self,
        shared: &Shared,
        team: &Team,
        board: &Board,
        node: &Node,
    ) -> Option<(i32, Option<Move>)> {
        self.join(board, node.depth, node.alpha, node.beta);
        let joint = self.joints[self.joints.len() - 1];
        let mut answer = team.answer(&joint);
        let mut found = None;
        if answer.is_none() {
            found = self.search_moves::<true>(shared, board, node);
            if self.overtaken == Some(self.ply) {
                answer = team.answer(&joint);
                self.stopped = answer.is_none();
                // An answer that is gone has been followed by the next stage.
                self.overtaken = answer.is_none().then_some(0);
            } else if let Some((score, _)) = found {
                let mut variation = take(&mut self.variations[self.ply]);
                answer = Some((team.settle(&joint, score, &mut variation), variation));
            }
        }
        self.leave();
        if let Some((score, variation)) = answer {
            let raised = score > node.alpha;
            found = Some((score, variation.first().copied().filter(|_| raised)));
            self.variations[self.ply] = variation;
        }
        found
    }

    /// The spot of a ply, if threads search it together.
    fn spot(&self, ply: usize) -> Option<Spot> {
        let joint = self.joints.last()?;
        (joint.spot.ply == ply).then_some(joint.spot)
    }

    /// Tells the others about the line of this node.
    pub(super) fn tell_line(&self, shared: &Shared, score: i32) {
        if let Some(team) = &shared.team
            && let Some(spot) = self.spot(self.ply)
        {
            team.tell(spot, score, &self.variations[self.ply]);
        }
    }

    /// What other threads have found at a ply, if it is better than this.
    pub(super) fn better_score(&self, shared: &Shared, ply: usize, alpha: i32) -> Option<i32> {
        let team = shared.team.as_ref()?;
        let spot = self.spot(ply)?;
        let findings = team.findings();
        let finding = findings.get(&spot)?;
        finding.beats(alpha).then_some(finding.score)
    }

    /// Takes over what other threads have found at this node, if it is better than this: the score and, unless the node
    /// was cut off without one, the move.
    pub(super) fn take_better(
        &mut self,
        shared: &Shared,
        alpha: i32,
    ) -> Option<(i32, Option<Move>)> {
        let team = shared.team.as_ref()?;
        let spot = self.spot(self.ply)?;
        let findings = team.findings();
        let finding = findings.get(&spot).filter(|finding| finding.beats(alpha))?;
        self.variations[self.ply].clone_from(&finding.variation);
        Some((finding.score, finding.variation.first().copied()))
    }

    /// The ply nearest to the root that other threads are done with: what is below need not be searched.
    pub(super) fn overtaken_at(&mut self, team: &Team) -> Option<usize> {
        if team.is_past(&self.stage) {
            return Some(0);
        }
        let settled = team.settled.load(Ordering::Relaxed);
        if settled == self.settled {
            return None;
        }
        self.settled = settled;
        let done = self
            .joints
            .iter()
            .find(|joint| team.answer(joint).is_some());
        done.map(|joint| joint.spot.ply)
    }
}
