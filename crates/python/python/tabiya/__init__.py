"""Chess at the speed of Rust, with the names of python-chess.

>>> import tabiya
>>> board = tabiya.Board()
>>> board.push_san("Nf3")
Move.from_uci('g1f3')
>>> board.push_san("Ke7")
Traceback (most recent call last):
    ...
tabiya.IllegalMoveError: Ke7: your own pawn is on e7
"""

from tabiya._archive import Archive, ArchiveError, Explored, ExploredGame, ExploredMove
from tabiya._outcome import Outcome, Termination
from tabiya._pgn_error import PgnError
from tabiya._tabiya import (
    AmbiguousMoveError,
    Board,
    Book,
    Engine,
    Game,
    GameNode,
    GameRow,
    Games,
    IllegalMoveError,
    Info,
    InvalidMoveError,
    LegalMoves,
    Move,
    Piece,
    Score,
    SquareSet,
    __version__,
    iter_pgn,
    parse_square,
    prove_mate,
    read_games,
    read_pgn,
)
from tabiya import squares
from tabiya.squares import *

__all__ = [
    "AmbiguousMoveError",
    "Archive",
    "ArchiveError",
    "Board",
    "Book",
    "Engine",
    "Explored",
    "ExploredGame",
    "ExploredMove",
    "Game",
    "GameNode",
    "GameRow",
    "Games",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "LegalMoves",
    "Move",
    "Outcome",
    "PgnError",
    "Piece",
    "Score",
    "SquareSet",
    "Termination",
    "__version__",
    "iter_pgn",
    "parse_square",
    "prove_mate",
    "read_games",
    "read_pgn",
]
__all__ += squares.__all__
