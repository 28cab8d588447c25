// Evaluates positions in centipawns for the side to move: with a small network, or by material in the first generation.
#pragma once
#include "position.h"

#ifndef WIDTH
#define WIDTH 32
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

/// The network that training/README.md describes, without mirroring or king buckets. The last row is all zeros, for changes
/// that do not happen.
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

/// The row of a piece in the view of the side to move (`their_view` 0) or of the other side.
HD int feature(int role, bool ours, int square, int their_view) {
    return ((ours != (bool)their_view ? 0 : 6) + role - 1) * 64 + (their_view ? square ^ 56 : square);
}
HD int feature(const Changes::Change &c, int their_view) {
    return c.role ? feature(c.role, c.ours, c.square, their_view) : FEATURES;
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

/// Updates the sums after a move and returns the new position's evaluation. Doing both at once saves slow memory accesses.
HD int update_sums(const Network &net, const Sums &before, Sums &after, const Changes &changes, const Position &next) {
    int output = output_of(next), total = 0;
    ROLLED for (int view = 0; view < 2; view++) {
        const Eight *removed0 = net.rows[feature(changes.removed[0], view)];
        const Eight *removed1 = net.rows[feature(changes.removed[1], view)];
        const Eight *added0 = net.rows[feature(changes.added[0], view)];
        const Eight *added1 = net.rows[feature(changes.added[1], view)];
        // The side that moved is now the other side.
        const Eight *weights = net.output[output] + (1 - view) * WIDTH / 8;
        int side = view ^ 1 ^ (int)next.black;
        const Eight *from = before.of[side];
        Eight *to = after.of[side];
        UNROLLED for (int i = 0; i < WIDTH / 8; i++) {
            Eight sum = from[i], a = removed0[i], b = removed1[i], c = added0[i], d = added1[i], weight = weights[i];
            for (int k = 0; k < 4; k++) sum.pair[k] += c.pair[k] + d.pair[k] - a.pair[k] - b.pair[k];
            to[i] = sum;
            total += weighted(sum, weight);
        }
    }
    return in_centipawns(net, output, total);
}

HD void compute_sums(const Network &net, const Position &p, Sums &sums) {
    ROLLED for (int view = 0; view < 2; view++) {
        Eight *sum = sums.of[view ^ (int)p.black];
        ROLLED for (int i = 0; i < WIDTH / 8; i++) sum[i] = net.bias[i];
        ROLLED for (u64 pieces = p.occupied(); pieces;) {
            int square = take_lowest(pieces);
            const Eight *row = net.rows[feature(p.role_at(square), p.own >> square & 1, square, view)];
            ROLLED for (int i = 0; i < WIDTH / 8; i++)
                for (int k = 0; k < 4; k++) sum[i].pair[k] += row[i].pair[k];
        }
    }
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
