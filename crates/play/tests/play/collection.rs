//! The collection of finished games.

use std::fs;
use std::thread;
use std::time::Instant;

use tabiya_notation::pgn::{Game, Reader};
use tabiya_play::{Collection, GameRecord, Store};

use crate::folder::Folder;
use crate::{WHITE, people, play};

/// The games of a text, valid or not.
fn games(text: &str) -> Vec<Result<Game, String>> {
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        games.push(game.map_err(|error| error.to_string()));
    }
    games
}

fn finished() -> tabiya_play::Game {
    let mut game = people();
    play(&mut game, "e4 e5");
    game.resign(WHITE, Instant::now()).unwrap();
    game
}

#[test]
fn concurrent_writers_lose_nothing() {
    let folder = Folder::new("writers");
    let path = folder.join("games.pgn");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    Collection::new(&path).add(&finished().pgn()).unwrap();
                }
            });
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    let read = games(&text);
    assert_eq!(read.len(), 40);
    for game in read {
        assert_eq!(game.unwrap().main_line().count(), 2);
    }
}

#[test]
fn an_incomplete_game_is_closed_before_the_next() {
    let folder = Folder::new("torn");
    let path = folder.join("games.pgn");
    let whole = finished().pgn().to_string();
    let torn = finished().pgn().to_string();
    for cut in 1..torn.len() {
        if !torn.is_char_boundary(cut) {
            continue;
        }
        let before = format!("{whole}\n{}", &torn[..cut]);
        fs::write(&path, &before).unwrap();
        Collection::new(&path).add(&finished().pgn()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&before), "nothing is ever removed");
        let read = games(&text);
        let last = read.last().unwrap().as_ref();
        let last = last.unwrap_or_else(|error| panic!("{cut}: {error}\n{text}"));
        assert_eq!(
            (last.main_line().count(), last.tag("White")),
            (2, Some("Ann")),
            "{text}"
        );
        assert_eq!(
            read[0].as_ref().unwrap().main_line().count(),
            2,
            "{cut}: {text}"
        );
    }
}

#[test]
fn a_game_is_added_once() {
    let folder = Folder::new("once");
    let store = Store::new(folder.path());
    let mut game = finished();
    game.set_record(GameRecord::new(folder.join("20261115-193012-1-1.pgn")));
    store.collection().add(&game.pgn()).unwrap();
    // As if the program was killed before it could delete the record.
    store.finish(&mut game).unwrap();
    let text = fs::read_to_string(store.collection().path()).unwrap();
    assert_eq!(games(&text).len(), 1, "{text}");
}

#[test]
fn games_are_appended_to_foreign_collections() {
    let folder = Folder::new("others");
    let path = folder.join("games.pgn");
    for before in [
        "",
        "\n",
        "1. e4 *",
        "1. e4 *\n",
        "1. e4 *\n\n",
        "1. e4 1-0\r\n\r\n",
    ] {
        fs::write(&path, before).unwrap();
        Collection::new(&path).add(&finished().pgn()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(before), "{text:?}");
        let expected = 1 + usize::from(before.contains("e4"));
        let read = games(&text);
        assert_eq!(read.len(), expected, "{text:?}");
        assert!(read.iter().all(Result::is_ok), "{read:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let error = Collection::new("/dev/full")
        .add(&finished().pgn())
        .unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("could not add the game to /dev/full: No space left"),
        "{said}"
    );
}
