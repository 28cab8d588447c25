//! Tournaments.

use std::fs;
use std::path::Path;

use tabiya_classics::herochess::{HerochessSession, HerochessTournamentError, Options};

use crate::{FOOLS_MATE, Folder};

/// Black wins.
const LOST: &str = FOOLS_MATE;
/// White wins.
const WON: &str = "e2 e4\ne7 e5\nf1 c4\nb8 c6\nd1 h5\ng8 f6\nh5 f7";
const DRAWN: &str = "g1 f3\ng8 f6\nf3 g1\nf6 g8\ng1 f3\ng8 f6\nf3 g1\nf6 g8";

fn tournament(
    options: Options,
    path: &Path,
    typed: &str,
) -> Result<String, HerochessTournamentError> {
    let mut printed = Vec::new();
    HerochessSession::new(typed.as_bytes(), &mut printed, options).tournament(path)?;
    Ok(String::from_utf8(printed).unwrap())
}

#[test]
fn three_people_play_a_round_robin() {
    let folder = Folder::new("tournament");
    let path = folder.path("club.txt");
    let typed = format!("Ann\nBob\nCem\n\n{WON}\nn\n{DRAWN}\nn\n{LOST}\nn\n");
    let printed = tournament(folder.options(), &path, &typed).unwrap();
    for line in [
        "Game 1 of 3: Bob (White) against Cem (Black)",
        "Bob pick your piece: ",
        "Checkmate! Bob (White) wins.",
        "Game 2 of 3: Cem (White) against Ann (Black)",
        "Game 3 of 3: Ann (White) against Bob (Black)",
        "Standings after 1 of 3 games:",
        "The tournament is over. Winner: Bob.",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "HeroChess tournament, Tabiya {version}
Started: 2026-01-01 00:00:15 UTC
Player 1: Ann
Player 2: Bob
Player 3: Cem

Game 1: Bob - Cem: 1-0
Game 2: Cem - Ann: 1/2-1/2
Game 3: Ann - Bob: 0-1

Standings after 3 of 3 games:
  1. Bob 2.0  points: 2 won, 0 drawn, 0 lost
  2. Ann 0.5  points: 0 won, 1 drawn, 1 lost
  2. Cem 0.5  points: 0 won, 1 drawn, 1 lost
"
    );
    assert_eq!(folder.read("club.txt"), expected);
    assert_eq!(folder.names(), ["club.txt"]);
    // Run it again: nothing is left to play.
    let printed = tournament(folder.options(), &path, "").unwrap();
    assert!(
        printed.ends_with("The tournament is over. Winner: Bob.\n"),
        "{printed}"
    );
    assert_eq!(folder.read("club.txt"), expected);
}

#[test]
fn interrupted_game_remains_to_be_played() {
    let folder = Folder::new("tournament-interrupted");
    let path = folder.path("club.txt");
    for leaving in ["q\n", "e2 e4\nQ\n", "e2\n"] {
        let names = if path.exists() { "" } else { "Ann\nBob\n\n" };
        let typed = format!("{names}{leaving}");
        let printed = tournament(folder.options(), &path, &typed).unwrap();
        assert!(
            printed.ends_with(
                "The game remains to be played. Run the same command to continue the tournament.\n"
            ),
            "{printed}"
        );
        assert!(
            folder
                .read("club.txt")
                .contains("Game 1: Ann - Bob: to be played\n")
        );
    }
    let printed = tournament(folder.options(), &path, &format!("{WON}\ny\n")).unwrap();
    assert!(!printed.contains("Who plays?"), "{printed}");
    assert!(
        printed.contains("The tournament is over. Winner: Ann."),
        "{printed}"
    );
    // The record names the players.
    let record = folder.read("herochess-20260101-000015.txt");
    assert!(
        record.contains("\nPlayer 1: White, person, Ann\nPlayer 2: Black, person, Bob\n"),
        "{record}"
    );
    folder.record("herochess-20260101-000015.txt");
}

#[test]
fn saves_after_every_game() {
    let folder = Folder::new("tournament-kept");
    let path = folder.path("club.txt");
    // The input ends after the first game.
    let typed = format!("Ann\nBob\nCem\n\n{LOST}\n");
    tournament(folder.options(), &path, &typed).unwrap();
    let text = folder.read("club.txt");
    assert!(
        text.contains("Game 1: Bob - Cem: 0-1\nGame 2: Cem - Ann: to be played\n"),
        "{text}"
    );
    let printed = tournament(folder.options(), &path, &format!("{LOST}\nn\n{WON}\nn\n")).unwrap();
    assert!(
        printed.starts_with("Standings after 1 of 3 games:\n"),
        "{printed}"
    );
    assert!(
        printed.contains("The tournament is over. Winner: Ann."),
        "{printed}"
    );
}

#[test]
fn computer_takes_part() {
    let folder = Folder::new("tournament-computer");
    let path = folder.path("club.txt");
    let printed = tournament(folder.options(), &path, "AI 1\nAI 2\n\n").unwrap();
    assert!(
        printed.contains("The tournament is over. Winner: AI "),
        "{printed}"
    );
    assert!(
        folder
            .read("club.txt")
            .contains("Standings after 1 of 1 games:")
    );
    // There is no question about saving, and only the last board is printed.
    assert!(!printed.contains("Do you want"), "{printed}");
    assert_eq!(crate::boards(&printed).len(), 1);
    // No takebacks against a person.
    let path = folder.path("mixed.txt");
    let printed = tournament(folder.options(), &path, "Ann\nAI 1\n\ne2 e4\nd2 d4\nq\n").unwrap();
    assert!(!printed.contains("undo"), "{printed}");
    assert!(printed.contains("AI 1 moved from "), "{printed}");
}

#[test]
fn asks_until_names_are_valid() {
    let folder = Folder::new("tournament-names");
    let path = folder.path("club.txt");
    let typed = "\nAnn\n\nAnn\nAI 9\nBob\n\nq\n";
    let printed = tournament(folder.options(), &path, typed).unwrap();
    assert_eq!(
        printed
            .matches("A tournament needs at least two players.")
            .count(),
        2
    );
    assert!(printed.contains("Ann is already in the list."), "{printed}");
    assert!(
        printed.contains("The computer players are AI 1 to AI 6."),
        "{printed}"
    );
    assert!(
        folder
            .read("club.txt")
            .contains("Player 1: Ann\nPlayer 2: Bob\n\n")
    );
    // Without players there is no tournament.
    let path = folder.path("none.txt");
    for typed in ["", "Ann\n", "Ann\nBob\n", "q\n", "Ann\nBob\nq\n"] {
        tournament(folder.options(), &path, typed).unwrap();
        assert!(!path.exists(), "{typed:?}");
    }
}

#[test]
fn rejects_other_files() {
    let folder = Folder::new("tournament-files");
    let path = folder.path("other.txt");
    fs::write(&path, "precious").unwrap();
    let error = tournament(folder.options(), &path, "Ann\nBob\n\n").unwrap_err();
    assert!(
        error.to_string().ends_with("other.txt, line 1: this is not a tournament file, which starts with \"HeroChess tournament, Tabiya \""),
        "{error}"
    );
    assert_eq!(folder.read("other.txt"), "precious");
    let error = tournament(folder.options(), &folder.path(""), "").unwrap_err();
    assert!(
        matches!(error, HerochessTournamentError::Unreadable { .. }),
        "{error}"
    );
    let nowhere = folder.path("no/such/folder.txt");
    let error = tournament(folder.options(), &nowhere, "Ann\nBob\n\n").unwrap_err();
    assert!(
        matches!(error, HerochessTournamentError::Unwritable { .. }),
        "{error}"
    );
    assert_eq!(folder.names(), ["other.txt"]);
}

#[test]
fn tournament_file_is_locked() {
    let folder = Folder::new("tournament-lock");
    let path = folder.path("club.txt");
    tournament(folder.options(), &path, "Ann\nBob\n\nq\n").unwrap();
    let other = fs::File::open(&path).unwrap();
    other.lock().unwrap();
    let error = tournament(folder.options(), &path, "q\n").unwrap_err();
    assert!(
        matches!(error, HerochessTournamentError::InUse { .. }),
        "{error}"
    );
    drop(other);
    tournament(folder.options(), &path, "q\n").unwrap();
}

/// A result is never lost silently.
#[cfg(unix)]
#[test]
fn offers_to_save_again_after_an_error() {
    let folder = Folder::new("tournament-full");
    let path = folder.path("there/club.txt");
    fs::create_dir(folder.path("there")).unwrap();
    tournament(folder.options(), &path, "Ann\nBob\n\nq\n").unwrap();
    // The folder is removed during the game.
    let gone = GoneFolder {
        typed: std::io::Cursor::new(format!("{WON}\n\nq\n").into_bytes()),
        folder: folder.path("there"),
    };
    let mut printed = Vec::new();
    let error = HerochessSession::new(gone, &mut printed, folder.options())
        .tournament(&path)
        .unwrap_err();
    assert!(
        matches!(error, HerochessTournamentError::Unwritable { .. }),
        "{error}"
    );
    let printed = String::from_utf8(printed).unwrap();
    let said = printed.matches("Cannot save the result to ").count();
    assert_eq!(said, 2, "{printed}");
}

/// Removes a folder at the first read.
#[cfg(unix)]
struct GoneFolder {
    typed: std::io::Cursor<Vec<u8>>,
    folder: std::path::PathBuf,
}

#[cfg(unix)]
impl std::io::Read for GoneFolder {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.typed.read(buffer)
    }
}

#[cfg(unix)]
impl std::io::BufRead for GoneFolder {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        let _ = fs::remove_dir_all(&self.folder);
        self.typed.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.typed.consume(count);
    }
}
