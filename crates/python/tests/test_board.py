"""The rules: what a user of a board sees."""

import copy
import pickle
import sys
import threading
import unittest

import tabiya
from tabiya import Board, Move, Piece, SquareSet


class Moves(unittest.TestCase):
    def test_push_takes_one_move_and_says_what_is_wrong(self):
        board = Board()
        for arguments in [(), (1,), ("e2e4",), (None,), (Move.from_uci("e2e4"), 2)]:
            with self.assertRaises(TypeError):
                board.push(*arguments)
        with self.assertRaises(tabiya.IllegalMoveError) as refused:
            board.push(Move.from_uci("f1c4"))
        self.assertEqual(refused.exception.reason, "path_blocked")
        with self.assertRaises(TypeError):
            Board.push(Move.null(), Move.null())
        self.assertEqual(board, Board())

        class Counted(Board):
            count = 0

            def push(self, move):
                self.count += 1
                super().push(move)

        counted = Counted()
        counted.push(Move.from_uci("e2e4"))
        counted.push(Move.null())
        self.assertEqual((counted.count, len(counted.move_stack), counted.turn), (2, 2, True))

    def test_legal_moves_are_counted_before_and_after_they_are_listed(self):
        moves = tabiya.Board().legal_moves
        self.assertEqual([len(moves), len(list(moves)), len(moves), moves.count()], [20] * 4)
        mate = tabiya.Board("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1").legal_moves
        self.assertEqual((list(mate), len(mate), bool(mate)), ([], 0, False))

    def test_iterating_keeps_the_count_of_references(self):
        board, move = Board(), Move.from_uci("a2a3")
        before = sys.getrefcount(move)
        lists = [list(board.legal_moves) for _ in range(100)]
        self.assertEqual(sys.getrefcount(move) - before, 100)
        del lists
        iterators = [iter(board.legal_moves) for _ in range(100)]
        self.assertEqual(sum(next(iterator) in board.legal_moves for iterator in iterators), 100)
        # An iterator is its own, outlives the board, and stays at its end.
        (last,) = iterators[:1]
        del board, iterators
        self.assertIs(iter(last), last)
        self.assertEqual((len(list(last)), list(last), next(last, None)), (19, [], None))
        del last
        self.assertEqual(sys.getrefcount(move), before)
        self.assertEqual(list(type(iter(Board().legal_moves))()), [])

    def test_there_is_one_object_for_each_possible_move(self):
        self.assertIs(Move.from_uci("e2e4"), Move(tabiya.E2, tabiya.E4))
        promotions = Board("2k5/4P3/8/8/8/8/8/4K3 w - - 0 1").legal_moves
        self.assertTrue(any(move is Move(tabiya.E7, tabiya.E8, tabiya.QUEEN) for move in promotions))
        self.assertIs(next(iter(Board().legal_moves)), next(iter(Board().legal_moves)))

    def test_moves_compare_hash_and_pickle(self):
        move = Move(tabiya.A7, tabiya.A8, tabiya.KNIGHT)
        self.assertEqual(move, Move.from_uci("a7a8n"))
        self.assertNotEqual(move, Move.from_uci("a7a8q"))
        self.assertEqual(hash(move), hash(Move.from_uci("a7a8n")))
        self.assertEqual(pickle.loads(pickle.dumps(move)), move)
        self.assertIs(copy.deepcopy(move), move)
        # Such a move is never legal, but it can be written down.
        odd = Move(tabiya.A1, tabiya.B5)
        self.assertEqual(pickle.loads(pickle.dumps(odd)), odd)
        self.assertNotEqual(odd, "a1b5")

    def test_the_null_move_is_false(self):
        self.assertFalse(Move.null())
        self.assertEqual(Move.from_uci("0000"), Move.null())
        self.assertEqual(str(Move.null()), "0000")

    def test_bad_text_is_an_invalid_move(self):
        for text in ["", "e2", "e2e9", "e2e4x", "E2E4", "e2e2", "é2e4", "e2e4qq", "\0"]:
            with self.assertRaises(tabiya.InvalidMoveError, msg=text):
                Move.from_uci(text)


class Pieces(unittest.TestCase):
    def test_a_piece_has_a_symbol_and_a_figure(self):
        knight = Piece.from_symbol("n")
        self.assertEqual((knight.piece_type, knight.color), (tabiya.KNIGHT, tabiya.BLACK))
        self.assertEqual(knight.unicode_symbol(), "♞")
        self.assertEqual(knight.unicode_symbol(invert_color=True), "♘")
        self.assertEqual(pickle.loads(pickle.dumps(knight)), knight)
        self.assertEqual(len({Piece(kind, color) for kind in range(1, 7) for color in (True, False)}), 12)
        with self.assertRaisesRegex(ValueError, "PNBRQKpnbrqk"):
            Piece.from_symbol("x")


class Sets(unittest.TestCase):
    def test_a_set_behaves_like_a_set(self):
        squares = SquareSet([tabiya.A1, tabiya.E4])
        self.assertEqual(list(squares), [tabiya.A1, tabiya.E4])
        self.assertEqual(list(reversed(squares)), [tabiya.E4, tabiya.A1])
        self.assertEqual(squares | [tabiya.H8], SquareSet([0, 28, 63]))
        self.assertEqual(squares - SquareSet([0]), {tabiya.E4})
        self.assertEqual(len(~squares), 62)
        squares.add(5)
        squares.remove(0)
        self.assertEqual(int(squares), 1 << 28 | 1 << 5)
        with self.assertRaises(KeyError):
            squares.remove(0)
        squares &= 1 << 5
        self.assertEqual(squares.pop(), 5)
        self.assertFalse(squares)
        with self.assertRaises(KeyError):
            squares.pop()
        self.assertEqual(pickle.loads(pickle.dumps(SquareSet(7))), SquareSet(7))

    def test_subsets_are_counted_through(self):
        self.assertEqual(list(SquareSet(0b101).carry_rippler()), [0, 1, 4, 5])

    def test_lines(self):
        self.assertEqual(SquareSet.between(tabiya.A1, tabiya.D4), {tabiya.B2, tabiya.C3})
        self.assertEqual(len(SquareSet.ray(tabiya.A1, tabiya.D4)), 8)
        self.assertFalse(SquareSet.ray(tabiya.A1, tabiya.B3))


class Playing(unittest.TestCase):
    def test_a_game_is_played_and_taken_back(self):
        board = Board()
        for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"]:
            board.push_san(san)
        self.assertEqual(board.ply(), 5)
        self.assertEqual([move.uci() for move in board.move_stack][-1], "f1b5")
        self.assertEqual(board.peek(), Move.from_uci("f1b5"))
        self.assertEqual(board.opening(), ("C60", "Ruy Lopez"))
        self.assertEqual(board.root(), Board())
        while board.move_stack:
            board.pop()
        self.assertEqual(board, Board())
        with self.assertRaises(IndexError):
            board.pop()

    def test_an_illegal_move_says_why(self):
        board = Board("4k3/1b6/8/8/8/5N2/8/7K w - - 0 1")
        with self.assertRaises(tabiya.IllegalMoveError) as caught:
            board.push(Move.from_uci("f3d4"))
        error = caught.exception
        self.assertEqual(str(error), "the knight on f3 is pinned to the king on h1 by the bishop on b7")
        self.assertEqual(error.reason, "pinned")
        self.assertEqual(error.squares, {tabiya.H1, tabiya.B7})
        self.assertEqual(board.move_stack, [])
        with self.assertRaises(tabiya.AmbiguousMoveError) as caught:
            Board("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1").push_san("Ne4")
        self.assertEqual(caught.exception.squares, {tabiya.C3, tabiya.G3})
        with self.assertRaises(tabiya.InvalidMoveError):
            board.push_san("hello")

    def test_a_null_move_passes_but_not_in_check(self):
        board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        board.push(Move.null())
        self.assertEqual(board.turn, tabiya.BLACK)
        self.assertEqual(board.pop(), Move.null())
        check = Board("4k3/8/8/8/8/8/8/4KR2 b - - 0 1")
        check.push_uci("e8e7")
        check.push_uci("f1f7")
        with self.assertRaisesRegex(tabiya.IllegalMoveError, "cannot pass"):
            check.push(Move.null())

    def test_castling_is_spelled_as_the_board_wants(self):
        fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        standard, other = Board(fen), Board(fen, chess960=True)
        self.assertIn(Move.from_uci("e1g1"), list(standard.legal_moves))
        self.assertIn(Move.from_uci("e1h1"), list(other.legal_moves))
        for board in (standard, other):
            for text in ("e1g1", "e1h1"):
                self.assertTrue(board.is_kingside_castling(Move.from_uci(text)))
                self.assertEqual(board.san(Move.from_uci(text)), "O-O")
        self.assertEqual(other.uci(Move.from_uci("e1g1")), "e1h1")
        self.assertEqual(len(list(Board.from_chess960_pos(0).legal_moves)), 20)

    def test_en_passant_is_written_as_asked(self):
        board = Board()
        board.push_san("e4")
        self.assertEqual(board.fen().split()[3], "-")
        self.assertEqual(board.fen(en_passant="fen").split()[3], "e3")
        self.assertEqual(board.ep_square, tabiya.E3)
        with self.assertRaisesRegex(ValueError, "legal, xfen or fen"):
            board.fen(en_passant="often")

    def test_the_game_ends(self):
        board = Board()
        for san in "f3 e5 g4 Qh4#".split():
            board.push_san(san)
        self.assertEqual(board.outcome(), tabiya.Outcome(tabiya.Termination.CHECKMATE, tabiya.BLACK))
        self.assertEqual(board.result(), "0-1")
        board = Board()
        for _ in range(2):
            for san in "Nf3 Nf6 Ng1 Ng8".split():
                self.assertFalse(board.is_game_over())
                board.push_san(san)
        self.assertTrue(board.can_claim_threefold_repetition())
        self.assertEqual(board.outcome(claim_draw=True).termination, tabiya.Termination.THREEFOLD_REPETITION)
        self.assertIsNone(board.outcome())
        self.assertTrue(Board("4k3/8/8/8/8/8/8/4K2R w - - 99 80").can_claim_fifty_moves())

    def test_odd_positions_are_taken_with_a_remark(self):
        board = Board("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1")
        self.assertEqual(len(board.legal_moves), 270)
        self.assertEqual(board.remarks(), ["White has more pieces than promotions can explain"])
        with self.assertRaisesRegex(ValueError, "White has no king"):
            Board("4k3/8/8/8/8/8/8/8 w - - 0 1")

    def test_boards_copy_and_pickle_with_their_moves(self):
        board = Board()
        for san in "e4 d5 exd5 Nf6".split():
            board.push_san(san)
        board.push(Move.null())
        for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
            self.assertEqual(other, board)
            self.assertEqual(other.move_stack, board.move_stack)
            other.pop()
            self.assertNotEqual(other, board)
        self.assertEqual(board.copy(stack=False).move_stack, [])
        self.assertEqual(board.copy(stack=2).move_stack, board.move_stack[-2:])

    def test_a_subclass_stays_one(self):
        class Mine(Board):
            pass

        board = Mine()
        board.push_san("e4")
        self.assertIsInstance(board.copy(), Mine)

    def test_perft(self):
        self.assertEqual(Board().perft(5), 4865609)
        with self.assertRaisesRegex(ValueError, "the limit is 20"):
            Board().perft(21)

    def test_pictures(self):
        board = Board()
        board.push_san("e4")
        svg = board._repr_svg_()
        self.assertTrue(svg.startswith("<svg") and svg.endswith("</svg>"))
        self.assertEqual(svg.count("♟"), 16)
        self.assertIn("<svg", SquareSet(5)._repr_svg_())
        self.assertIn("<svg", Piece.from_symbol("Q")._repr_svg_())
        self.assertEqual(str(Board()).splitlines()[0], "r n b q k b n r")
        self.assertEqual(Board().unicode().splitlines()[7], "♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖")


class Threads(unittest.TestCase):
    def test_threads_may_share_a_board(self):
        board = Board()
        errors = []

        def hammer(seed):
            try:
                for step in range(3000):
                    choice = (seed * 7919 + step * 104729) % 7
                    try:
                        if choice < 3:
                            moves = list(board.legal_moves)
                            if moves:
                                board.push(moves[(seed + step) % len(moves)])
                        elif choice == 3:
                            board.pop()
                        elif choice == 4:
                            Board(board.fen())
                        elif choice == 5:
                            pickle.loads(pickle.dumps(board))
                        else:
                            board.outcome(claim_draw=True)
                            board.reset()
                    except (ValueError, IndexError):
                        # Another thread has moved meanwhile.
                        pass
                    except RuntimeError as error:
                        # Another thread is in the middle of a call.
                        if "borrowed" not in str(error):
                            raise
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=hammer, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        Board(board.fen())


if __name__ == "__main__":
    unittest.main()
