"""Compares networks with the scores of another engine:

    python3 training/errors.py LABELS.tsv NETWORK...

Each line of LABELS.tsv is a FEN, a tab, and a score in centipawns for the side to move. Scores and evaluations are compared
as expected results. Each network is scaled for the best fit, because the scale matters only to the search. Needs NumPy.
"""

import argparse
from pathlib import Path

import numpy as np

import network as nn

LABEL_SCALE = 150  # centipawns per unit of the logistic function's argument
GROUPS = [("all", 2, 32), ("26-32 pieces", 26, 32), ("18-25", 18, 25), ("10-17", 10, 17), ("2-9", 2, 9)]
SCALES = np.arange(0.3, 3.0, 0.05)


def expected(values):
    return 1 / (1 + np.exp(-values))


def fit(values, targets):
    """Returns the smallest mean squared error and its scale."""
    return min((float(np.mean((expected(values * scale) - targets) ** 2)), scale) for scale in SCALES)


def main():
    parser = argparse.ArgumentParser(description="Compares networks with the scores of another engine.")
    parser.add_argument("labels", type=Path, help="tab-separated FENs and scores")
    parser.add_argument("networks", type=Path, nargs="+", help="network files")
    args = parser.parse_args()
    lines = [line.split("\t") for line in args.labels.read_text().splitlines()]
    targets = expected(np.array([float(score) for _, score in lines]) / LABEL_SCALE)
    pieces = np.array([len(nn.pieces_of(fen)[0]) for fen, _ in lines])
    for path in args.networks:
        network = nn.read(path)
        values = np.array([nn.evaluate(network, fen) for fen, _ in lines]) / nn.SCALE
        parts = []
        for name, fewest, most in GROUPS:
            group = (pieces >= fewest) & (pieces <= most)
            if group.any():
                error, scale = fit(values[group], targets[group])
                parts.append(f"{name} {error:.5f} (scale {scale:.2f})")
        print(f"{path}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
