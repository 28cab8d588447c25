//! Walking through a game and its variations.

use super::{Game, NodeId};

/// A step of [`Game::walk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A move.
    Move(NodeId),
    /// A variation starts, which replaces the last move of the line.
    VariationStart,
    /// The last variation that started ends.
    VariationEnd,
}

impl Game {
    /// Returns the moves of the game and its variations in the order in which PGN writes them.
    ///
    /// ```
    /// use tabiya_notation::pgn::{Game, Reader, Step};
    ///
    /// let mut reader = Reader::new(b"1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
    /// let game = Game::read(&mut reader).unwrap().unwrap();
    /// let walk = game.walk().map(|step| match step {
    ///     Step::Move(id) => game.move_to(id).unwrap().to_string(),
    ///     Step::VariationStart => "(".to_owned(),
    ///     Step::VariationEnd => ")".to_owned(),
    /// });
    /// assert_eq!(walk.collect::<Vec<_>>(), ["e2e4", "e7e5", "(", "c7c5", "g1f3", ")", "b1c3"]);
    /// ```
    pub fn walk(&self) -> impl Iterator<Item = Step> + '_ {
        let mut steps = Vec::new();
        steps.extend(self.children(Self::ROOT).next().map(Step::Move));
        std::iter::from_fn(move || {
            let step = steps.pop()?;
            if let Step::Move(id) = step {
                steps.extend(self.children(id).next().map(Step::Move));
                for other in self.alternatives(id).rev() {
                    steps.extend([Step::VariationEnd, Step::Move(other), Step::VariationStart]);
                }
            }
            Some(step)
        })
    }

    /// Returns the moves that variations play instead of a move of their main line. A variation's own first move has
    /// none.
    pub fn alternatives(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let parent = self.nodes[id.0].parent;
        let siblings = parent.map_or(&[][..], |parent| &self.nodes[parent].children);
        let others = match siblings {
            [first, others @ ..] if *first == id.0 => others,
            _ => &[],
        };
        others.iter().map(|&other| NodeId(other))
    }
}
