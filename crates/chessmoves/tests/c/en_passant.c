/* En passant: a pawn captures onto an empty square. */
#include "check.h"

int main(void)
{
    const char *white = "...........................PpP..................................";
    const char *left = "...................p.........P..................................";
    const char *right = ".....................p.....P....................................";
    CHECK(becomes(white, "1. exd6e.p.", WHITE, left));
    CHECK(becomes(white, "1. exd6", WHITE, left));
    CHECK(becomes(white, "1. xd6e.p.", WHITE, left));
    CHECK(becomes(white, "1. Pxf6", WHITE, right));
    CHECK(becomes(white, "1. e5xf6 e.p.", WHITE, right));
    const char *black = "................................pP..............................";
    CHECK(becomes(black, "1... xa3e.p.", BLACK, "........................................P......................."));

    /* Both neighbours can capture, so the move must name one. */
    const char *two = "..........................pPp...................................";
    CHECK(becomes(two, "1. xd6", WHITE, two));
    CHECK(becomes(two, "1. cxd6", WHITE, "...................p........p..................................."));

    /* Not a piece, not a pawn of the same side, not on another row, not an empty square. */
    static const char *const refused[] = {"...........................Np...................................",
                                          "...........................pp...................................",
                                          "...................Pp...........................................",
                                          "...................................Pp...........................",
                                          "............................p..................................."};
    static const char *const lines[] = {"1. exd6", "1. exd6", "1. exd7", "1. exd5", "1. exd6"};
    for (int i = 0; i < 5; i++)
        CHECK(becomes(refused[i], lines[i], WHITE, refused[i]));

    /* Not if removing both pawns from the row exposes the king. */
    const char *pinned = "........................k..Pp..R................................";
    CHECK(becomes(pinned, "1. exd6", WHITE, pinned));

    char **board = boardOf(white);
    Move move = moveOf(WHITE, 'P', 'd', 6, 1);
    movePiece(board, &move);
    CHECK(isBoard(board, left) && move.from_loc.col == 'e' && move.from_loc.row == 5);
    printChessBoard(board);
    destroyChessBoard(board);
    return 0;
}
