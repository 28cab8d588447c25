//! Which move to try next: the better the order, the less there is to search.

use tabiya_board::{Bitboard, Board, Move, Role};

use crate::checks::Checks;
use crate::history::{Context, History};
use crate::see;

/// A move and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    mv: Move,
    score: i32,
}

/// The killer moves of a node come before nearly all other quiet moves.
const KILLER: i32 = 19_964;
/// So do checks that lose nothing.
const CHECK: i32 = 17_116;
/// A capture is tried before quiet moves even if it loses something by exchanges: its score by this.
const LEEWAY: i32 = 40;

/// What the order of quiet moves depends on besides their history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints {
    /// The best move of the table.
    pub(crate) table: Option<Move>,
    /// Quiet moves that refuted others at this ply.
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) context: Context,
    /// The squares that the other side attacks.
    pub(crate) attacked: Bitboard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    GoodCaptures,
    RateQuiets,
    Quiets,
    BadCaptures,
}

/// What moves there are to pick from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// Captures and promotions only.
    Captures,
}

/// Hands out the legal moves of a node, the most promising first.
///
/// The moves lie in a stack that all nodes of a thread share, each node's above its parent's: the picker knows only
/// where. [`finish`](Self::finish) gives the place back.
#[derive(Debug)]
pub(crate) struct Picker {
    hints: Hints,
    selection: Selection,
    stage: Stage,
    start: usize,
    /// Where the next move is looked for, the end of the captures, and the end of all moves.
    next: usize,
    captures_end: usize,
    end: usize,
    /// Losing captures are kept at the start for later.
    bad_end: usize,
    quiets_skipped: bool,
}

impl Selection {
    /// Whether a move, perhaps of another position, is among these.
    fn has(self, board: &Board, mv: Move) -> bool {
        let wanted = match self {
            Self::All => true,
            Self::Captures => board.captured(mv).is_some() || mv.promotion().is_some(),
        };
        wanted && board.is_legal(mv)
    }
}

impl Picker {
    pub(crate) fn new(board: &Board, selection: Selection, hints: Hints, moves: &[Scored]) -> Self {
        let table = hints.table.filter(|&mv| selection.has(board, mv));
        let start = moves.len();
        Self {
            hints: Hints { table, ..hints },
            selection,
            stage: Stage::Table,
            start,
            next: start,
            captures_end: start,
            end: start,
            bad_end: start,
            quiets_skipped: false,
        }
    }

    /// Brings the moves into the stack, captures first, but for that of the table.
    fn generate(&mut self, board: &Board, moves: &mut Vec<Scored>, history: &History) {
        let legal = match self.selection {
            Selection::All => board.legal_moves(),
            Selection::Captures => board.legal_captures(),
        };
        for mv in legal {
            if Some(mv) == self.hints.table {
                continue;
            }
            if let Some(score) = rate_capture(board, mv, history) {
                moves.push(Scored { mv, score });
                let last = moves.len() - 1;
                moves.swap(self.captures_end, last);
                self.captures_end += 1;
            } else if self.selection == Selection::All {
                moves.push(Scored { mv, score: 0 });
            }
        }
        self.end = moves.len();
    }

    /// Leaves out the quiet moves that have not come yet.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// The next move, or none if all have come. Quiet moves that give check come early if it is known which do.
    pub(crate) fn next(
        &mut self,
        board: &Board,
        moves: &mut Vec<Scored>,
        history: &History,
        checks: Option<&Checks>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.hints.table.is_some() {
                        return self.hints.table;
                    }
                }
                Stage::Generate => {
                    // Often the move of the table was all that was needed.
                    self.generate(board, moves, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(scored) = best(moves, &mut self.next, self.captures_end) else {
                        self.stage = Stage::RateQuiets;
                        continue;
                    };
                    let leeway = scored.score / LEEWAY;
                    if see::wins_at_least(board, scored.mv, -leeway) {
                        return Some(scored.mv);
                    }
                    moves[self.bad_end] = scored;
                    self.bad_end += 1;
                }
                Stage::RateQuiets => {
                    if !self.quiets_skipped {
                        for scored in &mut moves[self.captures_end..self.end] {
                            scored.score = self.rate_quiet(board, scored.mv, history, checks);
                        }
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
                    // They come in the order in which they were found to be bad: the best first.
                    let scored = moves[..self.bad_end].get(self.next)?;
                    self.next += 1;
                    return Some(scored.mv);
                }
            }
        }
    }

    /// Whether the moves still to come are captures that lose material.
    pub(crate) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Gives the place of the moves back.
    pub(crate) fn finish(&self, moves: &mut Vec<Scored>) {
        moves.truncate(self.start);
    }

    fn rate_quiet(
        &self,
        board: &Board,
        mv: Move,
        history: &History,
        checks: Option<&Checks>,
    ) -> i32 {
        let Hints {
            killers,
            context,
            attacked,
            ..
        } = &self.hints;
        let mut score = history.quiet(board.turn(), mv, *attacked, context);
        if Some(mv) == killers[0] {
            score += KILLER;
        } else if Some(mv) == killers[1] {
            score += KILLER / 2;
        }
        if checks.is_some_and(|checks| checks.is_check(board, mv))
            && see::wins_at_least(board, mv, -75)
        {
            score += CHECK;
        }
        score
    }
}

/// Whether a move changes the material: it takes something or makes a queen.
pub(crate) fn is_tactical(board: &Board, mv: Move) -> bool {
    board.captured(mv).is_some() || mv.promotion() == Some(Role::Queen)
}

/// How promising a capture or a promotion to a queen looks; none for other moves.
fn rate_capture(board: &Board, mv: Move, history: &History) -> Option<i32> {
    let taken = board.captured(mv);
    let promoted = mv.promotion() == Some(Role::Queen);
    if taken.is_none() && !promoted {
        return None;
    }
    let mut score = 0;
    if let Some(taken) = taken {
        score += 16 * see::value(taken) - see::value(mv.role());
        score += history.capture(board.turn(), mv, taken) / 2;
    }
    if promoted {
        score += 16 * see::value(Role::Queen);
    }
    Some(score)
}

/// Takes the best of the moves from `next` on to the front of them and steps over it.
fn best(moves: &mut [Scored], next: &mut usize, end: usize) -> Option<Scored> {
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

    fn picked(fen: &str, selection: Selection, table: Option<Move>) -> Vec<Move> {
        let board: Board = fen.parse().unwrap();
        let hints = Hints {
            table,
            killers: [None; 2],
            context: [None; 3],
            attacked: Bitboard::EMPTY,
        };
        let history = History::default();
        let mut moves = Vec::new();
        let mut picker = Picker::new(&board, selection, hints, &moves);
        let mut picked = Vec::new();
        while let Some(mv) = picker.next(&board, &mut moves, &history, None) {
            picked.push(mv);
        }
        picker.finish(&mut moves);
        assert!(moves.is_empty());
        picked
    }

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let board: Board = fen.parse().unwrap();
            let mut legal: Vec<Move> = board.legal_moves().into_iter().collect();
            legal.sort();
            for table in legal.iter().copied().map(Some).chain([None]) {
                let mut picked = picked(fen, Selection::All, table);
                if table.is_some() {
                    assert_eq!(picked.first().copied(), table);
                }
                picked.sort();
                assert_eq!(picked, legal, "{fen}");
            }
        }
    }

    #[test]
    fn a_table_move_of_another_position_is_left_out() {
        let other = Board::start().legal_moves()[0];
        let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
        assert_eq!(picked(fen, Selection::All, Some(other)), []);
    }

    #[test]
    fn good_captures_come_first_and_bad_ones_last() {
        // The pawn takes the queen; the queen may take a guarded pawn.
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
