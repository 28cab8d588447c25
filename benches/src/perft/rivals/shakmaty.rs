//! The `shakmaty` crate.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::Library;
use crate::versions;

/// `shakmaty`, whose positions keep the clocks.
pub struct Shakmaty;

impl Library for Shakmaty {
    const NAME: &str = "shakmaty";

    const VERSION: &str = versions::SHAKMATY;

    type Position = Chess;

    fn parse(fen: &str) -> Result<Chess, String> {
        let setup: Fen = fen
            .parse()
            .map_err(|error: shakmaty::fen::ParseFenError| error.to_string())?;
        setup
            .into_position(CastlingMode::Standard)
            .map_err(|error| error.to_string())
    }

    fn count(position: &Chess) -> u64 {
        position.legal_moves().len() as u64
    }

    fn for_each_child(position: &Chess, mut visit: impl FnMut(&Chess)) {
        for chess_move in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(chess_move);
            visit(&child);
        }
    }

    fn bulk(position: &Chess, depth: usize) -> u64 {
        shakmaty::perft(position, depth as u32)
    }
}
