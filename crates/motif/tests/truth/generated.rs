//! Positions made from rules: a few pieces on random squares. Where a motif holds by the slow definition, the library
//! must find it; where it does not, the library must not say it.

use std::collections::BTreeMap;

use tabiya_board::{Board, Color, Move, Piece, Role, Square};
use tabiya_motif::{Idea, Motif};
use tabiya_notation::write_san;

use super::Random;
use super::oracle::{Case, always, mates, mates_by};

/// The number of positions.
const POSITIONS: usize = 4_000;

/// The motifs that hold by definition, in words that the library's motifs can be compared with.
fn by_definition(case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    if case.after.legal_moves().is_empty() {
        return found;
    }
    if mates_by(&case.board, case.mv, 2) {
        return vec!["mate in 2".to_owned()];
    }
    if case.is_fork(0) {
        found.push(format!("fork {:?}", case.forked()));
    }
    for row in case.rows() {
        let [by, front, behind] = row;
        // The library names rows that the move has made.
        let was_row = Case::new(case.board, case.mv, None).existed(row);
        if !was_row && case.is_pin(row) {
            found.push(format!("pin {by}{front}{behind}"));
        }
        if !was_row && case.is_skewer(row, 0) {
            found.push(format!("skewer {by}{front}{behind}"));
        }
    }
    if case.gives_double_check() {
        found.push("double check".to_owned());
    }
    if case.gives_discovered_check() {
        found.push("discovered check".to_owned());
    }
    if always(&case.after, case.us, case.base + 1, 0) {
        for square in case.undefended_now().into_iter().take(1) {
            let _ = square;
            found.push("removes defender".to_owned());
        }
    }
    if !case.saved().is_empty() {
        found.push("saves".to_owned());
    }
    if case.is_only_defence() {
        found.push("only defence".to_owned());
    } else if !mates(&case.after, 1)
        && case
            .board
            .null_move()
            .is_some_and(|passed| mates(&passed, 1))
    {
        found.push("stops mate in 1".to_owned());
    }
    found
}

fn by_library(motifs: &[Motif]) -> Vec<String> {
    let name = |motif: &Motif| {
        Some(match motif {
            Motif::Mate { moves: 2, .. } => "mate in 2".to_owned(),
            Motif::Fork { targets } => {
                let mut squares: Vec<Square> = targets.iter().map(|target| target.square).collect();
                squares.sort();
                format!("fork {squares:?}")
            }
            Motif::Pin { target, behind, by } => {
                format!("pin {by}{}{}", target.square, behind.square)
            }
            Motif::Skewer { target, behind, by } => {
                format!("skewer {by}{}{}", target.square, behind.square)
            }
            Motif::DoubleCheck => "double check".to_owned(),
            Motif::DiscoveredCheck => "discovered check".to_owned(),
            Motif::RemovesDefender { .. } => "removes defender".to_owned(),
            Motif::Saves { .. } => "saves".to_owned(),
            Motif::StopsMate { is_only: true, .. } => "only defence".to_owned(),
            Motif::StopsMate { moves: 1, .. } => "stops mate in 1".to_owned(),
            _ => return None,
        })
    };
    motifs.iter().filter_map(name).collect()
}

/// Kings and two to eight other pieces; pawns stay off the first and last rank by the rules of a setup.
fn draw(random: &mut Random) -> Option<(Board, Move)> {
    let count = 2 + random.below(7);
    let pieces: Vec<Piece> = (0..count)
        .map(|index| {
            let color = Color::ALL[index % 2];
            let role = random.of(&[
                Role::Queen,
                Role::Rook,
                Role::Rook,
                Role::Bishop,
                Role::Knight,
                Role::Knight,
                Role::Pawn,
                Role::Pawn,
            ]);
            Piece::new(color, role)
        })
        .collect();
    let board = random.position(&pieces)?;
    let mv = random.legal_move(&board)?;
    Some((board, mv))
}

#[test]
fn motifs_are_found_exactly_where_they_hold() {
    let mut random = Random(2026);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = 0;
    while seen < POSITIONS {
        let Some((board, _)) = draw(&mut random) else {
            continue;
        };
        seen += 1;
        for mv in board.legal_moves() {
            let case = Case::new(board, mv, None);
            let mut wanted = by_definition(&case);
            let explanation = Idea::new(&board, &[mv]).explain();
            let mut found = by_library(&explanation.motifs);
            for motif in &explanation.motifs {
                assert!(
                    case.holds(motif),
                    "{board} {}: {motif:?} is false",
                    write_san(&board, mv)
                );
            }
            // The library also follows forcing moves, so it may find more forks and skewers; those hold, as just
            // checked.
            found.retain(|name| {
                let is_deep = name.starts_with("fork")
                    || name.starts_with("skewer")
                    || name.starts_with("removes");
                !is_deep || wanted.contains(name)
            });
            wanted.sort();
            found.sort();
            assert_eq!(found, wanted, "{board} {}", write_san(&board, mv));
            for name in wanted {
                let kind = name.split([' ', '[']).take(2).collect::<Vec<_>>();
                let kind = match kind[0] {
                    "fork" | "pin" | "skewer" => kind[0].to_owned(),
                    _ => kind.join(" "),
                };
                *counts.entry(kind).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    for kind in [
        "fork",
        "pin",
        "skewer",
        "discovered check",
        "double check",
        "removes defender",
        "saves",
        "only defence",
        "stops mate",
        "mate in",
    ] {
        assert!(
            counts.get(kind).is_some_and(|&count| count >= 10),
            "{kind}: {counts:?}"
        );
    }
}
