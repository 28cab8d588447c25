//! Judgements compared with those of Lichess: a table made from its published rules, and, where the file is present,
//! games that Lichess has analysed.
//!
//! The game files that Lichess publishes separate mistakes from blunders by centipawns; its site does so by winning
//! chances, as we do. Which moves are bad at all, and the judgements about mates, are the same in both.

use std::path::Path;

use tabiya_board::Color;
use tabiya_notation::pgn::{self, Game, NodeId, Reader};
use tabiya_review::{Eval, Judgement, judge};

fn eval(game: &Game, id: NodeId) -> Option<Eval> {
    let comments = game.node(id).comments.iter();
    comments
        .map(|comment| pgn::eval(comment))
        .next()?
        .map(Eval::from_white)
}

fn judgement(game: &Game, id: NodeId) -> Option<Judgement> {
    let nags = &game.node(id).nags;
    let mut all = Judgement::ALL.into_iter();
    all.find(|judgement| nags.contains(&judgement.nag()))
}

/// Parses `-0.31`, `#3` or `#-3`.
fn parse_eval(text: &str) -> Eval {
    let Some(mate) = text.strip_prefix('#') else {
        let pawns: f64 = text.parse().unwrap();
        return Eval::Centipawns((pawns * 100.0).round() as i32);
    };
    let moves: i32 = mate.parse().unwrap();
    Eval::Mate {
        winner: if moves > 0 {
            Color::White
        } else {
            Color::Black
        },
        moves: moves.unsigned_abs(),
    }
}

#[test]
fn judgements_follow_the_published_rules() {
    let mut rows = 0;
    for line in include_str!("judgements.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [mover, before, after, expected] = words[..] else {
            panic!("not a row: {line}");
        };
        let mover = match mover {
            "White" => Color::White,
            _ => Color::Black,
        };
        let found = judge(parse_eval(before), parse_eval(after), mover);
        let found = found.map_or("good".to_owned(), |advice| {
            advice.judgement.name().to_lowercase()
        });
        assert_eq!(found, expected, "{line}");
        rows += 1;
    }
    assert!(rows >= 200, "{rows} rows");
}

#[test]
fn bad_moves_agree_with_lichess() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games/lichess_db_1000k.pgn");
    let Ok(text) = std::fs::read(&path) else {
        println!("not found: {}", path.display());
        return;
    };
    let mut reader = Reader::new(&text);
    let (mut moves, mut mates, mut others) = (0, 0, Vec::new());
    while let Some(game) = Game::read(&mut reader) {
        let game = game.expect("the games are valid");
        let mut board = *game.start();
        // The evaluation that Lichess assumes for the starting position.
        let mut before = Eval::Centipawns(15);
        for id in game.main_line() {
            let mover = board.turn();
            board.play(game.move_to(id).expect("there is no null move"));
            let Some(after) = eval(&game, id) else {
                break;
            };
            moves += 1;
            let ours = judge(before, after, mover).map(|advice| advice.judgement);
            let theirs = judgement(&game, id);
            let is_mate = [before, after]
                .iter()
                .any(|eval| matches!(eval, Eval::Mate { .. }));
            mates += usize::from(is_mate && ours.is_some());
            let agrees = if is_mate {
                ours == theirs
            } else {
                ours.is_some() == theirs.is_some()
            };
            if !agrees {
                others.push(format!("{before} → {after}: {ours:?}, not {theirs:?}"));
            }
            before = after;
        }
    }
    println!("{moves} moves, {mates} mates missed or allowed");
    assert!(moves > 1000 && mates > 5, "too little to compare");
    // Lichess does not judge a move if it has no better one to show, and the file does not say when.
    assert!(others.len() * 500 <= moves, "{others:#?}");
}
