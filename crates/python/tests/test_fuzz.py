"""Bad input of every kind gives an exception, never an abort.

TABIYA_FUZZ_CALLS sets how many calls are made, TABIYA_SEED which.
"""

import os
import random
import unittest

import numpy

import tabiya
from tabiya import _tabiya

CALLS = int(os.environ.get("TABIYA_FUZZ_CALLS", "40000"))
SEED = int(os.environ.get("TABIYA_SEED", "1"))


class Odd:
    """An object whose every protocol fails."""

    def __index__(self):
        raise ArithmeticError("no number")

    def __iter__(self):
        raise ArithmeticError("no items")

    def __repr__(self):
        raise ArithmeticError("no text")

    def __bool__(self):
        raise ArithmeticError("no truth")


def array(generator):
    """An array of any shape and type, sometimes with gaps, sometimes one that fits."""
    shape = generator.choice([(), (3,), (0, 12), (1, 12), (2, 12), (2, 12, 8, 8), (1, 112, 8, 8), (1, 2, 32), (2, 1968), (1, 1858)])
    found = numpy.zeros(shape, generator.choice(["float32", "uint8", "uint64", "int32", "uint16", "float16", ">i4", object]))
    change = generator.randrange(8)
    if change == 0 and found.ndim:
        found = found[::-1]
    elif change == 1:
        found = numpy.asfortranarray(found)
    elif change == 2:
        found.flags.writeable = False
    return found


def values(generator):
    """Something that a careless caller might pass."""
    return generator.choice(
        [
            lambda: None,
            lambda: generator.randrange(-2, 70),
            lambda: generator.choice([2**31, 2**63, 2**64, -(2**63) - 1, 10**40]),
            lambda: generator.random() * 64,
            lambda: generator.choice([True, False]),
            lambda: "".join(generator.choice("abcdefgh12345678KQRBNPkqrbnp-/ xO=+#\0é♞") for _ in range(generator.randrange(12))),
            lambda: generator.choice(["e4", "e2e4", "Nf3", "O-O", "0000", "--", tabiya.STARTING_FEN, "legal", "", "a8=Q"]),
            lambda: generator.choice([b"", b"e4", bytearray(3), [], [1, 2], [99], {}, (), object(), Odd(), Odd]),
            lambda: tabiya.Move(generator.randrange(64), generator.randrange(64)),
            lambda: tabiya.Move.null(),
            lambda: generator.choice(list(tabiya.Board().legal_moves)),
            lambda: tabiya.Piece(generator.randrange(1, 7), True),
            lambda: tabiya.SquareSet(generator.randrange(2**64)),
            lambda: tabiya.Board(),
            lambda: float("nan"),
            lambda: [tabiya.Move.null()] * 3,
            lambda: [tabiya.Board(), tabiya.STARTING_FEN][: generator.randrange(3)],
            lambda: array(generator),
            lambda: generator.choice(["float32", "uint8", 12, 18, 112, 1858, 1968]),
        ]
    )()


# These run until they are stopped, or start other programs.
LEFT_OUT = {"perft", "to_chess", "from_chess", "__class__", "__init_subclass__", "__subclasshook__", "__setattr__", "__delattr__"}


class Fuzz(unittest.TestCase):
    def test_calls_with_odd_arguments(self):
        generator = random.Random(SEED)
        board = tabiya.Board()
        kinds = [tabiya.Board, tabiya.Move, tabiya.Piece, tabiya.SquareSet, tabiya.LegalMoves, tabiya.Game, tabiya.Score]
        game = tabiya.Game.from_pgn("1. e4 e5 (1... c5) 2. Nf3 *")
        table = tabiya.read_pgn(b"1. e4 e5 *")
        book = tabiya.Book(bytes.fromhex("463b96181691fc9c031c000300000000"))
        functions = [getattr(tabiya.squares, name) for name in dir(tabiya.squares) if name.startswith(("square", "piece"))]
        functions += [getattr(_tabiya, name) for name in dir(_tabiya) if name.startswith(("encode", "policy", "lc0"))]
        functions = [function for function in functions if callable(function) and function.__name__ != "square_knight_distance"]
        raised = 0
        for number in range(CALLS):
            if number % 200 == 0:
                board = tabiya.Board()
            things = [board, board.legal_moves, generator.choice(list(tabiya.Board().legal_moves))]
            things += [tabiya.Piece(1, True), tabiya.SquareSet(generator.randrange(2**64))] + kinds
            things += [game, game.end(), table, table[0], book, tabiya.Book]
            thing = generator.choice(things)
            names = [name for name in dir(thing) if name not in LEFT_OUT]
            function = getattr(thing, generator.choice(names)) if generator.random() < 0.9 else generator.choice(functions)
            arguments = [values(generator) for _ in range(generator.choice([0, 1, 1, 1, 2, 2, 3]))]
            try:
                if callable(function):
                    function(*arguments)
            except Exception as error:
                raised += 1
                self.assertNotIn("panic", type(error).__name__.lower(), (function, arguments))
                self.assertIsInstance(str(error), str)
        self.assertGreater(raised, CALLS // 10)
        self.assertTrue(tabiya.Board(board.fen()).is_valid())

    def test_random_fens(self):
        generator = random.Random(SEED)
        accepted = 0
        for _ in range(CALLS // 10):
            fen = list(tabiya.STARTING_FEN)
            for _ in range(generator.randrange(1, 4)):
                fen[generator.randrange(len(fen))] = generator.choice("pnbrqkPNBRQK12345678/ wbkqKQ-abcdefgh0é")
            try:
                board = tabiya.Board("".join(fen))
            except ValueError as error:
                self.assertIn("cannot read the FEN", str(error))
                continue
            accepted += 1
            self.assertEqual(tabiya.Board(board.fen()), board)
            for move in board.legal_moves:
                board.push(move)
                board.pop()
        self.assertGreater(accepted, 10)


if __name__ == "__main__":
    unittest.main()
