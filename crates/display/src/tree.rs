//! The moves of a game as text, with its variations.

use std::collections::HashMap;

use tabiya_board::Board;
use tabiya_notation::pgn::{Game, NodeId, Ply, Step};
use tabiya_notation::{PieceLetters, write_san};

/// The moves of a game in SAN, with the piece letters of a language, and the boards after them.
pub struct MoveTree {
    after: HashMap<NodeId, (Board, String)>,
    start: Board,
    letters: PieceLetters,
    /// The moves in the order of a PGN file.
    pub words: Vec<MoveTreeWord>,
}

/// A move as written.
pub struct MoveTreeWord {
    /// The move with its number and parentheses.
    pub text: String,
    /// The position after it.
    pub place: NodeId,
    /// How many variations it is inside of.
    pub depth: usize,
}

impl MoveTree {
    /// Writes the moves of a game.
    pub fn of(game: &Game, letters: PieceLetters) -> Self {
        let mut moves = Self {
            after: HashMap::new(),
            start: *game.start(),
            letters,
            words: Vec::new(),
        };
        let mut depth = 0;
        let (mut opened, mut numbered) = (false, true);
        for step in game.walk() {
            match step {
                Step::Move(ply) => {
                    let id = ply.node;
                    moves.store(&ply);
                    let mut text = moves.words_of(game, id, numbered);
                    if std::mem::take(&mut opened) {
                        text.insert(0, '(');
                    }
                    moves.words.push(MoveTreeWord {
                        text,
                        place: id,
                        depth,
                    });
                    numbered = false;
                }
                Step::VariationStart => {
                    depth += 1;
                    (opened, numbered) = (true, true);
                }
                Step::VariationEnd => {
                    depth -= 1;
                    numbered = true;
                    if let Some(last) = moves.words.last_mut() {
                        last.text.push(')');
                    }
                }
            }
        }
        moves
    }

    /// Returns the board after a move.
    pub fn board(&self, id: NodeId) -> Board {
        self.after.get(&id).map_or(self.start, |&(board, _)| board)
    }

    fn before(&self, game: &Game, id: NodeId) -> Board {
        game.parent(id)
            .map_or(self.start, |parent| self.board(parent))
    }

    /// Stores the board after a move, and its SAN.
    fn store(&mut self, ply: &Ply) {
        let san = match ply.mv {
            Some(mv) => self.letters.localize(&write_san(&ply.before, mv)),
            None => "--".to_owned(),
        };
        self.after.insert(ply.node, (ply.board, san));
    }

    /// A move with its NAGs, and its number if it is White's or `numbered` says so.
    fn words_of(&self, game: &Game, id: NodeId, numbered: bool) -> String {
        let before = self.before(game, id);
        let mut text = if before.turn().is_white() {
            format!("{}. ", before.fullmove_number())
        } else if numbered {
            format!("{}... ", before.fullmove_number())
        } else {
            String::new()
        };
        if let Some((_, san)) = self.after.get(&id) {
            text.push_str(san);
        }
        for &nag in &game.node(id).nags {
            match nag {
                0 => {}
                1..=6 => text.push_str(["!", "?", "!!", "??", "!?", "?!"][usize::from(nag) - 1]),
                _ => text.extend([" $", &nag.to_string()]),
            }
        }
        text
    }

    /// Returns a move with its number.
    pub fn numbered(&self, game: &Game, id: NodeId) -> String {
        self.words_of(game, id, true)
    }

    /// Returns a move and those that follow it, without variations.
    pub fn line(&self, game: &Game, id: NodeId) -> String {
        let mut text = self.numbered(game, id);
        let mut at = id;
        while let Some(next) = game.children(at).next() {
            text.push(' ');
            text.push_str(&self.words_of(game, next, false));
            at = next;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::pgn::Reader;

    #[test]
    fn moves_are_written_as_in_a_file() {
        let text = b"1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6!?) 2. Nf3 -- 3. d4 *";
        let game = Game::read(&mut Reader::new(text)).unwrap().unwrap();
        let words = MoveTree::of(&game, PieceLetters::ENGLISH).words;
        let written: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(
            written.join(" "),
            "1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6!?) 2. Nf3 -- 3. d4"
        );
        assert_eq!(words[2].depth, 1);
        assert_eq!(words[4].depth, 2);
    }
}
