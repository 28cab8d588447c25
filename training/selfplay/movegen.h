// Legal moves, generated directly: what is pinned and what gives check is found first, so that no move has to be tried.
#pragma once
#include "position.h"

/// The most moves of a position, with room to round up.
const int MOST_MOVES = 224;

/// What threatens the king of the side to move.
struct Threats {
    u64 checkers;
    u64 answer;    // where a piece other than the king must go: anywhere, or between king and checker
    u64 pinned[4]; // own pieces that may only move along the king's line of this number
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
    t.answer = !t.checkers ? ~0ull : t.checkers & (t.checkers - 1) ? 0 : between;
    return t;
}

/// A list of moves under construction, each with room for its score in the upper half.
struct MoveWriter {
    u32 *moves;
    int length = 0;
    HD void add(int from, int to, int promotion = 0) { moves[length++] = make_move(from, to, promotion); }
    HD void add_all(int from, u64 targets) {
        ROLLED while (targets) add(from, take_lowest(targets));
    }
    /// Pawn moves by the distance they go.
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

/// The squares a pinned piece may go to, seen from its king.
HD u64 pin_mask(const Threats &t, int king, u64 piece) {
    for (int line = 0; line < 4; line++)
        if (t.pinned[line] & piece) return line_mask(line, king);
    return ~0ull;
}

/// The squares that sliders attack in the direction of the squares `shift` further: they fill the empty ones, twice as far
/// at every step.
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

/// The squares that the other side attacks, also those behind the king that would be left in check there.
HD u64 attacked_squares(const Position &p) {
    u64 theirs = p.occupied() & ~p.own, empty = ~p.occupied() | (p.kings() & p.own);
    u64 straight = p.straight_sliders() & theirs, diagonal = p.diagonal_sliders() & theirs;
    return their_pawn_attacks(p) | knight_attacks(p.knights() & theirs) | king_attacks(p.kings() & theirs) |
           fill<8>(straight, empty, ~0ull) | fill<-8>(straight, empty, ~0ull) |
           fill<1>(straight, empty, ~FILE_A) | fill<-1>(straight, empty, ~FILE_H) |
           fill<9>(diagonal, empty, ~FILE_A) | fill<7>(diagonal, empty, ~FILE_H) |
           fill<-7>(diagonal, empty, ~FILE_A) | fill<-9>(diagonal, empty, ~FILE_H);
}

/// Writes the legal moves and gives their number; of quiet moves none but promotions if `noisy`.
HD int generate(const Position &p, const Threats &t, bool noisy, u32 *moves) {
    MoveWriter out{moves};
    u64 own = p.own, occupied = p.occupied(), theirs = occupied & ~own;
    int king = lowest(p.kings() & own);
    u64 wanted = noisy ? theirs : ~own, answer = wanted & t.answer;

    u64 attacked = attacked_squares(p);
    out.add_all(king, king_attacks(bit(king)) & wanted & ~attacked);
    if (t.checkers & (t.checkers - 1)) return out.length;

    u64 diagonal_pins = t.pinned[NORTH_EAST] | t.pinned[NORTH_WEST], straight_pins = t.pinned[ALONG_RANK] | t.pinned[ALONG_FILE];
    u64 pawns = p.pawns() & own;
    u64 push_targets = noisy ? t.answer & RANK_8 : t.answer;
    u64 steps = (pawns & ~(diagonal_pins | t.pinned[ALONG_RANK])) << 8 & ~occupied;
    out.add_pawns(steps & push_targets, 8);
    if (!noisy) out.add_pawns((steps & RANK_3) << 8 & ~occupied & t.answer, 16);
    out.add_pawns(east(pawns & ~(straight_pins | t.pinned[NORTH_WEST])) << 8 & theirs & t.answer, 9);
    out.add_pawns(west(pawns & ~(straight_pins | t.pinned[NORTH_EAST])) << 8 & theirs & t.answer, 7);
    if (p.en_passant)
        ROLLED for (u64 from = en_passant_pawns(p, p.en_passant); from;) {
            int square = take_lowest(from);
            if (en_passant_is_legal(p, square, p.en_passant)) out.add(square, p.en_passant);
        }

    ROLLED for (u64 knights = p.knights() & own & ~(diagonal_pins | straight_pins); knights;) {
        int from = take_lowest(knights);
        out.add_all(from, knight_attacks(bit(from)) & answer);
    }
    u64 diagonal = p.diagonal_sliders() & own, straight = p.straight_sliders() & own;
    ROLLED while (diagonal) {
        int from = take_lowest(diagonal);
        out.add_all(from, bishop_attacks(from, occupied) & answer & pin_mask(t, king, bit(from)));
    }
    ROLLED while (straight) {
        int from = take_lowest(straight);
        out.add_all(from, rook_attacks(from, occupied) & answer & pin_mask(t, king, bit(from)));
    }

    if (!noisy && !t.checkers) {
        const u64 short_path = bit(5) | bit(6), long_path = bit(2) | bit(3);
        if (p.castling & OWN_SHORT && !((occupied | attacked) & short_path)) out.add(4, 6);
        if (p.castling & OWN_LONG && !((occupied | attacked) & long_path) && !(occupied & bit(1))) out.add(4, 2);
    }
    return out.length;
}

/// Counts the leaves of the tree of legal moves.
inline u64 perft(const Position &p, int depth) {
    u32 moves[MOST_MOVES];
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
