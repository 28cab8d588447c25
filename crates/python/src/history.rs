//! A board with its past, in which moves may be null moves.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, GameHistory, Move, Outcome};
use tabiya_notation::GameResult;

/// A board and the moves that led to it. Unlike [`tabiya_board::GameHistory`], it takes null moves.
#[derive(Clone)]
pub(crate) struct History {
    pub(crate) board: Board,
    /// Each move with the board before it. A null move is `None`.
    pub(crate) played: Vec<(Board, Option<Move>)>,
}

/// Why a game is over, or may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Termination {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    SeventyFiveMoves,
    FivefoldRepetition,
    FiftyMoves,
    ThreefoldRepetition,
}

impl Termination {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "CHECKMATE",
            Self::Stalemate => "STALEMATE",
            Self::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
            Self::SeventyFiveMoves => "SEVENTYFIVE_MOVES",
            Self::FivefoldRepetition => "FIVEFOLD_REPETITION",
            Self::FiftyMoves => "FIFTY_MOVES",
            Self::ThreefoldRepetition => "THREEFOLD_REPETITION",
        }
    }
}

/// How many times a position has occurred, given the boards before it, the latest first, beginning with the second
/// last.
fn repetitions<'a>(
    board: &Board,
    earlier: impl Iterator<Item = &'a (Board, Option<Move>)>,
) -> usize {
    let now = board.repetition_key();
    // Positions before the last capture or pawn move cannot occur again.
    let reversible = usize::from(board.halfmove_clock()) / 2;
    let same_side = earlier.step_by(2).take(reversible);
    1 + same_side
        .filter(|(board, _)| board.repetition_key() == now)
        .count()
}

/// Whether a side that has legal moves may claim a draw by the fifty-move rule.
fn is_fifty(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && position.has_legal_move()
}

impl History {
    pub(crate) const fn new(board: Board) -> Self {
        Self {
            board,
            played: Vec::new(),
        }
    }

    /// Plays a legal move. Boards are large: each is copied once here and when the move is taken back.
    pub(crate) fn play(&mut self, mv: Move) {
        self.played.push((self.board, Some(mv)));
        self.board.play_unchecked(mv);
    }

    /// Takes the last move back, if there is one.
    pub(crate) fn take_back(&mut self) {
        if let Some((board, _)) = self.played.last() {
            self.board = *board;
            self.played.truncate(self.played.len() - 1);
        }
    }

    /// Passes the turn; `false` in check.
    pub(crate) fn pass(&mut self) -> bool {
        let Some(next) = self.board.null_move() else {
            return false;
        };
        self.played.push((self.board, None));
        self.board = next;
        true
    }

    pub(crate) fn root(&self) -> &Board {
        self.played.first().map_or(&self.board, |(board, _)| board)
    }

    pub(crate) fn repetitions(&self) -> usize {
        repetitions(&self.board, self.played.iter().rev().skip(1))
    }

    /// Whether the side to move may claim that the position repeats, now or by one of its moves.
    pub(crate) fn can_claim_threefold(&self) -> bool {
        self.repetitions() >= 3
            || self.board.legal_moves().iter().any(|&mv| {
                let next = self.board.after_unchecked(mv);
                repetitions(&next, self.played.iter().rev()) >= 3
            })
    }

    /// Whether the side to move may claim a draw by the fifty-move rule, now or by one of its moves.
    pub(crate) fn can_claim_fifty(&self) -> bool {
        is_fifty(&self.board)
            || self.board.halfmove_clock() >= 99
                && self
                    .board
                    .legal_moves()
                    .iter()
                    .any(|&mv| is_fifty(&self.board.after_unchecked(mv)))
    }

    pub(crate) fn is_fifty_moves(&self) -> bool {
        is_fifty(&self.board)
    }

    /// How the game has ended, or may by a claim of the side to move.
    pub(crate) fn termination(&self, claim: bool) -> Option<Termination> {
        let by_rule = match self.board.outcome() {
            Some(Outcome::Checkmate { .. }) => Some(Termination::Checkmate),
            Some(Outcome::Stalemate) => Some(Termination::Stalemate),
            Some(Outcome::InsufficientMaterial) => Some(Termination::InsufficientMaterial),
            Some(Outcome::SeventyFiveMoves) => Some(Termination::SeventyFiveMoves),
            _ if self.repetitions() >= 5 => Some(Termination::FivefoldRepetition),
            _ => None,
        };
        by_rule.or_else(|| {
            if !claim {
                None
            } else if self.can_claim_fifty() {
                Some(Termination::FiftyMoves)
            } else if self.can_claim_threefold() {
                Some(Termination::ThreefoldRepetition)
            } else {
                None
            }
        })
    }

    /// The result by the rules alone.
    pub(crate) fn result(&self) -> GameResult {
        match self.termination(false) {
            None => GameResult::Unknown,
            Some(Termination::Checkmate) => GameResult::from_winner(Some(!self.board.turn())),
            Some(_) => GameResult::Draw,
        }
    }

    /// The moves since the last null move, as an engine wants them.
    pub(crate) fn since_null_move(&self) -> GameHistory {
        let null = self.played.iter().rposition(|(_, mv)| mv.is_none());
        let moves = &self.played[null.map_or(0, |null| null + 1)..];
        let start = moves.first().map_or(self.board, |(board, _)| *board);
        let mut history = GameHistory::new(start);
        for mv in moves.iter().filter_map(|(_, mv)| *mv) {
            history.play(mv);
        }
        history
    }
}
