/* A new board: its pieces, and how it prints. */
#include "check.h"

int main(void)
{
    char **board = createChessBoard();
    CHECK(board != NULL);
    CHECK(memcmp(board[0], "RNBQKBNR", 8) == 0);
    CHECK(memcmp(board[1], "PPPPPPPP", 8) == 0);
    for (int i = 2; i < 6; i++)
        CHECK(memcmp(board[i], "        ", 8) == 0);
    CHECK(memcmp(board[6], "pppppppp", 8) == 0);
    CHECK(memcmp(board[7], "rnbqkbnr", 8) == 0);
    CHECK(board[7][3] == 'q' && board[0][4] == 'K');
    printChessBoard(board);

    /* Two boards share no memory. */
    char **other = createChessBoard();
    other[5][2] = 'q';
    CHECK(board[5][2] == ' ');
    for (int i = 0; i < 8; i++)
        CHECK(board[i] != other[i]);
    printChessBoard(other);
    CHECK(destroyChessBoard(other) == NULL);
    board = destroyChessBoard(board);
    CHECK(board == NULL);
    CHECK(difficultyRating() >= 1.0 && difficultyRating() <= 5.0);
    CHECK(hoursSpent() > 0.0);
    return 0;
}
