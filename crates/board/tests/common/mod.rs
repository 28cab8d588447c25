//! Shared by the tests: seeded random numbers, random games and setups, and work on two threads.
#![allow(dead_code)] // Each test file uses a part of it.

pub(crate) mod naive;
pub(crate) mod other;

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, File, Move, Piece, Rank, Role, Setup, SimdLevel, Square,
    set_max_simd,
};

/// A seeded generator of random numbers.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number (SplitMix64).
    pub(crate) const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A random number below a limit.
    pub(crate) const fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }

    /// True with a probability of one in `times`.
    pub(crate) const fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) const fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn square(&mut self) -> Square {
        Square::from_index(self.below(64)).unwrap()
    }
}

/// Runs the jobs 0, 1, 2 … on two threads. A job may depend on its number, but not on its thread, so that runs are
/// reproducible.
pub(crate) fn on_two_threads(jobs: usize, job: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs {
                        break;
                    }
                    job(number);
                }
            });
        }
    });
}

/// Prevents the tests of a file from running in parallel: they use two threads each and share the SIMD level.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const SIMD_LEVELS: [SimdLevel; 3] = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];

/// Runs a test at each SIMD level that this machine has, and leaves the best one in use. Only for tests that run
/// [`alone`].
pub(crate) fn at_all_simd_levels(mut test: impl FnMut(SimdLevel)) {
    for level in SIMD_LEVELS {
        if set_max_simd(level) == level {
            test(level);
        } else {
            eprintln!("skipped: this machine has no {level:?}");
        }
    }
}

/// The moves that a random player prefers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Taste {
    Anything,
    Captures,
    Checks,
    PawnMoves,
    Castling,
    QuietMoves,
}

impl Taste {
    const ALL: [Self; 6] = [
        Self::Anything,
        Self::Captures,
        Self::Checks,
        Self::PawnMoves,
        Self::Castling,
        Self::QuietMoves,
    ];

    fn likes(self, board: &Board, mv: Move) -> bool {
        let is_capture = board.color_at(mv.to()) == Some(!board.turn()) || mv.is_en_passant();
        match self {
            Self::Anything => true,
            Self::Captures => is_capture,
            Self::Checks => board.after_unchecked(mv).is_check(),
            Self::PawnMoves => mv.role() == Role::Pawn,
            // The other pieces must leave the back rank first.
            Self::Castling => {
                mv.is_castling()
                    || ![Role::King, Role::Rook].contains(&mv.role())
                        && mv.from().rank() == board.turn().relative_rank(Rank::First)
            }
            Self::QuietMoves => !is_capture && mv.role() != Role::Pawn,
        }
    }
}

/// A random player. Half of its moves are to its taste, the others are any moves.
pub(crate) struct Player {
    taste: Taste,
}

impl Player {
    pub(crate) const fn random(rng: &mut Rng) -> Self {
        Self {
            taste: rng.pick(&Taste::ALL),
        }
    }

    /// Chooses one of these moves, if there are any.
    pub(crate) fn choose(&self, rng: &mut Rng, board: &Board, moves: &[Move]) -> Option<Move> {
        if moves.is_empty() {
            return None;
        }
        if rng.once_in(2) {
            let liked: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|&mv| self.taste.likes(board, mv))
                .collect();
            if !liked.is_empty() {
                return Some(rng.pick(&liked));
            }
        }
        Some(rng.pick(moves))
    }
}

/// Where random games start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    Standard,
    Chess960,
    /// A few random pieces.
    Sparse,
}

impl Start {
    pub(crate) const ALL: [Self; 3] = [Self::Standard, Self::Chess960, Self::Sparse];

    pub(crate) fn board(self, rng: &mut Rng) -> Board {
        match self {
            Self::Standard => Board::start(),
            Self::Chess960 => Board::chess960_start(rng.below(960) as u16),
            Self::Sparse => loop {
                if let Ok(board) = Board::new(&random_setup(rng)) {
                    return board;
                }
            },
        }
    }

    /// The longest game from such a start; a few pieces are soon lost.
    const fn plies(self) -> usize {
        match self {
            Self::Standard | Self::Chess960 => 250,
            Self::Sparse => 30,
        }
    }
}

/// Plays a random game and visits every board.
pub(crate) fn random_game(rng: &mut Rng, start: Start, mut visit: impl FnMut(&mut Rng, &Board)) {
    let mut board = start.board(rng);
    let players = [Player::random(rng), Player::random(rng)];
    for _ in 0..=rng.below(start.plies()) {
        visit(rng, &board);
        let moves = board.legal_moves();
        let Some(mv) = players[board.turn().index()].choose(rng, &board, &moves) else {
            break;
        };
        board.play_unchecked(mv);
    }
}

/// A few random pieces with random rights; often, but not always, a valid position.
pub(crate) fn random_setup(rng: &mut Rng) -> Setup {
    let mut setup = Setup {
        turn: rng.pick(&Color::ALL),
        halfmove_clock: rng.below(160) as u32,
        fullmove_number: 1 + rng.below(300) as u32,
        ..Setup::default()
    };
    put_king_and_castling_rooks(rng, &mut setup);
    for _ in 0..rng.below(14) {
        // More pieces than pawns make more pins and checks.
        let role = rng.pick(&[
            Role::Pawn,
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ]);
        let square = rng.square();
        let on_back_rank = [Rank::First, Rank::Eighth].contains(&square.rank());
        if setup.pieces.piece_at(square).is_none()
            && !(role == Role::Pawn && on_back_rank && !rng.once_in(100))
        {
            setup
                .pieces
                .put(square, Piece::new(rng.pick(&Color::ALL), role));
        }
    }
    if rng.once_in(3) {
        put_double_push(rng, &mut setup);
    }
    if rng.once_in(100) {
        let king = Piece::new(rng.pick(&Color::ALL), Role::King);
        setup.pieces.put(rng.square(), king);
    }
    if rng.once_in(50) {
        setup.castling_rooks.insert(rng.square());
    }
    if rng.once_in(50) {
        setup.en_passant = Some(rng.square());
    }
    setup
}

fn put_king_and_castling_rooks(rng: &mut Rng, setup: &mut Setup) {
    for color in Color::ALL {
        let back_rank = color.relative_rank(Rank::First);
        let castles = rng.once_in(2);
        let king = if castles {
            Square::new(rng.pick(&File::ALL), back_rank)
        } else {
            rng.square()
        };
        setup.pieces.put(king, Piece::new(color, Role::King));
        for side in CastlingSide::ALL {
            let beyond: Vec<Square> = Bitboard::rank(back_rank)
                .into_iter()
                .filter(|&square| match side {
                    CastlingSide::KingSide => square > king,
                    CastlingSide::QueenSide => square < king,
                })
                .collect();
            if castles && !beyond.is_empty() && !rng.once_in(3) {
                let rook = rng.pick(&beyond);
                setup.pieces.put(rook, Piece::new(color, Role::Rook));
                setup.castling_rooks.insert(rook);
            }
        }
    }
}

/// Puts a pawn that just moved two squares, mostly with an enemy pawn beside it.
fn put_double_push(rng: &mut Rng, setup: &mut Setup) {
    let (us, them) = (setup.turn, !setup.turn);
    let file = rng.pick(&File::ALL);
    let pawn = Square::new(file, them.relative_rank(Rank::Fourth));
    let passed = Square::new(file, them.relative_rank(Rank::Third));
    let origin = Square::new(file, them.relative_rank(Rank::Second));
    let is_king = |setup: &Setup, square| setup.pieces.by_role(Role::King).contains(square);
    if [pawn, passed, origin]
        .iter()
        .any(|&square| is_king(setup, square))
    {
        return;
    }
    // Sometimes a piece stays on the pawn's path.
    for square in [passed, origin] {
        if !rng.once_in(10) {
            setup.pieces.remove(square);
        }
    }
    setup.pieces.put(pawn, Piece::new(them, Role::Pawn));
    setup.en_passant = Some(passed);
    let side = if rng.once_in(2) { 1 } else { -1 };
    if let Some(beside) = pawn.offset(side, 0)
        && !is_king(setup, beside)
    {
        setup.pieces.put(beside, Piece::new(us, Role::Pawn));
    }
    if rng.once_in(3) {
        put_king_behind(rng, setup, pawn);
    }
}

/// Puts the king of the side to move and an enemy queen on one line with a pawn between them.
fn put_king_behind(rng: &mut Rng, setup: &mut Setup, pawn: Square) {
    let (files, ranks) = rng.pick(&[(1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1)]);
    let mut free = |files, ranks| {
        let ray = std::iter::successors(pawn.offset(files, ranks), |square| {
            square.offset(files, ranks)
        });
        let free: Vec<Square> = ray
            .filter(|&square| setup.pieces.piece_at(square).is_none())
            .collect();
        (!free.is_empty()).then(|| rng.pick(&free))
    };
    if let (Some(king), Some(queen)) = (free(files, ranks), free(-files, -ranks)) {
        let us = setup.turn;
        let back_rank = Bitboard::rank(us.relative_rank(Rank::First));
        setup.castling_rooks = setup.castling_rooks - back_rank;
        for square in setup.pieces.pieces(us, Role::King) {
            setup.pieces.remove(square);
        }
        setup.pieces.put(king, Piece::new(us, Role::King));
        setup.pieces.put(queen, Piece::new(!us, Role::Queen));
    }
}

/// Counts what a test has seen, to prove that it met the rare cases.
#[derive(Clone, Default, Debug)]
pub(crate) struct Census {
    pub(crate) boards: usize,
    pub(crate) moves: usize,
    pub(crate) castles: usize,
    pub(crate) en_passants: usize,
    pub(crate) promotions: usize,
    pub(crate) checks: usize,
    pub(crate) double_checks: usize,
    pub(crate) checkmates: usize,
    pub(crate) stalemates: usize,
    pub(crate) dead: usize,
    /// Boards with a capture en passant that would leave the king in check.
    pub(crate) pinned_en_passants: usize,
}

impl Census {
    pub(crate) fn count(&mut self, board: &Board, moves: &[Move]) {
        self.boards += 1;
        self.moves += moves.len();
        let count = |test: fn(&Move) -> bool| moves.iter().filter(|mv| test(mv)).count();
        self.castles += count(|mv| mv.is_castling());
        self.en_passants += count(|mv| mv.is_en_passant());
        self.promotions += count(|mv| mv.promotion().is_some());
        self.checks += usize::from(board.is_check());
        self.double_checks += usize::from(board.checkers().more_than_one());
        self.checkmates += usize::from(board.is_checkmate());
        self.stalemates += usize::from(board.is_stalemate());
        self.dead += usize::from(board.is_insufficient_material());
        self.pinned_en_passants +=
            usize::from(board.en_passant().is_some() && count(|mv| mv.is_en_passant()) == 0);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.boards += other.boards;
        self.moves += other.moves;
        self.castles += other.castles;
        self.en_passants += other.en_passants;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.double_checks += other.double_checks;
        self.checkmates += other.checkmates;
        self.stalemates += other.stalemates;
        self.dead += other.dead;
        self.pinned_en_passants += other.pinned_en_passants;
    }

    /// Panics unless there were enough boards and enough of each rare case.
    #[track_caller]
    pub(crate) fn expect(&self, boards: usize, rare_things: usize) {
        eprintln!("{self:?}");
        assert!(
            self.boards >= boards,
            "only {} boards instead of {boards}",
            self.boards
        );
        let rare = [
            self.castles,
            self.en_passants,
            self.promotions,
            self.checks,
            self.double_checks,
            self.checkmates,
            self.stalemates,
            self.dead,
            self.pinned_en_passants,
        ];
        assert!(
            rare.iter().all(|&count| count >= rare_things),
            "too few of something: {self:?}"
        );
    }
}

/// Runs jobs on two threads, each with its own random numbers, and adds up their counts.
pub(crate) fn census(
    seed: u64,
    jobs: usize,
    job: impl Fn(usize, &mut Rng, &mut Census) + Sync,
) -> Census {
    let total = Mutex::new(Census::default());
    on_two_threads(jobs, |number| {
        let mut rng = Rng::new(seed << 32 | number as u64);
        let mut seen = Census::default();
        job(number, &mut rng, &mut seen);
        total.lock().unwrap().add(&seen);
    });
    total.into_inner().unwrap()
}

/// The sum of a census at each SIMD level, each with its own random numbers. Only for tests that run [`alone`].
///
/// A machine that lacks a level repeats the round at its best one, so that every machine sees the same boards.
pub(crate) fn census_at_all_simd_levels(
    seed: u64,
    jobs: usize,
    job: impl Fn(usize, &mut Rng, &mut Census) + Sync,
) -> Census {
    let mut total = Census::default();
    for level in SIMD_LEVELS {
        set_max_simd(level);
        total.add(&census(seed + level as u64, jobs, &job));
    }
    total
}

/// Sorts a list, to compare lists in any order.
pub(crate) fn sorted<T: Ord + Debug>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}
