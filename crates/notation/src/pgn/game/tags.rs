//! The tags that every game should have.

use tabiya_board::{Board, CastlingSide, Color};

use super::Game;
use crate::GameResult;
use crate::pgn::text::result_in_tag;

/// The names of the seven tags that every game has, and their values if unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

fn tag(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn find<'a>(tags: &'a mut [(String, String)], name: &str) -> Option<&'a mut String> {
    let found = tags.iter_mut().find(|(other, _)| other == name);
    found.map(|(_, value)| value)
}

/// Returns the tags that give the start of a game; none for the standard one.
pub(super) fn of_start(start: &Board) -> Vec<(String, String)> {
    if *start == Board::start() {
        return Vec::new();
    }
    let mut tags = vec![tag("SetUp", "1"), tag("FEN", &start.to_string())];
    if castles_as_chess960(start) {
        tags.push(tag("Variant", "Chess960"));
    }
    tags
}

/// Whether kings and rooks castle from other squares than in standard chess.
fn castles_as_chess960(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        CastlingSide::ALL.into_iter().any(|side| {
            let rook = board.castling_rook(color, side);
            rook.is_some_and(|rook| !side.is_standard(board.king(color), rook))
        })
    })
}

impl Game {
    /// Gives the game the tags that the standard asks for, as the writer does: the seven-tag roster first and in order,
    /// with `?` for what is unknown, and then all others. `Result`, `SetUp`, `FEN` and `Variant` agree with the game.
    ///
    /// The result is the one after the moves; if there is none or it is unknown, that of the tag. If the two contradict
    /// each other, both stay.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader};
    ///
    /// let mut game = Game::read(&mut Reader::new(b"1. f3 e5 2. g4 Qh4# 0-1")).unwrap().unwrap();
    /// game.set_tag("White", "Fool");
    /// game.standardize();
    /// assert_eq!(game.tags.len(), 7);
    /// assert_eq!(game.tag("Date"), Some("????.??.??"));
    /// assert_eq!(game.tag("Result"), Some("0-1"));
    /// ```
    pub fn standardize(&mut self) {
        self.tags = self.all_tags();
        self.result = Some(self.known_result());
    }

    /// Returns the tags as they are written.
    pub(super) fn standard_tags(&self) -> Vec<(String, String)> {
        if self.tags.is_empty() && self.start == Board::start() {
            Vec::new()
        } else {
            self.all_tags()
        }
    }

    /// Returns the result after the moves; if there is none or it is unknown, that of the tag.
    pub(super) fn known_result(&self) -> GameResult {
        let after_moves = self.result.filter(|&result| result != GameResult::Unknown);
        let in_tag = || result_in_tag(self.tag("Result")?).ok()?;
        after_moves.or_else(in_tag).unwrap_or(GameResult::Unknown)
    }

    fn all_tags(&self) -> Vec<(String, String)> {
        let mut others = self.tags.clone();
        let mut tags = Vec::with_capacity(others.len() + ROSTER.len());
        for (name, unknown) in ROSTER {
            let at = others.iter().position(|(other, _)| other == name);
            let mut found = at.map_or_else(|| tag(name, unknown), |at| others.remove(at));
            if name == "Result" {
                let known = self.known_result();
                // Which of two results is the right one, the writer cannot know.
                if matches!(result_in_tag(&found.1), Ok(result) if result.is_none_or(|result| result == known))
                {
                    known.as_str().clone_into(&mut found.1);
                }
            } else if found.1.trim().is_empty() {
                unknown.clone_into(&mut found.1);
            }
            tags.push(found);
        }
        for (name, value) in of_start(&self.start) {
            match find(&mut others, &name) {
                None => tags.push((name, value)),
                Some(old) if name == "FEN" => {
                    // The same position may be spelled in another way.
                    if old.parse() != Ok(self.start) {
                        *old = value;
                    }
                }
                Some(old) if name == "SetUp" => *old = value,
                Some(old) if old.eq_ignore_ascii_case("Standard") => *old = value,
                Some(_) => {}
            }
        }
        if self.start == Board::start()
            && let Some(fen) = find(&mut others, "FEN")
        {
            // Harmless if it says so, and wrong if not.
            if fen.parse() != Ok(self.start) {
                others.retain(|(name, _)| name != "FEN" && name != "SetUp");
            } else if find(&mut others, "SetUp").is_none() {
                tags.push(tag("SetUp", "1"));
            }
        }
        // Further down, a second `Event` tag could be taken for the next game.
        let (mut events, mut others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(name, _)| name == "Event");
        tags.append(&mut others);
        tags.append(&mut events);
        tags
    }
}
