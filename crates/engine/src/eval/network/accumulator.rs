//! The accumulators: the first layer, updated incrementally and only when an evaluation is needed.

use std::sync::Arc;

use tabiya_board::{Bitboard, Board, Color, Move, Piece, Role, Square};

use super::file::{Input, Network, View};
use super::hidden::{HiddenLayers, HiddenState};
use super::kernels::{Chunk, Kernels};

/// The inputs that a move changes: at most two pieces added and two removed, in castling.
#[derive(Clone, Copy, Debug)]
struct Changes {
    added: [Input; 2],
    removed: [Input; 2],
}

impl Changes {
    const NONE: Self = Self {
        added: [Input::NONE; 2],
        removed: [Input::NONE; 2],
    };

    fn of(board: &Board, mv: Move, next: &Board) -> Self {
        let us = board.turn();
        if mv.is_castling() {
            let [king, rook] = [Role::King, Role::Rook].map(|role| {
                let (before, after) = (board.pieces(us, role), next.pieces(us, role));
                let input = |square| Input::of(Piece::new(us, role), square);
                let only = |set: Bitboard| set.first().map_or(Input::NONE, input);
                (only(after - before), only(before - after))
            });
            return Self {
                added: [king.0, rook.0],
                removed: [king.1, rook.1],
            };
        }
        let (from, to) = (mv.from(), mv.to());
        let moved = Piece::new(us, mv.promotion().unwrap_or(mv.role()));
        let captured = board.captured(mv).map_or(Input::NONE, |role| {
            let square = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            Input::of(Piece::new(!us, role), square)
        });
        Self {
            added: [Input::of(moved, to), Input::NONE],
            removed: [Input::of(Piece::new(us, mv.role()), from), captured],
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
    hidden_state: HiddenState,
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
        Self::with_kernels(network, root, Kernels::detect())
    }

    pub(super) fn with_kernels(network: Arc<Network>, root: &Board, kernels: Kernels) -> Self {
        let cache = || {
            let empty = || CachedAccumulator {
                pieces: [[Bitboard::EMPTY; 6]; 2],
                values: network.bias.clone(),
            };
            (0..network.views()).map(|_| empty()).collect()
        };
        let mut evaluator = Self {
            cache: [cache(), cache()],
            kernels,
            frames: Vec::with_capacity(256),
            accumulators: Vec::new(),
            hidden_state: HiddenState::new(network.chunks),
            network,
        };
        evaluator.reset(root);
        evaluator
    }

    /// Starts a new line from `root`.
    pub(in super::super) fn reset(&mut self, root: &Board) {
        self.frames.clear();
        let views = Color::ALL.map(|color| self.network.view(color, root.king(color)));
        self.add_frame(Changes::NONE, views);
    }

    #[inline]
    fn add_frame(&mut self, changes: Changes, views: [View; 2]) {
        self.frames.push(Frame {
            changes,
            views,
            computed: [false; 2],
        });
    }

    #[inline]
    pub(in super::super) fn push(&mut self, board: &Board, mv: Move, next: &Board) {
        let mut views = self.frames[self.frames.len() - 1].views;
        // Only the view of a side whose king moves can change.
        if mv.role() == Role::King {
            let us = board.turn();
            views[us.index()] = self.network.view(us, next.king(us));
        }
        self.add_frame(Changes::of(board, mv, next), views);
    }

    #[inline]
    pub(in super::super) fn push_null(&mut self) {
        let views = self.frames[self.frames.len() - 1].views;
        self.add_frame(Changes::NONE, views);
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
        let bucket = self.network.output_bucket(board.occupied().len());
        let (sums, (weights, bias)) = ([own, other], self.network.output(bucket));
        let Some(hidden) = &self.network.hidden else {
            return Network::score(self.kernels.output(sums, weights), bias);
        };
        let (first, later) = hidden.of(bucket);
        let state = &mut self.hidden_state;
        let sum = self.kernels.output_and_hidden(sums, weights, first, state);
        let value = self.kernels.later_layers(&state.sums, later);
        Network::score(sum, bias) + HiddenLayers::score(value)
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
        let row = |input: Input| self.network.row(view, input);
        let Changes { added, removed } = self.frames[frame].changes;
        let ([add, add2], [sub, sub2]) = (added, removed);
        let is_move = add != Input::NONE && sub != Input::NONE;
        match [add2, sub2].map(|input| input != Input::NONE) {
            [false, false] if is_move => self.kernels.add_sub(to, from, row(add), row(sub)),
            [false, true] if is_move => {
                let (sub, sub2) = (row(sub), row(sub2));
                self.kernels.add_sub_sub(to, from, row(add), [sub, sub2]);
            }
            [true, true] if is_move => {
                let (add, sub) = ([row(add), row(add2)], [row(sub), row(sub2)]);
                self.kernels.add_add_sub_sub(to, from, add, sub);
            }
            // A null move, or castling in which the king or the rook stays.
            _ => {
                to.copy_from_slice(from);
                let given = |input: &Input| *input != Input::NONE;
                for input in added.into_iter().filter(given) {
                    self.kernels.add(to, row(input));
                }
                for input in removed.into_iter().filter(given) {
                    self.kernels.sub(to, row(input));
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
                    let row = self.network.row(view, Input::of(piece, square));
                    self.kernels.add(&mut cached.values, row);
                }
                for square in *before - now {
                    let row = self.network.row(view, Input::of(piece, square));
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
