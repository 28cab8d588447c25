// Unpacks records into the network's inputs: one row of ones and zeros for each view of the board.
#pragma once
#include "record.h"

/// A network's inputs: whether the board is mirrored so that a view's own king is on files a to d, and the king bucket of
/// each square.
struct View {
    u8 mirrored;
    u8 buckets;
    u8 bucket_of[64];
};

const int FLAT_FEATURES = 768;

/// The input for a piece that is present: 1, in half precision on the GPU.
#ifdef __CUDACC__
using One = u16;
const One ONE = 0x3c00;
#else
using One = float;
const One ONE = 1;
#endif

HD int piece_of(const Record &r, int i) { return r.pieces[i / 2] >> i % 2 * 4 & 15; }

/// The square of the king of the side to move (code 5) or the other side (code 13).
HD int king_square(const Record &r, int code) {
    int i = 0;
    for (u64 squares = r.occupied; squares; i++) {
        int square = take_lowest(squares);
        if (piece_of(r, i) == code) return square;
    }
    return 0;
}

/// For the side to move (view 0) or the other side (view 1): the mask that turns squares, and the first row of the king
/// bucket.
HD void orient(const Record &r, const View &v, int view, int &turn, int &first) {
    int king = king_square(r, view ? 13 : 5) ^ (view ? 56 : 0);
    int mirror = v.mirrored && (king & 4) ? 7 : 0;
    turn = (view ? 56 : 0) ^ mirror;
    first = v.bucket_of[king ^ mirror] * FLAT_FEATURES;
}

HD int row_of(int piece, int square, int view, int turn, int first) {
    bool ours = (piece < 8) == (view == 0);
    return first + ((ours ? 0 : 6) + (piece & 7)) * 64 + (square ^ turn);
}

HD void unpack_view(const Record &r, const View &v, int view, One *ones) {
    int turn, first, i = 0;
    orient(r, v, view, turn, first);
    for (u64 squares = r.occupied; squares; i++) {
        int square = take_lowest(squares);
        ones[row_of(piece_of(r, i), square, view, turn, first)] = ONE;
    }
}

/// Writes position `i` of a batch: ones into the zeroed rows, and the output that its piece count selects.
HD void unpack_record(const Record &r, const View &v, int i, One *own, One *other, i64 *outputs) {
    u64 width = (u64)v.buckets * FLAT_FEATURES;
    unpack_view(r, v, 0, own + i * width);
    unpack_view(r, v, 1, other + i * width);
    outputs[i] = (count(r.occupied) - 2) / 4;
}
