//! The behaviour of `Engine::think`.

use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory, Move};
use tabiya_engine::{Engine, GameClock, Limits, SearchResult, StopSignal};
use tabiya_notation::Score;
use tabiya_notation::uci::SearchInfo;

fn game(fen: &str) -> GameHistory {
    fen.parse::<Board>().expect("a valid FEN").into()
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn think(game: &GameHistory, limits: &Limits) -> SearchResult {
    think_with(&mut Engine::default(), game, limits)
}

fn think_with(engine: &mut Engine, game: &GameHistory, limits: &Limits) -> SearchResult {
    let result = engine.think(game, limits, &mut |info| check(game, info));
    let result = result.expect("a legal move");
    check(game, &result.info);
    assert!(game.board().is_legal(result.best));
    result
}

/// Checks that a reported line can be played.
#[track_caller]
fn check(game: &GameHistory, info: &SearchInfo) {
    let mut game = game.clone();
    assert!(!info.pv.is_empty());
    for &mv in &info.pv {
        game.try_play(mv).expect("a legal line");
    }
    // A mate score ends in mate, if the line is that long.
    if let Score::Mate(moves) = info.score {
        let plies = moves.unsigned_abs() as usize * 2 - usize::from(moves > 0);
        assert!(info.pv.len() <= plies, "{info:?}");
        if info.pv.len() == plies {
            assert!(game.board().is_checkmate(), "{info:?}");
        }
    }
}

#[test]
fn mates_have_the_right_distance() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", -1),
    ] {
        let result = think(&game(fen), &to_depth(10));
        assert_eq!(result.info.score, Score::Mate(mate), "{fen}");
    }
}

#[test]
fn deeper_searches_keep_a_mate() {
    let game = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let mut engine = Engine::default();
    for depth in 8..16 {
        let result = engine.think(&game, &to_depth(depth), &mut |_| {}).unwrap();
        assert_eq!(result.info.score, Score::Mate(3), "depth {depth}");
    }
}

#[test]
fn several_threads_complete_the_depth() {
    let mut engine = Engine::default();
    engine.set_threads(4).unwrap();
    for lines in [1, 3] {
        engine.set_multipv(lines);
        for fen in tabiya_engine::bench::POSITIONS {
            let depth = 9;
            let result = think_with(&mut engine, &game(fen), &to_depth(depth));
            assert_eq!(result.info.depth, depth, "{fen}");
            engine.new_game();
        }
        let mate = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
        let result = think_with(&mut engine, &mate, &to_depth(10));
        assert_eq!(result.info.score, Score::Mate(3));
    }
}

#[test]
fn finished_games_have_no_result() {
    for fen in [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1",
    ] {
        let mut engine = Engine::default();
        assert!(
            engine
                .think(&game(fen), &to_depth(3), &mut |_| {})
                .is_none()
        );
    }
}

#[test]
fn search_with_one_thread_is_deterministic() {
    let limits = Limits {
        nodes: Some(40_000),
        ..Limits::default()
    };
    let run = || {
        let mut reports = Vec::new();
        let mut engine = Engine::default();
        let result = engine.think(&GameHistory::default(), &limits, &mut |info| {
            reports.push((info.depth, info.nodes, info.score, info.pv.clone()));
        });
        let result = result.expect("a legal move");
        (result.best, result.info.nodes, reports)
    };
    let first = run();
    assert_eq!(first, run());
    assert!((40_000..40_300).contains(&first.1), "{}", first.1);
}

#[test]
fn search_moves_restrict_the_result() {
    let game = GameHistory::default();
    let moves: Vec<Move> = game.board().legal_moves().iter().copied().take(2).collect();
    let limits = Limits {
        search_moves: moves.clone(),
        ..to_depth(5)
    };
    assert!(moves.contains(&think(&game, &limits).best));
}

#[test]
fn a_quiet_mate_is_seen_after_the_last_ply() {
    // The knight will mate on f7.
    let game = game("6rk/p5pp/8/4N3/8/8/8/4K3 b - - 0 1");
    let moves = game.board().legal_moves();
    let limits = Limits {
        search_moves: moves
            .iter()
            .copied()
            .filter(|mv| mv.to_string() == "a7a6")
            .collect(),
        ..to_depth(1)
    };
    let result = think(&game, &limits);
    assert_eq!(result.info.score, Score::Mate(-1));
    let line: Vec<String> = result.info.pv.iter().map(Move::to_string).collect();
    assert_eq!(line, ["a7a6", "e5f7"]);
}

#[test]
fn time_limits_are_kept() {
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
        // Without the limit the search would never end. Generous, for busy machines.
        assert!(start.elapsed() < Duration::from_secs(60), "{limits:?}");
    }
}

#[test]
fn stop_signal_ends_the_search() {
    let signal = StopSignal::default();
    let stopper = signal.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stopper.stop();
    });
    let mut engine = Engine::default();
    engine.set_threads(2).unwrap();
    let mut go = || {
        engine.think_until(
            &GameHistory::default(),
            &Limits::default(),
            &signal,
            &mut |_| {},
        )
    };
    assert!(go().is_some());
    // A search stopped before it starts still has a move.
    assert!(go().is_some());
}

#[test]
fn drawn_positions_score_zero() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/4b3/8/3KB3/8/8 w - - 0 1",
        // The rook would win, but the next move is the hundredth ply without a capture.
        "7k/8/8/8/8/8/R7/K7 w - - 99 90",
        // Black threatens mate, but White has perpetual check on e8 and h5.
        "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1",
    ] {
        let result = think(&game(fen), &to_depth(10));
        assert_eq!(result.info.score, Score::Cp(0), "{fen}");
    }
    // Mate with the hundredth ply counts.
    let result = think(&game("7k/R7/6K1/8/8/8/8/8 w - - 99 90"), &to_depth(4));
    assert_eq!(result.info.score, Score::Mate(1));
}

#[test]
fn very_deep_searches_end() {
    let limits = Limits {
        nodes: Some(300_000),
        ..to_depth(10_000)
    };
    for fen in [
        "8/3k4/p1p1p3/P1PpP1p1/3P2P1/3K4/8/8 w - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "k7/8/8/8/8/8/7P/K7 w - - 0 1",
    ] {
        think(&game(fen), &limits);
    }
}

/// On a busy machine, the time can be up before the main thread has begun.
#[test]
fn first_depth_is_completed_whatever_the_limits() {
    for (threads, lines) in [(1, 1), (8, 3)] {
        let mut engine = Engine::default();
        engine.set_threads(threads).unwrap();
        engine.set_multipv(lines);
        for fen in tabiya_engine::bench::POSITIONS {
            let no_time = Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            };
            let result = think_with(&mut engine, &game(fen), &no_time);
            assert!(result.info.depth >= 1, "{fen}");
            let stopped = StopSignal::default();
            stopped.stop();
            let limits = Limits::default();
            let result = engine.think_until(&game(fen), &limits, &stopped, &mut |_| {});
            assert!(result.unwrap().info.depth >= 1, "{fen}");
        }
    }
}

/// Other programs warn about an engine that plays another move.
#[test]
fn last_line_begins_with_the_move_played() {
    for lines in [1, 3] {
        for threads in [1, 3] {
            let mut engine = Engine::default();
            engine.set_multipv(lines);
            engine.set_threads(threads).unwrap();
            for (index, fen) in tabiya_engine::bench::POSITIONS.into_iter().enumerate() {
                for step in 0..6 {
                    let limits = Limits {
                        nodes: Some(1 + (index as u64 * 7 + step * 97) * step),
                        ..Limits::default()
                    };
                    let mut last = None;
                    let result = engine.think(&game(fen), &limits, &mut |info| {
                        if info.multipv == 1 {
                            last = info.pv.first().copied();
                        }
                    });
                    assert_eq!(last, Some(result.unwrap().best), "{fen}, {limits:?}");
                }
            }
        }
    }
}

#[test]
fn several_lines_begin_with_different_moves_wherever_the_search_ends() {
    let start = GameHistory::default();
    let mut engine = Engine::default();
    engine.set_multipv(3);
    for nodes in (200..6_000).step_by(200) {
        engine.new_game();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut first_moves = [None; 3];
        let result = engine.think(&start, &limits, &mut |info| {
            first_moves[info.multipv - 1] = info.pv.first().copied();
        });
        assert_eq!(first_moves[0], result.map(|result| result.best));
        let [first, second, third] = first_moves;
        assert!(
            first != second && second != third && third != first,
            "{first_moves:?} after {nodes} nodes"
        );
    }
}
