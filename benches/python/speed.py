"""How many times faster than python-chess and bulletchess: CPU time, best of five rounds in turn."""

import io
import random
import sys
import tempfile
import time

import chess
import chess.pgn
import numpy

import tabiya
from tabiya import encode

try:
    import bulletchess
    import bulletchess.pgn
    import bulletchess.utils
except ImportError:
    bulletchess = None

ROUNDS = 5
# Megabytes of the small and the large PGN. The large one repeats the small one.
SMALL, LARGE = 5, 200


def positions(count):
    """FENs of random games."""
    generator, board, found = random.Random(1), tabiya.Board(), []
    while len(found) < count:
        found.append(board.fen())
        moves = list(board.legal_moves)
        if not moves or board.is_game_over() or len(board.move_stack) > 150:
            board = tabiya.Board()
        else:
            board.push(generator.choice(moves))
    return found


def games(size):
    """PGN of random games, about so many bytes."""
    generator, texts, length = random.Random(2), [], 0
    while length < size:
        board = tabiya.Board()
        while len(board.move_stack) < 90 and (moves := list(board.legal_moves)):
            board.push(generator.choice(moves))
        game = tabiya.Game.from_board(board)
        game.headers["Event"] = "Bench"
        texts.append(str(game) + "\n")
        length += len(texts[-1])
    return "".join(texts)


def cpu(task):
    start = time.process_time()
    task()
    return time.process_time() - start


def python_perft(module, board, depth):
    if depth == 0:
        return 1
    nodes = 0
    for move in list(board.legal_moves):
        board.push(move)
        nodes += python_perft(module, board, depth - 1)
        board.pop()
    return nodes


def bullet_perft(board, depth):
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves():
        board.apply(move)
        nodes += bullet_perft(board, depth - 1)
        board.undo()
    return nodes


def planes_by_hand(boards):
    """What users of python-chess write."""
    planes = numpy.zeros((len(boards), 12, 8, 8), numpy.float32)
    for row, board in enumerate(boards):
        for square, piece in board.piece_map().items():
            planes[row, piece.piece_type - 1 + (0 if piece.color else 6), square >> 3, square & 7] = 1
    return planes


def replay_chess(text):
    file = io.StringIO(text)
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)


def bullet_planes(boards):
    planes = numpy.zeros((len(boards), 12, 8, 8), numpy.float32)
    kinds = {kind: number for number, kind in enumerate(bulletchess.PIECE_TYPES)}
    for row, board in enumerate(boards):
        for square in bulletchess.SQUARES:
            piece = board[square]
            if piece is not None:
                index = square.index()
                color = 0 if piece.color == bulletchess.WHITE else 6
                planes[row, kinds[piece.piece_type] + color, index >> 3, index & 7] = 1
    return planes


def replay_bullet(name):
    with bulletchess.pgn.PGNFile.open(name) as file:
        while (game := file.next_game()) is not None:
            board = game.starting_board
            for move in game.moves:
                board.apply(move)


def native_chess_perft(board, depth):
    """The fastest way that python-chess has: it counts the moves at the last step."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += native_chess_perft(board, depth - 1)
        board.pop()
    return nodes


def sans(boards, count):
    """About so many moves with their boards."""
    found = []
    for board in boards:
        found += [(board, move) for move in board.legal_moves]
        if len(found) >= count:
            return found[:count]
    return found


def main():
    fens = positions(10_000)
    ours = [tabiya.Board(fen) for fen in fens]
    theirs = [chess.Board(fen) for fen in fens]
    text = games(SMALL * 1_000_000)
    if len(sys.argv) > 1 and sys.argv[1] != "/dev/null":
        with open(sys.argv[1], encoding="utf-8", errors="replace") as pgn:
            text = pgn.read(SMALL * 1_000_000)
    data = text.encode()
    copies = LARGE * 1_000_000 // len(data)
    small, large = tempfile.NamedTemporaryFile(suffix=".pgn"), tempfile.NamedTemporaryFile(suffix=".pgn")
    for file, count in ((small, 1), (large, copies)):
        for _ in range(count):
            file.write(data + b"\n")
        file.flush()
    small_name, large_name = (f"{len(data) * count / 1e6:.0f} MB of PGN replayed" for count in (1, copies))
    our_sans, their_sans = sans(ours, 100_000), sans(theirs, 100_000)
    ten = range(10)
    tasks = {
        "100,000 FENs read and written": (
            lambda: [tabiya.Board(fen).fen() for _ in ten for fen in fens],
            lambda: [chess.Board(fen).fen() for _ in ten for fen in fens],
        ),
        "100,000 legal-move lists": (
            lambda: [len(list(board.legal_moves)) for _ in ten for board in ours],
            lambda: [len(list(board.legal_moves)) for _ in ten for board in theirs],
        ),
        "the same, by legal_move_list": (
            lambda: [len(board.legal_move_list()) for _ in ten for board in ours],
            lambda: [len(list(board.legal_moves)) for _ in ten for board in theirs],
        ),
        "100,000 moves to SAN": (
            lambda: [board.san(move) for board, move in our_sans],
            lambda: [board.san(move) for board, move in their_sans],
        ),
        "perft 3 looped in Python": (
            lambda: python_perft(tabiya, tabiya.Board(), 3),
            lambda: python_perft(chess, chess.Board(), 3),
        ),
        "perft 4 by the library": (
            lambda: tabiya.Board().perft(4),
            lambda: native_chess_perft(chess.Board(), 4),
        ),
        small_name: (
            lambda: tabiya.read_pgn(small.name, threads=1),
            lambda: replay_chess(text),
        ),
        # python-chess would take a quarter of an hour: it reads the small one, and its time is multiplied.
        large_name: (
            lambda: tabiya.read_pgn(large.name, threads=1),
            lambda: replay_chess(text),
        ),
        "10,000 positions to planes": (
            lambda: encode.planes(ours),
            lambda: planes_by_hand(theirs),
        ),
    }
    bullets = {}
    if bulletchess is not None:
        boards = [bulletchess.Board.from_fen(fen) for fen in fens]
        bullet_sans = [(board, move) for board in boards for move in board.legal_moves()][:100_000]
        bullets = {
            "100,000 FENs read and written": lambda: [
                bulletchess.Board.from_fen(fen).fen() for _ in ten for fen in fens
            ],
            "100,000 legal-move lists": lambda: [len(board.legal_moves()) for _ in ten for board in boards],
            "the same, by legal_move_list": lambda: [len(board.legal_moves()) for _ in ten for board in boards],
            "100,000 moves to SAN": lambda: [move.san(board) for board, move in bullet_sans],
            "perft 3 looped in Python": lambda: bullet_perft(bulletchess.Board(), 3),
            "perft 4 by the library": lambda: bulletchess.utils.perft(bulletchess.Board(), 4),
            small_name: lambda: replay_bullet(small.name),
            large_name: lambda: replay_bullet(large.name),
            "10,000 positions to planes": lambda: bullet_planes(boards),
        }
    print(f"{'':38} {'tabiya':>10} {'python-chess':>14} {'bulletchess':>13}")
    for name, (own, chess_task) in tasks.items():
        rivals = [own, chess_task] + ([bullets[name]] if name in bullets else [])
        best = [float("inf")] * len(rivals)
        for round_number in range(ROUNDS):
            for index, task in enumerate(rivals):
                # Once is enough for what takes long.
                if round_number == 0 or best[index] < 2:
                    scale = copies if name == large_name and task is chess_task else 1
                    best[index] = min(best[index], cpu(task) * scale)
        times = " ".join(f"{value / best[0]:12.1f}x" for value in best[1:])
        print(f"{name:38} {best[0] * 1000:7.1f} ms {times}")


if __name__ == "__main__":
    main()
