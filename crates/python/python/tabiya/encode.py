"""Positions as NumPy arrays, for learning.

Each function takes a list of FENs or boards, a row of `Games`, or whole `Games`: then the positions are those before
each move, in the order of `moves(games)`. With `out`, the numbers go into an array of yours.

>>> import tabiya, tabiya.encode
>>> tabiya.encode.planes([tabiya.Board(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]).shape
(2, 12, 8, 8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Optional, Tuple, Union

from tabiya import _tabiya
from tabiya._tabiya import Board, GameRow, Games, policy_index

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["bitboards", "halfka", "legal_moves", "moves", "planes", "policy_index"]

Positions = Union[Games, GameRow, Iterable[Union[str, Board]]]


def _array(found: Tuple[bytearray, int], dtype: str, shape: Tuple[int, ...], out: Optional[NDArray[Any]]) -> NDArray[Any]:
    import numpy

    data, rows = found
    array = numpy.frombuffer(data, dtype=dtype).reshape((rows, *shape))
    if out is None:
        return array
    if out.shape != array.shape:
        raise ValueError(f"the array has the shape {out.shape}, but the positions need {array.shape}")
    out[...] = array
    return out


def bitboards(positions: Positions, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 12 numbers of 64 bits: White's pawns, knights, bishops, rooks, queens and kings, then Black's."""
    return _array(_tabiya.encode_bitboards(positions), "uint64", (12,), out)


def planes(
    positions: Positions, *, count: int = 12, dtype: str = "float32", out: Optional[NDArray[Any]] = None
) -> NDArray[Any]:
    """n × 12 or 18 × 8 × 8 zeros and ones, from rank 1 to rank 8 and from file a to file h.

    Twelve planes are the pieces, as in `bitboards`. Eighteen add White's and Black's castling to the king's and the
    queen's side, whether White is to move, and the en passant square. The type is `float32` or `uint8`.
    """
    if dtype not in ("float32", "uint8"):
        raise ValueError(f"planes are float32 or uint8, not {dtype}")
    return _array(_tabiya.encode_planes(positions, count, dtype == "float32"), dtype, (count, 8, 8), out)


def halfka(positions: Positions, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 2 × 32 indices of the inputs that are on, filled up with −1: White's view, then Black's.

    An index is (king × 12 + kind) × 64 + square, below 49,152. Black sees the board upside down; kinds 0 to 5 are one's
    own pawn to king, 6 to 11 the opponent's.
    """
    return _array(_tabiya.encode_halfka(positions), "int32", (2, 32), out)


def legal_moves(positions: Positions, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """n × 1,968 zeros and ones: the legal moves, by `policy_index`."""
    return _array(_tabiya.encode_legal(positions), "uint8", (1968,), out)


def moves(games: Games, *, out: Optional[NDArray[Any]] = None) -> NDArray[Any]:
    """The `policy_index` of every move of the games, one after another."""
    return _array(_tabiya.encode_moves(games), "uint16", (), out)
