"""Squares, colours and kinds of pieces as numbers, with python-chess's names."""

from __future__ import annotations

from typing import List, Optional

__all__ = [
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "BISHOP",
    "BLACK", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "COLORS", "COLOR_NAMES", "Color", "D1", "D2", "D3",
    "D4", "D5", "D6", "D7", "D8", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "F1", "F2", "F3", "F4", "F5",
    "F6", "F7", "F8", "FILE_NAMES", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "H1", "H2", "H3", "H4",
    "H5", "H6", "H7", "H8", "KING", "KNIGHT", "PAWN", "PIECE_NAMES", "PIECE_SYMBOLS", "PIECE_TYPES",
    "PieceType", "QUEEN", "RANK_NAMES", "ROOK", "SQUARES", "SQUARE_NAMES", "STARTING_BOARD_FEN", "STARTING_FEN",
    "Square", "WHITE", "piece_name", "piece_symbol", "square", "square_distance", "square_file",
    "square_knight_distance", "square_manhattan_distance", "square_mirror", "square_name", "square_rank",
]

Color = bool
PieceType = int
Square = int

WHITE: Color = True
BLACK: Color = False
COLORS: List[Color] = [WHITE, BLACK]
COLOR_NAMES: List[str] = ["black", "white"]

PAWN: PieceType = 1
KNIGHT: PieceType = 2
BISHOP: PieceType = 3
ROOK: PieceType = 4
QUEEN: PieceType = 5
KING: PieceType = 6
PIECE_TYPES: List[PieceType] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING]
PIECE_SYMBOLS: List[Optional[str]] = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES: List[Optional[str]] = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]

FILE_NAMES: List[str] = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANK_NAMES: List[str] = ["1", "2", "3", "4", "5", "6", "7", "8"]

STARTING_FEN: str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STARTING_BOARD_FEN: str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

SQUARES: List[Square] = list(range(64))
SQUARE_NAMES: List[str] = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)


def square(file_index: int, rank_index: int) -> Square:
    """The square of a file and a rank, both counted from 0.

    >>> square(4, 3) == E4
    True
    """
    if not (0 <= file_index < 8 and 0 <= rank_index < 8):
        raise ValueError(f"there is no file {file_index} with rank {rank_index}: both go from 0 to 7")
    return rank_index * 8 + file_index


def square_file(square: Square) -> int:
    """The file of a square, counted from 0."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square, counted from 0."""
    return square >> 3


def square_name(square: Square) -> str:
    """The name of a square, such as `e4`."""
    if not 0 <= square < 64:
        raise ValueError(f"{square} is not a square: squares are the numbers from 0 (a1) to 63 (h8)")
    return SQUARE_NAMES[square]


def square_mirror(square: Square) -> Square:
    """The square on the other side of the board, on the same file."""
    return square ^ 56


def square_distance(a: Square, b: Square) -> int:
    """How many moves a king needs from one square to another.

    >>> square_distance(A1, H2)
    7
    """
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


def square_manhattan_distance(a: Square, b: Square) -> int:
    """The difference in files plus the difference in ranks."""
    return abs((a & 7) - (b & 7)) + abs((a >> 3) - (b >> 3))


def square_knight_distance(a: Square, b: Square) -> int:
    """How many moves a knight needs from one square to another.

    >>> square_knight_distance(A1, B2), square_knight_distance(A1, H8)
    (4, 6)
    """
    reached = {a}
    moves = 0
    while b not in reached:
        moves += 1
        reached = {
            (rank + dr) * 8 + file + df
            for square in reached
            for file, rank in [(square & 7, square >> 3)]
            for df, dr in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            if 0 <= file + df < 8 and 0 <= rank + dr < 8
        }
    return moves


def piece_symbol(piece_type: PieceType) -> str:
    """The small letter of a kind of piece."""
    if not 1 <= piece_type <= 6:
        raise ValueError(f"{piece_type} is not a kind of piece: they are the numbers from 1 (pawn) to 6 (king)")
    symbol = PIECE_SYMBOLS[piece_type]
    assert symbol is not None
    return symbol


def piece_name(piece_type: PieceType) -> str:
    """The name of a kind of piece."""
    if not 1 <= piece_type <= 6:
        raise ValueError(f"{piece_type} is not a kind of piece: they are the numbers from 1 (pawn) to 6 (king)")
    name = PIECE_NAMES[piece_type]
    assert name is not None
    return name
