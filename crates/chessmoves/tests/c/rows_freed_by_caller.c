/* The rows and the array come from malloc, so the caller may free and replace them. */
#include "check.h"

int main(void)
{
    char **board = createChessBoard();
    free(board[1]);
    board[1] = malloc(8);
    memset(board[1], ' ', 8);
    printChessBoard(board);
    destroyChessBoard(board);

    board = createChessBoard();
    for (int i = 0; i < 8; i++)
        free(board[i]);
    free(board);

    /* A board with a missing row prints nothing, but can be destroyed. */
    board = createChessBoard();
    free(board[1]);
    board[1] = NULL;
    printChessBoard(board);
    CHECK(destroyChessBoard(board) == NULL);

    /* The library frees a board that the caller allocated. */
    CHECK(destroyChessBoard(boardOf("................................................................")) == NULL);

    /* realloc works too. */
    board = createChessBoard();
    board[4] = realloc(board[4], 9);
    board[4][8] = '\0';
    printf("[%s]\n", board[4]);
    destroyChessBoard(board);

    Game game = {NULL, 0};
    board = playTheGame(&game);
    free(board[7]);
    board[7] = NULL;
    destroyChessBoard(board);
    return 0;
}
