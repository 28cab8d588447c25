//! The games to read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tabiya_board::{Board, Color, Outcome};
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Game, Reader};

/// Games in PGN, with a title.
#[derive(Clone, Debug)]
pub struct Games {
    /// A short description.
    pub title: String,
    /// Their text.
    pub text: Vec<u8>,
}

/// The size of the random games in bytes, about.
const RANDOM_BYTES: usize = 1_000_000;

/// Returns about a megabyte of each kind of games: real ones if there are any next to the checkout,
/// otherwise random walks.
///
/// # Errors
///
/// If a file cannot be read.
pub fn samples() -> io::Result<Vec<Games>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/games");
    let real = real(&folder)?;
    if real.is_empty() {
        return Ok(vec![Games {
            title: "random walks".to_owned(),
            text: random(RANDOM_BYTES),
        }]);
    }
    let bare = bare(&real);
    Ok(vec![
        Games {
            title: "real games with clocks".to_owned(),
            text: real,
        },
        Games {
            title: "the same, bare".to_owned(),
            text: bare,
        },
    ])
}

/// Returns all PGN files of a folder in one text; empty if there is no such folder.
fn real(folder: &Path) -> io::Result<Vec<u8>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pgn"));
    files.sort();
    let mut text = Vec::new();
    for file in files {
        text.extend(fs::read(file)?);
        text.extend(b"\n\n");
    }
    Ok(text)
}

/// Returns the games in standard form without comments and glyphs. Games that cannot be read are left
/// out.
pub fn bare(text: &[u8]) -> Vec<u8> {
    let mut reader = Reader::new(text);
    let mut bare = Vec::with_capacity(text.len());
    while let Some(game) = Game::read(&mut reader) {
        let Ok(mut game) = game else { continue };
        let mut places = vec![Game::ROOT];
        while let Some(place) = places.pop() {
            places.extend(game.children(place));
            let node = game.node_mut(place);
            node.nags.clear();
            node.comments_before.clear();
            node.comments.clear();
        }
        bare.extend(game.to_string().into_bytes());
        bare.push(b'\n');
    }
    bare
}

/// Returns at least `bytes` bytes of games with random moves; the same ones each time.
pub fn random(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(20);
    let mut text = Vec::with_capacity(bytes);
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text.extend(random_game(&mut rng, number).to_string().into_bytes());
        text.push(b'\n');
    }
    text
}

/// The most plies of a random game: about the length of long real games, so that the board is rarely
/// empty.
const RANDOM_PLIES: usize = 120;

fn random_game(rng: &mut Rng, number: u32) -> Game {
    let mut board = Board::start();
    let mut game = Game::new(board);
    let mut place = Game::ROOT;
    for _ in 0..RANDOM_PLIES {
        if board.outcome().is_some() {
            break;
        }
        let moves = board.legal_moves();
        let mv = moves[rng.below(moves.len())];
        place = game.add_unchecked(place, Some(mv));
        board.play_unchecked(mv);
    }
    let result = match board.outcome().map(Outcome::winner) {
        Some(Some(Color::White)) => GameResult::WhiteWins,
        Some(Some(Color::Black)) => GameResult::BlackWins,
        Some(None) => GameResult::Draw,
        None => GameResult::Unknown,
    };
    game.result = Some(result);
    for (name, value) in [
        ("Event", "Random walk"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", number.to_string().as_str()),
        ("White", "Chance"),
        ("Black", "Chance"),
        ("Result", result.as_str()),
    ] {
        game.set_tag(name, value);
    }
    game
}

/// Pseudo-random numbers, by SplitMix64.
pub(crate) struct Rng(u64);

impl Rng {
    /// The same seed gives the same numbers.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits % limit as u64) as usize
    }
}

/// Repeats a text until it has at least `bytes` bytes.
pub fn repeat(text: &[u8], bytes: usize) -> Vec<u8> {
    text.repeat(bytes.div_ceil(text.len().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Game> {
        let mut reader = Reader::new(text);
        std::iter::from_fn(|| Game::read(&mut reader))
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn random_games_are_games() {
        let text = random(20_000);
        assert!(text.len() >= 20_000);
        assert_eq!(text, random(20_000));
        let games = read(&text);
        assert!(games.len() > 10);
        assert!(games.iter().all(|game| game.main_line().count() > 1));
        let mut other = games.iter().map(|game| game.main_line().count());
        let first = other.next();
        assert!(other.any(|plies| Some(plies) != first));
    }

    #[test]
    fn bare_games_have_only_moves() {
        let text = b"[Event \"A\"]\n\n{so} 1. e4! {%clk} (1. d4 {or} d5 $1) 1... e5 *\n\n\
            [Event \"B\"]\n\n1. e5 *\n\n[Event \"C\"]\n\n1. Nf3 {x} 1-0\n";
        let roster = |event, result| {
            format!(
                "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                [White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n\n"
            )
        };
        let expected = format!(
            "{}1. e4 (1. d4 d5) 1... e5 *\n\n{}1. Nf3 1-0\n\n",
            roster("A", "*"),
            roster("C", "1-0")
        );
        assert_eq!(String::from_utf8(bare(text)).unwrap(), expected);
    }

    #[test]
    fn texts_are_repeated_to_a_size() {
        assert_eq!(repeat(b"abc", 7), b"abcabcabc");
        assert_eq!(repeat(b"abc", 6), b"abcabc");
        assert_eq!(repeat(b"", 6), b"");
    }
}
