"""Reads and writes network files, and evaluates positions in integer arithmetic.

README.md describes the format. Needs only NumPy.
"""

import json
import os
import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

MAGIC = b"TABIYANN"
VERSION = 1
QA, QB, SCALE, INPUTS, OUTPUTS = 255, 64, 400, 768, 8
FIXED = struct.Struct("<8sIIIIIIHHHHQII64sII")
MIRRORED = 1


@dataclass
class Shape:
    """The shape of a network. `king_buckets` has the bucket of each king square, a1 first."""

    width: int
    mirrored: bool = False
    king_buckets: list = field(default_factory=lambda: [0] * 64)

    @property
    def buckets(self):
        return max(self.king_buckets) + 1

    @property
    def features(self):
        return INPUTS * self.buckets


@dataclass
class Network:
    shape: Shape
    rows: np.ndarray  # int16, features by width
    bias: np.ndarray  # int16, width
    output: np.ndarray  # int16, outputs by twice the width
    output_bias: np.ndarray  # int16, outputs
    provenance: dict

    def weights(self):
        """Returns all weights as bytes, in the order of the file."""
        parts = (self.rows, self.bias, self.output, self.output_bias)
        return b"".join(np.ascontiguousarray(p, dtype="<i2").tobytes() for p in parts)


def quantise(shape, rows, bias, output, output_bias, provenance):
    """Makes a network from floating-point weights. Raises ValueError if it could overflow."""

    def to_integers(values, scale):
        values = np.rint(np.asarray(values, dtype=np.float64) * scale)
        if np.abs(values).max() > 32767:
            raise ValueError("A weight does not fit 16 bits.")
        return values.astype(np.int16)

    network = Network(
        shape, to_integers(rows, QA), to_integers(bias, QA), to_integers(output, QB),
        to_integers(output_bias, QA * QB), provenance,
    )
    largest_sum = np.abs(network.rows.astype(np.int64)).max() * 32 + np.abs(network.bias.astype(np.int64)).max()
    if largest_sum > 32767:
        raise ValueError("The sums of the first layer could overflow 16 bits.")
    if np.abs(network.output).max() > 127:
        raise ValueError("An output weight is beyond ±127.")
    if np.abs(network.output.astype(np.int64)).sum(axis=1).max() * QA * QA >= 2**31:
        raise ValueError("The sum of the output layer could overflow 32 bits.")
    return network


def reshaped(network, shape):
    """Returns a wider network, or one with king buckets, with the same evaluations. Neurons are duplicated and share their
    output weight; rows are copied to all king buckets."""
    old = network.shape
    assert old.mirrored == shape.mirrored and old.buckets in (1, shape.buckets)
    times = shape.width // old.width
    outputs = network.output.reshape(OUTPUTS, 2, -1)
    shared = np.concatenate([(outputs + i) // times for i in range(times)], axis=2)
    return Network(
        shape, np.tile(network.rows, (shape.buckets // old.buckets, times)), np.tile(network.bias, times),
        shared.reshape(OUTPUTS, -1), network.output_bias, network.provenance,
    )


def joined(networks):
    """Joins networks side by side. The evaluation of the result is about the mean of theirs."""
    shape = networks[0].shape
    assert all((n.shape.mirrored, n.shape.king_buckets) == (shape.mirrored, shape.king_buckets) for n in networks)
    outputs = np.concatenate([n.output.reshape(OUTPUTS, 2, -1) for n in networks], axis=2) / len(networks)
    width = sum(n.shape.width for n in networks)
    return Network(
        Shape(width, shape.mirrored, shape.king_buckets), np.concatenate([n.rows for n in networks], axis=1),
        np.concatenate([n.bias for n in networks]), np.rint(outputs).astype(np.int16).reshape(OUTPUTS, -1),
        np.rint(np.mean([n.output_bias for n in networks], axis=0)).astype(np.int16),
        {"joined": [n.provenance for n in networks]},
    )


def random_network(shape, seed):
    """Returns a network with random weights, for tests."""
    random = np.random.default_rng(seed)

    def floats(*size, scale):
        return random.uniform(-scale, scale, size)

    return quantise(
        shape, floats(shape.features, shape.width, scale=0.3), floats(shape.width, scale=0.3),
        floats(OUTPUTS, 2 * shape.width, scale=0.5), floats(OUTPUTS, scale=0.1), {"name": "random"},
    )


def write(network, path):
    weights = network.weights()
    provenance_json = json.dumps(network.provenance).encode()
    length = (FIXED.size + len(provenance_json) + 63) // 64 * 64
    shape = network.shape

    def header(checksum):
        fields = (MAGIC, VERSION, length, shape.width, shape.buckets, OUTPUTS, MIRRORED if shape.mirrored else 0)
        return FIXED.pack(
            *fields, QA, QB, SCALE, 0, len(weights) // 2, zlib.crc32(weights), len(provenance_json),
            bytes(shape.king_buckets), checksum, 0,
        )

    head = (header(0) + provenance_json).ljust(length, b"\0")
    head = header(zlib.crc32(head)) + head[FIXED.size :]
    temporary = f"{path}.part"
    with open(temporary, "wb") as file:
        file.write(head + weights)
    os.replace(temporary, path)


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < FIXED.size or data[:8] != MAGIC:
        raise ValueError(f"{path} is not a network file.")
    (
        _, version, length, width, buckets, outputs, flags, qa, qb, scale, _, count, crc, provenance_length, kings,
        head_crc, _,
    ) = FIXED.unpack_from(data)
    if (version, outputs, qa, qb, scale) != (VERSION, OUTPUTS, QA, QB, SCALE):
        raise ValueError(f"{path} has an unknown version or unknown scales.")
    blank = data[: FIXED.size - 8] + bytes(8) + data[FIXED.size : length]
    weights = data[length:]
    if zlib.crc32(blank) != head_crc or len(weights) != 2 * count or zlib.crc32(weights) != crc:
        raise ValueError(f"{path} is damaged.")
    shape = Shape(width, bool(flags & MIRRORED), list(kings))
    numbers = np.frombuffer(weights, dtype="<i2")
    sizes = [shape.features * width, width, outputs * 2 * width, outputs]
    if shape.buckets != buckets or sum(sizes) != count:
        raise ValueError(f"{path} is damaged.")
    rows, bias, output, output_bias = np.split(numbers, np.cumsum(sizes)[:-1])
    provenance = json.loads(data[FIXED.size : FIXED.size + provenance_length])
    return Network(shape, rows.reshape(-1, width), bias, output.reshape(outputs, -1), output_bias, provenance)


def pieces_of(fen):
    """Returns the pieces of a FEN as (role 0 to 5, white, square), and whether White is to move."""
    board, turn = fen.split()[:2]
    pieces, square = [], 56
    for letter in board:
        if letter == "/":
            square -= 16
        elif letter.isdigit():
            square += int(letter)
        else:
            pieces.append(("pnbrqk".index(letter.lower()), letter.isupper(), square))
            square += 1
    return pieces, turn == "w"


def active_rows(shape, pieces, white):
    """Returns the indices of the rows in the view of one side."""
    turn = 0 if white else 56
    king = next(square for role, colour, square in pieces if role == 5 and colour == white) ^ turn
    if shape.mirrored and king & 4:
        turn ^= 7
        king ^= 7
    first = INPUTS * shape.king_buckets[king]
    return [first + ((0 if colour == white else 6) + role) * 64 + (square ^ turn) for role, colour, square in pieces]


def evaluate(network, fen):
    """Evaluates a position in centipawns for the side to move, in integers as the engine does."""
    pieces, white = pieces_of(fen)
    bucket = (len(pieces) - 2) // 4
    total = 0
    weights = network.output[bucket].astype(np.int64)
    for half, side in enumerate((white, not white)):
        rows = active_rows(network.shape, pieces, side)
        sums = network.bias.astype(np.int64) + network.rows[rows].astype(np.int64).sum(axis=0)
        active = np.clip(sums, 0, QA)
        total += int((active * active * weights[half * network.shape.width :][: network.shape.width]).sum())

    def divide(a, b):
        # Round towards zero, as in C and Rust.
        return abs(a) // b * (1 if a >= 0 else -1)

    return divide((divide(total, QA) + int(network.output_bias[bucket])) * SCALE, QA * QB)
