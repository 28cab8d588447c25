//! What each move of a game was worth, from evaluations that the page has collected.

use serde::Serialize;
use tabiya_board::{Color, Move};
use tabiya_display::variation::format_variation;
use tabiya_notation::pgn::{Game, Reader};
use tabiya_notation::{Score, uci};
use tabiya_review::{Eval, GameCard, Judgement, PlayerSummary, PositionEval, Review, ReviewedMove};

use super::game::EvalAnswer;
use super::json::Json;
use super::position::color_name;
use crate::line;
use crate::problem::{Problem, sentence};

/// The evaluation of a position for White.
pub(super) struct EvalInput {
    cp: Option<i32>,
    mate: Option<i32>,
    best: Vec<String>,
    depth: u32,
}

impl EvalInput {
    pub(super) fn read(input: &Json) -> Result<Self, Problem> {
        let eval = input.get("eval");
        Ok(Self {
            cp: eval.whole("cp")?,
            mate: eval.whole("mate")?,
            best: input.texts("best")?,
            depth: input.whole("depth")?.unwrap_or(0),
        })
    }
}

/// Shares are whole numbers of a thousand, because a browser would load the tables that write fractions.
#[derive(Serialize)]
pub(super) struct ReviewAnswer {
    white: Side,
    black: Side,
    start: StartAnswer,
    moves: Vec<MoveAnswer>,
    worst: Worst,
    annotated: String,
}

#[derive(Serialize)]
struct Side {
    accuracy_permille: Option<u32>,
    centipawn_loss: Option<u32>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct StartAnswer {
    eval: EvalAnswer,
    win_permille: u32,
}

#[derive(Serialize)]
struct MoveAnswer {
    number: u16,
    color: &'static str,
    san: String,
    uci: Option<String>,
    /// The evaluation after the move.
    eval: EvalAnswer,
    /// White's winning chances, of a thousand.
    win_permille: u32,
    judgement: Option<&'static str>,
    comment: Option<String>,
    best: Option<String>,
    best_line: String,
}

fn answer(eval: Eval) -> EvalAnswer {
    match eval {
        Eval::Centipawns(points) => EvalAnswer::Cp(points),
        Eval::Mate { winner, moves } => {
            let moves = moves.cast_signed();
            EvalAnswer::Mate(if winner.is_white() { moves } else { -moves })
        }
    }
}

fn permille(percent: f64) -> u32 {
    (percent * 10.0).round() as u32
}

impl Side {
    fn of(summary: &PlayerSummary) -> Self {
        Self {
            accuracy_permille: summary.accuracy.map(permille),
            centipawn_loss: summary.centipawn_loss.map(|loss| loss.round() as u32),
            inaccuracies: summary.inaccuracies,
            mistakes: summary.mistakes,
            blunders: summary.blunders,
        }
    }
}

impl MoveAnswer {
    fn of(mv: &ReviewedMove) -> Self {
        let played = mv.mv.map(|played| uci::write(&mv.board, played));
        Self {
            number: mv.board.fullmove_number(),
            color: color_name(mv.mover()),
            san: mv.san(),
            uci: played.map(|text| text.to_string()),
            eval: answer(mv.after),
            win_permille: permille(mv.after.win_percent()),
            judgement: mv.advice.map(|advice| match advice.judgement {
                Judgement::Inaccuracy => "inaccuracy",
                Judgement::Mistake => "mistake",
                Judgement::Blunder => "blunder",
            }),
            comment: mv.remark(),
            best: mv.best_san(),
            best_line: format_variation(&mv.board, &mv.best),
        }
    }
}

#[derive(Serialize)]
struct Worst {
    white: Option<WorstMove>,
    black: Option<WorstMove>,
}

#[derive(Serialize)]
struct WorstMove {
    ply: usize,
    name: String,
    message: String,
}

/// Judges the main line of a game.
pub(super) fn review(pgn: &[u8], evals: &[EvalInput]) -> Result<ReviewAnswer, Problem> {
    let mut reader = Reader::new(pgn);
    let (mut game, _) = Game::read_partial(&mut reader)
        .ok_or_else(|| Problem::new("there is no game in this text"))?;
    let boards = game.main_plies().map(|ply| ply.board);
    let boards: Vec<_> = [*game.start()].into_iter().chain(boards).collect();
    let positions = boards
        .iter()
        .zip(evals)
        .map(|(board, input)| PositionEval {
            eval: input.eval(board.turn()),
            best: best_line(board, &input.best),
            depth: input.depth,
        })
        .collect::<Vec<_>>();
    if positions.is_empty() {
        return Err(Problem::new("a review needs the evaluation of a position"));
    }
    let review = Review::new(&game, positions);
    review.annotate(&mut game);
    let card = GameCard::from(review);
    let worst = |color: Color| {
        let worst = card.player(color).worst.as_ref()?;
        Some(WorstMove {
            ply: worst.ply,
            name: worst.name.clone(),
            message: sentence(&worst.reason),
        })
    };
    Ok(ReviewAnswer {
        white: Side::of(&card.review.white),
        black: Side::of(&card.review.black),
        start: StartAnswer {
            eval: answer(card.review.start),
            win_permille: permille(card.review.start.win_percent()),
        },
        moves: card.review.moves.iter().map(MoveAnswer::of).collect(),
        worst: Worst {
            white: worst(Color::White),
            black: worst(Color::Black),
        },
        annotated: game.to_string(),
    })
}

impl EvalInput {
    fn eval(&self, turn: Color) -> Eval {
        match (self.cp, self.mate) {
            // A mate in 0 is against the side to move.
            (_, Some(0)) => Eval::Mate {
                winner: !turn,
                moves: 0,
            },
            (_, Some(moves)) => Eval::from_white(Score::Mate(moves.clamp(-1000, 1000))),
            (cp, None) => Eval::from_white(Score::Cp(cp.unwrap_or(0).clamp(-100_000, 100_000))),
        }
    }
}

fn best_line(board: &tabiya_board::Board, texts: &[String]) -> Vec<Move> {
    let mut board = *board;
    let mut moves = Vec::new();
    for text in texts.iter().take(64) {
        let Ok(mv) = line::read(&board, text) else {
            break;
        };
        moves.push(mv);
        board = board.after_unchecked(mv);
    }
    moves
}
