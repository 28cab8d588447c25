//! Finds and proves the motifs of a move: what it gains, stops and threatens.

use tabiya_board::{Bitboard, Board, Color, Move, Role, Square, attacks};
use tabiya_notation::Score;

use crate::Idea;
use crate::mate_pattern::MatePattern;
use crate::motif::{Motif, Target};
use crate::solver::{Solver, material, piece_value};

/// The nodes for all proofs about a move: some tens of milliseconds.
const NODES: u32 = 400_000;
/// The nodes for one proof about mates.
const MATE_NODES: u32 = 100_000;
/// The nodes for one proof about material.
const MATERIAL_NODES: u32 = 100_000;
/// The longest mate that is proved here.
const MATE_MOVES: u32 = 4;
/// The longest mate that is threatened or stopped.
const THREAT_MOVES: u32 = 2;
/// By how much the engine's score may fall short of the material won, in centipawns.
const SCORE_SLACK: i32 = 250;
/// The same for a pawn: in a gambit it is given on purpose, or soon won back.
const PAWN_SLACK: i32 = 30;
/// A line of fewer moves does not tell whether a pawn is won back.
const MIN_LINE: usize = 4;
/// What may be given for a piece, in pawns.
const COSTS: [i32; 4] = [0, 1, 3, 5];
/// The pieces that tactics are about, the most valuable first.
const PIECES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A move, the position after it, and what has been proved so far.
pub(crate) struct Finder<'a> {
    pub(crate) idea: &'a Idea<'a>,
    pub(crate) board: &'a Board,
    pub(crate) mv: Move,
    pub(crate) us: Color,
    pub(crate) after: Board,
    /// The player's material before the move, or before the opponent's capture if the move recaptures.
    base: i32,
    /// The player's material after the move.
    now: i32,
    solver: Solver,
    pub(crate) motifs: Vec<Motif>,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(idea: &'a Idea<'a>, mv: Move) -> Self {
        let board = idea.board;
        let (us, after) = (board.turn(), board.after(mv));
        let taken_before = idea.taken_back(mv).map_or(0, piece_value);
        Self {
            idea,
            board,
            mv,
            us,
            after,
            base: material(board, us) + taken_before,
            now: material(&after, us),
            solver: Solver::new(us, NODES),
            motifs: Vec::new(),
        }
    }

    /// Finds everything that can be said, the most important first.
    pub(crate) fn find(mut self) -> Vec<Motif> {
        if self.ends_game() || self.mates() {
            return self.motifs;
        }
        // A search that runs out of nodes proves nothing, and says nothing.
        let _ = self.stops_mate();
        let is_safe = self.is_safe().unwrap_or(false);
        let is_hopeless = matches!(self.idea.score, Some(Score::Mate(moves)) if moves <= 0);
        let gain = if is_hopeless {
            None
        } else {
            self.gain().filter(|gain| self.score_agrees(gain))
        };
        if !is_hopeless {
            let _ = self.fork();
            let _ = self.line_tactics(is_safe);
            let _ = self.removes_defender();
        }
        self.checks();
        self.motifs.extend(gain);
        if let Some(role) = self.mv.promotion() {
            self.motifs.push(Motif::Promotes { role });
        }
        if is_safe {
            let _ = self.threatens_mate();
            let _ = self.saves();
        } else {
            let _ = self.sacrifices();
        }
        self.captures();
        self.quiet(is_safe);
        if is_safe {
            let _ = self.attacks();
        }
        self.modest(is_safe);
        if is_safe && self.motifs.is_empty() {
            self.placing();
        }
        self.motifs
    }

    fn ends_game(&mut self) -> bool {
        if self.after.has_legal_move() {
            return false;
        }
        self.motifs.push(if self.after.is_check() {
            Motif::Mate {
                moves: 1,
                pattern: MatePattern::of(&self.after),
            }
        } else {
            Motif::Stalemate
        });
        true
    }

    /// Proves the mate that the score announces; without a score, a short one.
    fn mates(&mut self) -> bool {
        let longest = match self.idea.score {
            Some(Score::Mate(moves)) if moves > 0 => moves.unsigned_abs().min(MATE_MOVES),
            Some(_) => return false,
            None => THREAT_MOVES,
        };
        let (board, mv) = (self.board, self.mv);
        for moves in 2..=longest {
            let found = [true, false].into_iter().any(|checks| {
                let proof = |solver: &mut Solver| solver.mates_with(board, mv, moves, checks);
                self.solver.scoped(self.us, MATE_NODES, proof) == Some(true)
            });
            if found {
                let end = self.idea.end();
                let is_line = self.idea.line.len() == 2 * moves as usize - 1;
                let pattern = end
                    .filter(|_| is_line)
                    .and_then(|end| MatePattern::of(&end));
                self.motifs.push(Motif::Mate { moves, pattern });
                return true;
            }
        }
        false
    }

    /// Whether the opponent mates within a number of moves: `None` if that is unknown.
    fn opponent_mates(&mut self, board: &Board, moves: u32, checks: bool) -> Option<bool> {
        let search = |solver: &mut Solver| solver.mate(board, moves, checks).ok();
        let found = self.solver.scoped(!self.us, MATE_NODES, search)?;
        Some(found.is_some())
    }

    fn stops_mate(&mut self) -> Option<()> {
        let legal = self.board.legal_moves();
        if self.opponent_mates(&self.after.clone(), 1, true)? {
            return Some(());
        }
        let mut is_only = legal.len() > 1;
        for other in legal {
            let is_other = other != self.mv;
            is_only =
                is_only && (!is_other || self.opponent_mates(&self.board.after(other), 1, true)?);
        }
        if is_only {
            self.motifs.push(Motif::StopsMate { moves: 1, is_only });
            return Some(());
        }
        let passed = self.board.null_move()?;
        for moves in 1..=THREAT_MOVES {
            if self.opponent_mates(&passed, moves, true)? {
                if !self.opponent_mates(&self.after.clone(), moves, false)? {
                    self.motifs.push(Motif::StopsMate { moves, is_only });
                }
                return Some(());
            }
        }
        Some(())
    }

    /// Whether the opponent gains nothing by captures.
    fn is_safe(&mut self) -> Option<bool> {
        let (after, now) = (self.after, self.now);
        self.prove(|solver| solver.settles_at(&after, now))
    }

    /// Whether captures leave the material as it was before the move.
    pub(crate) fn settles_even(&mut self) -> bool {
        let (after, even) = (self.after, material(self.board, self.us));
        let proof = |solver: &mut Solver| {
            Some(solver.settles_at(&after, even)? && !solver.settles_at(&after, even + 1)?)
        };
        self.prove(proof) == Some(true)
    }

    /// Runs a proof about material.
    fn prove<T>(&mut self, proof: impl FnOnce(&mut Solver) -> Option<T>) -> Option<T> {
        self.solver.scoped(self.us, MATERIAL_NODES, proof)
    }

    /// Whether the player's material reaches a balance after every reply.
    fn guarantees(&mut self, least: i32) -> Option<bool> {
        let after = self.after;
        let rest = self.idea.line.get(1..).unwrap_or_default();
        // Forcing moves after the reply are tried only if the line promises something or the opponent is in check.
        let promises = after.is_check() || self.idea.settles_above(least - 1);
        self.prove(|solver| {
            if solver.guarantees(&after, least, 0, rest)? {
                return Some(true);
            }
            if promises {
                return solver.guarantees(&after, least, 1, rest);
            }
            Some(false)
        })
    }

    /// What the move wins, a new queen apart.
    fn gain(&mut self) -> Option<Motif> {
        let promoted = self.mv.promotion().map_or(0, |role| piece_value(role) - 1);
        let (after, base) = (self.after, self.base + promoted);
        if let Some(target) = self.captured() {
            for cost in COSTS
                .into_iter()
                .filter(|&cost| cost < piece_value(target.role))
            {
                let least = base + piece_value(target.role) - cost;
                if self.prove(|solver| solver.guarantees(&after, least, 0, &[])) == Some(true) {
                    return Some(Motif::Wins { target, cost });
                }
            }
        }
        if !self.guarantees(base + 1)? {
            return None;
        }
        let them = !self.us;
        let victims = PIECES.into_iter().flat_map(|role| after.pieces(them, role));
        for square in victims {
            let target = Target::on(&after, square);
            for cost in COSTS
                .into_iter()
                .filter(|&cost| cost < piece_value(target.role))
            {
                let least = base + piece_value(target.role) - cost;
                if self.prove(|solver| solver.traps(&after, square, least)) == Some(true) {
                    return Some(Motif::Wins { target, cost });
                }
            }
        }
        let pawns = if self.guarantees(base + 2) == Some(true) {
            2
        } else {
            1
        };
        Some(Motif::WinsMaterial { pawns })
    }

    /// Whether the engine's score leaves room for a gain. If not, the opponent has something for it that these proofs
    /// don't see.
    fn score_agrees(&self, gain: &Motif) -> bool {
        let net = match gain {
            Motif::Wins { target, cost } => piece_value(target.role) - cost,
            Motif::WinsMaterial { pawns } => *pawns,
            _ => 0,
        };
        let is_pawn = net == 1;
        let slack = if is_pawn { PAWN_SLACK } else { SCORE_SLACK };
        let is_kept =
            !is_pawn || self.idea.line.len() < MIN_LINE || self.idea.settles_above(self.base);
        match self.idea.score {
            Some(Score::Cp(score)) => is_kept && score >= (self.base + net) * 100 - slack,
            _ => is_kept,
        }
    }

    /// The piece that the move takes.
    pub(crate) fn captured(&self) -> Option<Target> {
        let role = self.board.captured(self.mv)?;
        let mut target = Target::on(self.board, self.mv.to());
        if self.mv.is_en_passant() {
            target = Target {
                role,
                ..Target::on(self.board, self.mv.to())
            };
        }
        Some(target)
    }

    /// The role of the piece that has moved, as it now is.
    pub(crate) fn moved_role(&self) -> Role {
        self.mv.promotion().unwrap_or(self.mv.role())
    }

    /// The enemy pieces that the moved piece attacks.
    pub(crate) fn attacked(&self) -> Bitboard {
        let occupied = self.after.occupied();
        attacks::of(self.moved_role(), self.us, self.mv.to(), occupied)
            & self.after.by_color(!self.us)
    }

    fn fork(&mut self) -> Option<()> {
        let targets = self.prey()?;
        if targets.len() >= 2 && self.guarantees(self.now + 1)? {
            self.motifs.push(Motif::Fork { targets });
        }
        Some(())
    }

    /// The pieces that the moved piece threatens to take with a gain, and the king that it checks; the king first.
    fn prey(&mut self) -> Option<Vec<Target>> {
        let (after, by, now) = (self.after, self.mv.to(), self.now);
        if self.mv.is_castling() {
            return None;
        }
        let mut targets = Vec::new();
        for square in self.attacked() {
            let target = Target::on(&after, square);
            let is_prey = match target.role {
                Role::King => true,
                Role::Pawn => false,
                _ => self.prove(|solver| solver.threatens(&after, by, square, now + 1))?,
            };
            if is_prey {
                targets.push(target);
            }
        }
        targets.sort_by_key(|target| (target.role != Role::King, -piece_value(target.role)));
        Some(targets)
    }

    /// The line pieces that attack something new: the moved one, and those whose line the move opens.
    fn new_attackers(&self) -> Vec<Square> {
        let mut attackers = Vec::new();
        if matches!(self.moved_role(), Role::Bishop | Role::Rook | Role::Queen) {
            attackers.push(self.mv.to());
        }
        if self.mv.is_castling() {
            return attackers;
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            let others = self.after.pieces(self.us, role) - self.mv.to().into();
            for square in others {
                let reach = |board: &Board| attacks::of(role, self.us, square, board.occupied());
                let opened = reach(&self.after) - reach(self.board);
                if opened.intersects(self.after.by_color(!self.us))
                    && reach(self.board).contains(self.mv.from())
                {
                    attackers.push(square);
                }
            }
        }
        attackers
    }

    /// Pins, skewers and discovered attacks.
    fn line_tactics(&mut self, is_safe: bool) -> Option<()> {
        let after = self.after;
        let theirs = after.by_color(!self.us);
        for by in self.new_attackers() {
            let role = after.role_at(by)?;
            let reach = attacks::of(role, self.us, by, after.occupied());
            for front in reach & theirs {
                let beyond = after.occupied() - front.into();
                let xray = attacks::of(role, self.us, by, beyond) - reach;
                if by != self.mv.to() {
                    if !attacks::between(by, front).contains(self.mv.from()) {
                        continue;
                    }
                    self.discovered_attack(by, front);
                }
                let Some(behind) = (xray & theirs & attacks::line(by, front)).first() else {
                    continue;
                };
                let [target, behind] = [front, behind].map(|square| Target::on(&after, square));
                let _ = self.pin(by, target, behind, is_safe);
                let _ = self.skewer(by, target, behind);
            }
        }
        Some(())
    }

    fn discovered_attack(&mut self, by: Square, front: Square) {
        let (after, now) = (self.after, self.now);
        let target = Target::on(&after, front);
        if PIECES.contains(&target.role)
            && self.prove(|solver| solver.threatens(&after, by, front, now + 1)) == Some(true)
        {
            self.motifs.push(Motif::DiscoveredAttack { target, by });
        }
    }

    fn pin(&mut self, by: Square, target: Target, behind: Target, is_safe: bool) -> Option<()> {
        let is_king = behind.role == Role::King;
        let is_prey = PIECES.contains(&target.role);
        let was_there = by == self.mv.to() && {
            let line = attacks::line(self.mv.from(), target.square);
            line.contains(behind.square) && line.contains(by)
        };
        if !is_safe
            || !is_prey
            || was_there
            || !is_king && piece_value(behind.role) <= piece_value(target.role)
        {
            return None;
        }
        let holds = if is_king {
            self.after.pinned().contains(target.square)
        } else {
            let line = attacks::line(by, behind.square);
            self.leaving_loses(by, target.square, behind.square, line)?
        };
        if holds {
            self.motifs.push(Motif::Pin { target, behind, by });
        }
        Some(())
    }

    /// Whether the piece on `front` can leave a line, and always loses the piece behind it to the one on `by`.
    fn leaving_loses(
        &mut self,
        by: Square,
        front: Square,
        behind: Square,
        line: Bitboard,
    ) -> Option<bool> {
        let (after, least) = (self.after, self.now + 1);
        let mut leaves = false;
        for reply in after.legal_moves() {
            if reply.from() != front || line.contains(reply.to()) {
                continue;
            }
            leaves = true;
            let next = after.after(reply);
            if !self.prove(|solver| solver.captures(&next, Some(by), behind, least))? {
                return Some(false);
            }
        }
        Some(leaves)
    }

    fn skewer(&mut self, by: Square, target: Target, behind: Target) -> Option<()> {
        let (after, now) = (self.after, self.now);
        if !PIECES.contains(&behind.role) {
            return None;
        }
        let holds = if target.role == Role::King {
            self.prove(|solver| solver.traps(&after, behind.square, now + 1))?
        } else {
            let line = attacks::line(by, behind.square);
            PIECES.contains(&target.role)
                && piece_value(target.role) >= piece_value(behind.role)
                && self.prove(|solver| solver.threatens(&after, by, target.square, now + 1))?
                && self.leaving_loses(by, target.square, behind.square, line)?
                && self.guarantees(now + 1)?
        };
        if holds {
            self.motifs.push(Motif::Skewer { target, behind, by });
        }
        Some(())
    }

    fn removes_defender(&mut self) -> Option<()> {
        let defender = self.captured()?.square;
        let (after, now, base) = (self.after, self.now, self.base);
        let can_be_taken_back = after
            .legal_captures()
            .iter()
            .any(|reply| reply.to() == self.mv.to());
        if !can_be_taken_back || !self.guarantees(base + 1)? {
            return None;
        }
        for role in PIECES {
            for square in after.pieces(!self.us, role) {
                let defenders = self
                    .board
                    .attackers(square, !self.us, self.board.occupied());
                if defenders != Bitboard::from(defender) {
                    continue;
                }
                let attackers = after.attackers(square, self.us, after.occupied());
                for by in attackers - self.mv.to().into() {
                    if self.prove(|solver| solver.threatens(&after, by, square, now + 1))? {
                        let target = Target::on(&after, square);
                        self.motifs.push(Motif::RemovesDefender { target });
                        return Some(());
                    }
                }
            }
        }
        Some(())
    }

    /// Double and discovered checks.
    fn checks(&mut self) {
        let checkers = self.after.checkers();
        if checkers.more_than_one() {
            self.motifs.push(Motif::DoubleCheck);
        } else if !checkers.is_empty() && !checkers.contains(self.mv.to()) && !self.mv.is_castling()
        {
            self.motifs.push(Motif::DiscoveredCheck);
        }
    }

    fn threatens_mate(&mut self) -> Option<()> {
        let passed = self.after.null_move()?;
        let search = |solver: &mut Solver| solver.mate(&passed, THREAT_MOVES, true).ok();
        let (mv, moves) = self.solver.scoped(self.us, MATE_NODES, search)??;
        self.motifs.push(Motif::ThreatensMate { moves, mv });
        Some(())
    }

    /// The most valuable piece that was in danger. Nothing is any more: the caller knows that captures gain nothing.
    fn saves(&mut self) -> Option<()> {
        let them = !self.us;
        let passed = self.board.null_move()?;
        let gain = material(&passed, them) + 1;
        for role in PIECES {
            for square in self.board.pieces(self.us, role) {
                let in_danger = |solver: &mut Solver| solver.captures(&passed, None, square, gain);
                if self.solver.scoped(them, MATERIAL_NODES, in_danger)? {
                    let target = Target::on(self.board, square);
                    self.motifs.push(Motif::Saves { target });
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// The moved piece, if the score says that losing it is worth it.
    fn sacrifices(&mut self) -> Option<()> {
        let is_worth_it = match self.idea.score? {
            Score::Cp(score) => score >= (self.base - 1) * 100,
            Score::Mate(moves) => moves > 0,
        };
        let role = self.moved_role();
        if !is_worth_it || !PIECES.contains(&role) || self.mv.promotion().is_some() {
            return None;
        }
        let (after, to, them) = (self.after, self.mv.to(), !self.us);
        let gain = 2 - self.base;
        let is_taken = |solver: &mut Solver| solver.captures(&after, None, to, gain);
        if self.solver.scoped(them, MATERIAL_NODES, is_taken)? {
            let forked = self.prey().filter(|targets| targets.len() >= 2);
            self.motifs.push(Motif::Sacrifices {
                role,
                forked: forked.unwrap_or_default(),
            });
        }
        Some(())
    }

    /// The most valuable piece that the moved piece newly attacks.
    fn attacks(&mut self) -> Option<()> {
        let (before, after, by, now) = (*self.board, self.after, self.mv.to(), self.now);
        if self.mv.is_castling() {
            return None;
        }
        let gain = material(&before, self.us) + 1;
        for role in PIECES.into_iter().chain([Role::Pawn]) {
            for square in self.attacked() & after.by_role(role) {
                let attacks = self.prove(|solver| {
                    Some(
                        solver.threatens(&after, by, square, now + 1)?
                            && !solver.captures(&before, None, square, gain)?,
                    )
                })?;
                if attacks {
                    let target = Target::on(&after, square);
                    self.motifs.push(Motif::Attacks { target });
                    return Some(());
                }
            }
        }
        Some(())
    }
}
