"""How a game ends."""

from __future__ import annotations

import enum
from typing import NamedTuple, Optional


class Termination(enum.Enum):
    """Why a game is over, or may be by a claim."""

    CHECKMATE = 1
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTYFIVE_MOVES = 4
    FIVEFOLD_REPETITION = 5
    FIFTY_MOVES = 6
    THREEFOLD_REPETITION = 7


class Outcome(NamedTuple):
    """How a game ended: why, and who won (`None` in a draw)."""

    termination: Termination
    winner: Optional[bool]

    def result(self) -> str:
        """The result as in PGN.

        >>> Outcome(Termination.CHECKMATE, True).result()
        '1-0'
        """
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner else "0-1"
