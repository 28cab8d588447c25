"""The typed examples run, too, and leave nothing out."""

import ast
import pathlib
import types
import unittest

import tabiya
import tabiya.encode
import tabiya.svg
import typed
import typed_members

HERE = pathlib.Path(__file__).parent


class Typed(unittest.TestCase):
    def test_the_examples_run(self):
        self.assertIn(" e3 0 1e4<svg", typed.board())
        self.assertEqual(typed.errors(), ("path_blocked", {tabiya.E2}))
        self.assertEqual(typed.games(), ["Ann", "*", "e4", "e5", "Ann", "e4", "e5"])
        self.assertEqual(typed.engine(), "d1d8")
        self.assertEqual(typed.arrays(), (1, 18, 8, 8))
        self.assertEqual(typed.compat(), "8/8/8/8/8/8/5K2/8 b - - 1 1")
        typed_members.run()
        fake = HERE.parents[1] / "explorer/tests/fake-archive"
        self.assertEqual(typed_members.archives("games", str(fake)), 1)

    def test_every_public_item_has_an_example(self):
        used = set()
        for name in ("typed.py", "typed_members.py"):
            for node in ast.walk(ast.parse((HERE / name).read_text())):
                if isinstance(node, ast.Attribute):
                    used.add(node.attr)
        missing = []
        for module in (tabiya, tabiya.encode, tabiya.svg):
            public = getattr(module, "__all__", None) or [
                name for name, item in vars(module).items()
                if isinstance(item, types.FunctionType) and item.__module__ == module.__name__ and not name.startswith("_")
            ]
            for name in public:
                item = getattr(module, name)
                # Constants are used or not.
                if isinstance(item, (int, str, list)) or item in (bool, int):
                    continue
                if name not in used:
                    missing.append(name)
                if isinstance(item, type) and not issubclass(item, BaseException):
                    # What a class inherits from Python's own is no news.
                    members = [member for member in vars(item) if not member.startswith("_")]
                    enumeration = set(getattr(item, "__members__", ()))
                    missing += [f"{name}.{member}" for member in members if member not in used | enumeration]
        self.assertEqual(missing, [])
