"""Polyglot books."""

import collections
import io
import struct
import tempfile
import unittest

import chess
import chess.polyglot

import tabiya


def entry(board, uci, weight):
    """An entry as the format describes it."""
    move = chess.Move.from_uci(uci)
    promotion = move.promotion - 1 if move.promotion else 0
    packed = promotion << 12 | move.from_square << 6 | move.to_square
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), packed, weight, 0)


def book(lines):
    return b"".join(sorted((entry(chess.Board(fen), uci, weight) for fen, uci, weight in lines), key=lambda item: item[:8]))


START = chess.STARTING_FEN
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTION = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
# Castling takes the king to its rook; the last move of the starting position is illegal.
LINES = [(START, "e2e4", 3), (START, "d2d4", 7), (START, "e2e5", 9), (CASTLING, "e1h1", 2), (CASTLING, "e1a1", 0)]
LINES += [(PROMOTION, "a7a8n", 1)]


class Books(unittest.TestCase):
    def test_moves_come_with_their_weights(self):
        data = book(LINES)
        with tempfile.NamedTemporaryFile(suffix=".bin") as file:
            file.write(data)
            file.flush()
            for source in (data, bytearray(data), io.BytesIO(data), file.name):
                opened = tabiya.Book(source)
                self.assertEqual(len(opened), len(LINES))
            with chess.polyglot.open_reader(file.name) as reader:
                for fen in (START, CASTLING, PROMOTION, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
                    entries = reader.find_all(chess.Board(fen), minimum_weight=0)
                    expected = sorted(((item.move.uci(), item.weight) for item in entries), key=lambda pair: -pair[1])
                    board = tabiya.Board(fen)
                    self.assertEqual([(move.uci(), weight) for move, weight in opened.moves(board)], expected)
                    self.assertEqual(board in opened, bool(expected))
        self.assertNotIn("e4", opened)

    def test_moves_are_chosen_by_their_weights(self):
        opened = tabiya.Book(book(LINES))
        board = tabiya.Board()
        chosen = [opened.choose(board, seed=seed) for seed in range(2000)]
        self.assertEqual(chosen, [opened.choose(board, seed=seed) for seed in range(2000)])
        counts = collections.Counter(move.uci() for move in chosen)
        self.assertEqual(set(counts), {"e2e4", "d2d4"})
        self.assertTrue(500 < counts["e2e4"] < 700, counts)
        self.assertIn(opened.choose(board).uci(), counts)
        self.assertEqual(opened.choose(tabiya.Board(CASTLING), seed=1).uci(), "e1g1")
        board.push_san("a3")
        self.assertIsNone(opened.choose(board))

    def test_what_is_not_a_book_is_refused(self):
        with self.assertRaisesRegex(ValueError, "not a Polyglot book: .*15 bytes"):
            tabiya.Book(b"x" * 15)
        with self.assertRaisesRegex(FileNotFoundError, "no such file"):
            tabiya.Book("/no/such/book.bin")
        with self.assertRaises(TypeError):
            tabiya.Book(3)
        self.assertEqual(len(tabiya.Book(b"")), 0)


if __name__ == "__main__":
    unittest.main()
