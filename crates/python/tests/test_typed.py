"""The typed examples run, too."""

import unittest

import tabiya
import typed


class Typed(unittest.TestCase):
    def test_the_examples_run(self):
        self.assertIn(" e3 0 1e4<svg", typed.board())
        self.assertEqual(typed.errors(), ("path_blocked", {tabiya.E2}))
        self.assertEqual(typed.games(), ["Ann", "*", "e4", "e5", "Ann", "e4", "e5"])
        self.assertEqual(typed.engine(), "d1d8")
        self.assertEqual(typed.arrays(), (1, 18, 8, 8))
        self.assertEqual(typed.compat(), "8/8/8/8/8/8/5K2/8 b - - 1 1")
