"""Trains a tiny network, with NumPy only, to guess who wins: train_network.py GAMES.pgn"""

import sys

import numpy

import tabiya
from tabiya import encode


def main(path: str) -> None:
    games = tabiya.read_pgn(path)
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    y = numpy.array([points.get(game.result, numpy.nan) for game in games for _ in range(len(game))])
    x = encode.planes(games, count=18).reshape(-1, 18 * 64)[~numpy.isnan(y)]
    y = y[~numpy.isnan(y)]
    generator = numpy.random.default_rng(1)
    w1, w2 = generator.normal(0, 0.05, (18 * 64, 32)), generator.normal(0, 0.05, 32)
    for epoch in range(10):
        losses = []
        for batch in numpy.array_split(generator.permutation(len(x)), len(x) // 64 + 1):
            hidden = numpy.maximum(x[batch] @ w1, 0)
            guess = 1 / (1 + numpy.exp(-hidden @ w2))
            losses.append(numpy.mean((guess - y[batch]) ** 2))
            error = (guess - y[batch]) / len(batch)
            w1 -= 0.5 * x[batch].T @ (numpy.outer(error, w2) * (hidden > 0))
            w2 -= 0.5 * hidden.T @ error
        print(f"epoch {epoch + 1}: loss {numpy.mean(losses):.4f}")


if __name__ == "__main__":
    main(sys.argv[1])
