//! The explorer's counts against a plain replay of every game by another library.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use tabiya_archive::{Archive, Explored, Filter};
use tabiya_board::Board;
use tabiya_notation::GameResult;

use crate::common::{Folder, add_to_archive, build_archive, random_games, real_games};

/// A game as the other library sees it.
pub(crate) struct Plain {
    tags: HashMap<String, String>,
    result: String,
    /// The positions before the moves, and the moves; the last has none.
    pub(crate) plies: Vec<(String, Option<String>)>,
}

/// Reads simple PGN: tags at the start of lines, then moves, with comments in braces, up to a result.
pub(crate) fn plain_games(pgn: &str) -> Vec<Plain> {
    let mut games = Vec::new();
    let mut tags = HashMap::new();
    let mut board = Chess::default();
    let mut plies = Vec::new();
    let epd = |board: &Chess| Epd::from_position(board, EnPassantMode::Legal).to_string();
    for line in pgn.lines() {
        if let Some(tag) = line.strip_prefix('[') {
            let (name, value) = tag.split_once(' ').unwrap();
            tags.insert(
                name.to_owned(),
                value.trim_end_matches(']').trim_matches('"').to_owned(),
            );
            continue;
        }
        let mut in_comment = false;
        for word in line.split_whitespace() {
            match word {
                "{" => in_comment = true,
                "}" => in_comment = false,
                _ if in_comment || word.ends_with('.') => {}
                "1-0" | "0-1" | "1/2-1/2" | "*" => {
                    plies.push((epd(&board), None));
                    games.push(Plain {
                        tags: std::mem::take(&mut tags),
                        result: word.to_owned(),
                        plies: std::mem::take(&mut plies),
                    });
                    board = Chess::default();
                }
                san => {
                    let san: SanPlus = san.trim_end_matches(['!', '?']).parse().unwrap();
                    let mv = san.san.to_move(&board).unwrap();
                    let uci = mv.to_uci(CastlingMode::Standard).to_string();
                    plies.push((epd(&board), Some(uci)));
                    board.play_unchecked(mv);
                }
            }
        }
    }
    games
}

impl Plain {
    fn rating(&self) -> Option<i32> {
        let elo = |name: &str| self.tags.get(name)?.parse::<i32>().ok();
        match (elo("WhiteElo"), elo("BlackElo")) {
            (Some(white), Some(black)) => Some(i32::midpoint(white, black)),
            (one, other) => one.or(other),
        }
    }

    fn date(&self) -> Option<&String> {
        self.tags.get("UTCDate")
    }
}

/// The results by move (white, draws, black, unknown), the sum and number of ratings, the last date.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Counts {
    results: [u32; 4],
    rating_sum: i64,
    rating_count: i64,
    last: Option<String>,
}

type ByMove = HashMap<Option<String>, Counts>;

fn count(games: &[Plain], passes: impl Fn(&Plain) -> bool) -> HashMap<String, ByMove> {
    let mut positions: HashMap<String, ByMove> = HashMap::new();
    for game in games.iter().filter(|game| passes(game)) {
        let mut seen = HashSet::new();
        for (position, mv) in &game.plies {
            // A game counts once for a position.
            if !seen.insert(position) {
                continue;
            }
            let by_move = positions.entry(position.clone()).or_default();
            let counts = by_move.entry(mv.clone()).or_default();
            let order = ["1-0", "1/2-1/2", "0-1", "*"];
            let index = order
                .iter()
                .position(|result| *result == game.result)
                .unwrap();
            counts.results[index] += 1;
            if let Some(rating) = game.rating() {
                counts.rating_sum += i64::from(rating);
                counts.rating_count += 1;
            }
            counts.last = counts.last.take().max(game.date().cloned());
        }
    }
    positions
}

fn compare(archive: &Archive, position: &str, expected: &ByMove, filter: &Filter) {
    let board: Board = format!("{position} 0 1").parse().unwrap();
    let explored = archive.explore(&board, filter).unwrap();
    assert_eq!(explored.moves.len(), expected.len(), "{position}");
    let mut games = 0;
    for explored in &explored.moves {
        let uci = &explored.uci;
        let counts = &expected[uci];
        let results = [
            explored.white_wins,
            explored.draws,
            explored.black_wins,
            explored.unknown,
        ];
        assert_eq!(results, counts.results, "{position} {uci:?}");
        let average = counts.rating_count;
        let average = (average > 0).then(|| ((counts.rating_sum + average / 2) / average) as i32);
        assert_eq!(explored.average_rating, average, "{position} {uci:?}");
        assert_eq!(explored.last_played, counts.last, "{position} {uci:?}");
        games += counts.results.iter().sum::<u32>();
    }
    assert_eq!(explored.games, u64::from(games));
}

/// The games with the highest ratings and the latest, among those that have a position.
fn compare_lists(explored: &Explored, games: &[Plain], position: &str) {
    let having: Vec<(usize, &Plain)> = games
        .iter()
        .enumerate()
        .filter(|(_, game)| game.plies.iter().any(|(other, _)| other == position))
        .collect();
    let mut top: Vec<_> = having
        .iter()
        .filter_map(|(id, game)| Some((game.rating()?, *id)))
        .collect();
    top.sort_unstable_by(|a, b| b.cmp(a));
    let mut recent: Vec<_> = having
        .iter()
        .filter_map(|(id, game)| Some((game.date()?, *id)))
        .collect();
    recent.sort_unstable_by(|a, b| b.cmp(a));
    let ids = |rows: &[tabiya_archive::ExploredGame]| -> Vec<usize> {
        rows.iter().map(|row| row.game_id as usize).collect()
    };
    let top: Vec<usize> = top.iter().take(8).map(|game| game.1).collect();
    let recent: Vec<usize> = recent.iter().take(8).map(|game| game.1).collect();
    assert_eq!(ids(&explored.top), top, "{position}");
    assert_eq!(ids(&explored.recent), recent, "{position}");
}

type Test = fn(&Plain) -> bool;

/// Filters, and what they mean.
fn filters() -> [(Filter, Test); 5] {
    [
        (
            Filter {
                min_rating: Some(1500),
                max_rating: Some(2000),
                ..Filter::default()
            },
            |game| {
                game.rating()
                    .is_some_and(|rating| (1500..=2000).contains(&rating))
            },
        ),
        (
            Filter {
                result: Some(GameResult::Draw),
                ..Filter::default()
            },
            |game| game.result == "1/2-1/2",
        ),
        (
            Filter {
                since: tabiya_archive::parse_day("2010.01.01"),
                until: tabiya_archive::parse_day("2019.12.31"),
                ..Filter::default()
            },
            |game| {
                let date = game.date().map(String::as_str);
                date.is_some_and(|date| ("2010.01.01"..="2019.12.31").contains(&date))
            },
        ),
        (
            Filter {
                player: Some("PLAYER 1".to_owned()),
                ..Filter::default()
            },
            |game| {
                let mut names = ["White", "Black"]
                    .iter()
                    .filter_map(|name| game.tags.get(*name));
                names.any(|name| name.to_lowercase().contains("player 1"))
            },
        ),
        (
            Filter {
                time_control: Some("blitz".to_owned()),
                min_rating: Some(1200),
                ..Filter::default()
            },
            |game| {
                let control = &game.tags["TimeControl"];
                let (base, increment) = control.split_once('+').unwrap_or(("-", "0"));
                let seconds = base.parse().unwrap_or(0) + 40 * increment.parse::<u32>().unwrap();
                (180..480).contains(&seconds) && game.rating().is_some_and(|rating| rating >= 1200)
            },
        ),
    ]
}

/// Compares all frequent positions and many of the others, without and with filters.
fn compare_all(archive: &Archive, games: &[Plain]) {
    let positions = count(games, |_| true);
    let rows: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!(archive.info().positions, rows as u64);
    let mut compared = 0;
    for (index, (position, expected)) in positions.iter().enumerate() {
        let total: u32 = expected.values().flat_map(|counts| counts.results).sum();
        // On both sides of the limit below which a position is not in the explorer table.
        if total >= 8 || index % 50 == 0 {
            compare(archive, position, expected, &Filter::default());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");

    let start = Epd::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    let after: Vec<&String> = positions
        .iter()
        .filter(|(_, by_move)| {
            by_move
                .values()
                .flat_map(|counts| counts.results)
                .sum::<u32>()
                >= 20
        })
        .map(|(position, _)| position)
        .take(10)
        .chain([&start])
        .collect();
    for position in &after {
        let board: Board = format!("{position} 0 1").parse().unwrap();
        let explored = archive.explore(&board, &Filter::default()).unwrap();
        compare_lists(&explored, games, position);
    }
    for (filter, test) in filters() {
        let filtered = count(games, test);
        for position in &after {
            let expected = filtered.get(*position).cloned().unwrap_or_default();
            compare(archive, position, &expected, &filter);
        }
    }
}

#[test]
fn counts_equal_a_plain_replay_of_every_game() {
    let folder = Folder::new();
    let text = random_games(600, 1);
    let file = folder.file("games.pgn", &text);
    let (built, archive) = build_archive(&folder.path("archive"), &[file]);
    let games = plain_games(&text);
    assert_eq!((built.part.games, games.len()), (600, 600));
    assert_eq!((built.part.broken, built.part.duplicates), (0, 0));
    compare_all(&archive, &games);
}

#[test]
fn counts_of_real_games_equal_a_plain_replay() {
    let Some(text) = real_games() else {
        return;
    };
    let folder = Folder::new();
    let file = folder.file("games.pgn", &text);
    let (_, archive) = build_archive(&folder.path("archive"), &[file]);
    compare_all(&archive, &plain_games(&text));
}

#[test]
fn added_games_count_like_those_of_one_build() {
    let folder = Folder::new();
    let texts = [
        random_games(300, 2),
        random_games(200, 3),
        random_games(50, 4),
    ];
    let files: Vec<PathBuf> = (0..3)
        .map(|index| folder.file(&format!("{index}.pgn"), &texts[index]))
        .collect();
    let path = folder.path("archive");
    build_archive(&path, &files[..1]);
    add_to_archive(&path, &files[1..2]);
    let (built, archive) = add_to_archive(&path, &files[2..]);
    assert_eq!((built.part.first_game, built.part.games), (500, 50));
    compare_all(&archive, &plain_games(&texts.concat()));
    // All again: nothing counts twice, and nothing is lost.
    let (built, archive) = add_to_archive(&path, &files);
    assert_eq!((built.part.games, built.part.duplicates), (550, 550));
    assert_eq!(archive.info().games, 1100);
    compare_all(&archive, &plain_games(&texts.concat()));
}
