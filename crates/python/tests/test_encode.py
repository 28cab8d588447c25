"""Positions as arrays."""

import random
import tempfile
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
        for number in numbers:
            self.assertEqual(encode.policy_index(encode.policy_move(number)), number)

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
        with self.assertRaisesRegex(ValueError, "not a NumPy array"):
            encode.bitboards([tabiya.Board()], out=[0] * 12)

    def test_any_array_of_the_right_shape_is_filled(self):
        found = boards()[:7]
        expected = encode.planes(found, count=18)
        whole = numpy.full((14, 18, 8, 8), 7, numpy.float32)
        fortran = numpy.asfortranarray(numpy.full((7, 18, 8, 8), 7, numpy.float32))
        half = numpy.full((7, 18, 8, 8), 7, numpy.float16)
        swapped = numpy.full((7, 18, 8, 8), 7, numpy.dtype("f4").newbyteorder())
        with tempfile.NamedTemporaryFile() as file:
            mapped = numpy.memmap(file.name, numpy.float32, "w+", shape=(7, 18, 8, 8))
            for out in (whole[:7], whole[::2], whole[13:6:-1], fortran, half, swapped, mapped):
                self.assertIs(encode.planes(found, count=18, out=out), out)
                self.assertTrue((out == expected).all())
            del mapped, out
        # Beside the part that was passed, nothing changes.
        whole[...] = 7
        encode.planes(found, count=18, out=whole[::2])
        self.assertTrue((whole[1::2] == 7).all())
        locked = numpy.zeros((7, 18, 8, 8), numpy.float32)
        locked.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            encode.planes(found, count=18, out=locked)
        self.assertFalse(locked.any())

    def test_no_positions_give_an_empty_array(self):
        self.assertEqual(encode.planes([], count=112).shape, (0, 112, 8, 8))
        self.assertEqual(encode.moves(tabiya.read_pgn(b"")).shape, (0,))

    def test_bad_positions_are_refused(self):
        for bad in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", tabiya.Board(), 3, [3], [None]):
            with self.assertRaises(TypeError):
                encode.planes(bad)
        with self.assertRaisesRegex(ValueError, "cannot read the FEN"):
            encode.planes(["nonsense"])
        with self.assertRaisesRegex(ValueError, "12, 18 or 112"):
            encode.planes([], count=7)
        with self.assertRaisesRegex(ValueError, "more than 32"):
            encode.halfka(["kBQQQQQQ/BR5Q/Q6Q/QQ5Q/QQQQ3Q/QQ5Q/Q6Q/KQQQQQQQ w - - 0 1"])
        with self.assertRaisesRegex(ValueError, "1968 or 1858"):
            encode.legal_moves([], count=1859)
        with self.assertRaisesRegex(ValueError, "float32 or uint8"):
            encode.planes([], dtype="int8")
        for index in (-1, 1968, 10**30):
            with self.assertRaises((ValueError, OverflowError)):
                encode.policy_move(index)


def lc0_moves():
    """Leela's 1,858 moves from their definition: every move of a queen or a knight, then White's promotions but for
    knights'."""
    moves = []
    for start in range(64):
        for end in range(64):
            files, ranks = abs((start & 7) - (end & 7)), abs((start >> 3) - (end >> 3))
            if start != end and (files == 0 or ranks == 0 or files == ranks or {files, ranks} == {1, 2}):
                moves.append((start, end, None))
    for start in range(48, 56):
        for end in range(max(56, start + 7), min(63, start + 9) + 1):
            moves += [(start, end, kind) for kind in (tabiya.QUEEN, tabiya.ROOK, tabiya.BISHOP)]
    return moves


def lc0_planes(board):
    """The 112 planes of a board with its moves, from their definition, and slowly."""
    planes = numpy.zeros((112, 64), numpy.float32)
    stack = [board.copy()]
    while stack[-1].move_stack:
        earlier = stack[-1].copy()
        earlier.pop()
        stack.append(earlier)
    us = board.turn
    flip = 0 if us else 56
    start = tabiya.Board()
    for back in range(8):
        if back < len(stack):
            position = stack[back]
        elif stack[-1].fen().split()[:3] == start.fen().split()[:3]:
            break
        else:
            position = stack[-1]
        for square, piece in position.piece_map().items():
            if back >= len(stack) and position.ep_square is not None:
                behind = position.ep_square + (8 if position.turn == tabiya.BLACK else -8)
                if square == behind:
                    square = position.ep_square - (8 if position.turn == tabiya.BLACK else -8)
            plane = 13 * back + piece.piece_type - 1 + (0 if piece.color == us else 6)
            planes[plane, square ^ flip] = 1
        if position.is_repetition(2):
            planes[13 * back + 12] = 1
    for index, color in enumerate((us, not us)):
        planes[104 + 2 * index] = board.has_queenside_castling_rights(color)
        planes[105 + 2 * index] = board.has_kingside_castling_rights(color)
    planes[108] = not us
    planes[109] = board.halfmove_clock
    planes[111] = 1
    return planes.reshape(112, 8, 8)


class Lc0(unittest.TestCase):
    def test_the_numbers_of_moves_are_those_of_the_definition(self):
        expected = {move: number for number, move in enumerate(lc0_moves())}
        self.assertEqual(len(expected), 1858)
        found = boards() + [tabiya.Board("1n1nk3/P1P4P/8/8/8/8/p1p4p/1N1NK3 w - - 0 1")]
        found.append(tabiya.Board("1n1nk3/P1P4P/8/8/8/8/p1p4p/1N1NK3 b - - 0 1"))
        found += [tabiya.Board(f"r3k2r/8/8/8/8/8/8/R3K2R {turn} KQkq - 0 1") for turn in "wb"]
        found += [tabiya.Board.from_chess960_pos(number) for number in (0, 518, 959)]
        found.append(tabiya.Board("1rk4r/8/8/8/8/8/8/1RK4R b KQkq - 0 1", chess960=True))
        seen = set()
        for board, mask in zip(found, encode.legal_moves(found, count=1858)):
            flip = 0 if board.turn else 56
            indices = set()
            for move in board.legal_moves:
                end = move.to_square
                if board.is_castling(move):
                    rooks = board.pieces(tabiya.ROOK, board.turn) & (0xFF if board.turn else 0xFF << 56)
                    outside = [rook for rook in rooks if (rook > move.from_square) == board.is_kingside_castling(move)]
                    (end,) = outside
                kind = None if move.promotion == tabiya.KNIGHT else move.promotion
                index = expected[move.from_square ^ flip, end ^ flip, kind]
                self.assertEqual(encode.lc0_policy_index(board, move), index, (board, move))
                self.assertEqual(encode.lc0_policy_move(board, index), move)
                indices.add(index)
            self.assertEqual(len(indices), len(board.legal_moves))
            self.assertEqual(set(numpy.flatnonzero(mask).tolist()), indices)
            seen |= indices
            for index in set(range(1858)) - indices:
                if index % 97 == 0:
                    with self.assertRaisesRegex(ValueError, "no legal move"):
                        encode.lc0_policy_move(board, index)
        self.assertGreater(max(seen), 1792)
        # Two facts from outside: Leela's first moves are a1b1 and a1c1, and e1h1 is White's short castling.
        self.assertEqual((expected[0, 1, None], expected[0, 2, None], expected[4, 7, None]), (0, 1, 103))

    def test_the_planes_are_those_of_the_definition(self):
        found = boards()[::3]
        repeating = tabiya.Board()
        for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e4 d5 e5".split():
            repeating.push_san(san)
            found.append(repeating.copy())
        fens = ["rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "r3k3/8/8/8/3Pp3/8/8/4K2R b Kq d3 0 1"]
        fens += [tabiya.STARTING_FEN, "4k3/8/8/8/8/8/8/4K2R b K - 37 90"]
        found += [tabiya.Board(fen) for fen in fens]
        for dtype in ("float32", "uint8"):
            array = encode.planes(found, count=112, dtype=dtype)
            self.assertEqual((array.shape, array.dtype), ((len(found), 112, 8, 8), numpy.dtype(dtype)))
            for planes, board in zip(array, found):
                self.assertTrue((planes == lc0_planes(board)).all(), board.fen())
        self.assertTrue((encode.planes(fens, count=112) == encode.planes(found[-len(fens) :], count=112)).all())

    def test_games_bring_their_past(self):
        text = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 d5 5. e5 *\n\n1. d4 *\n"
        text += b'[FEN "4k3/8/8/8/8/8/8/4K2R w K - 5 90"]\n\n1. Rh2 Kd7 *\n'
        games = tabiya.read_pgn(text)
        before = [game.board(ply) for game in games for ply in range(len(game))]
        self.assertTrue((encode.planes(games, count=112) == encode.planes(before, count=112)).all())
        moves = [encode.lc0_policy_index(board, move) for board, move in zip(before, (m for g in games for m in g.moves))]
        self.assertEqual(encode.moves(games, count=1858).tolist(), moves)


if __name__ == "__main__":
    unittest.main()
