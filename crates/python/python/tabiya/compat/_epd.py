"""The operations of an EPD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple, Union

from tabiya._tabiya import Move

if TYPE_CHECKING:
    from tabiya.compat._board import Board

_OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}\Z")


def _split(text: str) -> List[List[Tuple[str, bool]]]:
    """The operations: the words of each, and whether they were quoted."""
    operations: List[List[Tuple[str, bool]]] = [[]]
    position = 0
    while position < len(text):
        letter = text[position]
        if letter.isspace():
            position += 1
        elif letter == ";":
            operations.append([])
            position += 1
        elif letter == '"' and operations[-1]:
            word, position = "", position + 1
            while position < len(text) and text[position] != '"':
                if text[position] == "\\" and position + 1 < len(text):
                    position += 1
                word += text[position]
                position += 1
            operations[-1].append((word, True))
            position += 1
        else:
            start = position
            while position < len(text) and not text[position].isspace() and text[position] != ";":
                position += 1
            word = text[start:position]
            # Some writers put more dashes than there are fields.
            if word != "-" or operations[-1]:
                operations[-1].append((word, False))
    return [operation for operation in operations if operation]


def read_operations(text: str, make_board: Callable[[], Board]) -> Dict[str, Any]:
    """The operations as a dictionary: numbers, texts, moves or lists of moves."""
    found: Dict[str, Any] = {}
    for (opcode, _), *operands in _split(text):
        if not _OPCODE.match(opcode):
            raise ValueError(f"{opcode!r} is not an opcode of EPD: it must begin with a letter")
        if not operands:
            found[opcode] = None
        elif operands[0][1]:
            found[opcode] = operands[0][0]
        elif opcode == "pv":
            board = make_board()
            found[opcode] = [board.push_xboard(word) for word, _ in operands]
        elif opcode in ("bm", "am"):
            board = make_board()
            found[opcode] = [board.parse_xboard(word) for word, _ in operands]
        else:
            found[opcode] = _value(" ".join(word for word, _ in operands), make_board)
    return found


def _value(text: str, make_board: Callable[[], Board]) -> Union[int, float, str, Move]:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    try:
        return make_board().parse_xboard(text)
    except ValueError:
        return text


def write_operations(board: Board, operations: Dict[str, Any]) -> str:
    """The operations as text, each with its semicolon."""
    parts: List[str] = []
    for opcode, operand in operations.items():
        if not _OPCODE.match(opcode):
            raise ValueError(f"{opcode!r} is not an opcode of EPD: it must begin with a letter")
        if operand is None:
            parts.append(f"{opcode};")
        elif isinstance(operand, Move):
            parts.append(f"{opcode} {board.san(operand)};")
        elif isinstance(operand, (int, float)):
            parts.append(f"{opcode} {operand};")
        elif opcode == "pv" and not isinstance(operand, str):
            line = board.copy(stack=False)
            parts.append(" ".join([opcode, *[line.san_and_push(move) for move in operand]]) + ";")
        elif isinstance(operand, str):
            quoted = operand.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", " ")
            parts.append(f'{opcode} "{quoted}";')
        else:
            parts.append(" ".join([opcode, *sorted(board.san(move) for move in operand)]) + ";")
    return " ".join(parts)
