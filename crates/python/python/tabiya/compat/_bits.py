"""Squares as bits: names, shifts, flips, and what pieces attack."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple

from tabiya.squares import SQUARES

Bitboard = int

BB_EMPTY: Bitboard = 0
BB_ALL: Bitboard = 0xFFFF_FFFF_FFFF_FFFF
BB_SQUARES: List[Bitboard] = [1 << square for square in SQUARES]

(
    BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1,
    BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2,
    BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3,
    BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4,
    BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5,
    BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6,
    BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7,
    BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8,
) = BB_SQUARES  # fmt: skip

BB_FILES: List[Bitboard] = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANKS: List[Bitboard] = [0xFF << 8 * rank for rank in range(8)]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_CORNERS: Bitboard = BB_A1 | BB_H1 | BB_A8 | BB_H8
BB_CENTER: Bitboard = BB_D4 | BB_E4 | BB_D5 | BB_E5
BB_LIGHT_SQUARES: Bitboard = 0x55AA_55AA_55AA_55AA
BB_DARK_SQUARES: Bitboard = 0xAA55_AA55_AA55_AA55
BB_BACKRANKS: Bitboard = BB_RANK_1 | BB_RANK_8

SQUARES_180: List[int] = [square ^ 56 for square in SQUARES]


def lsb(bb: Bitboard) -> int:
    """The lowest square of a mask; −1 if it is empty."""
    return (bb & -bb).bit_length() - 1


def msb(bb: Bitboard) -> int:
    """The highest square of a mask; −1 if it is empty."""
    return bb.bit_length() - 1


def scan_forward(bb: Bitboard) -> Iterator[int]:
    """The squares of a mask, from a1 on."""
    while bb:
        low = bb & -bb
        yield low.bit_length() - 1
        bb ^= low


def scan_reversed(bb: Bitboard) -> Iterator[int]:
    """The squares of a mask, from h8 back."""
    while bb:
        square = bb.bit_length() - 1
        yield square
        bb ^= 1 << square


def popcount(bb: Bitboard) -> int:
    """The number of squares of a mask.

    >>> popcount(BB_CENTER)
    4
    """
    return bin(bb).count("1")


# Sets of squares pass through the flips too, so these use nothing but operators.
def flip_vertical(bb: Any) -> Any:
    """Exchanges the first rank with the eighth, and so on."""
    bb = ((bb >> 8) & 0x00FF_00FF_00FF_00FF) | ((bb & 0x00FF_00FF_00FF_00FF) << 8)
    bb = ((bb >> 16) & 0x0000_FFFF_0000_FFFF) | ((bb & 0x0000_FFFF_0000_FFFF) << 16)
    return (bb >> 32) | ((bb & 0x0000_0000_FFFF_FFFF) << 32)


def flip_horizontal(bb: Any) -> Any:
    """Exchanges the a-file with the h-file, and so on."""
    bb = ((bb >> 1) & 0x5555_5555_5555_5555) | ((bb & 0x5555_5555_5555_5555) << 1)
    bb = ((bb >> 2) & 0x3333_3333_3333_3333) | ((bb & 0x3333_3333_3333_3333) << 2)
    return ((bb >> 4) & 0x0F0F_0F0F_0F0F_0F0F) | ((bb & 0x0F0F_0F0F_0F0F_0F0F) << 4)


def flip_diagonal(bb: Any) -> Any:
    """Mirrors at the diagonal from a1 to h8."""
    for shift, mask in ((28, 0x0F0F_0F0F_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)):
        swapped = (bb ^ (bb << shift)) & mask
        bb = bb ^ swapped ^ (swapped >> shift)
    return bb


def flip_anti_diagonal(bb: Any) -> Any:
    """Mirrors at the diagonal from a8 to h1."""
    return flip_vertical(flip_horizontal(flip_diagonal(bb)))


def shift_down(b: Bitboard) -> Bitboard:
    """Moves all squares one rank down."""
    return b >> 8


def shift_2_down(b: Bitboard) -> Bitboard:
    """Moves all squares two ranks down."""
    return b >> 16


def shift_up(b: Bitboard) -> Bitboard:
    """Moves all squares one rank up."""
    return b << 8 & BB_ALL


def shift_2_up(b: Bitboard) -> Bitboard:
    """Moves all squares two ranks up."""
    return b << 16 & BB_ALL


def shift_right(b: Bitboard) -> Bitboard:
    """Moves all squares one file to the right."""
    return b << 1 & ~BB_FILE_A & BB_ALL


def shift_2_right(b: Bitboard) -> Bitboard:
    """Moves all squares two files to the right."""
    return b << 2 & ~BB_FILE_A & ~BB_FILE_B & BB_ALL


def shift_left(b: Bitboard) -> Bitboard:
    """Moves all squares one file to the left."""
    return b >> 1 & ~BB_FILE_H


def shift_2_left(b: Bitboard) -> Bitboard:
    """Moves all squares two files to the left."""
    return b >> 2 & ~BB_FILE_G & ~BB_FILE_H


def shift_up_left(b: Bitboard) -> Bitboard:
    """Moves all squares up and to the left."""
    return b << 7 & ~BB_FILE_H & BB_ALL


def shift_up_right(b: Bitboard) -> Bitboard:
    """Moves all squares up and to the right."""
    return b << 9 & ~BB_FILE_A & BB_ALL


def shift_down_left(b: Bitboard) -> Bitboard:
    """Moves all squares down and to the left."""
    return b >> 9 & ~BB_FILE_H


def shift_down_right(b: Bitboard) -> Bitboard:
    """Moves all squares down and to the right."""
    return b >> 7 & ~BB_FILE_A


def _steps(square: int, deltas: List[Tuple[int, int]]) -> Bitboard:
    mask = 0
    for right, up in deltas:
        file, rank = (square & 7) + right, (square >> 3) + up
        if 0 <= file < 8 and 0 <= rank < 8:
            mask |= 1 << (8 * rank + file)
    return mask


def _ray(square: int, right: int, up: int) -> Bitboard:
    mask, file, rank = 0, (square & 7) + right, (square >> 3) + up
    while 0 <= file < 8 and 0 <= rank < 8:
        mask |= 1 << (8 * rank + file)
        file, rank = file + right, rank + up
    return mask


_STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
_OBLIQUE = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
_JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

BB_KNIGHT_ATTACKS: List[Bitboard] = [_steps(square, _JUMPS) for square in SQUARES]
BB_KING_ATTACKS: List[Bitboard] = [_steps(square, _STRAIGHT + _OBLIQUE) for square in SQUARES]
# Black's, then White's.
BB_PAWN_ATTACKS: List[List[Bitboard]] = [
    [_steps(square, [(-1, up), (1, up)]) for square in SQUARES] for up in (-1, 1)
]

_RAYS: Dict[Tuple[int, int], List[Bitboard]] = {
    delta: [_ray(square, *delta) for square in SQUARES] for delta in _STRAIGHT + _OBLIQUE
}
# Towards higher squares, then towards lower ones.
_ROOK_RAYS = ([_RAYS[1, 0], _RAYS[0, 1]], [_RAYS[-1, 0], _RAYS[0, -1]])
_BISHOP_RAYS = ([_RAYS[1, 1], _RAYS[-1, 1]], [_RAYS[1, -1], _RAYS[-1, -1]])


def _slide(square: int, occupied: Bitboard, rays: Tuple[List[List[Bitboard]], List[List[Bitboard]]]) -> Bitboard:
    attacked = 0
    for table in rays[0]:
        ray = table[square]
        blockers = ray & occupied
        attacked |= ray ^ table[(blockers & -blockers).bit_length() - 1] if blockers else ray
    for table in rays[1]:
        ray = table[square]
        blockers = ray & occupied
        attacked |= ray ^ table[blockers.bit_length() - 1] if blockers else ray
    return attacked


def rook_attacks(square: int, occupied: Bitboard) -> Bitboard:
    """What a rook attacks."""
    return _slide(square, occupied, _ROOK_RAYS)


def bishop_attacks(square: int, occupied: Bitboard) -> Bitboard:
    """What a bishop attacks."""
    return _slide(square, occupied, _BISHOP_RAYS)


def ray(a: int, b: int) -> Bitboard:
    """The rank, file or diagonal through two squares; empty if there is none.

    >>> ray(0, 9) == BB_A1 | BB_B2 | BB_C3 | BB_D4 | BB_E5 | BB_F6 | BB_G7 | BB_H8
    True
    """
    for (right, up), table in _RAYS.items():
        if table[a] >> b & 1:
            return table[a] | 1 << a | _RAYS[-right, -up][a]
    return 0


def between(a: int, b: int) -> Bitboard:
    """The squares between two squares on a line, without the two."""
    for (right, up), table in _RAYS.items():
        if table[a] >> b & 1:
            return table[a] & _RAYS[-right, -up][b]
    return 0
