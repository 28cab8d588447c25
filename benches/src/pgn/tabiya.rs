//! Our own reader.

use std::hint::black_box;
use std::io;
use std::marker::PhantomData;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{self, Batches, Event, Reader, ReplayBoard, Visitor};

use super::PgnCounts;

/// The size of a batch in bytes.
const BATCH: usize = 1 << 20;

/// Reads the text as a stream, in batches of whole games.
pub(super) fn streamed(text: &[u8], read: fn(&[u8]) -> PgnCounts) -> io::Result<PgnCounts> {
    let mut counts = PgnCounts::default();
    let mut batches = Batches::new(text, BATCH);
    while let Some(batch) = batches.next_batch()? {
        counts += read(&batch.text);
        batches.reuse(batch);
    }
    Ok(counts)
}

pub(super) fn tags(text: &[u8]) -> PgnCounts {
    let mut counts = PgnCounts::default();
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
        match event {
            Event::Tag { name, value } => {
                black_box((name, value));
                counts.tags += 1;
            }
            Event::End(_) => counts.games += 1,
            _ => reader.skip_game(),
        }
    }
    counts
}

pub(super) fn tokens(text: &[u8]) -> PgnCounts {
    let mut counts = PgnCounts::default();
    for event in Reader::new(text) {
        match event {
            Event::Tag { name, value } => {
                black_box((name, value));
                counts.tags += 1;
            }
            Event::Move(token) => {
                black_box(token);
                counts.moves += 1;
            }
            Event::NullMove => counts.moves += 1,
            Event::Nag(glyph) => {
                black_box(glyph);
                counts.glyphs += 1;
            }
            Event::Comment(comment) => {
                black_box(comment);
                counts.comments += 1;
            }
            Event::VariationStart => counts.variations += 1,
            Event::Error(problem) => {
                black_box(problem);
            }
            Event::End(result) => {
                black_box(result);
                counts.games += 1;
                counts.results += u64::from(result.is_some());
            }
            _ => {}
        }
    }
    counts
}

pub(super) fn replay(text: &[u8]) -> PgnCounts {
    play(text, |_: &Position| 0)
}

pub(super) fn keys(text: &[u8]) -> PgnCounts {
    play(text, |board: &Board| black_box(board.key()))
}

/// Counts the moves of main lines and adds up their keys. A game counts up to its first null move.
struct Player<B, K> {
    counts: PgnCounts,
    is_legal: bool,
    key: K,
    board: PhantomData<B>,
}

impl<B: ReplayBoard, K: Fn(&B) -> u64> Visitor<'_> for Player<B, K> {
    type Board = B;
    const VARIATIONS: bool = false;

    #[inline(always)]
    fn play(&mut self, _mv: Move, after: &B, _depth: usize) {
        if self.is_legal {
            self.counts.moves += 1;
            self.counts.keys = self.counts.keys.wrapping_add((self.key)(after));
        }
    }

    fn null_move(&mut self, _after: &B, _depth: usize) {
        self.is_legal = false;
    }
}

/// Plays the main lines. A game ends at its first illegal move.
fn play<B: ReplayBoard>(text: &[u8], key: impl Fn(&B) -> u64) -> PgnCounts {
    let mut reader = Reader::new(text);
    let mut player = Player {
        counts: PgnCounts::default(),
        is_legal: true,
        key,
        board: PhantomData,
    };
    while let Some(game) = pgn::replay(&mut reader, &PieceLetters::ENGLISH, &mut player) {
        let is_legal = std::mem::replace(&mut player.is_legal, true);
        player.counts.games += 1;
        player.counts.legal_games += u64::from(is_legal && game.error.is_none());
    }
    player.counts
}
