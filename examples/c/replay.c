/*
 * replay: prints every board of a game. Reads one pair of moves per line from a file or from standard input.
 *
 *     ./replay game.txt
 */
#include <ChessMoves.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1000 };

/* Returns a copy of a line. Exits if out of memory. */
static char *copyOf(const char *line)
{
    char *copy = malloc(strlen(line) + 1);
    if (copy == NULL) {
        perror("replay");
        exit(EXIT_FAILURE);
    }
    return strcpy(copy, line);
}

/* Adds a line to a game. Exits if out of memory. */
static void append(Game *game, const char *line)
{
    char **moves = realloc(game->moves, ((size_t)game->numMoves + 1) * sizeof *moves);
    if (moves == NULL) {
        perror("replay");
        exit(EXIT_FAILURE);
    }
    moves[game->numMoves++] = copyOf(line);
    game->moves = moves;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (file == NULL) {
        fprintf(stderr, "replay: cannot read %s: %s\n", argv[1], strerror(errno));
        return EXIT_FAILURE;
    }
    Game game = {NULL, 0};
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, file) != NULL)
        append(&game, line);
    fclose(file);

    char **board = playTheGame(&game);
    int isPlayed = board != NULL;
    destroyChessBoard(board);
    for (int i = 0; i < game.numMoves; i++)
        free(game.moves[i]);
    free(game.moves);
    return isPlayed ? EXIT_SUCCESS : EXIT_FAILURE;
}
