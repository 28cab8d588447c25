"""A position that may be anything: empty, without kings, or against the rules."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

from tabiya._tabiya import Board as CoreBoard
from tabiya.compat._bits import (
    BB_ALL,
    BB_BACKRANKS,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_3,
    BB_RANK_4,
    BB_RANK_5,
    BB_RANK_6,
    between,
    bishop_attacks,
    lsb,
    msb,
    popcount,
    ray,
    rook_attacks,
    scan_reversed,
)
from tabiya.squares import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

# A move as numbers: from, to, promotion or 0.
Triple = Tuple[int, int, int]

_BACKRANK = (0xFF << 56, 0xFF)


class State:
    """Bitboards and the other fields of a FEN."""

    __slots__ = (
        "kinds", "occupied_co", "promoted", "turn", "castling_rights", "ep_square", "halfmove_clock",
        "fullmove_number",
    )  # fmt: skip

    def __init__(self) -> None:
        # By the number of the kind; nothing is at 0.
        self.kinds: List[int] = [0] * 7
        # Black's, then White's.
        self.occupied_co: List[int] = [0, 0]
        self.promoted = 0
        self.turn = True
        self.castling_rights = 0
        self.ep_square: Optional[int] = None
        self.halfmove_clock = 0
        self.fullmove_number = 1

    @staticmethod
    def of(core: CoreBoard) -> State:
        state = State()
        state.kinds = [0, core.pawns, core.knights, core.bishops, core.rooks, core.queens, core.kings]
        state.occupied_co = list(core.occupied_co)
        state.turn = core.turn
        state.castling_rights = core.castling_rights
        state.ep_square = core.ep_square
        state.halfmove_clock = core.halfmove_clock
        state.fullmove_number = core.fullmove_number
        return state

    def copy(self) -> State:
        other = State.__new__(State)
        other.kinds = self.kinds[:]
        other.occupied_co = self.occupied_co[:]
        other.promoted = self.promoted
        other.turn = self.turn
        other.castling_rights = self.castling_rights
        other.ep_square = self.ep_square
        other.halfmove_clock = self.halfmove_clock
        other.fullmove_number = self.fullmove_number
        return other

    def key(self, chess960: bool) -> Tuple[Any, ...]:
        """What must be equal when a position repeats."""
        en_passant = self.ep_square if self.has_legal_en_passant(chess960) else None
        rights = self.clean_castling_rights(chess960)
        return (*self.kinds, *self.occupied_co, self.turn, rights, en_passant)

    # Pieces

    @property
    def occupied(self) -> int:
        return self.occupied_co[0] | self.occupied_co[1]

    def kind_at(self, square: int) -> Optional[int]:
        bit = 1 << square
        if not self.occupied & bit:
            return None
        for kind in range(1, 7):
            if self.kinds[kind] & bit:
                return kind
        return None

    def remove(self, square: int) -> Optional[int]:
        kind = self.kind_at(square)
        if kind is not None:
            bit = 1 << square
            self.kinds[kind] &= ~bit
            self.occupied_co[0] &= ~bit
            self.occupied_co[1] &= ~bit
            self.promoted &= ~bit
        return kind

    def put(self, square: int, kind: int, color: bool, promoted: bool = False) -> None:
        self.remove(square)
        bit = 1 << square
        self.kinds[kind] |= bit
        self.occupied_co[bool(color)] |= bit
        if promoted:
            self.promoted |= bit

    def king(self, color: bool) -> Optional[int]:
        kings = self.kinds[KING] & self.occupied_co[bool(color)] & ~self.promoted
        return msb(kings) if kings else None

    # Attacks

    def attacks(self, square: int) -> int:
        kind = self.kind_at(square)
        occupied = self.occupied
        if kind is None:
            return 0
        if kind == PAWN:
            return BB_PAWN_ATTACKS[self.occupied_co[1] >> square & 1][square]
        if kind == KNIGHT:
            return BB_KNIGHT_ATTACKS[square]
        if kind == KING:
            return BB_KING_ATTACKS[square]
        attacked = 0
        if kind != ROOK:
            attacked = bishop_attacks(square, occupied)
        if kind != BISHOP:
            attacked |= rook_attacks(square, occupied)
        return attacked

    def attackers(self, color: bool, square: int, occupied: Optional[int] = None) -> int:
        if occupied is None:
            occupied = self.occupied
        kinds = self.kinds
        attackers = BB_KNIGHT_ATTACKS[square] & kinds[KNIGHT] | BB_KING_ATTACKS[square] & kinds[KING]
        attackers |= BB_PAWN_ATTACKS[not color][square] & kinds[PAWN]
        if (sliders := (kinds[ROOK] | kinds[QUEEN]) & self.occupied_co[bool(color)]):
            attackers |= rook_attacks(square, occupied) & sliders
        if (sliders := (kinds[BISHOP] | kinds[QUEEN]) & self.occupied_co[bool(color)]):
            attackers |= bishop_attacks(square, occupied) & sliders
        return attackers & self.occupied_co[bool(color)]

    def pin(self, color: bool, square: int) -> int:
        king = self.king(color)
        if king is None or king == square:
            return BB_ALL
        line = ray(king, square)
        if not line:
            return BB_ALL
        straight = king >> 3 == square >> 3 or king & 7 == square & 7
        sliders = self.kinds[QUEEN] | (self.kinds[ROOK] if straight else self.kinds[BISHOP])
        for slider in scan_reversed(sliders & self.occupied_co[not color] & line & ~(1 << square)):
            shield = between(king, slider)
            if shield >> square & 1 and not shield & self.occupied & ~(1 << square):
                return line
        return BB_ALL

    def checkers(self) -> int:
        king = self.king(self.turn)
        return 0 if king is None else self.attackers(not self.turn, king)

    def is_attacked_king(self, color: bool) -> bool:
        king = self.king(color)
        return king is not None and bool(self.attackers(not color, king))

    # Castling

    def clean_castling_rights(self, chess960: bool) -> int:
        clean = 0
        for color in (False, True):
            king = self.king(color)
            rank = _BACKRANK[color]
            if king is None or not rank >> king & 1:
                continue
            rooks = self.castling_rights & self.kinds[ROOK] & self.occupied_co[color] & rank & ~self.promoted
            if not chess960:
                if king == (4 if color else 60):
                    clean |= rooks & 0x8100_0000_0000_0081
                continue
            right, left = rooks >> king << king, rooks & ((1 << king) - 1)
            if left:
                clean |= left & -left
            if right:
                clean |= 1 << msb(right)
        return clean

    def castling_moves(self, chess960: bool) -> Iterator[Triple]:
        """Castling as the king taking its rook."""
        color = self.turn
        king = self.king(color)
        if king is None:
            return
        rights = self.clean_castling_rights(chess960) & _BACKRANK[color]
        for rook in scan_reversed(rights):
            left = rook < king
            base = king & 56
            king_to, rook_to = (base + 2, base + 3) if left else (base + 6, base + 5)
            others = self.occupied & ~(1 << king) & ~(1 << rook)
            king_path = between(king, king_to) | 1 << king_to
            path = king_path | between(rook, rook_to) | 1 << rook_to
            if path & others:
                continue
            steps = scan_reversed(king_path | 1 << king)
            if any(self.attackers(not color, step, others | 1 << rook) for step in steps):
                continue
            # The rook may have shielded the king's new square.
            if self.attackers(not color, king_to, others | 1 << rook_to):
                continue
            yield king, rook, 0

    def castling_side(self, move: Triple) -> Optional[str]:
        """Whether a move castles: `a` or `h`, or None."""
        start, end, _ = move
        if not self.kinds[KING] & self.occupied_co[self.turn] & 1 << start:
            return None
        if self.kinds[ROOK] & self.occupied_co[self.turn] & 1 << end:
            return "a" if end < start else "h"
        if abs((start & 7) - (end & 7)) > 1:
            return "a" if end < start else "h"
        return None

    def to_rook(self, move: Triple) -> Triple:
        """Standard castling as the king taking its rook; other moves as they are."""
        start, end, promotion = move
        # In Chess960, the king may take a rook that stands there.
        if start in (4, 60) and self.kinds[KING] & 1 << start and not self.kinds[ROOK] & 1 << end:
            if end == start + 2:
                return start, start + 3, promotion
            if end == start - 2:
                return start, start - 4, promotion
        return move

    def from_rook(self, move: Triple, chess960: bool) -> Triple:
        """The king taking its rook as standard castling, unless the board speaks Chess960."""
        start, end, promotion = move
        if not chess960 and start in (4, 60) and self.kinds[KING] & 1 << start:
            if end == start + 3 and self.kinds[ROOK] & 1 << end:
                return start, start + 2, promotion
            if end == start - 4 and self.kinds[ROOK] & 1 << end:
                return start, start - 2, promotion
        return move

    # Moves

    def pseudo_legal(self, chess960: bool, from_mask: int = BB_ALL, to_mask: int = BB_ALL) -> Iterator[Triple]:
        own, enemies = self.occupied_co[self.turn], self.occupied_co[not self.turn]
        for start in scan_reversed(own & ~self.kinds[PAWN] & from_mask):
            for end in scan_reversed(self.attacks(start) & ~own & to_mask):
                yield start, end, 0
        for move in self.castling_moves(chess960):
            if from_mask >> move[0] & 1 and to_mask >> move[1] & 1:
                yield self.from_rook(move, chess960)
        pawns = own & self.kinds[PAWN] & from_mask
        if not pawns:
            return
        for start in scan_reversed(pawns):
            for end in scan_reversed(BB_PAWN_ATTACKS[self.turn][start] & enemies & to_mask):
                yield from _promotions(start, end)
        empty = ~self.occupied & BB_ALL
        if self.turn:
            once = pawns << 8 & empty
            twice = once << 8 & BB_RANK_4 & empty
            step = 8
        else:
            once = pawns >> 8 & empty
            twice = once >> 8 & BB_RANK_5 & empty
            step = -8
        for end in scan_reversed(once & to_mask):
            yield from _promotions(end - step, end)
        for end in scan_reversed(twice & to_mask):
            yield end - 2 * step, end, 0
        yield from self.pseudo_legal_ep(from_mask, to_mask)

    def pseudo_legal_ep(self, from_mask: int = BB_ALL, to_mask: int = BB_ALL) -> Iterator[Triple]:
        end = self.ep_square
        if end is None or not to_mask >> end & 1 or self.occupied >> end & 1:
            return
        pawns = self.kinds[PAWN] & self.occupied_co[self.turn] & from_mask
        pawns &= BB_PAWN_ATTACKS[not self.turn][end] & (BB_RANK_5 if self.turn else BB_RANK_4)
        for start in scan_reversed(pawns):
            yield start, end, 0

    def is_pseudo_legal(self, move: Triple, chess960: bool) -> bool:
        move = self.from_rook(move, chess960)
        return any(other == move for other in self.pseudo_legal(chess960, 1 << move[0]))

    def is_into_check(self, move: Triple) -> bool:
        after = self.copy()
        after.play(move)
        return after.is_attacked_king(self.turn)

    def legal(self, chess960: bool, from_mask: int = BB_ALL, to_mask: int = BB_ALL) -> Iterator[Triple]:
        for move in self.pseudo_legal(chess960, from_mask, to_mask):
            if not self.is_into_check(move):
                yield move

    def is_legal(self, move: Triple, chess960: bool) -> bool:
        return self.is_pseudo_legal(move, chess960) and not self.is_into_check(move)

    def is_en_passant(self, move: Triple) -> bool:
        start, end, _ = move
        return (
            self.ep_square == end
            and bool(self.kinds[PAWN] >> start & 1)
            and abs(end - start) in (7, 9)
            and not self.occupied >> end & 1
        )

    def is_capture(self, move: Triple) -> bool:
        touched = 1 << move[0] | 1 << move[1]
        return bool(touched & self.occupied_co[not self.turn]) or self.is_en_passant(move)

    def has_legal_en_passant(self, chess960: bool) -> bool:
        return self.ep_square is not None and any(not self.is_into_check(move) for move in self.pseudo_legal_ep())

    def play(self, move: Optional[Triple]) -> None:
        """Plays anything; None passes."""
        ep_square, self.ep_square = self.ep_square, None
        self.halfmove_clock += 1
        if not self.turn:
            self.fullmove_number += 1
        if move is None:
            self.turn = not self.turn
            return
        start, end, promotion = move = self.to_rook(move)
        color = self.turn
        self.ep_square = ep_square
        capture, en_passant, side = self.is_capture(move), self.is_en_passant(move), self.castling_side(move)
        self.ep_square = None
        promoted = bool(self.promoted >> start & 1)
        kind = self.remove(start)
        if kind is None:
            raise AssertionError(f"there is no piece on square {start} to move")
        if kind == PAWN or capture:
            self.halfmove_clock = 0
        self.castling_rights &= ~(1 << start) & ~(1 << end)
        if kind == KING and not promoted:
            self.castling_rights &= ~_BACKRANK[color]
        if kind == PAWN:
            if en_passant:
                self.remove(end - 8 if color else end + 8)
            elif end - start == 16 and start >> 3 == 1:
                self.ep_square = start + 8
            elif start - end == 16 and start >> 3 == 6:
                self.ep_square = start - 8
        if promotion:
            kind, promoted = promotion, True
        if side is not None:
            base = start & 56
            self.remove(end)
            self.put(base + (2 if side == "a" else 6), KING, color)
            self.put(base + (3 if side == "a" else 5), ROOK, color)
        else:
            self.put(end, kind, color, promoted)
        self.turn = not color

    # Whether the position is one of chess

    def valid_ep_square(self) -> Optional[int]:
        """The en passant square, if a double step can just have passed it."""
        if self.ep_square is None:
            return None
        bit = 1 << self.ep_square
        back = bit >> 8 if self.turn else bit << 8
        forth = bit << 8 if self.turn else bit >> 8
        right = bit & (BB_RANK_6 if self.turn else BB_RANK_3)
        if not right or not back & self.kinds[PAWN] & self.occupied_co[not self.turn]:
            return None
        return None if (bit | forth) & self.occupied else self.ep_square

    def is_impossible_check(self, checkers: int) -> bool:
        king = self.king(self.turn)
        if king is None or not checkers:
            return False
        square = self.valid_ep_square()
        if square is not None:
            # Only the pawn itself can give check, or a piece whose line it has opened.
            end = square - 8 if self.turn else square + 8
            start = square + 8 if self.turn else square - 8
            before = self.occupied & ~(1 << end) | 1 << start
            if popcount(checkers) > 1:
                return True
            return checkers != 1 << end and bool(self.attackers(not self.turn, king, before) & checkers)
        if popcount(checkers) > 2:
            return True
        return popcount(checkers) == 2 and bool(ray(lsb(checkers), msb(checkers)) >> king & 1)

    def has_insufficient_material(self, color: bool) -> bool:
        own, enemies = self.occupied_co[bool(color)], self.occupied_co[not color]
        pawns, knights, bishops = self.kinds[PAWN], self.kinds[KNIGHT], self.kinds[BISHOP]
        if own & (pawns | self.kinds[ROOK] | self.kinds[QUEEN]):
            return False
        # With a knight, any other piece on the board but a queen may block the enemy's king.
        if own & knights:
            return popcount(own) <= 2 and not enemies & ~self.kinds[KING] & ~self.kinds[QUEEN]
        if own & bishops:
            light = 0x55AA_55AA_55AA_55AA
            same_color = not bishops & light or not bishops & ~light
            return same_color and not pawns and not knights
        return True


def _promotions(start: int, end: int) -> Iterator[Triple]:
    if 1 << end & BB_BACKRANKS:
        for kind in (QUEEN, ROOK, BISHOP, KNIGHT):
            yield start, end, kind
    else:
        yield start, end, 0
