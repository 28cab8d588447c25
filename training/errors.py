"""Compares networks by their errors on labelled positions:

    python3 training/errors.py LABELS NETWORK...

LABELS is a file of training records like yardstick.records, or a .tsv file with a FEN, a tab, and a score in centipawns for
the side to move in each line. Scores and evaluations are compared as expected results. Records also know the results of the
games, which are compared too. Each network is scaled for the best fit, because the scale matters only to the search. Needs
NumPy.
"""

import argparse
from pathlib import Path

import numpy as np

import network as nn
import selfplay as sp

LABEL_SCALE = 150  # centipawns per unit of the logistic function's argument
GROUPS = [("all", 2, 32), ("26-32 pieces", 26, 32), ("18-25", 18, 25), ("10-17", 10, 17), ("2-9", 2, 9)]
SCALES = np.arange(0.3, 3.0, 0.05)


def expected(values):
    return 1 / (1 + np.exp(-values))


def fit(values, targets):
    """Returns the smallest mean squared error and its scale."""
    return min((float(np.mean((expected(values * scale) - targets) ** 2)), scale) for scale in SCALES)


def read_labels(path):
    """Returns FENs, and what evaluations are compared with: names and expected results."""
    if path.suffix == ".tsv":
        lines = [line.split("\t") for line in path.read_text().splitlines()]
        scores = np.array([float(score) for _, score in lines])
        return [fen for fen, _ in lines], {"score": expected(scores / LABEL_SCALE)}
    data = path.read_bytes()
    if not data or len(data) % sp.RECORD_BYTES:
        raise SystemExit(f"{path} is not a file of records. Files of FENs and scores end in .tsv.")
    records = np.frombuffer(data, dtype=np.uint8).reshape(-1, sp.RECORD_BYTES)
    scores = np.ascontiguousarray(records[:, 24:26]).view("<i2")[:, 0]
    fens = [sp.fen_of(record.tobytes()) for record in records]
    return fens, {"score": expected(scores / nn.SCALE), "result": records[:, 30] / 2}


def errors(values, pieces, targets):
    """Describes the errors against one target, by the number of pieces."""
    parts = []
    for name, fewest, most in GROUPS:
        group = (pieces >= fewest) & (pieces <= most)
        if group.any():
            error, scale = fit(values[group], targets[group])
            parts.append(f"{name} {error:.5f} (scale {scale:.2f})")
    return ", ".join(parts)


def main():
    parser = argparse.ArgumentParser(description="Compares networks by their errors on labelled positions.")
    parser.add_argument("labels", type=Path, help="training records, or tab-separated FENs and scores")
    parser.add_argument("networks", type=Path, nargs="+", help="network files")
    args = parser.parse_args()
    fens, labels = read_labels(args.labels)
    pieces = np.array([len(nn.pieces_of(fen)[0]) for fen in fens])
    for path in args.networks:
        network = nn.read(path)
        values = np.array([nn.evaluate(network, fen) for fen in fens]) / nn.SCALE
        for name, targets in labels.items():
            print(f"{path}: {name}: {errors(values, pieces, targets)}")


if __name__ == "__main__":
    main()
