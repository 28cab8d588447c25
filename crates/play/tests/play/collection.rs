//! The collection of finished games.

use std::fs;
use std::thread;
use std::time::Instant;

use tabiya_notation::pgn::{Game, Reader};
use tabiya_play::{
    Collection, GameEvent, GameRecord, SavedGame, Session, SessionEvent, SessionOptions, Store,
};

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

#[test]
fn a_saved_game_is_added_to_the_games_in_the_file() {
    let folder = Folder::new("saved");
    let path = folder.join("three.pgn");
    let three = format!("{0}\n{0}\n{0}", finished().pgn());
    fs::write(&path, &three).unwrap();
    let saved = Collection::new(&path).append(&finished().pgn()).unwrap();
    assert_eq!(saved, SavedGame::Added);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&three), "{text}");
    assert_eq!(games(&text).len(), 4);
    // The same game again: it may have gone on.
    Collection::new(&path).append(&finished().pgn()).unwrap();
    assert_eq!(games(&fs::read_to_string(&path).unwrap()).len(), 5);
    let path = folder.join("new.pgn");
    let saved = Collection::new(&path).append(&finished().pgn()).unwrap();
    assert_eq!(saved, SavedGame::Alone);
    for other in ["Dear diary,\n", "\0\0\0\0", "print('hello')"] {
        fs::write(&path, other).unwrap();
        let error = Collection::new(&path).append(&finished().pgn());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("not a PGN file"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
}

#[test]
fn a_takeback_after_the_end_makes_another_game() {
    let folder = Folder::new("after-end");
    let store = Store::new(folder.path());
    let options = SessionOptions {
        seed: 1,
        paced: false,
        resigns: false,
        offers_draws: false,
    };
    let mut session = Session::new(people(), store.clone(), options);
    let now = Instant::now();
    for san in ["f3", "e5", "g4", "Qh4#"] {
        session.play_text(san, now).unwrap();
    }
    let count = || games(&fs::read_to_string(store.collection().path()).unwrap()).len();
    assert_eq!(count(), 1);
    assert_eq!(store.unfinished().unwrap().len(), 0);
    session.take_back(now).unwrap();
    // From now on the game is on disk again.
    assert_eq!(store.unfinished().unwrap().len(), 1);
    let events = session.redo(now).unwrap();
    let is_end = |event: &SessionEvent| matches!(event, SessionEvent::Game(GameEvent::Ended(_)));
    assert!(events.iter().any(is_end), "{events:?}");
    assert_eq!((count(), store.unfinished().unwrap().len()), (1, 0));
    session.take_back(now).unwrap();
    session.play_text("d6", now).unwrap();
    session.resign(Some(WHITE), now).unwrap();
    assert_eq!((count(), store.unfinished().unwrap().len()), (2, 0));
}

#[test]
fn friends_answer_each_others_offers_and_say_who_resigns() {
    let folder = Folder::new("friends");
    let options = SessionOptions {
        seed: 1,
        paced: false,
        resigns: false,
        offers_draws: false,
    };
    let mut session = Session::new(people(), Store::new(folder.path()), options);
    let now = Instant::now();
    session.draw(now).unwrap();
    assert_eq!(session.game().draw_offer(), Some(WHITE));
    session.decline(now).unwrap();
    assert_eq!(session.game().draw_offer(), None);
    session.draw(now).unwrap();
    // The second one accepts.
    session.draw(now).unwrap();
    let ending = session.game().termination().unwrap();
    assert_eq!(ending.to_string(), "draw by agreement");
    session.take_back(now).unwrap();
    session.resign(Some(!WHITE), now).unwrap();
    let ending = session.game().termination().unwrap();
    assert_eq!(ending.to_string(), "White wins: Black resigned");
}
