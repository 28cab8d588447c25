//! Moves behind a damaged line of a record.

use tabiya_board::{Board, Move};
use tabiya_notation::{Dialect, San, printable, write_san};

/// What follows the tags of a record, with its line.
pub(super) struct Item {
    pub(super) line: usize,
    pub(super) kind: ItemKind,
}

pub(super) enum ItemKind {
    Move {
        san: San,
        text: String,
    },
    Comment(String),
    /// Something that is not PGN.
    Damage,
}

impl Item {
    /// The move that is written here, if it is legal.
    pub(super) fn legal_move(&self, board: &Board) -> Option<Move> {
        let ItemKind::Move { san, .. } = &self.kind else {
            return None;
        };
        san.to_move(board, Dialect::Import).ok()
    }

    const fn is_move(&self) -> bool {
        matches!(self.kind, ItemKind::Move { .. })
    }
}

/// How a game continues at a damaged place.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Repair {
    /// Without it: the moves after it fit those before it.
    Skip,
    /// With the only move in its place that fits the moves after it.
    Replace(Move),
    /// With the only move that can be missing in front of it.
    Insert(Move),
    /// Not at all.
    Impossible,
}

/// Finds how a game continues at a damaged place: the first of these items. It is repaired only if there is one way.
pub(super) fn find_repair(board: &Board, items: &[Item]) -> Repair {
    let Some((first, rest)) = items.split_first() else {
        return Repair::Impossible;
    };
    let is_damage = |item: &Item| matches!(item.kind, ItemKind::Damage);
    // A damaged line may be read as many items that are not moves.
    let start = rest.iter().position(|item| !is_damage(item));
    let rest = &rest[start.unwrap_or(rest.len())..];
    let next_damage = rest.iter().position(is_damage);
    let tail = &rest[..next_damage.unwrap_or(rest.len())];
    if !tail.iter().any(Item::is_move) {
        return Repair::Impossible;
    }
    if !first.is_move() && fits(*board, tail) {
        return Repair::Skip;
    }
    let whole = &items[..items.len() - rest.len() + tail.len()];
    let mut ways = board.legal_moves().into_iter().flat_map(|mv| {
        let after = board.after(mv);
        let replaced = fits(after, tail).then_some(Repair::Replace(mv));
        let inserted = (first.is_move() && fits(after, whole)).then_some(Repair::Insert(mv));
        [replaced, inserted].into_iter().flatten()
    });
    match (ways.next(), ways.next()) {
        (Some(only), None) => only,
        _ => Repair::Impossible,
    }
}

/// Whether all the moves of these items are legal, one after another.
fn fits(mut board: Board, items: &[Item]) -> bool {
    items.iter().filter(|item| item.is_move()).all(|item| {
        let mv = item.legal_move(&board);
        if let Some(mv) = mv {
            board.play(mv);
        }
        mv.is_some()
    })
}

/// What a person should know about a damaged place, and how it was repaired.
pub(super) fn describe(board: &Board, items: &[Item], repair: &Repair) -> String {
    let Some(first) = items.first() else {
        return String::new();
    };
    let line = first.line;
    let problem = match &first.kind {
        ItemKind::Move { san, text } => match san.to_move(board, Dialect::Import) {
            Err(error) if *repair == Repair::Impossible => {
                format!("line {line} has an illegal move: {error}")
            }
            _ => format!("line {line} has an illegal move, {}", printable(text)),
        },
        _ => format!("line {line} is not valid PGN"),
    };
    let kept = "the moves after it are kept";
    match repair {
        Repair::Skip => format!("{problem}; the moves around it fit together, and {kept}"),
        Repair::Replace(mv) => format!(
            "{problem}; {} was played there, the only move that fits, and {kept}",
            write_san(board, *mv)
        ),
        Repair::Insert(mv) => format!(
            "{problem}; {} was played before it, the only move that fits, and {kept}",
            write_san(board, *mv)
        ),
        Repair::Impossible => format!(
            "{problem}; it continues from the last good move{}",
            left_out(&items[1..])
        ),
    }
}

/// The moves that are left out, for the person who may want to play them again.
fn left_out(items: &[Item]) -> String {
    const SHOWN: usize = 12;
    let moves: Vec<String> = items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Move { text, .. } => Some(printable(text)),
            _ => None,
        })
        .collect();
    let shown = moves[..moves.len().min(SHOWN)].join(" ");
    let more = if moves.len() > SHOWN { " …" } else { "" };
    match moves.len() {
        0 => String::new(),
        1 => format!(", without the move after it: {shown}"),
        count => format!(", without the {count} moves after it: {shown}{more}"),
    }
}
