//! The motifs by their definitions, written again without looking at the library: slow, and by trying everything.

use tabiya_board::{Board, Color, Move, Role, Square};
use tabiya_motif::{Motif, Target};

/// Walks and leaps, one square at a time.
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (-1, 2),
    (-2, 1),
    (1, -2),
    (2, -1),
    (-1, -2),
    (-2, -1),
];

pub(crate) fn price(role: Role) -> i32 {
    [1, 3, 3, 5, 9, 0][role.index()]
}

/// What `color` has more than its opponent.
pub(crate) fn ahead(board: &Board, color: Color) -> i32 {
    Square::all()
        .filter_map(|square| Some((board.color_at(square)?, board.role_at(square)?)))
        .map(|(owner, role)| {
            if owner == color {
                price(role)
            } else {
                -price(role)
            }
        })
        .sum()
}

fn directions(role: Role) -> Vec<(i8, i8)> {
    match role {
        Role::Bishop => DIAGONAL.to_vec(),
        Role::Rook => STRAIGHT.to_vec(),
        _ => [STRAIGHT, DIAGONAL].concat(),
    }
}

/// The occupied squares in a direction, the nearest first.
fn ray(board: &Board, from: Square, (files, ranks): (i8, i8)) -> Vec<Square> {
    let mut found = Vec::new();
    let mut at = from;
    while let Some(next) = at.offset(files, ranks) {
        if board.role_at(next).is_some() {
            found.push(next);
        }
        at = next;
    }
    found
}

/// Whether the piece on one square attacks another square.
pub(crate) fn sees(board: &Board, from: Square, to: Square) -> bool {
    let (Some(role), Some(color)) = (board.role_at(from), board.color_at(from)) else {
        return false;
    };
    let steps: Vec<(i8, i8)> = match role {
        Role::Pawn if color.is_white() => vec![(1, 1), (-1, 1)],
        Role::Pawn => vec![(1, -1), (-1, -1)],
        Role::Knight => LEAPS.to_vec(),
        Role::King => [STRAIGHT, DIAGONAL].concat(),
        _ => {
            return directions(role).into_iter().any(|direction| {
                let mut at = from;
                while let Some(next) = at.offset(direction.0, direction.1) {
                    if next == to {
                        return true;
                    }
                    if board.role_at(next).is_some() {
                        return false;
                    }
                    at = next;
                }
                false
            });
        }
    };
    steps
        .into_iter()
        .any(|(files, ranks)| from.offset(files, ranks) == Some(to))
}

pub(crate) fn owned(board: &Board, color: Color) -> Vec<Square> {
    Square::all()
        .filter(|&square| board.color_at(square) == Some(color))
        .collect()
}

fn king(board: &Board, color: Color) -> Square {
    owned(board, color)
        .into_iter()
        .find(|&square| board.role_at(square) == Some(Role::King))
        .expect("both sides have a king")
}

/// The squares of the pieces that give check.
fn checkers(board: &Board) -> Vec<Square> {
    let king = king(board, board.turn());
    owned(board, !board.turn())
        .into_iter()
        .filter(|&square| sees(board, square, king))
        .collect()
}

fn is_over(board: &Board) -> bool {
    board.legal_moves().is_empty()
}

fn is_mate(board: &Board) -> bool {
    is_over(board) && !checkers(board).is_empty()
}

/// What `side` keeps if both sides only capture, promote and answer checks.
pub(crate) fn calm(board: &Board, side: Color) -> i32 {
    let value = search(board, side, -2000, 2000, 0);
    if board.turn() == side { value } else { -value }
}

fn search(board: &Board, side: Color, mut low: i32, high: i32, depth: u32) -> i32 {
    let mover = board.turn();
    let legal = board.legal_moves();
    let in_check = !checkers(board).is_empty();
    if legal.is_empty() {
        let good = !in_check && mover != side;
        return if good { 1000 } else { -1000 };
    }
    let still = ahead(board, mover);
    if depth > 60 {
        return still;
    }
    let mut top = if in_check { -1000 } else { still };
    let noisy = |mv: &&Move| in_check || board.captured(**mv).is_some() || mv.promotion().is_some();
    let mut moves: Vec<Move> = legal.iter().filter(noisy).copied().collect();
    moves.sort_by_key(|&mv| {
        -10 * board.captured(mv).map_or(0, price) - mv.promotion().map_or(0, price)
            + price(mv.role())
    });
    for mv in moves {
        if top >= high {
            break;
        }
        low = low.max(top);
        top = top.max(-search(&board.after(mv), side, -high, -low, depth + 1));
    }
    top
}

/// Whether `side`, whose opponent is to move, comes out at least so far ahead after every reply. With `more`, the side
/// may add a move of any kind, again against every reply.
pub(crate) fn always(board: &Board, side: Color, least: i32, more: u32) -> bool {
    if is_over(board) {
        return is_mate(board);
    }
    board.legal_moves().into_iter().all(|reply| {
        let next = board.after(reply);
        calm(&next, side) >= least
            || more > 0
                && next
                    .legal_moves()
                    .into_iter()
                    .any(|mv| always(&next.after(mv), side, least, more - 1))
    })
}

/// Whether the side to move takes the piece on a square and comes out at least so far ahead.
fn takes(board: &Board, by: Option<Square>, prey: Square, least: i32) -> bool {
    let side = board.turn();
    board.legal_moves().into_iter().any(|mv| {
        mv.to() == prey
            && board.captured(mv).is_some()
            && by.is_none_or(|by| mv.from() == by)
            && calm(&board.after(mv), side) >= least
    })
}

/// Whether the side that is not to move would take a piece: if the other passed, or after a reply that leaves both in
/// place.
fn threat(board: &Board, by: Square, prey: Square, least: i32) -> bool {
    if let Some(passed) = board.null_move() {
        return takes(&passed, Some(by), prey, least);
    }
    board.legal_moves().into_iter().any(|reply| {
        reply.from() != prey
            && reply.to() != by
            && !reply.is_castling()
            && takes(&board.after(reply), Some(by), prey, least)
    })
}

/// Whether the piece on a square is taken after every reply.
fn doomed(board: &Board, prey: Square, least: i32) -> bool {
    let role = board.role_at(prey);
    !is_over(board)
        && board.legal_moves().into_iter().all(|reply| {
            let at = if reply.from() == prey {
                reply.to()
            } else {
                prey
            };
            let next = board.after(reply);
            next.role_at(at) == role && takes(&next, None, at, least)
        })
}

/// Whether the side to move mates within this many moves.
pub(crate) fn mates(board: &Board, moves: u32) -> bool {
    board
        .legal_moves()
        .into_iter()
        .any(|mv| mates_by(board, mv, moves))
}

pub(crate) fn mates_by(board: &Board, mv: Move, moves: u32) -> bool {
    let after = board.after(mv);
    if is_over(&after) {
        return is_mate(&after);
    }
    moves > 1
        && after
            .legal_moves()
            .into_iter()
            .all(|reply| mates(&after.after(reply), moves - 1))
}

/// A move to judge.
pub(crate) struct Case {
    pub(crate) board: Board,
    pub(crate) mv: Move,
    pub(crate) after: Board,
    pub(crate) us: Color,
    /// The material before the move, less what the opponent has just taken if the move takes back.
    pub(crate) base: i32,
    pub(crate) now: i32,
}

impl Case {
    pub(crate) fn new(board: Board, mv: Move, previous: Option<(Board, Move)>) -> Self {
        let after = board.after(mv);
        let us = board.turn();
        let taken = previous
            .filter(|(_, last)| last.to() == mv.to() && board.captured(mv).is_some())
            .and_then(|(before, last)| before.captured(last));
        Self {
            board,
            mv,
            after,
            us,
            base: ahead(&board, us) + taken.map_or(0, price),
            now: ahead(&after, us),
        }
    }

    fn safe(&self) -> bool {
        calm(&self.after, self.us) >= self.now
    }

    /// The pieces beside the pawns that the moved piece attacks with a threat, and the king that it checks.
    pub(crate) fn forked(&self) -> Vec<Square> {
        if self.mv.is_castling() {
            return Vec::new();
        }
        let by = self.mv.to();
        owned(&self.after, !self.us)
            .into_iter()
            .filter(|&square| sees(&self.after, by, square))
            .filter(|&square| match self.after.role_at(square) {
                Some(Role::King) => true,
                Some(Role::Pawn) | None => false,
                _ => threat(&self.after, by, square, self.now + 1),
            })
            .collect()
    }

    pub(crate) fn is_fork(&self, more: u32) -> bool {
        self.forked().len() >= 2 && always(&self.after, self.us, self.now + 1, more)
    }

    /// All pairs of enemy pieces in a row before one of the player's line pieces.
    pub(crate) fn rows(&self) -> Vec<[Square; 3]> {
        let mut rows = Vec::new();
        for by in owned(&self.after, self.us) {
            let Some(role @ (Role::Bishop | Role::Rook | Role::Queen)) = self.after.role_at(by)
            else {
                continue;
            };
            for direction in directions(role) {
                let met = ray(&self.after, by, direction);
                if let [front, behind, ..] = met[..]
                    && self.after.color_at(front) == Some(!self.us)
                    && self.after.color_at(behind) == Some(!self.us)
                {
                    rows.push([by, front, behind]);
                }
            }
        }
        rows
    }

    /// Whether the row is nothing that the move has made: the same line piece stood in the row before, or another piece
    /// than the moved one has come to it without the move opening the line.
    pub(crate) fn existed(&self, [by, front, behind]: [Square; 3]) -> bool {
        if by == self.mv.to() {
            let came_along = Self::in_row(self.mv.from(), front, behind)
                && Self::in_row(self.mv.from(), by, behind);
            return came_along || self.mv.is_castling();
        }
        let opened = Self::in_row(by, self.mv.from(), front)
            && !sees(&self.board, by, front)
            && sees(&self.board, by, self.mv.from());
        !opened || self.mv.is_castling()
    }

    fn in_row(a: Square, b: Square, c: Square) -> bool {
        let [(ax, ay), (bx, by), (cx, cy)] =
            [a, b, c].map(|s| (s.file().index() as i32, s.rank().index() as i32));
        (bx - ax) * (cy - ay) == (by - ay) * (cx - ax)
    }

    /// Whether leaving the row loses the piece behind, whatever the way.
    fn stuck(&self, [by, front, behind]: [Square; 3]) -> bool {
        let leaving: Vec<Move> = self
            .after
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.from() == front && !Self::in_row(by, behind, mv.to()))
            .collect();
        !leaving.is_empty()
            && leaving
                .into_iter()
                .all(|mv| takes(&self.after.after(mv), Some(by), behind, self.now + 1))
    }

    pub(crate) fn is_pin(&self, row: [Square; 3]) -> bool {
        let [_, front, behind] = row;
        let roles = [front, behind].map(|square| self.after.role_at(square));
        let [Some(front_role), Some(behind_role)] = roles else {
            return false;
        };
        let may_leave = |mv: Move| mv.from() == front && !Self::in_row(row[0], behind, mv.to());
        !matches!(front_role, Role::King | Role::Pawn)
            && self.safe()
            && if behind_role == Role::King {
                !self.after.legal_moves().into_iter().any(may_leave)
            } else {
                price(behind_role) > price(front_role) && self.stuck(row)
            }
    }

    pub(crate) fn is_skewer(&self, row: [Square; 3], more: u32) -> bool {
        let [by, front, behind] = row;
        let roles = [front, behind].map(|square| self.after.role_at(square));
        let [Some(front_role), Some(behind_role)] = roles else {
            return false;
        };
        if matches!(behind_role, Role::King | Role::Pawn) || front_role == Role::Pawn {
            return false;
        }
        if front_role == Role::King {
            return doomed(&self.after, behind, self.now + 1);
        }
        price(front_role) >= price(behind_role)
            && threat(&self.after, by, front, self.now + 1)
            && self.stuck(row)
            && always(&self.after, self.us, self.now + 1, more)
    }

    pub(crate) fn gives_discovered_check(&self) -> bool {
        let found = checkers(&self.after);
        found.len() == 1 && found[0] != self.mv.to() && !self.mv.is_castling()
    }

    pub(crate) fn gives_double_check(&self) -> bool {
        checkers(&self.after).len() == 2
    }

    /// Where the piece on a square stands after the move, which may castle with it.
    fn now_at(&self, square: Square) -> Square {
        if self.mv.from() == square {
            return self.mv.to();
        }
        let is_own_rook = |board: &Board, at| {
            board.by_color(self.us).contains(at) && board.role_at(at) == Some(Role::Rook)
        };
        if self.mv.is_castling()
            && is_own_rook(&self.board, square)
            && !is_own_rook(&self.after, square)
        {
            return Square::all()
                .find(|&at| is_own_rook(&self.after, at) && !is_own_rook(&self.board, at))
                .expect("the rook stands somewhere else");
        }
        square
    }

    /// The pieces that the opponent could take with a gain before the move.
    pub(crate) fn saved(&self) -> Vec<Square> {
        let Some(passed) = self.board.null_move() else {
            return Vec::new();
        };
        if !self.safe() {
            return Vec::new();
        }
        let them = !self.us;
        owned(&self.board, self.us)
            .into_iter()
            .filter(|&square| {
                let role = self.board.role_at(square);
                let at = self.now_at(square);
                !matches!(role, Some(Role::Pawn | Role::King))
                    && takes(&passed, None, square, ahead(&passed, them) + 1)
                    && self.after.role_at(at) == role
                    && !takes(&self.after, None, at, ahead(&self.after, them) + 1)
            })
            .collect()
    }

    pub(crate) fn stops_mate(&self, moves: u32) -> bool {
        self.board
            .null_move()
            .is_some_and(|passed| mates(&passed, moves))
            && !mates(&self.after, moves)
    }

    pub(crate) fn is_only_defence(&self) -> bool {
        let legal = self.board.legal_moves();
        legal.len() > 1
            && !mates(&self.after, 1)
            && legal
                .into_iter()
                .all(|mv| mv == self.mv || mates(&self.board.after(mv), 1))
    }

    pub(crate) fn undefended_now(&self) -> Vec<Square> {
        let Some(_) = self.board.captured(self.mv) else {
            return Vec::new();
        };
        let by = self.mv.to();
        let can_return = self
            .after
            .legal_moves()
            .into_iter()
            .any(|reply| reply.to() == by);
        if !can_return {
            return Vec::new();
        }
        owned(&self.after, !self.us)
            .into_iter()
            .filter(|&square| {
                let role = self.after.role_at(square);
                let defenders: Vec<Square> = owned(&self.board, !self.us)
                    .into_iter()
                    .filter(|&other| sees(&self.board, other, square))
                    .collect();
                !matches!(role, Some(Role::Pawn | Role::King))
                    && defenders == [by]
                    && owned(&self.after, self.us).into_iter().any(|from| {
                        from != by
                            && sees(&self.after, from, square)
                            && threat(&self.after, from, square, self.now + 1)
                    })
            })
            .collect()
    }

    /// Whether a motif is true of the move.
    #[expect(clippy::too_many_lines, reason = "one definition for each motif")]
    pub(crate) fn holds(&self, motif: &Motif) -> bool {
        let (board, after, mv, us, them) = (&self.board, &self.after, self.mv, self.us, !self.us);
        match motif {
            Motif::Mate { moves, pattern } => {
                mates_by(board, mv, *moves)
                    && (*moves == 1 || !mates_by(board, mv, moves - 1))
                    && (pattern.is_none() || *moves > 1 || is_mate(after))
            }
            Motif::Stalemate => is_over(after) && !is_mate(after),
            Motif::StopsMate { is_only: true, .. } => self.is_only_defence(),
            Motif::StopsMate { moves, .. } => self.stops_mate(*moves),
            Motif::Wins { target, cost } => {
                let least = self.base + price(target.role) - cost;
                if board.captured(mv) == Some(target.role) && target.square == mv.to() {
                    always(after, us, least, 0)
                } else {
                    is(after, them, *target) && doomed(after, target.square, least)
                }
            }
            Motif::WinsMaterial { pawns } => always(after, us, self.base + pawns, 1),
            Motif::Fork { targets } => {
                let mut named: Vec<Square> = targets.iter().map(|target| target.square).collect();
                named.sort();
                let are_there = targets.iter().all(|&target| is(after, them, target));
                are_there && named == self.forked() && self.is_fork(1)
            }
            Motif::Pin { target, behind, by } => {
                let row = [*by, target.square, behind.square];
                self.rows().contains(&row)
                    && is(after, them, *target)
                    && is(after, them, *behind)
                    && self.is_pin(row)
            }
            Motif::Skewer { target, behind, by } => {
                let row = [*by, target.square, behind.square];
                self.rows().contains(&row)
                    && is(after, them, *target)
                    && is(after, them, *behind)
                    && self.is_skewer(row, 1)
            }
            Motif::DoubleCheck => self.gives_double_check(),
            Motif::DiscoveredCheck => self.gives_discovered_check(),
            Motif::DiscoveredAttack { target, by } => {
                *by != mv.to()
                    && is(after, them, *target)
                    && sees(after, *by, target.square)
                    && !sees(board, *by, target.square)
                    && threat(after, *by, target.square, self.now + 1)
            }
            Motif::RemovesDefender { target } => {
                self.undefended_now().contains(&target.square)
                    && always(after, us, self.base + 1, 1)
            }
            Motif::ThreatensMate { moves, mv } => after
                .null_move()
                .is_some_and(|passed| mates_by(&passed, *mv, *moves)),
            Motif::Saves { target } => {
                is(board, us, *target) && self.saved().contains(&target.square)
            }
            Motif::Sacrifices { role, forked } => {
                let mut named: Vec<Square> = forked.iter().map(|target| target.square).collect();
                named.sort();
                after.role_at(mv.to()) == Some(*role)
                    && takes(after, None, mv.to(), 2 - self.base)
                    && (named.is_empty() || named.len() > 1 && named == self.forked())
            }
            Motif::Promotes { role } => {
                board.role_at(mv.from()) == Some(Role::Pawn)
                    && after.role_at(mv.to()) == Some(*role)
            }
            Motif::TakesBack { target } => {
                self.base != ahead(board, us) && is(board, them, *target)
            }
            Motif::Trades { own, other } => {
                board.role_at(mv.from()) == Some(*own)
                    && board.role_at(mv.to()) == Some(*other)
                    && price(*own) == price(*other)
                    && after
                        .legal_moves()
                        .into_iter()
                        .any(|reply| reply.to() == mv.to())
                    && calm(after, us) == ahead(board, us)
            }
            Motif::Attacks { target } => {
                is(after, them, *target)
                    && sees(after, mv.to(), target.square)
                    && threat(after, mv.to(), target.square, self.now + 1)
                    && !takes(board, None, target.square, ahead(board, us) + 1)
                    && self.safe()
            }
            Motif::AttacksWeakPawn { square } => {
                let defenders: Vec<Square> = owned(after, them)
                    .into_iter()
                    .filter(|&from| sees(after, from, *square))
                    .collect();
                let names = if us.is_white() {
                    ["f7", "e8"]
                } else {
                    ["f2", "e1"]
                };
                after.role_at(*square) == Some(Role::Pawn)
                    && after.color_at(*square) == Some(them)
                    && square.to_string() == names[0]
                    && defenders == [king(after, them)]
                    && king(after, them).to_string() == names[1]
                    && sees(after, mv.to(), *square)
                    && !sees(board, mv.from(), *square)
            }
            Motif::Check => !checkers(after).is_empty(),
            Motif::Castles { .. } => mv.is_castling(),
            Motif::TakesChecker { target } => {
                checkers(board).contains(&mv.to()) && is(board, them, *target)
            }
            Motif::BlocksCheck => {
                let former = checkers(board);
                former.len() == 1
                    && mv.role() != Role::King
                    && board.role_at(former[0]).is_some()
                    && mv.to() != former[0]
            }
            Motif::LeavesCheck => !checkers(board).is_empty() && mv.role() == Role::King,
            Motif::Develops { role } => {
                let homes: &[&str] = match (role, us) {
                    (Role::Knight, Color::White) => &["b1", "g1"],
                    (Role::Knight, Color::Black) => &["b8", "g8"],
                    (Role::Bishop, Color::White) => &["c1", "f1"],
                    (Role::Bishop, Color::Black) => &["c8", "f8"],
                    _ => &[],
                };
                board.role_at(mv.from()) == Some(*role)
                    && homes.contains(&mv.from().to_string().as_str())
                    && mv.to().rank() != mv.from().rank()
            }
            Motif::ConnectsRooks => {
                let linked = |board: &Board| {
                    let rank = if us.is_white() { 0 } else { 7 };
                    let rooks: Vec<Square> = owned(board, us)
                        .into_iter()
                        .filter(|&square| board.role_at(square) == Some(Role::Rook))
                        .filter(|square| square.rank().index() == rank)
                        .collect();
                    rooks.len() == 2 && sees(board, rooks[0], rooks[1])
                };
                linked(after) && !linked(board)
            }
            Motif::PawnToCenter => {
                board.role_at(mv.from()) == Some(Role::Pawn) && is_central(mv.to())
            }
            Motif::PieceToCenter { role } => {
                board.role_at(mv.from()) == Some(*role) && is_central(mv.to()) && self.safe()
            }
            Motif::PushesPassedPawn { square } => {
                let (file, rank) = (square.file().index(), square.rank().index());
                let stops = |other: &Square| {
                    let in_front = if us.is_white() {
                        other.rank().index() > rank
                    } else {
                        other.rank().index() < rank
                    };
                    after.role_at(*other) == Some(Role::Pawn)
                        && other.file().index().abs_diff(file) < 2
                        && in_front
                };
                after.role_at(*square) == Some(Role::Pawn)
                    && *square == mv.to()
                    && !owned(after, them).iter().any(stops)
            }
            Motif::OpenFile { file } => {
                mv.to().file() == *file
                    && board.role_at(mv.from()) == Some(Role::Rook)
                    && Square::all()
                        .filter(|square| square.file() == *file)
                        .all(|square| after.role_at(square) != Some(Role::Pawn))
            }
            Motif::DoublesRooks { file } => {
                let doubled = |board: &Board| {
                    let rooks: Vec<Square> = owned(board, us)
                        .into_iter()
                        .filter(|&square| board.role_at(square) == Some(Role::Rook))
                        .filter(|square| square.file() == *file)
                        .collect();
                    rooks.len() == 2 && sees(board, rooks[0], rooks[1])
                };
                doubled(after) && !doubled(board)
            }
            Motif::EscapeSquare { square } => {
                // The king itself would shield squares behind it, so let it step there.
                let may_step = |board: &Board, to: Square| {
                    let home = king(board, us);
                    let is_ahead = to.rank() != home.rank() && sees(board, home, to);
                    let mut pieces = board.placement();
                    let is_free = pieces.relocate(home, to).is_none();
                    is_ahead && is_free && pieces.attackers(to, them).is_empty()
                };
                may_step(after, *square) && !Square::all().any(|to| may_step(board, to))
            }
            Motif::GainsSpace => {
                mv.to().rank().index() == if us.is_white() { 4 } else { 3 }
                    && board.role_at(mv.from()) == Some(Role::Pawn)
            }
            Motif::SeventhRank => {
                mv.to().rank().index() == if us.is_white() { 6 } else { 1 }
                    && board.role_at(mv.from()) == Some(Role::Rook)
            }
            Motif::KingToCenter => {
                let far = |square: Square| {
                    let away = |index: usize| (2 * index as i32 - 7).abs();
                    away(square.file().index()).max(away(square.rank().index()))
                };
                board.role_at(mv.from()) == Some(Role::King) && far(mv.to()) < far(mv.from())
            }
            Motif::Defends { target } => {
                let attacked = |board: &Board, by: Color| {
                    owned(board, by)
                        .into_iter()
                        .any(|from| sees(board, from, target.square))
                };
                is(after, us, *target)
                    && attacked(board, them)
                    && !attacked(board, us)
                    && attacked(after, them)
                    && sees(after, mv.to(), target.square)
            }
            Motif::Takes { target } => board.captured(mv) == Some(target.role),
            _ => self.is_well_placed(motif),
        }
    }
}

/// Whether a piece is what and where a target says.
pub(crate) fn is(board: &Board, owner: Color, target: Target) -> bool {
    board.role_at(target.square) == Some(target.role)
        && board.color_at(target.square) == Some(owner)
}

pub(crate) fn is_central(square: Square) -> bool {
    ["d4", "e4", "d5", "e5"].contains(&square.to_string().as_str())
}
