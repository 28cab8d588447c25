/* A missing or unreadable move leaves its Move untouched, to the last byte. */
#include "check.h"

static Move white, black;
static unsigned char sevens[sizeof(Move)];

static void parse(const char *line)
{
    memcpy(&white, sevens, sizeof white);
    memcpy(&black, sevens, sizeof black);
    parseNotationString((char *)line, &white, &black);
}

static int isUntouched(Move *move)
{
    return memcmp(move, sevens, sizeof sevens) == 0;
}

int main(void)
{
    memset(sevens, 7, sizeof sevens);

    static const char *const whiteOnly[] = {"44. Qf1 1-0", "44. Qf1 0-1", "44. Qf1 0.5-0.5", "44. Qf1 1/2-1/2",
                                            "44. Qf1 *",   "44. Qf1",     "Qf1",             "44.Qf1# 1-0",
                                            "44. Qf1 mate", "44. Qf1 1-O", "44. Qf1 nf1",    "44. Qf1 %n"};
    for (size_t i = 0; i < sizeof whiteOnly / sizeof *whiteOnly; i++) {
        parse(whiteOnly[i]);
        CHECK(isMove(white, 'x', -1, 'Q', 'f', 1, 0, WHITE));
        CHECK(isUntouched(&black));
    }

    static const char *const blackOnly[] = {"44... Qf1", "44. ... Qf1 0-1", "... Qf1", "44...Qf1 1/2-1/2", "44. zz Qf1"};
    for (size_t i = 0; i < sizeof blackOnly / sizeof *blackOnly; i++) {
        parse(blackOnly[i]);
        CHECK(isUntouched(&white));
        CHECK(isMove(black, 'x', -1, 'Q', 'f', 1, 0, BLACK));
    }

    static const char *const nothing[] = {
        "",         " ",          "\n",        "1.",        "44",      "1-0",       "44. 1-0",    "0.5-0.5",
        "*",        "hello",      "1. e4 e5 e6", "1. zz yy", "1. Nd9",  "1. Ni4",    "1. nd4",     "1. N",
        "1. x",     "1. ed",      "1. Nxxd4",  "1. e4e5e6", "1. e8=K", "1. O",      "1. O-O-O-O", "1. 0-O",
        "1. \xff\xfe", "1. ♘f3", "1. e4 1-0 e5", "1. Pe4,e5", "1.. .. ..", "e.p.",       "1. --",
        "%s%n%d",   "1. Qf1 White wins"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        parse(nothing[i]);
        if (!isUntouched(&white) || !isUntouched(&black)) {
            fprintf(stderr, "something was read: %s\n", nothing[i]);
            return 1;
        }
    }

    /* Never writes to the string, however long. */
    size_t length = 1 << 20;
    char *endless = malloc(length + 1), *copy = malloc(length + 1);
    memset(endless, 'e', length);
    endless[length] = '\0';
    memcpy(copy, endless, length + 1);
    parse(endless);
    CHECK(isUntouched(&white) && isUntouched(&black));
    memset(endless, ' ', length);
    memcpy(endless + length - 8, "1. e4 e5", 8);
    memcpy(copy, endless, length + 1);
    parse(endless);
    CHECK(isMove(white, 'x', -1, 'P', 'e', 4, 0, WHITE));
    CHECK(memcmp(endless, copy, length + 1) == 0);
    free(endless);
    free(copy);

    /* Either pointer may be NULL, and both may be the same. */
    parseNotationString("1. e4 e5", NULL, &black);
    CHECK(isMove(black, 'x', -1, 'P', 'e', 5, 0, BLACK));
    parseNotationString("1. d4 d5", &white, NULL);
    CHECK(isMove(white, 'x', -1, 'P', 'd', 4, 0, WHITE));
    parseNotationString("1. d4 d5", &white, &white);
    CHECK(isMove(white, 'x', -1, 'P', 'd', 5, 0, BLACK));
    puts("untouched");
    return 0;
}
