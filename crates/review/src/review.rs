//! The review of a game.

use std::fmt::Write;

use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_motif::{Mistake, explain_mistake};
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::write_san;

use crate::accuracy::{game_accuracy, move_accuracy};
use crate::eval::Eval;
use crate::judgement::{Advice, Judgement, judge};

/// The review of the main line of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The evaluation of the starting position.
    pub start: Eval,
    /// The moves of the main line.
    pub moves: Vec<ReviewedMove>,
    /// White's totals.
    pub white: PlayerSummary,
    /// Black's totals.
    pub black: PlayerSummary,
}

/// A move and its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// Its node in the game.
    pub node: NodeId,
    /// The position before it.
    pub board: Board,
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The evaluation before it.
    pub before: Eval,
    /// The evaluation after it.
    pub after: Eval,
    /// The best line, starting with the best move; empty if the game was over.
    pub best: Vec<Move>,
    /// The best line after the move, starting with the reply; empty if the game was over.
    pub reply: Vec<Move>,
    /// The search depth, in plies.
    pub depth: u32,
    /// The accuracy, 0 to 100.
    pub accuracy: f64,
    /// The verdict, if it is a bad move.
    pub advice: Option<Advice>,
    /// Why it is a bad move, if that can be proved.
    pub mistake: Option<Mistake>,
}

impl ReviewedMove {
    /// The side that made the move.
    pub fn mover(&self) -> Color {
        self.board.turn()
    }

    /// The move with its number and judgement: `14... Qxb2??`.
    pub fn name(&self) -> String {
        let dots = if self.mover().is_white() { "." } else { "..." };
        let symbol = self.advice.map_or("", |advice| advice.judgement.symbol());
        let number = self.board.fullmove_number();
        format!("{number}{dots} {}{symbol}", self.san())
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        self.mv.map_or_else(
            || "--".to_owned(),
            |mv| write_san(&self.board, mv).to_string(),
        )
    }

    /// The best move in SAN, if there was one.
    pub fn best_san(&self) -> Option<String> {
        let &best = self.best.first()?;
        Some(write_san(&self.board, best).to_string())
    }

    /// Why it is a bad move, in words: `hangs the queen on d5; Nf3 was best`. `None` if it isn't bad. Has no full stop.
    pub fn reason(&self) -> Option<String> {
        self.advice?;
        let why = self.mistake.as_ref().map(Mistake::to_string);
        let names_best = matches!(self.mistake, Some(Mistake::Misses { .. }));
        let best = self.best_san().filter(|_| !names_best);
        let best = best.map(|best| format!("{best} was best"));
        let parts: Vec<String> = why.into_iter().chain(best).collect();
        Some(parts.join("; "))
    }

    /// The verdict and the reason, without a full stop: `Mistake: hangs the queen on d5`.
    pub(crate) fn verdict(&self) -> Option<String> {
        let advice = self.advice?;
        Some(match &self.mistake {
            Some(mistake) => format!("{advice}: {mistake}"),
            None => advice.to_string(),
        })
    }

    /// The remark about a bad move: `(0.10 → -1.44) Mistake: hangs the knight on e5. Nf3 was best.`
    pub fn remark(&self) -> Option<String> {
        let verdict = self.verdict()?;
        let mut remark = format!("({} → {}) {verdict}.", self.before, self.after);
        if let Some(best) = self.best_san() {
            // Writing to a string cannot fail.
            let _ = write!(remark, " {best} was best.");
        }
        Some(remark)
    }
}

/// A player's totals.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerSummary {
    /// The number of moves.
    pub moves: usize,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The average loss in centipawns; `None` without moves.
    pub centipawn_loss: Option<f64>,
    /// The accuracy, 0 to 100; `None` without moves.
    pub accuracy: Option<f64>,
}

impl PlayerSummary {
    /// The number of moves with this judgement.
    pub const fn count(&self, judgement: Judgement) -> usize {
        match judgement {
            Judgement::Inaccuracy => self.inaccuracies,
            Judgement::Mistake => self.mistakes,
            Judgement::Blunder => self.blunders,
        }
    }
}

impl Review {
    /// Judges the moves of the main line by the evaluations of its positions: the start, and the one after each move.
    /// Stops at the end of either.
    ///
    /// If the played move turns out better than the best move found, it counts as the best.
    pub fn new(game: &Game, mut positions: Vec<PositionEval>) -> Self {
        let (nodes, lines) = lines(game);
        let boards: Vec<Board> = lines
            .iter()
            .flat_map(|line| {
                let played = line.played().iter().map(|&(board, _)| board);
                played.chain([*line.board()])
            })
            .collect();
        for i in (0..positions.len().saturating_sub(1).min(nodes.len())).rev() {
            let (earlier, later) = positions.split_at_mut(i + 1);
            if let Some(mv) = game.move_to(nodes[i]) {
                earlier[i].improve(mv, boards[i].turn(), &later[0]);
            }
        }
        let moves = nodes.into_iter().zip(&boards).zip(positions.windows(2));
        let moves =
            moves.map(|((node, board), pair)| reviewed(game, node, *board, &pair[0], &pair[1]));
        let mut review = Self {
            start: positions
                .first()
                .map_or(Eval::Centipawns(0), |start| start.eval),
            moves: moves.collect(),
            white: PlayerSummary::default(),
            black: PlayerSummary::default(),
        };
        review.white = review.summarize(Color::White);
        review.black = review.summarize(Color::Black);
        review
    }

    /// A player's totals.
    pub const fn summary(&self, color: Color) -> &PlayerSummary {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// White's winning chances at the start and after each move, in percent.
    pub fn percents(&self) -> Vec<f64> {
        let evals = std::iter::once(self.start).chain(self.moves.iter().map(|mv| mv.after));
        evals.map(Eval::win_percent).collect()
    }

    fn summarize(&self, color: Color) -> PlayerSummary {
        let own = |mv: &&ReviewedMove| mv.mv.is_some() && mv.mover() == color;
        let moves: Vec<&ReviewedMove> = self.moves.iter().filter(own).collect();
        let count = |judgement| {
            let is_so = |mv: &&&ReviewedMove| {
                mv.advice
                    .is_some_and(|advice| advice.judgement == judgement)
            };
            moves.iter().filter(is_so).count()
        };
        let lost = moves.iter().map(|mv| {
            let gain = mv.after.capped() - mv.before.capped();
            f64::from(if color.is_white() { -gain } else { gain }.max(0))
        });
        let movers: Vec<_> = self
            .moves
            .iter()
            .map(|mv| mv.mv.map(|_| mv.mover()))
            .collect();
        PlayerSummary {
            moves: moves.len(),
            inaccuracies: count(Judgement::Inaccuracy),
            mistakes: count(Judgement::Mistake),
            blunders: count(Judgement::Blunder),
            centipawn_loss: (!moves.is_empty()).then(|| lost.sum::<f64>() / moves.len() as f64),
            accuracy: game_accuracy(&self.percents(), &movers, color),
        }
    }

    /// The positions after each move of the main line.
    pub fn boards(&self) -> Vec<Board> {
        let after = |mv: &ReviewedMove| match mv.mv {
            Some(played) => mv.board.after(played),
            None => mv.board.null_move().unwrap_or(mv.board),
        };
        self.moves.iter().map(after).collect()
    }
}

/// Reviews a game: searches every position of the main line within the limits, and judges the moves.
///
/// The search goes from the end to the start, so that the hash table has the results of later positions. `report` gets
/// the number of positions done and the total. Returns `None` if the signal stops
/// it.
///
/// ```
/// use tabiya_engine::{Engine, Limits, StopSignal};
/// use tabiya_notation::pgn::{Game, Reader};
/// use tabiya_review::{Judgement, review};
///
/// let game = Game::read(&mut Reader::new(b"1. f3 e5 2. g4 Qh4# 0-1")).unwrap().unwrap();
/// let limits = Limits { depth: Some(6), ..Default::default() };
/// let signal = StopSignal::default();
/// let review = review(&mut Engine::default(), &game, &limits, &signal, &mut |_, _| {}).unwrap();
/// let advice = review.moves[2].advice.unwrap();
/// assert_eq!(advice.judgement, Judgement::Blunder);
/// assert_eq!(advice.to_string(), "Checkmate is now unavoidable");
/// ```
pub fn review(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    signal: &StopSignal,
    progress: &mut dyn FnMut(usize, usize),
) -> Option<Review> {
    let (nodes, mut lines) = lines(game);
    let total = nodes.len() + 1;
    let mut seen = Vec::with_capacity(total);
    while let Some(line) = lines.last_mut() {
        seen.push(PositionEval::of(engine, line, limits, signal)?);
        progress(seen.len(), total);
        if line.undo().is_none() {
            lines.pop();
        }
    }
    seen.reverse();
    Some(Review::new(game, seen))
}

/// The main line, split at null moves, which a history cannot contain. Stops before the first illegal
/// move.
fn lines(game: &Game) -> (Vec<NodeId>, Vec<GameHistory>) {
    let mut nodes = Vec::new();
    let mut done = Vec::new();
    let mut line = GameHistory::new(*game.start());
    for node in game.main_line() {
        if let Some(mv) = game.move_to(node) {
            if line.try_play(mv).is_err() {
                break;
            }
        } else {
            let Some(board) = line.board().null_move() else {
                break;
            };
            done.push(std::mem::replace(&mut line, GameHistory::new(board)));
        }
        nodes.push(node);
    }
    done.push(line);
    (nodes, done)
}

/// The engine's evaluation of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionEval {
    /// The evaluation.
    pub eval: Eval,
    /// The best line; empty if the game is over.
    pub best: Vec<Move>,
    /// The search depth, in plies.
    pub depth: u32,
}

impl PositionEval {
    /// Searches a position; `None` if stopped.
    fn of(
        engine: &mut Engine,
        line: &GameHistory,
        limits: &Limits,
        signal: &StopSignal,
    ) -> Option<Self> {
        if let Some(outcome) = line.outcome() {
            return Some(Self {
                eval: Eval::of_outcome(outcome),
                best: Vec::new(),
                depth: 0,
            });
        }
        let thought = engine.think_until(line, limits, signal, &mut |_| {})?;
        if signal.is_stopped() {
            return None;
        }
        let mut best = thought.info.pv;
        if best.first() != Some(&thought.best) {
            best = vec![thought.best];
        }
        Some(Self {
            eval: Eval::new(thought.info.score, line.board().turn()),
            best,
            depth: thought.info.depth,
        })
    }

    /// If the position after the played move is better for the player than the best line found, the played move
    /// was the best.
    fn improve(&mut self, played: Move, mover: Color, after: &Self) {
        let reached = after.eval.before_move_of(mover);
        if !self.best.is_empty() && reached.is_better_for(mover, self.eval) {
            self.eval = reached;
            self.best = std::iter::once(played)
                .chain(after.best.iter().copied())
                .collect();
        }
    }
}

fn reviewed(
    game: &Game,
    node: NodeId,
    board: Board,
    before: &PositionEval,
    after: &PositionEval,
) -> ReviewedMove {
    let mv = game.move_to(node);
    let mover = board.turn();
    // The best move is never a mistake, whatever deeper searches find later.
    let is_other = mv.is_some() && !before.best.is_empty() && before.best.first() != mv.as_ref();
    let advice = if is_other {
        judge(before.eval, after.eval, mover)
    } else {
        None
    };
    let [chance_before, chance_after] = [before.eval, after.eval].map(|eval| {
        let percent = eval.win_percent();
        if mover.is_white() {
            percent
        } else {
            100.0 - percent
        }
    });
    let mistake = advice.and(mv).and_then(|mv| {
        let scores = (before.eval.score_for(mover), after.eval.score_for(!mover));
        explain_mistake(&board, mv, &before.best, &after.best, scores)
    });
    ReviewedMove {
        node,
        board,
        mv,
        before: before.eval,
        after: after.eval,
        best: before.best.clone(),
        reply: after.best.clone(),
        depth: before.depth,
        accuracy: move_accuracy(chance_before, chance_after),
        advice,
        mistake,
    }
}
