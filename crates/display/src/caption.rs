//! The title of a game, its players, and the comments on its moves.

use tabiya_notation::pgn::{self, Game, NodeId};

use crate::text::printable;

/// Returns a player's name, with the rating if the game has it.
pub fn player(game: &Game, color: &str) -> String {
    let name = game.tag(color).map(printable).unwrap_or_default();
    let name = if name.trim().is_empty() {
        "?"
    } else {
        name.trim()
    };
    match game.tag(&format!("{color}Elo")).map(printable) {
        Some(rating) if !matches!(rating.trim(), "" | "?" | "-") => {
            format!("{name} ({})", rating.trim())
        }
        _ => name.to_owned(),
    }
}

/// Returns the players and the result: `Ann – Bob, 1-0`.
pub fn title(game: &Game) -> String {
    format!(
        "{} – {}, {}",
        player(game, "White"),
        player(game, "Black"),
        result(game)
    )
}

/// Returns the result of the game, or of its tag.
pub fn result(game: &Game) -> String {
    match (game.result, game.tag("Result")) {
        (Some(result), _) => result.as_str().to_owned(),
        (None, Some(tag)) => printable(tag),
        (None, None) => "*".to_owned(),
    }
}

/// Returns the event, site, date and round, as far as they are known.
pub fn event(game: &Game) -> Option<String> {
    let known = ["Event", "Site", "Date", "Round"].into_iter();
    let known = known.filter_map(|name| {
        let value = printable(game.tag(name)?);
        let value = value.trim();
        let is_known = !value.is_empty() && !value.starts_with('?') && value != "-";
        is_known.then(|| match name {
            "Round" => format!("round {value}"),
            _ => value.to_owned(),
        })
    });
    let known: Vec<String> = known.collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// Returns the comments on a move.
pub fn comment(game: &Game, id: NodeId) -> Option<String> {
    let node = game.node(id);
    let comments = node.comments_before.iter().chain(&node.comments);
    let words: Vec<String> = comments
        .flat_map(|comment| comment.split_whitespace())
        .map(printable)
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the comments on a move without commands for programs, such as `[%clk 0:05:00]`.
pub fn remark(game: &Game, id: NodeId) -> Option<String> {
    let mut text = comment(game, id)?;
    while let Some(start) = text.find("[%") {
        let end = text[start..].find(']')?;
        text.replace_range(start..=start + end, "");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the time left on the mover's clock after a move.
pub fn clock(game: &Game, id: NodeId) -> Option<std::time::Duration> {
    let comments = &game.node(id).comments;
    comments.iter().find_map(|comment| pgn::clock(comment))
}
