// Reads positions from FEN on the CPU. For tests only: the input must be valid.
#pragma once
#include "position.h"

inline Position read_fen(const char *fen) {
    Position p;
    memset(&p, 0, sizeof p);
    const char *letters = ".pnbrqk";
    int rank = 7, file = 0;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else {
            int role = (int)(strchr(letters, *fen | 32) - letters);
            p.put(role, bit(rank * 8 + file++), *fen < 'a');
        }
    }
    bool black = *fen == ' ' && fen[1] == 'b';
    for (fen += fen[0] ? 2 : 0; *fen == ' ';) fen++;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == 'K') p.castling |= OWN_SHORT;
        if (*fen == 'Q') p.castling |= OWN_LONG;
        if (*fen == 'k') p.castling |= THEIR_SHORT;
        if (*fen == 'q') p.castling |= THEIR_LONG;
    }
    if (black) flip(p);
    while (*fen == ' ') fen++;
    if (*fen >= 'a' && *fen <= 'h') {
        int square = (fen[1] - '1') * 8 + *fen - 'a';
        set_en_passant(p, black ? square ^ 56 : square);
    }
    p.key = full_key(p);
    return p;
}
