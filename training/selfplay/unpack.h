// Records made ready for training: one row of ones and zeros for each side's view of the board.
#pragma once
#include "record.h"

/// How a network looks at the board: whether boards are mirrored so that its own king stands on the files a to d, and
/// the bucket of each square that the king can stand on.
struct View {
    u8 mirrored;
    u8 buckets;
    u8 bucket_of[64];
};

const int FLAT_FEATURES = 768;

/// What is written for a piece: a one, in half precision on the GPU.
#ifdef __CUDACC__
using One = u16;
const One ONE = 0x3c00;
#else
using One = float;
const One ONE = 1;
#endif

HD int piece_of(const Record &r, int i) { return r.pieces[i / 2] >> i % 2 * 4 & 15; }

/// The king of the side to move (code 5) or of the other (code 13).
HD int king_square(const Record &r, int code) {
    int i = 0;
    for (u64 squares = r.occupied; squares; i++) {
        int square = take_lowest(squares);
        if (piece_of(r, i) == code) return square;
    }
    return 0;
}

/// What turns a square into what the side to move (view 0) or the other (view 1) sees, and the first row of its bucket.
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

/// Writes record number `i` of a batch: ones into rows of zeros, and the output that its number of pieces chooses.
HD void unpack_record(const Record &r, const View &v, int i, One *own, One *other, i64 *outputs) {
    u64 width = (u64)v.buckets * FLAT_FEATURES;
    unpack_view(r, v, 0, own + i * width);
    unpack_view(r, v, 1, other + i * width);
    outputs[i] = (count(r.occupied) - 2) / 4;
}
