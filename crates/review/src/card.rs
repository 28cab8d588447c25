//! The card at the end of a game: accuracy and worst move of both sides.

use tabiya_board::{Color, GameHistory};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_notation::pgn::Game;

use crate::judgement::Judgement;
use crate::review::{Review, ReviewedMove, review};

/// How well both sides played a finished game, in a few words.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCard {
    /// White's play.
    pub white: PlayerCard,
    /// Black's play.
    pub black: PlayerCard,
    /// The ply of the first mistake or blunder of either side, counted from 0. A review should open here.
    pub first_mistake: Option<usize>,
    /// The review from which the card was made.
    pub review: Review,
}

/// How well one side played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerCard {
    /// The accuracy, 0 to 100; `None` without moves.
    pub accuracy: Option<f64>,
    /// The worst move; `None` if no move was bad.
    pub worst: Option<WorstMove>,
}

/// The worst move of a side.
#[derive(Clone, PartialEq, Debug)]
pub struct WorstMove {
    /// Its ply, counted from 0: an index into the moves of the game.
    pub ply: usize,
    /// The move with its number and judgement: `14... Qxb2??`.
    pub name: String,
    /// The severity.
    pub judgement: Judgement,
    /// Why it was bad, in words, without a full stop: `loses the queen; Nf3 was best`.
    pub reason: String,
}

impl GameCard {
    /// The nodes for each position that make a card of a long game in a few seconds.
    pub const NODES: u64 = 20_000;

    /// Reviews a game with at most `nodes` nodes for each position.
    ///
    /// `progress` gets the number of positions done and the total. Returns `None` if the signal stops it: call it on a
    /// thread of its own, and trigger the signal when the card is no longer wanted.
    ///
    /// ```
    /// use tabiya_board::{Board, GameHistory, Square};
    /// use tabiya_engine::{Engine, StopSignal};
    /// use tabiya_review::GameCard;
    ///
    /// let mut game = GameHistory::new(Board::start());
    /// for (from, to) in [
    ///     (Square::F2, Square::F3),
    ///     (Square::E7, Square::E5),
    ///     (Square::G2, Square::G4),
    ///     (Square::D8, Square::H4),
    /// ] {
    ///     let mv = game.board().legal_move(from, to, None)?;
    ///     game.play(mv);
    /// }
    /// let signal = StopSignal::default();
    /// let card = GameCard::of(&mut Engine::default(), &game, 2_000, &signal, &mut |_, _| {}).unwrap();
    /// let worst = card.white.worst.unwrap();
    /// assert_eq!((worst.ply, worst.name.as_str()), (2, "2. g4??"));
    /// assert_eq!(card.black.worst, None);
    /// # Ok::<(), tabiya_board::Refusal>(())
    /// ```
    pub fn of(
        engine: &mut Engine,
        history: &GameHistory,
        nodes: u64,
        signal: &StopSignal,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Option<Self> {
        let mut game = Game::new(*history.start());
        let mut last = Game::ROOT;
        for mv in history.moves() {
            last = game.add_unchecked(last, Some(mv));
        }
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        Some(review(engine, &game, &limits, signal, progress)?.into())
    }

    /// The card of one side.
    pub const fn player(&self, color: Color) -> &PlayerCard {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl From<Review> for GameCard {
    fn from(review: Review) -> Self {
        let player = |color| PlayerCard {
            accuracy: review.summary(color).accuracy,
            worst: worst_move(&review, color),
        };
        let is_mistake = |mv: &ReviewedMove| {
            mv.advice
                .is_some_and(|advice| advice.judgement >= Judgement::Mistake)
        };
        Self {
            white: player(Color::White),
            black: player(Color::Black),
            first_mistake: review.moves.iter().position(is_mistake),
            review,
        }
    }
}

/// The bad move with the lowest accuracy; of several, the first.
fn worst_move(review: &Review, color: Color) -> Option<WorstMove> {
    let own = review.moves.iter().enumerate().filter_map(|(ply, mv)| {
        let advice = mv.advice.filter(|_| mv.mover() == color)?;
        Some((ply, mv, advice))
    });
    let (ply, mv, advice) = own.min_by(|(_, a, _), (_, b, _)| a.accuracy.total_cmp(&b.accuracy))?;
    Some(WorstMove {
        ply,
        name: mv.name(),
        judgement: advice.judgement,
        reason: mv.reason()?,
    })
}
