//! The table of openings against facts written down for this test, and against another table if there is one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use tabiya_board::Board;
use tabiya_notation::{Dialect, Opening, opening, opening_of_game, openings, parse_san};

/// Returns the boards of a line of moves with numbers, the start first.
#[track_caller]
fn boards(moves: &str) -> Vec<Board> {
    let mut boards = vec![Board::start()];
    for word in moves.split_whitespace() {
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            continue;
        }
        let board = boards[boards.len() - 1];
        let mv = parse_san(word, &board, Dialect::Strict)
            .unwrap_or_else(|error| panic!("{word} of {moves}: {error}"));
        boards.push(board.after(mv));
    }
    boards
}

fn last(moves: &str) -> Board {
    *boards(moves).last().unwrap()
}

/// Reads the other table, which is not part of the project: code, name and moves.
fn others() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/openings");
    let mut lines = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let path = folder.join(format!("{volume}.tsv"));
        match fs::read_to_string(&path) {
            Ok(text) => lines.extend(text.lines().skip(1).map(|line| {
                let mut columns = line.split('\t').map(str::to_owned);
                let mut column = || columns.next().unwrap_or_default();
                (column(), column(), column())
            })),
            Err(error) => eprintln!("skipped: {}: {error}", path.display()),
        }
    }
    lines
}

/// Well-known lines: their code, the start of their name, and their moves.
const FACTS: &str = include_str!("data/openings.tsv");

#[test]
fn well_known_openings_have_their_code_and_name() {
    let facts: Vec<&str> = FACTS.lines().skip(1).collect();
    assert!(facts.len() >= 150, "{}", facts.len());
    for fact in facts {
        let [eco, family, moves] = fact.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{fact:?} does not have three columns");
        };
        let found = opening_of_game(&boards(moves)).unwrap_or_else(|| panic!("{fact}: no opening"));
        assert_eq!(found.eco, eco, "{fact}: {}", found.name);
        assert!(found.name.starts_with(family), "{fact}: {}", found.name);
    }
}

#[test]
fn names_and_codes_agree_with_another_table() {
    let others = others();
    if others.is_empty() {
        return;
    }
    let mut by_key: HashMap<u64, (&str, &str)> = HashMap::new();
    let mut codes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (eco, name, moves) in &others {
        by_key.insert(last(moves).repetition_key(), (eco, name));
        codes.entry(name).or_default().insert(eco);
    }
    let mut wrong = Vec::new();
    let (mut same_position, mut same_name) = (0, 0);
    for Opening { eco, name, moves } in openings() {
        if let Some(&theirs) = by_key.get(&last(moves).repetition_key()) {
            same_position += 1;
            if theirs != (eco, name) {
                wrong.push(format!(
                    "{eco} {name} ({moves}) is {} {}",
                    theirs.0, theirs.1
                ));
            }
        }
        if let Some(codes) = codes.get(name) {
            same_name += 1;
            if !codes.contains(eco) {
                wrong.push(format!("{eco} {name} has the codes {codes:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("{same_position} positions and {same_name} names are in both");
    assert!(same_position > 100 && same_name > 100);
}

#[test]
fn openings_are_recognised() {
    for wanted in openings() {
        let boards = boards(wanted.moves);
        assert_eq!(opening(boards.last().unwrap()), Some(wanted));
        assert_eq!(opening_of_game(&boards), Some(wanted));
    }
    let quiet = boards("1. a3 a6 2. h3 h6 3. a4 a5 4. h4 h5 5. Ra3 Ra6 6. Rah3 Rah6");
    assert_eq!(opening(quiet.last().unwrap()), None);
    assert_eq!(opening(&Board::start()), None);
    assert_eq!(opening_of_game([]), None);
}

#[test]
fn transpositions_are_recognised() {
    let direct = last("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4");
    let other = last("1. c4 e6 2. Nc3 Bb4 3. d4 Nf6");
    assert!(opening(&direct).is_some());
    assert_eq!(opening(&direct), opening(&other));
    let on = boards("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. h4 h5 5. Rh3 Rh6");
    assert_eq!(opening_of_game(&on), opening(&direct));
}
