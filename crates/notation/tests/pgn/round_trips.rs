//! Real games, read, written and read again.

use super::*;

/// Games in the repository, with clocks, evaluations, a variation and Chess960.
const GAMES: &[u8] = include_bytes!("../data/games.pgn");

/// Returns games that are not part of the project, if they are there.
fn sample(name: &str) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games")
        .join(name);
    match fs::read(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

/// Checks that games can be read, written and read again, and returns the numbers of games, clocks and evaluations.
fn check_games(text: &[u8]) -> (usize, usize, usize) {
    let mut reader = Reader::new(text);
    let (mut games, mut clocks, mut evals) = (0, 0, 0);
    while let Some(game) = Game::read(&mut reader) {
        let game = game.unwrap_or_else(|error| {
            let place = reader.line_and_column(error.offset);
            panic!("{place:?} {}", error.kind)
        });
        games += 1;
        assert_eq!(game.result.map(GameResult::as_str), game.tag("Result"));
        for id in game.main_line() {
            for comment in &game.node(id).comments {
                let (clock, eval) = (clock(comment), eval(comment));
                assert_eq!(clock.is_some(), comment.contains("[%clk "), "{comment}");
                assert_eq!(eval.is_some(), comment.contains("[%eval "), "{comment}");
                clocks += usize::from(clock.is_some());
                evals += usize::from(eval.is_some());
            }
        }
        let written = game.to_string();
        check_width(&written);
        assert_eq!(single(&written), as_written(&game));
    }
    let mut in_batches = 0;
    for batch in Batches::new(text, 10_000) {
        let batch = batch.unwrap();
        let mut reader = Reader::new(&batch.text);
        in_batches += std::iter::from_fn(|| Game::read(&mut reader)).count();
    }
    assert_eq!(in_batches, games);
    (games, clocks, evals)
}

#[test]
fn our_games_survive_a_round_trip() {
    let (games, clocks, evals) = check_games(GAMES);
    assert_eq!(games, 14);
    assert!(clocks > 250 && evals > 100, "{clocks} {evals}");
    // Every game that says so ends in mate.
    let mut reader = Reader::new(GAMES);
    let mut mates = 0;
    while let Some(Ok(game)) = Game::read(&mut reader) {
        let last = game.main_line().last().unwrap();
        let board = game.board(last);
        mates += usize::from(board.is_check() && !board.has_legal_move());
    }
    assert_eq!(mates, 11);
}

#[test]
fn lichess_games_survive_a_round_trip() {
    if let Some(text) = sample("lichess_db_1000k.pgn") {
        let (games, clocks, _) = check_games(&text);
        assert_eq!(games, 438);
        assert!(clocks > 20_000, "only {clocks} clocks");
    }
}
