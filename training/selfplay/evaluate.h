// The worth of a position to the side to move, in centipawns: by a small network, or by material for the first games.
#pragma once
#include "position.h"

#ifndef WIDTH
#define WIDTH 32
#endif

const int QA = 255, QB = 64, SCALE = 400, OUTPUTS = 8, FEATURES = 768;
const int LONGEST_EVALUATION = 8000;

/// The network as training/README.md describes it, without mirroring and king buckets. One row of zeros at the end
/// stands for a change that does not happen.
struct Network {
    alignas(16) i16 rows[FEATURES + 1][WIDTH];
    alignas(16) i16 bias[WIDTH];
    alignas(16) i16 output[OUTPUTS][2 * WIDTH];
    i16 output_bias[OUTPUTS];
};

/// The sums of the first layer, as white sees the board and as black does.
struct Sums {
    alignas(16) i16 of[2][WIDTH];
};

/// Eight sums at a time.
struct alignas(16) Eight {
    u32 pair[4];
};
HD u32 add_pairs(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
    return __vadd2(a, b);
#else
    return ((a & 0xffff0000u) + (b & 0xffff0000u)) | ((a + b) & 0xffffu);
#endif
}
HD u32 subtract_pairs(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
    return __vsub2(a, b);
#else
    return ((a & 0xffff0000u) - (b & 0xffff0000u)) | ((a - b) & 0xffffu);
#endif
}

/// The row of a piece for the side that moves (`their_view` 0) or the other.
HD int feature(int role, bool ours, int square, int their_view) {
    return ((ours != (bool)their_view ? 0 : 6) + role - 1) * 64 + (their_view ? square ^ 56 : square);
}
HD int feature(const Changes::Change &c, int their_view) {
    return c.role ? feature(c.role, c.ours, c.square, their_view) : FEATURES;
}

/// The sums after a move by the side `black`.
HD void update_sums(const Network &net, const Sums &before, Sums &after, const Changes &changes, bool black) {
    for (int view = 0; view < 2; view++) {
        const Eight *gone0 = (const Eight *)net.rows[feature(changes.gone[0], view)];
        const Eight *gone1 = (const Eight *)net.rows[feature(changes.gone[1], view)];
        const Eight *come0 = (const Eight *)net.rows[feature(changes.come[0], view)];
        const Eight *come1 = (const Eight *)net.rows[feature(changes.come[1], view)];
        const Eight *from = (const Eight *)before.of[view ^ (int)black];
        Eight *to = (Eight *)after.of[view ^ (int)black];
        for (int i = 0; i < WIDTH / 8; i++) {
            Eight sum = from[i], a = gone0[i], b = gone1[i], c = come0[i], d = come1[i];
            for (int k = 0; k < 4; k++)
                sum.pair[k] = subtract_pairs(add_pairs(add_pairs(sum.pair[k], c.pair[k]), d.pair[k]),
                                             add_pairs(a.pair[k], b.pair[k]));
            to[i] = sum;
        }
    }
}

HD void compute_sums(const Network &net, const Position &p, Sums &sums) {
    for (int view = 0; view < 2; view++) {
        i16 *sum = sums.of[view ^ (int)p.black];
        for (int i = 0; i < WIDTH; i++) sum[i] = net.bias[i];
        for (u64 pieces = p.occupied(); pieces;) {
            int square = take_lowest(pieces);
            const i16 *row = net.rows[feature(p.role_at(square), p.own >> square & 1, square, view)];
            for (int i = 0; i < WIDTH; i++) sum[i] = (i16)(sum[i] + row[i]);
        }
    }
}

HD int clipped_square_sum(u32 sums, u32 weights) {
    int low = min_of(max_of((i16)sums, 0), QA), high = min_of(max_of((i16)(sums >> 16), 0), QA);
    return low * low * (i16)weights + high * high * (i16)(weights >> 16);
}

HD int network_output(const Network &net, const Position &p, const Sums &sums) {
    int bucket = (count(p.occupied()) - 2) / 4;
    const Eight *weights = (const Eight *)net.output[bucket];
    int total = 0;
    for (int view = 0; view < 2; view++) {
        const Eight *own = (const Eight *)sums.of[view ^ (int)p.black];
        for (int i = 0; i < WIDTH / 8; i++) {
            Eight sum = own[i], weight = weights[view * WIDTH / 8 + i];
            for (int k = 0; k < 4; k++) total += clipped_square_sum(sum.pair[k], weight.pair[k]);
        }
    }
    return (total / QA + net.output_bias[bucket]) * SCALE / (QA * QB);
}

/// Nine bits a role: what the pieces are worth in exchanges.
HD int role_value(int role) {
    const u64 values = 100ull << 10 | 300ull << 20 | 310ull << 30 | 500ull << 40 | 900ull << 50;
    return (int)(values >> 10 * role & 1023) * (role < KING);
}

/// Material, and a little for pieces in the middle and pawns that have gone far: all that the first generation knows.
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
