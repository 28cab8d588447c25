//! Our own reader.

use std::hint::black_box;
use std::io;

use tabiya_board::{Board, Move, Position};
use tabiya_notation::Dialect;
use tabiya_notation::pgn::{Batches, Event, Reader, decode_tag};

use super::Counts;

/// The size of the pieces into which a stream is cut.
const BATCH: usize = 1 << 20;

/// Reads the text as a stream, which is cut into pieces of whole games.
pub(super) fn streamed(text: &[u8], read: fn(&[u8]) -> Counts) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut batches = Batches::new(text, BATCH);
    while let Some(batch) = batches.next_batch()? {
        counts += read(&batch.text);
        batches.reuse(batch);
    }
    Ok(counts)
}

pub(super) fn tags(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
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

pub(super) fn tokens(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut reader = Reader::new(text);
    while let Some(event) = reader.next() {
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
            Event::VariationEnd => {}
            Event::Error(problem) => {
                black_box(problem);
            }
            Event::End(result) => {
                black_box(result);
                counts.games += 1;
                counts.results += u64::from(result.is_some());
            }
        }
    }
    counts
}

pub(super) fn replay(text: &[u8]) -> Counts {
    play::<Position>(text)
}

pub(super) fn keys(text: &[u8]) -> Counts {
    play::<Board>(text)
}

/// What moves are played on.
trait Player: Copy {
    fn start() -> Self;

    fn from_fen(fen: &str) -> Option<Self>;

    fn position(&self) -> &Position;

    fn play(&mut self, mv: Move);

    /// The key, if it is asked for.
    fn key(&self) -> u64;
}

impl Player for Position {
    fn start() -> Self {
        Self::start()
    }

    fn from_fen(fen: &str) -> Option<Self> {
        fen.parse().ok()
    }

    fn position(&self) -> &Position {
        self
    }

    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn key(&self) -> u64 {
        0
    }
}

impl Player for Board {
    fn start() -> Self {
        Self::start()
    }

    fn from_fen(fen: &str) -> Option<Self> {
        fen.parse().ok()
    }

    fn position(&self) -> &Position {
        self
    }

    fn play(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn key(&self) -> u64 {
        black_box(self.key())
    }
}

/// Plays the main lines. A game ends where a move is not legal.
fn play<P: Player>(text: &[u8]) -> Counts {
    let start = P::start();
    let mut counts = Counts::default();
    let mut reader = Reader::new(text);
    let mut player = start;
    let mut depth = 0;
    let mut is_legal = true;
    while let Some(event) = reader.next() {
        match event {
            Event::Move(token) if depth == 0 => {
                if let Ok(mv) = token.san.to_move(player.position(), Dialect::Import) {
                    player.play(mv);
                    counts.moves += 1;
                    counts.keys = counts.keys.wrapping_add(player.key());
                } else {
                    is_legal = false;
                    reader.skip_game();
                }
            }
            Event::NullMove if depth == 0 => {
                is_legal = false;
                reader.skip_game();
            }
            Event::VariationStart => depth += 1,
            Event::VariationEnd => depth -= 1,
            Event::Tag {
                name: b"FEN",
                value,
            } => {
                if let Some(set_up) = P::from_fen(&decode_tag(value)) {
                    player = set_up;
                } else {
                    is_legal = false;
                    reader.skip_game();
                }
            }
            Event::End(_) => {
                black_box(&player);
                counts.games += 1;
                counts.legal_games += u64::from(is_legal);
                player = start;
                depth = 0;
                is_legal = true;
            }
            _ => {}
        }
    }
    counts
}
