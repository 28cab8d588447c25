//! How pieces move, written a second time as simply as possible: step by step, without tables.

use tabiya_board::{Color, Piece, Placement, Rank, Role, Square};

/// The distance from one square to another, as files to the right and ranks up.
pub(crate) fn distance(from: Square, to: Square) -> (i8, i8) {
    (
        to.file().index() as i8 - from.file().index() as i8,
        to.rank().index() as i8 - from.rank().index() as i8,
    )
}

/// The squares between two squares of a rank, file or diagonal, starting at the first one.
pub(crate) fn between(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (files, ranks) = distance(from, to);
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let step = move |square: &Square| square.offset(files.signum(), ranks.signum());
    std::iter::successors(step(&from).filter(|_| is_line && from != to), step)
        .take_while(move |&square| square != to)
}

/// One rank forward, as a number of ranks up.
pub(crate) const fn forward(color: Color) -> i8 {
    if color.is_white() { 1 } else { -1 }
}

/// Whether a piece attacks like this on an empty board.
pub(crate) fn has_attack_shape(piece: Piece, from: Square, to: Square) -> bool {
    let (files, ranks) = distance(from, to);
    let (across, along) = (files.abs(), ranks.abs());
    match piece.role {
        Role::Pawn => across == 1 && ranks == forward(piece.color),
        Role::Knight => across * along == 2,
        Role::Bishop => across == along && across > 0,
        Role::Rook => (across == 0) != (along == 0),
        Role::Queen => from != to && (across == along || across == 0 || along == 0),
        Role::King => across.max(along) == 1,
    }
}

/// Whether the piece on a square attacks another.
pub(crate) fn attacks(pieces: &Placement, by: Square, target: Square) -> bool {
    pieces.piece_at(by).is_some_and(|piece| {
        has_attack_shape(piece, by, target)
            && between(by, target).all(|square| pieces.piece_at(square).is_none())
    })
}

/// Whether the piece on a square can move to another if checks are ignored.
pub(crate) fn reaches(pieces: &Placement, from: Square, to: Square) -> bool {
    let Some(piece) = pieces.piece_at(from) else {
        return false;
    };
    let is_own = |square| pieces.piece_at(square).map(|piece| piece.color) == Some(piece.color);
    let is_empty = |square| pieces.piece_at(square).is_none();
    if piece.role != Role::Pawn {
        return attacks(pieces, from, to) && !is_own(to);
    }
    let ahead = forward(piece.color);
    match distance(from, to) {
        (1 | -1, ranks) if ranks == ahead => !is_empty(to) && !is_own(to),
        (0, ranks) if ranks == ahead => is_empty(to),
        (0, ranks) if ranks == 2 * ahead => {
            from.rank() == piece.color.relative_rank(Rank::Second)
                && is_empty(to)
                && between(from, to).all(is_empty)
        }
        _ => false,
    }
}
