#!/usr/bin/env python3
"""Are these moves legal? The program that `tabiya classic checker` is measured with, written as one writes it in Python.

Usage: checker.py INPUT OUTPUT
"""

import os
import sys

PIECES = "kqrbnpKQRBNP"
NUMBERS = {str(number): number for number in range(1, 9)}

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class FormatError(Exception):
    """The line is not in the format."""


def parse(line):
    """The board, a dictionary from (column, row) to letter, and the list of moves."""
    if not line.strip():
        raise FormatError("the line is empty")
    parts = line.split(":")
    if len(parts) == 1:
        raise FormatError("there is no colon between the board and the moves")
    if len(parts) > 2:
        raise FormatError("there is a second colon")
    words = parts[0].split()
    board = {}
    for at in range(0, len(words), 3):
        if words[at] not in PIECES or len(words[at]) != 1:
            raise FormatError(f"{words[at]!r} is no piece")
        board[read_square(words[at + 1 : at + 3])] = words[at]
    words = parts[1].split()
    moves = []
    for at in range(0, len(words), 4):
        source = read_square(words[at : at + 2])
        target = read_square(words[at + 2 : at + 4])
        moves.append((source, target))
    return board, moves


def read_square(words):
    if len(words) != 2:
        raise FormatError("a number is missing")
    for word in words:
        if word not in NUMBERS:
            raise FormatError(f"{word!r} is not a number from 1 to 8")
    return NUMBERS[words[0]], NUMBERS[words[1]]


def is_white(piece):
    return piece.islower()


def can_go(board, piece, source, target):
    """Whether the piece moves like this and nothing stands between."""
    across, up = target[0] - source[0], target[1] - source[1]
    kind = piece.lower()
    if kind == "n":
        return abs(across * up) == 2
    if kind == "k":
        return max(abs(across), abs(up)) == 1
    if kind == "p":
        ahead, start = (1, 2) if is_white(piece) else (-1, 7)
        if across == 0:
            if target in board:
                return False
            if up == ahead:
                return True
            between = (source[0], source[1] + ahead)
            return up == 2 * ahead and source[1] == start and between not in board
        return abs(across) == 1 and up == ahead and target in board
    is_straight = across == 0 or up == 0
    is_diagonal = abs(across) == abs(up)
    if kind == "r" and not is_straight:
        return False
    if kind == "b" and not is_diagonal:
        return False
    if not is_straight and not is_diagonal:
        return False
    step = ((across > 0) - (across < 0), (up > 0) - (up < 0))
    square = (source[0] + step[0], source[1] + step[1])
    while square != target:
        if square in board:
            return False
        square = (square[0] + step[0], square[1] + step[1])
    return True


def is_attacked(board, square, by_white):
    """Whether a side attacks a square: looks from the square in all directions."""
    column, row = square
    knight, king, pawn = ("n", "k", "p") if by_white else ("N", "K", "P")
    for across, up in JUMPS:
        if board.get((column + across, row + up)) == knight:
            return True
    for across, up in STRAIGHT + DIAGONAL:
        if board.get((column + across, row + up)) == king:
            return True
    below = row - 1 if by_white else row + 1
    if board.get((column - 1, below)) == pawn or board.get((column + 1, below)) == pawn:
        return True
    for directions, letters in ((STRAIGHT, "rq"), (DIAGONAL, "bq")):
        if not by_white:
            letters = letters.upper()
        for across, up in directions:
            x, y = column + across, row + up
            while 1 <= x <= 8 and 1 <= y <= 8:
                piece = board.get((x, y))
                if piece is not None:
                    if piece in letters:
                        return True
                    break
                x, y = x + across, y + up
    return False


def is_legal(board, white, source, target):
    """Whether the move is legal; if it is, it is made."""
    piece = board.get(source)
    if piece is None or is_white(piece) != white or source == target:
        return False
    captured = board.get(target)
    if captured is not None and is_white(captured) == white:
        return False
    if not can_go(board, piece, source, target):
        return False
    del board[source]
    board[target] = piece
    king = "k" if white else "K"
    for square, other in board.items():
        if other == king and is_attacked(board, square, not white):
            return False
    return True


def answer(line):
    try:
        board, moves = parse(line)
    except FormatError as error:
        return f"error: {error}"
    white = True
    for source, target in moves:
        if not is_legal(board, white, source, target):
            return f"{source[0]} {source[1]} {target[0]} {target[1]} illegal"
        white = not white
    return "Legal"


def main():
    source, target = sys.argv[1:]
    errors = False
    beside = target + ".tmp"
    with open(source, encoding="latin-1", newline="\n") as lines, open(beside, "w", encoding="latin-1") as answers:
        for line in lines:
            text = answer(line)
            errors = errors or text.startswith("error:")
            answers.write(text + "\n")
    os.replace(beside, target)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
