//! Finding mistakes: those marked in the game, and those that the engine finds.

use tabiya_notation::pgn::{self, Game, NodeId};
use tabiya_notation::write_san;
use tabiya_review::{Eval, Judgement, judge};

use crate::analysis_thread::{AnalysisRequest, AnalysisThread};
use crate::theme::Tone;

/// Nodes per position: a fraction of a second.
const NODES: u64 = 150_000;
/// A search for the next mistake, from a node on.
pub(super) struct Mistakes {
    /// The first node and those after it.
    places: Vec<NodeId>,
    engine: Option<AnalysisThread>,
    /// The evaluations so far.
    eval: Vec<Eval>,
}

/// The progress of the search.
pub(super) enum ReviewUpdate {
    /// The search is still running; this is its progress.
    At(String),
    Found(NodeId, String),
    None,
}

/// The colour of a move by its annotation: `?`, `??` and `?!` are bad, `!` and `!!` good.
pub(super) fn tone(game: &Game, id: NodeId) -> Option<Tone> {
    let nags = &game.node(id).nags;
    if nags.iter().any(|nag| matches!(nag, 2 | 4 | 6)) {
        Some(Tone::Bad)
    } else if nags.iter().any(|nag| matches!(nag, 1 | 3)) {
        Some(Tone::Good)
    } else {
        None
    }
}

impl Mistakes {
    pub(super) fn new(game: &Game, at: NodeId) -> Self {
        let places = std::iter::successors(Some(at), |&id| game.children(id).next());
        Self {
            places: places.collect(),
            engine: None,
            eval: Vec::new(),
        }
    }

    /// The next mistake marked in the game, by a glyph or by its evaluations.
    pub(super) fn annotated(&self, game: &Game) -> Option<(NodeId, String)> {
        for pair in self.places.windows(2) {
            let (before, id) = (pair[0], pair[1]);
            if tone(game, id) == Some(Tone::Bad) {
                return Some((id, format!("{} is marked as a mistake.", san(game, id))));
            }
            if let (Some(was), Some(is)) = (evaluation(game, before), evaluation(game, id))
                && let Some(remark) = judged(game, id, was, is)
            {
                return Some((id, remark));
            }
        }
        None
    }

    /// Starts the engine.
    pub(super) fn start(&mut self) -> Result<(), String> {
        if self.places.len() < 2 {
            return Err("there are no more moves in this line".to_owned());
        }
        self.engine = Some(AnalysisThread::new().map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Continues the search. Returns what has changed.
    pub(super) fn listen(&mut self, game: &Game) -> Option<ReviewUpdate> {
        let Some(&at) = self.places.get(self.eval.len()) else {
            return Some(ReviewUpdate::None);
        };
        let engine = self.engine.as_mut()?;
        let history = game.history(at);
        let turn = history.board().turn();
        let eval = if let Some(outcome) = history.outcome() {
            Eval::of_outcome(outcome)
        } else {
            engine.analyse(AnalysisRequest {
                history,
                lines: 1,
                nodes: Some(NODES),
            });
            engine.poll();
            if !engine.is_done() {
                return None;
            }
            let found = engine.lines().first();
            found.map_or(Eval::Centipawns(0), |info| Eval::new(info.score, turn))
        };
        self.eval.push(eval);
        if let [.., was, is] = self.eval[..]
            && let Some(remark) = judged(game, at, was, is)
        {
            return Some(ReviewUpdate::Found(at, remark));
        }
        if self.eval.len() == self.places.len() {
            return Some(ReviewUpdate::None);
        }
        Some(ReviewUpdate::At(format!(
            "Looking for mistakes: {} of {} moves ...",
            self.eval.len(),
            self.places.len() - 1
        )))
    }
}

fn san(game: &Game, id: NodeId) -> String {
    let before = game.parent(id).map(|parent| game.board(parent));
    match (before, game.move_to(id)) {
        (Some(before), Some(mv)) => {
            let dots = if before.turn().is_white() { "." } else { "..." };
            let number = before.fullmove_number();
            format!("{number}{dots} {}", write_san(&before, mv))
        }
        _ => "The null move".to_owned(),
    }
}

/// The remark about a move, given the evaluations before and after it; `None` if it is no mistake.
fn judged(game: &Game, id: NodeId, was: Eval, is: Eval) -> Option<String> {
    let mover = game.parent(id).map(|parent| game.board(parent).turn())?;
    let judgement = judge(was, is, mover)?.judgement;
    (judgement >= Judgement::Mistake).then(|| {
        format!(
            "{} is a {}: from {was:+} to {is:+}. Press Left and ^E for a better move.",
            san(game, id),
            judgement.name().to_lowercase()
        )
    })
}

fn evaluation(game: &Game, id: NodeId) -> Option<Eval> {
    let comments = &game.node(id).comments;
    let score = comments.iter().find_map(|comment| pgn::eval(comment))?;
    Some(Eval::from_white(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::pgn::Reader;

    fn game(text: &str) -> Game {
        Game::read(&mut Reader::new(text.as_bytes()))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn annotated_mistakes_are_found() {
        let game = game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0");
        let (id, remark) = Mistakes::new(&game, Game::ROOT).annotated(&game).unwrap();
        assert_eq!(remark, "3... Nf6 is marked as a mistake.");
        assert!(Mistakes::new(&game, id).annotated(&game).is_none());
    }

    #[test]
    fn mistakes_are_found_by_evaluations() {
        let game =
            game("1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. f4 {[%eval -0.3]} g5 {[%eval 1.0]} *");
        let (_, remark) = Mistakes::new(&game, Game::ROOT).annotated(&game).unwrap();
        assert!(
            remark.starts_with("2... g5 is a mistake: from -0.30 to +1.00"),
            "{remark}"
        );
    }

    #[test]
    fn the_engine_finds_mistakes() {
        let game = game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
        let mut search = Mistakes::new(&game, Game::ROOT);
        assert!(search.annotated(&game).is_none());
        search.start().unwrap();
        let remark = loop {
            match search.listen(&game) {
                Some(ReviewUpdate::Found(_, remark)) => break remark,
                Some(ReviewUpdate::None) => panic!("no mistake found"),
                Some(ReviewUpdate::At(_)) | None => {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        };
        assert!(remark.starts_with("3... Nf6 is a blunder"), "{remark}");
    }
}
