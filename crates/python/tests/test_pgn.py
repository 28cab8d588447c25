"""Files of games."""

import bz2
import gzip
import io
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import tabiya

TEXT = """[Event "Café"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2100"]
[ECO "C20"]

1. e4 {[%clk 0:05:00] [%eval 0.2]} e5 {[%clk 0:04:58.5] [%eval #-3]} (1... c5 2. Nf3 $1 {open}) 2. Qh5 Nc6
3. Bc4 Nf6 4. Qxf7# 1-0

[Event "broken"]
[White "Cid"]

1. e4 e5 2. Ke3 *

[Event "endgame"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[BlackElo "?"]

1. a8=Q+ Kd7 1/2-1/2
"""


class Columns(unittest.TestCase):
    def test_columns_have_tags_and_moves(self):
        games = tabiya.read_pgn(TEXT.encode())
        self.assertEqual(len(games), 3)
        self.assertEqual(games.column("white"), ["Ann", "Cid", ""])
        self.assertEqual(games.column("event")[0], "Café")
        self.assertEqual(games.column("white_elo"), [2100, None, None])
        self.assertEqual(games.column("result"), ["1-0", "*", "1/2-1/2"])
        self.assertEqual(games[0].sans()[-1], "Qxf7#")
        self.assertEqual([move.uci() for move in games[2].moves], ["a7a8q", "e8d7"])
        self.assertEqual(games[-1].board().fen(), "Q7/3k4/8/8/8/8/8/4K3 w - - 1 2")
        self.assertEqual(games[0].board(1).peek(), tabiya.Move.from_uci("e2e4"))
        self.assertEqual(len(games[0].fens()), 8)
        self.assertEqual(games[0].headers["ECO"], "C20")
        with self.assertRaises(IndexError):
            games[3]
        with self.assertRaises(KeyError):
            games.column("keys")

    def test_errors_have_their_place_and_reading_goes_on(self):
        (error,) = tabiya.read_pgn(TEXT.encode()).errors
        self.assertEqual((error.game, error.line, error.column), (1, 14, 13))
        self.assertIn("2. Ke3: kings move one square", str(error))
        self.assertEqual(len(tabiya.read_pgn(TEXT.encode())[1].moves), 2)

    def test_clocks_evaluations_keys_and_openings_on_request(self):
        games = tabiya.read_pgn(TEXT.encode(), clocks=True, evals=True, keys=True, openings=True)
        clocks = games.column("clocks")[0]
        self.assertEqual(clocks[:2], [300.0, 298.5])
        self.assertTrue(all(math.isnan(clock) for clock in clocks[2:]))
        self.assertEqual(games.column("evals")[0][:3], [20, -31997, -32768])
        self.assertEqual(games.column("keys")[0][-1], games[0].board().key)
        self.assertEqual(games.column("opening")[0], "King's Pawn Game: Wayward Queen Attack")

    def test_every_kind_of_source(self):
        with tempfile.TemporaryDirectory() as folder:
            plain = os.path.join(folder, "games.pgn")
            with open(plain, "w", encoding="utf-8") as file:
                file.write(TEXT)
            with gzip.open(plain + ".gz", "wt", encoding="utf-8") as file:
                file.write(TEXT)
            with bz2.open(plain + ".bz2", "wt", encoding="utf-8") as file:
                file.write(TEXT)
            expected = tabiya.read_pgn(TEXT.encode()).column("moves")
            for source in (plain, plain + ".gz", plain + ".bz2", bytearray(TEXT.encode())):
                self.assertEqual(tabiya.read_pgn(source).column("moves"), expected)
            with open(plain, "rb") as binary, open(plain, encoding="utf-8") as text:
                self.assertEqual(tabiya.read_pgn(binary).column("moves"), expected)
                self.assertEqual(tabiya.read_pgn(text).column("moves"), expected)
            self.assertEqual(tabiya.read_pgn(io.BytesIO(TEXT.encode()), threads=3).column("moves"), expected)
            with self.assertRaisesRegex(FileNotFoundError, "no such file"):
                tabiya.read_pgn(os.path.join(folder, "none.pgn"))
            with self.assertRaises(IsADirectoryError):
                tabiya.read_pgn(folder)
            with open(plain + ".gz", "r+b") as file:
                file.truncate(60)
            with self.assertRaises(OSError):
                tabiya.read_pgn(plain + ".gz")
        with self.assertRaisesRegex(TypeError, "neither a path"):
            tabiya.read_pgn(3)

    def test_an_error_of_a_file_object_arrives(self):
        class Broken:
            def read(self, size):
                raise ArithmeticError("no more")

        with self.assertRaisesRegex(ArithmeticError, "no more"):
            tabiya.read_pgn(Broken())
        with self.assertRaises(ArithmeticError):
            list(tabiya.read_games(Broken()))

    def test_pieces_are_the_whole(self):
        text = "".join(f'[Event "{number}"]\n\n1. e4 e5 2. Nf3 *\n\n' for number in range(50_000)).encode()
        whole = tabiya.read_pgn(text, threads=2)
        self.assertEqual(whole.column("event"), [str(number) for number in range(50_000)])
        pieces = list(tabiya.iter_pgn(text, batch=1000, threads=1))
        self.assertGreater(len(pieces), 1)
        self.assertEqual([event for piece in pieces for event in piece.column("event")], whole.column("event"))

    def test_arrow_takes_the_columns(self):
        import pyarrow

        games = tabiya.read_pgn(TEXT.encode(), clocks=True, evals=True, keys=True)
        table = pyarrow.table(games)
        table.validate(full=True)
        del games
        self.assertEqual(table.column_names[:2], ["event", "site"])
        self.assertEqual(table["white_elo"].to_pylist(), [2100, None, None])
        self.assertEqual(table["white"].to_pylist(), ["Ann", "Cid", ""])
        self.assertEqual([len(moves) for moves in table["moves"].to_pylist()], [7, 2, 2])
        self.assertEqual(str(table.schema.field("moves").type), "large_list<item: uint16 not null>")
        self.assertEqual(table["keys"].to_pylist()[0][0], tabiya.read_pgn(TEXT.encode(), keys=True)[0]["keys"][0])
        # A stream that nobody reads is released too.
        tabiya.read_pgn(TEXT.encode()).__arrow_c_stream__()
        empty = pyarrow.table(tabiya.read_pgn(b""))
        self.assertEqual(empty.num_rows, 0)

    @unittest.skipIf(sys.platform == "win32", "signals differ")
    def test_an_interrupt_stops_reading(self):
        program = """
            import signal, sys, tabiya
            signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
            class Endless:
                def read(self, size):
                    print("reading", flush=True)
                    return '[Event "x"]\\n\\n1. e4 e5 *\\n\\n' * 2000
            try:
                tabiya.read_pgn(Endless(), threads=1)
            except KeyboardInterrupt:
                sys.exit(7)
        """
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), b"reading\n")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 7)


class Trees(unittest.TestCase):
    def test_a_game_has_variations_comments_and_glyphs(self):
        game, broken, endgame = tabiya.read_games(TEXT.encode())
        self.assertEqual(game.headers["White"], "Ann")
        sicilian = game.next().variations[1]
        self.assertEqual((sicilian.san(), sicilian.is_mainline()), ("c5", False))
        self.assertEqual((sicilian.next().nags, sicilian.next().comment), ([1], "open"))
        self.assertEqual(sicilian.next().board().fen().split()[0], "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R")
        self.assertEqual((game.next().clock(), game.next().eval()), (300.0, tabiya.Score(cp=20)))
        self.assertTrue(game.end().board().is_checkmate())
        self.assertEqual(game.end().parent.parent.ply(), 5)
        self.assertEqual(broken.errors[0].line, 14)
        self.assertEqual(endgame.board().fen(), "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
        self.assertEqual([move.uci() for move in endgame.mainline_moves()], ["a7a8q", "e8d7"])

    def test_a_game_is_built_and_written(self):
        game = tabiya.Game()
        game.headers["White"] = "Ann"
        node = game.add_variation(tabiya.Move.from_uci("e2e4"), comment="best by test")
        node.add_line([tabiya.Move.from_uci("e7e5"), tabiya.Move.from_uci("g1f3")])
        node.add_variation(tabiya.Move.from_uci("c7c5"), nags=[5])
        node.comment = "good"
        game.headers["Result"] = "1-0"
        self.assertIn("1. e4 { good } 1... e5 (1... c5 $5) 2. Nf3 1-0", " ".join(str(game).split()))
        again = tabiya.Game.from_pgn(str(game))
        self.assertEqual(str(again), str(game))
        self.assertEqual(str(pickle.loads(pickle.dumps(game))), str(game))
        node.remove_variation(tabiya.Move.from_uci("c7c5"))
        self.assertEqual(len(node.variations), 1)
        with self.assertRaises(tabiya.IllegalMoveError):
            game.add_variation(tabiya.Move.from_uci("e2e5"))
        with self.assertRaises(KeyError):
            game.headers["Nobody"]
        with self.assertRaisesRegex(ValueError, "name of a tag"):
            game.headers["No body"] = "x"

    def test_a_board_becomes_a_game(self):
        board = tabiya.Board()
        for san in "f3 e5 g4 Qh4#".split():
            board.push_san(san)
        game = tabiya.Game.from_board(board)
        self.assertEqual(game.result, "0-1")
        self.assertIn("1. f3 e5 2. g4 Qh4# 0-1", str(game))
        self.assertEqual(game.end().board(), board)

    def test_it_reads_what_python_chess_writes(self):
        import random

        import chess
        import chess.pgn

        generator = random.Random(3)
        for _ in range(20):
            theirs = chess.pgn.Game()
            nodes = [theirs]
            for _ in range(60):
                node = generator.choice(nodes[-8:])
                moves = list(node.board().legal_moves)
                if moves:
                    move = generator.choice(moves)
                    if not node.has_variation(move):
                        nodes.append(node.add_variation(move, comment=generator.choice(["", "x", "{a}"[1:2]])))
            text = str(theirs)
            ours = tabiya.Game.from_pgn(text)
            self.assertEqual(ours.errors, [])

            def tree(node):
                return [(child.move.uci(), child.comment, tree(child)) for child in node.variations]

            self.assertEqual(tree(ours), tree(theirs))
            back = chess.pgn.read_game(io.StringIO(str(ours)))
            self.assertEqual(tree(back), tree(theirs))


if __name__ == "__main__":
    unittest.main()
