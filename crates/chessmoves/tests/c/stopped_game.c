/* Games that stop at an error: the moves before it are played, the moves after it are not. */
#include "check.h"

static void play(const char *title, char **moves, int numMoves)
{
    Game game = {moves, numMoves};
    printf("%s\n", title);
    char **board = playTheGame(&game);
    CHECK(board != NULL);
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += board[i / 8][i % 8] != ' ';
    printf("%d pieces, e4 %c, e5 %c\n\n", count, board[4][4], board[3][4]);
    destroyChessBoard(board);
}

int main(void)
{
    char *illegal[] = {"1. e4 Ke7", "2. Nf3 Nc6"};
    play("illegal", illegal, 2);
    char *ambiguous[] = {"1. e4 e5", "2. Ne2 d6", "3. Nc3 d5"};
    play("ambiguous", ambiguous, 3);
    char *unreadable[] = {"1. e4 ??"};
    play("unreadable", unreadable, 1);
    char *tooMany[] = {"1. e4 e5 d4"};
    play("too many", tooMany, 1);
    char *missing[] = {"1. e4 e5", NULL, "2. d4 d5"};
    play("missing", missing, 3);
    char *bytes[] = {"1. e4 e5", "\xff\xfe", "2. d4 d5"};
    play("bytes", bytes, 3);
    char *over[] = {"1. e4 1-0", "2. d4 d5"};
    play("over", over, 2);
    char *empty[] = {"", "1. e4 e5", "\n"};
    play("empty lines", empty, 3);
    play("none", empty, 0);
    play("less than none", empty, -5);
    play("no array", NULL, 3);
    return 0;
}
