/* Shared by the test programs. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ChessMoves.h"

/* Exits if a condition does not hold. */
#define CHECK(condition)                                                                            \
    do {                                                                                            \
        if (!(condition)) {                                                                         \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                 \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)

/* A board from eight rows of eight letters, with dots for empty squares. */
static inline char **boardOf(const char *letters)
{
    char **board = malloc(8 * sizeof(char *));
    CHECK(board != NULL && strlen(letters) == 64);
    for (int i = 0; i < 8; i++) {
        board[i] = malloc(8);
        CHECK(board[i] != NULL);
        for (int j = 0; j < 8; j++)
            board[i][j] = letters[8 * i + j] == '.' ? ' ' : letters[8 * i + j];
    }
    return board;
}

/* Returns whether a board has these letters. */
static inline int isBoard(char **board, const char *letters)
{
    for (int i = 0; i < 64; i++)
        if (board[i / 8][i % 8] != (letters[i] == '.' ? ' ' : letters[i]))
            return 0;
    return 1;
}

/* A move with an unknown from_loc. */
static inline Move moveOf(Color color, char piece, char col, int row, int isCapture)
{
    Move move = {{'x', -1}, {col, row}, piece, (short)isCapture, color};
    return move;
}

static inline int isMove(Move move, char fromCol, int fromRow, char piece, char toCol, int toRow, int isCapture,
                         Color color)
{
    return move.from_loc.col == fromCol && move.from_loc.row == fromRow && move.piece == piece &&
           move.to_loc.col == toCol && move.to_loc.row == toRow && move.isCapture == isCapture && move.color == color;
}

/* Plays a move in notation and returns whether the board then has these letters. */
static inline int becomes(const char *before, const char *line, Color color, const char *after)
{
    char **board = boardOf(before);
    Move white, black;
    parseNotationString((char *)line, &white, &black);
    movePiece(board, color == WHITE ? &white : &black);
    int fits = isBoard(board, after);
    if (!fits)
        printChessBoard(board);
    destroyChessBoard(board);
    return fits;
}

#endif
