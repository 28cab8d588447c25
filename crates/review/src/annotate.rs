//! Writing a review into the game.

use tabiya_board::Move;
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::write_san;

use crate::eval::Eval;
use crate::judgement::{Judgement, MATE_ALLOWED, MATE_MISSED};
use crate::review::{Review, ReviewedMove};

/// The length of the best line that is written, in plies.
const LINE: usize = 12;
/// The move assessments: `!`, `?`, `!!`, `??`, `!?` and `?!`. A move has at most one.
const ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=6;

impl Review {
    /// Annotates the reviewed game: an evaluation for each move, as in `[%eval 0.17]`, and for bad moves the glyph, a
    /// comment and the best line as a variation.
    ///
    /// Replaces the annotations of an earlier review, ours or one from Lichess, and keeps all other comments,
    /// variations and clock times.
    pub fn annotate(&self, game: &mut Game) {
        for mv in &self.moves {
            forget(game, mv);
            annotate(game, mv);
        }
        for (name, summary) in [("White", &self.white), ("Black", &self.black)] {
            if let Some(accuracy) = summary.accuracy {
                let tenths = (accuracy * 10.0).round() as u32;
                let text = format!("{}.{}", tenths / 10, tenths % 10);
                game.set_tag(&format!("{name}Accuracy"), &text);
            }
        }
        if game
            .tag("Annotator")
            .is_none_or(|name| matches!(name, "" | "?"))
        {
            game.set_tag("Annotator", concat!("Tabiya ", env!("CARGO_PKG_VERSION")));
        }
    }
}

fn annotate(game: &mut Game, mv: &ReviewedMove) {
    let node = game.node_mut(mv.node);
    let is_mate = matches!(mv.after, Eval::Mate { moves: 0, .. });
    // A finished game needs no evaluation.
    let mut behind = 0;
    if !is_mate {
        let eval = format!("[%eval {}]", mv.after);
        match node.comments.first_mut() {
            Some(first) if first.starts_with("[%") => *first = format!("{eval} {first}"),
            _ => node.comments.insert(0, eval),
        }
        behind = 1;
    }
    let (Some(advice), Some(remark)) = (mv.advice, mv.remark()) else {
        return;
    };
    node.nags.retain(|nag| !ASSESSMENTS.contains(nag));
    node.nags.insert(0, advice.judgement.nag());
    node.comments.insert(behind, remark);
    if let Some(parent) = game.parent(mv.node) {
        add_line(game, parent, &mv.best);
    }
}

/// Adds a variation unless it is already there.
fn add_line(game: &mut Game, start: NodeId, line: &[Move]) {
    let mut at = start;
    for &mv in line.iter().take(LINE) {
        let Ok(next) = game.play(at, mv) else {
            return;
        };
        at = next;
    }
}

/// Removes the annotations of an earlier review from a move.
fn forget(game: &mut Game, mv: &ReviewedMove) {
    let node = game.node_mut(mv.node);
    let mut earlier = None;
    let mut kept = Vec::with_capacity(node.comments.len());
    for comment in &node.comments {
        let mut comment = without_evals(comment);
        let (commands, text) = split_commands(&comment);
        if let Some(found) = EarlierRemark::read(text) {
            earlier = Some(found);
            comment = String::from(commands);
        }
        if !comment.is_empty() {
            kept.push(comment);
        }
    }
    node.comments = kept;
    let Some(earlier) = earlier else {
        return;
    };
    let is_judgement = |nag: &u8| {
        Judgement::ALL
            .iter()
            .any(|judgement| judgement.nag() == *nag)
    };
    node.nags.retain(|nag| !is_judgement(nag));
    let Some((best, parent)) = earlier.best.zip(game.parent(mv.node)) else {
        return;
    };
    let variations: Vec<NodeId> = game.children(parent).skip(1).collect();
    for id in variations {
        let starts_it = game
            .move_to(id)
            .is_some_and(|mv_to| write_san(&mv.board, mv_to).as_str() == best);
        if starts_it && is_bare(game, id) {
            game.remove(id);
        }
    }
}

/// Whether a variation has no annotations of its own.
fn is_bare(game: &Game, start: NodeId) -> bool {
    let mut at = start;
    loop {
        let node = game.node(at);
        let says_nothing = node.nags.is_empty()
            && node.comments_before.is_empty()
            && node.comments.is_empty()
            && node.escapes.is_empty();
        let mut children = game.children(at);
        match (says_nothing, children.len(), children.next()) {
            (true, 0, _) => return true,
            (true, 1, Some(next)) => at = next,
            _ => return false,
        }
    }
}

/// A comment without its evaluations.
fn without_evals(comment: &str) -> String {
    const COMMAND: &str = "[%eval";
    let mut kept = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some(start) = rest.find(COMMAND) {
        let inside = &rest[start + COMMAND.len()..];
        let end = inside.find(']').filter(|_| inside.starts_with([' ', ']']));
        let Some(end) = end else {
            let (before, after) = rest.split_at(start + COMMAND.len());
            kept.push_str(before);
            rest = after;
            continue;
        };
        kept.push_str(&rest[..start]);
        rest = inside[end + 1..].trim_start();
    }
    kept.push_str(rest);
    kept.trim_end().to_owned()
}

/// Splits a comment into the commands at its start and the rest.
fn split_commands(comment: &str) -> (&str, &str) {
    let mut rest = comment;
    while let Some(end) = rest.strip_prefix("[%").and_then(|inside| inside.find(']')) {
        rest = rest["[%".len() + end + 1..].trim_start();
    }
    let (commands, text) = comment.split_at(comment.len() - rest.len());
    (commands.trim_end(), text)
}

/// An earlier review's remark about a move.
struct EarlierRemark {
    /// The best move it names.
    best: Option<String>,
}

impl EarlierRemark {
    /// Parses a remark such as `(0.10 → -1.44) Mistake: hangs the knight on e5. Nf3 was best.` Only ours, which begin
    /// with evaluations, give a reason.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let has_evals = text.starts_with('(');
        let text = match text.strip_prefix('(') {
            Some(inside) => {
                let (evals, rest) = inside.split_once(") ")?;
                evals.contains('→').then_some(rest)?
            }
            None => text,
        };
        let names = Judgement::ALL.iter().map(|judgement| judgement.name());
        let mut sentences = names.chain([MATE_ALLOWED, MATE_MISSED]);
        let rest = sentences.find_map(|sentence| {
            let rest = text.strip_prefix(sentence)?;
            let reason = rest.strip_prefix(": ").filter(|_| has_evals);
            match reason.and_then(|reason| reason.split_once('.')) {
                Some((_, rest)) => Some(rest),
                None => rest.strip_prefix('.'),
            }
        })?;
        let rest = rest.trim();
        if rest.is_empty() {
            return Some(Self { best: None });
        }
        let best = rest.strip_suffix(" was best.")?;
        (!best.contains(' ')).then(|| Self {
            best: Some(best.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_cut_out() {
        for (comment, kept) in [
            ("[%eval 0.17]", ""),
            ("[%eval #-3] [%clk 0:01:00]", "[%clk 0:01:00]"),
            ("[%clk 0:01:00] [%eval 1.2,18]", "[%clk 0:01:00]"),
            ("best [%eval 0.1] by test", "best by test"),
            ("[%eval 1] [%eval 2]", ""),
            ("[%evaluation 1] [%eval", "[%evaluation 1] [%eval"),
            ("no command", "no command"),
        ] {
            assert_eq!(without_evals(comment), kept, "{comment}");
        }
    }

    #[test]
    fn earlier_judgements_are_known() {
        let best = |text| EarlierRemark::read(text).map(|earlier| earlier.best.unwrap_or_default());
        for (text, wanted) in [
            ("Mistake. Nf3 was best.", Some("Nf3")),
            ("(0.10 → -1.44) Blunder. O-O was best.", Some("O-O")),
            ("(0.10 → -1.44) Inaccuracy.", Some("")),
            (
                "(#2 → 3.10) Lost forced checkmate sequence. Qh7# was best.",
                Some("Qh7#"),
            ),
            ("Checkmate is now unavoidable. g3 was best.", Some("g3")),
            (
                "(0.10 → -9.44) Blunder: allows Nxf7, forking queen and rook. O-O was best.",
                Some("O-O"),
            ),
            ("(0.10 → -9.44) Blunder: hangs the queen on d5.", Some("")),
            // Remarks by people.
            ("Mistake. Nf3 was best. But who sees that?", None),
            ("Mistakes happen.", None),
            ("Mistake: I should have castled.", None),
            ("Mistake: hangs the queen on d5. Nf3 was best.", None),
            ("(sic) Mistake.", None),
            ("A blunder.", None),
        ] {
            assert_eq!(best(text).as_deref(), wanted, "{text}");
        }
        assert_eq!(
            split_commands("[%clk 0:01:00] [%emt 1] Mistake."),
            ("[%clk 0:01:00] [%emt 1]", "Mistake.")
        );
        assert_eq!(split_commands("text [%clk 1]"), ("", "text [%clk 1]"));
        assert_eq!(split_commands("[%clk"), ("", "[%clk"));
    }
}
