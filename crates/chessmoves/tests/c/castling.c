/* Castling, in notation and as a king's move of two columns. */
#include "check.h"

int main(void)
{
    const char *both = "R...K..R................................................r...k..r";
    CHECK(becomes(both, "1. O-O O-O", WHITE, "R...K..R................................................r....rk."));
    CHECK(becomes(both, "1. 0-0-0 0-0-0", WHITE, "R...K..R..................................................kr...r"));
    CHECK(becomes(both, "1. O-O O-O", BLACK, "R....RK.................................................r...k..r"));
    CHECK(becomes(both, "1. O-O O-O-O", BLACK, "..KR...R................................................r...k..r"));

    char **board = boardOf(both);
    Move move = {{'e', 1}, {'g', 1}, 'K', 0, WHITE};
    movePiece(board, &move);
    CHECK(isBoard(board, "R...K..R................................................r....rk."));
    move = moveOf(BLACK, 'K', 'c', 8, 0);
    movePiece(board, &move);
    CHECK(isBoard(board, "..KR...R................................................r....rk."));
    CHECK(move.from_loc.col == 'e' && move.from_loc.row == 8);
    printChessBoard(board);
    destroyChessBoard(board);

    /* A king beside the square simply moves there. */
    CHECK(becomes(".............................................................k.r", "1. Kg1", WHITE,
                  "..............................................................kr"));

    static const char *const refused[] = {
        /* no rook, an enemy rook, a king elsewhere, a piece between them */
        "............................................................k...",
        "............................................................k..R",
        "...........................................................k...r",
        "....................................................k..r........",
        "............................................................kb.r",
        "............................................................k.nr",
        /* out of check, through check, into check */
        "....R.......................................................k..r",
        ".....R......................................................k..r",
        "......R.....................................................k..r",
        "......................................................P.....k..r"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(becomes(refused[i], "1. O-O", WHITE, refused[i]));

    /* The rook may cross an attacked square. */
    CHECK(becomes(".R......................................................r...k...", "1. O-O-O", WHITE,
                  ".R........................................................kr...."));
    const char *knight = "........................................................rn..k...";
    CHECK(becomes(knight, "1. O-O-O", WHITE, knight));
    return 0;
}
