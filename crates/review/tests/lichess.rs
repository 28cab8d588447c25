//! Games that Lichess has analysed: we judge the moves that it judges.
//!
//! The files of games that Lichess publishes tell mistakes from blunders by centipawns, and its site by chances, as we do.
//! But which moves are bad at all is the same in both, and so is what is said about mates.

use std::path::Path;

use tabiya_notation::pgn::{self, Game, NodeId, Reader};
use tabiya_review::{Eval, Judgement, judge};

fn eval(game: &Game, id: NodeId) -> Option<Eval> {
    let told = game.node(id).comments.iter();
    told.map(|comment| pgn::eval(comment))
        .next()?
        .map(Eval::from_white)
}

fn judgement(game: &Game, id: NodeId) -> Option<Judgement> {
    let nags = &game.node(id).nags;
    let mut all = Judgement::ALL.into_iter();
    all.find(|judgement| nags.contains(&judgement.nag()))
}

#[test]
fn the_same_moves_are_bad() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games/lichess_db_1000k.pgn");
    let Ok(text) = std::fs::read(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let mut reader = Reader::new(&text);
    let (mut moves, mut mates, mut others) = (0, 0, Vec::new());
    while let Some(game) = Game::read(&mut reader) {
        let game = game.expect("the games are sound");
        let mut board = *game.start();
        // What Lichess takes for the start.
        let mut before = Eval::Centipawns(15);
        for id in game.main_line() {
            let mover = board.turn();
            board.play(game.move_to(id).expect("nobody passes"));
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
    println!("{moves} moves, {mates} mates come or gone");
    assert!(moves > 1000 && mates > 5, "there is something to compare");
    // Lichess judges no move where it has no better one to show; which that was is not in the file.
    assert!(others.len() * 500 <= moves, "{others:#?}");
}
