//! No false sentence on positions of random games.

use tabiya_board::{Board, GameHistory, Move};
use tabiya_engine::{Engine, Limits};
use tabiya_motif::{Idea, Mistake, Target, explain_mistake};
use tabiya_notation::{Score, write_san};

use super::Random;
use super::oracle::{Case, ahead, mates, mates_by, price};

/// The number of positions. A longer campaign sets TABIYA_MOTIF_POSITIONS and TABIYA_MOTIF_SEED.
const POSITIONS: usize = 10_000;
/// The engine's nodes for a line.
const NODES: u64 = 300;

fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The engine's line and score.
fn think(engine: &mut Engine, board: &Board) -> Option<(Vec<Move>, Score)> {
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let history = GameHistory::new(*board);
    let thought = engine.think(&history, &limits, &mut |_| {})?;
    let mut line = thought.info.pv;
    if line.first() != Some(&thought.best) {
        line = vec![thought.best];
    }
    Some((line, thought.info.score))
}

/// Checks every motif of an idea, and returns how many there are.
fn check(idea: &Idea) -> usize {
    let explanation = idea.explain();
    let mv = idea.line[0];
    let previous = idea.previous.map(|(board, last)| (*board, last));
    let case = Case::new(*idea.board, mv, previous);
    for motif in &explanation.motifs {
        assert!(
            case.holds(motif),
            "{} {}: {} is false ({motif:?}, previous {previous:?})",
            idea.board,
            write_san(idea.board, mv),
            motif.phrase(),
        );
    }
    explanation.motifs.len()
}

/// Checks the reason why a move is bad.
fn check_mistake(board: &Board, played: Move, mistake: &Mistake) {
    let after = board.after(played);
    let is_true = match mistake {
        Mistake::AllowsMate { reply, moves, .. } => mates_by(&after, *reply, *moves),
        Mistake::MissesMate { moves } => mates(board, *moves),
        Mistake::Hangs { target } | Mistake::LeavesHanging { target } => {
            loses(board, played, *target, 0)
        }
        Mistake::Loses { target, cost } => loses(board, played, *target, *cost),
        // The motifs have been checked with the reply and the best move.
        Mistake::Allows { reply, .. } => after.is_legal(*reply),
        Mistake::Misses { best, .. } => board.is_legal(*best),
        other => panic!("no definition of {other:?}"),
    };
    assert!(
        is_true,
        "{board} {}: {mistake} is false ({mistake:?})",
        write_san(board, played)
    );
}

/// Whether the opponent can take the piece with a net gain of its worth less the cost.
fn loses(board: &Board, played: Move, target: Target, cost: i32) -> bool {
    let after = board.after(played);
    let them = after.turn();
    let given = match board.captured(played) {
        Some(role) if played.to() == target.square => price(role),
        _ => 0,
    };
    let least = ahead(&after, them) + given + price(target.role) - cost;
    after.role_at(target.square) == Some(target.role)
        && after.legal_moves().into_iter().any(|mv| {
            mv.to() == target.square && super::oracle::always(&after.after(mv), them, least, 0)
        })
}

#[test]
fn no_sentence_is_false_on_ten_thousand_random_positions() {
    let positions = setting("TABIYA_MOTIF_POSITIONS", POSITIONS as u64) as usize;
    let mut random = Random(setting("TABIYA_MOTIF_SEED", 18));
    let mut engine = Engine::default();
    let (mut seen, mut said, mut silent, mut mistakes) = (0, 0, 0, 0);
    while seen < positions {
        // Some games are wild, others are played by the engine most of the time.
        let wildness = random.of(&[20, 50, 100]);
        let mut board = Board::start();
        let mut previous: Option<(Board, Move)> = None;
        for _ in 0..120 {
            if board.outcome().is_some() || seen == positions {
                break;
            }
            let Some((line, score)) = think(&mut engine, &board) else {
                break;
            };
            let idea = Idea {
                board: &board,
                line: &line,
                score: Some(score),
                previous: previous.as_ref().map(|(before, last)| (before, *last)),
            };
            let count = check(&idea);
            said += count;
            silent += usize::from(count == 0);
            seen += 1;
            let Some(wild) = random.legal_move(&board) else {
                break;
            };
            let mv = if random.below(100) < wildness {
                wild
            } else {
                line[0]
            };
            if mv != line[0]
                && let Some((reply, after)) = think(&mut engine, &board.after(mv))
            {
                // Truth doesn't depend on a good line.
                check(&Idea::new(&board, &[mv]));
                check(&Idea {
                    board: &board.after(mv),
                    line: &reply,
                    score: Some(after),
                    previous: Some((&board, mv)),
                });
                if let Some(mistake) = explain_mistake(&board, mv, &line, &reply, (score, after)) {
                    check_mistake(&board, mv, &mistake);
                    mistakes += 1;
                }
            }
            previous = Some((board, mv));
            board.play(mv);
        }
    }
    println!("{seen} positions, {said} facts, {silent} without a word, {mistakes} mistakes");
    assert!(said > seen, "{said} facts");
    assert!(mistakes > seen / 10, "{mistakes} mistakes");
}
