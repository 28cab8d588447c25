/* NULL for every pointer. */
#include "check.h"

int main(void)
{
    Move move = moveOf(WHITE, 'P', 'e', 4, 0), other = move;
    Game game = {NULL, 1000000};
    CHECK(destroyChessBoard(NULL) == NULL);
    printChessBoard(NULL);
    CHECK(playTheGame(NULL) == NULL);
    char **board = playTheGame(&game);
    CHECK(board != NULL);
    parseNotationString(NULL, &move, &other);
    parseNotationString(NULL, NULL, NULL);
    parseNotationString("1. e4 e5", NULL, NULL);
    movePiece(NULL, &move);
    movePiece(board, NULL);
    movePiece(NULL, NULL);
    findFromLoc(NULL, &move);
    findFromLoc(board, NULL);
    findFromLoc(NULL, NULL);
    CHECK(isMove(move, 'x', -1, 'P', 'e', 4, 0, WHITE));
    CHECK(isMove(other, 'x', -1, 'P', 'e', 4, 0, WHITE));

    /* Each row in turn is NULL. */
    for (int i = 0; i < 8; i++) {
        char *row = board[i];
        board[i] = NULL;
        printChessBoard(board);
        findFromLoc(board, &move);
        movePiece(board, &move);
        CHECK(isMove(move, 'x', -1, 'P', 'e', 4, 0, WHITE));
        board[i] = row;
    }
    CHECK(isBoard(board, "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr"));
    destroyChessBoard(board);
    char *rows[8] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    printChessBoard(rows);
    movePiece(rows, &move);
    return 0;
}
