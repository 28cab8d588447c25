// A position, always seen from the side to move: its own pieces move up the board. White and Black therefore run the same
// code, which keeps the threads of a warp together.
#pragma once
#include "portable.h"

/// The kind of piece on a square. Each of its three bits has a plane in a position.
enum Role : int { NOTHING, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

/// From, to (6 bits each) and promotion. Castling is the king's move by two squares.
using Move = u16;
const Move NO_MOVE = 0;
HD Move make_move(int from, int to, int promotion = 0) { return (Move)(from | to << 6 | promotion << 12); }
HD int from_square(Move m) { return m & 63; }
HD int to_square(Move m) { return m >> 6 & 63; }
HD int promotion(Move m) { return m >> 12; }
/// The same move seen from the other side.
HD Move flip_move(Move m) { return m ^ (56 | 56 << 6); }

enum Castling : int { OWN_SHORT = 1, OWN_LONG = 2, THEIR_SHORT = 4, THEIR_LONG = 8 };

const u64 FILE_A = 0x0101010101010101ull, FILE_H = FILE_A << 7;
const u64 RANK_1 = 0xffull, RANK_3 = RANK_1 << 16, RANK_8 = RANK_1 << 56;

struct alignas(16) Position {
    u64 plane[3];      // the three bits of the role on each square
    u64 own;           // the pieces of the side to move
    u64 key;           // equal for repeated positions
    u8 castling;
    u8 en_passant;     // target square of a legal en passant capture, or 0
    u8 halfmove_clock; // plies since the last capture or pawn move
    u8 black;          // whether Black is to move

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

// Attacks, computed without lookup tables.

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

/// The four lines through a square: rank, file, and the two diagonals.
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

/// The squares that a slider on `square` attacks along a line. The subtraction borrows through the empty squares up to the
/// first blocker; the same on the reversed board gives the other direction.
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

/// The squares attacked by the other side's pawns.
HD u64 their_pawn_attacks(const Position &p) {
    u64 pawns = p.pawns() & ~p.own;
    return (east(pawns) | west(pawns)) >> 8;
}

/// Whether the other side attacks a square, with the given occupied squares.
HD bool is_attacked(const Position &p, int square, u64 occupied) {
    u64 theirs = occupied & ~p.own, at = bit(square);
    u64 pawns_from = (east(at) | west(at)) << 8;
    return (pawns_from & p.pawns() & theirs) || (knight_attacks(at) & p.knights() & theirs) ||
           (king_attacks(at) & p.kings() & theirs) ||
           (bishop_attacks(square, occupied) & p.diagonal_sliders() & theirs) ||
           (rook_attacks(square, occupied) & p.straight_sliders() & theirs);
}

// Hash keys. They use colours and real squares, not the view of the side to move, and include en passant only if the
// capture is legal. Two positions thus have equal keys if the laws of chess count them as a repetition.

HD u64 piece_key(bool black, int role, int square) { return mix(1 + (black * 8 + role) * 64 + square); }
HD int swap_castling(int c) { return (c >> 2 & 3) | (c & 3) << 2; }
HD u64 state_key(const Position &p) {
    int castling = p.black ? swap_castling(p.castling) : p.castling;
    return mix(2048 + castling + (p.black ? 16 : 0) + (p.en_passant ? 32 * (1 + (p.en_passant & 7)) : 0));
}

/// Whether an en passant capture does not leave its own king in check.
HD_NOINLINE bool en_passant_is_legal(const Position &p, int from, int to) {
    u64 captured = bit(to - 8);
    Position after = p;
    after.clear(captured | bit(from));
    after.put(PAWN, bit(to), true);
    return !is_attacked(after, lowest(after.kings() & after.own), after.occupied());
}

/// The pawns that attack an en passant square.
HD u64 en_passant_pawns(const Position &p, int square) {
    u64 at = bit(square);
    return (east(at) | west(at)) >> 8 & p.pawns() & p.own;
}

HD void set_en_passant(Position &p, int square) {
    u64 pawns = en_passant_pawns(p, square);
    while (pawns)
        if (en_passant_is_legal(p, take_lowest(pawns), square)) p.en_passant = (u8)square;
}

/// Switches to the other side's view, with the other side to move.
HD void flip(Position &p) {
    u64 theirs = p.occupied() & ~p.own;
    for (int i = 0; i < 3; i++) p.plane[i] = flip_ranks(p.plane[i]);
    p.own = flip_ranks(theirs);
    p.castling = (u8)swap_castling(p.castling);
    p.black ^= 1;
}

/// The pieces that a move removes and adds: at most two each (castling), so updating the network's sums takes two
/// subtracted and two added rows. A role of NOTHING means no change.
struct Changes {
    struct Change {
        u8 role, ours, square;
    } removed[2], added[2];
};

/// Plays a legal move.
HD void play(Position &p, Move m, Changes &changes) {
    int from = from_square(m), to = to_square(m);
    int role = p.role_at(from), victim = p.role_at(to), victim_square = to;
    int becomes = promotion(m) ? promotion(m) : role;
    bool is_en_passant = role == PAWN && p.en_passant && to == p.en_passant;
    if (is_en_passant) {
        victim = PAWN;
        victim_square = to - 8;
    }
    changes.removed[0] = {(u8)role, 1, (u8)from};
    changes.removed[1] = {(u8)victim, 0, (u8)victim_square};
    changes.added[0] = {(u8)becomes, 1, (u8)to};
    changes.added[1] = {NOTHING, 0, 0};
    if (role == KING && (from - to == 2 || to - from == 2)) {
        bool is_short = to > from;
        changes.removed[1] = {ROOK, 1, (u8)(is_short ? 7 : 0)};
        changes.added[1] = {ROOK, 1, (u8)(is_short ? 5 : 3)};
    }

    int flip_square = p.black ? 56 : 0;
    u64 key = p.key ^ state_key(p), left = 0;
    for (auto &removed : changes.removed)
        if (removed.role) {
            left |= bit(removed.square);
            key ^= piece_key(removed.ours == p.black, removed.role, removed.square ^ flip_square);
        }
    p.clear(left);
    for (auto &added : changes.added)
        if (added.role) {
            p.put(added.role, bit(added.square), true);
            key ^= piece_key(p.black, added.role, added.square ^ flip_square);
        }

    int lost = 0;
    if (role == KING) lost = OWN_SHORT | OWN_LONG;
    if (from == 0) lost |= OWN_LONG;
    if (from == 7) lost |= OWN_SHORT;
    if (to == 56) lost |= THEIR_LONG;
    if (to == 63) lost |= THEIR_SHORT;
    p.castling &= (u8)~lost;
    p.halfmove_clock = role == PAWN || victim ? 0 : (u8)min_of(p.halfmove_clock + 1, 255);
    p.en_passant = 0;
    flip(p);
    if (role == PAWN && to - from == 16) set_en_passant(p, (to - 8) ^ 56);
    p.key = key ^ state_key(p);
}

/// Plays a null move.
HD void play_null(Position &p) {
    u64 key = p.key ^ state_key(p);
    p.en_passant = 0;
    p.halfmove_clock = (u8)min_of(p.halfmove_clock + 1, 255);
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

/// Whether neither side has mating material: no pawns, rooks or queens, and either at most one minor piece or only bishops
/// on squares of one colour.
HD bool is_insufficient_material(const Position &p) {
    if (p.pawns() | p.straight_sliders()) return false;
    u64 knights = p.knights(), bishops = p.bishops();
    const u64 dark = 0xaa55aa55aa55aa55ull;
    if (!knights) return !(bishops & dark) || !(bishops & ~dark);
    return !bishops && !(knights & (knights - 1));
}
