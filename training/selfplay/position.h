// A position, always seen by the side to move: its own pieces go up the board. So white and black run the same code,
// which keeps the threads of a warp together.
#pragma once
#include "portable.h"

/// What stands on a square. The three bits are the three planes of a position.
enum Role : int { NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

/// From, to (6 bits each) and the role promoted to. Castling is the king's move of two squares.
using Move = u16;
const Move NO_MOVE = 0;
HD Move make_move(int from, int to, int promotion = 0) { return (Move)(from | to << 6 | promotion << 12); }
HD int from_square(Move m) { return m & 63; }
HD int to_square(Move m) { return m >> 6 & 63; }
HD int promotion(Move m) { return m >> 12; }
/// The same move seen by the other side.
HD Move flip_move(Move m) { return m ^ (56 | 56 << 6); }

enum Castling : int { OWN_SHORT = 1, OWN_LONG = 2, THEIR_SHORT = 4, THEIR_LONG = 8 };

const u64 FILE_A = 0x0101010101010101ull, FILE_H = FILE_A << 7;
const u64 RANK_1 = 0xffull, RANK_3 = RANK_1 << 16, RANK_8 = RANK_1 << 56;

struct alignas(16) Position {
    u64 plane[3];   // the three bits of the role on each square
    u64 own;        // the pieces of the side to move
    u64 key;        // equal for positions that count as the same
    u8 castling;
    u8 en_passant;  // the square behind a pawn that can legally be captured so, or 0
    u8 quiet_plies; // since the last capture or pawn move
    u8 black;       // whether black is to move

    HD u64 occupied() const { return plane[0] | plane[1] | plane[2]; }
    HD u64 pawns() const { return plane[0] & ~plane[1] & ~plane[2]; }
    HD u64 knights() const { return ~plane[0] & plane[1] & ~plane[2]; }
    HD u64 bishops() const { return plane[0] & plane[1] & ~plane[2]; }
    HD u64 rooks() const { return ~plane[0] & ~plane[1] & plane[2]; }
    HD u64 queens() const { return plane[0] & ~plane[1] & plane[2]; }
    HD u64 kings() const { return plane[1] & plane[2]; }
    HD u64 diagonal_sliders() const { return plane[0] & (plane[1] ^ plane[2]); }
    HD u64 straight_sliders() const { return ~plane[1] & plane[2]; }
    HD int role_at(int square) const {
        return (int)(plane[0] >> square & 1) | (int)(plane[1] >> square & 1) << 1 | (int)(plane[2] >> square & 1) << 2;
    }
    HD void clear(u64 squares) {
        for (int i = 0; i < 3; i++) plane[i] &= ~squares;
        own &= ~squares;
    }
    HD void put(int role, u64 square, bool ours) {
        for (int i = 0; i < 3; i++) plane[i] |= role >> i & 1 ? square : 0;
        own |= ours ? square : 0;
    }
};

// Attacks, computed without tables.

HD u64 east(u64 b) { return (b & ~FILE_H) << 1; }
HD u64 west(u64 b) { return (b & ~FILE_A) >> 1; }

HD u64 knight_attacks(u64 b) {
    u64 one = east(b) | west(b), two = east(east(b)) | west(west(b));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

HD u64 king_attacks(u64 b) {
    u64 row = b | east(b) | west(b);
    return (row | row << 8 | row >> 8) & ~b;
}

/// The four lines through a square: rank, file, and the diagonals to the north-east and the north-west.
enum Line : int { ALONG_RANK, ALONG_FILE, NORTH_EAST, NORTH_WEST };

HD u64 shift_ranks(u64 b, int ranks) { return ranks >= 0 ? b << 8 * ranks : b >> -8 * ranks; }

HD u64 line_mask(int line, int square) {
    int file = square & 7, rank = square >> 3;
    switch (line) {
    case ALONG_RANK: return RANK_1 << (square & 56);
    case ALONG_FILE: return FILE_A << file;
    case NORTH_EAST: return shift_ranks(0x8040201008040201ull, rank - file);
    default: return shift_ranks(0x0102040810204080ull, rank + file - 7);
    }
}

/// How far a slider on `square` sees along a line: subtraction carries through the empty squares up to the first
/// blocker; the same on the reversed board gives the other direction.
HD u64 slide(u64 occupied, u64 mask, int square) {
    u64 blockers = occupied & mask, slider = bit(square);
    return ((blockers - 2 * slider) ^ reverse(reverse(blockers) - 2 * reverse(slider))) & mask;
}

HD u64 bishop_attacks(int square, u64 occupied) {
    return slide(occupied, line_mask(NORTH_EAST, square), square) |
           slide(occupied, line_mask(NORTH_WEST, square), square);
}

HD u64 rook_attacks(int square, u64 occupied) {
    return slide(occupied, line_mask(ALONG_RANK, square), square) | slide(occupied, line_mask(ALONG_FILE, square), square);
}

/// The squares that the pawns of the other side attack.
HD u64 their_pawn_attacks(const Position &p) {
    u64 pawns = p.pawns() & ~p.own;
    return (east(pawns) | west(pawns)) >> 8;
}

/// Whether the other side attacks a square, given what stands in the way.
HD bool is_attacked(const Position &p, int square, u64 occupied) {
    u64 theirs = occupied & ~p.own, at = bit(square);
    u64 pawns_from = (east(at) | west(at)) << 8;
    return (pawns_from & p.pawns() & theirs) || (knight_attacks(at) & p.knights() & theirs) ||
           (king_attacks(at) & p.kings() & theirs) ||
           (bishop_attacks(square, occupied) & p.diagonal_sliders() & theirs) ||
           (rook_attacks(square, occupied) & p.straight_sliders() & theirs);
}

// Keys. They speak of colours and real squares, not of sides, and include a capture en passant only where it is legal,
// so that equal keys are repetitions as the laws of chess count them.

HD u64 piece_key(bool black, int role, int square) { return mix(1 + (black * 8 + role) * 64 + square); }
HD int swap_castling(int c) { return (c >> 2 & 3) | (c & 3) << 2; }
HD u64 state_key(const Position &p) {
    int castling = p.black ? swap_castling(p.castling) : p.castling;
    return mix(2048 + castling + (p.black ? 16 : 0) + (p.en_passant ? 32 * (1 + (p.en_passant & 7)) : 0));
}

/// Whether the pawn on `from` may capture en passant without leaving its king in check.
HD_NOINLINE bool en_passant_is_legal(const Position &p, int from, int to) {
    u64 captured = bit(to - 8);
    Position after = p;
    after.clear(captured | bit(from));
    after.put(PAWN, bit(to), true);
    return !is_attacked(after, lowest(after.kings() & after.own), after.occupied());
}

/// The pawns that could capture en passant on a square.
HD u64 en_passant_pawns(const Position &p, int square) {
    u64 at = bit(square);
    return (east(at) | west(at)) >> 8 & p.pawns() & p.own;
}

HD void set_en_passant(Position &p, int square) {
    u64 pawns = en_passant_pawns(p, square);
    while (pawns)
        if (en_passant_is_legal(p, take_lowest(pawns), square)) p.en_passant = (u8)square;
}

/// The other side's view of the same board.
HD void flip(Position &p) {
    u64 theirs = p.occupied() & ~p.own;
    for (int i = 0; i < 3; i++) p.plane[i] = flip_ranks(p.plane[i]);
    p.own = flip_ranks(theirs);
    p.castling = (u8)swap_castling(p.castling);
    p.black ^= 1;
}

/// What a move does to the pieces: at most two leave their squares and two arrive (castling), so the network's sums
/// are updated by two rows taken away and two added. A role of NOTHING stands for no change.
struct Changes {
    struct Change {
        u8 role, ours, square;
    } gone[2], come[2];
};

/// Plays a legal move.
HD void play(Position &p, Move m, Changes &changes) {
    int from = from_square(m), to = to_square(m);
    int role = p.role_at(from), victim = p.role_at(to), victim_square = to;
    int becomes = promotion(m) ? promotion(m) : role;
    bool passing = role == PAWN && p.en_passant && to == p.en_passant;
    if (passing) {
        victim = PAWN;
        victim_square = to - 8;
    }
    changes.gone[0] = {(u8)role, 1, (u8)from};
    changes.gone[1] = {(u8)victim, 0, (u8)victim_square};
    changes.come[0] = {(u8)becomes, 1, (u8)to};
    changes.come[1] = {NOTHING, 0, 0};
    if (role == KING && (from - to == 2 || to - from == 2)) {
        bool is_short = to > from;
        changes.gone[1] = {ROOK, 1, (u8)(is_short ? 7 : 0)};
        changes.come[1] = {ROOK, 1, (u8)(is_short ? 5 : 3)};
    }

    int flip_square = p.black ? 56 : 0;
    u64 key = p.key ^ state_key(p), left = 0;
    for (auto &gone : changes.gone)
        if (gone.role) {
            left |= bit(gone.square);
            key ^= piece_key(gone.ours == p.black, gone.role, gone.square ^ flip_square);
        }
    p.clear(left);
    for (auto &come : changes.come)
        if (come.role) {
            p.put(come.role, bit(come.square), true);
            key ^= piece_key(p.black, come.role, come.square ^ flip_square);
        }

    int lost = 0;
    if (role == KING) lost = OWN_SHORT | OWN_LONG;
    if (from == 0) lost |= OWN_LONG;
    if (from == 7) lost |= OWN_SHORT;
    if (to == 56) lost |= THEIR_LONG;
    if (to == 63) lost |= THEIR_SHORT;
    p.castling &= (u8)~lost;
    p.quiet_plies = role == PAWN || victim ? 0 : (u8)min_of(p.quiet_plies + 1, 255);
    p.en_passant = 0;
    flip(p);
    if (role == PAWN && to - from == 16) set_en_passant(p, (to - 8) ^ 56);
    p.key = key ^ state_key(p);
}

/// Passes the turn.
HD void play_null(Position &p) {
    u64 key = p.key ^ state_key(p);
    p.en_passant = 0;
    p.quiet_plies = (u8)min_of(p.quiet_plies + 1, 255);
    flip(p);
    p.key = key ^ state_key(p);
}

HD u64 full_key(const Position &p) {
    u64 key = state_key(p);
    for (u64 pieces = p.occupied(); pieces;) {
        int square = take_lowest(pieces);
        bool ours = p.own >> square & 1;
        key ^= piece_key(ours == (bool)p.black, p.role_at(square), square ^ (p.black ? 56 : 0));
    }
    return key;
}

HD void set_start(Position &p) {
    memset(&p, 0, sizeof p);
    const u64 back = 1ull | 1ull << 56;
    p.plane[0] = 0x00ff00000000ff00ull | back * (bit(2) | bit(5) | bit(3));
    p.plane[1] = back * (bit(1) | bit(6) | bit(2) | bit(5) | bit(4));
    p.plane[2] = back * (bit(0) | bit(7) | bit(3) | bit(4));
    p.own = 0xffff;
    p.castling = 15;
    p.key = full_key(p);
}

/// Whether neither side has the pieces to give mate: no pawn, rook or queen, and one minor piece at most or bishops on
/// squares of one colour only.
HD bool is_dead(const Position &p) {
    if (p.pawns() | p.straight_sliders()) return false;
    u64 knights = p.knights(), bishops = p.bishops();
    const u64 dark = 0xaa55aa55aa55aa55ull;
    if (!knights) return !(bishops & dark) || !(bishops & ~dark);
    return !bishops && !(knights & (knights - 1));
}
