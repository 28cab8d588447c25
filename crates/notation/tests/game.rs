//! Games in memory: building, walking and writing them, and reading them from streams.

use std::io::{self, Read};

use tabiya_board::{Board, Color, Square};
use tabiya_notation::pgn::{Game, ReadGameError, Reader, games};
use tabiya_notation::{GameResult, PieceLetters};

/// The only game of a text.
#[track_caller]
fn single(text: &str) -> Game {
    let mut reader = Reader::new(text.as_bytes());
    let game = Game::read(&mut reader).unwrap().unwrap();
    assert!(Game::read(&mut reader).is_none(), "more than {text:?}");
    game
}

/// Castling in the starting position would leave a board without a king.
#[test]
fn illegal_moves_are_refused() {
    let before: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let castle = before.legal_move(Square::E1, Square::G1, None).unwrap();
    let mut game = Game::new(Board::start());
    let refusal = game.play(Game::ROOT, castle).unwrap_err();
    assert_eq!(refusal, Board::start().validate(castle).unwrap_err());
    assert_eq!(game.children(Game::ROOT).len(), 0);
    let check: Board = "4k3/4R3/8/8/8/8/8/4K3 b - - 0 40".parse().unwrap();
    assert_eq!(Game::new(check).play_null(Game::ROOT), None);
}

#[test]
fn a_move_that_is_there_is_not_added_again() {
    let mut game = single("1. e4 e5 (1... c5) *");
    let moves: Vec<_> = game
        .plies()
        .map(|ply| (ply.node, ply.mv.unwrap()))
        .collect();
    let e4 = game.play(Game::ROOT, moves[0].1).unwrap();
    assert_eq!(e4, moves[0].0);
    let c5 = game.play(e4, moves[2].1).unwrap();
    assert_eq!(c5, moves[2].0);
    let null = game.play_null(c5).unwrap();
    assert_eq!(game.play_null(c5), Some(null));
    assert_eq!(game.to_string(), "1. e4 e5 (1... c5 2. --) *\n");
    // The board of the last move is known; those of others are replayed.
    let boards: Vec<Board> = game.plies().map(|ply| game.board(ply.node)).collect();
    let walked: Vec<Board> = game.plies().map(|ply| ply.board).collect();
    assert_eq!(boards, walked);
    assert_eq!(game.board(null).turn(), Color::Black);
}

/// A walk plays each move once: with replays, this game of 20,000 moves would take minutes.
#[test]
fn long_games_are_walked_and_built_in_linear_time() {
    let mut game = Game::new(Board::start());
    let mut at = Game::ROOT;
    for ply in 0..20_000 {
        let (from, to) = [
            (Square::G1, Square::F3),
            (Square::G8, Square::F6),
            (Square::F3, Square::G1),
            (Square::F6, Square::G8),
        ][ply % 4];
        let mv = game.board(at).legal_move(from, to, None).unwrap();
        at = game.play(at, mv).unwrap();
    }
    assert_eq!(game.main_plies().count(), 20_000);
    let last = game.plies().last().unwrap();
    assert_eq!((last.node, last.depth), (at, 0));
    assert_eq!(last.board, game.board(at));
    assert_eq!(single(&game.to_string()).main_line().count(), 20_000);
}

#[test]
fn the_writer_keeps_tags_in_step() {
    // The result.
    let mut game = single("[Result \"1-0\"]\n\n1. e4 e5 1-0");
    game.set_result(GameResult::Draw);
    let written = single(&game.to_string());
    assert_eq!(written.tag("Result"), Some("1/2-1/2"));
    assert_eq!(written.result, Some(GameResult::Draw));
    let missing = single("[Result \"0-1\"]\n\n1. e4 e5");
    assert!(missing.to_string().ends_with("1. e4 e5 0-1\n"));
    // The start, even if its tags are gone or wrong.
    let start: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    for tags in [
        vec![],
        vec![("FEN".to_owned(), "nonsense".to_owned())],
        vec![("SetUp".to_owned(), "0".to_owned())],
    ] {
        let mut game = Game::new(start);
        game.tags = tags;
        let written = single(&game.to_string());
        assert_eq!((written.start(), written.tag("SetUp")), (&start, Some("1")));
    }
    let mut normal = Game::new(Board::start());
    normal.set_tag("FEN", &start.to_string());
    normal.set_tag("SetUp", "1");
    let written = single(&normal.to_string());
    assert_eq!((written.tag("FEN"), written.tag("SetUp")), (None, None));
    // The variant.
    let mut game = Game::new(Board::chess960_start(1));
    assert_eq!(game.tag("Variant"), Some("Chess960"));
    game.tags.clear();
    assert_eq!(single(&game.to_string()).tag("Variant"), Some("Chess960"));
    game.set_tag("Variant", "Fischerandom");
    assert_eq!(
        single(&game.to_string()).tag("Variant"),
        Some("Fischerandom")
    );
    // The roster comes first and in order.
    let game = single("[Annotator \"A\"]\n[Black \"B\"]\n[Event \"\"]\n\n1. e4 *");
    let written = single(&game.to_string());
    let tags: Vec<String> = written
        .tags
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        tags.join(" "),
        "Event=? Site=? Date=????.??.?? Round=? White=? Black=B Result=* Annotator=A"
    );
}

#[test]
fn games_of_a_stream_are_an_iterator() {
    let text = "[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. e4\nKe7 *\n\n[Event \"3\"]\n\n1. d4 *\n".repeat(2000);
    let (mut good, mut bad) = (0, Vec::new());
    for game in games(text.as_bytes()) {
        match game {
            Ok(_) => good += 1,
            Err(ReadGameError::Game { line, column, .. }) => bad.push((line, column)),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((good, bad.len()), (4000, 2000));
    for (index, place) in bad.into_iter().enumerate() {
        assert_eq!(place, (index * 12 + 8, 1));
    }
    let mut torn = games(Broken);
    assert!(matches!(torn.next(), Some(Err(ReadGameError::Io(_)))));
    assert!(torn.next().is_none());
    // Games without tags on one line, and piece letters of another language.
    let german: PieceLetters = "de".parse().unwrap();
    let games = games(&b"1. e4 * 1. Sf3 * 1. d4 *"[..]).with_letters(german);
    assert_eq!(games.filter_map(Result::ok).count(), 3);
}

/// A stream that cannot be read.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}
