"""Positions as NumPy arrays, for learning.

Each function takes a list of FENs or boards, a row of `Games`, or whole `Games`: then the positions are those before
each move, in the order of `moves(games)`. With `out`, the numbers go straight into an array of yours.

>>> import tabiya, tabiya.encode
>>> tabiya.encode.planes([tabiya.Board(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]).shape
(2, 12, 8, 8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

from tabiya import _tabiya
from tabiya._tabiya import Board, GameRow, Games, lc0_policy_index, lc0_policy_move, policy_index, policy_move

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "bitboards",
    "halfka",
    "lc0_policy_index",
    "lc0_policy_move",
    "legal_moves",
    "moves",
    "planes",
    "policy_index",
    "policy_move",
]

Positions = Union[Games, GameRow, Iterable[Union[str, Board]]]


def bitboards(positions: Positions, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 12 numbers of 64 bits: White's pawns, knights, bishops, rooks, queens and kings, then Black's."""
    return _tabiya.encode_bitboards(positions, out)


def planes(
    positions: Positions, *, count: int = 12, dtype: str = "float32", out: Optional[NDArray[Any]] = None
) -> NDArray[Any]:
    """n × 12, 18 or 112 × 8 × 8 numbers, from rank 1 to rank 8 and from file a to file h.

    Twelve planes are the pieces, as in `bitboards`. Eighteen add White's and Black's castling to the king's and the
    queen's side, whether White is to move, and the en passant square.

    112 planes are Leela Chess Zero's (its classical input), as the side to move sees the board: Black turns it upside
    down. Eight times thirteen planes are the last eight positions, the current one first: one's own pawns to king, the
    opponent's, and whether the position was there before. Then come one's own castling to the queen's and the king's
    side, the opponent's, whether Black is to move, the halfmove clock as a number, zeros, and ones. A board brings its
    past along, and so do games; where it ends, the oldest position is repeated, except that before the usual starting
    position there is nothing.

    The type is `float32` or `uint8`.
    """
    return _tabiya.encode_planes(positions, count, dtype, out)


def halfka(positions: Positions, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 2 × 32 indices of the inputs that are on, filled up with −1: White's view, then Black's.

    An index is (king × 12 + kind) × 64 + square, below 49,152. Black sees the board upside down; kinds 0 to 5 are one's
    own pawn to king, 6 to 11 the opponent's.
    """
    return _tabiya.encode_halfka(positions, out)


def legal_moves(positions: Positions, *, count: int = 1968, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 1,968 zeros and ones: the legal moves, by `policy_index`; or n × 1,858, by `lc0_policy_index`."""
    return _tabiya.encode_legal(positions, count, out)


def moves(games: Games, *, count: int = 1968, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """The number of every move of the games, one after another: `policy_index`, or of 1,858 `lc0_policy_index`."""
    return _tabiya.encode_moves(games, count, out)
