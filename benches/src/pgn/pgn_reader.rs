//! The `pgn-reader` crate, with `shakmaty` for the rules.
//!
//! Visitors implement only the methods they need. They skip the moves of a game by `Break`, as the crate
//! recommends.

use std::hint::black_box;
use std::io;
use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::PgnCounts;

/// Reads the tags, without the moves.
#[derive(Default)]
struct Tags(PgnCounts);

impl Visitor for Tags {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.0.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        black_box((name, value));
        self.0.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Reads everything.
#[derive(Default)]
struct Tokens(PgnCounts);

impl Visitor for Tokens {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.0.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        black_box((name, value));
        self.0.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        black_box(san);
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), glyph: Nag) -> ControlFlow<()> {
        black_box(glyph);
        self.0.glyphs += 1;
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        black_box(comment);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        black_box(comment);
        self.0.comments += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.0.variations += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        black_box(outcome);
        self.0.results += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// How to play moves and compute keys.
trait Player: Default {
    /// What to keep besides the position.
    type State;

    fn start(position: &Chess) -> Self::State;

    /// Plays a legal move, and returns the key if wanted.
    fn play(state: &mut Self::State, position: &mut Chess, chess_move: Move) -> u64;
}

/// The convention of Polyglot, which our keys follow.
const EN_PASSANT: EnPassantMode = EnPassantMode::PseudoLegal;

/// No keys.
#[derive(Default)]
struct NoKeys;

impl Player for NoKeys {
    type State = ();

    fn start(_: &Chess) {}

    fn play((): &mut (), position: &mut Chess, chess_move: Move) -> u64 {
        position.play_unchecked(chess_move);
        0
    }
}

/// Computes the key of every position.
#[derive(Default)]
struct ComputedKeys;

impl Player for ComputedKeys {
    type State = ();

    fn start(_: &Chess) {}

    fn play((): &mut (), position: &mut Chess, chess_move: Move) -> u64 {
        position.play_unchecked(chess_move);
        let Zobrist64(key) = position.zobrist_hash(EN_PASSANT);
        black_box(key)
    }
}

/// Updates the key if the library can, and computes it otherwise.
#[derive(Default)]
struct UpdatedKeys;

impl Player for UpdatedKeys {
    type State = Zobrist64;

    fn start(position: &Chess) -> Zobrist64 {
        position.zobrist_hash(EN_PASSANT)
    }

    fn play(state: &mut Zobrist64, position: &mut Chess, chess_move: Move) -> u64 {
        let updated = position.update_zobrist_hash(*state, chess_move, EN_PASSANT);
        position.play_unchecked(chess_move);
        *state = updated.unwrap_or_else(|| position.zobrist_hash(EN_PASSANT));
        black_box(state.0)
    }
}

/// Plays the main lines. A game ends at its first illegal move.
#[derive(Default)]
struct Replay<P> {
    counts: PgnCounts,
    _player: P,
}

impl<P: Player> Visitor for Replay<P> {
    type Tags = Option<Chess>;
    type Movetext = (Chess, P::State);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        self.counts.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<()> {
        if name == b"FEN" {
            let Ok(fen) = Fen::from_ascii(&value.decode()) else {
                return ControlFlow::Break(());
            };
            let Ok(position) = fen.into_position(CastlingMode::Chess960) else {
                return ControlFlow::Break(());
            };
            *start = Some(position);
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Self::Movetext> {
        let position = start.unwrap_or_default();
        let state = P::start(&position);
        ControlFlow::Continue((position, state))
    }

    fn san(
        &mut self,
        (position, state): &mut Self::Movetext,
        SanPlus { san, .. }: SanPlus,
    ) -> ControlFlow<()> {
        let Ok(chess_move) = san.to_move(position) else {
            return ControlFlow::Break(());
        };
        let key = P::play(state, position, chess_move);
        self.counts.moves += 1;
        self.counts.keys = self.counts.keys.wrapping_add(key);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (position, _): Self::Movetext) {
        black_box(&position);
        self.counts.legal_games += 1;
    }
}

/// Reads all games with a visitor.
///
/// The reader has its own buffer, and reads from the bytes as from a file.
fn visit(text: &[u8], visitor: &mut impl Visitor) -> io::Result<()> {
    Reader::new(text).visit_all_games(visitor)
}

pub(super) fn tags(text: &[u8]) -> io::Result<PgnCounts> {
    let mut visitor = Tags::default();
    visit(text, &mut visitor)?;
    Ok(visitor.0)
}

pub(super) fn tokens(text: &[u8]) -> io::Result<PgnCounts> {
    let mut visitor = Tokens::default();
    visit(text, &mut visitor)?;
    Ok(visitor.0)
}

fn play<P: Player>(text: &[u8]) -> io::Result<PgnCounts> {
    let mut visitor = Replay::<P>::default();
    visit(text, &mut visitor)?;
    Ok(visitor.counts)
}

pub(super) fn replay(text: &[u8]) -> io::Result<PgnCounts> {
    play::<NoKeys>(text)
}

pub(super) fn keys(text: &[u8]) -> io::Result<PgnCounts> {
    play::<ComputedKeys>(text)
}

pub(super) fn updated_keys(text: &[u8]) -> io::Result<PgnCounts> {
    play::<UpdatedKeys>(text)
}
