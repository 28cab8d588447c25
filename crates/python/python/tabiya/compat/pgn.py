"""Games as python-chess reads, changes and writes them."""

from __future__ import annotations

import enum
import io
import logging
import re
import weakref
from dataclasses import dataclass, field
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    Optional,
    Set,
    TextIO,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from tabiya._tabiya import Move
from tabiya.compat.engine import Cp, Mate, PovScore
from tabiya.compat._board import Board
from tabiya.compat.svg import Arrow
from tabiya.squares import STARTING_FEN

LOGGER = logging.getLogger(__name__)

NAG_NULL = 0
NAG_GOOD_MOVE = 1
NAG_MISTAKE = 2
NAG_BRILLIANT_MOVE = 3
NAG_BLUNDER = 4
NAG_SPECULATIVE_MOVE = 5
NAG_DUBIOUS_MOVE = 6
NAG_FORCED_MOVE = 7
NAG_SINGULAR_MOVE = 8
NAG_WORST_MOVE = 9
NAG_DRAWISH_POSITION = 10
NAG_QUIET_POSITION = 11
NAG_ACTIVE_POSITION = 12
NAG_UNCLEAR_POSITION = 13
NAG_WHITE_SLIGHT_ADVANTAGE = 14
NAG_BLACK_SLIGHT_ADVANTAGE = 15
NAG_WHITE_MODERATE_ADVANTAGE = 16
NAG_BLACK_MODERATE_ADVANTAGE = 17
NAG_WHITE_DECISIVE_ADVANTAGE = 18
NAG_BLACK_DECISIVE_ADVANTAGE = 19
NAG_WHITE_ZUGZWANG = 22
NAG_BLACK_ZUGZWANG = 23
NAG_WHITE_MODERATE_COUNTERPLAY = 132
NAG_BLACK_MODERATE_COUNTERPLAY = 133
NAG_WHITE_DECISIVE_COUNTERPLAY = 134
NAG_BLACK_DECISIVE_COUNTERPLAY = 135
NAG_WHITE_MODERATE_TIME_PRESSURE = 136
NAG_BLACK_MODERATE_TIME_PRESSURE = 137
NAG_WHITE_SEVERE_TIME_PRESSURE = 138
NAG_BLACK_SEVERE_TIME_PRESSURE = 139
NAG_NOVELTY = 146

_SIGNS = {
    "!": NAG_GOOD_MOVE,
    "?": NAG_MISTAKE,
    "!!": NAG_BRILLIANT_MOVE,
    "??": NAG_BLUNDER,
    "!?": NAG_SPECULATIVE_MOVE,
    "?!": NAG_DUBIOUS_MOVE,
}

_TAG = re.compile(r'\[([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"([^\r\n]*)"\s*\]\s*$')
_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*\Z")
_TOKEN = re.compile(
    r"""(?P<comment>\{)
      | (?P<rest>;)
      | (?P<open>\()
      | (?P<close>\))
      | \$(?P<nag>\d+)
      | (?P<result>\*|1-0|0-1|1/2-1/2)
      | (?P<move>[PNBRQK]?@[a-h][1-8]
          |[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?
          |--|Z0|0000|@@@@
          |[O0](?:-[O0]){1,2})
      | (?P<sign>[?!]{1,2})
    """,
    re.VERBOSE,
)

_ROSTER = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
}  # fmt: skip
_CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}
_STANDARD = {"", "standard", "chess", "classical", "normal", "illegal", "from position"}
_WILD = {f"wild/{name}" for name in ("0", "1", "2", "3", "4", "5", "6", "7", "8", "8a")} | {"wild"}

_CLOCK = r"\[%{}\s(\d+):(\d+):(\d+(?:\.\d*)?)\]"
_CLK, _EMT = (re.compile(rf"(?P<prefix>\s?){_CLOCK.format(name)}(?P<suffix>\s?)") for name in ("clk", "emt"))
_EVAL = re.compile(
    r"(?P<prefix>\s?)\[%eval\s(?:#(?P<mate>[+-]?\d+)|(?P<pawns>[+-]?(?:\d{0,10}\.\d{1,2}|\d{1,10}\.?)))"
    r"(?:,(?P<depth>\d+))?\](?P<suffix>\s?)"
)
_ARROW = r"[RGYB][a-h][1-8](?:[a-h][1-8])?"
_ARROWS = re.compile(rf"(?P<prefix>\s?)\[%(?:csl|cal)\s(?P<arrows>{_ARROW}(?:,{_ARROW})*)\](?P<suffix>\s?)")

ResultT = TypeVar("ResultT")
GameT = TypeVar("GameT", bound="Game")


class SkipType(enum.Enum):
    """Returned by a visitor to skip a part of a game."""

    SKIP = None


SKIP = SkipType.SKIP


class TimeControlType(enum.Enum):
    """How fast a game is."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclass
class TimeControlPart:
    """A part of a time control: moves (0 for the rest of the game), seconds, increment, delay."""

    moves: int = 0
    time: int = 0
    increment: float = 0
    delay: float = 0


@dataclass
class TimeControl:
    """A time control as in the tag of that name."""

    parts: List[TimeControlPart] = field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


def parse_time_control(time_control: str) -> TimeControl:
    """Reads a time control.

    >>> parse_time_control("300+3").type
    <TimeControlType.BLITZ: 4>
    """
    if not time_control or time_control == "?":
        return TimeControl()
    if time_control == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts: List[TimeControlPart] = []
    texts = time_control.split(":")
    for index, text in enumerate(texts):
        match = re.fullmatch(r"(?:(\d+)/)?(\d+)(?:\+(\d+(?:\.\d+)?))?(?:d(\d+(?:\.\d+)?))?", text)
        if not match or (match.group(1) is None and index + 1 < len(texts)):
            raise ValueError(f"{time_control!r} is not a time control")
        moves, seconds, increment, delay = match.groups()
        parts.append(TimeControlPart(int(moves or 0), int(seconds), _number(increment), _number(delay)))
    # What sixty moves take.
    estimate = parts[0].time + 60 * (parts[-1].increment if len(parts) == 1 else 0)
    if len(parts) > 1 or estimate >= 3600:
        kind = TimeControlType.STANDARD
    elif estimate >= 600:
        kind = TimeControlType.RAPID
    else:
        kind = TimeControlType.BLITZ if estimate >= 180 else TimeControlType.BULLET
    return TimeControl(parts, kind)


def _number(text: Optional[str]) -> float:
    return 0 if text is None else float(text) if "." in text else int(text)


class Headers(MutableMapping[str, str]):
    """The tags of a game, the seven of the roster first."""

    def __init__(self, data: Union[Mapping[str, str], Iterable[Tuple[str, str]], None] = None, **kwargs: str) -> None:
        self._tags: Dict[str, str] = {}
        if data is None and not kwargs:
            self._tags.update(_ROSTER)
        else:
            self.update(data or {}, **kwargs)

    def is_chess960(self) -> bool:
        """Whether the tags say Chess960."""
        return self.get("Variant", "").lower() in _CHESS960

    def is_wild(self) -> bool:
        """Whether the tags say one of the old servers' shuffled starting positions."""
        return self.get("Variant", "").lower() in _WILD

    def variant(self) -> Type[Board]:
        """The kind of board. There are no variants."""
        name = self.get("Variant", "").lower()
        if name not in _STANDARD and not self.is_chess960() and not self.is_wild():
            raise ValueError(f"there is no board for the variant {name!r}")
        return Board

    def board(self) -> Board:
        """The position from which the game starts."""
        return self.variant()(self.get("FEN", STARTING_FEN), chess960=self.is_chess960())

    def __setitem__(self, key: str, value: str) -> None:
        if not _TAG_NAME.match(key):
            raise ValueError(f"{key!r} is not a name of a tag")
        if "\n" in value or "\r" in value:
            raise ValueError(f"the value of the tag {key} has several lines")
        self._tags[key] = value

    def __getitem__(self, key: str) -> str:
        return self._tags[key]

    def __delitem__(self, key: str) -> None:
        del self._tags[key]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in _ROSTER if name in self._tags)
        yield from (name for name in self._tags if name not in _ROSTER)

    def __len__(self) -> int:
        return len(self._tags)

    def copy(self) -> Headers:
        """A copy."""
        return type(self)(self)

    def __copy__(self) -> Headers:
        return self.copy()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.items())})"

    @classmethod
    def builder(cls) -> HeadersBuilder:
        """A visitor that reads nothing but the tags."""
        return HeadersBuilder(Headers=lambda: cls({}))


def _clock_text(seconds: float) -> str:
    milliseconds = round(max(0.0, seconds) * 1000)
    whole, fraction = divmod(milliseconds, 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return text + (f".{fraction:03}".rstrip("0") if fraction else "")


class GameNode:
    """A position of a game, reached by a move; or the game itself."""

    parent: Optional[GameNode]
    move: Optional[Move]
    variations: List[ChildNode]
    comment: str
    starting_comment: str
    nags: Set[int]

    def __init__(self, *, comment: str = "") -> None:
        self.parent = None
        self.move = None
        self.variations = []
        self.comment = comment
        self.starting_comment = ""
        self.nags = set()

    def board(self) -> Board:
        """The position, with the moves that led to it."""
        moves, node = [], self
        while node.parent is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        board = node.board()
        for move in reversed(moves):
            board.push(move)
        return board

    def ply(self) -> int:
        """The number of halfmoves since the first move of the game."""
        count, node = 0, self
        while node.parent is not None:
            count, node = count + 1, node.parent
        return node.ply() + count

    def turn(self) -> bool:
        """The side to move."""
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """The first node."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> Game:
        """The game."""
        root = self.root()
        assert isinstance(root, Game)
        return root

    def end(self) -> GameNode:
        """The last node of the main variation from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Whether no move follows."""
        return not self.variations

    def starts_variation(self) -> bool:
        """Whether a side variation starts with this move."""
        return self.parent is not None and bool(self.parent.variations) and self.parent.variations[0] is not self

    def is_main_variation(self) -> bool:
        """Whether the move is the first of its parent's."""
        return self.parent is None or not self.parent.variations or self.parent.variations[0] is self

    def is_mainline(self) -> bool:
        """Whether the node is on the main line of the game."""
        node: GameNode = self
        while node.parent is not None:
            if node.starts_variation():
                return False
            node = node.parent
        return True

    def _index(self, move: Union[int, Move, GameNode]) -> int:
        if isinstance(move, int):
            if not -len(self.variations) <= move < len(self.variations):
                raise KeyError(move)
            return move % len(self.variations)
        for index, node in enumerate(self.variations):
            if node is move or (isinstance(move, Move) and node.move == move):
                return index
        raise KeyError(move)

    def variation(self, move: Union[int, Move, GameNode]) -> ChildNode:
        """A variation by its number or its move."""
        return self.variations[self._index(move)]

    def __getitem__(self, move: Union[int, Move, GameNode]) -> ChildNode:
        try:
            return self.variation(move)
        except KeyError:
            if isinstance(move, int):
                raise IndexError(move) from None
            raise

    def has_variation(self, move: Union[int, Move, GameNode]) -> bool:
        """Whether there is such a variation."""
        try:
            self._index(move)
        except KeyError:
            return False
        return True

    def __contains__(self, move: Union[int, Move, GameNode]) -> bool:
        return self.has_variation(move)

    def promote_to_main(self, move: Union[int, Move, GameNode]) -> None:
        """Makes a variation the main one."""
        self.variations.insert(0, self.variations.pop(self._index(move)))

    def promote(self, move: Union[int, Move, GameNode]) -> None:
        """Moves a variation one up."""
        index = self._index(move)
        if index > 0:
            self.variations.insert(index - 1, self.variations.pop(index))

    def demote(self, move: Union[int, Move, GameNode]) -> None:
        """Moves a variation one down."""
        index = self._index(move)
        self.variations.insert(index + 1, self.variations.pop(index))

    def remove_variation(self, move: Union[int, Move, GameNode]) -> None:
        """Removes a variation."""
        del self.variations[self._index(move)]

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Adds a variation and returns its node."""
        return ChildNode(self, move, comment=comment, starting_comment=starting_comment, nags=nags)

    def add_main_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> ChildNode:
        """Adds a variation as the main one."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def next(self) -> Optional[ChildNode]:
        """The next node of the main variation, or None."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Mainline[ChildNode]:
        """The nodes of the main variation from here."""
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> Mainline[Move]:
        """The moves of the main variation from here."""
        return Mainline(self, lambda node: node.move)

    def add_line(
        self, moves: Iterable[Move], *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Adds a sequence of moves. The comment and the NAGs go to the last of them."""
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        if node.comment and comment:
            node.comment += " " + comment
        else:
            node.comment = node.comment or comment
        node.nags.update(nags)
        return node

    # What comments say

    def _set_annotation(self, pattern: re.Pattern[str], text: str) -> None:
        """Replaces the first annotation, or adds one; without text, removes it."""
        if pattern.search(self.comment):
            done = False

            def replacement(match: re.Match[str]) -> str:
                nonlocal done
                prefix, suffix = match.group("prefix"), match.group("suffix")
                if text and not done:
                    done = True
                    return prefix + text + suffix
                return prefix and suffix

            self.comment = pattern.sub(replacement, self.comment)
        elif text:
            space = " " if self.comment and not self.comment.endswith(" ") else ""
            self.comment += space + text

    def eval(self) -> Optional[PovScore]:
        """The evaluation in the comment."""
        match = _EVAL.search(self.comment)
        if not match:
            return None
        if match.group("mate"):
            return PovScore(Mate(int(match.group("mate"))), True)
        return PovScore(Cp(round(float(match.group("pawns")) * 100)), True)

    def eval_depth(self) -> Optional[int]:
        """The depth of the evaluation in the comment."""
        match = _EVAL.search(self.comment)
        return int(match.group("depth")) if match and match.group("depth") else None

    def set_eval(self, score: Optional[PovScore], depth: Optional[int] = None) -> None:
        """Writes an evaluation into the comment, or removes it."""
        text = ""
        if score is not None:
            white = score.white()
            centipawns = white.score()
            value = f"#{white.mate()}" if centipawns is None else f"{centipawns / 100:.2f}"
            text = f"[%eval {value}{'' if depth is None else f',{depth}'}]"
        self._set_annotation(_EVAL, text)

    def arrows(self) -> List[Arrow]:
        """The arrows and circles in the comment."""
        found = []
        for match in _ARROWS.finditer(self.comment):
            found += [Arrow.from_pgn(text) for text in match.group("arrows").split(",")]
        return found

    def set_arrows(self, arrows: Iterable[Union[Arrow, Tuple[int, int]]]) -> None:
        """Writes arrows and circles into the comment."""
        circles: List[str] = []
        lines: List[str] = []
        for arrow in arrows:
            shape = arrow if isinstance(arrow, Arrow) else Arrow(arrow[0], arrow[1])
            (circles if shape.tail == shape.head else lines).append(shape.pgn())
        self._set_annotation(_ARROWS, "")
        prefix = f"[%csl {','.join(circles)}]" if circles else ""
        prefix += f"[%cal {','.join(lines)}]" if lines else ""
        if prefix:
            space = " " if self.comment and not self.comment.startswith(" ") else ""
            self.comment = prefix + space + self.comment

    def _seconds(self, pattern: re.Pattern[str]) -> Optional[float]:
        match = pattern.search(self.comment)
        if not match:
            return None
        hours, minutes, seconds = match.group(2, 3, 4)
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)

    def clock(self) -> Optional[float]:
        """The seconds on the mover's clock, in the comment."""
        return self._seconds(_CLK)

    def set_clock(self, seconds: Optional[float]) -> None:
        """Writes the mover's clock into the comment, or removes it."""
        self._set_annotation(_CLK, "" if seconds is None else f"[%clk {_clock_text(seconds)}]")

    def emt(self) -> Optional[float]:
        """The seconds that the move took, in the comment."""
        return self._seconds(_EMT)

    def set_emt(self, seconds: Optional[float]) -> None:
        """Writes the time of the move into the comment, or removes it."""
        self._set_annotation(_EMT, "" if seconds is None else f"[%emt {_clock_text(seconds)}]")

    # Visitors

    def _accept_moves(self, visitor: BaseVisitor[Any], board: Board) -> None:
        """Shows all that follows this node. The board is at this node, and so it is afterwards."""
        node: GameNode = self
        played = 0
        while node.variations:
            main = node.variations[0]
            main._accept_node(visitor, board)
            for variation in node.variations[1:]:
                if visitor.begin_variation() is not SKIP:
                    if variation.starting_comment:
                        visitor.visit_comment(variation.starting_comment)
                    variation._accept_node(visitor, board)
                    board.push(_move_of(variation))
                    variation._accept_moves(visitor, board)
                    board.pop()
                visitor.end_variation()
            board.push(_move_of(main))
            played += 1
            node = main
        for _ in range(played):
            board.pop()

    def _accept_node(self, visitor: BaseVisitor[Any], board: Board) -> None:
        move = _move_of(self)
        visitor.visit_move(board, move)
        board.push(move)
        visitor.visit_board(board)
        board.pop()
        for nag in sorted(self.nags):
            visitor.visit_nag(nag)
        if self.comment:
            visitor.visit_comment(self.comment)

    def _accept_as_game(self, visitor: BaseVisitor[ResultT], headers: Headers, board: Board) -> ResultT:
        if visitor.begin_game() is not SKIP:
            visitor.begin_headers()
            for name, value in headers.items():
                visitor.visit_header(name, value)
            if visitor.end_headers() is not SKIP:
                visitor.visit_board(board)
                if self.comment:
                    visitor.visit_comment(self.comment)
                self._accept_moves(visitor, board)
                visitor.visit_result(headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves from this node on to a visitor, this one first."""
        if self.parent is not None:
            board = self.parent.board()
            self._accept_node(visitor, board)
            board.push(_move_of(self))
            self._accept_moves(visitor, board)
        return visitor.result()

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the moves from this node on to a visitor, as a game of its own."""
        game = self.root()
        headers = game.headers.copy() if isinstance(game, Game) else Headers({})
        board = self.board()
        board.clear_stack()
        headers["SetUp"] = "1"
        headers["FEN"] = board.fen(en_passant="fen")
        return self._accept_as_game(visitor, headers, board)

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))


def _move_of(node: GameNode) -> Move:
    assert node.move is not None
    return node.move


class ChildNode(GameNode):
    """A node reached by a move."""

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        super().__init__(comment=comment)
        self.parent = parent
        self.move = move
        self.starting_comment = starting_comment
        self.nags.update(nags)
        parent.variations.append(self)

    def san(self) -> str:
        """The move in SAN."""
        assert self.parent is not None
        return self.parent.board().san(_move_of(self))

    def uci(self, *, chess960: Optional[bool] = None) -> str:
        """The move in UCI notation."""
        assert self.parent is not None
        return self.parent.board().uci(_move_of(self), chess960=chess960)

    def __repr__(self) -> str:
        assert self.parent is not None
        board = self.parent.board()
        dots = "." if board.turn else "..."
        return f"<{type(self).__name__} at {id(self):#x} ({board.fullmove_number}{dots} {self.san()} ...)>"


class Game(GameNode):
    """A game: its tags, the starting position, and the tree of moves.

    >>> game = Game()
    >>> node = game.add_variation(Move.from_uci("e2e4"))
    >>> str(game).splitlines()[-1]
    '1. e4 *'
    """

    headers: Headers
    errors: List[Exception]

    def __init__(self, headers: Union[Mapping[str, str], Iterable[Tuple[str, str]], None] = None) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    def board(self) -> Board:
        """The starting position."""
        return self.headers.board()

    def ply(self) -> int:
        """The number of halfmoves since the first move of the game."""
        return self.board().ply() if "FEN" in self.headers else 0

    def setup(self, board: Union[Board, str]) -> None:
        """Changes the starting position, in the tags."""
        if isinstance(board, Board):
            fen, chess960 = board.fen(), board.chess960
        else:
            fen = Board(board, chess960=True).fen()
            chess960 = Board(board, chess960=True).has_chess960_castling_rights()
        if fen == STARTING_FEN:
            self.headers.pop("FEN", None)
            self.headers.pop("SetUp", None)
        else:
            self.headers["FEN"] = fen
            self.headers["SetUp"] = "1"
        if chess960 and fen != STARTING_FEN:
            self.headers["Variant"] = "Chess960"
        else:
            self.headers.pop("Variant", None)

    def time_control(self) -> TimeControl:
        """The time control in the tags."""
        return parse_time_control(self.headers.get("TimeControl", "?"))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the game to a visitor."""
        return self._accept_as_game(visitor, self.headers, self.board())

    @classmethod
    def from_board(cls: Type[GameT], board: Board) -> GameT:
        """A game with the moves of a board."""
        game = cls()
        game.setup(board.root())
        game.add_line(board.move_stack)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: Type[GameT]) -> GameT:
        """A game without tags."""
        return cls(headers={})

    @classmethod
    def builder(cls: Type[GameT]) -> GameBuilder[GameT]:
        """A visitor that builds a game of this class."""
        return GameBuilder(Game=cls)

    def __repr__(self) -> str:
        names = {name: self.headers.get(name, "?") for name in ("White", "Black", "Date", "Site")}
        return (
            f"<{type(self).__name__} at {id(self):#x} ({names['White']!r} vs. {names['Black']!r}, {names['Date']!r} "
            f"at {names['Site']!r})>"
        )


MainlineT = TypeVar("MainlineT")


class Mainline(Generic[MainlineT]):
    """The main variation from a node on."""

    def __init__(self, start: GameNode, f: Callable[[ChildNode], Any]) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return bool(self.start.variations)

    def __iter__(self) -> Iterator[MainlineT]:
        node: GameNode = self.start
        while node.variations:
            node = node.variations[0]
            yield self.f(node)

    def __reversed__(self) -> Iterator[MainlineT]:
        return reversed(list(self))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Shows the main variation to a visitor."""
        board = self.start.board()
        node: GameNode = self.start
        while node.variations:
            node = node.variations[0]
            node._accept_node(visitor, board)
            board.push(_move_of(node))
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        return f"<Mainline at {id(self):#x} ({self})>"


class BaseVisitor(Generic[ResultT]):
    """Its methods are called for each part of a game, while the game is read or walked through."""

    def begin_game(self) -> Optional[SkipType]:
        """A game starts."""
        return None

    def begin_headers(self) -> Optional[Headers]:
        """The tags start. They are added to the headers that this returns."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""

    def end_headers(self) -> Optional[SkipType]:
        """The tags have ended. SKIP passes over the moves."""
        return None

    def begin_parse_san(self, board: Board, san: str) -> Optional[SkipType]:
        """A move comes. SKIP passes over it."""
        return None

    def parse_san(self, board: Board, san: str) -> Move:
        """Reads a move."""
        return board.parse_san(san)

    def visit_move(self, board: Board, move: Move) -> None:
        """A move; the board is that before it."""

    def visit_board(self, board: Board) -> None:
        """The starting position, and the one after each move."""

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph."""

    def begin_variation(self) -> Optional[SkipType]:
        """A variation starts. SKIP passes over it."""
        return None

    def end_variation(self) -> None:
        """A variation has ended."""

    def visit_result(self, result: str) -> None:
        """The result at the end of the moves."""

    def end_game(self) -> None:
        """The game has ended."""

    def result(self) -> ResultT:
        """What the visitor has made of the game."""
        raise NotImplementedError

    def handle_error(self, error: Exception) -> None:
        """An error in the game."""
        raise error


class GameBuilder(BaseVisitor[GameT]):
    """Builds the tree of a game."""

    def __init__(self, *, Game: Any = Game) -> None:
        self.Game: Any = Game

    def begin_game(self) -> Optional[SkipType]:
        self.game: GameT = self.Game()
        self.variation_stack: List[GameNode] = [self.game]
        self.starting_comment = ""
        self.in_variation = False
        return None

    def begin_headers(self) -> Optional[Headers]:
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        self.variation_stack[-1].nags.add(nag)

    def begin_variation(self) -> Optional[SkipType]:
        parent = self.variation_stack[-1].parent
        assert parent is not None, "a variation starts before the first move"
        self.variation_stack.append(parent)
        self.in_variation = False
        return None

    def end_variation(self) -> None:
        self.variation_stack.pop()
        self.in_variation = True

    def visit_result(self, result: str) -> None:
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def visit_comment(self, comment: str) -> None:
        node = self.variation_stack[-1]
        if self.in_variation or (node.parent is None and node.is_end()):
            node.comment = f"{node.comment} {comment}".strip(" ") if node.comment else comment
        else:
            self.starting_comment = f"{self.starting_comment} {comment}".strip(" ")

    def visit_move(self, board: Board, move: Move) -> None:
        node = self.variation_stack[-1].add_variation(move)
        node.starting_comment, self.starting_comment = self.starting_comment, ""
        self.variation_stack[-1] = node
        self.in_variation = True

    def handle_error(self, error: Exception) -> None:
        LOGGER.error("%s, in %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        return self.game


class HeadersBuilder(BaseVisitor[Headers]):
    """Reads nothing but the tags."""

    def __init__(self, *, Headers: Callable[[], Headers] = lambda: Headers({})) -> None:
        self.make_headers = Headers

    def begin_headers(self) -> Optional[Headers]:
        self.headers = self.make_headers()
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> Optional[SkipType]:
        return SKIP

    def result(self) -> Headers:
        return self.headers


class BoardBuilder(BaseVisitor[Board]):
    """Builds the last board of the main line."""

    def begin_game(self) -> Optional[SkipType]:
        self.skip_variation_depth = 0
        return None

    def begin_variation(self) -> Optional[SkipType]:
        self.skip_variation_depth += 1
        return SKIP

    def end_variation(self) -> None:
        self.skip_variation_depth = max(self.skip_variation_depth - 1, 0)

    def visit_board(self, board: Board) -> None:
        if not self.skip_variation_depth:
            self.board = board.copy()

    def result(self) -> Board:
        return self.board


class SkipVisitor(BaseVisitor[bool]):
    """Passes over a game."""

    def begin_game(self) -> Optional[SkipType]:
        return SKIP

    def end_headers(self) -> Optional[SkipType]:
        return SKIP

    def begin_variation(self) -> Optional[SkipType]:
        return SKIP

    def result(self) -> bool:
        return True


class StringExporterMixin:
    """Writes lines of tokens."""

    def __init__(
        self, *, columns: Optional[int] = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        self.columns, self.headers, self.comments, self.variations = columns, headers, comments, variations
        self.found_headers = False
        self.force_movenumber = True
        self.lines: List[str] = []
        self.current_line = ""
        self.variation_depth = 0

    def flush_current_line(self) -> None:
        """Ends the line."""
        if self.current_line:
            self.lines.append(self.current_line.rstrip())
        self.current_line = ""

    def write_token(self, token: str) -> None:
        """Writes a token, on a new line if this one is full."""
        if self.columns is not None and self.columns - len(self.current_line) < len(token):
            self.flush_current_line()
        self.current_line += token

    def write_line(self, line: str = "") -> None:
        """Writes a line."""
        self.flush_current_line()
        self.lines.append(line.rstrip())

    def begin_game(self) -> Optional[SkipType]:
        """A game starts."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A tag."""
        if self.headers:
            self.found_headers = True
            self.write_line(f'[{tagname} "{tagvalue}"]')

    def end_headers(self) -> Optional[SkipType]:
        """The tags have ended."""
        if self.found_headers:
            self.write_line()
        return None

    def begin_variation(self) -> Optional[SkipType]:
        """A variation starts."""
        self.variation_depth += 1
        if not self.variations:
            return SKIP
        self.write_token("( ")
        self.force_movenumber = True
        return None

    def end_variation(self) -> None:
        """A variation has ended."""
        self.variation_depth -= 1
        if self.variations:
            self.write_token(") ")
            self.force_movenumber = True

    def visit_comment(self, comment: str) -> None:
        """A comment."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token("{ " + comment.replace("}", "").strip() + " } ")
            self.force_movenumber = True

    def visit_nag(self, nag: int) -> None:
        """A numeric annotation glyph."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token(f"${nag} ")

    def visit_move(self, board: Board, move: Move) -> None:
        """A move."""
        if self.variations or not self.variation_depth:
            if board.turn:
                self.write_token(f"{board.fullmove_number}. ")
            elif self.force_movenumber:
                self.write_token(f"{board.fullmove_number}... ")
            self.write_token(board.san(move) + " ")
            self.force_movenumber = False

    def visit_result(self, result: str) -> None:
        """The result."""
        self.write_token(result + " ")


class StringExporter(StringExporterMixin, BaseVisitor[str]):
    """Writes a game as text."""

    def result(self) -> str:
        if self.current_line:
            return "\n".join([*self.lines, self.current_line.rstrip()]).rstrip()
        return "\n".join(self.lines).rstrip()

    def __str__(self) -> str:
        return self.result()


class FileExporter(StringExporterMixin, BaseVisitor[int]):
    """Writes games into a file."""

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self.handle = handle
        self.written = 0

    def begin_game(self) -> Optional[SkipType]:
        self.lines, self.current_line, self.written = [], "", 0
        self.found_headers, self.force_movenumber = False, True
        return None

    def end_game(self) -> None:
        self.write_line()
        self.written = self.handle.write("\n".join(self.lines) + "\n")

    def result(self) -> int:
        return self.written

    def __repr__(self) -> str:
        return f"<FileExporter at {id(self):#x}>"


# Lines that were read although they belong to the next game, with the place in the file to which they lead.
_ahead: "weakref.WeakKeyDictionary[Any, Tuple[int, str]]" = weakref.WeakKeyDictionary()


class _Lines:
    """The lines of a file, of which the last can be given back for the next game."""

    def __init__(self, handle: TextIO) -> None:
        self.handle = handle
        self.again: Optional[str] = None
        kept = _ahead.pop(handle, None) if isinstance(handle, (io.TextIOBase,)) else None
        if kept is not None and handle.tell() == kept[0]:
            self.again = kept[1]

    def next(self) -> str:
        if self.again is not None:
            line, self.again = self.again, None
            return line
        return self.handle.readline()

    def keep(self, line: str) -> None:
        """The line begins the next game."""
        if isinstance(self.handle, io.TextIOBase):
            _ahead[self.handle] = (self.handle.tell(), line)


def read_game(handle: TextIO, *, Visitor: Any = GameBuilder) -> Any:
    """Reads the next game of a file, or None at its end.

    >>> import io
    >>> read_game(io.StringIO("1. e4 e5 2. Nf3 *")).end().san()
    'Nf3'
    """
    lines = _Lines(handle)
    line = lines.next().lstrip("\ufeff")
    while line and (line.isspace() or line.startswith(("%", ";"))):
        line = lines.next()
    if not line:
        return None
    visitor: BaseVisitor[Any] = Visitor()
    skipped = visitor.begin_game() is SKIP
    line, headers, has_moves = _read_headers(lines, line, visitor, skipped)
    skipped = visitor.end_headers() is SKIP or skipped if not skipped else True
    if has_moves:
        _Movetext(lines, visitor, headers, skipped).read(line)
    elif not skipped:
        _first_board(visitor, headers)
    visitor.end_game()
    return visitor.result()


def _read_headers(
    lines: _Lines, line: str, visitor: BaseVisitor[Any], skipped: bool
) -> Tuple[str, Headers, bool]:
    """Reads the tags: the line after them, the tags, and whether moves follow."""
    headers = Headers({})
    started = blank = False
    while line:
        if line.startswith(("%", ";")):
            line = lines.next()
            continue
        match = _TAG.match(line)
        if match:
            if not started and not skipped:
                own = visitor.begin_headers()
                headers = headers if own is None else own
            started, blank = True, False
            headers[match.group(1)] = match.group(2)
            if not skipped:
                visitor.visit_header(match.group(1), match.group(2))
        elif line.isspace():
            if blank:
                return "", headers, False
            blank = True
        elif line.startswith("[") and started:
            # Not a tag that could be read.
            pass
        else:
            break
        line = lines.next()
    if not started and not skipped:
        visitor.begin_headers()
    return line, headers, bool(line)


def _first_board(visitor: BaseVisitor[Any], headers: Headers) -> Optional[Board]:
    try:
        board = headers.board()
    except ValueError as error:
        visitor.handle_error(error)
        return None
    visitor.visit_board(board)
    return board


class _Movetext:
    """Reads the moves of a game."""

    def __init__(self, lines: _Lines, visitor: BaseVisitor[Any], headers: Headers, skipped: bool) -> None:
        self.lines = lines
        self.visitor = visitor
        self.boards: List[Board] = []
        board = None if skipped else _first_board(visitor, headers)
        self.skipped = board is None
        if board is not None:
            self.boards.append(board)
        # How many parentheses must close before reading goes on.
        self.depth = 0

    def read(self, line: str) -> None:
        comment: Optional[List[str]] = None
        while line:
            position = 0
            if comment is None:
                if line.isspace():
                    return
                if line.startswith(("%", ";")):
                    line = self.lines.next()
                    continue
                if line.startswith("[") and _TAG.match(line):
                    self.lines.keep(line)
                    return
            while position < len(line):
                if comment is not None:
                    end = line.find("}", position)
                    comment.append(line[position:] if end < 0 else line[position:end])
                    position = len(line) if end < 0 else end + 1
                    if end >= 0:
                        self._comment("".join(comment))
                        comment = None
                    continue
                match = _TOKEN.search(line, position)
                if not match:
                    break
                position = match.end()
                if match.group("comment"):
                    comment = []
                elif match.group("rest"):
                    self._comment(line[position:].rstrip("\r\n"))
                    break
                else:
                    self._token(match)
            line = self.lines.next()
        if comment is not None:
            self._comment("".join(comment))

    def _comment(self, text: str) -> None:
        if not self.skipped and not self.depth:
            text = text[1:] if text.startswith(" ") else text
            self.visitor.visit_comment(text[:-1] if text.endswith(" ") else text.rstrip("\r\n"))

    def _token(self, match: re.Match[str]) -> None:
        if self.skipped:
            return
        kind = match.lastgroup
        text = match.group(kind) if kind else ""
        if kind == "open":
            self._open()
        elif kind == "close":
            self._close()
        elif self.depth:
            return
        elif kind == "nag":
            self.visitor.visit_nag(int(text))
        elif kind == "sign":
            nag = _SIGNS.get(text)
            if nag is not None and self.boards[-1].move_stack:
                self.visitor.visit_nag(nag)
        elif kind == "result":
            if len(self.boards) == 1:
                self.visitor.visit_result(text)
        else:
            self._move(text)

    def _open(self) -> None:
        if self.depth:
            self.depth += 1
        elif self.boards[-1].move_stack:
            if self.visitor.begin_variation() is SKIP:
                self.depth = 1
            board = self.boards[-1].copy()
            board.pop()
            self.boards.append(board)

    def _close(self) -> None:
        if self.depth > 1:
            self.depth -= 1
        elif len(self.boards) > 1:
            self.depth = 0
            self.boards.pop()
            self.visitor.end_variation()

    def _move(self, text: str) -> None:
        board = self.boards[-1]
        if self.visitor.begin_parse_san(board, text) is SKIP:
            return
        try:
            move = self.visitor.parse_san(board, text)
        except ValueError as error:
            self.visitor.handle_error(error)
            self.depth = 1
            return
        self.visitor.visit_move(board, move)
        board.push(move)
        self.visitor.visit_board(board)


def read_headers(handle: TextIO) -> Optional[Headers]:
    """Reads the tags of the next game, or None at the end of the file."""
    found: Optional[Headers] = read_game(handle, Visitor=Headers.builder)
    return found


def skip_game(handle: TextIO) -> bool:
    """Passes over the next game; False at the end of the file."""
    return bool(read_game(handle, Visitor=SkipVisitor))
