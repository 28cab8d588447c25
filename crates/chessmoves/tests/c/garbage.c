/* Random strings, moves and boards: no crashes, and a board only changes by a single move. */
#include "check.h"

static unsigned long long state = 2463534242u;

static unsigned random_below(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % limit);
}

static int count(char **board)
{
    int pieces = 0;
    for (int i = 0; i < 64; i++)
        pieces += board[i / 8][i % 8] != ' ';
    return pieces;
}

int main(void)
{
    static const char likely[] = "PRNBQKabcdefgh12345678xO0-=+#!?. e.p.*/\t\r\n";
    static const char letters[] = "            PRNBQKprnbqk";
    char **board = createChessBoard();
    int read = 0, moved = 0;
    for (int round = 0; round < 20000; round++) {
        char text[24];
        unsigned length = random_below(sizeof text), isLikely = random_below(4);
        for (unsigned i = 0; i < length; i++)
            text[i] = isLikely ? likely[random_below(sizeof likely - 1)] : (char)random_below(256);
        text[length == sizeof text ? length - 1 : length] = '\0';
        Move moves[2];
        memset(moves, 0, sizeof moves);
        parseNotationString(text, &moves[0], &moves[1]);
        if (moves[0].piece != 0 || moves[1].piece != 0) {
            read++;
        } else {
            moves[0] = moveOf(random_below(2) ? WHITE : BLACK, "PRNBQK"[random_below(6)], (char)('a' + random_below(8)),
                              1 + (int)random_below(8), (int)random_below(2));
            moves[1] = (Move){{(char)random_below(256), (int)random_below(20) - 5},
                              {(char)random_below(256), (int)random_below(20) - 5},
                              (char)random_below(256),
                              (short)random_below(3),
                              (Color)random_below(5)};
        }
        for (int i = 0; i < 64; i++)
            board[i / 8][i % 8] = letters[random_below(sizeof letters - 1)];
        for (int i = 0; i < 2; i++) {
            char before[64];
            int pieces = count(board), changed = 0;
            for (int j = 0; j < 64; j++)
                before[j] = board[j / 8][j % 8];
            Location unknown = moves[i].from_loc;
            movePiece(board, &moves[i]);
            for (int j = 0; j < 64; j++)
                changed += before[j] != board[j / 8][j % 8];
            int lost = pieces - count(board);
            if (changed == 0) {
                CHECK(moves[i].from_loc.col == unknown.col && moves[i].from_loc.row == unknown.row);
                continue;
            }
            moved++;
            CHECK(changed >= 2 && changed <= 4 && (lost == 0 || lost == 1));
            CHECK(changed == 2 || (changed == 3 && lost == 1 && moves[i].piece == 'P') ||
                  (changed == 4 && lost == 0 && moves[i].piece == 'K'));
            char letter = before[8 * (8 - moves[i].from_loc.row) + moves[i].from_loc.col - 'a'];
            CHECK(letter == (moves[i].color == BLACK ? moves[i].piece : moves[i].piece - 'A' + 'a'));
            CHECK(board[8 - moves[i].from_loc.row][moves[i].from_loc.col - 'a'] == ' ');
        }
    }
    CHECK(read > 50 && moved > 500);
    destroyChessBoard(board);
    puts("survived");
    return 0;
}
