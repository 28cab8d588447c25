"""The tags of a game as a dictionary."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Iterator

if TYPE_CHECKING:
    from tabiya._tabiya import Game

    _Base = MutableMapping[str, str]
else:
    _Base = MutableMapping


class Headers(_Base):
    """The tags of a game. Changes go to the game.

    >>> import tabiya
    >>> game = tabiya.Game()
    >>> game.headers["White"] = "Ann"
    >>> dict(game.headers)
    {'White': 'Ann'}
    """

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getitem__(self, name: str) -> str:
        value = self._game.tag(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        self._game.set_tag(name, value)

    def __delitem__(self, name: str) -> None:
        if not self._game.remove_tag(name):
            raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._game.tag_names())

    def __len__(self) -> int:
        return len(self._game.tag_names())

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"
