//! Finding games by what is in their positions, against another library that looks at every position of every game.

use std::fmt::Write;

use shakmaty::fen::Epd;
use shakmaty::{Board, CastlingMode, Chess, Color, Position, Role, Square};
use tabiya_archive::{Archive, Filter};
use tabiya_games::Pattern;
use tabiya_notation::write_san;

use crate::common::{Folder, Random, build_archive, random_games, real_games, run, stderr, stdout};
use crate::explorer::plain_games;

/// Games in which everything that can be captured is, so that they come to endings.
fn trading_games(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    for _ in 0..count {
        let mut board = tabiya_board::Board::start();
        let plies = 60 + random.below(200);
        for _ in 0..plies {
            let moves = board.legal_moves();
            let captures: Vec<_> = moves
                .iter()
                .copied()
                .filter(|mv| board.captured(*mv).is_some())
                .collect();
            let mv = match (captures.is_empty(), moves.is_empty()) {
                (_, true) => break,
                (false, _) if random.below(3) > 0 => captures[random.below(captures.len())],
                _ => moves[random.below(moves.len())],
            };
            let _ = write!(text, "{} ", write_san(&board, mv));
            board.play_unchecked(mv);
        }
        text.push_str("*\n\n");
    }
    text
}

fn count(board: &Board, color: Color, role: Role) -> usize {
    (board.by_color(color) & board.by_role(role)).count()
}

/// The numbers of pawns, knights, bishops, rooks and queens.
fn counts(board: &Board, color: Color) -> [usize; 5] {
    [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ]
    .map(|role| count(board, color, role))
}

fn is_at(board: &Board, letter: char, square: &str) -> bool {
    let piece = board.piece_at(square.parse::<Square>().unwrap());
    piece.map(shakmaty::Piece::char) == Some(letter)
}

/// Whether a test holds for a board as it is, or with the colours exchanged.
fn either(board: &Board, test: impl Fn(&Board) -> bool) -> bool {
    let mut mirrored = board.clone();
    mirrored.flip_vertical();
    mirrored.swap_colors();
    test(board) || test(&mirrored)
}

fn pawns(board: &Board, color: Color) -> Vec<String> {
    let squares = board.by_color(color) & board.pawns();
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

type Test = fn(&Board) -> bool;

/// Patterns, and what they mean.
const PATTERNS: [(&str, Test); 16] = [
    ("material KQRRBBNNPPPPPPPkqrrbbnnppppppp", |board| {
        [Color::White, Color::Black].map(|color| counts(board, color)) == [[7, 2, 2, 2, 1]; 2]
    }),
    ("material KRP*kr+p*", |board| {
        let [_, white @ ..] = counts(board, Color::White);
        let [_, knights, bishops, rooks, queens] = counts(board, Color::Black);
        white == [0, 0, 1, 0] && (knights, bishops, queens) == (0, 0, 0) && rooks > 0
    }),
    ("material KNP?vKP+", |board| {
        either(board, |board| {
            let [pawns, rest @ ..] = counts(board, Color::White);
            let [others, other_rest @ ..] = counts(board, Color::Black);
            pawns < 2 && rest == [1, 0, 0, 0] && others > 0 && other_rest == [0; 4]
        })
    }),
    ("ending rook ending", |board| {
        [Color::White, Color::Black]
            .iter()
            .all(|color| counts(board, *color)[1..] == [0, 0, 1, 0])
    }),
    ("ending pawns", |board| {
        [Color::White, Color::Black]
            .iter()
            .all(|color| counts(board, *color)[1..] == [0; 4])
            && board.pawns().any()
    }),
    ("ending bishop vs knight", |board| {
        either(board, |board| {
            counts(board, Color::White)[1..] == [0, 1, 0, 0]
                && counts(board, Color::Black)[1..] == [1, 0, 0, 0]
        })
    }),
    ("ending opposite-coloured bishops", |board| {
        [Color::White, Color::Black]
            .iter()
            .all(|color| counts(board, *color)[1..] == [0, 1, 0, 0])
            && (board.bishops() & shakmaty::Bitboard::LIGHT_SQUARES).count() == 1
    }),
    ("ending minor piece vs rook", |board| {
        either(board, |board| {
            let [_, knights, bishops, rooks, queens] = counts(board, Color::White);
            knights + bishops == 1
                && rooks + queens == 0
                && counts(board, Color::Black)[1..] == [0, 0, 1, 0]
        })
    }),
    ("white: king g1 rook f1 pawns f2 g2", |board| {
        [('K', "g1"), ('R', "f1"), ('P', "f2"), ('P', "g2")]
            .iter()
            .all(|(letter, square)| is_at(board, *letter, square))
    }),
    ("either: N?5 !q??", |board| {
        either(board, |board| {
            (board.white() & board.knights() & shakmaty::Bitboard::from_rank(shakmaty::Rank::Fifth))
                .any()
                && count(board, Color::Black, Role::Queen) == 0
        })
    }),
    ("pa5 empty a6 b6 c6", |board| {
        is_at(board, 'p', "a5")
            && ["a6", "b6", "c6"]
                .iter()
                .all(|square| board.piece_at(square.parse().unwrap()).is_none())
    }),
    ("*/pp*/8/?2p*/*/*/*/*N?", |board| {
        let is_empty = |square: &str| board.piece_at(square.parse().unwrap()).is_none();
        [('p', "a7"), ('p', "b7"), ('p', "d5"), ('N', "g1")]
            .iter()
            .all(|(letter, at)| is_at(board, *letter, at))
            && ["a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6", "b5", "c5"]
                .iter()
                .all(|square| is_empty(square))
    }),
    ("pawns a2 b2 c2 d2 e4 f2 g2 h2", |board| {
        pawns(board, Color::White) == ["a2", "b2", "c2", "d2", "f2", "g2", "h2", "e4"]
    }),
    ("pawns 8/pppppppp/8/8/8/2P5/PP1PPPPP/8", |board| {
        pawns(board, Color::White) == ["a2", "b2", "d2", "e2", "f2", "g2", "h2", "c3"]
            && pawns(board, Color::Black) == ["a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7"]
    }),
    ("pawns isolani", |board| {
        either(board, |board| {
            let white = pawns(board, Color::White);
            let on = |pawns: &[String], file: char| pawns.iter().any(|pawn| pawn.starts_with(file));
            white.iter().any(|pawn| pawn == "d4")
                && !on(&white, 'c')
                && !on(&white, 'e')
                && !on(&pawns(board, Color::Black), 'd')
        })
    }),
    ("pawns black: none", |board| {
        pawns(board, Color::Black).is_empty()
    }),
];

#[test]
fn patterns_find_what_a_look_at_every_position_finds() {
    let folder = Folder::new();
    let mut text = random_games(150, 8) + &trading_games(250, 9);
    text += &real_games().unwrap_or_default();
    let file = folder.file("games.pgn", &text);
    let (_, archive) = build_archive(&folder.path("archive"), &[file]);
    let games: Vec<Vec<Chess>> = plain_games(&text)
        .iter()
        .map(|game| {
            let positions = game.plies.iter().map(|(epd, _)| {
                let epd: Epd = epd.parse().unwrap();
                epd.into_position(CastlingMode::Standard).unwrap()
            });
            positions.collect()
        })
        .collect();
    let find = |patterns: &[&str], in_a_row| -> Vec<u32> {
        let patterns = patterns.iter().map(|text| text.parse().unwrap()).collect();
        let filter = Filter {
            patterns,
            in_a_row,
            ..Filter::default()
        };
        archive.find(&filter, None, usize::MAX).unwrap()
    };
    let expected = |test: &dyn Fn(&Board) -> bool, in_a_row: usize| -> Vec<u32> {
        let has = |game: &Vec<Chess>| {
            let holds: Vec<bool> = game.iter().map(|position| test(position.board())).collect();
            holds
                .windows(in_a_row)
                .any(|window| window.iter().all(|holds| *holds))
        };
        (0..)
            .zip(&games)
            .filter(|(_, game)| has(game))
            .map(|(id, _)| id)
            .collect()
    };
    for (text, test) in PATTERNS {
        let found = find(&[text], 0);
        assert!(!found.is_empty(), "{text}");
        assert_eq!(found, expected(&test, 1), "{text}");
        assert_eq!(find(&[text], 1), found, "{text}");
        assert_eq!(
            find(&[text], 6),
            expected(&test, 6),
            "{text} for 6 positions"
        );
    }
    // Two patterns hold in the same position.
    for (first, second) in [(3, 15), (8, 10), (9, 14)] {
        let [(first, holds), (second, also_holds)] =
            [first, second].map(|index: usize| PATTERNS[index]);
        let both = move |board: &Board| holds(board) && also_holds(board);
        assert_eq!(
            find(&[first, second], 0),
            expected(&both, 1),
            "{first} and {second}"
        );
    }
}

fn find(archive: &Archive, pattern: &str) -> usize {
    let filter = Filter {
        patterns: vec![Pattern::pieces(pattern).unwrap()],
        ..Filter::default()
    };
    archive.find(&filter, None, usize::MAX).unwrap().len()
}

#[test]
fn games_from_other_positions_and_broken_games_have_the_positions_that_were_read() {
    let folder = Folder::new();
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n\
        [Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n\n1. e4 e5 2. Ke3 d5 *\n\n1. e4 e5 2. Nf3 *\n";
    let file = folder.file("games.pgn", text);
    let (_, archive) = build_archive(&folder.path("archive"), &[file]);
    for (pattern, games) in [
        ("Ke1 Pe4", 3),
        ("Pe4 !p??", 1),
        ("Pe2", 3),
        ("pe5", 2),
        ("pd5", 0),
        ("Nf3", 1),
    ] {
        assert_eq!(find(&archive, pattern), games, "{pattern}");
    }
}

#[test]
fn the_command_takes_patterns_and_says_what_is_wrong_with_them() {
    let folder = Folder::new();
    let text =
        "[White \"A\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 *\n\n[White \"B\"]\n\n1. d4 d5 2. c4 *\n";
    let file = folder.file("games.pgn", text);
    let path = folder.path("archive");
    build_archive(&path, &[file]);
    let name = path.to_str().unwrap();
    for (arguments, white) in [
        (&["--pattern", "qd5"][..], "A"),
        (
            &["--pattern", "qd5", "--material", "KQRRBBNNP+kqrrbbnnp+"],
            "A",
        ),
        (
            &["--pattern", "Pd4", "--pawns", "c4 d4 a2 b2 e2 f2 g2 h2"],
            "B",
        ),
        (&["--pattern", "pd5", "--for", "2"], "B"),
    ] {
        let output = run(&[&["find", name, "--json"][..], arguments].concat());
        let lines = stdout(&output);
        assert_eq!(
            lines.lines().count(),
            1,
            "{arguments:?} {}",
            stderr(&output)
        );
        assert!(
            lines.contains(&format!("[\"White\",\"{white}\"]")),
            "{arguments:?} {lines}"
        );
    }
    // The explorer counts the games that are found.
    let output = run(&["explore", name, "--json", "--pattern", "qd5"]);
    assert!(
        stdout(&output).contains("\"games\": 1"),
        "{}",
        stdout(&output)
    );
    for (option, value, reason) in [
        ("--pattern", "Kg9", "\"Kg9\" is not part of a pattern"),
        ("--material", "KX", "is not material"),
        ("--pawns", "d?", "is not a pawn structure"),
        ("--ending", "rock", "\"rock\" is not an ending"),
        ("--for", "many", "invalid digit"),
    ] {
        let output = run(&["find", name, option, value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}
