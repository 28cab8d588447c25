/* Threads don't see each other's promotions. */
#include <pthread.h>

#include "check.h"

static void *promote(void *letter)
{
    char line[] = "1. a8?";
    line[5] = *(char *)letter;
    for (int round = 0; round < 300; round++) {
        char **board = boardOf("........p.......................................................");
        Move white, black;
        parseNotationString(line, &white, &black);
        movePiece(board, &white);
        CHECK(board[0][0] == line[5] - 'A' + 'a');
        destroyChessBoard(board);
    }
    return NULL;
}

int main(void)
{
    char letters[] = "QRBN";
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, promote, &letters[i]) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    puts("done");
    return 0;
}
