// Training records and whole games. training/README.md describes both formats.
#pragma once
#include "position.h"

enum RecordFlags : u8 { BLACK_TO_MOVE = 1, IN_CHECK = 2, NOISY_BEST_MOVE = 4, CASTLING_SHIFT = 4 };

/// A position with its search result and the result of the game, all from the side to move.
struct Record {
    u64 occupied;
    u8 pieces[16]; // four bits per piece, from a1: role - 1, plus 8 for the other side
    i16 score;
    Move best_move;
    u16 ply;
    u8 result; // 0 lost, 1 drawn, 2 won
    u8 flags;  // RecordFlags, and the castling rights in the upper four bits
};
static_assert(sizeof(Record) == 32, "records are 32 bytes");

HD Record make_record(const Position &p, int score, Move best_move, bool noisy, bool in_check, int ply) {
    Record r;
    r.occupied = p.occupied();
    for (int i = 0; i < 16; i++) r.pieces[i] = 0;
    int i = 0;
    ROLLED for (u64 squares = r.occupied; squares; i++) {
        int square = take_lowest(squares);
        int piece = (p.role_at(square) - 1) | (p.own >> square & 1 ? 0 : 8);
        r.pieces[i / 2] |= (u8)(piece << i % 2 * 4);
    }
    r.score = (i16)score;
    r.best_move = best_move;
    r.ply = (u16)ply;
    r.result = 1;
    r.flags = (u8)(p.black * BLACK_TO_MOVE | in_check * IN_CHECK | noisy * NOISY_BEST_MOVE |
                   p.castling << CASTLING_SHIFT);
    return r;
}

/// How a game ended.
enum Ending : u8 {
    CHECKMATE,
    STALEMATE,
    THREEFOLD,
    FIFTY_MOVES,
    DEAD_POSITION,
    ADJUDICATED_WIN,
    ADJUDICATED_DRAW,
    TOO_LONG,
    ENDINGS
};

/// A whole game is this header followed by a move and a score for each ply, two bytes each. Moves are on real squares.
/// Scores are for the side to move; random moves have UNKNOWN_SCORE.
struct GameHeader {
    u16 plies;
    u16 random_plies;
    u8 result; // for White
    u8 ending;
    u16 zero;
};
const i16 UNKNOWN_SCORE = 32767;
