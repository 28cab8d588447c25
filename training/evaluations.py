"""Writes positions of self-play and what a network says about them, for the engine to be compared with:

    python3 training/evaluations.py NETWORK OUT.tsv

A line is a FEN, a tab, and the evaluation for the side to move in centipawns. With --random, a random network is
written first. Needs NumPy and a C++ compiler.
"""

import argparse
from pathlib import Path

import network as nn
import selfplay as sp

KING_BUCKETS = [(square >> 3 > 1) * 2 + (square & 3 > 1) for square in range(64)]


def positions(count):
    """So many different positions of quick games, from the opening to the end."""
    library = sp.Library(sp.build(gpu=False))
    records, _, _ = sp.play_games(library, max(count // 16, 4), nodes=60)
    found = {sp.fen_of(records[i : i + sp.RECORD_BYTES]): None for i in range(0, len(records), sp.RECORD_BYTES)}
    if len(found) < count:
        raise ValueError(f"the games have only {len(found)} positions")
    # Spread over all games.
    fens = list(found)
    return [fens[i * len(fens) // count] for i in range(count)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes positions and what a network says about them.")
    parser.add_argument("network", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--random", action="store_true", help="write a random network first")
    given = parser.parse_args()
    if given.random:
        nn.write(nn.random_network(nn.Shape(64, True, KING_BUCKETS), seed=1), given.network)
    network = nn.read(given.network)
    lines = [f"{fen}\t{nn.evaluate(network, fen)}\n" for fen in positions(given.count)]
    given.out.write_text("".join(lines))
