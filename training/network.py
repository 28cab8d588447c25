"""Reads and writes network files, and evaluates positions in integer arithmetic.

README.md describes the format. Needs only NumPy.
"""

import json
import math
import os
import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

MAGIC, VERSION = b"TABIYANN", 2
QA, QB, SCALE, INPUTS, OUTPUTS = 255, 64, 400, 768, 8
FIRST_HIDDEN, SECOND_HIDDEN = 16, 32  # neurons of the hidden layers
ACTIVE_SHIFT, ACTIVE_ONE = 9, 127  # a squared activation of QA * QA, shifted, is this
HIDDEN_ONE = ACTIVE_ONE * QB  # stands for 1.0 in the sums of the first hidden layer
FIXED_ONE = 4096  # stands for 1.0 in the weights of the layers after it
FIXED = struct.Struct("<8sIIIIIIHHHHQII64sII")
MIRRORED, HIDDEN_FOR_EACH_OUTPUT = 1, 2


@dataclass
class Shape:
    """The shape of a network. `king_buckets` has the bucket of each king square, a1 first. `hidden_sets` is the number of sets
    of weights of the first hidden layer: one for all outputs, one for each, or 0 if there are no hidden layers."""

    width: int
    mirrored: bool = False
    king_buckets: list = field(default_factory=lambda: [0] * 64)
    hidden_sets: int = 0

    @property
    def buckets(self):
        return max(self.king_buckets) + 1

    @property
    def features(self):
        return INPUTS * self.buckets

    def sizes(self):
        """Returns the shapes of all weights, in the order of the file."""
        sizes = {
            "rows": (self.features, self.width),
            "bias": (self.width,),
            "output": (OUTPUTS, 2 * self.width),
            "output_bias": (OUTPUTS,),
        }
        if self.hidden_sets:
            sizes |= {
                "hidden": (self.hidden_sets, FIRST_HIDDEN, 2 * self.width),
                "hidden_bias": (self.hidden_sets, FIRST_HIDDEN),
                "second": (OUTPUTS, 2 * FIRST_HIDDEN, SECOND_HIDDEN),
                "second_bias": (OUTPUTS, SECOND_HIDDEN),
                "last": (OUTPUTS, SECOND_HIDDEN),
            }
        return sizes


@dataclass
class Network:
    shape: Shape
    rows: np.ndarray  # int16, features by width
    bias: np.ndarray  # int16, width
    output: np.ndarray  # int16, outputs by twice the width
    output_bias: np.ndarray  # int16, outputs
    provenance: dict
    layers: dict = field(default_factory=dict)  # the weights of the hidden layers by name, int16

    def weights(self):
        """Returns all weights as bytes, in the order of the file."""
        parts = (self.rows, self.bias, self.output, self.output_bias, *self.layers.values())
        return b"".join(np.ascontiguousarray(p, dtype="<i2").tobytes() for p in parts)


def layer_scale(name):
    """Returns what stands for 1.0 in the weights of a hidden layer."""
    return {"hidden": QB, "hidden_bias": HIDDEN_ONE}.get(name, FIXED_ONE)


def quantise(shape, rows, bias, output, output_bias, provenance, layers=None):
    """Makes a network from floating-point weights. Raises ValueError if it could overflow."""

    def to_integers(values, scale):
        values = np.rint(np.asarray(values, dtype=np.float64) * scale)
        if np.abs(values).max() > 32767:
            raise ValueError("A weight does not fit 16 bits.")
        return values.astype(np.int16)

    network = Network(
        shape, to_integers(rows, QA), to_integers(bias, QA), to_integers(output, QB),
        to_integers(output_bias, QA * QB), provenance,
        {name: to_integers(values, layer_scale(name)) for name, values in (layers or {}).items()},
    )
    largest_sum = np.abs(network.rows.astype(np.int64)).max() * 32 + np.abs(network.bias.astype(np.int64)).max()
    if largest_sum > 32767:
        raise ValueError("The sums of the first layer could overflow 16 bits.")
    if np.abs(network.output).max() > 127:
        raise ValueError("An output weight is beyond ±127.")
    if shape.hidden_sets and np.abs(network.layers["hidden"]).max() > 127:
        raise ValueError("A weight of the first hidden layer is beyond ±127.")
    if np.abs(network.output.astype(np.int64)).sum(axis=1).max() * QA * QA >= 2**31:
        raise ValueError("The sum of the output layer could overflow 32 bits.")
    return network


def reshaped(network, shape):
    """Returns a wider network, or one with king buckets, with the same evaluations. Neurons are duplicated and share their
    output weight; rows are copied to all king buckets. Neither may have hidden layers."""
    old = network.shape
    assert not old.hidden_sets and not shape.hidden_sets
    assert old.mirrored == shape.mirrored and old.buckets in (1, shape.buckets)
    times = shape.width // old.width
    outputs = network.output.reshape(OUTPUTS, 2, -1)
    shared = np.concatenate([(outputs + i) // times for i in range(times)], axis=2)
    return Network(
        shape, np.tile(network.rows, (shape.buckets // old.buckets, times)), np.tile(network.bias, times),
        shared.reshape(OUTPUTS, -1), network.output_bias, network.provenance,
    )


def joined(networks):
    """Joins networks without hidden layers side by side. The evaluation of the result is about the mean of theirs."""
    shape = networks[0].shape
    assert not any(n.shape.hidden_sets for n in networks)
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

    scales = {"rows": 0.3, "bias": 0.3, "output_bias": 0.1}
    numbers = {name: floats(*size, scale=scales.get(name, 0.5)) for name, size in shape.sizes().items()}
    first = [numbers.pop(name) for name in ("rows", "bias", "output", "output_bias")]
    return quantise(shape, *first, {"name": "random"}, numbers)


def encode(weights):
    """Returns weights as a file stores them, which compresses well: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..., and the lower
    bytes of all come before the upper ones."""
    numbers = np.frombuffer(weights, dtype="<i2")
    return ((numbers << 1) ^ (numbers >> 15)).astype("<i2").view(np.uint8).reshape(-1, 2).T.tobytes()


def decode(version, weights):
    """Returns the numbers that a file of this version stores. In version 1 they are little-endian."""
    if version == 1:
        return np.frombuffer(weights, dtype="<i2")
    low, high = np.frombuffer(weights, dtype=np.uint8).reshape(2, -1).astype(np.uint16)
    zigzags = low | high << 8
    return (zigzags >> 1).astype(np.int16) ^ -(zigzags & 1).astype(np.int16)


def write(network, path):
    weights = encode(network.weights())
    provenance_json = json.dumps(network.provenance).encode()
    length = (FIXED.size + len(provenance_json) + 63) // 64 * 64
    shape = network.shape

    def header(checksum):
        flags = MIRRORED * shape.mirrored + HIDDEN_FOR_EACH_OUTPUT * (shape.hidden_sets > 1)
        neurons = FIRST_HIDDEN if shape.hidden_sets else 0
        fields = (MAGIC, VERSION, length, shape.width, shape.buckets, OUTPUTS, flags)
        return FIXED.pack(
            *fields, QA, QB, SCALE, neurons, len(weights) // 2, zlib.crc32(weights), len(provenance_json),
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
        _, version, length, width, buckets, outputs, flags, qa, qb, scale, neurons, count, crc, provenance_length, kings,
        head_crc, _,
    ) = FIXED.unpack_from(data)
    known = (version, neurons) in ((1, 0), (VERSION, 0), (VERSION, FIRST_HIDDEN))
    known_flags = MIRRORED | (HIDDEN_FOR_EACH_OUTPUT if neurons else 0)
    if not known or flags & ~known_flags or (outputs, qa, qb, scale) != (OUTPUTS, QA, QB, SCALE):
        raise ValueError(f"{path} has an unknown version or unknown scales.")
    blank = data[: FIXED.size - 8] + bytes(8) + data[FIXED.size : length]
    weights = data[length:]
    if zlib.crc32(blank) != head_crc or len(weights) != 2 * count or zlib.crc32(weights) != crc:
        raise ValueError(f"{path} is damaged.")
    hidden_sets = 0 if not neurons else OUTPUTS if flags & HIDDEN_FOR_EACH_OUTPUT else 1
    shape = Shape(width, bool(flags & MIRRORED), list(kings), hidden_sets)
    sizes = shape.sizes()
    lengths = [math.prod(size) for size in sizes.values()]
    if shape.buckets != buckets or sum(lengths) != count:
        raise ValueError(f"{path} is damaged.")
    parts = np.split(decode(version, weights), np.cumsum(lengths)[:-1])
    rows, bias, output, output_bias, *layers = (part.reshape(size) for part, size in zip(parts, sizes.values()))
    if any(part.max() > 127 or part.min() < -127 for part in (output, *layers[:1])):
        raise ValueError(f"{path} is damaged.")
    provenance = json.loads(data[FIXED.size : FIXED.size + provenance_length])
    return Network(shape, rows, bias, output, output_bias, provenance, dict(zip(list(sizes)[4:], layers)))


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
    active = []
    for side in (white, not white):
        rows = active_rows(network.shape, pieces, side)
        sums = network.bias.astype(np.int64) + network.rows[rows].astype(np.int64).sum(axis=0)
        active.append(np.clip(sums, 0, QA) ** 2)
    active = np.concatenate(active)

    def divide(a, b):
        # Round towards zero, as in C and Rust.
        return abs(a) // b * (1 if a >= 0 else -1)

    total = int((active * network.output[bucket].astype(np.int64)).sum())
    value = divide((divide(total, QA) + int(network.output_bias[bucket])) * SCALE, QA * QB)
    return value + (hidden_layers(network, active, bucket) if network.layers else 0)


def hidden_layers(network, active, bucket):
    """Evaluates the hidden layers in centipawns. Every operation is rounded to 32 bits, in the order that the engine uses."""
    layers = {name: values[bucket if len(values) > 1 else 0] for name, values in network.layers.items()}
    one = np.float32(FIXED_ONE)
    sums = layers["hidden"].astype(np.int64) @ (active >> ACTIVE_SHIFT) + layers["hidden_bias"]
    first = np.clip(sums.astype(np.float32) * np.float32(1 / HIDDEN_ONE), np.float32(0), np.float32(1))
    rows, square_rows = np.split(layers["second"].astype(np.float32) / one, 2)
    second = layers["second_bias"].astype(np.float32) / one
    of_squares = np.zeros_like(second)
    for value, row, square_row in zip(first, rows, square_rows):
        second = second + value * row
        of_squares = of_squares + (value * value) * square_row
    second = np.clip(second + of_squares, np.float32(0), np.float32(1))
    parts = (second * second * (layers["last"].astype(np.float32) / one)).reshape(4, 8)
    total = ((parts[0] + parts[1]) + parts[2]) + parts[3]
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    return int(total[0] * np.float32(SCALE))
