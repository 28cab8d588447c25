/* Promotion. */
#include "check.h"

int main(void)
{
    const char *pawns = "......N........p................................P........r......";
    static const char letters[] = "QRBN";
    for (int i = 0; i < 4; i++) {
        char line[32], after[65];
        /* The notation of the move that is then played. */
        snprintf(line, sizeof line, "40. h8%c", letters[i]);
        snprintf(after, sizeof after, "......N%c........................................P........r......",
                 letters[i] - 'A' + 'a');
        CHECK(becomes(pawns, line, WHITE, after));
        snprintf(line, sizeof line, "40. hxg8=%c+", letters[i]);
        snprintf(after, sizeof after, "......%c.........................................P........r......",
                 letters[i] - 'A' + 'a');
        CHECK(becomes(pawns, line, WHITE, after));
        snprintf(line, sizeof line, "40. Kh1 xb1%c", letters[i]);
        snprintf(after, sizeof after, "......N........p.........................................%c......", letters[i]);
        CHECK(becomes(pawns, line, BLACK, after));
        snprintf(line, sizeof line, "40. Kh1 a1=%c", letters[i]);
        snprintf(after, sizeof after, "......N........p........................................%cr......", letters[i]);
        CHECK(becomes(pawns, line, BLACK, after));
    }

    /* White's and Black's promotion on one line. */
    char **board = boardOf(pawns);
    Move white, black;
    parseNotationString("40. h8N a1B", &white, &black);
    movePiece(board, &white);
    movePiece(board, &black);
    CHECK(isBoard(board, "......Nn................................................Br......"));
    destroyChessBoard(board);

    /* A Move filled in by hand promotes to a queen, and so does one without a piece in its notation. */
    board = boardOf(pawns);
    Move move = moveOf(WHITE, 'P', 'h', 8, 0);
    movePiece(board, &move);
    CHECK(board[0][7] == 'q');
    move = moveOf(BLACK, 'P', 'a', 1, 0);
    movePiece(board, &move);
    CHECK(board[7][0] == 'Q');
    printChessBoard(board);
    destroyChessBoard(board);
    CHECK(becomes(pawns, "40. h8", WHITE, "......Nq........................................P........r......"));
    /* Only the last parsed move counts. */
    board = boardOf(pawns);
    parseNotationString("40. h8N", &white, &black);
    parseNotationString("40. h8", &white, &black);
    movePiece(board, &white);
    CHECK(board[0][7] == 'q');
    destroyChessBoard(board);
    /* Only pawns promote, and only on the last row. */
    board = boardOf(pawns);
    parseNotationString("40. h8N", &white, &black);
    white.piece = 'R';
    movePiece(board, &white);
    CHECK(isBoard(board, pawns));
    destroyChessBoard(board);
    return 0;
}
