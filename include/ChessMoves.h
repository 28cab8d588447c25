/*
 * ChessMoves.h: plays chess games from algebraic notation, board by board.
 *
 * Link with -lchessmoves. docs/c-library.md says how to build and install it.
 *
 * A board is an array of eight rows of eight characters. board[0] is row 8, and column j counts from a, so c3 is
 * board[5][2]. Capital letters are Black, small letters are White, and a space is an empty square. Rows are not
 * terminated by '\0'. Each row and the array itself is a malloc of its own. You may also pass boards that you allocated
 * yourself, with any pieces on them.
 *
 * No function writes to a string that you pass in. All functions accept NULL. An illegal, ambiguous or unreadable move
 * changes nothing and prints nothing.
 */
#ifndef CHESS_MOVES_H
#define CHESS_MOVES_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { BLACK, WHITE } Color;

/* Lines of notation such as "8. Nd4 Rd3" or "44. Qf1 1-0". */
typedef struct Game {
    char **moves;
    int numMoves;
} Game;

/* A square: 'a' to 'h' and 1 to 8. In Move.from_loc, 'x' and -1 mean unknown. */
typedef struct Location {
    char col;
    int row;
} Location;

typedef struct Move {
    Location from_loc;
    Location to_loc;
    char piece;          /* P R N B Q or K, for both colours */
    short int isCapture; /* 0 or 1; only matters for a pawn whose column is unknown */
    Color color;
} Move;

/* Returns a new board with the starting position, or NULL if out of memory. */
char **createChessBoard(void);

/* Frees the rows and the array. Always returns NULL. */
char **destroyChessBoard(char **board);

/* Prints a line of eight '=', the eight rows, a line of eight '=' and an empty line to stdout. */
void printChessBoard(char **board);

/*
 * Prints the starting board and the board after every move. Returns the last board, which the caller must destroy, or
 * NULL if g is NULL or memory runs out. Stops at a line that cannot be read and at an illegal or ambiguous move.
 */
char **playTheGame(Game *g);

/*
 * Parses a line of notation. If the line has no black move, blackMove is left untouched. If it has no white move, as in
 * "8... Rd3", whiteMove is. An unreadable move counts as missing; on a line with too many words, both do.
 *
 * Castling is a king's move to column g or c with an unknown from_loc. A promotion is a pawn's move to the last row.
 */
void parseNotationString(char *str, Move *whiteMove, Move *blackMove);

/*
 * Plays a move on the board. from_loc may be known, partly known or unknown: findFromLoc fills it in first.
 *
 * A king that castles takes its rook along, if both stand on their starting squares and the rules allow it. A pawn that
 * captures onto an empty square captures en passant. A pawn that reaches the last row becomes the piece that the
 * notation named, if this Move is the last of its colour that parseNotationString filled in on this thread. Otherwise
 * it becomes a queen.
 */
void movePiece(char **board, Move *move);

/* Sets from_loc to the square of the only piece that can legally make the move. Changes nothing else. */
void findFromLoc(char **board, Move *move);

/* How difficult the task was, from 1.0 to 5.0, and how many hours it took. */
double difficultyRating(void);
double hoursSpent(void);

#ifdef __cplusplus
}
#endif

#endif
