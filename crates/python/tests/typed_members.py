"""A typed example for each member of each public class that typed.py doesn't have. The tests run it too."""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

import tabiya
import tabiya.encode
import tabiya.svg
from tabiya import SquareSet


def moves() -> None:
    move = tabiya.Move(tabiya.A7, tabiya.A8, tabiya.QUEEN)
    squares: Tuple[int, int] = (move.from_square, move.to_square)
    kinds: Tuple[Optional[int], Optional[int]] = (move.promotion, move.drop)
    texts: List[str] = [move.uci(), move.xboard(), tabiya.Move.null().uci()]
    assert squares == (48, 56) and kinds == (5, None) and texts == ["a7a8q", "a7a8q", "0000"]
    legal: tabiya.LegalMoves = tabiya.Board().legal_moves
    count: int = legal.count()
    assert count == len(legal) == 20


def pieces() -> None:
    knight = tabiya.Piece.from_symbol("n")
    texts: List[str] = [knight.symbol(), knight.unicode_symbol(invert_color=True)]
    assert texts == ["n", "♘"] and tabiya.svg.piece(knight).startswith("<svg")


def square_sets() -> None:
    a = SquareSet([tabiya.A1, tabiya.B2])
    b: SquareSet = SquareSet.from_square(tabiya.B2) | SquareSet.ray(0, 63) & SquareSet.between(0, 27)
    mask: int = a.mask
    a.add(tabiya.C3)
    a.discard(tabiya.C3)
    a.remove(tabiya.B2)
    first: int = a.pop()
    assert (mask, first, len(a)) == (513, 0, 0)
    a.clear()
    a.update([tabiya.A1], b)
    a.intersection_update(b)
    a.difference_update([tabiya.C3])
    a.symmetric_difference_update(b)
    sets: List[SquareSet] = [a.union(b), a.intersection(b), a.difference(b), a.symmetric_difference(b), a.mirror(), a.copy()]
    facts: List[bool] = [a.isdisjoint(b), a.issubset(b), a.issuperset(b), a.tolist()[18]]
    assert len(sets) == 6 and facts == [False, True, False, True]
    subsets: Iterator[int] = b.carry_rippler()
    assert len(list(subsets)) == 4 and tabiya.svg.square_set(b).startswith("<svg")


def position() -> None:
    board = tabiya.Board.from_chess960_pos(518)
    numbers: List[int] = [board.fullmove_number, board.halfmove_clock, board.castling_rights, board.pawns, board.knights]
    numbers += [board.bishops, board.rooks, board.queens, board.kings, board.occupied, *board.occupied_co, board.key]
    numbers += [board.clean_castling_rights(), board.pieces_mask(tabiya.PAWN, True), board.attackers_mask(True, 16)]
    numbers += [board.attacks_mask(0), board.pin_mask(True, 8), board.checkers_mask(), board.king(True), board.ply()]
    assert all(isinstance(number, int) for number in numbers)
    facts: List[bool] = [board.turn, board.chess960, board.has_legal_en_passant(), board.has_castling_rights(True)]
    facts += [board.has_kingside_castling_rights(True), board.has_queenside_castling_rights(True), board.is_valid()]
    facts += [board.is_attacked_by(True, 16), board.is_pinned(True, 8)]
    assert facts == [True, True, False, True, True, True, True, True, False]
    perhaps: List[Optional[int]] = [board.ep_square, board.piece_type_at(tabiya.E1), board.color_at(tabiya.E4)]
    assert perhaps == [None, tabiya.KING, None]
    sets: List[SquareSet] = [board.attacks(1), board.pin(True, 8), board.checkers(), board.pieces(tabiya.KING, True)]
    pins: Dict[int, SquareSet] = board.pins(tabiya.WHITE)
    assert [len(squares) for squares in sets] == [3, 64, 0, 1] and not pins
    texts: List[str] = [board.castling_xfen(), board.castling_shredder_fen(), board.shredder_fen(), board.board_fen()]
    texts += [board.epd(), board.unicode(borders=True), *board.remarks()]
    assert texts[:2] == ["KQkq", "HAha"]
    read: Tuple[tabiya.Board, Dict[str, List[str]]] = tabiya.Board.from_epd('4k3/8/8/8/8/8/8/4K3 w - - id "x";')
    assert read[1] == {"id": ["x"]}
    board.set_fen(tabiya.STARTING_FEN)
    board.reset()
    mirrored: tabiya.Board = board.mirror()
    assert mirrored.turn == tabiya.BLACK and board.perft(2) == 400


def playing() -> None:
    board = tabiya.Board()
    lists: List[List[tabiya.Move]] = [board.legal_move_list(), board.move_stack]
    lists.append(list(board.generate_legal_moves(from_mask=SquareSet([tabiya.E2]))))
    lists.append(list(board.generate_legal_captures()))
    assert [len(found) for found in lists] == [20, 0, 2, 0]
    e4: tabiya.Move = board.find_move(tabiya.E2, tabiya.E4)
    assert e4 == board.parse_san("e4") == board.parse_uci("e2e4")
    texts: List[str] = [board.lan(e4), board.uci(e4), board.variation_san([e4]), board.explain("e5"), board.san_and_push(e4)]
    assert texts[:3] + texts[4:] == ["e2-e4", "e2e4", "1. e4", "e4"]
    answer: tabiya.Move = board.push_xboard("e7e5")
    facts: List[bool] = [board.is_legal(e4), board.gives_check(board.parse_san("Qh5")), board.is_zeroing(board.parse_san("d4"))]
    knight = board.parse_san("Nf3")
    facts += [board.is_capture(knight), board.is_en_passant(knight), board.is_castling(knight), board.is_irreversible(knight)]
    facts += [board.is_kingside_castling(knight), board.is_queenside_castling(knight)]
    assert facts == [False, False, True, False, False, False, False, False, False]
    root: tabiya.Board = board.root()
    assert root.ply() == 0 and board.peek() == answer == board.pop()
    board.clear_stack()
    theirs: Any = board.to_chess()
    assert tabiya.Board.from_chess(theirs) == board
    for error in (tabiya.AmbiguousMoveError, tabiya.InvalidMoveError, tabiya.IllegalMoveError):
        assert issubclass(error, ValueError)


def endings() -> None:
    board = tabiya.Board("k7/8/KQ6/8/8/8/8/8 b - - 100 99")
    facts: List[bool] = [board.is_check(), board.is_checkmate(), board.is_stalemate(), board.is_insufficient_material()]
    facts += [board.has_insufficient_material(tabiya.BLACK), board.is_seventyfive_moves(), board.is_fivefold_repetition()]
    facts += [board.is_fifty_moves(), board.is_repetition(3), board.can_claim_fifty_moves(), board.can_claim_draw()]
    facts += [board.can_claim_threefold_repetition(), board.is_game_over(claim_draw=True)]
    assert facts == [False, False, True, False, True, False, False, False, False, False, False, False, True]
    outcome: Optional[tabiya.Outcome] = board.outcome()
    assert outcome is not None and outcome.termination is tabiya.Termination.STALEMATE and outcome.winner is None
    assert outcome.result() == board.result() == "1/2-1/2"


def names() -> None:
    square: int = tabiya.square(tabiya.square_file(tabiya.E4), tabiya.square_rank(tabiya.E4))
    distances: List[int] = [tabiya.square_distance(0, 63), tabiya.square_manhattan_distance(0, 63)]
    distances += [tabiya.square_knight_distance(0, 63), tabiya.square_mirror(0)]
    texts: List[str] = [tabiya.piece_symbol(tabiya.KNIGHT), tabiya.piece_name(tabiya.KNIGHT), tabiya.__version__]
    assert square == tabiya.E4 and distances == [7, 14, 6, 56] and texts[:2] == ["n", "knight"]


def games() -> None:
    text = b'[White "Ann"]\n[WhiteElo "2000"]\n[Black "Bob"]\n\n1. e4 {[%eval 0.3] [%emt 0:00:02]} e5 *\n\n1. e5 *\n'
    table = tabiya.read_pgn(text, threads=1, evals=True, keys=True, openings=True)
    columns: List[str] = table.column_names
    values: List[Any] = table.column("white")
    assert "moves" in columns and values == ["Ann", ""] and table.move_count == 2
    error: tabiya.PgnError = table.errors[0]
    place: Tuple[int, int, int, str] = (error.game, error.line, error.column, error.reason)
    assert place[0] == 1
    row = table[0]
    ratings: Tuple[Optional[int], Optional[int]] = (row.white_elo, row.black_elo)
    fens: List[str] = row.fens()
    lists: Tuple[List[tabiya.Move], List[str]] = (row.moves, row.sans())
    headers: Dict[str, str] = row.headers
    board: tabiya.Board = row.board(1)
    assert ratings == (2000, None) and len(fens) == 3 and len(lists[0]) == len(lists[1]) == 2
    assert row.black == headers["Black"] == "Bob" and board.ply() == 1


def tree() -> None:
    game = tabiya.Game.from_pgn("1. e4 {[%eval 0.3] [%emt 0:00:02]} *")
    game.set_tag("White", "Ann")
    tag: Optional[str] = game.tag("White")
    removed: bool = game.remove_tag("White")
    tags: List[str] = game.tag_names()
    assert tag == "Ann" and removed and "White" not in tags
    node: tabiya.GameNode = game.mainline()[0]
    moves: List[tabiya.Move] = game.mainline_moves()
    seconds: Optional[float] = node.emt()
    score: Optional[tabiya.Score] = node.eval()
    assert seconds == 2.0 and score is not None and score.cp == 30 and score.mate is None and len(moves) == 1
    node.comment, node.starting_comment, node.nags = "best", "", [1]
    facts: List[bool] = [node.is_end(), node.is_mainline(), node.turn(), game.has_variation(moves[0])]
    parent: Optional[tabiya.GameNode] = node.parent
    assert facts == [True, True, False, True] and parent is not None and node.ply() == 1
    d4 = parent.add_variation(tabiya.Move.from_uci("d2d4"), comment="also good", nags=[2])
    d4.add_line([tabiya.Move.from_uci("d7d5")])
    found: tabiya.GameNode = parent.variation(d4.move or 0)
    parent.remove_variation(found.move or 0)
    board: tabiya.Board = node.board()
    assert len(parent.variations) == 1 and node.uci() == "e2e4" and game.end().san() == "e4"
    assert len(tabiya.Game.from_board(board).mainline()) == 1 and game.pgn() == str(game)


FAKE_ENGINE = """import sys
for line in sys.stdin:
    print({"uci": "id name Fake\\nuciok", "isready": "readyok", "go": "bestmove e2e4"}.get(line.split()[0], ""), flush=True)
"""


def engine() -> None:
    own = tabiya.Engine(level=10, hash=4)
    own.new_game()
    info: tabiya.Info = own.analyse(tabiya.Board(), nodes=500)
    numbers: List[int] = [info.depth, info.seldepth, info.multipv, info.nodes, info.nps, info.hashfull]
    wdl: Optional[Tuple[int, int, int]] = info.wdl
    assert all(number >= 0 for number in numbers) and (wdl is None or sum(wdl) == 1000) and info.bound == "exact"
    assert info.white_score == info.score and info.time >= 0.0 and info.pv_san().startswith("1. ")
    review: Dict[str, Any] = own.review(tabiya.Game.from_pgn("1. e4 *"), nodes=100)
    assert review["moves"][0]["san"] == "e4"
    infos = own.infos(tabiya.Board())
    infos.stop()
    own.close()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fake.py"
        path.write_text(FAKE_ENGINE)
        with tabiya.Engine.open(f"{sys.executable} {path}") as other:
            name: str = other.name
            try:
                other.set_option("Hash", "16")
            except ValueError:
                assert name == "Fake"


def arrays() -> None:
    table = tabiya.read_pgn(b"1. e4 e5 *")
    board, e4 = tabiya.Board(), tabiya.Move.from_uci("e2e4")
    index: int = tabiya.encode.policy_index(e4)
    assert tabiya.encode.policy_move(index) == e4
    index = tabiya.encode.lc0_policy_index(board, e4)
    assert tabiya.encode.lc0_policy_move(board, index) == e4
    shapes: List[Tuple[int, ...]] = [tabiya.encode.bitboards(table).shape, tabiya.encode.halfka(table).shape]
    shapes += [tabiya.encode.legal_moves(table, count=1858).shape, tabiya.encode.moves(table).shape]
    assert shapes == [(2, 12), (2, 2, 32), (2, 1858), (2,)]


def books() -> None:
    book = tabiya.Book(bytes.fromhex("463b96181691fc9c031c000300000000"))
    known: List[Tuple[tabiya.Move, int]] = book.moves(tabiya.Board())
    chosen: Optional[tabiya.Move] = book.choose(tabiya.Board(), seed=1)
    assert known == [(chosen, 3)]


def archives(folder: str, program: Optional[str] = None) -> int:
    try:
        with tabiya.Archive(folder, program=program) as archive:
            explored: tabiya.Explored = archive.explore(tabiya.Board())
    except tabiya.ArchiveError:
        return 0
    for played in explored.moves:
        move: Optional[tabiya.Move] = played.move
        counts: List[int] = [played.games, played.white_wins, played.draws, played.black_wins, played.unknown]
        facts: Tuple[Optional[str], Optional[int], Optional[str]] = (played.san, played.average_rating, played.last_played)
        assert len(counts) == 5 and len(facts) == 3 and (move is None) == (played.san is None)
    games: List[tabiya.ExploredGame] = explored.top + explored.recent
    headers: List[Dict[str, str]] = [game.headers for game in games if game.game_id >= 0]
    assert len(headers) == len(games) and isinstance(explored.moves[0], tabiya.ExploredMove)
    archive.close()
    return explored.games


def run() -> None:
    for example in (moves, pieces, square_sets, position, playing, endings, names, games, tree, engine, arrays, books):
        example()
    archives(os.devnull)
