//! The table of proved results.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, Role};

/// A 128-bit hash of everything that decides which moves are legal. The chance that two of the millions of positions of
/// a proof collide is less than one in 10²⁰.
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
            // Castling rooks are on the first and the last rank, en passant squares never.
            position.castling_rooks().0 | en_passant,
            turn as u64,
        ] {
            bits ^= u128::from(word);
            // An odd factor makes this a bijection.
            bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            bits ^= bits >> 67;
        }
        Self([bits as u64, (bits >> 64) as u64])
    }
}

/// What is proved about a position with the attacker to move.
#[derive(Clone, Copy, Default)]
pub(super) struct ProofEntry {
    /// There is a mate within this many moves; 0 if none is known.
    pub(super) mate: u8,
    /// There is no mate within this many moves.
    pub(super) no_mate: u8,
    /// The bits of the first move of the mate.
    best: u16,
}

impl ProofEntry {
    pub(super) fn best(self) -> Option<Move> {
        (self.mate != 0).then(|| Move::from_bits(self.best))
    }

    /// Returns whether there is a mate within `moves` moves, if that is known.
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

/// A table of fixed size. It replaces shallow entries before deep ones, and old before new ones.
pub(super) struct ProofTable {
    /// Signature (two words) and result. Plain zeros, so that the system allocates a large table lazily.
    entries: Vec<[u64; 3]>,
}

const ENTRY: usize = size_of::<[u64; 3]>();
/// How many neighbouring entries a position may be in.
const WAYS: usize = 2;

impl ProofTable {
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

    pub(super) fn get(&self, signature: Signature) -> ProofEntry {
        let place = self.place(signature);
        let found = self.entries[place..place + WAYS]
            .iter()
            .find(|entry| entry[..2] == signature.0);
        found.map_or_else(ProofEntry::default, |entry| ProofEntry::unpack(entry[2]))
    }

    /// Stores a mate in `moves` moves that starts with `best`.
    pub(super) fn put_mate(&mut self, signature: Signature, moves: u32, best: Move) {
        let known = self.get(signature);
        if known.mate == 0 || u32::from(known.mate) > moves {
            let known = ProofEntry {
                mate: moves as u8,
                best: best.to_bits(),
                ..known
            };
            self.put(signature, known);
        }
    }

    /// Stores that there is no mate within `moves` moves.
    pub(super) fn put_no_mate(&mut self, signature: Signature, moves: u32) {
        let known = self.get(signature);
        let known = ProofEntry {
            no_mate: known.no_mate.max(moves as u8),
            ..known
        };
        self.put(signature, known);
    }

    fn put(&mut self, signature: Signature, known: ProofEntry) {
        let place = self.place(signature);
        let ways = &mut self.entries[place..place + WAYS];
        let worth = |entry: &[u64; 3]| {
            let known = ProofEntry::unpack(entry[2]);
            known.mate.max(known.no_mate)
        };
        // The first entry keeps the deepest result, the second the latest.
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
