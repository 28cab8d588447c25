// Generates legal moves directly: pins and checks are found first, so no move has to be played to test its legality.
#pragma once
#include "position.h"

/// The maximum number of moves in a position, rounded up.
const int MAX_MOVES = 224;

/// Checks and pins against the king of the side to move.
struct Threats {
    u64 checkers;
    u64 check_mask; // where pieces other than the king may go: in check, only to block or capture
    u64 pinned[4];  // own pieces pinned along each line through the king
};

HD Threats find_threats(const Position &p) {
    Threats t;
    u64 occupied = p.occupied(), theirs = occupied & ~p.own;
    int king = lowest(p.kings() & p.own);
    u64 at = bit(king), above = ~(at | (at - 1)), below = at - 1;
    t.checkers = ((east(at) | west(at)) << 8 & p.pawns() & theirs) | (knight_attacks(at) & p.knights() & theirs);
    u64 between = t.checkers;
#pragma unroll
    for (int line = 0; line < 4; line++) {
        u64 mask = line_mask(line, king);
        u64 sliders = theirs & (line < NORTH_EAST ? p.straight_sliders() : p.diagonal_sliders());
        u64 seen = slide(occupied, mask, king);
        u64 checking = seen & sliders;
        t.checkers |= checking;
        if (checking & above) between |= seen & above;
        if (checking & below) between |= seen & below;
        u64 shields = seen & p.own, behind = slide(occupied ^ shields, mask, king) & ~seen & sliders;
        t.pinned[line] = (behind & above ? shields & above : 0) | (behind & below ? shields & below : 0);
    }
    t.check_mask = !t.checkers ? ~0ull : t.checkers & (t.checkers - 1) ? 0 : between;
    return t;
}

/// A list of moves under construction. The upper half of an entry is for its ordering score.
struct MoveWriter {
    u32 *moves;
    int length = 0;
    HD void add(int from, int to, int promotion = 0) { moves[length++] = make_move(from, to, promotion); }
    HD void add_all(int from, u64 targets) {
        ROLLED while (targets) add(from, take_lowest(targets));
    }
    /// Adds pawn moves to `targets` from squares `distance` below.
    HD void add_pawns(u64 targets, int distance) {
        ROLLED for (u64 plain = targets & ~RANK_8; plain;) {
            int to = take_lowest(plain);
            add(to - distance, to);
        }
        ROLLED for (u64 promoting = targets & RANK_8; promoting;) {
            int to = take_lowest(promoting);
            ROLLED for (int role = QUEEN; role >= KNIGHT; role--) add(to - distance, to, role);
        }
    }
};

/// The squares to which a pin lets a piece move.
HD u64 pin_mask(const Threats &t, int king, u64 piece) {
    for (int line = 0; line < 4; line++)
        if (t.pinned[line] & piece) return line_mask(line, king);
    return ~0ull;
}

/// The squares that sliders attack in one direction, `shift` squares per step: an occluded fill that doubles its reach at
/// each step (Kogge-Stone).
template <int shift> HD u64 fill(u64 sliders, u64 empty, u64 not_wrapped) {
    auto move = [](u64 b, int distance) { return shift > 0 ? b << distance : b >> distance; };
    const int by = shift > 0 ? shift : -shift;
    empty &= not_wrapped;
    sliders |= empty & move(sliders, by);
    empty &= move(empty, by);
    sliders |= empty & move(sliders, 2 * by);
    empty &= move(empty, 2 * by);
    sliders |= empty & move(sliders, 4 * by);
    return move(sliders, by) & not_wrapped;
}

/// The squares that the other side attacks. Sliders see through the king, so that it cannot retreat along their line.
HD u64 attacked_squares(const Position &p) {
    u64 theirs = p.occupied() & ~p.own, empty = ~p.occupied() | (p.kings() & p.own);
    u64 straight = p.straight_sliders() & theirs, diagonal = p.diagonal_sliders() & theirs;
    return their_pawn_attacks(p) | knight_attacks(p.knights() & theirs) | king_attacks(p.kings() & theirs) |
           fill<8>(straight, empty, ~0ull) | fill<-8>(straight, empty, ~0ull) |
           fill<1>(straight, empty, ~FILE_A) | fill<-1>(straight, empty, ~FILE_H) |
           fill<9>(diagonal, empty, ~FILE_A) | fill<7>(diagonal, empty, ~FILE_H) |
           fill<-7>(diagonal, empty, ~FILE_A) | fill<-9>(diagonal, empty, ~FILE_H);
}

/// Writes the legal moves and returns their number. With `noisy`, only captures and promotions.
HD int generate(const Position &p, const Threats &t, bool noisy, u32 *moves) {
    MoveWriter out{moves};
    u64 own = p.own, occupied = p.occupied(), theirs = occupied & ~own;
    int king = lowest(p.kings() & own);
    u64 wanted = noisy ? theirs : ~own, targets = wanted & t.check_mask;

    u64 attacked = attacked_squares(p);
    out.add_all(king, king_attacks(bit(king)) & wanted & ~attacked);
    if (t.checkers & (t.checkers - 1)) return out.length;

    u64 diagonal_pins = t.pinned[NORTH_EAST] | t.pinned[NORTH_WEST], straight_pins = t.pinned[ALONG_RANK] | t.pinned[ALONG_FILE];
    u64 pawns = p.pawns() & own;
    u64 push_targets = noisy ? t.check_mask & RANK_8 : t.check_mask;
    u64 steps = (pawns & ~(diagonal_pins | t.pinned[ALONG_RANK])) << 8 & ~occupied;
    out.add_pawns(steps & push_targets, 8);
    if (!noisy) out.add_pawns((steps & RANK_3) << 8 & ~occupied & t.check_mask, 16);
    out.add_pawns(east(pawns & ~(straight_pins | t.pinned[NORTH_WEST])) << 8 & theirs & t.check_mask, 9);
    out.add_pawns(west(pawns & ~(straight_pins | t.pinned[NORTH_EAST])) << 8 & theirs & t.check_mask, 7);
    if (p.en_passant)
        ROLLED for (u64 from = en_passant_pawns(p, p.en_passant); from;) {
            int square = take_lowest(from);
            if (en_passant_is_legal(p, square, p.en_passant)) out.add(square, p.en_passant);
        }

    ROLLED for (u64 knights = p.knights() & own & ~(diagonal_pins | straight_pins); knights;) {
        int from = take_lowest(knights);
        out.add_all(from, knight_attacks(bit(from)) & targets);
    }
    u64 diagonal = p.diagonal_sliders() & own, straight = p.straight_sliders() & own;
    ROLLED while (diagonal) {
        int from = take_lowest(diagonal);
        out.add_all(from, bishop_attacks(from, occupied) & targets & pin_mask(t, king, bit(from)));
    }
    ROLLED while (straight) {
        int from = take_lowest(straight);
        out.add_all(from, rook_attacks(from, occupied) & targets & pin_mask(t, king, bit(from)));
    }

    if (!noisy && !t.checkers) {
        const u64 short_path = bit(5) | bit(6), long_path = bit(2) | bit(3);
        if (p.castling & OWN_SHORT && !((occupied | attacked) & short_path)) out.add(4, 6);
        if (p.castling & OWN_LONG && !((occupied | attacked) & long_path) && !(occupied & bit(1))) out.add(4, 2);
    }
    return out.length;
}

/// Counts the leaf nodes of the tree of legal moves.
inline u64 perft(const Position &p, int depth) {
    u32 moves[MAX_MOVES];
    int n = generate(p, find_threats(p), false, moves);
    if (depth <= 1) return depth == 1 ? n : 1;
    u64 leaves = 0;
    for (int i = 0; i < n; i++) {
        Position child = p;
        Changes changes;
        play(child, (Move)moves[i], changes);
        leaves += perft(child, depth - 1);
    }
    return leaves;
}
