"""Explores a repertoire: what was played after some moves, and how it went: repertoire.py GAMES.pgn e4 c5"""

import collections
import sys

import tabiya


def main(path: str, *moves: str) -> None:
    board = tabiya.Board()
    for san in moves:
        board.push_san(san)
    name = board.opening()
    print(f"{' '.join(moves) or 'The starting position'}{f': {name[0]} {name[1]}' if name else ''}")
    played = collections.defaultdict(lambda: [0, 0.0])
    points = {"1-0": 1.0, "1/2-1/2": 0.5}
    games = tabiya.read_pgn(path, keys=True)
    for game in games:
        # The keys of the positions after each move; another order of moves leads here, too.
        keys = [tabiya.Board(game["fen"] or tabiya.STARTING_FEN).key, *game["keys"]]
        if board.key in keys[:-1]:
            entry = played[game.moves[keys.index(board.key)]]
            entry[0] += 1
            entry[1] += points.get(game.result, 0.0)
    for move, (count, score) in sorted(played.items(), key=lambda item: -item[1][0]):
        print(f"{board.san(move):7} {count:5} games, White scores {100 * score / count:3.0f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
