//! What the squares of single pieces do not tell: mobility, pawns, and how safe the kings are.

use tabiya_board::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use super::tapered::Tapered;
use crate::history::mix;

/// The worth of everything that is counted here.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Weights {
    isolated: Tapered,
    doubled: Tapered,
    /// A pawn that is guarded by another or has one beside it, by how far it has come.
    connected: [Tapered; 8],
    /// A passed pawn, by how far it has come.
    passed: [Tapered; 8],
    /// The square before a passed pawn is empty, by how far it has come.
    free: [Tapered; 8],
    /// The distance of the other king from the square before a passed pawn, times how far it has come.
    king_far: Tapered,
    /// The same for the own king.
    king_near: Tapered,
    bishop_pair: Tapered,
    rook_on_open: Tapered,
    rook_on_half_open: Tapered,
    /// A piece is attacked by a pawn.
    under_pawn: Tapered,
    /// A rook or a queen is attacked by a knight or a bishop.
    under_minor: [Tapered; 2],
    /// A queen is attacked by a rook.
    under_rook: Tapered,
    /// An own pawn before the king, on the next rank and the one after.
    shelter: [Tapered; 2],
    /// No own pawn on a file at the king.
    open_to_king: Tapered,
    /// Squares within reach, by how many.
    knight: [Tapered; 9],
    bishop: [Tapered; 14],
    rook: [Tapered; 15],
    queen: [Tapered; 28],
    /// Sixteenths of the danger that the other king is in.
    danger: Tapered,
}

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered::new(middle, end)
}

pub(super) static WEIGHTS: Weights = Weights {
    isolated: t(-9, -11),
    doubled: t(-16, -9),
    connected: [
        t(8, 5),
        t(1, 3),
        t(12, 9),
        t(9, 8),
        t(17, 19),
        t(22, 13),
        t(11, 11),
        t(8, 5),
    ],
    passed: [
        t(0, 0),
        t(0, 18),
        t(-2, 16),
        t(-5, 39),
        t(13, 72),
        t(34, 92),
        t(33, 97),
        t(0, 0),
    ],
    free: [
        t(0, 0),
        t(-2, 4),
        t(4, 7),
        t(6, 23),
        t(11, 35),
        t(18, 41),
        t(27, 51),
        t(0, 0),
    ],
    king_far: t(-2, 14),
    king_near: t(0, -11),
    bishop_pair: t(12, 57),
    rook_on_open: t(37, -7),
    rook_on_half_open: t(9, 28),
    under_pawn: t(-56, -45),
    under_minor: [t(-41, -24), t(-29, -8)],
    under_rook: t(-31, -10),
    shelter: [t(13, -2), t(4, -5)],
    open_to_king: t(-18, 6),
    knight: [
        t(-20, -18),
        t(-11, -18),
        t(-7, -5),
        t(-1, 3),
        t(2, 9),
        t(7, 19),
        t(10, 20),
        t(15, 18),
        t(21, 8),
    ],
    bishop: [
        t(-42, -36),
        t(-28, -26),
        t(-17, -18),
        t(-17, -9),
        t(-10, 1),
        t(-5, 11),
        t(-4, 14),
        t(-3, 17),
        t(2, 14),
        t(-1, 18),
        t(12, 15),
        t(18, 16),
        t(29, 27),
        t(33, 28),
    ],
    rook: [
        t(-26, -40),
        t(-13, -38),
        t(1, -29),
        t(-3, -14),
        t(0, 1),
        t(-1, 10),
        t(1, 11),
        t(5, 10),
        t(6, 22),
        t(4, 29),
        t(11, 28),
        t(11, 29),
        t(15, 27),
        t(14, 33),
        t(33, -3),
    ],
    queen: [
        t(-26, -52),
        t(-24, -48),
        t(-25, -45),
        t(-19, -41),
        t(-14, -39),
        t(-11, -34),
        t(-8, -34),
        t(-7, -21),
        t(-6, -20),
        t(-4, -11),
        t(-2, -5),
        t(-2, 1),
        t(0, 4),
        t(1, 8),
        t(3, 10),
        t(5, 14),
        t(8, 21),
        t(11, 26),
        t(11, 27),
        t(14, 30),
        t(15, 30),
        t(17, 27),
        t(17, 34),
        t(18, 26),
        t(21, 41),
        t(21, 36),
        t(26, 52),
        t(27, 50),
    ],
    danger: t(30, 15),
};

/// What an attack on a square next to the king counts.
const fn danger(role: Role) -> i32 {
    match role {
        Role::Bishop => 8,
        Role::Knight | Role::Rook => 9,
        _ => 10,
    }
}

/// One of an endgame score that may still be won whole; less for those that are hard to win.
pub(super) const WINNABLE: i32 = 16;

/// How much of an endgame score is left for the side that is ahead.
pub(super) fn winnable(board: &Board, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let pawns = board.pieces(strong, Role::Pawn).len() as i32;
    let pieces = |color| {
        let count = |role| board.pieces(color, role).len() as i32;
        3 * count(Role::Knight)
            + 3 * count(Role::Bishop)
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    let (ours, theirs) = (pieces(strong), pieces(!strong));
    if pawns == 0 {
        // Neither does a minor piece more win without pawns, nor do two knights.
        let knights = 3 * board.pieces(strong, Role::Knight).len() as i32;
        if ours < 5 || (ours == 6 && knights == 6) {
            return 0;
        }
        if ours - theirs <= 3 {
            return 3;
        }
    }
    if theirs == 0 && ours >= 5 {
        return WINNABLE;
    }
    let bishops = board.by_role(Role::Bishop);
    let opposite = ours == 3
        && theirs == 3
        && bishops.len() == 2
        && (bishops & Bitboard::LIGHT).len() == 1
        && !board.pieces(strong, Role::Bishop).is_empty()
        && !board.pieces(!strong, Role::Bishop).is_empty();
    if opposite {
        return 8;
    }
    (11 + pawns).min(WINNABLE)
}

/// What is known of pawns alone; positions with the same pawns are many.
#[derive(Clone, Copy, Debug, Default)]
struct PawnEntry {
    key: u64,
    score: Tapered,
    passed: Bitboard,
}

#[derive(Debug)]
pub(super) struct PawnTable(Box<[PawnEntry]>);

const PAWN_ENTRIES: usize = 1 << 13;

impl Default for PawnTable {
    fn default() -> Self {
        Self(vec![PawnEntry::default(); PAWN_ENTRIES].into_boxed_slice())
    }
}

/// The files of a set and those next to them.
fn with_neighbours(file: File) -> Bitboard {
    let set = Bitboard::file(file).0;
    let not_a = !Bitboard::file(File::A).0;
    let not_h = !Bitboard::file(File::H).0;
    Bitboard(set | (set & not_h) << 1 | (set & not_a) >> 1)
}

/// All ranks beyond a square's, as its side sees them.
fn beyond(color: Color, square: Square) -> Bitboard {
    let rank = square.rank().index() as u32;
    Bitboard(match color {
        Color::White => (!0_u64).checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => (1_u64 << (8 * rank)) - 1,
    })
}

fn ahead(color: Color, square: Square) -> Option<Square> {
    square.offset(0, if color == Color::White { 1 } else { -1 })
}

/// How many steps a king needs from one square to another.
fn distance(a: Square, b: Square) -> i32 {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks) as i32
}

/// How far a piece has come, as its side sees it.
fn advance(color: Color, square: Square) -> usize {
    color.rank(square.rank()).index()
}

impl PawnTable {
    /// All of it, as White sees it.
    pub(super) fn structure(&mut self, board: &Board, weights: &Weights) -> Tapered {
        let entry = *self.entry(board, weights);
        let [white, black] = Color::ALL.map(|color| side(board, color, entry.passed, weights));
        entry.score + white - black
    }

    fn entry(&mut self, board: &Board, weights: &Weights) -> &PawnEntry {
        let [white, black] = Color::ALL.map(|color| board.pieces(color, Role::Pawn));
        // Never zero, so that an empty entry fits nobody.
        let key = mix(mix(0, white.0), black.0) | 1;
        let entry = &mut self.0[(key >> 32) as usize % PAWN_ENTRIES];
        if entry.key != key {
            let (score_white, passed_white) = pawns(Color::White, white, black, weights);
            let (score_black, passed_black) = pawns(Color::Black, black, white, weights);
            *entry = PawnEntry {
                key,
                score: score_white - score_black,
                passed: passed_white | passed_black,
            };
        }
        entry
    }
}

/// The pawns of one side: their score, and which are passed.
fn pawns(color: Color, own: Bitboard, other: Bitboard, weights: &Weights) -> (Tapered, Bitboard) {
    let mut score = Tapered::default();
    let mut passed = Bitboard::EMPTY;
    let guarded = attacks::pawns(color, own);
    for square in own {
        let file = Bitboard::file(square.file());
        let front = beyond(color, square);
        let neighbours = with_neighbours(square.file()) - file;
        if !neighbours.intersects(own) {
            score += weights.isolated;
        }
        if (front & file).intersects(own) {
            score += weights.doubled;
        } else if !(front & (file | neighbours)).intersects(other) {
            passed.insert(square);
            score += weights.passed[advance(color, square)];
        }
        let beside = neighbours & Bitboard::rank(square.rank()) & own;
        if guarded.contains(square) || !beside.is_empty() {
            score += weights.connected[advance(color, square)];
        }
    }
    (score, passed)
}

/// What one side's pieces add beside their squares.
fn side(board: &Board, us: Color, passed: Bitboard, weights: &Weights) -> Tapered {
    let them = !us;
    let occupied = board.occupied();
    let own_pawns = board.pieces(us, Role::Pawn);
    let their_pawns = board.pieces(them, Role::Pawn);
    let attacked_by_pawns = attacks::pawns(them, their_pawns);
    let their_king = board.king(them);
    let ring = attacks::king(their_king) | their_king.into();
    // Squares that are no gain in mobility: own pawns and king, and where a pawn would take the piece.
    let free = !(own_pawns | board.king(us).into() | attacked_by_pawns);
    let mut score = Tapered::default();
    let mut attackers = 0;
    let mut danger_sum = 0;

    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for square in board.pieces(us, role) {
            // Pieces see through those of their own that move the same way.
            let reach = match role {
                Role::Knight => attacks::knight(square),
                Role::Bishop => attacks::bishop(square, occupied ^ board.pieces(us, Role::Queen)),
                Role::Rook => attacks::rook(
                    square,
                    occupied ^ (board.straight_movers() & board.by_color(us)),
                ),
                _ => attacks::queen(square, occupied),
            };
            let count = (reach & free).len() as usize;
            score += match role {
                Role::Knight => weights.knight[count],
                Role::Bishop => weights.bishop[count],
                Role::Rook => weights.rook[count],
                _ => weights.queen[count],
            };
            let queens = (reach & board.pieces(them, Role::Queen)).len() as i32;
            if role == Role::Rook {
                score -= weights.under_rook * queens;
            } else if role != Role::Queen {
                let rooks = (reach & board.pieces(them, Role::Rook)).len() as i32;
                score -= weights.under_minor[0] * rooks + weights.under_minor[1] * queens;
            }
            let at_king = (reach & ring - attacked_by_pawns).len() as i32;
            if at_king > 0 {
                attackers += 1;
                danger_sum += danger(role) * at_king;
            }
            if role == Role::Rook {
                let file = Bitboard::file(square.file());
                if !file.intersects(own_pawns) {
                    score += if file.intersects(their_pawns) {
                        weights.rook_on_half_open
                    } else {
                        weights.rook_on_open
                    };
                }
            }
        }
    }
    if attackers > 1 {
        // Two attackers are more than twice one.
        let with_queen = if board.pieces(us, Role::Queen).is_empty() {
            1
        } else {
            2
        };
        let danger = danger_sum * (attackers + with_queen);
        score += weights
            .danger
            .of_16((danger / 8).min(danger_sum * 3).min(400));
    }
    let pieces = board.by_color(us) - own_pawns - board.king(us).into();
    score += weights.under_pawn * (pieces & attacked_by_pawns).len() as i32;
    if board.pieces(us, Role::Bishop).more_than_one() {
        score += weights.bishop_pair;
    }
    score
        + passed_pawns(board, us, passed & own_pawns, weights)
        + shelter(board, us, own_pawns, weights)
}

/// Passed pawns gain by a free way and by kings: the own one near, the other far.
fn passed_pawns(board: &Board, us: Color, passed: Bitboard, weights: &Weights) -> Tapered {
    let mut score = Tapered::default();
    for square in passed {
        let Some(stop) = ahead(us, square) else {
            continue;
        };
        let advance = advance(us, square);
        if !board.occupied().contains(stop) {
            score += weights.free[advance];
        }
        if advance >= Rank::Fourth.index() {
            let theirs = distance(board.king(!us), stop).min(5);
            let ours = distance(board.king(us), stop).min(5);
            let weight = advance as i32 - 2;
            score += weights.king_far * (theirs * weight) + weights.king_near * (ours * weight);
        }
    }
    score
}

/// The pawns before the king.
fn shelter(board: &Board, us: Color, own_pawns: Bitboard, weights: &Weights) -> Tapered {
    let king = board.king(us);
    let mut score = Tapered::default();
    let files = with_neighbours(king.file());
    let mut front = Some(king);
    for worth in weights.shelter {
        front = front.and_then(|square| ahead(us, square));
        if let Some(square) = front {
            let rank = files & Bitboard::rank(square.rank());
            score += worth * (rank & own_pawns).len() as i32;
        }
    }
    let before = beyond(us, king) & own_pawns;
    for file in File::ALL {
        let file = Bitboard::file(file);
        if file.intersects(files) && !file.intersects(before) {
            score += weights.open_to_king;
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::super::SmallEvaluator;

    fn worth(fen: &str) -> i32 {
        let board = fen.parse().unwrap();
        SmallEvaluator::new(&board).evaluate(&board)
    }

    #[test]
    fn both_sides_see_the_same() {
        for (white, black) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ),
            (
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
            ),
        ] {
            assert_eq!(worth(white), worth(black));
        }
    }

    #[test]
    fn what_cannot_be_won_is_worth_little() {
        assert!(worth("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1").abs() < 60);
        assert!(worth("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1").abs() < 200);
        assert!(worth("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") > 400);
        assert!(worth("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1") < 200);
    }

    #[test]
    fn a_passed_pawn_gains_on_its_way() {
        let at = |rank: usize| {
            let mut rows = ["8"; 8];
            rows[8 - rank] = "P7";
            rows[7] = "4K2k";
            format!("{} w - - 0 1", rows.join("/"))
        };
        for rank in 3..7 {
            assert!(worth(&at(rank)) < worth(&at(rank + 1)), "rank {rank}");
        }
    }
}
