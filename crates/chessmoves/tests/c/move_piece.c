/* Ordinary moves and illegal ones. */
#include "check.h"

int main(void)
{
    char **board = createChessBoard();
    static const char *const lines[] = {"1. e4 d5", "2. xd5 Qxd5", "3. Nc3 Qa5", "4. Pd4 Nf6", "5. Bd2 c6"};
    for (int i = 0; i < 5; i++) {
        Move white, black;
        parseNotationString((char *)lines[i], &white, &black);
        movePiece(board, &white);
        movePiece(board, &black);
        printf("%s: %c%d %c%d\n", lines[i], white.from_loc.col, white.from_loc.row, black.from_loc.col,
               black.from_loc.row);
    }
    printChessBoard(board);

    /* A move with a fully known from_loc. */
    Move move = {{'a', 5}, {'h', 5}, 'Q', 0, BLACK};
    movePiece(board, &move);
    CHECK(board[3][7] == 'Q' && board[3][0] == ' ');

    /* An illegal move changes neither the board nor the Move. */
    char before[64];
    for (int i = 0; i < 8; i++)
        memcpy(before + 8 * i, board[i], 8);
    static const char *const refused[] = {
        "6. Ra3",      "6. Ba4",     "6. Nb4",     "6. d6",      "6. Kd1",     "6. Ke3",    "6. d2d4",
        "6. O-O",      "6. O-O-O",   "6. axb3",    "6. Qxd2",    "6. e4",      "6. xd6",    "6. Bf1d4",
        "6... Rh6",    "6... Ke8",   "6... Nxb8",  "6... e4",    "6... Kd6",   "6... Nd7b6", "6... b4",
        "6... O-O",    "6... O-O-O", "6... axb6",  "6... Bxe7",  "6... xd3",   "6... Qh8",  "6... d6"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Move moves[2], copies[2];
        memset(moves, 0, sizeof moves);
        parseNotationString((char *)refused[i], &moves[0], &moves[1]);
        memcpy(copies, moves, sizeof moves);
        movePiece(board, &moves[0]);
        movePiece(board, &moves[1]);
        if (!isBoard(board, before) || memcmp(moves, copies, sizeof moves) != 0) {
            fprintf(stderr, "allowed: %s\n", refused[i]);
            return 1;
        }
    }
    destroyChessBoard(board);
    return 0;
}
