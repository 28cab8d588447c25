//! What each move of a game was worth, from evaluations that the page has collected.

use serde::{Deserialize, Serialize};
use tabiya_board::{Color, Move};
use tabiya_notation::Score;
use tabiya_notation::pgn::{Game, Reader};
use tabiya_review::{Eval, GameCard, GameJson, PositionEval, Review};

use crate::line;
use crate::problem::{Problem, sentence};

/// The evaluation of a position for White.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct EvalInput {
    eval: ScoreInput,
    best: Vec<String>,
    depth: u32,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ScoreInput {
    cp: Option<i32>,
    mate: Option<i32>,
}

#[derive(Serialize)]
pub(super) struct ReviewAnswer {
    #[serde(flatten)]
    game: GameJson,
    worst: Worst,
    annotated: String,
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
            eval: input.eval.read(board.turn()),
            best: best_line(board, &input.best),
            depth: input.depth,
        })
        .collect::<Vec<_>>();
    if positions.is_empty() {
        return Err(Problem::new("a review needs the evaluation of a position"));
    }
    let review = Review::new(&game, positions);
    let json = GameJson::of(1, &game, &review);
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
        worst: Worst {
            white: worst(Color::White),
            black: worst(Color::Black),
        },
        game: json,
        annotated: game.to_string(),
    })
}

impl ScoreInput {
    fn read(&self, turn: Color) -> Eval {
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
