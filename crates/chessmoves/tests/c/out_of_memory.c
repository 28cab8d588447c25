/* Out of memory gives NULL. This program's own malloc fails on demand. */
#include "check.h"

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);

static int mallocsLeft = -1; /* negative: no limit */
static int blocks;

void *malloc(size_t size)
{
    if (mallocsLeft == 0)
        return NULL;
    if (mallocsLeft > 0)
        mallocsLeft--;
    blocks++;
    return __libc_malloc(size);
}

void free(void *block)
{
    blocks -= block != NULL;
    __libc_free(block);
}

int main(void)
{
    char *moves[] = {"1. e4 e5", "2. Nf3 Nc6", "3. zz"};
    Game game = {moves, 3};
    puts("out of memory"); /* makes stdout allocate its buffer now */
    int before = blocks;
    for (int left = 0; left < 9; left++) {
        mallocsLeft = left;
        char **board = createChessBoard();
        char **played = playTheGame(&game);
        mallocsLeft = -1;
        CHECK(board == NULL && played == NULL && blocks == before);
    }
    mallocsLeft = 9;
    char **board = createChessBoard();
    CHECK(board != NULL && blocks == before + 9);
    CHECK(mallocsLeft == 0);

    /* Nothing else allocates, not even to reject an unreadable move. */
    Move white, black;
    parseNotationString("1. e4 e5", &white, &black);
    movePiece(board, &white);
    movePiece(board, &black);
    parseNotationString("1. Zf3 \xff", &white, &black);
    parseNotationString("1. Zf3 Cf3", &white, &black);
    parseNotationString("1. e4 e5 e6 e7", &white, &black);
    findFromLoc(board, &black);
    CHECK(board[4][4] == 'p' && board[3][4] == 'P' && blocks == before + 9);
    mallocsLeft = -1;
    destroyChessBoard(board);

    mallocsLeft = 9;
    board = playTheGame(&game);
    mallocsLeft = -1;
    CHECK(board != NULL && board[2][2] == 'N');
    destroyChessBoard(board);
    CHECK(blocks == before);
    return 0;
}
