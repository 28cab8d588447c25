//! Files of games that are not as they should be: everything that can be kept is kept, with the reason for the rest.

use tabiya_archive::{Archive, Filter};
use tabiya_board::Board;

use crate::common::{Folder, build_archive};

/// Builds an archive from a file, and returns it with the errors of its games, in order.
fn build(folder: &Folder, name: &str, content: &[u8]) -> (Archive, Vec<Option<String>>) {
    let file = folder.file(name, content);
    let (built, archive) = build_archive(&folder.path(&format!("{name}.archive")), &[file]);
    let ids: Vec<u32> = (0..built.part.games).collect();
    let games = archive.games(&ids).unwrap();
    assert_eq!(games.len(), ids.len());
    let errors: Vec<Option<String>> = games.into_iter().map(|game| game.error).collect();
    let broken = errors.iter().flatten().count() as u64;
    assert_eq!(archive.info().broken, broken);
    (archive, errors)
}

/// The number of games from the start position.
fn from_start(archive: &Archive) -> u64 {
    archive
        .explore(&Board::start(), &Filter::default())
        .unwrap()
        .games
}

fn assert_error(error: Option<&String>, parts: &[&str]) {
    let error = error.unwrap();
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn broken_games_are_kept_up_to_the_fault_with_the_reason() {
    let folder = Folder::new();
    let text = "[White \"A\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n[White \"B\"]\n\n1. d4 d5 0-1\n";
    let (archive, errors) = build(&folder, "broken.pgn", text.as_bytes());
    assert_error(errors[0].as_ref(), &["line 3, column 13", "Ke3"]);
    assert_eq!(errors[1], None);
    let game = archive.game(0).unwrap().unwrap();
    assert_eq!(game.moves.len(), 2);
    assert_eq!(
        (game.tag("White"), game.tag("Result")),
        (Some("A"), Some("1-0"))
    );
    // The moves before the fault were played.
    assert_eq!(from_start(&archive), 2);
    assert!(game.to_pgn().contains("1. e4 e5 1-0"), "{}", game.to_pgn());
    let broken = Filter {
        broken: true,
        ..Filter::default()
    };
    assert_eq!(archive.find(&broken, None, 10).unwrap(), [0]);
}

#[test]
fn files_without_games_make_an_empty_archive() {
    let folder = Folder::new();
    for (name, content) in [("empty.pgn", ""), ("blank.pgn", "\n\n  \n")] {
        let (archive, errors) = build(&folder, name, content.as_bytes());
        assert!(errors.is_empty());
        assert_eq!(archive.info().positions, 0);
        assert_eq!(from_start(&archive), 0);
        assert_eq!(archive.check(|_| {}).len(), 0);
        assert!(
            archive
                .find(&Filter::default(), None, 10)
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn games_of_other_variants_are_kept_but_not_indexed() {
    let folder = Folder::new();
    let text = "[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n[Variant \"Standard\"]\n\n1. e4 *\n";
    let (archive, errors) = build(&folder, "variants.pgn", text.as_bytes());
    assert_error(errors[0].as_ref(), &["this is a game of Atomic"]);
    assert_eq!(errors[1], None);
    assert_eq!(from_start(&archive), 1);
    assert_eq!(
        archive.game(0).unwrap().unwrap().tag("Variant"),
        Some("Atomic")
    );
}

#[test]
fn games_start_from_any_position_and_castle_in_chess960() {
    let folder = Folder::new();
    let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. O-O Ke7 *\n\n\
                [FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. Ke2 *\n\n[FEN \"nonsense\"]\n\n1. e4 *\n";
    let (archive, errors) = build(&folder, "starts.pgn", text.as_bytes());
    assert_eq!((&errors[0], &errors[1]), (&None, &None));
    assert_error(errors[2].as_ref(), &["invalid FEN tag"]);
    let board: Board = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1".parse().unwrap();
    let explored = archive.explore(&board, &Filter::default()).unwrap();
    let sans: Vec<_> = explored
        .moves
        .iter()
        .filter_map(|explored| explored.san.clone())
        .collect();
    assert_eq!(explored.games, 2);
    assert!(
        sans.contains(&"O-O".to_owned()) && sans.contains(&"Ke2".to_owned()),
        "{sans:?}"
    );
    assert_eq!(from_start(&archive), 0);
    assert!(
        archive
            .game(0)
            .unwrap()
            .unwrap()
            .to_pgn()
            .contains("1. O-O Ke7 *")
    );
}

#[test]
fn variations_comments_and_glyphs_do_not_disturb_the_main_line() {
    let folder = Folder::new();
    let text = "{before} 1. e4! {a [%eval 0.25] [%clk 1:00:00.5]} e5 $2 (1... c5 2. Nf3 (2. c3)) 2. Nf3 \
                ; to the end\n Nc6 {[%eval #-3]} 1-0\n";
    let (archive, errors) = build(&folder, "annotated.pgn", text.as_bytes());
    assert_eq!(errors, [None]);
    let game = archive.game(0).unwrap().unwrap();
    assert_eq!(game.moves.len(), 4);
    assert_eq!(game.clocks, [Some(3_600_500)]);
    assert_eq!(game.evals, [Some(25), None, None, Some(-31_997)]);
    let pgn = game.to_pgn();
    assert!(pgn.contains("[%eval 0.25] [%clk 1:00:00.5]"), "{pgn}");
    assert!(pgn.contains("[%eval #-3]"), "{pgn}");
}

#[test]
fn old_encodings_line_ends_and_marks_are_read() {
    let folder = Folder::new();
    let mut text =
        b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n[Black \"O\\\"Neil\"]\r\n\r\n1. e4 1-0\r\n".to_vec();
    let (archive, errors) = build(&folder, "latin.pgn", &text);
    assert_eq!(errors, [None]);
    let game = archive.game(0).unwrap().unwrap();
    assert_eq!(
        (game.tag("White"), game.tag("Black")),
        (Some("Müller"), Some("O\"Neil"))
    );
    // Old files of the Macintosh have no line feeds at all.
    text.retain(|&byte| byte != b'\n');
    let (_, errors) = build(&folder, "mac.pgn", &text);
    assert_eq!(errors, [None]);
}

#[test]
fn numbers_and_dates_that_are_none_are_left_out() {
    let folder = Folder::new();
    let text = "[WhiteElo \"?\"]\n[BlackElo \"99999999999\"]\n[Date \"1992.??.??\"]\n[UTCDate \"2025.02.30\"]\n\
                [WhiteRatingDiff \"+7\"]\n\n1. e4 *\n\n[Date \"1851.06.21\"]\n[WhiteElo \"-5\"]\n\n1. e4 *\n";
    let (archive, errors) = build(&folder, "numbers.pgn", text.as_bytes());
    assert_eq!(errors, [None, None]);
    let game = archive.game(0).unwrap().unwrap();
    assert_eq!(
        (
            game.tag("WhiteElo"),
            game.tag("BlackElo"),
            game.tag("UTCDate")
        ),
        (None, None, None)
    );
    assert_eq!(
        (game.tag("Date"), game.tag("WhiteRatingDiff")),
        (Some("1992.??.??"), Some("+7"))
    );
    let game = archive.game(1).unwrap().unwrap();
    assert_eq!(
        (game.tag("UTCDate"), game.tag("WhiteElo")),
        (Some("1851.06.21"), None)
    );
    let explored = archive
        .explore(&Board::start(), &Filter::default())
        .unwrap();
    assert_eq!(explored.moves[0].last_played.as_deref(), Some("1851.06.21"));
    assert_eq!(explored.moves[0].average_rating, None);
}

#[test]
fn results_come_from_the_moves_or_else_from_the_tag() {
    let folder = Folder::new();
    let text = "[Result \"1-0\"]\n\n1. e4 *\n\n[Result \"0-1\"]\n\n1. e4\n\n[Result \"1/2\"]\n\n1. e4 1-0\n\n\
                [Result \"who knows\"]\n\n1. e4\n";
    let (archive, _) = build(&folder, "results.pgn", text.as_bytes());
    let games = archive.games(&[0, 1, 2, 3]).unwrap();
    let results: Vec<_> = games
        .iter()
        .map(|game| game.tag("Result").unwrap())
        .collect();
    assert_eq!(results, ["1-0", "0-1", "1-0", "*"]);
}

#[test]
fn repeated_positions_count_once_for_a_game() {
    let folder = Folder::new();
    let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Nf3 1/2-1/2\n";
    let (archive, _) = build(&folder, "repeated.pgn", text.as_bytes());
    let explored = archive
        .explore(&Board::start(), &Filter::default())
        .unwrap();
    assert_eq!((explored.games, explored.moves.len()), (1, 1));
    assert_eq!(explored.moves[0].san.as_deref(), Some("Nf3"));
    assert_eq!(archive.info().positions, 8);
}

#[test]
fn a_game_is_a_duplicate_only_if_tags_and_moves_agree() {
    let folder = Folder::new();
    let game = |white: &str, date: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n\n{moves}\n\n")
    };
    let text = [
        game("A", "2020.01.01", "1. e4 e5 *"),
        game("A", "2020.01.01", "1. e4 {again} e5 $1 (1... c5) *"),
        game("A", "2020.01.02", "1. e4 e5 *"),
        game("B", "2020.01.01", "1. e4 e5 *"),
        game("A", "2020.01.01", "1. e4 e5 2. d4 *"),
        game("A", "2020.01.01", "1. e4 e5 1-0"),
    ];
    let (archive, _) = build(&folder, "same.pgn", text.concat().as_bytes());
    let info = archive.info();
    assert_eq!((info.games, info.duplicates), (6, 1));
    assert_eq!(from_start(&archive), 5);
    assert_eq!(
        archive.find(&Filter::default(), None, 10).unwrap(),
        [0, 2, 3, 4, 5]
    );
}

#[test]
fn huge_games_are_kept_as_broken() {
    let folder = Folder::new();
    let mut text = "[White \"A\"]\n\n1. e4 {".to_owned();
    text += &"x".repeat(9_000_000);
    text += "} *\n\n[Event \"?\"]\n[White \"B\"]\n\n1. d4 *\n";
    let (archive, errors) = build(&folder, "huge.pgn", text.as_bytes());
    assert_eq!(errors.len(), 2);
    assert!(errors[0].is_some() && errors[1].is_none(), "{errors:?}");
    assert_eq!(archive.game(0).unwrap().unwrap().tag("White"), Some("A"));
    assert_eq!(from_start(&archive), 1);
}
