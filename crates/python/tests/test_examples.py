"""The programs in the folder `examples`."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CRATE = pathlib.Path(__file__).parents[1]
GAMES = CRATE.parent / "notation/tests/data/games.pgn"

# Morphy gives up his queen; then an exchange of queens, and a queen that is lost by the loser.
SACRIFICES = """[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+
Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[White "Legal"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Bc4 d6 3. Nf3 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Qe2 Qxe2+ 5. Bxe2 1-0

[White "Ann"]
[Black "Bob"]
[Result "0-1"]

1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. Qxe7+ Qxe7 0-1
"""


def run(name, *arguments):
    command = [sys.executable, str(CRATE / "examples" / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


class Examples(unittest.TestCase):
    def test_queen_sacrifices_are_found(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
            file.write(SACRIFICES)
            file.flush()
            found = run("queen_sacrifices.py", file.name)
        self.assertEqual(found, ["Morphy - Allies 1-0: 16. Qb8+", "Legal - Saint Brie 1-0: 5. Nxe5"])

    def test_the_network_learns(self):
        losses = [float(line.split()[-1]) for line in run("train_network.py", GAMES)]
        self.assertEqual(len(losses), 10)
        self.assertLess(losses[-1], 0.7 * losses[0])

    def test_the_repertoire_is_explored(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
            file.write(SACRIFICES)
            file.flush()
            lines = run("repertoire.py", file.name, "e4", "e5")
        self.assertEqual(lines[0], "e4 e5: C20 King's Pawn Game")
        self.assertEqual([re.sub(r" +", " ", line) for line in lines[1:]], [
            "Nf3 1 games, White scores 100 %", "Bc4 1 games, White scores 100 %", "Qh5 1 games, White scores 0 %",
        ])

    def test_each_is_named_in_the_manual(self):
        manual = (CRATE.parents[1] / "docs/python.md").read_text()
        for path in (CRATE / "examples").glob("*.py"):
            self.assertTrue(path.name in manual, path.name)


if __name__ == "__main__":
    unittest.main()
