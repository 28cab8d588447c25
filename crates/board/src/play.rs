//! Playing moves: the only place where a position changes.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::en_passant;
use crate::generate::Legal;
use crate::lanes::{Portable, Slider};
use crate::moves::{Move, MoveKind};
use crate::piece::{Color, Piece, Role};
use crate::position::{CastlingRights, CastlingSide, DIAGONAL, KNIGHTS, PAWNS, Position, STRAIGHT};
use crate::side::{Side, by_side};
use crate::square::Square;
use crate::zobrist;

/// A position with or without a key beside it.
pub(crate) trait Playable: Copy {
    fn position(&self) -> &Position;
    fn position_mut(&mut self) -> &mut Position;
    /// Adds a number to the key or removes it. The number is computed only if there is a key.
    fn toggle(&mut self, number: impl FnOnce(&Position) -> u64);
    /// Whether there is a key.
    const HAS_KEY: bool;
    /// The key; 0 if there is none.
    fn key(&self) -> u64;
    /// A position with its key, which is ignored if there is none.
    fn new(position: Position, key: u64) -> Self;
}

impl Playable for Position {
    #[inline(always)]
    fn position(&self) -> &Position {
        self
    }

    #[inline(always)]
    fn position_mut(&mut self) -> &mut Position {
        self
    }

    #[inline(always)]
    fn toggle(&mut self, _: impl FnOnce(&Position) -> u64) {}

    const HAS_KEY: bool = false;

    #[inline(always)]
    fn key(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn new(position: Position, _: u64) -> Self {
        position
    }
}

const PAWN: usize = Role::Pawn as usize;
const KNIGHT: usize = Role::Knight as usize;
const BISHOP: usize = Role::Bishop as usize;
const ROOK: usize = Role::Rook as usize;
const QUEEN: usize = Role::Queen as usize;
const KING: usize = Role::King as usize;

/// Plays a legal move of the side to move.
///
/// Not inlined: the compiler would carry all fields through all branches in registers, and spill them.
#[inline(never)]
pub(crate) fn play<T: Playable>(board: &mut T, mv: Move) {
    by_side!(board.position().turn(), S => play_as::<S, T>(board, mv));
}

/// The board after a legal move of the side to move. Inlined: in a loop over a list, much of it is done once.
#[inline(always)]
pub(crate) fn after<T: Playable>(board: &T, mv: Move) -> T {
    after_passing(board, &passing(board), mv)
}

/// The board as it is when its side to move has passed its turn. All moves begin like this.
#[inline(always)]
pub(crate) fn passing<T: Playable>(board: &T) -> T {
    let mut passed = *board;
    pass_turn(&mut passed);
    passed
}

/// The board after a legal move, given the board after [`passing`].
#[inline(always)]
pub(crate) fn after_passing<T: Playable>(board: &T, passed: &T, mv: Move) -> T {
    let (from, to) = (mv.from(), mv.to());
    match mv.plain_role() {
        Some(KING) => by_side!(board.position().turn(), S => {
            after_plain::<S, T, true>(passed, KING, from, to)
        }),
        Some(role) => by_side!(board.position().turn(), S => {
            after_plain::<S, T, false>(passed, role, from, to)
        }),
        None if mv.is_double_push() => by_side!(board.position().turn(), S => {
            let mut next = after_plain::<S, T, false>(passed, PAWN, from, to);
            allow_en_passant::<S, T>(&mut next, from);
            next
        }),
        None => {
            let mut next = *board;
            play(&mut next, mv);
            next
        }
    }
}

/// The sets of [`Position::movers`] that contain pieces of a role.
static IN_MOVERS: [[u64; 4]; 6] = [
    [!0, 0, 0, 0],
    [0, !0, 0, 0],
    [0, 0, !0, 0],
    [0, 0, 0, !0],
    [0, 0, !0, !0],
    [0, 0, 0, 0],
];

/// The board after a plain move or capture, given the board after [`passing`]: no castling, no double push, no capture
/// en passant, no promotion.
///
/// In a list, moves of different pieces follow each other, and the processor cannot predict which comes next. So the
/// same arithmetic serves all of them. It reads the old board and writes the new one, without a copy between.
#[inline(always)]
fn after_plain<S: Side, T: Playable, const BY_KING: bool>(
    passed: &T,
    role: usize,
    from: Square,
    to: Square,
) -> T {
    let position = passed.position();
    let end = 1_u64 << to.index();
    let both = 1_u64 << from.index() | end;
    let keys = &zobrist::PIECES[S::US][role];
    let mut key = passed.key() ^ keys[from.index()] ^ keys[to.index()];
    let mut clock = position.clock;
    let is_capture = position.colors[S::THEM] & end != 0;
    if T::HAS_KEY && is_capture {
        key ^= zobrist::PIECES[S::THEM][captured_role(position, to)][to.index()];
    }
    if is_capture || role == PAWN {
        clock.reset();
    }
    let mut kings = position.kings;
    let mut ended = CastlingRights::of(both);
    if BY_KING {
        ended |= CastlingRights::all::<S>();
        kings[S::US] = to;
    }
    let lost = CastlingRights(position.castling.0 & ended);
    if T::HAS_KEY && lost.0 != 0 {
        key ^= lost_rights_key(position.kings, lost);
    }
    let mut movers = position.movers;
    for (set, is_in) in movers.iter_mut().zip(IN_MOVERS[role]) {
        *set = *set & !end ^ both & is_in;
    }
    let mut colors = position.colors;
    colors[S::US] ^= both;
    colors[S::THEM] &= !end;
    let next = Position {
        movers,
        colors,
        kings,
        castling: CastlingRights(position.castling.0 ^ lost.0),
        clock,
        ply: position.ply,
    };
    T::new(next, key)
}

/// The key of castling rights that a move ends.
#[cold]
#[inline(never)]
fn lost_rights_key(kings: [Square; 2], lost: CastlingRights) -> u64 {
    Color::ALL
        .into_iter()
        .zip(kings)
        .fold(0, |key, (color, king)| {
            key ^ castling_key(color, lost, king)
        })
}

/// Plays a legal move of a side known at compile time.
#[inline(always)]
pub(crate) fn play_as<S: Side, T: Playable>(board: &mut T, mv: Move) {
    pass_turn(board);
    let (from, to) = (mv.from(), mv.to());
    match mv.kind() {
        MoveKind::Pawn => relocate::<S, T, PAWN>(board, from, to),
        MoveKind::Knight => relocate::<S, T, KNIGHT>(board, from, to),
        MoveKind::Bishop => relocate::<S, T, BISHOP>(board, from, to),
        MoveKind::Rook => relocate::<S, T, ROOK>(board, from, to),
        MoveKind::Queen => relocate::<S, T, QUEEN>(board, from, to),
        MoveKind::King => relocate::<S, T, KING>(board, from, to),
        MoveKind::DoublePush => double_step::<S, T>(board, from, to),
        MoveKind::EnPassant => capture_en_passant::<S, T>(board, from, to),
        MoveKind::Castling => castle::<S, T>(board, from, to),
        MoveKind::ToKnight => promote::<S, T, KNIGHT>(board, from, to),
        MoveKind::ToBishop => promote::<S, T, BISHOP>(board, from, to),
        MoveKind::ToRook => promote::<S, T, ROOK>(board, from, to),
        MoveKind::ToQueen => promote::<S, T, QUEEN>(board, from, to),
    }
}

/// The board after a null move, or `None` in check.
pub(crate) fn null_move<T: Playable>(board: &T) -> Option<T> {
    if board.position().is_check() {
        return None;
    }
    let mut next = *board;
    pass_turn(&mut next);
    Some(next)
}

/// Visits every legal move and the board after it. The work that all moves of a piece share is done once.
#[inline(always)]
pub(crate) fn for_each_child<S: Side, T: Playable>(
    parent: &T,
    legal: &Legal,
    visit: &mut impl FnMut(Move, &T),
) {
    let passed = passing(parent);
    let position = parent.position();
    let [_, knights, diagonal, straight] = position.movers;
    let own = |set: u64| Bitboard(set & position.colors[S::US]);
    let slides = |slider, from| legal.slides::<Portable>((), position, slider, from);
    for from in own(knights) {
        spread::<S, T, KNIGHT>(&passed, from, legal.jumps(from), visit);
    }
    for from in own(diagonal & !straight) {
        spread::<S, T, BISHOP>(&passed, from, slides(Slider::Bishop, from), visit);
    }
    for from in own(straight & !diagonal) {
        spread::<S, T, ROOK>(&passed, from, slides(Slider::Rook, from), visit);
    }
    for from in own(diagonal & straight) {
        spread::<S, T, QUEEN>(&passed, from, slides(Slider::Queen, from), visit);
    }
    spread::<S, T, KING>(&passed, legal.king, legal.king_targets, visit);
    legal.for_each_pawn_move::<S>(|kind, from, to| {
        let mut child = passed;
        match kind {
            MoveKind::DoublePush => double_step::<S, T>(&mut child, from, to),
            MoveKind::ToKnight => promote::<S, T, KNIGHT>(&mut child, from, to),
            MoveKind::ToBishop => promote::<S, T, BISHOP>(&mut child, from, to),
            MoveKind::ToRook => promote::<S, T, ROOK>(&mut child, from, to),
            MoveKind::ToQueen => promote::<S, T, QUEEN>(&mut child, from, to),
            _ => relocate::<S, T, PAWN>(&mut child, from, to),
        }
        visit(Move::new(kind, from, to), &child);
    });
    for to in Bitboard(legal.castles) {
        let mut child = passed;
        castle::<S, T>(&mut child, legal.king, to);
        visit(Move::new(MoveKind::Castling, legal.king, to), &child);
    }
    position.for_each_en_passant::<S>(|from, to| {
        let mut child = passed;
        capture_en_passant::<S, T>(&mut child, from, to);
        visit(Move::new(MoveKind::EnPassant, from, to), &child);
    });
}

/// Moves one piece to each of its targets.
#[inline(always)]
fn spread<S: Side, T: Playable, const ROLE: usize>(
    passed: &T,
    from: Square,
    targets: u64,
    visit: &mut impl FnMut(Move, &T),
) {
    let kind = const { MoveKind::of(Role::ALL[ROLE]) };
    let them = passed.position().colors[S::THEM];
    let mut lifted = *passed;
    lift::<S, T, ROLE>(&mut lifted, from);
    for to in Bitboard(targets & !them) {
        let mut child = lifted;
        set_down::<S, T, ROLE>(&mut child, to);
        visit(Move::new(kind, from, to), &child);
    }
    for to in Bitboard(targets & them) {
        let mut child = lifted;
        capture::<S, T>(&mut child, to);
        set_down::<S, T, ROLE>(&mut child, to);
        visit(Move::new(kind, from, to), &child);
    }
}

/// What every move does: it ends the turn and the right to capture en passant.
#[inline(always)]
pub(crate) fn pass_turn<T: Playable>(board: &mut T) {
    board.toggle(|position| zobrist::WHITE_TO_MOVE ^ zobrist::en_passant_file(position.clock));
    let position = board.position_mut();
    position.clock.tick();
    // After 32,768 moves the number starts again, still with the right side to move.
    position.ply = position.ply.wrapping_add(1);
}

/// An ordinary move or capture of a piece of a known role.
#[inline(always)]
fn relocate<S: Side, T: Playable, const ROLE: usize>(board: &mut T, from: Square, to: Square) {
    lift::<S, T, ROLE>(board, from);
    if board.position().colors[S::THEM] >> to.index() & 1 != 0 {
        capture::<S, T>(board, to);
    }
    set_down::<S, T, ROLE>(board, to);
}

/// Lifts a piece of the side to move off the board.
#[inline(always)]
fn lift<S: Side, T: Playable, const ROLE: usize>(board: &mut T, from: Square) {
    match ROLE {
        PAWN => board.position_mut().clock.reset(),
        ROOK => forfeit::<S, T>(board, CastlingRights::of(1 << from.index())),
        // The king's square decides on which side a rook is, so remove the rights before the king moves.
        KING => forfeit::<S, T>(board, CastlingRights::all::<S>()),
        _ => {}
    }
    switch::<T, ROLE>(board, S::US, from);
}

#[inline(always)]
fn set_down<S: Side, T: Playable, const ROLE: usize>(board: &mut T, to: Square) {
    switch::<T, ROLE>(board, S::US, to);
    if ROLE == KING {
        board.position_mut().kings[S::US] = to;
    }
}

/// Captures the enemy piece on a square.
#[inline(always)]
fn capture<S: Side, T: Playable>(board: &mut T, square: Square) {
    let bit = 1 << square.index();
    board.toggle(|position| {
        zobrist::PIECES[S::THEM][captured_role(position, square)][square.index()]
    });
    let position = board.position_mut();
    position.colors[S::THEM] ^= bit;
    for set in &mut position.movers {
        *set &= !bit;
    }
    position.clock.reset();
    forfeit::<S::Other, T>(board, CastlingRights::of(bit));
}

/// The index of the role of a piece that is not a king. Arithmetic replaces branches that the processor could not
/// predict.
#[inline(always)]
fn captured_role(position: &Position, square: Square) -> usize {
    let [_, knight, diagonal, straight] = position
        .movers
        .map(|set| (set >> square.index() & 1) as usize);
    KNIGHT * knight + BISHOP * diagonal + ROOK * straight
        - (BISHOP + ROOK - QUEEN) * (diagonal & straight)
}

/// Puts a piece on a square, or removes it if it is there.
#[inline(always)]
fn switch<T: Playable, const ROLE: usize>(board: &mut T, color: usize, square: Square) {
    let bit = 1 << square.index();
    let position = board.position_mut();
    position.colors[color] ^= bit;
    match ROLE {
        PAWN => position.movers[PAWNS] ^= bit,
        KNIGHT => position.movers[KNIGHTS] ^= bit,
        BISHOP => position.movers[DIAGONAL] ^= bit,
        ROOK => position.movers[STRAIGHT] ^= bit,
        QUEEN => {
            position.movers[DIAGONAL] ^= bit;
            position.movers[STRAIGHT] ^= bit;
        }
        _ => {}
    }
    board.toggle(|_| zobrist::PIECES[color][ROLE][square.index()]);
}

#[inline(always)]
fn double_step<S: Side, T: Playable>(board: &mut T, from: Square, to: Square) {
    lift::<S, T, PAWN>(board, from);
    set_down::<S, T, PAWN>(board, to);
    allow_en_passant::<S, T>(board, from);
}

/// Notes the square that a pawn has passed over, if an enemy pawn attacks it.
#[inline(always)]
fn allow_en_passant<S: Side, T: Playable>(board: &mut T, from: Square) {
    let position = board.position_mut();
    let passed = Square::wrapping(S::ahead(1 << from.index()).trailing_zeros());
    let ready =
        attacks::PAWN[S::US][passed.index()] & position.movers[PAWNS] & position.colors[S::THEM];
    if ready != 0 {
        position.clock.set_en_passant_file(passed.file());
        board.toggle(|_| zobrist::en_passant(passed.file()));
    }
}

#[inline(always)]
fn capture_en_passant<S: Side, T: Playable>(board: &mut T, from: Square, to: Square) {
    lift::<S, T, PAWN>(board, from);
    set_down::<S, T, PAWN>(board, to);
    switch::<T, PAWN>(board, S::THEM, en_passant::victim(from, to));
}

#[inline(always)]
fn promote<S: Side, T: Playable, const ROLE: usize>(board: &mut T, from: Square, to: Square) {
    lift::<S, T, PAWN>(board, from);
    if board.position().colors[S::THEM] >> to.index() & 1 != 0 {
        capture::<S, T>(board, to);
    }
    set_down::<S, T, ROLE>(board, to);
}

/// Castles: the king moves to the square of the move, the rook to the other side of it.
fn castle<S: Side, T: Playable>(board: &mut T, king: Square, to: Square) {
    let side = if to.file() == CastlingSide::KingSide.king_file() {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    let rook = board.position().castling.rook(S::COLOR, king, side);
    let rook = Square::wrapping(u32::from(rook).trailing_zeros() + S::BACK_RANK);
    let rook_to = Square::new(side.rook_file(), to.rank());
    // In Chess960 the four squares may overlap: both pieces leave the board before either is set down.
    lift::<S, T, KING>(board, king);
    lift::<S, T, ROOK>(board, rook);
    set_down::<S, T, KING>(board, to);
    set_down::<S, T, ROOK>(board, rook_to);
}

/// Removes castling rights of a side.
#[inline(always)]
fn forfeit<S: Side, T: Playable>(board: &mut T, rights: u16) {
    let lost = CastlingRights(board.position().castling.0 & rights);
    if lost.0 != 0 {
        board.toggle(|position| castling_key(S::COLOR, lost, position.kings[S::US]));
        board.position_mut().castling.0 ^= lost.0;
    }
}

/// The key of castling rights of a side.
#[inline]
fn castling_key(color: Color, rights: CastlingRights, king: Square) -> u64 {
    CastlingSide::ALL.into_iter().fold(0, |key, side| {
        let mask = u64::from(rights.rook(color, king, side) != 0).wrapping_neg();
        key ^ zobrist::castling(color, side) & mask
    })
}

/// The Zobrist key of a position, computed from scratch.
pub(crate) fn key_of(position: &Position) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        key ^= castling_key(color, position.castling, position.king(color));
        for role in Role::ALL {
            for square in position.pieces(color, role) {
                key ^= zobrist::piece(Piece::new(color, role), square);
            }
        }
    }
    if let Some(square) = position.en_passant() {
        key ^= zobrist::en_passant(square.file());
    }
    if position.turn() == Color::White {
        key ^= zobrist::WHITE_TO_MOVE;
    }
    key
}
