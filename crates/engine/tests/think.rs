//! What callers of the engine rely on.

use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory, Move};
use tabiya_engine::{Engine, GameClock, Limits, SearchResult, StopSignal};
use tabiya_notation::Score;
use tabiya_notation::uci::SearchInfo;

fn line(fen: &str) -> GameHistory {
    fen.parse::<Board>().expect("the FEN is right").into()
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn think(line: &GameHistory, limits: &Limits) -> SearchResult {
    think_with(&mut Engine::default(), line, limits)
}

fn think_with(engine: &mut Engine, line: &GameHistory, limits: &Limits) -> SearchResult {
    let thought = engine.think(line, limits, &mut |info| check(line, info));
    let thought = thought.expect("there is a legal move");
    check(line, &thought.info);
    assert!(line.board().is_legal(thought.best));
    thought
}

/// Every line reported can be played.
#[track_caller]
fn check(line: &GameHistory, info: &SearchInfo) {
    let mut line = line.clone();
    assert!(!info.pv.is_empty());
    for &mv in &info.pv {
        line.try_play(mv).expect("the line can be played");
    }
    // A mate that is promised is a mate, if the line goes that far.
    if let Score::Mate(moves) = info.score {
        let plies = moves.unsigned_abs() as usize * 2 - usize::from(moves > 0);
        assert!(info.pv.len() <= plies, "{info:?}");
        if info.pv.len() == plies {
            assert!(line.board().is_checkmate(), "{info:?}");
        }
    }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", -1),
    ] {
        let thought = think(&line(fen), &to_depth(10));
        assert_eq!(thought.info.score, Score::Mate(mate), "{fen}");
    }
}

#[test]
fn a_mate_that_is_found_stays_found() {
    let line = line("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let mut engine = Engine::default();
    for depth in 8..16 {
        let thought = engine.think(&line, &to_depth(depth), &mut |_| {}).unwrap();
        assert_eq!(thought.info.score, Score::Mate(3), "depth {depth}");
    }
}

#[test]
fn threads_think_together() {
    let mut engine = Engine::default();
    engine.set_threads(4);
    for lines in [1, 3] {
        engine.set_multipv(lines);
        for fen in tabiya_engine::bench::POSITIONS {
            let depth = 9;
            let thought = think_with(&mut engine, &line(fen), &to_depth(depth));
            assert_eq!(thought.info.depth, depth, "{fen}");
            engine.new_game();
        }
        let mate = line("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
        let thought = think_with(&mut engine, &mate, &to_depth(10));
        assert_eq!(thought.info.score, Score::Mate(3));
    }
}

#[test]
fn there_is_nothing_to_think_about_when_the_game_is_over() {
    for fen in [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1",
    ] {
        let mut engine = Engine::default();
        assert!(
            engine
                .think(&line(fen), &to_depth(3), &mut |_| {})
                .is_none()
        );
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    let limits = Limits {
        nodes: Some(40_000),
        ..Limits::default()
    };
    let run = || {
        let mut reports = Vec::new();
        let mut engine = Engine::default();
        let thought = engine.think(&GameHistory::default(), &limits, &mut |info| {
            reports.push((info.depth, info.nodes, info.score, info.pv.clone()));
        });
        let thought = thought.expect("there is a legal move");
        (thought.best, thought.info.nodes, reports)
    };
    let first = run();
    assert_eq!(first, run());
    assert!((40_000..40_300).contains(&first.1), "{}", first.1);
}

#[test]
fn only_the_moves_asked_for() {
    let line = GameHistory::default();
    let moves: Vec<Move> = line.board().legal_moves().iter().copied().take(2).collect();
    let limits = Limits {
        search_moves: moves.clone(),
        ..to_depth(5)
    };
    assert!(moves.contains(&think(&line, &limits).best));
}

#[test]
fn time_is_kept() {
    let clock = |left| {
        Some(GameClock {
            remaining: Duration::from_millis(left),
            overhead: Duration::from_millis(10),
            ..GameClock::default()
        })
    };
    for limits in [
        Limits {
            time: Some(Duration::from_millis(100)),
            ..Limits::default()
        },
        Limits {
            clock: clock(200),
            ..Limits::default()
        },
        Limits {
            clock: clock(0),
            ..Limits::default()
        },
    ] {
        let start = Instant::now();
        think(&GameHistory::default(), &limits);
        // A busy machine may be slow to run us at all.
        assert!(start.elapsed() < Duration::from_secs(5), "{limits:?}");
    }
}

#[test]
fn a_signal_ends_the_search() {
    let signal = StopSignal::default();
    let stopper = signal.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stopper.stop();
    });
    let mut engine = Engine::default();
    engine.set_threads(2);
    let mut go = || {
        engine.think_until(
            &GameHistory::default(),
            &Limits::default(),
            &signal,
            &mut |_| {},
        )
    };
    assert!(go().is_some());
    // One that was stopped before it began still has a move.
    assert!(go().is_some());
}

#[test]
fn draws_are_draws() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/4b3/8/3KB3/8/8 w - - 0 1",
        // The rook wins, but the next move is the hundredth without a capture.
        "7k/8/8/8/8/8/R7/K7 w - - 99 90",
        // Black is about to give mate, but the white queen gives check on e8 and h5 for ever.
        "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1",
    ] {
        let thought = think(&line(fen), &to_depth(10));
        assert_eq!(thought.info.score, Score::Cp(0), "{fen}");
    }
    // Mate on the hundredth move is a mate all the same.
    let thought = think(&line("7k/R7/6K1/8/8/8/8/8 w - - 99 90"), &to_depth(4));
    assert_eq!(thought.info.score, Score::Mate(1));
}

#[test]
fn the_deepest_search_ends() {
    let limits = Limits {
        nodes: Some(300_000),
        ..to_depth(10_000)
    };
    for fen in [
        "8/3k4/p1p1p3/P1PpP1p1/3P2P1/3K4/8/8 w - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "k7/8/8/8/8/8/7P/K7 w - - 0 1",
    ] {
        think(&line(fen), &limits);
    }
}

#[test]
fn there_is_no_memory_for_everything() {
    let mut engine = Engine::default();
    let megabytes = usize::MAX >> 21;
    let error = engine.set_hash(megabytes).unwrap_err();
    assert_eq!(error.megabytes, megabytes);
    engine.set_hash(1).unwrap();
    assert!(
        engine
            .think(&GameHistory::default(), &to_depth(8), &mut |_| {})
            .is_some()
    );
}
