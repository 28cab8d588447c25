"""Writes self-play positions and their evaluations, for the engine's tests:

    python3 training/evaluations.py NETWORK OUT.tsv

Each line is a FEN, a tab, and the evaluation in centipawns for the side to move. Needs NumPy and a C++ compiler.
"""

import argparse
from pathlib import Path

import network as nn
import selfplay as sp

KING_BUCKETS = [(square >> 3 > 1) * 2 + (square & 3 > 1) for square in range(64)]


def positions(count):
    """Returns `count` different positions of quick games, from the opening to the end."""
    library = sp.Library(sp.build(gpu=False))
    records, _, _ = sp.play_games(library, max(count // 16, 4), nodes=60)
    found = {sp.fen_of(records[i : i + sp.RECORD_BYTES]): None for i in range(0, len(records), sp.RECORD_BYTES)}
    if len(found) < count:
        raise ValueError(f"The games have only {len(found)} different positions, not {count}.")
    # Spread the choice over all games.
    fens = list(found)
    return [fens[i * len(fens) // count] for i in range(count)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes positions and a network's evaluations of them.")
    parser.add_argument("network", type=Path, help="network file")
    parser.add_argument("out", type=Path, help="file to write")
    parser.add_argument("--count", type=int, default=1000, help="number of positions")
    parser.add_argument("--random", action="store_true", help="write a random network to NETWORK first")
    args = parser.parse_args()
    if args.random:
        nn.write(nn.random_network(nn.Shape(64, True, KING_BUCKETS, nn.OUTPUTS), seed=1), args.network)
    network = nn.read(args.network)
    lines = [f"{fen}\t{nn.evaluate(network, fen)}\n" for fen in positions(args.count)]
    args.out.write_text("".join(lines))
