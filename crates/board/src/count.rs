//! Attack maps, and the number of legal moves without generating them.
//!
//! The count is a sum of population counts of target squares. In one direction, no two sliders of a side reach the same
//! square, because the nearer one blocks the farther one: one set for each direction is enough.

use crate::attacks::{self, KING, KNIGHT, NOT_FILE_A, NOT_FILE_H, PAWN, RANK_1, RANK_8, RAYS};
use crate::bitboard::Bitboard;
use crate::castling;
use crate::lanes::{Lanes, Paths};
use crate::position::{CastlingSide, KNIGHTS, PAWNS, Position};
use crate::side::Side;

/// The rare parts of the count, kept out of line so that the rest stays in registers.
pub(crate) trait Rare: Lanes {
    fn evasions<S: Side>(cpu: Self::Cpu, position: Position) -> u32;
    fn en_passant<S: Side>(cpu: Self::Cpu, position: Position) -> u32;
}

/// The number of legal moves of the side to move.
#[inline(always)]
pub(crate) fn count<S: Side, L: Rare>(cpu: L::Cpu, position: &Position) -> u32 {
    let view = AttackInfo::<L>::of::<S>(cpu, position);
    if view.in_check() {
        return L::evasions::<S>(cpu, *position);
    }
    let mut moves = view.king_targets().count_ones() + view.piece_moves::<S>(position, !view.us);
    if position.castling.files(S::COLOR) != 0 {
        for side in CastlingSide::ALL {
            moves += u32::from(view.may_castle::<S>(position, side));
        }
    }
    if position.clock.has_en_passant_file() {
        moves += L::en_passant::<S>(cpu, *position);
    }
    moves
}

/// The number of legal moves of a side in check.
#[inline(always)]
pub(crate) fn count_evasions<S: Side, L: Rare>(cpu: L::Cpu, position: &Position) -> u32 {
    let mut view = AttackInfo::<L>::of::<S>(cpu, position);
    let check = view.check::<S>(position);
    let mut moves = view.king_targets().count_ones();
    if !check.is_double {
        moves += view.piece_moves::<S>(position, check.answers);
        if position.clock.has_en_passant_file() {
            moves += L::en_passant::<S>(cpu, *position);
        }
    }
    moves
}

/// The number of legal captures en passant.
#[inline(always)]
pub(crate) fn count_en_passant<S: Side>(position: &Position) -> u32 {
    let mut captures = 0;
    position.for_each_en_passant::<S>(|_, _| captures += 1);
    captures
}

/// The position as the side to move sees it: attacks, checks and pins.
pub(crate) struct AttackInfo<L: Lanes> {
    cpu: L::Cpu,
    pub(crate) us: u64,
    pub(crate) them: u64,
    king: usize,
    paths: Paths<L>,
    sliders: L,
    /// The squares that enemy sliders attack, one lane for each direction.
    threats: L,
    /// The squares that a queen on the king's square would attack, one lane for each direction.
    king_rays: L,
    /// All squares that the enemy attacks.
    attacked: u64,
    /// The pieces pinned along each axis.
    pub(crate) pins: L,
}

/// A check and the squares that answer it.
pub(crate) struct Check {
    pub(crate) is_double: bool,
    /// The squares that answer a single check: that of the checking piece and those between it and the king.
    pub(crate) answers: u64,
}

impl<L: Lanes> AttackInfo<L> {
    #[inline(always)]
    pub(crate) fn of<S: Side>(cpu: L::Cpu, position: &Position) -> Self {
        let (us, them) = (position.colors[S::US], position.colors[S::THEM]);
        let [pawns, knights, diagonal, straight] = position.movers;
        let king = position.kings[S::US].index();
        let paths = Paths::over(cpu, !(us | them));
        let sliders = L::sliders(cpu, straight, diagonal);
        let threats = paths.attacks(sliders.and(L::splat(cpu, them)));
        let king_rays = paths.attacks(L::splat(cpu, 1 << king));
        // A piece is pinned if an enemy slider reaches it in one direction and the king in the opposite one.
        let pins = threats.and(king_rays.opposite()).and(L::splat(cpu, us));
        let attacked = threats.union_with_jumps(knights & them)
            | attacks::pawns(S::Other::COLOR, Bitboard(pawns & them)).0
            | KING[position.kings[S::THEM].index()];
        Self {
            cpu,
            us,
            them,
            king,
            paths,
            sliders,
            threats,
            king_rays,
            attacked,
            pins: pins.or(pins.opposite()),
        }
    }

    #[inline(always)]
    pub(crate) fn in_check(&self) -> bool {
        self.attacked >> self.king & 1 != 0
    }

    /// Finds the check, and marks the squares behind the king on its lines as attacked.
    #[inline(always)]
    pub(crate) fn check<S: Side>(&mut self, position: &Position) -> Check {
        let [pawns, knights, ..] = position.movers;
        let leapers = (KNIGHT[self.king] & knights | PAWN[S::US][self.king] & pawns) & self.them;
        let mut checkers = leapers.count_ones();
        let mut answers = leapers;
        let (threats, rays) = (self.threats.to_array(), self.king_rays.to_array());
        for direction in 0..8 {
            if threats[direction] >> self.king & 1 != 0 {
                checkers += 1;
                answers |= rays[direction ^ 4];
                self.attacked |= RAYS.0[self.king][direction];
            }
        }
        Check {
            is_double: checkers > 1,
            answers,
        }
    }

    /// The legal targets of the king. In check, call [`check`](Self::check) first.
    #[inline(always)]
    pub(crate) fn king_targets(&self) -> u64 {
        KING[self.king] & !self.us & !self.attacked
    }

    /// Whether the king, which is not in check, may castle.
    #[inline(always)]
    pub(crate) fn may_castle<S: Side>(&self, position: &Position, side: CastlingSide) -> bool {
        let pinned_on_rank = self.pins.axes()[1];
        castling::is_legal::<S>(
            position,
            side,
            self.us | self.them,
            self.attacked,
            pinned_on_rank,
        )
    }

    /// The number of moves of all pieces but the king to these squares, without captures en passant.
    #[inline(always)]
    fn piece_moves<S: Side>(&self, position: &Position, targets: u64) -> u32 {
        let any_pin = self.pins.any_axis();
        // Along each axis, pieces may move that are not pinned or are pinned along that axis.
        let unfree = self.pins.xor(any_pin);
        let sliders = self
            .sliders
            .and(L::splat(self.cpu, self.us))
            .without(unfree);
        let knights = position.movers[KNIGHTS] & self.us & !any_pin.axes()[0];
        let slides = self.paths.attacks(sliders).and(L::splat(self.cpu, targets));
        let pawns = position.movers[PAWNS] & self.us;
        slides.count_with_jumps(knights, targets)
            + self
                .pawn_targets::<S>(pawns, unfree.axes(), targets)
                .count::<S>(pawns)
    }

    /// The targets of pawns among these squares, without captures en passant. `unfree` are the pieces that may not move
    /// along each axis, because they are pinned along another one.
    #[inline(always)]
    pub(crate) fn pawn_targets<S: Side>(
        &self,
        pawns: u64,
        unfree: [u64; 4],
        targets: u64,
    ) -> PawnTargets {
        let empty = !(self.us | self.them);
        let [file, _, rising, falling] = unfree.map(|unfree| pawns & !unfree);
        let (east, west) = if S::WHITE {
            ((rising & NOT_FILE_H) << 9, (falling & NOT_FILE_A) << 7)
        } else {
            ((falling & NOT_FILE_H) >> 7, (rising & NOT_FILE_A) >> 9)
        };
        let single = S::ahead(file) & empty;
        let third_rank = if S::WHITE { RANK_1 << 16 } else { RANK_8 >> 16 };
        let double = S::ahead(single & third_rank) & empty;
        PawnTargets {
            single: single & targets,
            double: double & targets,
            east: east & self.them & targets,
            west: west & self.them & targets,
        }
    }
}

/// The targets of pawns by pushes, double pushes, and captures towards the h-file and the a-file.
pub(crate) struct PawnTargets {
    pub(crate) single: u64,
    pub(crate) double: u64,
    pub(crate) east: u64,
    pub(crate) west: u64,
}

impl PawnTargets {
    /// The number of moves that these pawns make.
    #[inline(always)]
    fn count<S: Side>(&self, pawns: u64) -> u32 {
        let (last_rank, before_last) = if S::WHITE {
            (RANK_8, RANK_8 >> 8)
        } else {
            (RANK_1, RANK_1 << 8)
        };
        // Pushes and captures to one side never end on the same square: one population count for the three.
        let first = self.single | self.double | self.east;
        let mut moves = first.count_ones() + self.west.count_ones();
        if pawns & before_last != 0 {
            moves += 3 * ((first & last_rank).count_ones() + (self.west & last_rank).count_ones());
        }
        moves
    }
}
