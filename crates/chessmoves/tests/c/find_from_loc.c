/* Finding the square that a piece comes from. */
#include "check.h"

/* Returns the square found, such as "e2", with dots for what is still unknown. Checks that the board is unchanged. */
static const char *start(const char *letters, Color color, char col, int row, char piece, char toCol, int toRow,
                         int isCapture)
{
    static char text[3];
    char **board = boardOf(letters);
    Move move = {{col, row}, {toCol, toRow}, piece, (short)isCapture, color};
    findFromLoc(board, &move);
    CHECK(isBoard(board, letters));
    CHECK(isMove(move, move.from_loc.col, move.from_loc.row, piece, toCol, toRow, isCapture, color));
    destroyChessBoard(board);
    text[0] = move.from_loc.col == 'x' ? '.' : move.from_loc.col;
    text[1] = move.from_loc.row == -1 ? '.' : (char)('0' + move.from_loc.row);
    return text;
}

#define IS(wanted, ...) CHECK(strcmp(start(__VA_ARGS__), wanted) == 0)

int main(void)
{
    const char *first = "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr";
    IS("e2", first, WHITE, 'x', -1, 'P', 'e', 4, 0);
    IS("e2", first, WHITE, 'x', -1, 'P', 'e', 3, 0);
    IS("e7", first, BLACK, 'x', -1, 'P', 'e', 5, 0);
    IS("g1", first, WHITE, 'x', -1, 'N', 'f', 3, 0);
    IS("b8", first, BLACK, 'x', -1, 'N', 'c', 6, 0);
    IS("e2", first, WHITE, 'e', 2, 'P', 'e', 4, 0);
    IS("e2", first, WHITE, 'e', -1, 'P', 'e', 4, 0);
    IS("e2", first, WHITE, 'x', 2, 'P', 'e', 4, 0);
    /* No piece can. */
    IS("..", first, WHITE, 'x', -1, 'P', 'e', 5, 0);
    IS("..", first, WHITE, 'x', -1, 'B', 'c', 4, 0);
    IS("b.", first, WHITE, 'b', -1, 'N', 'f', 3, 0);
    IS("e3", first, WHITE, 'e', 3, 'P', 'e', 4, 0);
    IS("..", first, WHITE, 'x', -1, 'K', 'g', 1, 0);

    /* Two rooks: the column decides, the row decides, or neither does. */
    const char *rooks = "..................r......................................r....r.";
    IS("g1", rooks, WHITE, 'x', -1, 'R', 'g', 5, 0);
    IS("c6", rooks, WHITE, 'x', -1, 'R', 'c', 3, 0);
    IS("..", rooks, WHITE, 'x', -1, 'R', 'e', 1, 0);
    IS("b1", rooks, WHITE, 'b', -1, 'R', 'e', 1, 0);
    IS("g1", rooks, WHITE, 'g', -1, 'R', 'e', 1, 0);
    IS(".1", rooks, WHITE, 'x', 1, 'R', 'e', 1, 0);
    IS("c6", rooks, WHITE, 'x', 6, 'R', 'b', 6, 0);
    IS("b1", rooks, WHITE, 'x', 1, 'R', 'b', 6, 0);
    IS("..", rooks, WHITE, 'x', -1, 'R', 'b', 6, 0);
    IS("..", rooks, BLACK, 'x', -1, 'R', 'c', 3, 0);

    /* Blocked pieces. */
    const char *lines = "Q......Q...................p............................b......Q";
    IS("..", lines, BLACK, 'x', -1, 'Q', 'd', 5, 1);
    IS("a8", lines, BLACK, 'x', 8, 'Q', 'd', 5, 1);
    IS("..", lines, BLACK, 'x', -1, 'Q', 'c', 4, 0);
    IS("..", lines, BLACK, 'x', -1, 'Q', 'e', 8, 0);
    IS("h8", lines, BLACK, 'h', 8, 'Q', 'h', 2, 0);
    IS("a1", lines, WHITE, 'x', -1, 'B', 'h', 8, 1);
    IS("a1", lines, WHITE, 'x', -1, 'B', 'g', 7, 0);

    /* A pinned piece cannot move; without a king there is no pin. */
    const char *pinned = "....R......................................n........n.......k...";
    IS("d3", pinned, WHITE, 'x', -1, 'N', 'f', 4, 0);
    const char *free = "....R......................................n........n...........";
    IS("..", free, WHITE, 'x', -1, 'N', 'f', 4, 0);
    const char *twoKings = "....R......................................n........n.......k..k";
    IS("..", twoKings, WHITE, 'x', -1, 'N', 'f', 4, 0);
    /* In check, only a move that answers it. */
    const char *check = "....R..........................................r........r...k...";
    IS("h3", check, WHITE, 'x', -1, 'R', 'e', 3, 0);
    IS("..", check, WHITE, 'x', -1, 'R', 'a', 5, 0);
    IS("e1", check, WHITE, 'x', -1, 'K', 'd', 2, 0);
    IS("..", check, WHITE, 'x', -1, 'K', 'e', 2, 0);

    /* Pawns capture only if the move says so. */
    const char *pawns = "..........................P......p.p.......p....................";
    IS("..", pawns, WHITE, 'x', -1, 'P', 'c', 5, 1);
    IS("b4", pawns, WHITE, 'b', -1, 'P', 'c', 5, 1);
    IS("d4", pawns, WHITE, 'd', -1, 'P', 'c', 5, 0);
    IS("..", pawns, WHITE, 'x', -1, 'P', 'c', 5, 0);
    IS("..", pawns, WHITE, 'x', -1, 'P', 'd', 4, 0);
    IS("d4", pawns, WHITE, 'x', -1, 'P', 'd', 5, 0);
    IS("..", pawns, WHITE, 'x', -1, 'P', 'd', 5, 1);
    IS("..", pawns, BLACK, 'x', -1, 'P', 'd', 4, 0);
    IS("c5", pawns, BLACK, 'x', -1, 'P', 'd', 4, 1);
    IS("c5", pawns, BLACK, 'x', 5, 'P', 'b', 4, 1);

    /* Invalid moves stay unchanged. */
    char **board = createChessBoard();
    static const Move nonsense[] = {{{'x', -1}, {'e', 9}, 'P', 0, WHITE},     {{'x', -1}, {'x', -1}, 'P', 0, WHITE},
                                    {{'x', -1}, {'i', 4}, 'P', 0, WHITE},     {{'x', -1}, {'e', 4}, 'X', 0, WHITE},
                                    {{'x', -1}, {'e', 4}, '\0', 0, WHITE},    {{'x', -1}, {'e', 4}, 'P', 0, (Color)7},
                                    {{'z', -1}, {'e', 4}, 'P', 0, WHITE},     {{'x', 0}, {'e', 4}, 'P', 0, WHITE},
                                    {{'x', 2000000}, {'e', 4}, 'P', 0, WHITE}, {{'x', -1}, {'e', -4}, 'P', 0, WHITE},
                                    {{-1, -1}, {-1, 4}, -1, -1, WHITE}};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        Move move = nonsense[i];
        findFromLoc(board, &move);
        CHECK(move.from_loc.col == nonsense[i].from_loc.col && move.from_loc.row == nonsense[i].from_loc.row);
        movePiece(board, &move);
        CHECK(isBoard(board, first));
    }
    destroyChessBoard(board);
    puts("found");
    return 0;
}
