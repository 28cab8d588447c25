//! Move ordering of the proof. It changes only the time a proof takes, not its result.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, MoveList};

/// The attacker's moves: checks first, then the moves that leave the fewest replies.
pub(super) struct AttackerMoves {
    /// The sort key and the bits of a move in each number.
    moves: [u32; CAPACITY],
    len: usize,
    /// A move that mates at once.
    pub(super) mate: Option<Move>,
}

/// More moves than any board has.
const CAPACITY: usize = 512;
/// Sorts behind all checks.
const QUIET: u32 = CAPACITY as u32;

impl AttackerMoves {
    /// Generates and sorts the moves. With `count_all` the replies to quiet moves are counted too, which pays only with
    /// more than one move to go.
    pub(super) fn of(position: &Position, first: Option<Move>, count_all: bool) -> Self {
        let mut attacks = Self {
            moves: [0; CAPACITY],
            len: 0,
            mate: None,
        };
        position.for_each_child(|mv, after| {
            let key = if after.is_check() {
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
            let key = if Some(mv) == first { 0 } else { key };
            attacks.moves[attacks.len] = key << 16 | u32::from(mv.to_bits());
            attacks.len += 1;
        });
        attacks.moves[..attacks.len].sort_unstable();
        attacks
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len]
            .iter()
            .map(|&keyed| Move::from_bits(keyed as u16))
    }
}

/// Replies that refuted similar moves: killer moves and countermoves of the defender.
pub(super) struct Refutations {
    /// By the moves to go.
    killers: [[Move; 2]; LEVELS],
    /// By the role and target of the attacker's move, and by the moves to go.
    countermoves: Vec<[Move; LEVELS]>,
}

/// Greater numbers of moves to go are treated alike.
const LEVELS: usize = 8;
/// A move that is legal in no position.
const NO_MOVE: Move = Move::from_bits(0);

impl Refutations {
    pub(super) fn new() -> Self {
        Self {
            killers: [[NO_MOVE; 2]; LEVELS],
            countermoves: vec![[NO_MOVE; LEVELS]; 1 << 10],
        }
    }

    fn level(moves: u32) -> usize {
        (moves as usize).min(LEVELS - 1)
    }

    /// The kind of a move and its target are its upper ten bits.
    fn place(mv: Move) -> usize {
        usize::from(mv.to_bits() >> 6)
    }

    /// Returns up to three different moves to try first.
    pub(super) fn hints(&self, attack: Move, moves: u32) -> [Move; 3] {
        let level = Self::level(moves);
        let countermove = self.countermoves[Self::place(attack)][level];
        let [first, second] =
            self.killers[level].map(|mv| if mv == countermove { NO_MOVE } else { mv });
        [countermove, first, second]
    }

    /// Remembers a refutation, except castling, whose legality takes longer to check.
    pub(super) fn remember(&mut self, attack: Move, moves: u32, reply: Move) {
        if reply.is_castling() {
            return;
        }
        let level = Self::level(moves);
        self.countermoves[Self::place(attack)][level] = reply;
        let killers = &mut self.killers[level];
        if killers[0] != reply {
            *killers = [reply, killers[0]];
        }
    }
}

/// Returns the defender's replies. Sorting them pays only with more than one move of the attacker to go.
pub(super) fn replies(position: &Position, sort: bool) -> MoveList {
    if sort {
        sorted_replies(position)
    } else {
        position.legal_moves().into_list()
    }
}

/// Checks come first, because the attacker has few answers to them, then captures.
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
