"""Runs python-chess's tests, in whose folder it must be started, with `tabiya.compat` under the name of `chess`."""

import contextlib
import doctest
import importlib
import io
import re
import sys
import types
import unittest

# How many must pass at least.
TESTS = 172
EXAMPLES = 63

CASES = "Square Move Piece Board LegalMoveGenerator BaseBoard SquareSet Polyglot Pgn".split()
PARTS = "engine gaviota pgn polyglot svg syzygy variant".split()


def install():
    """Makes `import chess` and its parts mean ours. Parts that we don't have are empty."""
    chess = importlib.import_module("tabiya.compat")
    sys.modules["chess"] = chess
    for part in PARTS:
        try:
            module = importlib.import_module(f"tabiya.compat.{part}")
        except ModuleNotFoundError:
            module = types.ModuleType(f"chess.{part}")
            # Decorators of tests that are not run name it.
            module.MissingTableError = KeyError
        sys.modules[f"chess.{part}"] = module
        setattr(chess, part, module)


def run_tests():
    sys.path.insert(0, ".")
    module = importlib.import_module("test")
    assert module.chess.Board.__module__ == "tabiya.compat._board", "these are not our boards"
    failed, passed, count = [], 0, 0
    for case in CASES:
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(getattr(module, f"{case}TestCase"))
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            result = unittest.TextTestRunner(stream=silent).run(suite)
        bad = result.failures + result.errors
        failed += bad
        count += result.testsRun
        passed += result.testsRun - len(bad) - len(result.skipped)
        print(f"{case:20} {result.testsRun - len(bad) - len(result.skipped):3} of {result.testsRun}")
    print(f"{'all tests':20} {passed:3} of {count}")
    for test, trace in failed:
        print("not passed:", test.id().split(".", 1)[1], "-", trace.strip().splitlines()[-1][:150])
        if "-v" in sys.argv:
            print(trace)
    return passed


def run_examples():
    """Counts the examples of the README one by one: a failure does not stop the others."""
    with open("README.rst", encoding="utf-8") as file:
        text = file.read()
    test = doctest.DocTestParser().get_doctest(text, {}, "README.rst", "README.rst", 0)
    # Those that even python-chess leaves out don't count.
    test.examples = [example for example in test.examples if not example.options.get(doctest.SKIP)]
    out = []
    runner = doctest.DocTestRunner(verbose=False)
    result = runner.run(test, out=out.append)
    print(f"{'README examples':20} {result.attempted - result.failed:3} of {result.attempted}")
    for failed in re.findall(r"Failed example:\n(.*)", "".join(out)):
        print("not passed:", failed.strip())
    if "-v" in sys.argv:
        print("".join(out))
    return result.attempted - result.failed


if __name__ == "__main__":
    install()
    tests, examples = run_tests(), run_examples()
    sys.exit(tests < TESTS or examples < EXAMPLES)
