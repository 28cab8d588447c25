//! What the threads of a search tell each other besides what is in the table: which moves they are looking at, so that
//! they share the work instead of doing it twice, and how far the fastest of them is, so that nobody stays behind.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tabiya_board::{Board, Move};

use super::root::{RootMove, Stage};
use crate::history::mix;

/// Places for the moves that are being looked at: many more than threads times plies, since a move may push another out
/// of its place.
const PLACES: usize = 1 << 14;

/// Several threads that search the same position.
#[derive(Debug)]
pub(super) struct Team {
    busy: Box<[AtomicU64]>,
    /// The number of the stage below.
    number: AtomicU32,
    /// Where the fastest thread is, and what it has found up to there.
    lead: Mutex<Option<(Stage, Vec<RootMove>)>>,
}

impl Team {
    pub(super) fn new() -> Self {
        Self {
            busy: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
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

    /// Whether a thread is further than this stage.
    pub(super) fn is_past(&self, stage: &Stage) -> bool {
        self.number.load(Ordering::Relaxed) > stage.number
    }

    /// Brings a thread that has come to a stage together with the others: those behind will follow, and if another one
    /// is there already, or further, it takes over what that one has found.
    pub(super) fn meet(&self, stage: &mut Stage, roots: &mut Vec<RootMove>) {
        let mut lead = self.lead.lock().unwrap_or_else(PoisonError::into_inner);
        match &*lead {
            Some((first, found)) if first.number >= stage.number => {
                *stage = *first;
                roots.clone_from(found);
            }
            _ => {
                *lead = Some((*stage, roots.clone()));
                self.number.store(stage.number, Ordering::Relaxed);
            }
        }
    }
}
