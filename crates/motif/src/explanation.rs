//! A move with its line, and what can be said about it.

use tabiya_board::{Board, Move, Role};
use tabiya_notation::Score;

use crate::finder::Finder;
use crate::motif::{Motif, list};
use crate::solver::{Solver, material, piece_value};

/// The nodes for the end of a line.
const LINE_NODES: u32 = 20_000;

/// A move and the line that an engine expects after it.
#[derive(Clone, Copy, Debug)]
pub struct Idea<'a> {
    /// The position before the move.
    pub board: &'a Board,
    /// The move and the expected continuation. Illegal moves end it.
    pub line: &'a [Move],
    /// The score for the side to move, if known. A claim that it contradicts is not made.
    pub score: Option<Score>,
    /// The position before the opponent's last move, and that move, if known. Tells whether the move recaptures.
    pub previous: Option<(&'a Board, Move)>,
}

impl<'a> Idea<'a> {
    /// A move and its line, without a score or the previous move.
    pub const fn new(board: &'a Board, line: &'a [Move]) -> Self {
        Self {
            board,
            line,
            score: None,
            previous: None,
        }
    }

    /// Finds and proves what the move does. Takes some milliseconds.
    pub fn explain(&self) -> MoveMotifs {
        let legal = |&mv: &Move| self.board.is_legal(mv);
        let Some(mv) = self.line.first().copied().filter(legal) else {
            return MoveMotifs::default();
        };
        let motifs = Finder::new(self, mv).find();
        MoveMotifs { motifs }
    }

    /// What the opponent has just taken on the square where this move captures.
    pub(crate) fn taken_back(&self, mv: Move) -> Option<Role> {
        self.board.captured(mv)?;
        let (board, last) = self.previous?;
        (last.to() == mv.to() && board.after(last).position() == self.board.position())
            .then(|| board.captured(last))?
    }

    /// The position at the end of the line, if all its moves are legal.
    pub(crate) fn end(&self) -> Option<Board> {
        let mut board = *self.board;
        for &mv in self.line {
            if !board.is_legal(mv) {
                return None;
            }
            board.play(mv);
        }
        Some(board)
    }

    /// Whether the player's material at the end of the line settles above a balance.
    pub(crate) fn settles_above(&self, balance: i32) -> bool {
        let us = self.board.turn();
        self.end().is_some_and(|end| {
            material(&end, us) > balance
                || Solver::new(us, LINE_NODES).settles_at(&end, balance + 1) == Some(true)
        })
    }
}

/// What can be said about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveMotifs {
    /// The facts, the most important first.
    pub motifs: Vec<Motif>,
}

impl MoveMotifs {
    /// The one or two motifs worth saying.
    pub fn chosen(&self) -> Vec<&Motif> {
        let Some(first) = self.motifs.first() else {
            return Vec::new();
        };
        let second = self.motifs[1..]
            .iter()
            .find(|second| Self::adds_to(first, second));
        [first].into_iter().chain(second).collect()
    }

    /// The words after the move: `forks king and rook and wins the rook`. `None` if there is nothing to say.
    pub fn words(&self) -> Option<String> {
        self.joined(Motif::phrase)
    }

    /// The words that follow the move and a comma: `forking king and rook and winning the rook`.
    pub fn participles(&self) -> Option<String> {
        self.joined(Motif::participle)
    }

    /// Whether the move strikes a tactical blow.
    pub(crate) fn is_tactical(&self) -> bool {
        self.motifs.iter().any(Motif::is_tactical)
    }

    /// The material that the move is said to win, in pawns.
    pub(crate) fn pawns(&self) -> i32 {
        let gain = |motif: &Motif| match motif {
            Motif::Wins { target, cost } => piece_value(target.role) - cost,
            Motif::WinsMaterial { pawns } => *pawns,
            _ => 0,
        };
        self.motifs.iter().map(gain).max().unwrap_or(0)
    }

    fn joined(&self, words: impl Fn(&Motif) -> String) -> Option<String> {
        let phrases: Vec<String> = self.chosen().into_iter().map(words).collect();
        (!phrases.is_empty()).then(|| list(&phrases))
    }

    /// Whether a second motif says something new and fitting beside the first.
    fn adds_to(first: &Motif, second: &Motif) -> bool {
        use Motif::{
            Attacks, AttacksWeakPawn, Castles, Check, ConnectsRooks, Defends, Develops,
            DiscoveredAttack, DiscoveredCheck, DoubleCheck, Fork, Mate, OpenFile, Pin, Promotes,
            RemovesDefender, Saves, Skewer, Stalemate, StopsMate, ThreatensMate, Wins,
            WinsMaterial,
        };
        match first {
            Mate { .. } | Stalemate => false,
            StopsMate { .. } | Fork { .. } | Skewer { .. } | RemovesDefender { .. } => {
                matches!(
                    second,
                    Wins { .. } | WinsMaterial { .. } | ThreatensMate { .. }
                )
            }
            DoubleCheck | DiscoveredCheck | DiscoveredAttack { .. } | Pin { .. } => matches!(
                second,
                Wins { .. } | WinsMaterial { .. } | ThreatensMate { .. } | Promotes { .. }
            ),
            Wins { .. } | WinsMaterial { .. } => matches!(
                second,
                ThreatensMate { .. } | Pin { .. } | Promotes { .. } | Check
            ),
            Promotes { .. } => matches!(second, Check | ThreatensMate { .. }),
            Saves { .. } | ThreatensMate { .. } => matches!(
                second,
                Attacks { .. } | Saves { .. } | Castles { .. } | Develops { .. } | Check
            ),
            Develops { .. } | Castles { .. } => matches!(
                second,
                Attacks { .. }
                    | AttacksWeakPawn { .. }
                    | ConnectsRooks
                    | Check
                    | Defends { .. }
                    | OpenFile { .. }
            ),
            Motif::Sacrifices { .. } | Motif::TakesBack { .. } | Motif::Trades { .. } => {
                matches!(second, Check)
            }
            _ => !matches!(
                second,
                Motif::Takes { .. } | Motif::KingToCenter | Motif::TakesBack { .. }
            ),
        }
    }
}
