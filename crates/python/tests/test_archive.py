"""Archives, through a stand-in for `tabiya-archive`, and through the program itself if TABIYA_ARCHIVE names it."""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import tabiya

FAKE = pathlib.Path(__file__).parents[2] / "explorer/tests/fake-archive"


def open_archive(name):
    return tabiya.Archive(name, program=FAKE)


@unittest.skipUnless(os.name == "posix", "the stand-in is a shell script")
class StandIn(unittest.TestCase):
    def test_moves_come_with_their_counts(self):
        with open_archive("games") as archive:
            explored = archive.explore(tabiya.Board())
            e4, d4, end = explored.moves
            self.assertEqual((e4.move, e4.san, e4.games), (tabiya.Move.from_uci("e2e4"), "e4", 1200))
            self.assertEqual((e4.white_wins, e4.draws, e4.black_wins, e4.unknown), (480, 360, 240, 120))
            self.assertEqual((e4.average_rating, e4.last_played, d4.average_rating), (2345, "2024.05.31", None))
            self.assertEqual((end.move, end.games), (None, 2))
            self.assertEqual((explored.top[0].game_id, explored.top[0].headers, explored.recent), (7, {"White": "Ada"}, []))
            self.assertEqual(archive.explore(tabiya.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 5")).games, 5)

    def test_what_goes_wrong_is_said_in_a_sentence(self):
        for name, message in {
            "none": "none is not an archive: build one",
            "silent": "tabiya-archive ended before it answered",
            "nonsense": "tabiya-archive gave an unreadable answer; is it the same version as this package?",
        }.items():
            with self.assertRaises(tabiya.ArchiveError) as caught:
                open_archive(name)
            self.assertEqual(str(caught.exception), message)
        with self.assertRaises(tabiya.ArchiveError) as caught:
            tabiya.Archive("games", program="/no/such/program")
        self.assertEqual(str(caught.exception), "tabiya-archive is not installed: cargo install --path crates/archive")
        with self.assertRaisesRegex(tabiya.ArchiveError, "^cannot start tabiya-archive: "):
            tabiya.Archive("games", program="/")
        for bad in (None, "e4", 3):
            with open_archive("games") as archive, self.assertRaises((TypeError, AttributeError)):
                archive.explore(bad)

    def test_a_missing_program_is_named_with_the_line_that_installs_it(self):
        code = "import tabiya\ntry: tabiya.Archive('games')\nexcept tabiya.ArchiveError as error: print(error)"
        with tempfile.TemporaryDirectory() as folder:
            # Beside this interpreter there is no program either.
            environment = {**os.environ, "PATH": folder}
            ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout, "tabiya-archive is not installed: cargo install --path crates/archive\n")

    def test_a_program_that_died_is_started_again(self):
        archive = open_archive("once")
        for number in range(1, 4):
            board = tabiya.Board(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")
            with self.assertRaises(tabiya.ArchiveError):
                archive.explore(board)
            self.assertEqual(archive.explore(board).games, number)
        archive.close()
        self.assertEqual(archive.explore(board).games, 3)
        archive.close()

    def test_threads_share_an_archive(self):
        wrong = []
        with open_archive("games") as archive:

            def ask(start):
                for number in range(start, start + 20):
                    board = tabiya.Board(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")
                    if archive.explore(board).games != number:
                        wrong.append(number)

            threads = [threading.Thread(target=ask, args=(start,)) for start in (1, 101, 201, 301)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(wrong, [])

    def test_the_program_ends_with_the_archive(self):
        archive = open_archive("process")
        process = archive.explore(tabiya.Board()).games
        os.kill(process, 0)
        del archive
        with self.assertRaises(ProcessLookupError):
            os.kill(process, 0)


@unittest.skipUnless(os.environ.get("TABIYA_ARCHIVE"), "TABIYA_ARCHIVE names no program")
class Program(unittest.TestCase):
    def test_an_archive_is_built_and_explored(self):
        program = os.environ["TABIYA_ARCHIVE"]
        tags = '[Date "2024.01.02"]\n[WhiteElo "2100"]\n[BlackElo "2200"]\n'
        pgn = f'[White "Ann"]\n{tags}[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
        pgn += f'[White "Bob"]\n{tags}[Result "0-1"]\n\n1. e4 c5 0-1\n'
        with tempfile.TemporaryDirectory() as folder:
            games, archive = os.path.join(folder, "games.pgn"), os.path.join(folder, "archive")
            with open(games, "w") as file:
                file.write(pgn)
            subprocess.run([program, "build", games, "-o", archive], check=True, capture_output=True)
            with tabiya.Archive(archive, program=program) as opened:
                (e4,) = opened.explore(tabiya.Board()).moves
                self.assertEqual((e4.san, e4.games, e4.white_wins, e4.black_wins), ("e4", 2, 1, 1))
                board = tabiya.Board()
                board.push_san("e4")
                board.push_san("c5")
                explored = opened.explore(board)
                self.assertEqual(([move.move for move in explored.moves], explored.games), ([None], 1))
                self.assertEqual(explored.top[0].headers["White"], "Bob")
            with self.assertRaisesRegex(tabiya.ArchiveError, "."):
                tabiya.Archive(folder, program=program)


if __name__ == "__main__":
    unittest.main()
