"""Positions as arrays."""

import random
import unittest

import numpy

import tabiya
from tabiya import encode


def boards():
    generator, board, found = random.Random(2), tabiya.Board(), []
    for _ in range(150):
        found.append(board.copy())
        moves = list(board.legal_moves)
        if not moves:
            board.reset()
        else:
            board.push(generator.choice(moves))
    return found


class Arrays(unittest.TestCase):
    def test_bitboards_are_the_pieces(self):
        found = boards()
        array = encode.bitboards(found)
        self.assertEqual((array.shape, array.dtype), ((len(found), 12), numpy.uint64))
        for row, board in zip(array, found):
            expected = [board.pieces_mask(kind, color) for color in (True, False) for kind in range(1, 7)]
            self.assertEqual([int(value) for value in row], expected)
        self.assertTrue((array == encode.bitboards([board.fen() for board in found])).all())

    def test_planes_are_the_pieces_and_the_rights(self):
        found = boards()
        for dtype in ("float32", "uint8"):
            array = encode.planes(found, count=18, dtype=dtype)
            self.assertEqual((array.shape, array.dtype), ((len(found), 18, 8, 8), numpy.dtype(dtype)))
            self.assertTrue((array[:, :12] == encode.planes(found, dtype=dtype)).all())
        for planes, board in zip(array, found):
            for square in range(64):
                piece = board.piece_at(square)
                expected = None if piece is None else piece.piece_type - 1 + (0 if piece.color else 6)
                on = [index for index in range(12) if planes[index, square >> 3, square & 7]]
                self.assertEqual(on, [] if expected is None else [expected])
            rights = [
                board.has_kingside_castling_rights(True),
                board.has_queenside_castling_rights(True),
                board.has_kingside_castling_rights(False),
                board.has_queenside_castling_rights(False),
                board.turn,
            ]
            self.assertEqual([bool(plane.all()) for plane in planes[12:17]], rights)
            self.assertEqual([bool(plane.any()) for plane in planes[12:17]], rights)

    def test_halfka_indices_are_those_of_the_definition(self):
        found = boards()
        for rows, board in zip(encode.halfka(found), found):
            for view, row in zip((True, False), rows):
                flip = 0 if view else 56
                expected = sorted(
                    ((board.king(view) ^ flip) * 12 + piece.piece_type - 1 + (0 if piece.color == view else 6)) * 64
                    + (square ^ flip)
                    for square, piece in board.piece_map().items()
                )
                self.assertEqual(sorted(int(index) for index in row if index >= 0), expected)

    def test_legal_moves_and_their_numbers(self):
        found = boards()
        masks = encode.legal_moves(found)
        for mask, board in zip(masks, found):
            expected = sorted(encode.policy_index(move) for move in board.legal_moves)
            self.assertEqual(sorted(int(index) for index in numpy.flatnonzero(mask)), expected)
        numbers = set()
        for start in range(64):
            for end in range(64):
                for promotion in (None, 2, 3, 4, 5):
                    try:
                        numbers.add(encode.policy_index(tabiya.Move(start, end, promotion)))
                    except ValueError:
                        pass
        self.assertEqual(numbers, set(range(1968)))

    def test_games_give_a_position_before_each_move(self):
        games = tabiya.read_pgn(b"1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n")
        self.assertEqual(encode.planes(games).shape, (5, 12, 8, 8))
        self.assertTrue((encode.bitboards(games)[3] == encode.bitboards([tabiya.Board()])[0]).all())
        moves = [move for game in games for move in game.moves]
        self.assertEqual(encode.moves(games).tolist(), [encode.policy_index(move) for move in moves])
        legal = encode.legal_moves(games)
        self.assertTrue(legal[numpy.arange(5), encode.moves(games)].all())

    def test_an_array_of_the_caller_is_filled(self):
        out = numpy.zeros((1, 12), numpy.uint64)
        self.assertIs(encode.bitboards([tabiya.Board()], out=out), out)
        self.assertEqual(int(out[0, 0]), 0xFF00)
        with self.assertRaisesRegex(ValueError, "shape"):
            encode.bitboards([tabiya.Board()], out=numpy.zeros(3))

    def test_bad_positions_are_refused(self):
        for bad in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", tabiya.Board(), 3, [3], [None]):
            with self.assertRaises(TypeError):
                encode.planes(bad)
        with self.assertRaisesRegex(ValueError, "cannot read the FEN"):
            encode.planes(["nonsense"])
        with self.assertRaisesRegex(ValueError, "12 or 18"):
            encode.planes([], count=7)
        with self.assertRaisesRegex(ValueError, "more than 32"):
            encode.halfka(["kBQQQQQQ/BR5Q/Q6Q/QQ5Q/QQQQ3Q/QQ5Q/Q6Q/KQQQQQQQ w - - 0 1"])


if __name__ == "__main__":
    unittest.main()
