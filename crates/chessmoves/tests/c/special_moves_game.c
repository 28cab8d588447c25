/* A game with castling to both sides, captures en passant, promotions to a knight and a queen, and a draw. */
#include "check.h"

int main(void)
{
    char *moves[] = {"1. e4 a6",     "2. e5 d5",       "3. xd6e.p. Bf5", "4. xc7 Nc6",    "5. xd8N Rxd8",
                     "6. Nf3 b5",    "7. a4 b4",       "8. c4 xc3e.p.",  "9. Be2 xb2",    "10. 0-0 bxa1=Q",
                     "11. Pd4 Nf6",  "12. Qb3 Kd7",    "13. Rd1 Qxb1",   "14. Qxb1 Bxb1", "15. Bd2 0.5-0.5"};
    Game game = {moves, 15};
    char **board = playTheGame(&game);

    /* The same with movePiece, move by move. */
    char **again = createChessBoard();
    for (int i = 0; i < game.numMoves; i++) {
        Move white, black;
        memset(&black, 0, sizeof black);
        parseNotationString(moves[i], &white, &black);
        movePiece(again, &white);
        if (black.piece != 0)
            movePiece(again, &black);
    }
    for (int i = 0; i < 8; i++)
        CHECK(memcmp(board[i], again[i], 8) == 0);
    destroyChessBoard(board);
    destroyChessBoard(again);
    return 0;
}
