/* Every field of the moves on a line. */
#include "check.h"

static void show(const char *line)
{
    Move moves[2];
    parseNotationString((char *)line, &moves[0], &moves[1]);
    printf("%s\n", line);
    for (int i = 0; i < 2; i++) {
        Move m = moves[i];
        printf("    %c %c,%d -> %c,%d capture %d %s\n", m.piece, m.from_loc.col, m.from_loc.row, m.to_loc.col,
               m.to_loc.row, m.isCapture, m.color == WHITE ? "white" : m.color == BLACK ? "black" : "?");
    }
}

int main(void)
{
    show("8. Nd4 Rd3");
    show("1. Pe4 e5");
    show("12. O-O Rxe2");
    show("13. 0-0-0 O-O");
    show("14. O-O-O+ 0-0-0#");
    show("20. R2xc5 Rhg6");
    show("21. Ra1xc5 Pexd4");
    show("22. xd4 Pxd5");
    show("23. exd4 dxe5");
    show("24. Pe2e4 e7e5");
    show("25. 2e4 P7xe6");
    show("26. g8N xa1=Q");
    show("27. Pgxh8=B b1R!");
    show("28. xf6e.p. exd3e.p.");
    show("29. xf6 e.p. exd3 e.p.");
    show("30. Kxh1 Ke7?!");
    show("31. Qh4e1 Bb8+");
    show("1.e4 c5");
    show("e4 e5");
    show("  100.   Nf3\t\tNc6  \r\n");
    show("123456789012345678901234567890. Nf3 Nc6 1-0");
    return 0;
}
