/* A closed stdout doesn't stop the game. */
#include "check.h"

int main(void)
{
    char *moves[] = {"1. e4 e5"};
    Game game = {moves, 1};
    puts("closed");
    CHECK(fclose(stdout) == 0);
    stdout = fopen("/dev/full", "w");
    CHECK(stdout != NULL);
    setbuf(stdout, NULL);
    char **board = playTheGame(&game);
    CHECK(ferror(stdout));
    CHECK(board != NULL && board[4][4] == 'p' && board[3][4] == 'P');
    printChessBoard(board);
    destroyChessBoard(board);
    fclose(stdout);
    return 0;
}
