//! What programs are told about evaluations and lines.

use serde::Serialize;
use tabiya_board::{Board, Color};
use tabiya_notation::uci::{Bound, SearchInfo};
use tabiya_notation::write_san;
use tabiya_play::format_variation;
use tabiya_review::Eval;

use crate::spelling::uci_line;

/// An evaluation: centipawns, or moves to mate, both negative where Black is better.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Worth {
    Cp(i32),
    Mate(i32),
}

impl From<Eval> for Worth {
    fn from(eval: Eval) -> Self {
        match eval {
            Eval::Centipawns(points) => Self::Cp(points),
            Eval::Mate { winner, moves } => {
                let moves = moves.cast_signed();
                Self::Mate(if winner.is_white() { moves } else { -moves })
            }
        }
    }
}

/// How often White wins, nobody does, and Black does; together 1.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Shares {
    pub(super) white: f64,
    pub(super) draw: f64,
    pub(super) black: f64,
}

impl Shares {
    pub(super) fn of(info: &SearchInfo, turn: Color) -> Self {
        let [win, draw, loss] = info.wdl.unwrap_or_default().map(|share| f64::from(share) / 1000.0);
        let (white, black) = if turn.is_white() {
            (win, loss)
        } else {
            (loss, win)
        };
        Self { white, draw, black }
    }
}

/// What a score says about the real one, seen from White.
pub(super) const fn bound_for_white(info: &SearchInfo, turn: Color) -> Bound {
    match (info.bound, turn) {
        (Bound::Lower, Color::Black) => Bound::Upper,
        (Bound::Upper, Color::Black) => Bound::Lower,
        (bound, _) => bound,
    }
}

/// One of the best lines.
#[derive(Serialize)]
pub(super) struct LineFacts {
    rank: usize,
    depth: u32,
    seldepth: u32,
    eval: Worth,
    /// Where the evaluation is not all there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(flatten)]
    shares: Shares,
    san: Vec<String>,
    uci: Vec<String>,
    line: String,
}

impl LineFacts {
    pub(super) fn of(board: &Board, info: &SearchInfo) -> Self {
        let turn = board.turn();
        let mut now = *board;
        let san = info.pv.iter().map(|&mv| {
            let san = write_san(&now, mv).to_string();
            now.play(mv);
            san
        });
        Self {
            rank: info.multipv,
            depth: info.depth,
            seldepth: info.seldepth,
            eval: Eval::new(info.score, turn).into(),
            bound: match bound_for_white(info, turn) {
                Bound::Exact => None,
                Bound::Lower => Some("at_least"),
                Bound::Upper => Some("at_most"),
            },
            shares: Shares::of(info, turn),
            san: san.collect(),
            uci: uci_line(board, &info.pv),
            line: format_variation(board, &info.pv),
        }
    }
}

pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
