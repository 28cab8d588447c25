//! Random games played in parallel with another library.

use std::fmt::Debug;

use tabiya_board::{Board, Move, Role, Square};

use super::{Census, Player, Rng, sorted};

/// A move in terms that every library has; castling is the king's move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Plain {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    pub(crate) is_castle: bool,
}

impl From<Move> for Plain {
    fn from(mv: Move) -> Self {
        Self {
            from: mv.from(),
            to: mv.to(),
            promotion: mv.promotion(),
            is_castle: mv.is_castling(),
        }
    }
}

/// A position of another library.
pub(crate) trait Other: Clone {
    type Move: Copy;

    /// Its legal moves.
    fn moves(&self) -> Vec<(Plain, Self::Move)>;

    /// Plays one of them.
    fn play(&mut self, mv: Self::Move);

    /// Panics if the positions differ.
    fn compare(&self, board: &Board);

    /// Panics if the libraries disagree on slower questions about the position.
    fn compare_more(&self, board: &Board);
}

/// Compares all moves of a board and all positions after them, plays one of them on both boards, and repeats.
pub(crate) fn play_along<O: Other>(
    rng: &mut Rng,
    mut board: Board,
    mut other: O,
    plies: usize,
    seen: &mut Census,
) {
    let players = [Player::random(rng), Player::random(rng)];
    other.compare(&board);
    for _ in 0..plies {
        other.compare_more(&board);
        let moves = board.legal_moves();
        seen.count(&board, &moves);
        let ours = sorted(moves.iter().map(|&mv| (Plain::from(mv), mv)));
        let mut theirs = other.moves();
        theirs.sort_unstable_by_key(|&(plain, _)| plain);
        let spelled = |moves: &[Plain]| -> String {
            moves
                .iter()
                .map(|&mv| spell(mv))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (our_plain, their_plain): (Vec<Plain>, Vec<Plain>) = (
            ours.iter().map(|&(plain, _)| plain).collect(),
            theirs.iter().map(|&(plain, _)| plain).collect(),
        );
        assert!(
            our_plain == their_plain,
            "{board}\nours:   {}\ntheirs: {}",
            spelled(&our_plain),
            spelled(&their_plain)
        );

        let chosen = players[board.turn().index()].choose(rng, &board, &moves);
        let mut next = None;
        for (&(_, mv), &(_, their_move)) in ours.iter().zip(&theirs) {
            let after = board.after_unchecked(mv);
            let mut other_after = other.clone();
            other_after.play(their_move);
            other_after.compare(&after);
            if Some(mv) == chosen {
                next = Some((after, other_after));
            }
        }
        let Some(next) = next else {
            break;
        };
        (board, other) = next;
    }
}

fn spell(mv: Plain) -> String {
    let promotion = mv.promotion.map(Role::char);
    let castle = if mv.is_castle { "(castling)" } else { "" };
    format!(
        "{}{}{castle}{}",
        mv.from,
        mv.to,
        promotion.map_or(String::new(), String::from)
    )
}
