"""python-chess to the letter, with few exceptions: `import tabiya.compat as chess`.

Boards may be empty or against the rules, `push` plays anything, and `pgn`, `polyglot`, `engine` and `svg` work as in
python-chess. Legal positions use the compiled board. The manual lists what is missing.

>>> import tabiya.compat as chess
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> board.set_piece_at(chess.E8, None)
>>> board.is_valid()
False
"""

from tabiya._outcome import Outcome as Outcome
from tabiya._outcome import Termination as Termination
from tabiya._tabiya import AmbiguousMoveError as AmbiguousMoveError
from tabiya._tabiya import IllegalMoveError as IllegalMoveError
from tabiya._tabiya import InvalidMoveError as InvalidMoveError
from tabiya._tabiya import Move as Move
from tabiya._tabiya import Piece as Piece
from tabiya._tabiya import SquareSet as SquareSet
from tabiya._tabiya import __version__ as __version__
from tabiya.compat._bits import *
from tabiya.compat._board import BaseBoard as BaseBoard
from tabiya.compat._board import Board as Board
from tabiya.compat._board import IntoSquareSet as IntoSquareSet
from tabiya.compat._board import LegalMoveGenerator as LegalMoveGenerator
from tabiya.compat._board import PseudoLegalMoveGenerator as PseudoLegalMoveGenerator
from tabiya.compat._status import *
from tabiya.squares import *

UNICODE_PIECE_SYMBOLS = {
    "R": "♖", "r": "♜", "N": "♘", "n": "♞", "B": "♗", "b": "♝",
    "Q": "♕", "q": "♛", "K": "♔", "k": "♚", "P": "♙", "p": "♟",
}  # fmt: skip


def parse_square(name: str) -> Square:
    """The square of a name such as `e4`, in small letters only."""
    if name not in SQUARE_NAMES:
        raise ValueError(f"{name!r} is not a square: write a file and a rank, such as e4")
    return SQUARE_NAMES.index(name)
