/* The caller's own boards: rows on the stack or in one block, holding anything. */
#include "check.h"

int main(void)
{
    char squares[8][8];
    char *board[8];
    memset(squares, ' ', sizeof squares);
    for (int i = 0; i < 8; i++)
        board[i] = squares[i];
    squares[5][2] = 'n';
    printChessBoard(board);

    Move move = moveOf(WHITE, 'N', 'd', 5, 0);
    movePiece(board, &move);
    CHECK(squares[5][2] == ' ' && squares[3][3] == 'n');
    CHECK(move.from_loc.col == 'c' && move.from_loc.row == 3);
    printChessBoard(board);

    /* Letters that are not pieces print as they are, count as empty squares, and stay. */
    memcpy(squares[0], "zZ.#0\t~-", 8);
    squares[1][3] = 'x';
    squares[2][3] = '\0';
    move = moveOf(WHITE, 'N', 'c', 7, 0);
    movePiece(board, &move);
    CHECK(squares[1][2] == 'n' && squares[3][3] == ' ');
    CHECK(memcmp(squares[0], "zZ.#0\t~-", 8) == 0 && squares[1][3] == 'x');
    squares[2][3] = '_';
    printChessBoard(board);

    /* Rows in any order, and the same row twice. */
    char *row = squares[7];
    for (int i = 0; i < 8; i++)
        board[i] = row;
    memcpy(row, "rK  k  R", 8);
    printChessBoard(board);
    return 0;
}
