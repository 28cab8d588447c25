"""Polyglot opening books, read as in python-chess."""

from __future__ import annotations

import os
import random as _random
import struct
from typing import Any, Container, Iterator, List, NamedTuple, Optional, Union

from tabiya._tabiya import Move
from tabiya.compat._board import Board, triple, untriple

_ENTRY = struct.Struct(">QHHI")


class Entry(NamedTuple):
    """A move in a book."""

    key: int
    raw_move: int
    weight: int
    learn: int
    move: Move


def zobrist_hash(board: Board) -> int:
    """Polyglot's key of a legal position.

    >>> hex(zobrist_hash(Board()))
    '0x463b96181691fc9c'
    """
    core = board._try_core()
    if core is None:
        raise ValueError(f"only legal positions have a key: {board.fen()}")
    return core.key


def _move(raw: int) -> Move:
    promotion = raw >> 12 & 7
    return Move(raw >> 6 & 63, raw & 63, promotion + 1 if promotion else None)


class MemoryMappedReader:
    """A book that is open. It is read as a whole."""

    def __init__(self, filename: Union[str, bytes, os.PathLike[Any]]) -> None:
        with open(filename, "rb") as file:
            self._data = file.read()

    def __enter__(self) -> MemoryMappedReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Forgets the book."""
        self._data = b""

    def __len__(self) -> int:
        return len(self._data) // _ENTRY.size

    def __getitem__(self, index: int) -> Entry:
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"there is no entry {index}: the book has {len(self)}")
        key, raw_move, weight, learn = _ENTRY.unpack_from(self._data, index * _ENTRY.size)
        return Entry(key, raw_move, weight, learn, _move(raw_move))

    def __iter__(self) -> Iterator[Entry]:
        return (self[index] for index in range(len(self)))

    def __reversed__(self) -> Iterator[Entry]:
        return (self[index] for index in range(len(self) - 1, -1, -1))

    def __contains__(self, entry: object) -> bool:
        return isinstance(entry, Entry) and any(entry == other for other in self.find_all(entry.key))

    def bisect_key_left(self, key: int) -> int:
        """The first entry whose key is not smaller."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle].key < key:
                low = middle + 1
            else:
                high = middle
        return low

    def find_all(
        self, board: Union[Board, int], *, minimum_weight: int = 1, exclude_moves: Container[Move] = ()
    ) -> Iterator[Entry]:
        """The entries of a position. Of a board, only legal moves."""
        key = board if isinstance(board, int) else zobrist_hash(board)
        for index in range(self.bisect_key_left(key), len(self)):
            entry = self[index]
            if entry.key != key:
                break
            if entry.weight < minimum_weight:
                continue
            if not isinstance(board, int):
                # Books write castling as the king taking its rook.
                state = board._get()
                entry = entry._replace(move=untriple(state.from_rook(triple(entry.move), board.chess960)))
                if not board.is_legal(entry.move):
                    continue
            if entry.move not in exclude_moves:
                yield entry

    def find(
        self, board: Union[Board, int], *, minimum_weight: int = 1, exclude_moves: Container[Move] = ()
    ) -> Entry:
        """The entry with the greatest weight. Raises IndexError if there is none."""
        entries = list(self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves))
        if not entries:
            raise IndexError("the book does not know the position")
        return max(entries, key=lambda entry: entry.weight)

    def get(
        self,
        board: Union[Board, int],
        default: Optional[Entry] = None,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
    ) -> Optional[Entry]:
        """The entry with the greatest weight, or the default."""
        try:
            return self.find(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        except IndexError:
            return default

    def choice(
        self,
        board: Union[Board, int],
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[Move] = (),
        random: Optional[Any] = None,
    ) -> Entry:
        """One of the entries, each with the same probability."""
        entries = list(self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves))
        if not entries:
            raise IndexError("the book does not know the position")
        index: int = (random or _random).randint(0, len(entries) - 1)
        return entries[index]

    def weighted_choice(
        self, board: Union[Board, int], *, exclude_moves: Container[Move] = (), random: Optional[Any] = None
    ) -> Entry:
        """One of the entries, with a probability after its weight."""
        entries: List[Entry] = list(self.find_all(board, exclude_moves=exclude_moves))
        total = sum(entry.weight for entry in entries)
        if not total:
            raise IndexError("the book does not know the position")
        chosen = (random or _random).randint(0, total - 1)
        for entry in entries:
            if chosen < entry.weight:
                return entry
            chosen -= entry.weight
        raise AssertionError("the weights add up")


def open_reader(path: Union[str, bytes, os.PathLike[Any]]) -> MemoryMappedReader:
    """Opens a book."""
    return MemoryMappedReader(path)
