//! The sums of the first layer, kept up to date from move to move, and only where somebody asks for them.

use std::sync::Arc;

use tabiya_board::{Bitboard, Board, Color, Move, Piece, Role, Square};

use super::file::{Network, View};
use super::kernels::{Chunk, Kernels};

/// What a move changes: pieces that come to a square, and pieces that leave one. Two each at most, in castling.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    come: [Option<(Piece, Square)>; 2],
    leave: [Option<(Piece, Square)>; 2],
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
                come: [king.0, rook.0],
                leave: [king.1, rook.1],
            };
        }
        let (from, to) = (mv.from(), mv.to());
        let arriving = Piece::new(us, mv.promotion().unwrap_or(mv.role()));
        let taken = board.captured(mv).map(|role| {
            let square = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            (Piece::new(!us, role), square)
        });
        Self {
            come: [Some((arriving, to)), None],
            leave: [Some((Piece::new(us, mv.role()), from)), taken],
        }
    }
}

/// A position on the way from the root.
#[derive(Clone, Copy, Debug)]
struct Frame {
    changes: Changes,
    /// How White and Black look at the board.
    views: [View; 2],
    /// Whose sums have been computed.
    ready: [bool; 2],
}

/// Sums of a position that a side has seen before with the same view, to begin with when the king has moved.
struct Known {
    pieces: [[Bitboard; 6]; 2],
    sums: Vec<Chunk>,
}

/// Evaluates the positions of a search with a network.
pub(in super::super) struct NetworkEvaluator {
    network: Arc<Network>,
    kernels: Kernels,
    frames: Vec<Frame>,
    /// The sums of every frame, White's first.
    sums: Vec<Chunk>,
    /// By side and view.
    known: [Vec<Known>; 2],
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
        let known = || {
            let empty = || Known {
                pieces: [[Bitboard::EMPTY; 6]; 2],
                sums: network.bias.clone(),
            };
            (0..network.views()).map(|_| empty()).collect()
        };
        let mut evaluator = Self {
            known: [known(), known()],
            kernels: Kernels::detect(),
            frames: Vec::with_capacity(256),
            sums: Vec::new(),
            network,
        };
        evaluator.reset(root);
        evaluator
    }

    /// Starts again from another position.
    pub(in super::super) fn reset(&mut self, root: &Board) {
        self.frames.clear();
        self.add_frame(Changes::default(), root);
    }

    fn add_frame(&mut self, changes: Changes, board: &Board) {
        let views = Color::ALL.map(|color| self.network.view(color, board.king(color)));
        self.frames.push(Frame {
            changes,
            views,
            ready: [false; 2],
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
            ready: [false; 2],
        });
    }

    #[inline]
    pub(in super::super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// What the position is worth to the side to move.
    pub(in super::super) fn evaluate(&mut self, board: &Board) -> i32 {
        let chunks = self.network.chunks;
        let needed = 2 * chunks * self.frames.len();
        if self.sums.len() < needed {
            self.sums.resize(needed + 64 * chunks, Chunk::ZERO);
        }
        for color in Color::ALL {
            self.make_ready(board, color);
        }
        let now = &self.sums[needed - 2 * chunks..needed];
        let (white, black) = now.split_at(chunks);
        let (own, other) = match board.turn() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let (own_weights, other_weights, bias) = self.network.output(board.occupied().len());
        let sum = self.kernels.output(own, own_weights) + self.kernels.output(other, other_weights);
        Network::score(sum, bias)
    }

    /// Where the sums of a side in a frame begin.
    fn start(&self, frame: usize, side: usize) -> usize {
        (2 * frame + side) * self.network.chunks
    }

    /// Computes the sums of a side for the last frame: from the nearest frame that has them, or afresh where the view
    /// has changed since.
    fn make_ready(&mut self, board: &Board, color: Color) {
        let side = color.index();
        let last = self.frames.len() - 1;
        let view = self.frames[last].views[side];
        let mut first = last;
        loop {
            let frame = &self.frames[first];
            if frame.views[side] != view || (first == 0 && !frame.ready[side]) {
                self.refresh(board, color, view);
                return;
            }
            if frame.ready[side] {
                break;
            }
            first -= 1;
        }
        for frame in first + 1..=last {
            self.update(frame, side, view);
        }
    }

    /// Computes the sums of a frame from those of the one before.
    fn update(&mut self, frame: usize, side: usize, view: View) {
        let chunks = self.network.chunks;
        let start = self.start(frame, side);
        let (before, after) = self.sums.split_at_mut(start);
        let from = &before[start - 2 * chunks..][..chunks];
        let to = &mut after[..chunks];
        let row = |(piece, square): (Piece, Square)| self.network.row(view, piece, square);
        let Changes { come, leave } = self.frames[frame].changes;
        match (
            come.map(|change| change.map(row)),
            leave.map(|change| change.map(row)),
        ) {
            ([Some(add), None], [Some(sub), None]) => self.kernels.add_sub(to, from, add, sub),
            ([Some(add), None], [Some(sub), Some(sub2)]) => {
                self.kernels.add_sub_sub(to, from, add, [sub, sub2]);
            }
            ([Some(add), Some(add2)], [Some(sub), Some(sub2)]) => {
                self.kernels
                    .add_add_sub_sub(to, from, [add, add2], [sub, sub2]);
            }
            // A pass, or castling where one of the two stays; rows are few, so simply one after the other.
            (come, leave) => {
                to.copy_from_slice(from);
                for row in come.into_iter().flatten() {
                    self.kernels.add(to, row);
                }
                for row in leave.into_iter().flatten() {
                    self.kernels.sub(to, row);
                }
            }
        }
        self.frames[frame].ready[side] = true;
    }

    /// Computes the sums of the last frame from those of the last position with the same view.
    fn refresh(&mut self, board: &Board, color: Color, view: View) {
        let side = color.index();
        let known = &mut self.known[side][view.index()];
        for piece_color in Color::ALL {
            for role in Role::ALL {
                let before = &mut known.pieces[piece_color.index()][role.index()];
                let now = board.pieces(piece_color, role);
                let piece = Piece::new(piece_color, role);
                for square in now - *before {
                    let row = self.network.row(view, piece, square);
                    self.kernels.add(&mut known.sums, row);
                }
                for square in *before - now {
                    let row = self.network.row(view, piece, square);
                    self.kernels.sub(&mut known.sums, row);
                }
                *before = now;
            }
        }
        let last = self.frames.len() - 1;
        let start = (2 * last + side) * self.network.chunks;
        self.sums[start..][..self.network.chunks].copy_from_slice(&known.sums);
        self.frames[last].ready[side] = true;
    }
}
