//! The moves of a game as text, with their variations.

use std::collections::HashMap;

use tabiya_board::Board;
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::{Letters, write_move};

/// The moves of a game in SAN with the letters of a language, and the boards after them.
pub struct Tree {
    after: HashMap<NodeId, (Board, String)>,
    start: Board,
    letters: Letters,
    /// All that is written, in its order.
    pub words: Vec<TreeWord>,
}

/// Something that is written, and the place in the game that it leads to.
pub struct TreeWord {
    /// The move with its number, and the brackets around it.
    pub text: String,
    /// Where it leads.
    pub place: NodeId,
    /// How deep it is in variations.
    pub depth: usize,
}

/// What is still to be written.
enum Task {
    /// A move, and then all that follows it.
    Line {
        id: NodeId,
        numbered: bool,
    },
    Open,
    Close,
}

impl Tree {
    /// The moves of a game.
    pub fn of(game: &Game, letters: Letters) -> Self {
        let mut moves = Self {
            after: HashMap::new(),
            start: *game.start(),
            letters,
            words: Vec::new(),
        };
        let mut tasks = Vec::new();
        tasks.extend(
            game.children(Game::ROOT)
                .next()
                .map(|id| Task::Line { id, numbered: true }),
        );
        let mut depth = 0;
        let mut opened = false;
        while let Some(task) = tasks.pop() {
            let (id, numbered) = match task {
                Task::Line { id, numbered } => (id, numbered),
                Task::Open => {
                    depth += 1;
                    opened = true;
                    continue;
                }
                Task::Close => {
                    depth -= 1;
                    if let Some(last) = moves.words.last_mut() {
                        last.text.push(')');
                    }
                    continue;
                }
            };
            moves.play(game, id);
            let mut text = moves.words_of(game, id, numbered);
            if std::mem::take(&mut opened) {
                text.insert(0, '(');
            }
            moves.words.push(TreeWord {
                text,
                place: id,
                depth,
            });
            let others: Vec<NodeId> = alternatives(game, id).collect();
            if let Some(next) = game.children(id).next() {
                tasks.push(Task::Line {
                    id: next,
                    numbered: !others.is_empty(),
                });
            }
            for &other in others.iter().rev() {
                tasks.push(Task::Close);
                tasks.push(Task::Line {
                    id: other,
                    numbered: true,
                });
                tasks.push(Task::Open);
            }
        }
        moves
    }

    /// The board at a place.
    pub fn board(&self, id: NodeId) -> Board {
        self.after.get(&id).map_or(self.start, |&(board, _)| board)
    }

    fn before(&self, game: &Game, id: NodeId) -> Board {
        game.parent(id)
            .map_or(self.start, |parent| self.board(parent))
    }

    /// Finds the board after a move, and how the move is written.
    fn play(&mut self, game: &Game, id: NodeId) {
        let before = self.before(game, id);
        let after = match game.move_to(id) {
            Some(mv) => (
                before.after_unchecked(mv),
                self.letters.localise(&write_move(&before, mv)),
            ),
            None => (before.pass().unwrap_or(before), "--".to_owned()),
        };
        self.after.insert(id, after);
    }

    /// A move with what is thought of it, and its number if that is wanted or White moves.
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

    /// A move with its number.
    pub fn numbered(&self, game: &Game, id: NodeId) -> String {
        self.words_of(game, id, true)
    }

    /// A move and what follows it, without variations.
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

/// The other moves that could have been played in place of the main one.
pub fn alternatives(game: &Game, id: NodeId) -> impl Iterator<Item = NodeId> {
    let parent = game.parent(id);
    let is_main = parent.is_some_and(|parent| game.children(parent).next() == Some(id));
    let siblings = parent.filter(|_| is_main).into_iter();
    siblings.flat_map(|parent| game.children(parent).skip(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::pgn::Reader;

    #[test]
    fn moves_stand_as_in_a_file() {
        let text = b"1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6!?) 2. Nf3 -- 3. d4 *";
        let game = Game::read(&mut Reader::new(text)).unwrap().unwrap();
        let words = Tree::of(&game, Letters::ENGLISH).words;
        let written: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(
            written.join(" "),
            "1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) (1... e6!?) 2. Nf3 -- 3. d4"
        );
        assert_eq!(words[2].depth, 1);
        assert_eq!(words[4].depth, 2);
    }
}
