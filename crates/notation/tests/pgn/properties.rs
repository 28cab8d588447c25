//! Properties of random games and of random pieces of PGN.

use super::*;

/// Comments: any text, readable ones, and some that look like something else.
fn any_comment() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -|~\n]{0,200}",
        "(word |long-word-of-a-comment |  ){0,30}",
        r"([ {};()!$%\[\]\\]|\[Event |\n\[Event |%|\r\n|1-0|--|\]){0,40}",
        r"(\[%| |\]|word|[a-z]{70}|\n%|\n;|é){0,60}",
    ]
    .prop_map(|text| plain(&text))
}

fn any_tag() -> impl Strategy<Value = (String, String)> {
    let name = "[A-Z][A-Za-z0-9_]{0,9}|Event|[!#-\\[^-~é]{1,5}";
    let value = any_comment();
    (name, value)
}

fn any_result() -> impl Strategy<Value = GameResult> {
    prop_oneof![
        Just(GameResult::WhiteWins),
        Just(GameResult::BlackWins),
        Just(GameResult::Draw),
        Just(GameResult::Unknown),
    ]
}

/// A tree of random legal moves with annotations.
fn build(seed: u64, moves: usize, comments: &[String], tags: &[(String, String)]) -> Game {
    let mut rng = Rng::new(seed);
    let start = match rng.below(4) {
        0 => common::Start::Chess960,
        1 => common::Start::Sparse,
        _ => common::Start::Standard,
    };
    let mut game = Game::new(start.board(&mut rng));
    for (name, value) in tags {
        if game.tag(name).is_none() {
            game.set_tag(name, value);
        }
    }
    let mut nodes = vec![Game::ROOT];
    for _ in 0..moves {
        // Mostly on from the last, sometimes from anywhere.
        let parent = if rng.once_in(4) {
            rng.pick(&nodes)
        } else {
            nodes[nodes.len() - 1]
        };
        let board = game.board(parent);
        let legal = board.legal_moves();
        let mv = if rng.once_in(12) && !board.is_check() {
            None
        } else if legal.is_empty() {
            continue;
        } else {
            Some(rng.pick(&legal))
        };
        let is_main = game.children(parent).len() == 0;
        let node = game.add_unchecked(parent, mv);
        nodes.push(node);
        annotate(&mut rng, &mut game, node, comments);
        if !is_main && rng.once_in(3) && !comments.is_empty() {
            let comment = rng.pick(&comments.iter().collect::<Vec<_>>());
            game.node_mut(node).comments_before.push(comment.clone());
        }
    }
    annotate(&mut rng, &mut game, Game::ROOT, comments);
    game
}

fn annotate(rng: &mut Rng, game: &mut Game, node: NodeId, comments: &[String]) {
    // Without tags, escapes before the first move would be before the game.
    let has_tags = !game.tags.is_empty();
    let node = game.node_mut(node);
    while rng.once_in(5) {
        node.nags.push(rng.below(256) as u8);
    }
    while rng.once_in(5) && !comments.is_empty() {
        node.comments
            .push(comments[rng.below(comments.len())].clone());
    }
    while has_tags && rng.once_in(20) && !comments.is_empty() {
        node.escapes
            .push(comments[rng.below(comments.len())].clone());
    }
}

fn any_game() -> impl Strategy<Value = Game> {
    (
        any::<u64>(),
        0..60_usize,
        prop::collection::vec(any_comment(), 0..8),
        prop::collection::vec(any_tag(), 0..6),
        any_result(),
    )
        .prop_map(|(seed, moves, comments, tags, result)| {
            let mut game = build(seed, moves, &comments, &tags);
            game.result = Some(result);
            game
        })
}

/// Proptest with the same cases on every run.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x0009_6e5e),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Pieces of PGN in any order.
fn any_pgn(pieces: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"[Event \"a\"]\n"[..],
        b"\n[Event \"b\"]",
        b"[Event ",
        b"[Site \"x\"]\n",
        b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b"\n",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b" ",
        b" ",
        b"\t",
        b"{",
        b"}",
        b"{c}",
        b"(",
        b")",
        b";",
        b"%",
        b"\n%",
        b"1-0",
        b"*",
        b"1/2-1/2",
        b"0-1 ",
        b"e4",
        b"e5 ",
        b"Nf3 ",
        b"d5",
        b"O-O",
        b"0-0",
        b"--",
        b"b8",
        b" =Q",
        b"(Q)",
        b"e.p.",
        b"1.",
        b"2...",
        b"0",
        b"$",
        b"$1",
        b"!",
        b"?",
        b"+",
        b"-",
        b"=",
        b"\xe2\x80\xa6",
        b"\xef\xbb\xbf",
        b"\xef",
        b"\xe9",
        b"\0",
        b"[%clk 1]",
        b"x",
    ]);
    prop::collection::vec(piece, 0..pieces).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(config(400))]

    /// A game comes back from what is written of it.
    #[test]
    fn games_come_back(game in any_game()) {
        let written = game.to_string();
        let again = single(&written);
        prop_assert_eq!(&again, &as_written(&game), "{}", written);
        prop_assert_eq!(again.to_string(), written);
    }

    /// Lines are short where no word is long.
    #[test]
    fn lines_are_short(
        seed in any::<u64>(),
        moves in 0..200_usize,
        comments in prop::collection::vec("([a-z\\[(){;é]{0,20} {1,3}){0,20}", 0..8),
    ) {
        let comments: Vec<String> = comments.iter().map(|comment| plain(comment)).collect();
        check_width(&build(seed, moves, &comments, &[]).to_string());
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    /// However a stream is cut, the same comes of it.
    #[test]
    fn batches_are_the_same_as_one_text(text in any_pgn(300), size in 64..200_usize) {
        check_batches(&text, [size]);
    }

    /// Whatever the bytes, what is read of them comes back; and there are no more events than bytes.
    #[test]
    fn any_bytes_are_read(text in any_pgn(80)) {
        prop_assert!(events(&text).len() <= text.len() + 2);
        let mut reader = Reader::new(&text);
        while let Some(game) = Game::read(&mut reader) {
            match game {
                Ok(game) => {
                    let written = game.to_string();
                    prop_assert_eq!(single(&written), as_written(&game), "{} of {}", written, escaped(&text));
                }
                Err(error) => {
                    prop_assert!(error.offset <= text.len());
                    prop_assert!(!error.kind.to_string().is_empty());
                }
            }
        }
    }

    #[test]
    fn next_game_is_always_read(before in any_pgn(60), newline in "\n|\r|\r\n") {
        let mut text = before;
        // The line above is no tag.
        text.extend_from_slice(format!("{newline}{newline}").as_bytes());
        let start = text.len();
        text.extend_from_slice(b"[Event \"Next\"]\n\n1. d4 d5 2. c4 1-0\n");
        let mut reader = Reader::new(&text);
        let mut last = None;
        let mut offset = 0;
        while let Some(game) = Game::read(&mut reader) {
            prop_assert!(reader.offset() <= start || reader.offset() > start + 20);
            (last, offset) = (Some(game), reader.offset());
        }
        let last = last.unwrap().unwrap();
        prop_assert_eq!(last.tag("Event"), Some("Next"));
        prop_assert_eq!(last.main_line().count(), 3);
        prop_assert_eq!(last.result, Some(GameResult::WhiteWins));
        prop_assert_eq!(offset, text.len() - 1);
    }
}
