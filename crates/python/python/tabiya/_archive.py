"""Archives of games, through the program `tabiya-archive`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from typing import IO, Any, Dict, List, NamedTuple, Optional, Union

from tabiya._tabiya import Board, Move

_LONGEST_ANSWER = 4 << 20
_INSTALL = "cargo install --path crates/archive"


class ArchiveError(OSError):
    """The program `tabiya-archive` is missing, or the archive is missing or damaged."""


class ExploredMove(NamedTuple):
    """A move that was played in a position. The games that end there have the move `None`."""

    move: Optional[Move]
    san: Optional[str]
    games: int
    white_wins: int
    draws: int
    black_wins: int
    unknown: int
    average_rating: Optional[int]
    last_played: Optional[str]


class ExploredGame(NamedTuple):
    """A game of the archive: its number and its tags."""

    game_id: int
    headers: Dict[str, str]


class Explored(NamedTuple):
    """What was played in a position: the moves, the most frequent first, the games with the highest ratings, and the
    latest games."""

    games: int
    moves: List[ExploredMove]
    top: List[ExploredGame]
    recent: List[ExploredGame]


def _program() -> str:
    beside = os.path.join(os.path.dirname(sys.executable), "tabiya-archive")
    program = shutil.which(beside) or shutil.which("tabiya-archive")
    if program is None:
        raise ArchiveError(f"tabiya-archive is not installed: {_INSTALL}")
    return program


def _game(game: Dict[str, Any]) -> ExploredGame:
    return ExploredGame(game["game_id"], {name: value for name, value in game["tags"]})


def _move(move: Dict[str, Any]) -> ExploredMove:
    uci = move.pop("uci")
    return ExploredMove(None if uci is None else Move.from_uci(uci), **move)


class Archive:
    """An archive that `tabiya archive build` has made from PGN files.

    The program `tabiya-archive` answers; it is looked for beside Python and on the PATH. It ends with `close`, with the
    `with` block, or with this object. Threads may share an archive.
    """

    def __init__(self, folder: Union[str, os.PathLike[str]], *, program: Union[str, os.PathLike[str], None] = None) -> None:
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._lock = threading.Lock()
        self._folder = os.fspath(folder)
        self._program = _program() if program is None else os.fspath(program)
        # Whatever is wrong is said now.
        self.explore(Board())

    def _start(self) -> subprocess.Popen[bytes]:
        command = [self._program, "explore", "--stream", "--", self._folder]
        try:
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except FileNotFoundError:
            raise ArchiveError(f"tabiya-archive is not installed: {_INSTALL}") from None
        except OSError as error:
            raise ArchiveError(f"cannot start tabiya-archive: {error}") from None

    def _ask(self, fen: str) -> bytes:
        """The line that answers, which is not whole if the program ended."""
        if self._process is None:
            self._process = self._start()
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None and answers is not None
        try:
            questions.write(fen.encode() + b"\n")
            questions.flush()
        except BrokenPipeError:
            return b""
        return answers.readline(_LONGEST_ANSWER)

    def explore(self, board: Board) -> Explored:
        """What was played in a position."""
        with self._lock:
            process = None
            try:
                line = self._ask(board.fen(en_passant="xfen"))
                if not line.endswith(b"\n"):
                    raise ArchiveError(self._reason())
                try:
                    answer = json.loads(line)
                    if "error" in answer:
                        raise ArchiveError(str(answer["error"]))
                    moves = [_move(move) for move in answer["moves"]]
                    top, recent = ([_game(game) for game in answer[name]] for name in ("top", "recent"))
                    explored = Explored(answer["games"], moves, top, recent)
                except (ValueError, TypeError, KeyError, AttributeError):
                    message = "tabiya-archive gave an unreadable answer; is it the same version as this package?"
                    raise ArchiveError(message) from None
                process = self._process
                return explored
            finally:
                # After an error, or Ctrl-C, the next question starts the program again.
                if process is None:
                    self._end()

    def _reason(self) -> str:
        """Why the program ended."""
        assert self._process is not None and self._process.stderr is not None
        self._process.kill()
        text = self._process.stderr.read(4096).decode(errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            return "tabiya-archive ended before it answered"
        return lines[0][7:] if lines[0].startswith("error: ") else lines[0]

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            pipes: List[Optional[IO[bytes]]] = [process.stdin, process.stdout, process.stderr]
            for pipe in pipes:
                if pipe is not None:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        pass
            process.wait()

    def close(self) -> None:
        """Ends the program. A later question starts it again."""
        with self._lock:
            self._end()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Without the lock: nobody else has this object any more.
        if getattr(self, "_process", None) is not None:
            self._end()

    def __repr__(self) -> str:
        return f"<Archive: {self._folder}>"
