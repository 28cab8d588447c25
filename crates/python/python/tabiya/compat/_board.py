"""A board that may be empty or against the rules. Where it is legal, the compiled board does the work."""

from __future__ import annotations

import re
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from tabiya._outcome import Outcome, Termination
from tabiya._tabiya import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move, Piece, SquareSet
from tabiya._tabiya import Board as CoreBoard
from tabiya.compat._bits import (
    BB_ALL,
    BB_BACKRANKS,
    BB_FILE_A,
    BB_FILE_H,
    BB_RANK_1,
    BB_RANK_8,
    Bitboard,
    flip_vertical,
    lsb,
    msb,
    popcount,
    scan_reversed,
)
from tabiya.compat._epd import read_operations, write_operations
from tabiya.compat._state import State, Triple
from tabiya.compat._status import Status
from tabiya.squares import (
    BISHOP,
    FILE_NAMES,
    KING,
    KNIGHT,
    PAWN,
    PIECE_SYMBOLS,
    QUEEN,
    ROOK,
    SQUARE_NAMES,
    STARTING_BOARD_FEN,
    STARTING_FEN,
)

EnPassantSpec = Literal["legal", "fen", "xfen"]

IntoSquareSet = Union[SquareSet, int, Iterable[int]]
_BaseBoardT = TypeVar("_BaseBoardT", bound="BaseBoard")
_BoardT = TypeVar("_BoardT", bound="Board")

_CASTLING_FIELD = re.compile(r"(?:-|[KQABCDEFGH]{0,2}[kqabcdefgh]{0,2})\Z")
_SAN = re.compile(r"([NBKRQ])?([a-h])?([1-8])?[-x]?([a-h][1-8])(=?[nbrqkNBRQK])?[+#]?\Z")
_LETTERS = {letter: kind for kind, letter in enumerate(PIECE_SYMBOLS) if letter}


def triple(move: Move) -> Triple:
    return move.from_square, move.to_square, move.promotion or 0


def untriple(move: Triple) -> Move:
    return Move(move[0], move[1], move[2] or None)


def _mask(squares: IntoSquareSet) -> int:
    return squares & BB_ALL if isinstance(squares, int) else int(SquareSet(squares))


def _chess960_rank(scharnagl: int) -> str:
    """The pieces of a starting position of Chess960, by Scharnagl's rule."""
    if not 0 <= scharnagl <= 959:
        raise ValueError(f"{scharnagl} is not the number of a Chess960 position: they go from 0 to 959")
    rank: List[Optional[str]] = [None] * 8
    scharnagl, light = divmod(scharnagl, 4)
    scharnagl, dark = divmod(scharnagl, 4)
    knights, queen = divmod(scharnagl, 6)
    rank[2 * light + 1] = "b"
    rank[2 * dark] = "b"

    def free() -> List[int]:
        return [file for file in range(8) if rank[file] is None]

    rank[free()[queen]] = "q"
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    left = free()
    for knight in pairs[knights]:
        rank[left[knight]] = "n"
    for file, letter in zip(free(), "rkr"):
        rank[file] = letter
    return "".join(letter or "" for letter in rank)


_CHESS960_RANKS: Dict[str, int] = {}


def _chess960_number(rank: str) -> Optional[int]:
    if not _CHESS960_RANKS:
        _CHESS960_RANKS.update({_chess960_rank(number): number for number in range(960)})
    return _CHESS960_RANKS.get(rank)


class BaseBoard:
    """Pieces on squares, without the other fields of a position.

    >>> board = BaseBoard.empty()
    >>> board.set_piece_at(0, Piece.from_symbol("K"))
    >>> board.board_fen()
    '8/8/8/8/8/8/8/K7'
    """

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(self, board_fen: Optional[str] = STARTING_BOARD_FEN) -> None:
        self._state: Optional[State] = State()
        if board_fen is not None:
            self.set_board_fen(board_fen)

    def _get(self) -> State:
        """The pieces to look at."""
        assert self._state is not None
        return self._state

    def _edit(self) -> State:
        """The pieces to change."""
        return self._get()

    @property
    def pawns(self) -> Bitboard:
        """The squares of the pawns."""
        return self._get().kinds[PAWN]

    @property
    def knights(self) -> Bitboard:
        """The squares of the knights."""
        return self._get().kinds[KNIGHT]

    @property
    def bishops(self) -> Bitboard:
        """The squares of the bishops."""
        return self._get().kinds[BISHOP]

    @property
    def rooks(self) -> Bitboard:
        """The squares of the rooks."""
        return self._get().kinds[ROOK]

    @property
    def queens(self) -> Bitboard:
        """The squares of the queens."""
        return self._get().kinds[QUEEN]

    @property
    def kings(self) -> Bitboard:
        """The squares of the kings."""
        return self._get().kinds[KING]

    @property
    def occupied(self) -> Bitboard:
        """The squares of all pieces."""
        return self._get().occupied

    @property
    def occupied_co(self) -> Tuple[Bitboard, Bitboard]:
        """The squares of Black's pieces, and of White's."""
        black, white = self._get().occupied_co
        return black, white

    @property
    def promoted(self) -> Bitboard:
        """The squares of pieces that were set up as promoted."""
        return self._get().promoted

    def _reset_board(self) -> None:
        self._set_board_fen(STARTING_BOARD_FEN)

    def reset_board(self) -> None:
        """Sets the pieces up as at the start of a game."""
        self._reset_board()

    def _clear_board(self) -> None:
        state = self._edit()
        state.kinds = [0] * 7
        state.occupied_co = [0, 0]
        state.promoted = 0

    def clear_board(self) -> None:
        """Removes all pieces."""
        self._clear_board()

    def pieces_mask(self, piece_type: int, color: bool) -> Bitboard:
        """The squares of the pieces of a kind and colour, as a number."""
        state = self._get()
        return state.kinds[piece_type] & state.occupied_co[bool(color)] if 1 <= piece_type <= 6 else 0

    def pieces(self, piece_type: int, color: bool) -> SquareSet:
        """The squares of the pieces of a kind and colour."""
        return SquareSet(self.pieces_mask(piece_type, color))

    def piece_at(self, square: int) -> Optional[Piece]:
        """The piece on a square, or None."""
        kind = self._get().kind_at(square)
        return None if kind is None else Piece(kind, bool(self._get().occupied_co[1] >> square & 1))

    def piece_type_at(self, square: int) -> Optional[int]:
        """The kind of the piece on a square, or None."""
        return self._get().kind_at(square)

    def color_at(self, square: int) -> Optional[bool]:
        """The colour of the piece on a square, or None."""
        black, white = self._get().occupied_co
        return True if white >> square & 1 else False if black >> square & 1 else None

    def king(self, color: bool) -> Optional[int]:
        """The square of a king, or None."""
        return self._get().king(color)

    def attacks_mask(self, square: int) -> Bitboard:
        """The squares that the piece on a square attacks, as a number."""
        return self._get().attacks(square)

    def attacks(self, square: int) -> SquareSet:
        """The squares that the piece on a square attacks."""
        return SquareSet(self.attacks_mask(square))

    def attackers_mask(self, color: bool, square: int, occupied: Optional[Bitboard] = None) -> Bitboard:
        """The pieces of a colour that attack a square, as a number."""
        return self._get().attackers(color, square, occupied)

    def attackers(self, color: bool, square: int, occupied: Optional[IntoSquareSet] = None) -> SquareSet:
        """The pieces of a colour that attack a square."""
        return SquareSet(self.attackers_mask(color, square, None if occupied is None else _mask(occupied)))

    def is_attacked_by(self, color: bool, square: int, occupied: Optional[IntoSquareSet] = None) -> bool:
        """Whether a side attacks a square."""
        return bool(self.attackers_mask(color, square, None if occupied is None else _mask(occupied)))

    def pin_mask(self, color: bool, square: int) -> Bitboard:
        """The same as `pin`, as a number."""
        return self._get().pin(color, square)

    def pin(self, color: bool, square: int) -> SquareSet:
        """The line that a pinned piece must stay on; all squares if it is not pinned."""
        return SquareSet(self.pin_mask(color, square))

    def is_pinned(self, color: bool, square: int) -> bool:
        """Whether the piece on a square is pinned to its king."""
        return self.pin_mask(color, square) != BB_ALL

    def remove_piece_at(self, square: int) -> Optional[Piece]:
        """Removes the piece on a square and returns it."""
        piece = self.piece_at(square)
        self._edit().remove(square)
        return piece

    def set_piece_at(self, square: int, piece: Optional[Piece], promoted: bool = False) -> None:
        """Puts a piece on a square, or removes what is there."""
        if piece is None:
            self._edit().remove(square)
        else:
            self._edit().put(square, piece.piece_type, piece.color, promoted)

    def board_fen(self, *, promoted: Optional[bool] = False) -> str:
        """The first field of the FEN; with `promoted`, promoted pieces are marked with `~`."""
        state, ranks = self._get(), []
        for rank in range(7, -1, -1):
            text, empty = "", 0
            for square in range(8 * rank, 8 * rank + 8):
                kind = state.kind_at(square)
                if kind is None:
                    empty += 1
                    continue
                letter = PIECE_SYMBOLS[kind] or ""
                mark = "~" if promoted and state.promoted >> square & 1 else ""
                text += (str(empty) if empty else "") + (
                    letter.upper() if state.occupied_co[1] >> square & 1 else letter
                )
                text, empty = text + mark, 0
            ranks.append(text + (str(empty) if empty else ""))
        return "/".join(ranks)

    def _set_board_fen(self, fen: str) -> None:
        ranks = fen.strip().split("/")
        if len(ranks) != 8:
            raise ValueError(f"the pieces of a FEN take eight ranks, not {len(ranks)}: {fen!r}")
        found = State()
        for rank, text in zip(range(7, -1, -1), ranks):
            file, last_was_digit = 0, False
            for letter in text:
                if letter in "12345678":
                    if last_was_digit:
                        raise ValueError(f"there are two digits in a row: {fen!r}")
                    file, last_was_digit = file + int(letter), True
                    continue
                last_was_digit = False
                square = 8 * rank + file
                if letter == "~" and file:
                    found.promoted |= 1 << (square - 1)
                elif letter.lower() in _LETTERS and file < 8:
                    found.put(square, _LETTERS[letter.lower()], letter.isupper())
                    file += 1
                else:
                    raise ValueError(f"{letter!r} is not a piece that fits here: {fen!r}")
            if file != 8:
                raise ValueError(f"the rank {text!r} does not have eight squares: {fen!r}")
        state = self._edit()
        state.kinds, state.occupied_co, state.promoted = found.kinds, found.occupied_co, found.promoted

    def set_board_fen(self, fen: str) -> None:
        """Reads the first field of a FEN."""
        self._set_board_fen(fen)

    def piece_map(self, *, mask: Bitboard = BB_ALL) -> Dict[int, Piece]:
        """The pieces by their squares."""
        pieces = {}
        for square in scan_reversed(self.occupied & mask):
            piece = self.piece_at(square)
            if piece is not None:
                pieces[square] = piece
        return pieces

    def _set_piece_map(self, pieces: Mapping[int, Piece]) -> None:
        self._clear_board()
        state = self._edit()
        for square, piece in pieces.items():
            state.put(square, piece.piece_type, piece.color)

    def set_piece_map(self, pieces: Mapping[int, Piece]) -> None:
        """Sets all pieces up from a dictionary by squares."""
        self._set_piece_map(pieces)

    def _set_chess960_pos(self, scharnagl: int) -> None:
        rank = _chess960_rank(scharnagl)
        self._set_board_fen(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()}")

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Sets up the starting position of Chess960 of a number from 0 to 959."""
        self._set_chess960_pos(scharnagl)

    def chess960_pos(self) -> Optional[int]:
        """The number of the starting position of Chess960, or None."""
        ranks = self.board_fen().split("/")
        if ranks[1:7] != ["pppppppp", "8", "8", "8", "8", "PPPPPPPP"] or ranks[7] != ranks[0].upper():
            return None
        return None if self.promoted else _chess960_number(ranks[0])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    def _lines(self, cell: Callable[[int], str]) -> str:
        ranks = range(7, -1, -1)
        return "\n".join(" ".join(cell(8 * rank + file) for file in range(8)) for rank in ranks)

    def __str__(self) -> str:
        pieces = self.piece_map()
        return self._lines(lambda square: pieces[square].symbol() if square in pieces else ".")

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: bool = True,
    ) -> str:
        """The board drawn with Unicode figures."""
        pieces, text = self.piece_map(), ""
        ranks, files = (range(7, -1, -1), range(8)) if orientation else (range(8), range(7, -1, -1))
        rule = "  " + "-" * 17 + "\n"
        for row, rank in enumerate(ranks):
            if borders:
                text += f"{rule}{rank + 1} "
            elif row:
                text += "\n"
            cells = []
            for file in files:
                piece = pieces.get(8 * rank + file)
                cells.append(empty_square if piece is None else piece.unicode_symbol(invert_color=invert_color))
            text += "|" + "|".join(cells) + "|\n" if borders else " ".join(cells)
        if borders:
            text += rule + "   " + " ".join(FILE_NAMES[file] for file in files)
        return text

    def _repr_svg_(self) -> str:
        from tabiya.compat import svg

        return svg.board(self, size=390)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseBoard):
            return NotImplemented
        mine, others = self._get(), other._get()
        return mine.kinds == others.kinds and mine.occupied_co == others.occupied_co

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Changes all sets of squares by a function such as `flip_vertical`."""
        state = self._edit()
        state.kinds = [f(mask) for mask in state.kinds]
        state.occupied_co = [f(mask) for mask in state.occupied_co]
        state.promoted = f(state.promoted)

    def transform(self: _BaseBoardT, f: Callable[[Bitboard], Bitboard]) -> _BaseBoardT:
        """A changed copy."""
        board = self.copy()
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the colours."""
        self.apply_transform(flip_vertical)
        self._edit().occupied_co.reverse()

    def mirror(self: _BaseBoardT) -> _BaseBoardT:
        """A copy turned upside down with the colours exchanged."""
        board = self.copy()
        board.apply_mirror()
        return board

    def copy(self: _BaseBoardT) -> _BaseBoardT:
        """A copy."""
        board = type(self)(None)
        board._state = self._get().copy()
        return board

    def __copy__(self: _BaseBoardT) -> _BaseBoardT:
        return self.copy()

    def __deepcopy__(self: _BaseBoardT, memo: Dict[int, object]) -> _BaseBoardT:
        board = self.copy()
        memo[id(self)] = board
        return board

    @classmethod
    def empty(cls: Type[_BaseBoardT]) -> _BaseBoardT:
        """A board without pieces."""
        return cls(None)

    @classmethod
    def from_chess960_pos(cls: Type[_BaseBoardT], scharnagl: int) -> _BaseBoardT:
        """A starting position of Chess960."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board


class Board(BaseBoard):
    """python-chess's board: it may be empty or against the rules, and `push` plays anything.

    >>> board = Board(None)
    >>> board.status() == Status.EMPTY | Status.NO_WHITE_KING | Status.NO_BLACK_KING
    True
    """

    aliases: ClassVar[List[str]] = ["Standard", "Chess", "Classical", "Normal", "Illegal", "From Position"]
    uci_variant: ClassVar[Optional[str]] = "chess"
    xboard_variant: ClassVar[Optional[str]] = "normal"
    starting_fen: ClassVar[str] = STARTING_FEN
    one_king: ClassVar[bool] = True
    captures_compulsory: ClassVar[bool] = False

    def __init__(self, fen: Optional[str] = STARTING_FEN, *, chess960: bool = False) -> None:
        self._chess960 = chess960
        # The compiled board, if there is one for the position. `_state` may be missing then.
        self._core: Optional[CoreBoard] = None
        self._core_tried = False
        # How many moves had been played when the compiled board was made: it does not know them.
        self._core_base = 0
        # For each move the state before it, or None if the compiled board can take the move back; and whether it has
        # played the move.
        self._saved: List[Tuple[Optional[State], bool]] = []
        self.move_stack: List[Move] = []
        if fen == STARTING_FEN and not chess960:
            self._state: Optional[State] = None
            self._core = CoreBoard()
        else:
            self._state = State()
            if fen is not None:
                self.set_fen(fen)

    # The two boards

    def _get(self) -> State:
        if self._state is None:
            assert self._core is not None
            self._state = State.of(self._core)
        return self._state

    def _leave_core(self) -> None:
        """Gives the compiled board up, after it has told all that it knows."""
        if self._core is None:
            return
        self._get()
        earlier = None
        for index in range(len(self._saved) - 1, self._core_base - 1, -1):
            state, _ = self._saved[index]
            earlier = self._core.copy() if earlier is None else earlier
            earlier.pop()
            self._saved[index] = (State.of(earlier) if state is None else state, False)
        self._core = None

    def _edit(self) -> State:
        self._leave_core()
        self._core_tried = False
        return self._get()

    def _try_core(self) -> Optional[CoreBoard]:
        """The compiled board, if the position is legal."""
        if self._core is None and not self._core_tried:
            self._core_tried = True
            self._core = self._make_core()
            self._core_base = len(self._saved)
        return self._core

    def _make_core(self) -> Optional[CoreBoard]:
        state = self._get()
        if popcount(state.kinds[KING]) != 2 or state.promoted:
            return None
        if state.castling_rights != state.clean_castling_rights(self._chess960):
            return None
        if state.ep_square is not None and state.valid_ep_square() is None:
            return None
        square = "-" if state.ep_square is None else FILE_NAMES[state.ep_square & 7] + str((state.ep_square >> 3) + 1)
        fields = [self.board_fen(), "w" if state.turn else "b", self.castling_shredder_fen(), square]
        try:
            core = CoreBoard(" ".join([*fields, str(state.halfmove_clock), str(state.fullmove_number)]))
        except (ValueError, OverflowError):
            return None
        core.chess960 = self._chess960
        same = (core.halfmove_clock, core.fullmove_number, core.castling_rights) == (
            state.halfmove_clock,
            state.fullmove_number,
            state.castling_rights,
        )
        if not same or (core.ep_square is None and any(state.pseudo_legal_ep())):
            return None
        return core

    # Fields

    @property
    def chess960(self) -> bool:
        """Whether castling is written as the king taking its rook."""
        return self._chess960

    @chess960.setter
    def chess960(self, value: bool) -> None:
        if value != self._chess960:
            self._edit()
            self._chess960 = value

    @property
    def turn(self) -> bool:
        """The side to move."""
        return self._core.turn if self._core is not None else self._get().turn

    @turn.setter
    def turn(self, value: bool) -> None:
        self._edit().turn = bool(value)

    @property
    def castling_rights(self) -> Bitboard:
        """The rooks that may castle."""
        return self._get().castling_rights

    @castling_rights.setter
    def castling_rights(self, value: Bitboard) -> None:
        self._edit().castling_rights = value & BB_ALL

    @property
    def ep_square(self) -> Optional[int]:
        """The square that a pawn has just passed."""
        return self._get().ep_square

    @ep_square.setter
    def ep_square(self, value: Optional[int]) -> None:
        self._edit().ep_square = value

    @property
    def halfmove_clock(self) -> int:
        """The number of halfmoves since the last capture or pawn move."""
        return self._get().halfmove_clock

    @halfmove_clock.setter
    def halfmove_clock(self, value: int) -> None:
        self._edit().halfmove_clock = value

    @property
    def fullmove_number(self) -> int:
        """The number of the move."""
        return self._get().fullmove_number

    @fullmove_number.setter
    def fullmove_number(self, value: int) -> None:
        self._edit().fullmove_number = value

    @property
    def legal_moves(self) -> LegalMoveGenerator:
        """The legal moves: iterate, count, ask with `in`."""
        return LegalMoveGenerator(self)

    @property
    def pseudo_legal_moves(self) -> PseudoLegalMoveGenerator:
        """The moves that may leave the king in check."""
        return PseudoLegalMoveGenerator(self)

    # Pieces, which the compiled board knows if there is one

    def piece_at(self, square: int) -> Optional[Piece]:
        """The piece on a square, or None."""
        return super().piece_at(square) if self._core is None else self._core.piece_at(square)

    def piece_type_at(self, square: int) -> Optional[int]:
        """The kind of the piece on a square, or None."""
        return super().piece_type_at(square) if self._core is None else self._core.piece_type_at(square)

    def color_at(self, square: int) -> Optional[bool]:
        """The colour of the piece on a square, or None."""
        return super().color_at(square) if self._core is None else self._core.color_at(square)

    def attacks_mask(self, square: int) -> Bitboard:
        """The squares that the piece on a square attacks, as a number."""
        return super().attacks_mask(square) if self._core is None else self._core.attacks_mask(square)

    def attackers_mask(self, color: bool, square: int, occupied: Optional[Bitboard] = None) -> Bitboard:
        """The pieces of a colour that attack a square, as a number."""
        if self._core is None:
            return super().attackers_mask(color, square, occupied)
        return self._core.attackers_mask(color, square, occupied)

    def pin_mask(self, color: bool, square: int) -> Bitboard:
        """The line that a pinned piece must stay on, as a number."""
        return super().pin_mask(color, square) if self._core is None else self._core.pin_mask(color, square)

    # Setting up

    def _forget_moves(self) -> None:
        self._edit()
        self._saved.clear()
        self.move_stack.clear()

    def clear_stack(self) -> None:
        """Forgets the moves, but keeps the position."""
        self._forget_moves()

    def reset(self) -> None:
        """Sets up the starting position."""
        self.set_fen(STARTING_FEN)

    def reset_board(self) -> None:
        """Sets the pieces up as at the start, and forgets the moves."""
        self._forget_moves()
        super().reset_board()

    def clear(self) -> None:
        """Makes the board empty, with White to move."""
        self._forget_moves()
        self._state = State()

    def clear_board(self) -> None:
        """Removes all pieces, and forgets the moves."""
        self._forget_moves()
        super().clear_board()

    def set_board_fen(self, fen: str) -> None:
        """Reads the first field of a FEN, and forgets the moves."""
        self._forget_moves()
        super().set_board_fen(fen)

    def set_piece_map(self, pieces: Mapping[int, Piece]) -> None:
        """Sets all pieces up, and forgets the moves."""
        self._forget_moves()
        super().set_piece_map(pieces)

    def remove_piece_at(self, square: int) -> Optional[Piece]:
        """Removes the piece on a square, and forgets the moves."""
        self._forget_moves()
        return super().remove_piece_at(square)

    def set_piece_at(self, square: int, piece: Optional[Piece], promoted: bool = False) -> None:
        """Puts a piece on a square, and forgets the moves."""
        self._forget_moves()
        super().set_piece_at(square, piece, promoted)

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Sets up a starting position of Chess960."""
        self._forget_moves()
        self._state = State()
        self._chess960 = True
        self._set_chess960_pos(scharnagl)
        state = self._edit()
        state.castling_rights = state.kinds[ROOK]

    def chess960_pos(
        self, *, ignore_turn: bool = False, ignore_castling: bool = False, ignore_counters: bool = True
    ) -> Optional[int]:
        """The number of the starting position of Chess960, or None."""
        if self.ep_square is not None or not (ignore_turn or self.turn):
            return None
        if not ignore_castling and self.clean_castling_rights() != self.rooks:
            return None
        if not ignore_counters and (self.fullmove_number != 1 or self.halfmove_clock != 0):
            return None
        return super().chess960_pos()

    def root(self: _BoardT) -> _BoardT:
        """The board before the first move."""
        board = self.copy()
        while board.move_stack:
            board.pop()
        board.clear_stack()
        return board

    def ply(self) -> int:
        """The number of halfmoves since the first move of the game."""
        return 2 * (self.fullmove_number - 1) + (not self.turn)

    # Lists of moves

    def _moves(self, moves: Iterable[Triple]) -> Iterator[Move]:
        return map(untriple, moves)

    def generate_pseudo_legal_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """The moves that may leave the king in check."""
        return self._moves(self._get().copy().pseudo_legal(self._chess960, from_mask, to_mask))

    def generate_legal_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """The legal moves."""
        core = self._try_core()
        if core is None:
            return self._moves(list(self._get().legal(self._chess960, from_mask, to_mask)))
        if from_mask == to_mask == BB_ALL:
            return iter(core.legal_move_list())
        if to_mask == BB_ALL:
            return core.generate_legal_moves(from_mask)
        # The target of castling is the rook, for masks.
        rooked = self._get().to_rook
        return (
            move
            for move in core.generate_legal_moves(from_mask)
            if to_mask >> rooked(triple(move))[1] & 1
        )

    def generate_pseudo_legal_ep(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """Captures en passant that may leave the king in check."""
        return self._moves(self._get().pseudo_legal_ep(from_mask, to_mask))

    def generate_legal_ep(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """Legal captures en passant."""
        state = self._get()
        return self._moves(move for move in state.pseudo_legal_ep(from_mask, to_mask) if not state.is_into_check(move))

    def generate_pseudo_legal_captures(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        """Captures that may leave the king in check."""
        state = self._get().copy()
        moves = state.pseudo_legal(self._chess960, from_mask, to_mask)
        return self._moves(move for move in moves if state.is_capture(move))

    def generate_legal_captures(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """Legal captures."""
        core = self._try_core()
        if core is not None:
            return core.generate_legal_captures(from_mask, to_mask)
        state = self._get().copy()
        moves = state.legal(self._chess960, from_mask, to_mask)
        return self._moves(move for move in moves if state.is_capture(move))

    def generate_castling_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """Castling; the masks are those of the king and its rook."""
        state = self._get()
        moves = state.castling_moves(self._chess960)
        chosen = (move for move in moves if from_mask >> move[0] & 1 and to_mask >> move[1] & 1)
        return self._moves(state.from_rook(move, self._chess960) for move in chosen)

    # Check

    def checkers_mask(self) -> Bitboard:
        """The pieces that give check, as a number."""
        core = self._try_core()
        return core.checkers_mask() if core is not None else self._get().checkers()

    def checkers(self) -> SquareSet:
        """The pieces that give check."""
        return SquareSet(self.checkers_mask())

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers_mask())

    def gives_check(self, move: Move) -> bool:
        """Whether a move gives check."""
        after = self._get().copy()
        after.play(triple(move) if move else None)
        return bool(after.checkers())

    def is_into_check(self, move: Move) -> bool:
        """Whether a move leaves the king in check."""
        return self._get().is_into_check(triple(move))

    def was_into_check(self) -> bool:
        """Whether the side that is not to move is in check."""
        state = self._get()
        return state.is_attacked_king(not state.turn)

    def is_pseudo_legal(self, move: Move) -> bool:
        """Whether a piece can make a move, apart from check to its king."""
        return bool(move) and self._get().is_pseudo_legal(triple(move), self._chess960)

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal."""
        core = self._try_core()
        if core is not None:
            return core.is_legal(move)
        return bool(move) and self._get().is_legal(triple(move), self._chess960)

    # The end of the game

    def is_variant_end(self) -> bool:
        """Whether a rule of a variant has ended the game. There are no variants."""
        return False

    def is_variant_loss(self) -> bool:
        """Whether the side to move has lost by a rule of a variant. There are no variants."""
        return False

    def is_variant_win(self) -> bool:
        """Whether the side to move has won by a rule of a variant. There are no variants."""
        return False

    def is_variant_draw(self) -> bool:
        """Whether the game is drawn by a rule of a variant. There are no variants."""
        return False

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game has ended, or may by a claim."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """The result as in PGN."""
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome is not None else "*"

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game has ended, or may by a claim."""
        if self.is_checkmate():
            return Outcome(Termination.CHECKMATE, not self.turn)
        if self.is_insufficient_material():
            return Outcome(Termination.INSUFFICIENT_MATERIAL, None)
        if not self._has_legal_move():
            return Outcome(Termination.STALEMATE, None)
        if self.is_seventyfive_moves():
            return Outcome(Termination.SEVENTYFIVE_MOVES, None)
        if self.is_fivefold_repetition():
            return Outcome(Termination.FIVEFOLD_REPETITION, None)
        if claim_draw:
            if self.can_claim_fifty_moves():
                return Outcome(Termination.FIFTY_MOVES, None)
            if self.can_claim_threefold_repetition():
                return Outcome(Termination.THREEFOLD_REPETITION, None)
        return None

    def _has_legal_move(self) -> bool:
        core = self._try_core()
        if core is not None:
            return bool(core.legal_moves)
        return any(True for _ in self._get().legal(self._chess960))

    def is_checkmate(self) -> bool:
        """Whether the side to move is checkmated."""
        return self.is_check() and not self._has_legal_move()

    def is_stalemate(self) -> bool:
        """Whether the side to move is stalemated."""
        return not self.is_check() and not self._has_legal_move()

    def is_insufficient_material(self) -> bool:
        """Whether neither side can mate by any sequence of moves."""
        return all(self.has_insufficient_material(color) for color in (True, False))

    def has_insufficient_material(self, color: bool) -> bool:
        """Whether a side cannot mate by any sequence of moves."""
        return self._get().has_insufficient_material(color)

    def _is_halfmoves(self, count: int) -> bool:
        return self.halfmove_clock >= count and self._has_legal_move()

    def is_seventyfive_moves(self) -> bool:
        """Whether 75 moves have been made without capture or pawn move."""
        return self._is_halfmoves(150)

    def is_fifty_moves(self) -> bool:
        """Whether 50 moves have been made without capture or pawn move."""
        return self._is_halfmoves(100)

    def is_fivefold_repetition(self) -> bool:
        """Whether the position has occurred five times."""
        return self.is_repetition(5)

    def can_claim_draw(self) -> bool:
        """Whether the side to move may claim a draw."""
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def can_claim_fifty_moves(self) -> bool:
        """Whether the side to move may claim a draw by the fifty-move rule, now or by a move."""
        if self.is_fifty_moves():
            return True
        if self.halfmove_clock >= 99:
            for move in self.generate_legal_moves():
                if not self.is_zeroing(move):
                    self.push(move)
                    fifty = self.is_fifty_moves()
                    self.pop()
                    if fifty:
                        return True
        return False

    def _earlier_keys(self) -> List[Tuple[Any, ...]]:
        """The keys of the earlier positions, the latest first, as far as they can occur again."""
        board = self.copy()
        keys: List[Tuple[Any, ...]] = []
        while board.move_stack and len(keys) <= self.halfmove_clock:
            board.pop()
            keys.append(board._get().key(self._chess960))
        return keys

    def can_claim_threefold_repetition(self) -> bool:
        """Whether the position repeats for the third time, now or by a move."""
        core = self._try_core()
        if core is not None and self._core_base == 0:
            return core.can_claim_threefold_repetition()
        keys = self._earlier_keys()
        now = self._get().key(self._chess960)
        if keys.count(now) >= 2:
            return True
        for move in self._get().legal(self._chess960):
            after = self._get().copy()
            after.play(move)
            if [now, *keys].count(after.key(self._chess960)) >= 2:
                return True
        return False

    def is_repetition(self, count: int = 3) -> bool:
        """Whether the position has occurred at least this many times."""
        core = self._try_core()
        if core is not None and self._core_base == 0:
            return core.is_repetition(count)
        return self._earlier_keys().count(self._get().key(self._chess960)) + 1 >= count

    # Playing

    def push(self, move: Move) -> None:
        """Plays a move, legal or not."""
        core = self._try_core()
        if core is not None:
            try:
                core.push(move)
            except IllegalMoveError:
                pass
            else:
                self._saved.append((self._state, True))
                self._state = None
                self.move_stack.append(core.peek())
                return
        self._leave_core()
        state = self._get()
        after = state.copy()
        after.castling_rights = state.clean_castling_rights(self._chess960)
        if not move:
            after.play(None)
        else:
            if move.drop is not None:
                raise ValueError(f"pieces are not dropped in chess: {move.uci()}")
            played = state.to_rook(triple(move))
            move = untriple(state.from_rook(played, self._chess960))
            after.play(played)
        self._state = after
        self._saved.append((state, False))
        self.move_stack.append(move)
        self._core_tried = False

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        move = self.move_stack.pop()
        state, by_core = self._saved.pop()
        if by_core and self._core is not None:
            self._core.pop()
        else:
            self._core = None
            self._core_tried = False
        self._state = state
        return move

    def peek(self) -> Move:
        """The last move."""
        return self.move_stack[-1]

    def find_move(self, from_square: int, to_square: int, promotion: Optional[int] = None) -> Move:
        """The legal move between two squares. A pawn that reaches the last rank becomes a queen unless you say so."""
        state = self._get()
        if promotion is None and state.kinds[PAWN] >> from_square & 1 and 1 << to_square & BB_BACKRANKS:
            promotion = QUEEN
        played = state.to_rook((from_square, to_square, promotion or 0))
        move = untriple(state.from_rook(played, self._chess960))
        if not self.is_legal(move):
            raise IllegalMoveError(f"no legal move goes there: {move.uci()} in {self.fen()}")
        return move

    # FEN

    def castling_shredder_fen(self) -> str:
        """The castling rights as the files of the rooks."""
        rights, text = self.clean_castling_rights(), ""
        for rank, upper in ((BB_RANK_1, True), (BB_RANK_8, False)):
            names = (FILE_NAMES[square & 7] for square in scan_reversed(rights & rank))
            text += "".join(name.upper() if upper else name for name in names)
        return text or "-"

    def castling_xfen(self) -> str:
        """The castling rights as K, Q, k and q, or as files if other rooks stand farther out."""
        state, rights, text = self._get(), self.clean_castling_rights(), ""
        for color, rank in ((True, BB_RANK_1), (False, BB_RANK_8)):
            king = state.king(color)
            if king is None:
                continue
            for rook in scan_reversed(rights & rank):
                outside = rank & ((1 << rook) - 1) if rook < king else rank >> rook + 1 << rook + 1
                if outside & state.kinds[ROOK] & state.occupied_co[color]:
                    letter = FILE_NAMES[rook & 7]
                else:
                    letter = "q" if rook < king else "k"
                text += letter.upper() if color else letter
        return text or "-"

    def has_pseudo_legal_en_passant(self) -> bool:
        """Whether a pawn stands ready to capture en passant."""
        return self.ep_square is not None and any(True for _ in self._get().pseudo_legal_ep())

    def has_legal_en_passant(self) -> bool:
        """Whether a capture en passant is legal."""
        return self._get().has_legal_en_passant(self._chess960)

    def _fen_parts(self, shredder: bool, en_passant: str, promoted: Optional[bool]) -> List[str]:
        square = self.ep_square
        if en_passant == "legal":
            shown = square is not None and self.has_legal_en_passant()
        elif en_passant == "xfen":
            shown = square is not None and self.has_pseudo_legal_en_passant()
        else:
            shown = square is not None
        return [
            self.board_fen(promoted=promoted),
            "w" if self.turn else "b",
            self.castling_shredder_fen() if shredder else self.castling_xfen(),
            FILE_NAMES[square & 7] + str((square >> 3) + 1) if square is not None and shown else "-",
        ]

    def fen(
        self, *, shredder: bool = False, en_passant: EnPassantSpec = "legal", promoted: Optional[bool] = None
    ) -> str:
        """The FEN."""
        core, state = self._core, self._state
        if core is not None and (state is None or state.ep_square == core.ep_square):
            return core.fen(shredder=shredder, en_passant=en_passant)
        parts = self._fen_parts(shredder, en_passant, promoted)
        return " ".join([*parts, str(self.halfmove_clock), str(self.fullmove_number)])

    def shredder_fen(self, *, en_passant: EnPassantSpec = "legal", promoted: Optional[bool] = None) -> str:
        """The FEN with castling rights as files."""
        return self.fen(shredder=True, en_passant=en_passant, promoted=promoted)

    def set_fen(self, fen: str) -> None:
        """Reads a FEN. Fields at the end may be missing."""
        fields = fen.split()
        core = self._core_of(fen, fields)
        if core is not None:
            self._saved.clear()
            self.move_stack.clear()
            self._state, self._core, self._core_base = None, core, 0
            return
        if not fields:
            raise ValueError("the FEN is empty")
        if len(fields) > 6:
            raise ValueError(f"a FEN has six fields, not {len(fields)}: {fen!r}")
        fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
        placement, turn, castling, en_passant, halfmoves, fullmoves = fields
        if turn not in ("w", "b"):
            raise ValueError(f"the side to move is w or b, not {turn!r}: {fen!r}")
        if not _CASTLING_FIELD.match(castling):
            raise ValueError(f"{castling!r} are not castling rights: {fen!r}")
        square: Optional[int] = None
        if en_passant != "-":
            if len(en_passant) != 2 or en_passant[0] not in "abcdefgh" or en_passant[1] not in "12345678":
                raise ValueError(f"{en_passant!r} is not an en passant square: {fen!r}")
            square = 8 * (int(en_passant[1]) - 1) + "abcdefgh".index(en_passant[0])
        try:
            clock, number = int(halfmoves), int(fullmoves)
        except ValueError:
            raise ValueError(f"the counters must be numbers: {fen!r}") from None
        if clock < 0 or number < 0:
            raise ValueError(f"the counters cannot be negative: {fen!r}")
        pieces = BaseBoard(placement)._get()
        self._forget_moves()
        state = self._state = pieces
        state.turn = turn == "w"
        state.ep_square = square
        state.halfmove_clock, state.fullmove_number = clock, max(number, 1)
        self._set_castling_fen(castling)

    def _core_of(self, fen: str, fields: List[str]) -> Optional[CoreBoard]:
        """The compiled board, if it reads all of a FEN as python-chess does."""
        if len(fields) != 6 or self._chess960:
            return None
        try:
            core = CoreBoard(fen)
        except (ValueError, OverflowError):
            return None
        square = core.ep_square
        same = (
            not core.chess960
            and core.castling_xfen() == fields[2]
            and (fields[3] == "-" if square is None else fields[3] == SQUARE_NAMES[square])
            and str(core.halfmove_clock) == fields[4]
            and str(core.fullmove_number) == fields[5]
        )
        return core if same else None

    def _set_castling_fen(self, castling: str) -> None:
        if not _CASTLING_FIELD.match(castling):
            raise ValueError(f"{castling!r} are not castling rights")
        state, rights = self._edit(), 0
        for letter in castling.replace("-", ""):
            color = letter.isupper()
            rank = BB_RANK_1 if color else BB_RANK_8
            rooks = state.kinds[ROOK] & state.occupied_co[color] & rank
            king, side = state.king(color), letter.lower()
            if side == "q":
                rights |= rooks & -rooks if king is not None and rooks and lsb(rooks) < king else BB_FILE_A & rank
            elif side == "k":
                rights |= 1 << msb(rooks) if king is not None and msb(rooks) > king else BB_FILE_H & rank
            else:
                rights |= BB_FILE_A << FILE_NAMES.index(side) & rank
        state.castling_rights = rights

    def set_castling_fen(self, castling_fen: str) -> None:
        """Reads castling rights, and forgets the moves."""
        self._forget_moves()
        self._set_castling_fen(castling_fen)

    # EPD

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: EnPassantSpec = "legal",
        promoted: Optional[bool] = None,
        **operations: Any,
    ) -> str:
        """The EPD with operations: texts, numbers, moves, or lists of moves."""
        parts = self._fen_parts(shredder, en_passant, promoted)
        if operations:
            parts.append(write_operations(self, operations))
        return " ".join(parts)

    def set_epd(self, epd: str) -> Dict[str, Any]:
        """Reads an EPD, and returns its operations."""
        fields = epd.strip().rstrip(";").split(None, 4)
        operations = fields.pop() if len(fields) > 4 else ""
        # A read position must not be half new.
        board = type(self)(" ".join(fields), chess960=self._chess960)
        found = read_operations(operations, board.copy)
        if isinstance(found.get("hmvc"), int):
            board.halfmove_clock = found["hmvc"]
        if isinstance(found.get("fmvn"), int):
            board.fullmove_number = found["fmvn"]
        self._forget_moves()
        self._state = board._get()
        return found

    # Notation

    def san(self, move: Move) -> str:
        """A legal move in SAN."""
        core = self._try_core()
        if core is not None:
            return core.san(move)
        return self._notation(move, long=False)

    def lan(self, move: Move) -> str:
        """A legal move in long algebraic notation."""
        return self._notation(move, long=True)

    def _notation(self, move: Move, long: bool) -> str:
        if not move:
            return "--"
        state = self._get()
        numbers = state.to_rook(triple(move))
        start, end, promotion = numbers
        kind = state.kind_at(start)
        if kind is None:
            raise IllegalMoveError(f"there is no piece to move: {move.uci()} in {self.fen()}")
        side = state.castling_side(numbers)
        target = FILE_NAMES[end & 7] + str((end >> 3) + 1)
        origin = FILE_NAMES[start & 7] + str((start >> 3) + 1)
        capture = state.is_capture(numbers)
        if side is not None:
            text = "O-O" if side == "h" else "O-O-O"
        else:
            text = "" if kind == PAWN else (PIECE_SYMBOLS[kind] or "").upper()
            if long:
                text += origin
            elif kind == PAWN:
                text += origin[0] if capture else ""
            else:
                same = state.kinds[kind] & state.occupied_co[state.turn] & ~(1 << start)
                others = [other[0] for other in state.legal(self._chess960, same, 1 << end) if other[1] == end]
                if others:
                    if all(other & 7 != start & 7 for other in others):
                        text += origin[0]
                    elif all(other >> 3 != start >> 3 for other in others):
                        text += origin[1]
                    else:
                        text += origin
            text += ("x" if capture else "-" if long else "") + target
            if promotion:
                text += "=" + (PIECE_SYMBOLS[promotion] or "").upper()
        after = state.copy()
        after.play(numbers)
        if after.checkers():
            text += "+" if any(True for _ in after.legal(self._chess960)) else "#"
        return text

    def san_and_push(self, move: Move) -> str:
        """Plays a move and returns it in SAN."""
        san = self.san(move)
        self.push(move)
        return san

    def lan_and_push(self, move: Move) -> str:
        """Plays a move and returns it in long algebraic notation."""
        lan = self.lan(move)
        self.push(move)
        return lan

    def variation_san(self, variation: Iterable[Move]) -> str:
        """A sequence of moves in SAN, with move numbers."""
        board, parts = self.copy(stack=False), []
        for move in variation:
            if not board.is_legal(move):
                raise IllegalMoveError(f"illegal move {move.uci()} in {board.fen()}")
            if board.turn:
                parts.append(f"{board.fullmove_number}. {board.san_and_push(move)}")
            elif not parts:
                parts.append(f"{board.fullmove_number}...{board.san_and_push(move)}")
            else:
                parts.append(board.san_and_push(move))
        return " ".join(parts)

    def parse_san(self, san: str) -> Move:
        """Reads a legal move in SAN."""
        if san in ("O-O", "O-O+", "O-O#", "0-0", "0-0+", "0-0#"):
            return self._castling(san, "h")
        if san in ("O-O-O", "O-O-O+", "O-O-O#", "0-0-0", "0-0-0+", "0-0-0#"):
            return self._castling(san, "a")
        if san in ("--", "Z0", "0000", "@@@@"):
            return Move.null()
        match = _SAN.match(san)
        if not match:
            raise InvalidMoveError(f"{san!r} is not a move in SAN")
        letter, file, rank, target, promoted = match.groups()
        end = 8 * (int(target[1]) - 1) + FILE_NAMES.index(target[0])
        promotion = _LETTERS[promoted[-1].lower()] if promoted else None
        kind = _LETTERS[letter.lower()] if letter else PAWN
        core = self._try_core()
        if core is not None:
            try:
                move = core.parse_san(san)
            except ValueError:
                # The search below finds the same error, with python-chess's name for it.
                pass
            else:
                files = abs((move.from_square & 7) - (move.to_square & 7))
                # The compiled board also reads a pawn's capture without its file, and the king's square for castling.
                if letter and (kind != KING or files < 2) or not letter and not rank and (file or not files):
                    return move
        state = self._get()
        found: Optional[Move] = None
        if kind == PAWN and file is None:
            # A pawn's capture names its file.
            file = target[0]
        # `e2e4` and `g1f3` are read for any piece.
        any_piece = not letter and file is not None and rank is not None
        for move in self.generate_legal_moves():
            if move.to_square != end or move.promotion != promotion:
                continue
            start = move.from_square
            if file is not None and FILE_NAMES[start & 7] != file or rank is not None and str((start >> 3) + 1) != rank:
                continue
            if not any_piece and not state.kinds[kind] >> start & 1:
                continue
            if kind == KING and self.is_castling(move):
                continue
            if found is not None:
                raise AmbiguousMoveError(f"several pieces can make the move {san!r} in {self.fen()}")
            found = move
        if found is None:
            raise IllegalMoveError(f"illegal move {san!r} in {self.fen()}")
        return found

    def _castling(self, san: str, side: str) -> Move:
        for move in self.generate_castling_moves():
            if self._get().castling_side(triple(move)) == side and self.is_legal(move):
                return move
        raise IllegalMoveError(f"illegal move {san!r} in {self.fen()}")

    def push_san(self, san: str) -> Move:
        """Plays a move in SAN and returns it."""
        move = self.parse_san(san)
        self.push(move)
        return move

    def uci(self, move: Move, *, chess960: Optional[bool] = None) -> str:
        """A move in UCI notation, as this board spells castling."""
        state = self._get()
        chess960 = self._chess960 if chess960 is None else chess960
        if not move or move.drop is not None:
            return move.uci()
        return untriple(state.from_rook(state.to_rook(triple(move)), chess960)).uci()

    def parse_uci(self, uci: str) -> Move:
        """Reads a legal move in UCI notation."""
        move = Move.from_uci(uci)
        if not move:
            return move
        state = self._get()
        if move.drop is None:
            move = untriple(state.from_rook(state.to_rook(triple(move)), self._chess960))
        if not self.is_legal(move):
            raise IllegalMoveError(f"illegal move {uci!r} in {self.fen()}")
        return move

    def push_uci(self, uci: str) -> Move:
        """Plays a move in UCI notation and returns it."""
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def xboard(self, move: Move, chess960: Optional[bool] = None) -> str:
        """A move as XBoard writes it: castling of Chess960 as in SAN."""
        chess960 = self._chess960 if chess960 is None else chess960
        if not chess960 or not self.is_castling(move):
            return move.xboard()
        return "O-O" if self.is_kingside_castling(move) else "O-O-O"

    def parse_xboard(self, xboard: str) -> Move:
        """Reads a move as XBoard writes it, or in SAN."""
        return self.parse_san(xboard)

    def push_xboard(self, xboard: str) -> Move:
        """Plays a move as XBoard writes it, or in SAN, and returns it."""
        move = self.parse_xboard(xboard)
        self.push(move)
        return move

    # About a move

    def is_en_passant(self, move: Move) -> bool:
        """Whether a move captures en passant."""
        return self._get().is_en_passant(triple(move))

    def is_capture(self, move: Move) -> bool:
        """Whether a move captures."""
        return self._get().is_capture(triple(move))

    def is_zeroing(self, move: Move) -> bool:
        """Whether a move captures or moves a pawn."""
        touched = 1 << move.from_square | 1 << move.to_square
        state = self._get()
        return bool(touched & (state.kinds[PAWN] | state.occupied_co[not state.turn]))

    def is_irreversible(self, move: Move) -> bool:
        """Whether no sequence of moves leads back: a capture, a pawn move, or one that loses castling rights."""
        state = self._get()
        if not move:
            return self.has_legal_en_passant()
        rights = state.clean_castling_rights(self._chess960)
        after = state.copy()
        after.castling_rights = rights
        after.play(triple(move))
        return self.is_zeroing(move) or rights != after.castling_rights or self.has_legal_en_passant()

    def is_castling(self, move: Move) -> bool:
        """Whether a move castles."""
        return bool(move) and self._get().castling_side(triple(move)) is not None

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a move castles to the h-side."""
        return bool(move) and self._get().castling_side(triple(move)) == "h"

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a move castles to the a-side."""
        return bool(move) and self._get().castling_side(triple(move)) == "a"

    def clean_castling_rights(self) -> Bitboard:
        """The castling rights for which king and rook stand right."""
        return self._get().clean_castling_rights(self._chess960)

    def has_castling_rights(self, color: bool) -> bool:
        """Whether a side may still castle."""
        return bool(self.clean_castling_rights() & (BB_RANK_1 if color else BB_RANK_8))

    def _has_rights(self, color: bool, to_the_right: bool) -> bool:
        king = self.king(color)
        rights = self.clean_castling_rights() & (BB_RANK_1 if color else BB_RANK_8)
        return king is not None and any((rook > king) == to_the_right for rook in scan_reversed(rights))

    def has_kingside_castling_rights(self, color: bool) -> bool:
        """Whether a side may still castle to the h-side."""
        return self._has_rights(color, True)

    def has_queenside_castling_rights(self, color: bool) -> bool:
        """Whether a side may still castle to the a-side."""
        return self._has_rights(color, False)

    def has_chess960_castling_rights(self) -> bool:
        """Whether there are castling rights that only Chess960 has."""
        state = self._get()
        return state.clean_castling_rights(True) != state.clean_castling_rights(False)

    # Validity

    def status(self) -> Status:
        """What is wrong with the position."""
        state, errors = self._get(), Status.VALID
        if not state.occupied:
            errors |= Status.EMPTY
        white, black = state.occupied_co[1], state.occupied_co[0]
        if not white & state.kinds[KING]:
            errors |= Status.NO_WHITE_KING
        if not black & state.kinds[KING]:
            errors |= Status.NO_BLACK_KING
        if popcount(state.kinds[KING]) > 2:
            errors |= Status.TOO_MANY_KINGS
        if popcount(white) > 16:
            errors |= Status.TOO_MANY_WHITE_PIECES
        if popcount(black) > 16:
            errors |= Status.TOO_MANY_BLACK_PIECES
        if popcount(white & state.kinds[PAWN]) > 8:
            errors |= Status.TOO_MANY_WHITE_PAWNS
        if popcount(black & state.kinds[PAWN]) > 8:
            errors |= Status.TOO_MANY_BLACK_PAWNS
        if state.kinds[PAWN] & BB_BACKRANKS:
            errors |= Status.PAWNS_ON_BACKRANK
        if state.castling_rights != self.clean_castling_rights():
            errors |= Status.BAD_CASTLING_RIGHTS
        if state.ep_square != state.valid_ep_square():
            errors |= Status.INVALID_EP_SQUARE
        if state.is_attacked_king(not state.turn):
            errors |= Status.OPPOSITE_CHECK
        checkers = state.checkers()
        if popcount(checkers) > 2:
            errors |= Status.TOO_MANY_CHECKERS
        if state.is_impossible_check(checkers):
            errors |= Status.IMPOSSIBLE_CHECK
        return errors

    def is_valid(self) -> bool:
        """Whether nothing is wrong with the position."""
        return self.status() == Status.VALID

    # The whole

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self._chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def _repr_svg_(self) -> str:
        from tabiya.compat import svg

        check = self.king(self.turn) if self.is_check() else None
        return svg.board(self, size=390, lastmove=self.peek() if self.move_stack else None, check=check)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._get().key(self._chess960) == other._get().key(other._chess960)
            and self.halfmove_clock == other.halfmove_clock
            and self.fullmove_number == other.fullmove_number
            and type(self).uci_variant == type(other).uci_variant
        )

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Changes all sets of squares by a function, and forgets the moves."""
        self._forget_moves()
        super().apply_transform(f)
        state = self._edit()
        state.ep_square = None if state.ep_square is None else msb(f(1 << state.ep_square))
        state.castling_rights = f(state.castling_rights)

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the colours."""
        super().apply_mirror()
        self.turn = not self.turn

    def copy(self: _BoardT, *, stack: Union[bool, int] = True) -> _BoardT:
        """A copy, with all moves, the last few (`stack=8`), or none."""
        board = type(self)(None, chess960=self._chess960)
        state = None if self._state is None else self._state.copy()
        kept = len(self._saved) if stack is True else min(int(stack), len(self._saved))
        first = len(self._saved) - kept
        board.move_stack = self.move_stack[first:]
        board._saved = self._saved[first:]
        board._state, board._core_tried = state, self._core_tried
        if self._core is not None:
            known = min(kept, len(self._saved) - self._core_base)
            board._core = self._core.copy(stack=known)
            board._core_base = kept - known
        return board

    @classmethod
    def from_epd(cls: Type[_BoardT], epd: str, *, chess960: bool = False) -> Tuple[_BoardT, Dict[str, Any]]:
        """Reads an EPD: the board, and its operations."""
        board = cls(None, chess960=chess960)
        return board, board.set_epd(epd)

    def __getstate__(self) -> Dict[str, Any]:
        root = self.root()
        fields = (root.fen(en_passant="fen"), root.castling_rights, self._chess960, self.move_stack)
        return {"position": fields, "promoted": root.promoted}

    def __setstate__(self, pickled: Dict[str, Any]) -> None:
        fen, rights, chess960, moves = pickled["position"]
        self.__init__(fen, chess960=chess960)  # type: ignore[misc]
        self.castling_rights = rights
        self._edit().promoted = pickled["promoted"]
        for move in moves:
            self.push(move)


class _MoveGenerator:
    def __init__(self, board: Board) -> None:
        self.board = board

    def __iter__(self) -> Iterator[Move]:
        raise NotImplementedError

    def count(self) -> int:
        """The number of moves."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)


class LegalMoveGenerator(_MoveGenerator):
    """The legal moves of a board, whatever its position is when you ask."""

    def __iter__(self) -> Iterator[Move]:
        return self.board.generate_legal_moves()

    def count(self) -> int:
        """The number of moves."""
        core = self.board._try_core()
        return core.legal_moves.count() if core is not None else super().count()

    def __bool__(self) -> bool:
        return self.board._has_legal_move()

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self.board.is_legal(move)

    def __repr__(self) -> str:
        # In the order in which python-chess lists them.
        moves = map(untriple, self.board._get().legal(self.board.chess960))
        return f"<LegalMoveGenerator at {id(self):#x} ({', '.join(map(self.board.san, moves))})>"


class PseudoLegalMoveGenerator(_MoveGenerator):
    """The moves of a board that may leave the king in check."""

    def __iter__(self) -> Iterator[Move]:
        return self.board.generate_pseudo_legal_moves()

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self.board.is_pseudo_legal(move)

    def __repr__(self) -> str:
        board = self.board
        names = [board.san(move) if board.is_legal(move) else board.uci(move) for move in self]
        return f"<PseudoLegalMoveGenerator at {id(self):#x} ({', '.join(names)})>"
