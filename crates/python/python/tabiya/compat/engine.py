"""python-chess's scores, and engines that answer without asyncio.

Only `SimpleEngine` is here, with `play` and `analyse`; `tabiya.Engine` can more.
"""

from __future__ import annotations

import shlex
from typing import Any, Dict, List, NamedTuple, Optional, Union

from tabiya._tabiya import Board as CoreBoard
from tabiya._tabiya import Engine, Info, Move
from tabiya.compat._board import Board


class EngineError(RuntimeError):
    """The engine answers wrongly, or not at all."""


class Score:
    """A score from one side's point of view: centipawns, or moves to mate."""

    def __init__(self, cp: Optional[int] = None, mate: Optional[int] = None, given: bool = False) -> None:
        self._cp, self._mate, self._given = cp, mate, given

    def _key(self) -> Any:
        if self._given:
            return (2, 0, 0)
        if self._mate is None:
            return (0, self._cp, 0)
        # A mate in fewer moves is better; being mated in 0 is worst.
        return (1, 0, -self._mate) if self._mate > 0 else (-1, 0, -self._mate)

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """The centipawns; a mate needs `mate_score`."""
        if self._given:
            return mate_score
        if self._mate is None:
            return self._cp
        if mate_score is None:
            return None
        return mate_score - self._mate if self._mate > 0 else -mate_score - self._mate

    def mate(self) -> Optional[int]:
        """The moves to mate, negative if the side is mated."""
        return 0 if self._given else self._mate

    @property
    def cp(self) -> Optional[int]:
        """The centipawns, or None."""
        return self._cp

    @property
    def moves(self) -> Optional[int]:
        """The moves to mate, or None."""
        return self._mate

    def is_mate(self) -> bool:
        """Whether the score is a mate."""
        return self._given or self._mate is not None

    def __neg__(self) -> Score:
        if self._given:
            return Mate(0)
        if self._mate is None:
            return Cp(-(self._cp or 0))
        return MateGiven if self._mate == 0 else Mate(-self._mate)

    def __pos__(self) -> Score:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, other: Score) -> bool:
        return bool(self._key() < other._key())

    def __le__(self, other: Score) -> bool:
        return bool(self._key() <= other._key())

    def __gt__(self, other: Score) -> bool:
        return bool(self._key() > other._key())

    def __ge__(self, other: Score) -> bool:
        return bool(self._key() >= other._key())

    def __repr__(self) -> str:
        if self._given:
            return "MateGiven"
        return f"Cp({self._cp:+})" if self._mate is None else f"Mate({self._mate:+})" if self._mate else "Mate(-0)"

    def __str__(self) -> str:
        if self._given:
            return "#+0"
        return f"{self._cp:+}" if self._mate is None else f"#{self._mate:+}" if self._mate else "#-0"


class Cp(Score):
    """Centipawns.

    >>> Mate(-1) < Mate(-5) < Cp(-20) < Cp(0) < Mate(5) < Mate(1)
    True
    """

    def __init__(self, cp: int) -> None:
        super().__init__(cp=cp)


class Mate(Score):
    """Moves to mate."""

    def __init__(self, moves: int) -> None:
        super().__init__(mate=moves)


MateGiven = Score(given=True)


class PovScore:
    """A score and whose point of view it is."""

    def __init__(self, relative: Score, turn: bool) -> None:
        self.relative = relative
        self.turn = turn

    def pov(self, color: bool) -> Score:
        """The score from a side's point of view."""
        return self.relative if self.turn == color else -self.relative

    def white(self) -> Score:
        """The score from White's point of view."""
        return self.pov(True)

    def black(self) -> Score:
        """The score from Black's point of view."""
        return self.pov(False)

    def is_mate(self) -> bool:
        """Whether the score is a mate."""
        return self.relative.is_mate()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PovScore) and self.white() == other.white()

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"


class Limit(NamedTuple):
    """When a search ends: after seconds, halfmoves or positions."""

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None


class PlayResult(NamedTuple):
    """The engine's move. `ponder` and `info` stay empty."""

    move: Optional[Move]
    ponder: Optional[Move] = None
    info: Dict[str, Any] = {}
    draw_offered: bool = False
    resigned: bool = False


InfoDict = Dict[str, Any]


def _core(board: Board) -> CoreBoard:
    root = board.root()
    core = CoreBoard(root.fen(en_passant="fen"), board.chess960)
    for move in board.move_stack:
        core.push(move)
    return core


def _info(board: Board, info: Info) -> InfoDict:
    score = Cp(info.score.cp or 0) if info.score.mate is None else Mate(info.score.mate)
    return {
        "depth": info.depth,
        "seldepth": info.seldepth,
        "multipv": info.multipv,
        "score": PovScore(score, board.turn),
        "nodes": info.nodes,
        "nps": info.nps,
        "hashfull": info.hashfull,
        "time": info.time,
        "pv": info.pv,
    }


class SimpleEngine:
    """An engine in another program."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.id = {"name": engine.name}

    @classmethod
    def popen_uci(cls, command: Union[str, List[str]], *, timeout: float = 10.0) -> SimpleEngine:
        """Starts a UCI engine."""
        text = command if isinstance(command, str) else " ".join(map(shlex.quote, command))
        return cls(Engine.open(text, timeout=timeout))

    def configure(self, options: Dict[str, Any]) -> None:
        """Sets UCI options."""
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._engine.set_option(name, text)

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """Searches and returns the best move."""
        return PlayResult(
            self._engine.best_move(_core(board), time=limit.time, nodes=limit.nodes, depth=limit.depth)
        )

    def analyse(self, board: Board, limit: Limit, *, multipv: Optional[int] = None) -> Union[InfoDict, List[InfoDict]]:
        """Searches and returns what was found; with `multipv`, a list of lines."""
        core = _core(board)
        if multipv is None:
            found = self._engine.analyse(core, time=limit.time, nodes=limit.nodes, depth=limit.depth)
            return _info(board, found)
        lines = self._engine.analyse(
            core, time=limit.time, nodes=limit.nodes, depth=limit.depth, multipv=multipv
        )
        return [_info(board, line) for line in lines]

    def quit(self) -> None:
        """Ends the engine."""
        self._engine.close()

    def close(self) -> None:
        """Ends the engine."""
        self._engine.close()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
