//! The accumulators: the first layer, updated incrementally and only when an evaluation is needed.

use std::sync::Arc;

use tabiya_board::{Bitboard, Board, Color, Move, Piece, Role, Square};

use super::file::{Network, View};
use super::kernels::{Chunk, Kernels};

/// The inputs that a move changes: at most two pieces added and two removed, in castling.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    added: [Option<(Piece, Square)>; 2],
    removed: [Option<(Piece, Square)>; 2],
}

impl Changes {
    fn of(board: &Board, mv: Move, next: &Board) -> Self {
        let us = board.turn();
        if mv.is_castling() {
            let [king, rook] = [Role::King, Role::Rook].map(|role| {
                let (before, after) = (board.pieces(us, role), next.pieces(us, role));
                let only = |set: Bitboard| set.first().map(|square| (Piece::new(us, role), square));
                (only(after - before), only(before - after))
            });
            return Self {
                added: [king.0, rook.0],
                removed: [king.1, rook.1],
            };
        }
        let (from, to) = (mv.from(), mv.to());
        let moved = Piece::new(us, mv.promotion().unwrap_or(mv.role()));
        let captured = board.captured(mv).map(|role| {
            let square = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            (Piece::new(!us, role), square)
        });
        Self {
            added: [Some((moved, to)), None],
            removed: [Some((Piece::new(us, mv.role()), from)), captured],
        }
    }
}

/// A position on the line from the root.
#[derive(Clone, Copy, Debug)]
struct Frame {
    changes: Changes,
    /// White's and Black's view of the board.
    views: [View; 2],
    /// Whether White's and Black's accumulators have been computed.
    computed: [bool; 2],
}

/// The last accumulator with a view. When a king changes the view, it is updated instead of computed from scratch.
struct CachedAccumulator {
    pieces: [[Bitboard; 6]; 2],
    values: Vec<Chunk>,
}

/// Evaluates the positions of a search with a network.
pub(in super::super) struct NetworkEvaluator {
    network: Arc<Network>,
    kernels: Kernels,
    frames: Vec<Frame>,
    /// The accumulators of all frames, White's before Black's.
    accumulators: Vec<Chunk>,
    /// By side and view.
    cache: [Vec<CachedAccumulator>; 2],
}

impl std::fmt::Debug for NetworkEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NetworkEvaluator")
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

impl NetworkEvaluator {
    pub(in super::super) fn new(network: Arc<Network>, root: &Board) -> Self {
        let cache = || {
            let empty = || CachedAccumulator {
                pieces: [[Bitboard::EMPTY; 6]; 2],
                values: network.bias.clone(),
            };
            (0..network.views()).map(|_| empty()).collect()
        };
        let mut evaluator = Self {
            cache: [cache(), cache()],
            kernels: Kernels::detect(),
            frames: Vec::with_capacity(256),
            accumulators: Vec::new(),
            network,
        };
        evaluator.reset(root);
        evaluator
    }

    /// Starts a new line from `root`.
    pub(in super::super) fn reset(&mut self, root: &Board) {
        self.frames.clear();
        self.add_frame(Changes::default(), root);
    }

    fn add_frame(&mut self, changes: Changes, board: &Board) {
        let views = Color::ALL.map(|color| self.network.view(color, board.king(color)));
        self.frames.push(Frame {
            changes,
            views,
            computed: [false; 2],
        });
    }

    #[inline]
    pub(in super::super) fn push(&mut self, board: &Board, mv: Move, next: &Board) {
        self.add_frame(Changes::of(board, mv, next), next);
    }

    #[inline]
    pub(in super::super) fn push_null(&mut self) {
        let views = self.frames[self.frames.len() - 1].views;
        self.frames.push(Frame {
            changes: Changes::default(),
            views,
            computed: [false; 2],
        });
    }

    #[inline]
    pub(in super::super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// Returns the output of the network for the side to move.
    pub(in super::super) fn evaluate(&mut self, board: &Board) -> i32 {
        let chunks = self.network.chunks;
        let needed = 2 * chunks * self.frames.len();
        if self.accumulators.len() < needed {
            self.accumulators.resize(needed + 64 * chunks, Chunk::ZERO);
        }
        for color in Color::ALL {
            self.compute(board, color);
        }
        let now = &self.accumulators[needed - 2 * chunks..needed];
        let (white, black) = now.split_at(chunks);
        let (own, other) = match board.turn() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let (own_weights, other_weights, bias) = self.network.output(board.occupied().len());
        let sum = self.kernels.output(own, own_weights) + self.kernels.output(other, other_weights);
        Network::score(sum, bias)
    }

    /// Returns where the accumulator of a side in a frame starts.
    fn start(&self, frame: usize, side: usize) -> usize {
        (2 * frame + side) * self.network.chunks
    }

    /// Computes a side's accumulator for the last frame: from the nearest frame that has one, or from the cache if the
    /// view has changed since.
    fn compute(&mut self, board: &Board, color: Color) {
        let side = color.index();
        let last = self.frames.len() - 1;
        let view = self.frames[last].views[side];
        let mut first = last;
        loop {
            let frame = &self.frames[first];
            if frame.views[side] != view || (first == 0 && !frame.computed[side]) {
                self.refresh(board, color, view);
                return;
            }
            if frame.computed[side] {
                break;
            }
            first -= 1;
        }
        for frame in first + 1..=last {
            self.update(frame, side, view);
        }
    }

    /// Computes an accumulator from that of the frame before.
    fn update(&mut self, frame: usize, side: usize, view: View) {
        let chunks = self.network.chunks;
        let start = self.start(frame, side);
        let (before, after) = self.accumulators.split_at_mut(start);
        let from = &before[start - 2 * chunks..][..chunks];
        let to = &mut after[..chunks];
        let row = |(piece, square): (Piece, Square)| self.network.row(view, piece, square);
        let Changes { added, removed } = self.frames[frame].changes;
        match (
            added.map(|change| change.map(row)),
            removed.map(|change| change.map(row)),
        ) {
            ([Some(add), None], [Some(sub), None]) => self.kernels.add_sub(to, from, add, sub),
            ([Some(add), None], [Some(sub), Some(sub2)]) => {
                self.kernels.add_sub_sub(to, from, add, [sub, sub2]);
            }
            ([Some(add), Some(add2)], [Some(sub), Some(sub2)]) => {
                self.kernels
                    .add_add_sub_sub(to, from, [add, add2], [sub, sub2]);
            }
            // A null move, or castling in which the king or the rook stays.
            (added, removed) => {
                to.copy_from_slice(from);
                for row in added.into_iter().flatten() {
                    self.kernels.add(to, row);
                }
                for row in removed.into_iter().flatten() {
                    self.kernels.sub(to, row);
                }
            }
        }
        self.frames[frame].computed[side] = true;
    }

    /// Computes the accumulator of the last frame from the cached one with the same view.
    fn refresh(&mut self, board: &Board, color: Color, view: View) {
        let side = color.index();
        let cached = &mut self.cache[side][view.index()];
        for piece_color in Color::ALL {
            for role in Role::ALL {
                let before = &mut cached.pieces[piece_color.index()][role.index()];
                let now = board.pieces(piece_color, role);
                let piece = Piece::new(piece_color, role);
                for square in now - *before {
                    let row = self.network.row(view, piece, square);
                    self.kernels.add(&mut cached.values, row);
                }
                for square in *before - now {
                    let row = self.network.row(view, piece, square);
                    self.kernels.sub(&mut cached.values, row);
                }
                *before = now;
            }
        }
        let last = self.frames.len() - 1;
        let start = (2 * last + side) * self.network.chunks;
        self.accumulators[start..][..self.network.chunks].copy_from_slice(&cached.values);
        self.frames[last].computed[side] = true;
    }
}
