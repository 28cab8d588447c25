"""Errors in files of games."""

from __future__ import annotations

from typing import NamedTuple


class PgnError(NamedTuple):
    """A game that cannot be read to its end: its number from 0, the place in the file, and the reason."""

    game: int
    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"game {self.game + 1}, line {self.line}, column {self.column}: {self.reason}"
