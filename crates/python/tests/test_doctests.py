"""The examples in the docstrings."""

import doctest
import importlib
import pkgutil
import unittest

import tabiya
from tabiya import _tabiya


def load_tests(loader, tests, pattern):
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = 0
    things = [getattr(_tabiya, name) for name in dir(_tabiya) if not name.startswith("__")]
    for thing in things:
        for test in finder.find(thing, module=False, globs={"tabiya": tabiya}):
            if test.examples:
                examples += 1
                tests.addTest(doctest.DocTestCase(test))
    for module in pkgutil.iter_modules(tabiya.__path__):
        if module.name != "_tabiya":
            tests.addTests(doctest.DocTestSuite(importlib.import_module(f"tabiya.{module.name}")))
    tests.addTests(doctest.DocTestSuite(tabiya))
    assert examples >= 4, "the docstrings of the extension were not found"
    return tests


class Docstrings(unittest.TestCase):
    def test_every_public_item_has_one(self):
        for name in dir(_tabiya):
            thing = getattr(_tabiya, name)
            if name.startswith("_"):
                continue
            self.assertTrue(thing.__doc__, name)
            if not isinstance(thing, type) or issubclass(thing, Exception):
                continue
            for member in dir(thing):
                if not member.startswith("_"):
                    self.assertTrue(getattr(thing, member).__doc__, f"{name}.{member}")
