/*
 * knights: a board without kings, set up by hand, on which a knight captures all the pawns.
 */
#include <ChessMoves.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    /* The rows may be anywhere in memory. Only their order matters. */
    char squares[8][8];
    char *board[8];
    memset(squares, ' ', sizeof squares);
    for (int i = 0; i < 8; i++)
        board[i] = squares[i];
    squares[7][6] = 'n'; /* g1 */
    squares[5][5] = 'P'; /* f3 */
    squares[3][4] = 'P'; /* e5 */
    squares[2][2] = 'P'; /* c6 */
    printChessBoard(board);

    static char *const lines[] = {"1. Nxf3", "2. Nxe5", "3. Nxc6"};
    for (int i = 0; i < 3; i++) {
        Move white, black;
        parseNotationString(lines[i], &white, &black);
        movePiece(board, &white);
        printf("From %c%d to %c%d:\n", white.from_loc.col, white.from_loc.row, white.to_loc.col, white.to_loc.row);
        printChessBoard(board);
    }
    return 0;
}
