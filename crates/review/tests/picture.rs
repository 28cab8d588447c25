//! The graph in the documentation: the Immortal Game, analysed to depth 16.
//!
//! The engine's evaluations are in a file, so that the picture changes only with the drawing code. After such a change,
//! write it again and look at it: `TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-review --test picture`

use std::fs;
use std::path::Path;

use tabiya_board::{Color, Move};
use tabiya_notation::pgn::{self, Game, NodeId, Reader};
use tabiya_review::{Eval, PositionEval, Review};

/// The evaluation of the starting position, which has no comment.
const START: Eval = Eval::Centipawns(35);

fn read() -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/immortal.pgn");
    let text = fs::read(path).expect("the game is there");
    let game = Game::read(&mut Reader::new(&text));
    game.expect("there is a game").expect("it is sound")
}

/// The evaluation after a move.
fn eval(game: &Game, id: NodeId) -> Eval {
    let comment = game.node(id).comments.first();
    match comment.and_then(|comment| pgn::eval(comment)) {
        Some(score) => Eval::from_white(score),
        None => Eval::of_outcome(game.board(id).outcome().expect("it is the end")),
    }
}

/// The best line before a move: a variation, or else the move itself.
fn best(game: &Game, id: NodeId) -> Vec<Move> {
    let parent = game.parent(id).expect("it is a move");
    let first = game.children(parent).nth(1).unwrap_or(id);
    let line = std::iter::successors(Some(first), |&at| game.children(at).next());
    line.filter_map(|at| game.move_to(at)).collect()
}

fn review(game: &Game) -> Review {
    let line: Vec<NodeId> = game.main_line().collect();
    let evals = std::iter::once(START).chain(line.iter().map(|&id| eval(game, id)));
    let bests = line.iter().map(|&id| best(game, id)).chain([Vec::new()]);
    let positions = evals.zip(bests).map(|(eval, best)| PositionEval {
        eval,
        best,
        depth: 16,
    });
    Review::new(game, positions.collect())
}

/// The annotations are enough to judge the game again.
#[test]
fn annotations_reproduce_the_review() {
    let game = read();
    let review = review(&game);
    let accuracy = |color| format!("{:.1}", review.summary(color).accuracy.unwrap());
    assert_eq!(
        game.tag("WhiteAccuracy"),
        Some(accuracy(Color::White).as_str())
    );
    assert_eq!(
        game.tag("BlackAccuracy"),
        Some(accuracy(Color::Black).as_str())
    );
    let mut again = game.clone();
    review.annotate(&mut again);
    assert_eq!(again.to_string(), game.to_string());
}

#[test]
fn the_picture_is_up_to_date() {
    let drawn = review(&read()).svg("Adolf Anderssen – Lionel Kieseritzky, 1-0");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/analyse.svg");
    if std::env::var_os("TABIYA_UPDATE_IMAGES").is_some() {
        fs::write(&path, &drawn).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    // Git may have converted the line endings.
    assert!(
        kept.replace('\r', "") == drawn,
        "docs/images/analyse.svg is not what is drawn. If it should be, run \
         TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-review --test picture"
    );
}
