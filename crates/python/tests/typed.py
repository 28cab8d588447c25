"""One typed example for each public item, for the type checkers. The tests run it too."""

from __future__ import annotations

import io
from typing import Dict, List, Optional, Tuple

import tabiya
import tabiya.compat as chess
import tabiya.encode
import tabiya.svg
from tabiya.compat import pgn, polyglot


def board() -> str:
    position = tabiya.Board()
    move: tabiya.Move = position.push_san("e4")
    moves: List[tabiya.Move] = list(position.legal_moves)
    assert position.is_legal(moves[0]) and move not in position.legal_moves
    piece: Optional[tabiya.Piece] = position.piece_at(tabiya.E4)
    assert piece is not None and piece.piece_type == tabiya.PAWN and piece.color == tabiya.WHITE
    attackers: tabiya.SquareSet = position.attackers(tabiya.BLACK, tabiya.F6)
    squares: List[int] = [square for square in attackers | {tabiya.A1}]
    assert len(squares) == 4
    pieces: Dict[int, tabiya.Piece] = position.piece_map()
    assert len(pieces) == 32
    opening: Optional[Tuple[str, str]] = position.opening()
    assert opening == ("B00", "King's Pawn Game")
    copied: tabiya.Board = position.copy(stack=False)
    assert copied == position
    outcome: Optional[tabiya.Outcome] = position.outcome(claim_draw=True)
    assert outcome is None
    name: str = tabiya.square_name(tabiya.parse_square("e4"))
    return position.fen(en_passant="fen") + name + tabiya.svg.board(position, size=200)[:4]


def errors() -> Tuple[str, tabiya.SquareSet]:
    try:
        tabiya.Board().push_uci("f1c4")
    except tabiya.IllegalMoveError as error:
        return error.reason, error.squares
    raise AssertionError("a bishop went through a pawn")


def games() -> List[str]:
    text = b'[White "Ann"]\n\n1. e4 (1. d4) e5 {[%clk 0:01:00]} *\n'
    table: tabiya.Games = tabiya.read_pgn(text, clocks=True)
    row: tabiya.GameRow = table[0]
    names: List[str] = [row.white, row.result, *row.sans()]
    for part in tabiya.iter_pgn(text, batch=10):
        names += [other.white for other in part]
    for game in tabiya.read_games(text):
        node: Optional[tabiya.GameNode] = game.next()
        while node is not None:
            names.append(node.san())
            clock: Optional[float] = node.clock()
            assert clock is None or clock == 60.0
            node = node.next()
        assert game.variations[1].move == tabiya.Move.from_uci("d2d4")
        game.headers["Black"] = "Bob"
        errors: List[tabiya.PgnError] = game.errors
        assert not errors and "Bob" in str(game)
    return names


def engine() -> Optional[str]:
    position = tabiya.Board("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")
    with tabiya.Engine(level=10, threads=1) as own:
        info: tabiya.Info = own.analyse(position, depth=3)
        lines: List[tabiya.Info] = own.analyse(position, depth=3, multipv=2)
        assert lines[0].score == info.score == tabiya.Score(mate=1)
        best: Optional[tabiya.Move] = own.best_move(position, nodes=1000)
        assert best is not None and info.pv[0] == best
        for report in own.infos(position, depth=2):
            assert report.nodes >= 0
    proof: Optional[List[tabiya.Move]] = tabiya.prove_mate(position, 1)
    return proof[0].uci() if proof else None


def arrays() -> Tuple[int, ...]:
    shape: Tuple[int, ...] = tabiya.encode.planes([tabiya.Board()], count=18).shape
    return shape


def compat() -> str:
    position = chess.Board(None)
    position.set_piece_at(chess.E1, chess.Piece.from_symbol("K"))
    status: chess.Status = position.status()
    assert status == chess.STATUS_NO_BLACK_KING and position.king(chess.WHITE) == chess.E1
    moves: List[chess.Move] = list(position.pseudo_legal_moves)
    position.push(moves[0])
    game: Optional[pgn.Game] = pgn.read_game(io.StringIO("1. e4 e5 *"))
    assert game is not None
    key: int = polyglot.zobrist_hash(game.end().board())
    assert key == tabiya.Board(game.end().board().fen()).key
    return position.fen()


if __name__ == "__main__":
    print(board(), errors(), games(), engine(), arrays())
