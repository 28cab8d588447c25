"""The engine in the package, and others over UCI."""

import copy
import os
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

import tabiya

MATE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"

# An engine that always plays the same move, or does what its option says.
FAKE = """#!{python}
import sys, time
mode = "play"
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Fake 1\\noption name Mode type string default play\\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["setoption"]:
        mode = words[-1]
    elif words[:1] == ["go"]:
        if mode == "die":
            sys.exit(3)
        if mode == "cheat":
            print("bestmove e2e5", flush=True)
            continue
        print("info depth 4 score cp 25 nodes 100 pv e2e4 e7e5", flush=True)
        print("bestmove e2e4", flush=True)
    elif words[:1] == ["quit"]:
        break
"""


class Own(unittest.TestCase):
    def test_it_finds_a_mate(self):
        info = tabiya.Engine().analyse(tabiya.Board(MATE), depth=4)
        self.assertEqual(info.score, tabiya.Score(mate=1))
        self.assertEqual((info.pv_san(), [move.uci() for move in info.pv]), ("1. Rd8#", ["d1d8"]))
        self.assertEqual(info.white_score.mate, 1)

    def test_scores_are_copied_and_pickled(self):
        for score in (tabiya.Score(cp=-31), tabiya.Score(mate=3), tabiya.Score(mate=-1)):
            for other in (copy.copy(score), copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
                self.assertEqual((other, hash(other), repr(other)), (score, hash(score), repr(score)))

    def test_several_lines_come_sorted(self):
        lines = tabiya.Engine().analyse(tabiya.Board(), nodes=3000, multipv=3)
        self.assertEqual([line.multipv for line in lines], [1, 2, 3])
        self.assertEqual(len({line.pv[0] for line in lines}), 3)

    def test_infos_arrive_while_it_searches_and_leaving_stops_it(self):
        engine = tabiya.Engine()
        depths = [info.depth for info in engine.infos(tabiya.Board(), depth=6)]
        self.assertEqual((depths, depths[-1]), (sorted(depths), 6))
        for info in engine.infos(tabiya.Board()):
            if info.depth >= 3:
                break
        # The search has been told to stop, and the next one waits for its end.
        self.assertIsNotNone(engine.best_move(tabiya.Board(), depth=1))
        endless = engine.infos(tabiya.Board())
        with self.assertRaisesRegex(RuntimeError, "the engine is searching"):
            while True:
                engine.best_move(tabiya.Board(), depth=1)
        engine.close()
        self.assertIsNotNone(next(endless, 0))
        with self.assertRaisesRegex(RuntimeError, "closed"):
            engine.best_move(tabiya.Board(), depth=1)

    def test_levels_play_legal_moves_and_a_seed_repeats_them(self):
        def play(seed):
            board, engine = tabiya.Board(), tabiya.Engine(level=1, seed=seed)
            for _ in range(6):
                board.push(engine.best_move(board, nodes=200))
            return [move.uci() for move in board.move_stack]

        self.assertEqual(play(5), play(5))

    def test_the_past_counts(self):
        board = tabiya.Board()
        board.push_san("e4")
        board.push(tabiya.Move.null())
        self.assertIn(tabiya.Engine().best_move(board, nodes=500), board.legal_moves)
        mated = tabiya.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
        self.assertIsNone(tabiya.Engine().best_move(mated, depth=1))
        with self.assertRaisesRegex(ValueError, "the game is over"):
            tabiya.Engine().analyse(mated, depth=1)

    def test_bad_limits_are_refused(self):
        engine = tabiya.Engine()
        with self.assertRaisesRegex(ValueError, "say how long"):
            engine.best_move(tabiya.Board())
        for time in (-1.0, float("nan"), 1e300):
            with self.assertRaisesRegex(ValueError, "not a time"):
                engine.best_move(tabiya.Board(), time=time)
        with self.assertRaisesRegex(ValueError, "not a level"):
            tabiya.Engine(level=11)
        with self.assertRaisesRegex(ValueError, "from 1 to 500"):
            engine.analyse(tabiya.Board(), depth=1, multipv=0)

    def test_mates_are_proved(self):
        self.assertEqual([move.uci() for move in tabiya.prove_mate(tabiya.Board(MATE), 3)], ["d1d8"])
        self.assertIsNone(tabiya.prove_mate(tabiya.Board(), 2))
        with self.assertRaisesRegex(TimeoutError, "undecided"):
            tabiya.prove_mate(tabiya.Board(), 10, nodes=10)

    def test_a_review_has_words(self):
        game = tabiya.Game.from_pgn("1. f3 e5 2. g4 Qh4# 0-1")
        review = tabiya.Engine().review(game, depth=6)
        self.assertEqual(len(review["moves"]), 4)
        self.assertEqual(review["moves"][2]["judgement"], "Blunder")
        self.assertIn("was best", review["moves"][2]["reason"])
        self.assertEqual(review["white"]["blunders"], 1)
        self.assertIn("Checkmate is now unavoidable", " ".join(review["pgn"].split()))

    @unittest.skipIf(sys.platform == "win32", "signals differ")
    def test_an_interrupt_stops_a_search(self):
        program = """
            import signal, sys, tabiya
            signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
            engine = tabiya.Engine()
            try:
                print("searching", flush=True)
                engine.best_move(tabiya.Board(), time=100000.0)
            except KeyboardInterrupt:
                engine.best_move(tabiya.Board(), depth=1)
                sys.exit(7)
        """
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), b"searching\n")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)
        self.assertEqual(process.returncode, 7)


@unittest.skipIf(sys.platform == "win32", "the engine is a script")
class Others(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = os.path.join(folder.name, "fake")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(FAKE.format(python=sys.executable))
        os.chmod(self.program, os.stat(self.program).st_mode | stat.S_IXUSR)

    def open(self, options=""):
        # Starting Python may take long on a busy machine.
        return tabiya.Engine.open(f"'{self.program}' {options}", timeout=120.0)

    def test_another_engine_answers(self):
        with self.open() as engine:
            self.assertEqual(engine.name, "Fake 1")
            self.assertEqual(engine.best_move(tabiya.Board(), depth=4), tabiya.Move.from_uci("e2e4"))
            info = engine.analyse(tabiya.Board(), depth=4)
            self.assertEqual((info.depth, info.score, info.pv_san()), (4, tabiya.Score(cp=25), "1. e4 e5"))
            with self.assertRaisesRegex(ValueError, "no option"):
                engine.set_option("Nothing", "1")
        with self.assertRaisesRegex(RuntimeError, "closed"):
            engine.best_move(tabiya.Board(), depth=4)

    def test_faults_of_another_engine_are_errors(self):
        with self.assertRaisesRegex(RuntimeError, "illegal move"):
            self.open("Mode=cheat").best_move(tabiya.Board(), depth=4)
        with self.assertRaisesRegex(OSError, "has ended"):
            self.open("Mode=die").best_move(tabiya.Board(), depth=4)
        with self.assertRaisesRegex(OSError, "cannot be started"):
            tabiya.Engine.open(self.program + "-that-is-not-there")
        with self.assertRaisesRegex(ValueError, "empty"):
            tabiya.Engine.open("  ")


if __name__ == "__main__":
    unittest.main()
