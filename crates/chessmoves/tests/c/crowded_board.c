/* Impossible boards: sixty-four queens, nine kings, pawns on the last row. */
#include "check.h"

int main(void)
{
    char **board = boardOf("QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq");
    Move move = moveOf(WHITE, 'Q', 'a', 5, 1);
    movePiece(board, &move); /* from a4 or b4 */
    CHECK(move.from_loc.col == 'x' && board[3][0] == 'Q');
    move.from_loc.col = 'a';
    movePiece(board, &move);
    CHECK(move.from_loc.row == 4 && board[3][0] == 'q' && board[4][0] == ' ');
    printChessBoard(board);
    destroyChessBoard(board);

    CHECK(becomes("K.K.K.K..........................................k.k...........k", "1. Kxa8 Kb8", WHITE,
                  "K.K.K.K..........................................k.k...........k"));
    CHECK(becomes("K.K.K.K..........................................k.k...........k", "1. Kg1 Kf7", WHITE,
                  "K.K.K.K..........................................k.k..........k."));
    CHECK(becomes("K.K.K.K..........................................k.k...........k", "1. Kg1 Kh7", BLACK,
                  "K.K.K..........K.................................k.k...........k"));
    /* Pawns on the first and last rows. */
    CHECK(becomes("p.......................................................P......p", "1. h2", WHITE,
                  "p......................................................pP......."));
    CHECK(becomes("p......................................................P.......p", "1. a3 h1Q", BLACK,
                  "p......................................................P.......p"));
    /* A king can be captured; a side with several kings or none cannot be in check. */
    CHECK(becomes("K.......................................................r.......", "1. Rxa8", WHITE,
                  "r..............................................................."));
    return 0;
}
