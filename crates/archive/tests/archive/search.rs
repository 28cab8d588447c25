//! Finding games, against a plain look at each of them; and the command around it.

use tabiya_archive::{Archive, Filter, GameRow};
use tabiya_notation::pgn::Reader;

use crate::common::{Folder, build_archive, random_games, run, stderr, stdout};

type Test<'a> = Box<dyn Fn(&GameRow) -> bool + 'a>;

fn archive(folder: &Folder) -> (std::path::PathBuf, Archive) {
    let file = folder.file("games.pgn", random_games(400, 21));
    let path = folder.path("archive");
    let (_, archive) = build_archive(&path, &[file]);
    (path, archive)
}

#[test]
fn filters_find_what_a_plain_look_finds() {
    let folder = Folder::new();
    let (_, archive) = archive(&folder);
    let all = archive.games(&(0..400).collect::<Vec<_>>()).unwrap();
    let number =
        |game: &GameRow, tag: &str| game.tag(tag).and_then(|text| text.parse::<i32>().ok());
    let filters: Vec<(Filter, Test<'_>)> = vec![
        (Filter::default(), Box::new(|_| true)),
        (
            Filter {
                white: Some("player 7".to_owned()),
                ..Filter::default()
            },
            Box::new(|game| game.tag("White") == Some("Player 7")),
        ),
        (
            Filter {
                player: Some("YER 3".to_owned()),
                result: Some(tabiya_notation::GameResult::WhiteWins),
                ..Filter::default()
            },
            Box::new(|game| {
                let is_there = |tag| game.tag(tag) == Some("Player 3");
                (is_there("White") || is_there("Black")) && game.tag("Result") == Some("1-0")
            }),
        ),
        (
            Filter {
                min_rating: Some(2000),
                event: Some("random 4".to_owned()),
                ..Filter::default()
            },
            Box::new(|game| {
                let (white, black) = (number(game, "WhiteElo"), number(game, "BlackElo"));
                let average = match (white, black) {
                    (Some(white), Some(black)) => Some(i32::midpoint(white, black)),
                    (one, other) => one.or(other),
                };
                average.is_some_and(|average| average >= 2000)
                    && game.tag("Event") == Some("Random 4")
            }),
        ),
        (
            Filter {
                since: tabiya_archive::parse_day("2015-06-01"),
                time_control: Some("300+3".to_owned()),
                ..Filter::default()
            },
            Box::new(|game| {
                game.tag("UTCDate").is_some_and(|date| date >= "2015.06.01")
                    && game.tag("TimeControl") == Some("300+3")
            }),
        ),
    ];
    for (filter, test) in filters {
        let expected: Vec<u32> = all
            .iter()
            .filter(|game| test(game))
            .map(|game| game.game_id)
            .collect();
        assert!(!expected.is_empty(), "{filter:?}");
        assert_eq!(
            archive.find(&filter, None, usize::MAX).unwrap(),
            expected,
            "{filter:?}"
        );
        assert_eq!(
            archive.find(&filter, None, 3).unwrap(),
            expected[..expected.len().min(3)]
        );
    }
}

#[test]
fn positions_are_found_by_any_order_of_moves() {
    let folder = Folder::new();
    let text = "1. d4 Nf6 2. c4 e6 1-0\n\n1. c4 e6 2. d4 Nf6 0-1\n\n1. e4 *\n";
    let file = folder.file("games.pgn", text);
    let path = folder.path("archive");
    build_archive(&path, &[file]);
    let name = path.to_str().unwrap();
    for position in [
        &["d4", "Nf6", "c4", "e6"][..],
        &["1.", "d4", "e6", "2.c4", "g8f6"],
        &["rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3"],
        &[
            "--fen",
            "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
        ],
        &[
            "--fen",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
            "e6",
            "c4",
            "Nf6",
        ],
    ] {
        let output = run(&[&["find", name, "--json"][..], position].concat());
        assert_eq!(
            stdout(&output).lines().count(),
            2,
            "{position:?} {}",
            stderr(&output)
        );
        let output = run(&[&["explore", name][..], position].concat());
        assert!(
            stdout(&output).contains("(end)            2"),
            "{}",
            stdout(&output)
        );
    }
    let output = run(&["explore", name, "e4", "e4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("e4"), "{}", stderr(&output));
    let output = run(&["explore", name, "a3"]);
    assert!(
        stdout(&output).contains("No game has this position."),
        "{}",
        stdout(&output)
    );
}

#[test]
fn found_games_are_written_as_pgn_that_reads_back() {
    let folder = Folder::new();
    let (path, archive) = archive(&folder);
    let output = run(&["find", path.to_str().unwrap(), "--pgn", "--limit", "1000"]);
    let text = stdout(&output);
    let mut reader = Reader::new(text.as_bytes());
    for id in 0..400 {
        let game = tabiya_notation::pgn::Game::read(&mut reader)
            .unwrap()
            .unwrap();
        let row = archive.game(id).unwrap().unwrap();
        assert_eq!(game.main_line().count(), row.moves.len());
        assert_eq!(game.tag("Site"), row.tag("Site"));
        assert_eq!(game.tag("White"), row.tag("White"));
    }
    assert!(tabiya_notation::pgn::Game::read(&mut reader).is_none());
    // Building from what was found gives the same games.
    let again = folder.file("again.pgn", &text);
    let (built, second) = build_archive(&folder.path("second"), &[again]);
    assert_eq!((built.part.games, built.part.broken), (400, 0));
    let ids: Vec<u32> = (0..400).collect();
    for (first, second) in archive
        .games(&ids)
        .unwrap()
        .iter()
        .zip(second.games(&ids).unwrap())
    {
        assert_eq!(
            (&first.moves, &first.clocks),
            (&second.moves, &second.clocks)
        );
    }
}

#[test]
fn info_says_what_is_there() {
    let folder = Folder::new();
    let (path, _) = archive(&folder);
    let text = stdout(&run(&["info", path.to_str().unwrap()]));
    assert!(text.starts_with("games       400\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["info", path.to_str().unwrap(), "--json"]))).unwrap();
    assert_eq!(json["games"], 400);
    assert_eq!(json["tables"][2]["rows"], json["positions"]);
}
