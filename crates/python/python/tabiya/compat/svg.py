"""Boards as SVG, with python-chess's arguments and our figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterable, Optional, Tuple, Union

from tabiya import svg as _svg
from tabiya._tabiya import Move, Piece, SquareSet

if TYPE_CHECKING:
    from tabiya.compat._board import BaseBoard

_LETTERS = {"green": "G", "red": "R", "yellow": "Y", "blue": "B"}
_COLORS = {letter: color for color, letter in _LETTERS.items()}


class Arrow:
    """An arrow between two squares, or a circle if they are the same."""

    tail: int
    head: int
    color: str

    def __init__(self, tail: int, head: int, *, color: str = "green") -> None:
        self.tail = tail
        self.head = head
        self.color = color

    def pgn(self) -> str:
        """The arrow as in a comment of a PGN.

        >>> Arrow(0, 56, color="red").pgn()
        'Ra1a8'
        """
        from tabiya.squares import SQUARE_NAMES

        head = "" if self.head == self.tail else SQUARE_NAMES[self.head]
        return _LETTERS.get(self.color, "G") + SQUARE_NAMES[self.tail] + head

    @classmethod
    def from_pgn(cls, pgn: str) -> Arrow:
        """Reads an arrow from a comment of a PGN."""
        from tabiya.squares import SQUARE_NAMES

        if pgn[:1] not in _COLORS or len(pgn) not in (3, 5):
            raise ValueError(f"{pgn!r} is not an arrow")
        tail = SQUARE_NAMES.index(pgn[1:3])
        return cls(tail, SQUARE_NAMES.index(pgn[3:]) if pgn[3:] else tail, color=_COLORS[pgn[0]])

    def __repr__(self) -> str:
        return f"Arrow({self.tail}, {self.head}, color={self.color!r})"


def piece(piece: Piece, size: Optional[int] = None) -> str:
    """A piece as SVG."""
    return _svg.piece(piece, size)


def board(
    board: Optional[BaseBoard] = None,
    *,
    orientation: bool = True,
    lastmove: Optional[Move] = None,
    check: Optional[int] = None,
    arrows: Iterable[Union[Arrow, Tuple[int, int]]] = (),
    fill: Optional[Dict[int, str]] = None,
    squares: Iterable[int] = (),
    size: Optional[int] = None,
    coordinates: bool = True,
    colors: Optional[Dict[str, str]] = None,
    borders: bool = False,
    style: Optional[str] = None,
) -> str:
    """A board as SVG. `colors`, `borders` and `style` are accepted and ignored."""
    shapes = [arrow if isinstance(arrow, Arrow) else Arrow(*arrow) for arrow in arrows]
    return _svg.pieces(
        {} if board is None else board.piece_map(),
        title="empty board" if board is None else board.board_fen(),
        orientation=orientation,
        lastmove=lastmove,
        check=check,
        squares=squares,
        fill=fill,
        arrows=[(shape.tail, shape.head, shape.color) for shape in shapes],
        coordinates=coordinates,
        size=size,
    )


def square_set(squares: SquareSet, size: Optional[int] = None) -> str:
    """A set of squares as SVG."""
    return _svg.square_set(squares, size)
