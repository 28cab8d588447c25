/*
 * ChessMoves.h: a chess game from algebraic notation, board by board.
 *
 * Link with -lchessmoves. docs/c-library.md tells how to build and install it.
 *
 * A board is an array of eight rows of eight characters. board[0] is row 8 and column j counts from a, so that c3 is
 * board[5][2]. Capitals are Black, small letters are White, a space is an empty square. Rows do not end in '\0'. The
 * rows and the array come from malloc, one allocation each; boards that you allocate yourself, with any pieces on them,
 * are as good.
 *
 * No function ever writes to a string that it is given. All of them bear NULL. What is not legal, not clear or not
 * readable changes nothing and prints nothing.
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

/* A square: 'a' to 'h' and 1 to 8. In Move.from_loc, 'x' and -1 stand for what is not known. */
typedef struct Location {
    char col;
    int row;
} Location;

typedef struct Move {
    Location from_loc;
    Location to_loc;
    char piece;          /* one of P R N B Q K, for both colours */
    short int isCapture; /* 0 or 1; looked at only for a pawn whose column is not known */
    Color color;
} Move;

/* A new board with the starting position; NULL if there is no memory for it. */
char **createChessBoard(void);

/* Frees the rows and the array. Always returns NULL. */
char **destroyChessBoard(char **board);

/* Prints eight '=', the eight rows, eight '=' and an empty line to stdout. */
void printChessBoard(char **board);

/*
 * Prints the starting board and the board after every single move, and returns the last one, which the caller destroys.
 * It stops before a line that cannot be read and before a move that is not legal or not clear. NULL if there is no game
 * or no memory.
 */
char **playTheGame(Game *g);

/*
 * Reads a line of notation. Without a black move on it, blackMove is left untouched, and without a white one, as in
 * "8... Rd3", whiteMove. A move that cannot be read is as good as none, and so is a line with too many words.
 *
 * Castling is a king that moves to column g or c from where the text does not say. A promotion is a pawn that moves to
 * the last row.
 */
void parseNotationString(char *str, Move *whiteMove, Move *blackMove);

/*
 * Makes a move on the board, from_loc known or not, after findFromLoc has filled it in.
 *
 * A king that castles takes its rook along, if both are on the squares where a game starts and the rules allow it. A
 * pawn that captures onto an empty square captures en passant. A pawn that reaches the last row becomes what the
 * notation said if this Move is the last of its colour that parseNotationString has filled in on this thread; otherwise
 * it becomes a queen.
 */
void movePiece(char **board, Move *move);

/* Fills in from_loc with the square of the one piece that can legally make the move, and changes nothing else. */
void findFromLoc(char **board, Move *move);

/* How difficult this was, from 1.0 to 5.0, and how many hours it took. */
double difficultyRating(void);
double hoursSpent(void);

#ifdef __cplusplus
}
#endif

#endif
