//! Generating the legal moves, as a list or in batches by piece.

use core::iter::FusedIterator;
use core::ops::ControlFlow;

use crate::attacks::{self, KNIGHT, NOT_FILE_A, NOT_FILE_H, RANK_1, RANK_8};
use crate::bitboard::{Bitboard, Squares};
use crate::count::{AttackInfo, PawnTargets};
use crate::find_move::{MoveMatch, is_legal_plain};
use crate::lanes::{Lanes, Portable, Slider};
use crate::legal_moves::LegalMoves;
use crate::move_list::MoveList;
use crate::moves::{Move, MoveKind, MovePattern};
use crate::piece::Role;
use crate::position::{CastlingSide, DIAGONAL, KNIGHTS, PAWNS, Position, STRAIGHT};
use crate::side::{Side, by_side};
use crate::square::Square;
use crate::{dispatch, play};

/// A part of the legal moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    Captures,
    CapturesAndPromotions,
    /// Neither captures nor promotions.
    Quiets,
}

/// All legal moves as sets of squares, from which lists and batches are built.
pub(crate) struct Legal {
    pub(crate) king: Square,
    pub(crate) king_targets: u64,
    /// The squares where castling takes the king.
    pub(crate) castles: u64,
    /// The squares where pieces other than the king may go; none in double check.
    targets: u64,
    pinned: u64,
    pawns: PawnTargets,
}

impl Legal {
    #[inline(always)]
    pub(crate) fn of<S: Side, L: Lanes>(cpu: L::Cpu, position: &Position) -> Self {
        let mut view = AttackInfo::<L>::of::<S>(cpu, position);
        let king = position.kings[S::US];
        let mut targets = !view.us;
        let mut castles = 0;
        if view.in_check() {
            let check = view.check::<S>(position);
            targets = if check.is_double { 0 } else { check.answers };
        } else if position.castling.files(S::COLOR) != 0 {
            for side in CastlingSide::ALL {
                if view.may_castle::<S>(position, side) {
                    castles |= 1 << (S::BACK_RANK as usize + side.king_file().index());
                }
            }
        }
        let pins = view.pins.axes();
        let pinned = pins[0] | pins[1] | pins[2] | pins[3];
        let pawns = position.movers[PAWNS] & view.us;
        let unfree = pins.map(|axis| pinned ^ axis);
        Self {
            king,
            king_targets: view.king_targets(),
            castles,
            targets,
            pinned,
            pawns: view.pawn_targets::<S>(pawns, unfree, targets),
        }
    }

    /// Keeps only some of the moves.
    #[inline(always)]
    pub(crate) fn keep<S: Side>(&mut self, position: &Position, selection: Selection) {
        let them = position.colors[S::THEM];
        if selection == Selection::Quiets {
            self.king_targets &= !them;
            self.targets &= !them;
            self.pawns.single &= !LAST_RANKS;
            self.pawns.east = 0;
            self.pawns.west = 0;
            return;
        }
        self.king_targets &= them;
        self.targets &= them;
        self.castles = 0;
        self.pawns.double = 0;
        self.pawns.single &= match selection {
            Selection::CapturesAndPromotions => LAST_RANKS,
            _ => 0,
        };
    }

    /// The legal targets of a knight.
    #[inline(always)]
    pub(crate) fn jumps(&self, from: Square) -> u64 {
        if self.pinned >> from.index() & 1 != 0 {
            0
        } else {
            KNIGHT[from.index()] & self.targets
        }
    }

    /// The legal targets of a slider.
    #[inline(always)]
    pub(crate) fn slides<L: Lanes>(
        &self,
        cpu: L::Cpu,
        position: &Position,
        slider: Slider,
        from: Square,
    ) -> u64 {
        let attacks = L::slider_attacks(cpu, slider, from, position.occupied().0);
        let mut targets = attacks & self.targets;
        if self.pinned >> from.index() & 1 != 0 {
            targets &= attacks::line(self.king, from).0;
        }
        targets
    }

    /// The targets of pawns by single steps, with the distance that they cover. Captures en passant are not among them.
    #[inline(always)]
    fn pawn_steps<S: Side>(&self) -> [(u64, i32); 3] {
        let ahead = pawn_step::<S>();
        [
            (self.pawns.single, ahead),
            (self.pawns.east, ahead + 1),
            (self.pawns.west, ahead - 1),
        ]
    }

    /// Visits all legal pawn moves except captures en passant.
    #[inline(always)]
    pub(crate) fn for_each_pawn_move<S: Side>(
        &self,
        mut visit: impl FnMut(MoveKind, Square, Square),
    ) {
        let mut visit_all = |kind, targets, step| {
            for to in Bitboard(targets) {
                let from = Square::wrapping((to.index() as i32 - step) as u32);
                visit(kind, from, to);
            }
        };
        for (targets, step) in self.pawn_steps::<S>() {
            visit_all(MoveKind::Pawn, targets & !LAST_RANKS, step);
            if targets & LAST_RANKS != 0 {
                for role in Role::PROMOTIONS {
                    visit_all(MoveKind::promotion(role), targets & LAST_RANKS, step);
                }
            }
        }
        visit_all(
            MoveKind::DoublePush,
            self.pawns.double,
            2 * pawn_step::<S>(),
        );
    }
}

/// The ranks where pawns promote. A pawn of either colour reaches only one of them.
const LAST_RANKS: u64 = RANK_1 | RANK_8;

/// The distance of a pawn push.
const fn pawn_step<S: Side>() -> i32 {
    if S::WHITE { 8 } else { -8 }
}

/// Appends all legal moves except captures en passant to a list.
#[inline(always)]
pub(crate) fn list<S: Side, L: Lanes>(
    cpu: L::Cpu,
    position: &Position,
    legal: &Legal,
    list: &mut MoveList,
) {
    let [_, knights, diagonal, straight] = position.movers;
    let own = |set: u64| Bitboard(set & position.colors[S::US]);
    for from in own(knights) {
        let pattern = MovePattern::from(MoveKind::Knight, from);
        L::list_moves::<8>(cpu, list, legal.jumps(from), pattern);
    }
    for from in own(diagonal & !straight) {
        let targets = legal.slides::<L>(cpu, position, Slider::Bishop, from);
        let pattern = MovePattern::from(MoveKind::Bishop, from);
        L::list_moves::<16>(cpu, list, targets, pattern);
    }
    for from in own(straight & !diagonal) {
        let targets = legal.slides::<L>(cpu, position, Slider::Rook, from);
        let pattern = MovePattern::from(MoveKind::Rook, from);
        L::list_moves::<16>(cpu, list, targets, pattern);
    }
    for from in own(diagonal & straight) {
        let targets = legal.slides::<L>(cpu, position, Slider::Queen, from);
        let pattern = MovePattern::from(MoveKind::Queen, from);
        L::list_moves::<32>(cpu, list, targets, pattern);
    }
    let pattern = MovePattern::from(MoveKind::King, legal.king);
    L::list_moves::<8>(cpu, list, legal.king_targets, pattern);
    if legal.castles != 0 {
        let pattern = MovePattern::from(MoveKind::Castling, legal.king);
        L::list_moves::<8>(cpu, list, legal.castles, pattern);
    }
    // No closures here: they would be compiled without the vector instructions.
    for (targets, step) in legal.pawn_steps::<S>() {
        let pattern = MovePattern::by_step(MoveKind::Pawn, step);
        L::list_moves::<8>(cpu, list, targets & !LAST_RANKS, pattern);
        if targets & LAST_RANKS != 0 {
            for role in Role::PROMOTIONS {
                let pattern = MovePattern::by_step(MoveKind::promotion(role), step);
                L::list_moves::<8>(cpu, list, targets & LAST_RANKS, pattern);
            }
        }
    }
    let pattern = MovePattern::by_step(MoveKind::DoublePush, 2 * pawn_step::<S>());
    L::list_moves::<8>(cpu, list, legal.pawns.double, pattern);
}

/// Appends all legal captures en passant to a list.
#[inline(always)]
pub(crate) fn list_en_passant<S: Side>(position: &Position, list: &mut MoveList) {
    if position.clock.has_en_passant_file() {
        position.for_each_en_passant::<S>(|from, to| {
            list.push(Move::new(MoveKind::EnPassant, from, to));
        });
    }
}

/// The legal moves of one piece.
///
/// ```
/// use tabiya_board::{Board, Role, Square};
/// use core::ops::ControlFlow;
///
/// let mut knight_moves = 0;
/// Board::start().for_each_piece_moves(|moves| {
///     if moves.role() == Role::Knight {
///         knight_moves += moves.len();
///     }
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(knight_moves, 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    role: Role,
    from: Square,
    /// Targets of ordinary moves, promotions and double pushes.
    ordinary: Bitboard,
    /// Targets of castling or of captures en passant.
    special: Bitboard,
}

impl PieceMoves {
    /// Returns the role of the piece.
    #[inline]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the square of the piece.
    #[inline]
    pub const fn from(&self) -> Square {
        self.from
    }

    /// Returns the squares where it may go.
    #[inline]
    pub const fn to(&self) -> Bitboard {
        Bitboard(self.ordinary.0 | self.special.0)
    }

    /// Returns the number of moves; each promotion square counts four times.
    #[inline]
    pub const fn len(&self) -> usize {
        self.ordinary.len() + self.special.len() + 3 * self.promotions().len()
    }

    /// Whether there are no moves. Visitors never get such a batch.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.to().is_empty()
    }

    const fn promotions(&self) -> Bitboard {
        match self.role {
            Role::Pawn => Bitboard(self.ordinary.0 & LAST_RANKS),
            _ => Bitboard::EMPTY,
        }
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    fn into_iter(self) -> PieceMovesIter {
        PieceMovesIter {
            promotions: self.promotions(),
            ordinary: self.ordinary.into_iter(),
            special: self.special.into_iter(),
            promoting: None,
            moves: self,
        }
    }
}

/// An iterator over the moves of a [`PieceMoves`].
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    moves: PieceMoves,
    promotions: Bitboard,
    ordinary: Squares,
    special: Squares,
    /// The square of a promotion, and the number of roles already returned.
    promoting: Option<(Square, usize)>,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let PieceMoves { role, from, .. } = self.moves;
        if let Some((to, tried)) = self.promoting.take() {
            if tried + 1 < Role::PROMOTIONS.len() {
                self.promoting = Some((to, tried + 1));
            }
            return Some(Move::new(
                MoveKind::promotion(Role::PROMOTIONS[tried]),
                from,
                to,
            ));
        }
        if let Some(to) = self.ordinary.next() {
            if self.promotions.contains(to) {
                self.promoting = Some((to, 0));
                return self.next();
            }
            let is_double = role == Role::Pawn && from.index().abs_diff(to.index()) == 16;
            let kind = if is_double {
                MoveKind::DoublePush
            } else {
                MoveKind::of(role)
            };
            return Some(Move::new(kind, from, to));
        }
        let kind = match role {
            Role::King => MoveKind::Castling,
            _ => MoveKind::EnPassant,
        };
        self.special.next().map(|to| Move::new(kind, from, to))
    }
}

impl FusedIterator for PieceMovesIter {}

fn batches<S: Side, B>(
    position: &Position,
    legal: &Legal,
    visit: &mut impl FnMut(PieceMoves) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let us = position.colors[S::US];
    let mut hand_out = |role, from, ordinary: u64, special: u64| {
        let moves = PieceMoves {
            role,
            from,
            ordinary: Bitboard(ordinary),
            special: Bitboard(special),
        };
        if moves.is_empty() {
            ControlFlow::Continue(())
        } else {
            visit(moves)
        }
    };
    for from in Bitboard(position.movers[PAWNS] & us) {
        let bit = 1 << from.index();
        let step = S::ahead(bit);
        let arrivals = step & legal.pawns.single
            | S::ahead(step) & legal.pawns.double
            | (step & NOT_FILE_H) << 1 & legal.pawns.east
            | (step & NOT_FILE_A) >> 1 & legal.pawns.west;
        let mut en_passant = 0;
        position.for_each_en_passant::<S>(|pawn, to| {
            if pawn == from {
                en_passant = 1 << to.index();
            }
        });
        hand_out(Role::Pawn, from, arrivals, en_passant)?;
    }
    for from in Bitboard(position.movers[KNIGHTS] & us) {
        hand_out(Role::Knight, from, legal.jumps(from), 0)?;
    }
    for from in Bitboard((position.movers[DIAGONAL] | position.movers[STRAIGHT]) & us) {
        let bit = 1 << from.index();
        let role = position.role_of(bit);
        let targets = match role {
            Role::Bishop => legal.slides::<Portable>((), position, Slider::Bishop, from),
            Role::Rook => legal.slides::<Portable>((), position, Slider::Rook, from),
            _ => legal.slides::<Portable>((), position, Slider::Queen, from),
        };
        hand_out(role, from, targets, 0)?;
    }
    hand_out(Role::King, legal.king, legal.king_targets, legal.castles)
}

impl Position {
    /// Returns the legal moves, in no particular order.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// assert_eq!(Board::start().legal_moves().len(), 20);
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> LegalMoves<'_> {
        LegalMoves::of(self)
    }

    /// Returns the legal captures, en passant included, in no particular order.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// let board: Board = "1n2k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1".parse().unwrap();
    /// assert_eq!(board.legal_captures().len(), 5); // exd6, and axb8 with four choices
    /// assert_eq!(board.legal_captures_and_promotions().len(), 9); // also a8
    /// assert_eq!(board.legal_quiets().len(), board.legal_moves().len() - 9);
    /// ```
    #[inline]
    pub fn legal_captures(&self) -> MoveList {
        self.selected(Selection::Captures)
    }

    /// Returns the legal captures and promotions, in no particular order, as quiescence search needs them.
    #[inline]
    pub fn legal_captures_and_promotions(&self) -> MoveList {
        self.selected(Selection::CapturesAndPromotions)
    }

    /// Appends the legal captures and promotions to a list. To make a list where it will be is faster than to move it
    /// there.
    #[inline]
    pub fn append_captures_and_promotions(&self, moves: &mut MoveList) {
        dispatch::list_selected(self, Selection::CapturesAndPromotions, moves);
    }

    /// Returns the legal moves that are neither captures nor promotions, in no particular order.
    #[inline]
    pub fn legal_quiets(&self) -> MoveList {
        self.selected(Selection::Quiets)
    }

    #[inline]
    fn selected(&self, selection: Selection) -> MoveList {
        let mut moves = MoveList::new();
        dispatch::list_selected(self, selection, &mut moves);
        moves
    }

    /// Returns the number of legal moves, without generating them.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// assert_eq!(Board::start().count_legal(), 20);
    /// ```
    #[inline]
    pub fn count_legal(&self) -> usize {
        // A browser loads the rules over a network, and needs no second generator that only counts.
        if cfg!(tabiya_small) {
            let mut moves = MoveList::new();
            dispatch::list(self, &mut moves);
            moves.len()
        } else {
            dispatch::count(self) as usize
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() != 0
    }

    /// Calls a function with the legal moves of each piece until it returns [`ControlFlow::Break`].
    pub fn for_each_piece_moves<B>(
        &self,
        mut visit: impl FnMut(PieceMoves) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        by_side!(self.turn(), S => batches::<S, B>(self, &dispatch::legal(self), &mut visit))
    }

    /// Calls a function with every legal move and the position after it, like
    /// [`Board::for_each_child`](crate::Board::for_each_child).
    #[inline]
    pub fn for_each_child(&self, mut visit: impl FnMut(Move, &Self)) {
        let legal = dispatch::legal(self);
        by_side!(self.turn(), S => play::for_each_child::<S, _>(self, &legal, &mut visit));
    }

    /// Whether a move is legal here. The move may come from another position.
    ///
    /// ```
    /// use tabiya_board::{Board, Square};
    ///
    /// let board = Board::start();
    /// let e4 = board.legal_move(Square::E2, Square::E4, None).unwrap();
    /// assert!(board.is_legal(e4));
    /// assert!(!board.after(e4).is_legal(e4));
    /// ```
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        if mv.plain_role().is_some() || mv.is_double_push() {
            return by_side!(self.turn(), S => is_legal_plain::<S>(self, mv));
        }
        if let Some(side) = mv.castling_side() {
            return self.legal_castling(side) == Ok(mv);
        }
        self.find_move(Role::Pawn, mv.from().into(), mv.to(), mv.promotion())
            == MoveMatch::Unique(mv)
    }
}
