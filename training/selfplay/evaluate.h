// Evaluates positions in centipawns for the side to move: with a small network, or by material in the first generation.
#pragma once
#include "position.h"

#ifndef WIDTH
#define WIDTH 32
#endif
#ifndef MIRRORED
#define MIRRORED 0
#endif

const int QA = 255, QB = 64, SCALE = 400, OUTPUTS = 8, FEATURES = 768;
const int MAX_EVALUATION = 8000;

/// Two sums packed into one integer, `first + 65536 * second`, so that one addition adds both. A negative first sum borrows
/// from the second. Rows and sums are stored like this.
using Pair = i32;
HD Pair make_pair(int first, int second) { return (Pair)((u32)first + ((u32)second << 16)); }
HD int first_of(Pair p) { return (i16)p; }
HD int second_of(Pair p) { return (p + 0x8000) >> 16; }

/// Eight sums: one memory access.
struct alignas(16) Eight {
    Pair pair[4];
};

/// The network that training/README.md describes, without king buckets; MIRRORED says whether it is mirrored. The last row is
/// all zeros, for changes that do not happen.
struct Network {
    Eight rows[FEATURES + 1][WIDTH / 8];
    Eight bias[WIDTH / 8];
    Eight output[OUTPUTS][2 * WIDTH / 8];
    i16 output_bias[OUTPUTS];
};

/// The sums of the first layer: White's view, then Black's.
struct Sums {
    Eight of[2][WIDTH / 8];
};

/// The mask that turns the squares of `p` into those of a view: the side to move's (`view` 0) or the other side's.
HD int turn_of(const Position &p, int view) {
    bool mirror = MIRRORED && lowest(p.kings() & (view ? ~p.own : p.own)) & 4;
    return (view ? 56 : 0) ^ (mirror ? 7 : 0);
}

/// The row of a piece in a view.
HD int feature(int role, bool ours, int square, int view, int turn) {
    return ((ours != (bool)view ? 0 : 6) + role - 1) * 64 + (square ^ turn);
}
HD int feature(const Changes::Change &c, int view, int turn) {
    return c.role ? feature(c.role, c.ours, c.square, view, turn) : FEATURES;
}

HD int clipped(int sum) {
#ifdef __CUDA_ARCH__
    return __vimin_s32_relu(sum, QA);
#else
    return min_of(max_of(sum, 0), QA);
#endif
}

/// The contribution of eight sums to the output.
HD int weighted(const Eight &sums, const Eight &weights) {
    int total = 0;
    for (int k = 0; k < 4; k++) {
        int first = clipped(first_of(sums.pair[k])), second = clipped(second_of(sums.pair[k]));
        total += first * first_of(weights.pair[k]) * first + second * second_of(weights.pair[k]) * second;
    }
    return total;
}

HD int output_of(const Position &p) { return (count(p.occupied()) - 2) / 4; }

HD int in_centipawns(const Network &net, int output, int total) {
    return (total / QA + net.output_bias[output]) * SCALE / (QA * QB);
}

/// Computes the sums of one view from scratch: those of the eights `first`, `first + step` and so on.
HD void compute_view(const Network &net, const Position &p, int view, Eight *sum, int first, int step) {
    int turn = turn_of(p, view);
    ROLLED for (int i = first; i < WIDTH / 8; i += step) sum[i] = net.bias[i];
    ROLLED for (u64 pieces = p.occupied(); pieces;) {
        int square = take_lowest(pieces);
        const Eight *row = net.rows[feature(p.role_at(square), p.own >> square & 1, square, view, turn)];
        ROLLED for (int i = first; i < WIDTH / 8; i += step)
            for (int k = 0; k < 4; k++) sum[i].pair[k] += row[i].pair[k];
    }
}

HD void compute_sums(const Network &net, const Position &p, Sums &sums) {
    ROLLED for (int view = 0; view < 2; view++) compute_view(net, p, view, sums.of[view ^ (int)p.black], 0, 1);
}

/// How a move changes the sums. The views are those of the side that moved and of the other side.
struct Update {
    const Network *network;
    const Position *next; // after the move
    const Sums *before;
    Sums *after;
    u64 rows[2]; // in each view: two removed, then two added, 16 bits each
    u8 output;
    u8 black;     // whether Black is to move after the move
    u8 recompute; // whether the king crossed the middle, which mirrors the view of the side that moved
    u8 unused;
};

/// Prepares an update. `next` and the sums must be in memory that other threads can read.
HD Update make_update(const Network *net, const Sums &before, Sums &after, const Changes &changes, const Position &next) {
    Update u = {net, &next, &before, &after, {}, (u8)output_of(next), next.black, 0, 0};
    for (int view = 0; view < 2; view++) {
        int turn = turn_of(next, 1 - view) ^ 56; // squares in `changes` are those of the side that moved
        u32 removed = feature(changes.removed[0], view, turn) | feature(changes.removed[1], view, turn) << 16;
        u32 added = feature(changes.added[0], view, turn) | feature(changes.added[1], view, turn) << 16;
        u.rows[view] = removed | (u64)added << 32;
    }
    bool king_moved = changes.removed[0].role == KING;
    u.recompute = MIRRORED && king_moved && (changes.removed[0].square ^ changes.added[0].square) & 4;
    return u;
}

/// Runs an update for the eights `first`, `first + step` and so on of both views, and returns their contribution to the
/// output. Doing both at once saves slow memory accesses.
HD int run_update(const Update &u, int first, int step) {
    const Network &net = *u.network;
    int total = 0;
    ROLLED for (int view = 0; view < 2; view++) {
        u64 rows = view ? u.rows[1] : u.rows[0];
        const Eight *removed0 = net.rows[rows & 0xffff], *removed1 = net.rows[rows >> 16 & 0xffff];
        const Eight *added0 = net.rows[rows >> 32 & 0xffff], *added1 = net.rows[rows >> 48];
        // The side that moved is now the other side.
        const Eight *weights = net.output[u.output] + (1 - view) * WIDTH / 8;
        int side = view ^ 1 ^ (int)u.black;
        const Eight *from = u.before->of[side];
        Eight *to = u.after->of[side];
        if (MIRRORED && u.recompute && view == 0) {
            compute_view(net, *u.next, 1, to, first, step);
            from = to;
            removed0 = removed1 = added0 = added1 = net.rows[FEATURES];
        }
        UNROLLED for (int i = first; i < WIDTH / 8; i += step) {
            Eight sum = from[i], a = removed0[i], b = removed1[i], c = added0[i], d = added1[i], weight = weights[i];
            for (int k = 0; k < 4; k++) sum.pair[k] += c.pair[k] + d.pair[k] - a.pair[k] - b.pair[k];
            to[i] = sum;
            total += weighted(sum, weight);
        }
    }
    return total;
}

/// Runs the updates of all threads that arrive here together and have one. Returns the evaluation after the caller's. On the
/// GPU these threads share the work on one update after another: neighbouring threads then read neighbouring memory, which
/// is far faster than if each did its own.
HD int run_updates(const Update &mine, bool has_one) {
    int value = 0;
#ifdef __CUDA_ARCH__
    u32 team = __activemask(), lane = threadIdx.x & 31;
    int first = __popc(team & ((1u << lane) - 1)), step = __popc(team);
    __syncwarp(team); // the positions of all updates are written
    ROLLED for (u32 left = __ballot_sync(team, has_one); left; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        const int WORDS = sizeof(Update) / 4;
        u32 words[WORDS];
        memcpy(words, &mine, sizeof mine);
        for (int i = 0; i < WORDS; i++) words[i] = __shfl_sync(team, words[i], owner);
        Update update;
        memcpy(&update, words, sizeof update);
        int total = __reduce_add_sync(team, run_update(update, first, step));
        if ((int)lane == owner) value = in_centipawns(*update.network, update.output, total);
    }
    __syncwarp(team); // the sums are written
#else
    if (has_one) value = in_centipawns(*mine.network, mine.output, run_update(mine, 0, 1));
#endif
    return value;
}

HD int network_output(const Network &net, const Position &p, const Sums &sums) {
    int output = output_of(p), total = 0;
    ROLLED for (int view = 0; view < 2; view++) {
        const Eight *own = sums.of[view ^ (int)p.black], *weights = net.output[output] + view * WIDTH / 8;
        ROLLED for (int i = 0; i < WIDTH / 8; i++) total += weighted(own[i], weights[i]);
    }
    return in_centipawns(net, output, total);
}

/// Piece values for exchanges, packed into ten bits per role.
HD int role_value(int role) {
    const u64 values = 100ull << 10 | 300ull << 20 | 310ull << 30 | 500ull << 40 | 900ull << 50;
    return (int)(values >> 10 * role & 1023) * (role < KING);
}

/// Material, with small bonuses for central pieces and advanced pawns. The first generation plays by this.
HD int material_for(const Position &p, u64 side, bool up) {
    const u64 middle = 0x00003c3c3c3c0000ull, centre = 0x0000001818000000ull;
    int value = 100 * count(p.pawns() & side) + 300 * count(p.knights() & side) + 310 * count(p.bishops() & side) +
                500 * count(p.rooks() & side) + 900 * count(p.queens() & side);
    u64 minor = (p.knights() | p.bishops()) & side, pawns = p.pawns() & side;
    value += 12 * count(minor & middle) + 8 * count((minor | pawns) & centre) + 4 * count(p.queens() & side & middle);
    u64 ranks = up ? pawns : flip_ranks(pawns);
    value += 8 * count(ranks >> 32) + 12 * count(ranks >> 40) + 25 * count(ranks >> 48);
    bool endgame = count(p.occupied()) <= 12;
    u64 king = p.kings() & side;
    value += endgame ? 20 * !!(king & middle) : -25 * !!(king & (middle | middle << 8 | middle >> 8));
    return value;
}

HD int material(const Position &p) {
    return material_for(p, p.own, true) - material_for(p, p.occupied() & ~p.own, false) + 10;
}
