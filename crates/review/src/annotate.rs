//! Writing what was found into the game.

use tabiya_board::Move;
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::write_san;

use crate::eval::Eval;
use crate::judgement::{Judgement, MATE_ALLOWED, MATE_MISSED};
use crate::review::{Review, ReviewedMove};

/// How many plies of the best line are written.
const LINE: usize = 12;
/// The glyphs that say how good a move is: `!`, `?`, `!!`, `??`, `!?` and `?!`. A move has one of them.
const ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=6;

impl Review {
    /// Writes into the game that was reviewed what each move is worth, as `[%eval 0.17]`, and for bad moves the glyph, a
    /// comment and the best line as a variation.
    ///
    /// Comments, variations and clocks stay as they are. What an earlier review has written, ours or one from Lichess, is
    /// replaced.
    pub fn annotate(&self, game: &mut Game) {
        for mv in &self.moves {
            forget(game, mv);
            annotate(game, mv);
        }
        for (name, summary) in [("White", &self.white), ("Black", &self.black)] {
            if let Some(accuracy) = summary.accuracy {
                game.set_tag(&format!("{name}Accuracy"), &format!("{accuracy:.1}"));
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
    // Where the game is over there is nothing to evaluate.
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

/// Adds a line where it is not there already.
fn add_line(game: &mut Game, start: NodeId, line: &[Move]) {
    let mut at = start;
    for &mv in line.iter().take(LINE) {
        let known = game
            .children(at)
            .find(|&child| game.move_to(child) == Some(mv));
        at = known.unwrap_or_else(|| game.add_move(at, Some(mv)));
    }
}

/// Takes away what an earlier review has said about a move.
fn forget(game: &mut Game, mv: &ReviewedMove) {
    let node = game.node_mut(mv.node);
    let mut former = None;
    let mut kept = Vec::with_capacity(node.comments.len());
    for comment in &node.comments {
        let mut comment = without_evals(comment);
        let (commands, text) = split_commands(&comment);
        if let Some(found) = Former::read(text) {
            former = Some(found);
            comment = String::from(commands);
        }
        if !comment.is_empty() {
            kept.push(comment);
        }
    }
    node.comments = kept;
    let Some(former) = former else {
        return;
    };
    let is_judgement = |nag: &u8| {
        Judgement::ALL
            .iter()
            .any(|judgement| judgement.nag() == *nag)
    };
    node.nags.retain(|nag| !is_judgement(nag));
    let Some((best, parent)) = former.best.zip(game.parent(mv.node)) else {
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

/// Whether nobody has added anything to a line.
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

/// A comment without the evaluations in it.
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

/// The commands at the start of a comment, and what follows them.
fn split_commands(comment: &str) -> (&str, &str) {
    let mut rest = comment;
    while let Some(end) = rest.strip_prefix("[%").and_then(|inside| inside.find(']')) {
        rest = rest["[%".len() + end + 1..].trim_start();
    }
    let (commands, text) = comment.split_at(comment.len() - rest.len());
    (commands.trim_end(), text)
}

/// What an earlier review has said about a move.
struct Former {
    /// The move that it called best.
    best: Option<String>,
}

impl Former {
    /// Reads the whole of a text such as `(0.10 → -1.44) Mistake. Nf3 was best.`
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = match text.strip_prefix('(') {
            Some(inside) => {
                let (evals, rest) = inside.split_once(") ")?;
                evals.contains('→').then_some(rest)?
            }
            None => text,
        };
        let names = Judgement::ALL.iter().map(|judgement| judgement.name());
        let mut sentences = names.chain([MATE_ALLOWED, MATE_MISSED]);
        let rest = sentences.find_map(|sentence| text.strip_prefix(sentence)?.strip_prefix('.'))?;
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
        let best = |text| Former::read(text).map(|former| former.best.unwrap_or_default());
        for (text, wanted) in [
            ("Mistake. Nf3 was best.", Some("Nf3")),
            ("(0.10 → -1.44) Blunder. O-O was best.", Some("O-O")),
            ("(0.10 → -1.44) Inaccuracy.", Some("")),
            (
                "(#2 → 3.10) Lost forced checkmate sequence. Qh7# was best.",
                Some("Qh7#"),
            ),
            ("Checkmate is now unavoidable. g3 was best.", Some("g3")),
            // People say more.
            ("Mistake. Nf3 was best. But who sees that?", None),
            ("Mistakes happen.", None),
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
