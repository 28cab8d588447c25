//! Analyses as JSON, for other programs.

use serde::Serialize;
use tabiya_board::{Board, Color, GameHistory};
use tabiya_display::variation::{format_variation, san_moves, uci_moves};
use tabiya_motif::Motif;
use tabiya_notation::pgn::Game;
use tabiya_notation::uci::{self, Bound, SearchInfo};
use tabiya_notation::{Epd, GameResult, opening_of_game};

use crate::eval::{Eval, bound_for_white};
use crate::judgement::Judgement;
use crate::position::{PositionAnalysis, explain_line};
use crate::review::{Review, ReviewedMove};

/// An evaluation in centipawns or moves to mate, negative if Black is better.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
enum EvalJson {
    Cp(i32),
    Mate(i32),
}

impl From<Eval> for EvalJson {
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

/// The expected shares of White wins, draws and Black wins. They add up to 1.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct WinDrawLoss {
    pub(crate) white: f64,
    pub(crate) draw: f64,
    pub(crate) black: f64,
}

impl WinDrawLoss {
    pub(crate) fn of(info: &SearchInfo, turn: Color) -> Self {
        let [win, draw, loss] = info
            .wdl
            .unwrap_or_default()
            .map(|share| f64::from(share) / 1000.0);
        let (white, black) = if turn.is_white() {
            (win, loss)
        } else {
            (loss, win)
        };
        Self { white, draw, black }
    }
}

/// One of the best lines.
#[derive(Serialize, Clone, Debug)]
struct LineJson {
    rank: usize,
    depth: u32,
    seldepth: u32,
    eval: EvalJson,
    /// Whether the true evaluation may be higher or lower.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(flatten)]
    chances: WinDrawLoss,
    san: Vec<String>,
    uci: Vec<String>,
    line: String,
    /// Why the first move is good, in words: `forks king and rook`.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    motifs: Vec<MotifJson>,
}

/// What a move does, and the squares concerned.
#[derive(Serialize, Clone, Debug)]
struct MotifJson {
    name: &'static str,
    squares: Vec<String>,
}

impl MotifJson {
    fn of(motif: &Motif) -> Self {
        let squares = motif.squares().into_iter();
        Self {
            name: motif.name(),
            squares: squares.map(|square| square.to_string()).collect(),
        }
    }
}

impl LineJson {
    fn of(board: &Board, info: &SearchInfo) -> Self {
        let turn = board.turn();
        let explanation = explain_line(board, info);
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
            chances: WinDrawLoss::of(info, turn),
            san: san_moves(board, &info.pv),
            uci: uci_moves(board, &info.pv),
            line: format_variation(board, &info.pv),
            why: explanation.words(),
            motifs: explanation
                .chosen()
                .into_iter()
                .map(MotifJson::of)
                .collect(),
        }
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The review of a game.
#[derive(Serialize, Clone, Debug)]
pub struct GameJson {
    game: usize,
    players: PlayersJson,
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningJson>,
    white: SideJson,
    black: SideJson,
    start: StartJson,
    moves: Vec<MoveJson>,
}

#[derive(Serialize, Clone, Debug)]
struct PlayersJson {
    white: Option<String>,
    black: Option<String>,
}

#[derive(Serialize, Clone, Debug)]
struct OpeningJson {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize, Clone, Debug)]
struct SideJson {
    moves: usize,
    accuracy: Option<f64>,
    centipawn_loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize, Clone, Debug)]
struct StartJson {
    fen: String,
    eval: EvalJson,
    /// White's winning chances, 0 to 100.
    win_percent: f64,
}

#[derive(Serialize, Clone, Debug)]
struct MoveJson {
    number: u16,
    color: &'static str,
    san: String,
    uci: Option<String>,
    /// The evaluation after the move.
    eval: EvalJson,
    win_percent: f64,
    accuracy: Option<f64>,
    judgement: Option<&'static str>,
    /// Why the move is bad, in words: `hangs the queen on d5`.
    reason: Option<String>,
    comment: Option<String>,
    best: Option<String>,
    best_line: String,
    depth: u32,
}

impl GameJson {
    /// Collects the review of the game with this number in its file.
    pub fn of(number: usize, game: &Game, review: &Review) -> Self {
        let side = |color: Color| {
            let summary = review.summary(color);
            SideJson {
                moves: summary.moves,
                accuracy: summary.accuracy.map(tenths),
                centipawn_loss: summary.centipawn_loss.map(tenths),
                inaccuracies: summary.inaccuracies,
                mistakes: summary.mistakes,
                blunders: summary.blunders,
            }
        };
        let opening = opening_of_game(&review.boards()).map(|opening| OpeningJson {
            eco: opening.eco,
            name: opening.name,
        });
        Self {
            game: number,
            players: PlayersJson {
                white: game.tag("White").map(str::to_owned),
                black: game.tag("Black").map(str::to_owned),
            },
            result: game.result.map(GameResult::as_str),
            opening,
            white: side(Color::White),
            black: side(Color::Black),
            start: StartJson {
                fen: game.start().to_string(),
                eval: review.start.into(),
                win_percent: tenths(review.start.win_percent()),
            },
            moves: review.moves.iter().map(MoveJson::of).collect(),
        }
    }
}

impl MoveJson {
    fn of(mv: &ReviewedMove) -> Self {
        Self {
            number: mv.board.fullmove_number(),
            color: color_name(mv.mover()),
            san: mv.san(),
            uci: mv
                .mv
                .map(|played| uci::write(&mv.board, played).to_string()),
            eval: mv.after.into(),
            win_percent: tenths(mv.after.win_percent()),
            accuracy: mv.mv.map(|_| tenths(mv.accuracy)),
            judgement: mv.advice.map(|advice| match advice.judgement {
                Judgement::Inaccuracy => "inaccuracy",
                Judgement::Mistake => "mistake",
                Judgement::Blunder => "blunder",
            }),
            reason: mv.mistake.as_ref().map(ToString::to_string),
            comment: mv.remark(),
            best: mv.best_san(),
            best_line: format_variation(&mv.board, &mv.best),
            depth: mv.depth,
        }
    }
}

/// Rounds to one decimal.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The analysis of a position.
#[derive(Serialize, Clone, Debug)]
pub struct AnalysisJson {
    fen: String,
    turn: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    nodes: u64,
    seconds: f64,
    lines: Vec<LineJson>,
}

impl AnalysisJson {
    /// A position in which the game is over, or that has not been analysed.
    pub fn without_analysis(history: &GameHistory) -> Self {
        Self {
            fen: history.board().to_string(),
            turn: color_name(history.board().turn()),
            outcome: history.outcome().map(|outcome| outcome.to_string()),
            depth: None,
            nodes: 0,
            seconds: 0.0,
            lines: Vec::new(),
        }
    }

    /// Collects an analysis.
    pub fn of(history: &GameHistory, analysis: &PositionAnalysis) -> Self {
        Self {
            depth: analysis.lines.first().map(|info| info.depth),
            nodes: analysis.nodes,
            seconds: analysis.time.as_secs_f64(),
            lines: lines(analysis),
            ..Self::without_analysis(history)
        }
    }
}

fn lines(analysis: &PositionAnalysis) -> Vec<LineJson> {
    let line = |info| LineJson::of(analysis.board, info);
    analysis.lines.iter().map(line).collect()
}

/// The analysis of a position in an EPD file.
#[derive(Serialize, Clone, Debug)]
pub struct EpdJson {
    line_number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// Whether the best move is one that the file expects, if it expects any.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    nodes: u64,
    seconds: f64,
    lines: Vec<LineJson>,
}

impl EpdJson {
    pub(crate) fn of(
        line_number: usize,
        epd: &Epd,
        analysis: &PositionAnalysis,
        found: Option<bool>,
    ) -> Self {
        let board = analysis.board;
        Self {
            line_number,
            id: epd.operand("id").map(str::to_owned),
            fen: board.to_string(),
            outcome: board.outcome().map(|outcome| outcome.to_string()),
            found,
            nodes: analysis.nodes,
            seconds: analysis.time.as_secs_f64(),
            lines: lines(analysis),
        }
    }
}
