/* Every piece alone on every square, compared with a second implementation of how pieces move. */
#include "check.h"

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

static int reaches(char piece, Color color, int col, int row, int toCol, int toRow)
{
    int across = distance(col, toCol), along = distance(row, toRow);
    int ahead = color == WHITE ? toRow - row : row - toRow;
    int isFirst = row == (color == WHITE ? 2 : 7);
    switch (piece) {
    case 'R': return (across == 0) != (along == 0);
    case 'B': return across == along && across > 0;
    case 'Q': return (across == along || across == 0 || along == 0) && across + along > 0;
    case 'K': return across <= 1 && along <= 1 && across + along > 0;
    case 'N': return across * along == 2;
    default: return across == 0 && (ahead == 1 || (ahead == 2 && isFirst));
    }
}

int main(void)
{
    char squares[8][8];
    char *board[8];
    int moved = 0, refused = 0;
    for (int i = 0; i < 8; i++)
        board[i] = squares[i];
    for (const char *piece = "RNBQKP"; *piece; piece++)
        for (int color = BLACK; color <= WHITE; color++)
            for (int from = 0; from < 64; from++)
                for (int to = 0; to < 64; to++) {
                    char letter = color == BLACK ? *piece : (char)(*piece - 'A' + 'a');
                    int row = 1 + from / 8, toRow = 1 + to / 8;
                    memset(squares, ' ', sizeof squares);
                    squares[8 - row][from % 8] = letter;
                    Move move = moveOf((Color)color, *piece, (char)('a' + to % 8), toRow, 0);
                    movePiece(board, &move);
                    int isLast = *piece == 'P' && toRow == (color == WHITE ? 8 : 1);
                    if (reaches(*piece, (Color)color, from % 8, row, to % 8, toRow)) {
                        moved++;
                        char after = isLast ? (color == BLACK ? 'Q' : 'q') : letter;
                        CHECK(squares[8 - row][from % 8] == ' ' && squares[8 - toRow][to % 8] == after);
                        CHECK(move.from_loc.col == 'a' + from % 8 && move.from_loc.row == row);
                    } else {
                        refused++;
                        CHECK(squares[8 - row][from % 8] == letter);
                        CHECK(move.from_loc.col == 'x' && move.from_loc.row == -1);
                    }
                    int count = 0;
                    for (int i = 0; i < 64; i++)
                        count += squares[i / 8][i % 8] != ' ';
                    CHECK(count == 1);
                }
    printf("%d moves, %d refusals\n", moved, refused);
    return 0;
}
