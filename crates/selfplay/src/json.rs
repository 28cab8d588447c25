//! The contents of a file as JSON.

use serde_json::{Map, Value, json};

use crate::game::Termination;
use crate::inspect::{Inspection, SearchedPosition};
use crate::player::SelfplaySettings;
use crate::summary::{FileSummary, score_band};

impl Inspection {
    /// Returns everything as a JSON object.
    pub fn to_json(&self) -> Value {
        let FileSummary {
            games,
            positions,
            results: [lost, drawn, won],
            terminations,
            scores,
        } = self.summary;
        let terminations: Map<_, _> = Termination::ALL
            .iter()
            .zip(terminations)
            .map(|(termination, count)| (termination.to_string(), count.into()))
            .collect();
        let scores: Vec<_> = scores
            .iter()
            .enumerate()
            .map(|(band, count)| {
                let [from, to] = score_band(band);
                json!({"from": from, "to": to, "count": count})
            })
            .collect();
        json!({
            "kind": self.kind.to_string(),
            "settings": self.settings.as_ref().map(settings),
            "games": games,
            "positions": positions,
            "results": {"white": won, "drawn": drawn, "black": lost},
            "endings": terminations,
            "scores": scores,
            "first": self.first.iter().map(position).collect::<Vec<_>>(),
            "trouble": self.error.map(|error| error.to_string()),
        })
    }
}

fn position(position: &SearchedPosition) -> Value {
    json!({
        "fen": position.fen,
        "move": position.mv.to_string(),
        "score": position.score,
        "result": position.result.to_string(),
    })
}

fn settings(settings: &SelfplaySettings) -> Value {
    let rule = settings.adjudication;
    json!({
        "seed": settings.seed,
        "nodes": settings.nodes,
        "network": settings.network.0,
        "random_plies": settings.random_plies,
        "worst_opening": settings.max_opening_score,
        "win_score": rule.win_score,
        "win_plies": rule.win_plies,
        "draw_score": rule.draw_score,
        "draw_plies": rule.draw_plies,
        "draw_after": rule.draw_after,
    })
}
