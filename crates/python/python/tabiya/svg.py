"""Boards as SVG, for notebooks and pages. The pieces are the figures of the reader's own font."""

from __future__ import annotations

from typing import Dict, Iterable, List, Optional, Tuple

from tabiya._tabiya import Board, Move, Piece, SquareSet

_FIGURES = {1: "♟", 2: "♞", 3: "♝", 4: "♜", 5: "♛", 6: "♚"}
_CELL = 45
_MARGIN = 15
_STYLE = (
    ".l{fill:#e9dcc3}.d{fill:#a98b62}.m{fill:#cdbb4f;fill-opacity:.6}.c{fill:#d2553c;fill-opacity:.75}"
    ".a{stroke-width:6;stroke-opacity:.7;stroke-linecap:round}"
    ".s{fill:none;stroke:#2b6fb3;stroke-width:3}.f{font:11px sans-serif;fill:#5a4a34;text-anchor:middle}"
    ".w,.b{font:38px 'DejaVu Sans','Segoe UI Symbol','Noto Sans Symbols2',sans-serif;text-anchor:middle;"
    "stroke:#222;stroke-width:.9}.w{fill:#fff}.b{fill:#222}"
)


def _document(width: int, height: int, parts: Iterable[str], size: Optional[int], title: str) -> str:
    scale = "" if size is None else f' width="{size}" height="{size}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{scale} role="img">'
        f"<title>{title}</title><style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _figure(piece: Piece, x: int, y: int) -> str:
    # The variation selector asks for a figure, not for an emoji.
    side = "w" if piece.color else "b"
    return f'<text class="{side}" x="{x + _CELL // 2}" y="{y + 36}">{_FIGURES[piece.piece_type]}\ufe0e</text>'


def piece(piece: Piece, size: Optional[int] = None) -> str:
    """A piece as SVG."""
    return _document(_CELL, _CELL, [_figure(piece, 0, 0)], size, repr(piece.symbol())[1:-1])


def board(
    board: Optional[Board] = None,
    *,
    orientation: bool = True,
    lastmove: Optional[Move] = None,
    check: Optional[int] = None,
    squares: Iterable[int] = (),
    fill: Optional[Dict[int, str]] = None,
    coordinates: bool = True,
    size: Optional[int] = None,
) -> str:
    """A board as SVG.

    The last move and a check are marked; `squares` are framed, and `fill` colours squares.

    >>> import tabiya, tabiya.svg
    >>> tabiya.svg.board(tabiya.Board(), size=300).startswith("<svg")
    True
    """
    if board is not None:
        if lastmove is None and board.move_stack:
            lastmove = board.peek()
        if check is None and board.is_check():
            check = board.king(board.turn)
    return pieces(
        {} if board is None else board.piece_map(),
        title="empty board" if board is None else board.fen(),
        orientation=orientation,
        lastmove=lastmove,
        check=check,
        squares=squares,
        fill=fill,
        coordinates=coordinates,
        size=size,
    )


def pieces(
    pieces: Dict[int, Piece],
    *,
    title: str,
    orientation: bool = True,
    lastmove: Optional[Move] = None,
    check: Optional[int] = None,
    squares: Iterable[int] = (),
    fill: Optional[Dict[int, str]] = None,
    arrows: Iterable[Tuple[int, int, str]] = (),
    coordinates: bool = True,
    size: Optional[int] = None,
) -> str:
    """Any pieces on any squares as SVG. An arrow from a square to itself is a circle."""
    margin = _MARGIN if coordinates else 0
    full = 8 * _CELL + 2 * margin

    def corner(square: int) -> Tuple[int, int]:
        file, rank = square & 7, square >> 3
        column, row = (file, 7 - rank) if orientation else (7 - file, rank)
        return margin + column * _CELL, margin + row * _CELL

    def cell(square: int, kind: str) -> str:
        x, y = corner(square)
        return f'<rect {kind} x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>'

    parts: List[str] = []
    for square in range(64):
        light = (square + (square >> 3)) % 2 == 1
        parts.append(cell(square, 'class="l"' if light else 'class="d"'))
    if lastmove:
        parts += [cell(square, 'class="m"') for square in (lastmove.from_square, lastmove.to_square)]
    if fill:
        parts += [cell(square, f'fill="{_attribute(color)}"') for square, color in fill.items()]
    if check is not None:
        parts.append(cell(check, 'class="c"'))
    parts += [_figure(piece, *corner(square)) for square, piece in pieces.items()]
    parts += [cell(square, 'class="s"') for square in squares]
    if coordinates:
        for index in range(8):
            x, _ = corner(index)
            _, y = corner(index * 8)
            parts.append(f'<text class="f" x="{x + _CELL // 2}" y="{full - 4}">{"abcdefgh"[index]}</text>')
            parts.append(f'<text class="f" x="7" y="{y + _CELL // 2 + 4}">{index + 1}</text>')
    for tail, head, color in arrows:
        (x, y), (to_x, to_y) = corner(tail), corner(head)
        half, color = _CELL // 2, _attribute(color)
        if tail == head:
            parts.append(f'<circle cx="{x + half}" cy="{y + half}" r="20" class="s" style="stroke:{color}"/>')
        else:
            line = f'x1="{x + half}" y1="{y + half}" x2="{to_x + half}" y2="{to_y + half}"'
            parts.append(f'<line {line} class="a" style="stroke:{color}"/>')
            parts.append(f'<circle cx="{to_x + half}" cy="{to_y + half}" r="9" fill="{color}" fill-opacity=".7"/>')
    return _document(full, full, parts, size, _attribute(title))


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def square_set(squares: SquareSet, size: Optional[int] = None) -> str:
    """A set of squares as SVG."""
    return board(None, squares=squares, size=size)
