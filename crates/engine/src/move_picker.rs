//! Move ordering: the better the first moves, the smaller the search tree.

use tabiya_board::{Bitboard, Board, Move, MoveList, Role};

use crate::checks::Checks;
use crate::history::{History, QuietContext};
use crate::search::parameters::{
    good_capture_divisor, order_capture_history_divisor, order_check, order_check_see,
    order_killer, order_threat_minor, order_threat_queen, order_threat_rook, order_victim,
};
use crate::see;
use crate::threats::Threats;

/// A move and its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    mv: Move,
    score: i32,
}

/// What move ordering uses besides the histories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveOrdering<'a> {
    /// The best move from the transposition table.
    pub(crate) tt_move: Option<Move>,
    /// Quiet moves that caused cutoffs in sibling nodes.
    pub(crate) killers: [Option<Move>; 2],
    /// `None` where quiet moves are not searched.
    pub(crate) quiets: Option<&'a QuietContext>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    Generate,
    GoodCaptures,
    ScoreQuiets,
    Quiets,
    BadCaptures,
}

/// The moves to pick from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// Captures and promotions only.
    Captures,
}

/// Returns the legal moves of a node one by one, the most promising first.
///
/// The moves are on a stack that all nodes of a thread share, each node's above its parent's. The picker holds only
/// indices into it. [`finish`](Self::finish) removes the node's moves from the stack.
#[derive(Debug)]
pub(crate) struct MovePicker<'a> {
    ordering: MoveOrdering<'a>,
    selection: Selection,
    stage: Stage,
    /// Where the moves of this node start on the stack.
    start: usize,
    next: usize,
    captures_end: usize,
    end: usize,
    /// The end of the losing captures, which are moved to the start.
    bad_end: usize,
    quiets_skipped: bool,
}

impl Selection {
    /// Returns whether a move, perhaps from another position, is legal and selected.
    fn contains(self, board: &Board, mv: Move) -> bool {
        let wanted = match self {
            Self::All => true,
            Self::Captures => board.captured(mv).is_some() || mv.promotion().is_some(),
        };
        wanted && board.is_legal(mv)
    }
}

impl<'a> MovePicker<'a> {
    pub(crate) fn new(
        board: &Board,
        selection: Selection,
        ordering: MoveOrdering<'a>,
        moves: &[ScoredMove],
    ) -> Self {
        let tt_move = ordering.tt_move.filter(|&mv| selection.contains(board, mv));
        let start = moves.len();
        Self {
            ordering: MoveOrdering {
                tt_move,
                ..ordering
            },
            selection,
            stage: Stage::TtMove,
            start,
            next: start,
            captures_end: start,
            end: start,
            bad_end: start,
            quiets_skipped: false,
        }
    }

    /// Generates all moves but the table move, captures first.
    // Not inlined, like `score_quiets`: `next` is called for every move, and must not save registers for them.
    #[inline(never)]
    fn generate(&mut self, board: &Board, moves: &mut Vec<ScoredMove>, history: &History) {
        match self.selection {
            Selection::All => self.add(board, &board.legal_moves(), moves, history),
            Selection::Captures => {
                let mut captures = MoveList::new();
                board.append_captures_and_promotions(&mut captures);
                self.add(board, &captures, moves, history);
            }
        }
        self.end = moves.len();
    }

    #[inline(always)]
    fn add(
        &mut self,
        board: &Board,
        legal: &[Move],
        moves: &mut Vec<ScoredMove>,
        history: &History,
    ) {
        let tt_move = self.ordering.tt_move;
        let enemies = board.by_color(!board.turn());
        for &mv in legal {
            if Some(mv) == tt_move {
                continue;
            }
            // Most moves are neither captures nor special moves.
            let is_special = mv.is_en_passant() || mv.promotion().is_some();
            let score = if enemies.contains(mv.to()) || is_special {
                score_capture(board, mv, history)
            } else {
                None
            };
            if let Some(score) = score {
                moves.push(ScoredMove { mv, score });
                let last = moves.len() - 1;
                moves.swap(self.captures_end, last);
                self.captures_end += 1;
            } else if self.selection == Selection::All {
                moves.push(ScoredMove { mv, score: 0 });
            }
        }
    }

    /// Skips the quiet moves that are left.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// Returns the next move. With `checks`, quiet checks come early.
    pub(crate) fn next(
        &mut self,
        board: &Board,
        moves: &mut Vec<ScoredMove>,
        history: &History,
        checks: Option<&Checks>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::Generate;
                    if self.ordering.tt_move.is_some() {
                        return self.ordering.tt_move;
                    }
                }
                Stage::Generate => {
                    // Moves are generated this late because the table move often causes a cutoff.
                    self.generate(board, moves, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(scored) = best(moves, &mut self.next, self.captures_end) else {
                        self.stage = Stage::ScoreQuiets;
                        continue;
                    };
                    let threshold = -(scored.score / good_capture_divisor());
                    let is_safe = |quiets: &QuietContext| quiets.threats.is_safe(scored.mv);
                    if threshold <= 0 && self.ordering.quiets.is_some_and(is_safe)
                        || see::wins_at_least(board, scored.mv, threshold)
                    {
                        return Some(scored.mv);
                    }
                    moves[self.bad_end] = scored;
                    self.bad_end += 1;
                }
                Stage::ScoreQuiets => {
                    if !self.quiets_skipped {
                        self.score_quiets(board, moves, history, checks);
                    }
                    self.next = self.captures_end;
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.quiets_skipped
                        && let Some(scored) = best(moves, &mut self.next, self.end)
                    {
                        return Some(scored.mv);
                    }
                    self.next = self.start;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    // They are already in the order of their scores.
                    let scored = moves[..self.bad_end].get(self.next)?;
                    self.next += 1;
                    return Some(scored.mv);
                }
            }
        }
    }

    /// Returns whether only losing captures are left.
    pub(crate) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Removes the moves of this node from the stack.
    pub(crate) fn finish(&self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.start);
    }

    #[inline(never)]
    fn score_quiets(
        &self,
        board: &Board,
        moves: &mut [ScoredMove],
        history: &History,
        checks: Option<&Checks>,
    ) {
        let MoveOrdering {
            killers, quiets, ..
        } = &self.ordering;
        let Some(context) = quiets else {
            return;
        };
        let histories = history.quiets(context);
        let threats = ThreatOrdering::of(&context.threats);
        for scored in &mut moves[self.captures_end..self.end] {
            let mv = scored.mv;
            scored.score = histories.of(mv) + threats.score(mv);
            if Some(mv) == killers[0] {
                scored.score += order_killer();
            } else if Some(mv) == killers[1] {
                scored.score += order_killer() / 2;
            }
            if checks.is_some_and(|checks| checks.is_check(board, mv))
                && (context.threats.is_safe(mv) || see::wins_at_least(board, mv, order_check_see()))
            {
                scored.score += order_check();
            }
        }
    }
}

/// What moves gain or lose by the squares on which lesser pieces can capture theirs.
struct ThreatOrdering {
    /// The squares and the value, by the role of the piece.
    by_role: [(Bitboard, i32); 6],
}

impl ThreatOrdering {
    fn of(threats: &Threats) -> Self {
        let none = (Bitboard::EMPTY, 0);
        let minor = (threats.pawns, order_threat_minor());
        let rook = (threats.minors, order_threat_rook());
        let queen = (threats.rooks, order_threat_queen());
        Self {
            by_role: [none, minor, minor, rook, queen, none],
        }
    }

    /// Returns the bonus of a quiet move that takes a piece out of a threat, or the malus of one into a threat.
    #[inline]
    fn score(&self, mv: Move) -> i32 {
        let (squares, value) = self.by_role[mv.role().index()];
        let before = i32::from(squares.contains(mv.from()));
        let after = i32::from(squares.contains(mv.to()));
        (before - after) * value
    }
}

/// Returns whether a move is a capture or promotes to a queen.
pub(crate) fn is_tactical(board: &Board, mv: Move) -> bool {
    board.captured(mv).is_some() || mv.promotion() == Some(Role::Queen)
}

/// Returns the ordering score of a capture or a promotion to a queen, and `None` for other moves.
fn score_capture(board: &Board, mv: Move, history: &History) -> Option<i32> {
    let captured = board.captured(mv);
    let promoted = mv.promotion() == Some(Role::Queen);
    if captured.is_none() && !promoted {
        return None;
    }
    let mut score = 0;
    if let Some(captured) = captured {
        score += order_victim() * see::value(captured) - see::value(mv.role());
        score += history.capture(board.turn(), mv, captured) / order_capture_history_divisor();
    }
    if promoted {
        score += order_victim() * see::value(Role::Queen);
    }
    Some(score)
}

/// Swaps the best of the moves from `next` on to the front, and advances `next` past it.
fn best(moves: &mut [ScoredMove], next: &mut usize, end: usize) -> Option<ScoredMove> {
    let rest = &mut moves[*next..end];
    let mut index = 0;
    let mut most = rest.first()?.score;
    for (i, scored) in rest.iter().enumerate().skip(1) {
        if scored.score > most {
            (index, most) = (i, scored.score);
        }
    }
    rest.swap(0, index);
    *next += 1;
    Some(rest[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(fen: &str, selection: Selection, tt_move: Option<Move>) -> Vec<Move> {
        let board: Board = fen.parse().unwrap();
        let ordering = MoveOrdering {
            tt_move,
            killers: [None; 2],
            quiets: None,
        };
        let history = History::default();
        let mut moves = Vec::new();
        let mut picker = MovePicker::new(&board, selection, ordering, &moves);
        let mut picked = Vec::new();
        while let Some(mv) = picker.next(&board, &mut moves, &history, None) {
            picked.push(mv);
        }
        picker.finish(&mut moves);
        assert!(moves.is_empty());
        picked
    }

    #[test]
    fn every_legal_move_is_picked_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let board: Board = fen.parse().unwrap();
            let mut legal: Vec<Move> = board.legal_moves().into_iter().collect();
            legal.sort();
            for tt_move in legal.iter().copied().map(Some).chain([None]) {
                let mut picked = picked(fen, Selection::All, tt_move);
                if tt_move.is_some() {
                    assert_eq!(picked.first().copied(), tt_move);
                }
                picked.sort();
                assert_eq!(picked, legal, "{fen}");
            }
        }
    }

    #[test]
    fn illegal_table_move_is_ignored() {
        let other = Board::start().legal_moves()[0];
        let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
        assert_eq!(picked(fen, Selection::All, Some(other)), []);
    }

    #[test]
    fn good_captures_are_first_and_bad_ones_last() {
        // The pawn can capture the queen; the queen can capture a protected pawn.
        let order = picked(
            "4k3/2p5/3p4/2q5/1P1Q4/8/8/4K3 w - - 0 1",
            Selection::All,
            None,
        );
        let names: Vec<String> = order.iter().map(Move::to_string).collect();
        assert_eq!(names[0], "b4c5");
        assert_eq!(names[1], "d4c5");
        assert_eq!(names.last().unwrap(), "d4d6");
    }
}
