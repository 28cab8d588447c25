//! Looking at every position of a game.

use std::fmt::Write;

use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::write_san;

use crate::accuracy::{game_accuracy, move_accuracy};
use crate::eval::Eval;
use crate::judgement::{Advice, Judgement, judge};

/// A game whose main line has been looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// What the position at the start is worth.
    pub start: Eval,
    /// The moves of the main line.
    pub moves: Vec<ReviewedMove>,
    /// White's moves in numbers.
    pub white: PlayerSummary,
    /// Black's moves in numbers.
    pub black: PlayerSummary,
}

/// A move and what it was worth.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// Its place in the game.
    pub node: NodeId,
    /// The board before it.
    pub board: Board,
    /// The move; nothing for a null move.
    pub mv: Option<Move>,
    /// What the position before it was worth.
    pub before: Eval,
    /// What the position after it is worth.
    pub after: Eval,
    /// The line that would have been best, its first move the best one; empty where the game had ended.
    pub best: Vec<Move>,
    /// How far the engine looked ahead for it, in plies.
    pub depth: u32,
    /// How accurate the move is, from 0 to 100.
    pub accuracy: f64,
    /// What is bad about it, if something is.
    pub advice: Option<Advice>,
}

impl ReviewedMove {
    /// The player.
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

    /// What to say about the move, if it is bad: `(0.10 → -1.44) Mistake. Nf3 was best.`
    pub fn remark(&self) -> Option<String> {
        let advice = self.advice?;
        let mut remark = format!("({} → {}) {advice}.", self.before, self.after);
        if let Some(best) = self.best_san() {
            // Writing to a string does not fail.
            let _ = write!(remark, " {best} was best.");
        }
        Some(remark)
    }
}

/// The moves of a player in numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerSummary {
    /// How many there are.
    pub moves: usize,
    /// How many are inaccuracies.
    pub inaccuracies: usize,
    /// How many are mistakes.
    pub mistakes: usize,
    /// How many are blunders.
    pub blunders: usize,
    /// What they lose on average, in hundredths of a pawn; nothing if there are no moves.
    pub centipawn_loss: Option<f64>,
    /// How accurate they are, from 0 to 100; nothing if there are no moves.
    pub accuracy: Option<f64>,
}

impl PlayerSummary {
    /// How many moves are as bad as this.
    pub const fn count(&self, judgement: Judgement) -> usize {
        match judgement {
            Judgement::Inaccuracy => self.inaccuracies,
            Judgement::Mistake => self.mistakes,
            Judgement::Blunder => self.blunders,
        }
    }
}

impl Review {
    /// Judges the moves of the main line of a game by what is thought of its positions: the start, and the one after each
    /// move. The line ends where there is no more of either.
    ///
    /// A position is worth at least what the move that was played led to: whoever assessed it may have missed that.
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

    /// The moves of a player in numbers.
    pub const fn summary(&self, color: Color) -> &PlayerSummary {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// White's chances at the start and after each move, in percent.
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

/// Looks at every position of the main line of a game, each within the limits, and judges the moves by what comes out.
///
/// It goes from the end to the start, so that what the engine has found about later positions helps it with the earlier
/// ones. After each position it is told how many are done, and of how many. Nothing comes out if the signal is given
/// before the end.
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

/// The main line of a game, in pieces where somebody passes: the law knows nothing of that. A game that was built with
/// moves that are not legal ends before the first of them.
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

/// What is thought of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionEval {
    /// What it is worth.
    pub eval: Eval,
    /// The best line; empty where the game has ended.
    pub best: Vec<Move>,
    /// How far somebody looked ahead for it, in plies.
    pub depth: u32,
}

impl PositionEval {
    /// What the engine thinks; nothing if it is stopped.
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

    /// Learns from the position after the move that was played: if that is worth more to the player than the best that
    /// was found, it was the best.
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
    // Who plays the best move that is known has made no mistake, whatever comes out afterwards.
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
    ReviewedMove {
        node,
        board,
        mv,
        before: before.eval,
        after: after.eval,
        best: before.best.clone(),
        depth: before.depth,
        accuracy: move_accuracy(chance_before, chance_after),
        advice,
    }
}
