//! What has been proved about positions.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, Role};

/// Tells positions apart: 128 bits of all that decides what may be played. That any two of the millions of positions of
/// a proof share one is less likely than one in ten to the twentieth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature([u64; 2]);

impl Signature {
    pub(super) fn of(position: &Position) -> Self {
        let turn = position.turn();
        let en_passant = position
            .en_passant()
            .map_or(0, |square| 1 << square.index());
        let mut bits = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344_u128;
        for word in [
            position.by_color(turn).0,
            position.by_color(!turn).0,
            position.by_role(Role::Pawn).0,
            position.by_role(Role::Knight).0,
            position.diagonal_sliders().0,
            position.orthogonal_sliders().0,
            // The rooks stand on the first and the last rank, the square of a capture en passant on another one.
            position.castling_rooks().0 | en_passant,
            turn as u64,
        ] {
            bits ^= u128::from(word);
            // An odd factor: no two values become one.
            bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            bits ^= bits >> 67;
        }
        Self([bits as u64, (bits >> 64) as u64])
    }
}

/// What is known about a position in which the attacker is to move.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// There is a mate in at most so many moves; 0 if none is known.
    pub(super) mate: u8,
    /// There is none in at most so many.
    pub(super) no_mate: u8,
    /// The bits of the move that mates.
    best: u16,
}

impl Known {
    pub(super) fn best(self) -> Option<Move> {
        (self.mate != 0).then(|| Move::from_bits(self.best))
    }

    /// Whether there is a mate in at most so many moves, if that is known.
    pub(super) fn answer(self, moves: u32) -> Option<bool> {
        if self.mate != 0 && u32::from(self.mate) <= moves {
            Some(true)
        } else if u32::from(self.no_mate) >= moves {
            Some(false)
        } else {
            None
        }
    }

    const fn pack(self) -> u64 {
        self.mate as u64 | (self.no_mate as u64) << 8 | (self.best as u64) << 16
    }

    const fn unpack(bits: u64) -> Self {
        Self {
            mate: bits as u8,
            no_mate: (bits >> 8) as u8,
            best: (bits >> 16) as u16,
        }
    }
}

/// A table of fixed size. It forgets the shallow before the deep, and the old before the new.
pub(super) struct Table {
    /// Plain numbers, so that a large table costs no time where it is not used: signature, signature, knowledge.
    entries: Vec<[u64; 3]>,
}

const ENTRY: usize = size_of::<[u64; 3]>();
/// Entries next to each other in which a position can be.
const WAYS: usize = 2;

impl Table {
    pub(super) fn new(megabytes: usize) -> Self {
        let entries = (megabytes.max(1) << 20) / ENTRY / WAYS;
        Self {
            entries: vec![[0; 3]; entries * WAYS],
        }
    }

    fn place(&self, signature: Signature) -> usize {
        let groups = self.entries.len() / WAYS;
        let group = (u128::from(signature.0[0]) * groups as u128 >> 64) as usize;
        group * WAYS
    }

    pub(super) fn get(&self, signature: Signature) -> Known {
        let place = self.place(signature);
        let found = self.entries[place..place + WAYS]
            .iter()
            .find(|entry| entry[..2] == signature.0);
        found.map_or_else(Known::default, |entry| Known::unpack(entry[2]))
    }

    /// Remembers that there is a mate in so many moves, which starts with this one.
    pub(super) fn put_mate(&mut self, signature: Signature, moves: u32, best: Move) {
        let known = self.get(signature);
        if known.mate == 0 || u32::from(known.mate) > moves {
            let known = Known {
                mate: moves as u8,
                best: best.to_bits(),
                ..known
            };
            self.put(signature, known);
        }
    }

    /// Remembers that there is no mate in so many moves.
    pub(super) fn put_no_mate(&mut self, signature: Signature, moves: u32) {
        let known = self.get(signature);
        let known = Known {
            no_mate: known.no_mate.max(moves as u8),
            ..known
        };
        self.put(signature, known);
    }

    fn put(&mut self, signature: Signature, known: Known) {
        let place = self.place(signature);
        let ways = &mut self.entries[place..place + WAYS];
        let worth = |entry: &[u64; 3]| {
            let known = Known::unpack(entry[2]);
            known.mate.max(known.no_mate)
        };
        // The first way keeps what was dearest to prove, the second one what came last.
        let new = [signature.0[0], signature.0[1], known.pack()];
        let way = if let Some(way) = ways.iter().position(|entry| entry[..2] == signature.0) {
            way
        } else if worth(&new) >= worth(&ways[0]) {
            ways[1] = ways[0];
            0
        } else {
            1
        };
        ways[way] = new;
    }
}
