//! Reviews of whole games.

use proptest::prelude::*;
use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_notation::pgn::{Game, Reader, eval};
use tabiya_review::{
    AdviceReason, Eval, GameCard, Judgement, PositionEval, Review, game_accuracy, move_accuracy,
    review,
};

fn read(pgn: &str) -> Game {
    let game = Game::read(&mut Reader::new(pgn.as_bytes()));
    game.expect("there is a game").expect("it is sound")
}

fn reviewed(game: &Game, depth: u32) -> Review {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let signal = StopSignal::default();
    review(
        &mut Engine::default(),
        game,
        &limits,
        &signal,
        &mut |_, _| {},
    )
    .expect("the review is not stopped")
}

fn annotated(game: &Game, depth: u32) -> Game {
    let mut annotated = game.clone();
    reviewed(game, depth).annotate(&mut annotated);
    annotated
}

fn moves(game: &Game) -> Vec<Option<Move>> {
    game.main_line().map(|id| game.move_to(id)).collect()
}

/// Black takes a pawn and loses the queen for it.
const QUEEN_LOST: &str = "1. e4 e5 2. Nf3 Qf6 3. Nc3 Qxf3 4. Qxf3 Nf6 *";
/// White could mate with 4. Qxf7.
const MATE_MISSED: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. d3 d6 *";

#[test]
fn a_lost_queen_is_a_blunder() {
    let game = read(QUEEN_LOST);
    let review = reviewed(&game, 8);
    assert_eq!(review.moves.len(), 8);
    let lost = &review.moves[5];
    assert_eq!(lost.name(), "3... Qxf3??");
    assert_eq!(lost.mover(), Color::Black);
    let advice = lost.advice.expect("it is a blunder");
    assert_eq!(
        (advice.judgement, advice.reason),
        (Judgement::Blunder, AdviceReason::Chances)
    );
    assert!(lost.accuracy < 40.0, "{}", lost.accuracy);
    assert_eq!(review.black.blunders, 1);
    assert_eq!(
        (
            review.white.blunders,
            review.white.moves,
            review.black.moves
        ),
        (0, 4, 4)
    );
    assert!(review.white.accuracy > review.black.accuracy);
    assert!(review.white.centipawn_loss < review.black.centipawn_loss);
    // Each position is followed by the next.
    for pair in review.moves.windows(2) {
        assert_eq!(pair[0].after, pair[1].before);
    }
    assert_eq!(review.start, review.moves[0].before);
}

#[test]
fn missed_and_allowed_mates_are_blunders() {
    let review = reviewed(&read(MATE_MISSED), 6);
    let allowed = review.moves[5].advice.expect("3... Nf6 is a blunder");
    assert_eq!(
        (allowed.judgement, allowed.reason),
        (Judgement::Blunder, AdviceReason::MateAllowed)
    );
    let missed = review.moves[6].advice.expect("4. d3 is a blunder");
    assert_eq!(missed.reason, AdviceReason::MateMissed);
    let mate = Eval::Mate {
        winner: Color::White,
        moves: 1,
    };
    assert_eq!(review.moves[6].before, mate);
    let remark = review.moves[6].remark().unwrap();
    assert!(remark.starts_with("(#1 → "), "{remark}");
    assert!(
        remark.ends_with(") Lost forced checkmate sequence: misses mate in 1. Qxf7# was best."),
        "{remark}"
    );
}

#[test]
fn finished_games_have_exact_evaluations() {
    let mate = reviewed(&read("1. f3 e5 2. g4 Qh4# 0-1"), 4);
    let last = mate.moves.last().unwrap();
    assert_eq!(last.after.to_string(), "#-0");
    assert_eq!((last.advice, last.accuracy), (None, 100.0));
    let game = annotated(&read("1. f3 e5 2. g4 Qh4# 0-1"), 4);
    let text = game.to_string().replace('\n', " ");
    assert!(text.ends_with("Qh4# 0-1 "), "{text}");

    let stalemate = "[FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"]\n\n1. Qf7 1/2-1/2";
    let review = reviewed(&read(stalemate), 4);
    assert_eq!(review.moves[0].after, Eval::Centipawns(0));
    assert_eq!(
        review.moves[0].advice.unwrap().reason,
        AdviceReason::MateMissed
    );
    assert_eq!(review.black.accuracy, None);

    let none = reviewed(&read("*"), 2);
    assert!(none.moves.is_empty());
    assert_eq!(
        (none.white.accuracy, none.white.centipawn_loss),
        (None, None)
    );
    assert!(none.svg("Nothing").contains("<path"));
}

#[test]
fn null_moves_are_not_judged() {
    let review = reviewed(&read("1. e4 -- 2. d4 d5 *"), 4);
    assert_eq!(review.moves.len(), 4);
    assert_eq!(review.moves[1].san(), "--");
    assert_eq!(review.moves[1].advice, None);
    assert_eq!((review.white.moves, review.black.moves), (2, 1));
    let text = annotated(&read("1. e4 -- 2. d4 d5 *"), 4).to_string();
    assert!(text.contains("1... -- { [%eval "), "{text}");
}

/// If the played move is better than the best move found, it counts as the best.
#[test]
fn the_played_move_can_be_the_best() {
    let game = read("1. f3 e5 2. g4 Qh4# 0-1");
    let mut board = Board::start();
    let mut positions = Vec::new();
    for id in game.main_line() {
        // Every position is level.
        let best = board.legal_moves().into_iter().next().unwrap();
        positions.push(PositionEval {
            eval: Eval::Centipawns(0),
            best: vec![best],
            depth: 1,
        });
        board.play(game.move_to(id).unwrap());
    }
    positions.push(PositionEval {
        eval: Eval::of_outcome(board.outcome().unwrap()),
        best: Vec::new(),
        depth: 0,
    });
    let review = Review::new(&game, positions.clone());
    let before: Vec<String> = review
        .moves
        .iter()
        .map(|mv| mv.before.to_string())
        .collect();
    assert_eq!(before, ["0.00", "0.00", "0.00", "#-1"]);
    assert_eq!(review.moves[3].best_san().as_deref(), Some("Qh4#"));
    assert_eq!(
        review.moves[2].advice.unwrap().reason,
        AdviceReason::MateAllowed
    );
    // The review stops with the last evaluation.
    positions.truncate(3);
    assert_eq!(Review::new(&game, positions).moves.len(), 2);
    assert!(Review::new(&game, Vec::new()).moves.is_empty());
}

#[test]
fn a_stopped_review_returns_none() {
    let signal = StopSignal::default();
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    let mut engine = Engine::default();
    let mut done = 0;
    let stopped = review(
        &mut engine,
        &read(QUEEN_LOST),
        &limits,
        &signal,
        &mut |seen, total| {
            assert_eq!(total, 9);
            done = seen;
            if seen == 3 {
                signal.stop();
            }
        },
    );
    assert_eq!((stopped, done), (None, 3));
}

#[test]
fn annotations_are_written() {
    let game = annotated(&read(QUEEN_LOST), 8);
    let text = game.to_string();
    let in_one_line = text.replace('\n', " ");
    assert!(in_one_line.contains("1. e4 { [%eval "), "{text}");
    assert!(in_one_line.contains(" 3... Qxf3 $4 { [%eval "), "{text}");
    assert!(in_one_line.contains("Blunder: loses the queen"), "{text}");
    assert!(text.contains("[BlackAccuracy \""), "{text}");
    assert!(text.contains("[Annotator \"Tabiya "), "{text}");
    for id in game.main_line() {
        assert!(eval(&game.node(id).comments[0]).is_some(), "{text}");
    }
    // Writing and reading again gives the same game.
    assert_eq!(moves(&read(&text)), moves(&read(QUEEN_LOST)));
    let again = read(&text);
    assert_eq!(read(&again.to_string()), again);
    // The best line is a variation of the played move.
    let blunder = game.main_line().nth(5).unwrap();
    let parent = game.parent(blunder).unwrap();
    assert_eq!(game.children(parent).len(), 2);
    // A second review changes nothing.
    assert_eq!(annotated(&game, 8).to_string(), text);
}

#[test]
fn comments_by_people_are_kept() {
    let pgn = "[Annotator \"Somebody\"]\n\n1. e4 { [%eval 0.3] [%clk 0:05:00] Best by test. } e5 $1 { [%eval 0.2] } \
               2. Nf3 Qf6 (2... Nc6 3. Bb5 { Spanish }) 3. Nc3 Qxf3 $1 { Why not? } \
               { (0.20 → 0.90) Mistake. Bb4 was best. } (3... Bb4 4. Nd5) (3... c6 $5) 4. Qxf3 *";
    let game = annotated(&read(pgn), 8);
    let text = game.to_string().replace('\n', " ");
    assert!(text.contains("[Annotator \"Somebody\"]"), "{text}");
    assert_eq!(text.matches("[%eval").count(), 7, "{text}");
    assert!(text.contains("] [%clk 0:05:00] Best by test. }"), "{text}");
    assert!(text.contains("e5 $1 { [%eval "), "{text}");
    assert!(text.contains("{ Why not? }"), "{text}");
    assert!(text.contains("{ Spanish }"), "{text}");
    assert!(text.contains("(3... c6 $5"), "{text}");
    // The earlier judgement and its line are gone, and only one glyph is left.
    assert!(!text.contains("0.90"), "{text}");
    assert!(!text.contains("4. Nd5)"), "{text}");
    assert!(text.contains("Qxf3 $4 {"), "{text}");
}

#[test]
fn the_graph_is_drawn() {
    let review = reviewed(&read(QUEEN_LOST), 6);
    let svg = review.svg("Tom & Jerry <1-0>\u{7}");
    assert!(
        svg.contains("<title id=\"title\">Tom &amp; Jerry &lt;1-0&gt; </title>"),
        "{svg}"
    );
    assert!(svg.contains(">3... Qxf3??</text>"), "{svg}");
    let bad = review.moves.iter().filter(|mv| mv.advice.is_some()).count();
    assert_eq!(svg.matches("<g><").count(), bad, "{svg}");
    assert!(!svg.contains("NaN"), "{svg}");
}

/// A random game from numbers that choose among the legal moves.
fn play(choices: &[usize]) -> Game {
    let mut game = Game::new(Board::start());
    let mut board = Board::start();
    let mut at = Game::ROOT;
    for choice in choices {
        let legal: Vec<Move> = board.legal_moves().into_iter().collect();
        if legal.is_empty() {
            break;
        }
        let mv = legal[choice % legal.len()];
        at = game.add_unchecked(at, Some(mv));
        board.play(mv);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn annotated_games_have_the_same_moves(choices in prop::collection::vec(0_usize..1000, 0..40)) {
        let game = play(&choices);
        let annotated = annotated(&game, 2);
        let again = read(&annotated.to_string());
        prop_assert_eq!(moves(&again), moves(&game));
        prop_assert_eq!(again.to_string(), annotated.to_string());
        let review = reviewed(&game, 2);
        for summary in [review.white, review.black] {
            prop_assert_eq!(summary.accuracy.is_some(), summary.moves > 0);
            prop_assert!(summary.accuracy.is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy)));
        }
    }
}

/// Fragments of comments, including commands and judgements.
const PIECES: [&str; 12] = [
    "[%eval 0.17]",
    "[%eval #-2,18]",
    "[%eval",
    "[%clk 0:01:00]",
    "[%",
    "]",
    "Mistake.",
    "(0.10 → -1.44) Blunder. Nf3 was best.",
    "Lost forced checkmate sequence.",
    "e4 was best.",
    "änders",
    " ",
];

proptest! {
    /// Annotating a game twice gives the same as annotating it once.
    #[test]
    fn annotating_twice_changes_nothing(
        evals in prop::collection::vec(-400..400_i32, 9),
        comments in prop::collection::vec((0_usize..8, prop::collection::vec(0_usize..12, 0..6)), 0..6),
        nags in prop::collection::vec((0_usize..8, 0_u8..20), 0..4),
    ) {
        let mut game = read(QUEEN_LOST);
        let line: Vec<_> = game.main_line().collect();
        for (at, pieces) in comments {
            let comment: Vec<&str> = pieces.iter().map(|&piece| PIECES[piece]).collect();
            game.node_mut(line[at]).comments.push(comment.join(" ").trim().to_owned());
        }
        for (at, nag) in nags {
            game.node_mut(line[at]).nags.push(nag);
        }
        let mut board = Board::start();
        let positions = evals.into_iter().zip((0..9).map(|i| line.get(i))).map(|(eval, node)| {
            let best = board.legal_moves().into_iter().next().unwrap();
            if let Some(mv) = node.and_then(|&node| game.move_to(node)) {
                board.play(mv);
            }
            PositionEval { eval: Eval::Centipawns(eval), best: vec![best], depth: 1 }
        });
        let positions: Vec<PositionEval> = positions.collect();
        let before = moves(&game);
        Review::new(&game, positions.clone()).annotate(&mut game);
        prop_assert_eq!(moves(&game), before);
        let text = game.to_string();
        let mut again = read(&text);
        prop_assert_eq!(moves(&again), moves(&game));
        Review::new(&again, positions).annotate(&mut again);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn accuracy_is_between_0_and_100(percents in prop::collection::vec(0.0..=100.0_f64, 2..200)) {
        let movers: Vec<Option<Color>> = [Some(Color::White), Some(Color::Black)]
            .into_iter()
            .cycle()
            .take(percents.len() - 1)
            .collect();
        for color in Color::ALL {
            let accuracy = game_accuracy(&percents, &movers, color);
            prop_assert!(accuracy.is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy)));
        }
        // A larger loss is less accurate.
        let (before, after) = (percents[0], percents[1]);
        prop_assert!(move_accuracy(before, after) <= move_accuracy(before, after + 1.0));
    }
}

#[test]
fn the_card_names_the_worst_move_of_each_side() {
    let game = read(QUEEN_LOST);
    let mut history = GameHistory::new(*game.start());
    for mv in moves(&game).into_iter().flatten() {
        history.play(mv);
    }
    let signal = StopSignal::default();
    let mut seen = Vec::new();
    let card = GameCard::of(
        &mut Engine::default(),
        &history,
        5_000,
        &signal,
        &mut |done, total| seen.push((done, total)),
    )
    .expect("the card is not stopped");
    assert_eq!(seen, (1..=9).map(|done| (done, 9)).collect::<Vec<_>>());
    let worst = card.player(Color::Black).worst.as_ref().unwrap();
    assert_eq!((worst.ply, worst.name.as_str()), (5, "3... Qxf3??"));
    assert_eq!(worst.judgement, Judgement::Blunder);
    assert!(
        worst
            .reason
            .starts_with("loses the queen for a minor piece; "),
        "{}",
        worst.reason
    );
    assert!(card.first_mistake.is_some_and(|ply| ply <= 5));
    assert_eq!(card.white.accuracy, card.review.white.accuracy);

    signal.stop();
    let mut engine = Engine::default();
    let stopped = GameCard::of(&mut engine, &history, 5_000, &signal, &mut |_, _| {});
    assert_eq!(stopped, None);
    // A game without moves has a card without moves.
    let none = GameHistory::new(Board::start());
    let signal = StopSignal::default();
    let card = GameCard::of(&mut engine, &none, 100, &signal, &mut |_, _| {}).unwrap();
    assert_eq!(
        (card.white.accuracy, card.white.worst, card.first_mistake),
        (None, None, None)
    );
}
