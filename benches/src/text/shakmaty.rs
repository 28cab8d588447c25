//! The `shakmaty` crate.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::{Library, ReadSan, WriteSan};
use crate::versions;

/// `shakmaty`, whose positions keep the clocks.
pub(super) struct Shakmaty;

impl Library for Shakmaty {
    const NAME: &str = "shakmaty";

    const VERSION: &str = versions::SHAKMATY;

    type Position = Chess;

    fn read_fen(fen: &str) -> Option<Chess> {
        let setup = Fen::from_ascii(fen.as_bytes()).ok()?;
        setup.into_position(CastlingMode::Standard).ok()
    }

    fn write_fen(position: &Chess, out: &mut String) {
        // The mode that writes what was read; all three are equally fast.
        Fen::from_position(position, EnPassantMode::PseudoLegal).append_to_string(out);
    }
}

impl ReadSan for Shakmaty {
    fn read_and_play(position: &mut Chess, san: &str) -> bool {
        let Ok(SanPlus { san, .. }) = SanPlus::from_ascii(san.as_bytes()) else {
            return false;
        };
        let found = san.to_move(position);
        if let Ok(chess_move) = found {
            position.play_unchecked(chess_move);
        }
        found.is_ok()
    }
}

impl WriteSan for Shakmaty {
    type Move<'a> = Move;

    fn read_uci(position: &Chess, uci: &str) -> Option<Move> {
        UciMove::from_ascii(uci.as_bytes())
            .ok()?
            .to_move(position)
            .ok()
    }

    fn write_san(position: &Chess, chess_move: Move, out: &mut String) {
        // `SanPlus::from_move_and_play_unchecked` takes four times as long: it generates all moves to
        // detect mate, even without a check.
        let san = San::from_move(position, chess_move);
        let mut child = position.clone();
        child.play_unchecked(chess_move);
        let suffix = if child.checkers().is_empty() {
            None
        } else if child.legal_moves().is_empty() {
            Some(Suffix::Checkmate)
        } else {
            Some(Suffix::Check)
        };
        SanPlus { san, suffix }.append_to_string(out);
    }
}
