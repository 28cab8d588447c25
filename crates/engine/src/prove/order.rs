//! Which move to try first. The order changes nothing about what is proved, only how soon.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, MoveList};

/// The attacker's moves, the most promising first: checks, then the moves that leave the fewest replies.
pub(super) struct Attacks {
    /// A rank and the bits of a move in each number.
    moves: [u32; 256],
    len: usize,
    /// A move that mates at once.
    pub(super) mate: Option<Move>,
}

/// Behind all checks.
const QUIET: u32 = 256;

impl Attacks {
    /// The replies to moves that are no checks are counted where it pays: with more than one move to come.
    pub(super) fn of(position: &Position, first: Option<Move>, count_all: bool) -> Self {
        let mut attacks = Self {
            moves: [0; 256],
            len: 0,
            mate: None,
        };
        position.for_each_child(|mv, after| {
            let rank = if after.is_check() {
                let replies = after.count_legal() as u32;
                if replies == 0 {
                    attacks.mate = Some(mv);
                }
                replies
            } else if count_all {
                QUIET + after.count_legal() as u32
            } else {
                QUIET
            };
            let rank = if Some(mv) == first { 0 } else { rank };
            attacks.moves[attacks.len] = rank << 16 | u32::from(mv.to_bits());
            attacks.len += 1;
        });
        attacks.moves[..attacks.len].sort_unstable();
        attacks
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len]
            .iter()
            .map(|&ranked| Move::from_bits(ranked as u16))
    }
}

/// Replies that refuted moves like the one to be refuted now.
pub(super) struct Answers {
    /// By the number of moves to come.
    recent: [[Move; 2]; LEVELS],
    /// By what is answered, its kind and its target, and by the number of moves to come.
    to: Vec<[Move; LEVELS]>,
}

/// From here on, all numbers of moves to come are treated as one.
const LEVELS: usize = 8;
/// A move that is legal nowhere.
const NOTHING: Move = Move::from_bits(0);

impl Answers {
    pub(super) fn new() -> Self {
        Self {
            recent: [[NOTHING; 2]; LEVELS],
            to: vec![[NOTHING; LEVELS]; 1 << 10],
        }
    }

    fn level(moves: u32) -> usize {
        (moves as usize).min(LEVELS - 1)
    }

    /// Kind and target are ten bits of a move.
    fn place(mv: Move) -> usize {
        usize::from(mv.to_bits() >> 6)
    }

    /// What to try first: up to three moves, none of them twice.
    pub(super) fn hints(&self, attack: Move, moves: u32) -> [Move; 3] {
        let level = Self::level(moves);
        let answer = self.to[Self::place(attack)][level];
        let [first, second] = self.recent[level].map(|mv| if mv == answer { NOTHING } else { mv });
        [answer, first, second]
    }

    /// Castling is not remembered: it would take longer to see whether it is legal.
    pub(super) fn remember(&mut self, attack: Move, moves: u32, reply: Move) {
        if reply.is_castling() {
            return;
        }
        let level = Self::level(moves);
        self.to[Self::place(attack)][level] = reply;
        let recent = &mut self.recent[level];
        if recent[0] != reply {
            *recent = [reply, recent[0]];
        }
    }
}

/// The defender's replies. Sorting them pays where more than one move of the attacker is to come.
pub(super) fn replies(position: &Position, sort: bool) -> MoveList {
    if sort {
        sorted_replies(position)
    } else {
        position.legal_moves()
    }
}

/// Checks, to which the attacker has few answers, then captures, then the others.
fn sorted_replies(position: &Position) -> MoveList {
    let enemies = position.by_color(!position.turn());
    let [mut checks, mut captures, mut others] = [const { MoveList::new() }; 3];
    position.for_each_child(|mv, after| {
        if after.is_check() {
            checks.push(mv);
        } else if enemies.contains(mv.to()) {
            captures.push(mv);
        } else {
            others.push(mv);
        }
    });
    for mv in captures.into_iter().chain(others) {
        checks.push(mv);
    }
    checks
}
