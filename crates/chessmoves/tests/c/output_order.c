/* The library's output stays in order with the caller's, however stdout is buffered. */
#include "check.h"

int main(void)
{
    char buffer[100000];
    char **board = createChessBoard();
    char *moves[] = {"1. d4"};
    Game game = {moves, 1};
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("before the board, no line break: ");
    printChessBoard(board);
    putchar('(');
    char **last = playTheGame(&game);
    fputs(")\n", stdout);
    destroyChessBoard(last);
    fwrite("end\n", 1, 4, stdout);
    printChessBoard(board);
    destroyChessBoard(board);
    fflush(stdout);
    return 0;
}
