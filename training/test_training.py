"""Tests of self-play, training and the network file, on the CPU:  python3 -m unittest test_training

The rules need a C++ compiler only; the rest needs NumPy, and one test PyTorch. What is missing is skipped.
"""

import ctypes as c
import os
import struct
import tempfile
import unittest
from pathlib import Path

import selfplay as sp

try:
    import numpy as np

    import network as nn
except ImportError:
    np = None
try:
    import torch

    import train
except ImportError:
    torch = None

LIBRARY = sp.Library(sp.build(gpu=False))
SHARED = Path(__file__).parent / "../../shared/data/perft/random.perft"
FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
]


def play(games, nodes=60, network=None, capacity=20000, at_a_time=8):
    """Records and a sample of a few quick games."""
    pool = sp.Pool(LIBRARY, at_a_time)
    config = sp.default_config(nodes)
    config.games, config.sample_every = games, 1
    for player in range(2):
        pool.set_network(config, player, network)
    records, sample = (c.c_char * (32 * capacity))(), (c.c_char * 400000)()
    while True:
        totals = pool.play(config, 2000, c.addressof(records), capacity, c.addressof(sample), len(sample))
        if totals.games == games:
            break
    pool.free()
    return records.raw[: 32 * totals.records], sample.raw[: totals.sample_bytes], totals


class Rules(unittest.TestCase):
    def test_perft_of_well_known_positions(self):
        for fen, depth, leaves in sp.PERFT:
            self.assertEqual(LIBRARY.count_leaves(fen, depth), leaves, fen)

    @unittest.skipUnless(SHARED.exists(), "no file of random positions")
    def test_perft_of_random_positions(self):
        fen = None
        for line in SHARED.read_text().splitlines():
            if line.startswith("epd "):
                fen = line[4:]
            elif line.startswith("perft 3 "):
                self.assertEqual(LIBRARY.count_leaves(fen, 3), int(line.split()[2]), fen)


class Games(unittest.TestCase):
    def test_records_and_sample_tell_the_same_games(self):
        records, sample, totals = play(6, at_a_time=1)
        self.assertEqual(sum(totals.results), 6)
        at = position = 0
        while at < len(sample):
            plies, opening, result, _, _ = struct.unpack_from("<HHBBH", sample, at)
            at += 8
            for ply in range(plies):
                move, score = struct.unpack_from("<Hh", sample, at + 4 * ply)
                if ply < opening:
                    self.assertEqual(score, 32767)
                    continue
                record = struct.unpack_from("<Q16shHHBB", records, 32 * position)
                black = record[6] & 1
                self.assertEqual(black, ply % 2)
                self.assertEqual(record[4], ply)
                self.assertEqual(record[2], score)
                self.assertEqual(record[3] ^ (56 | 56 << 6) * black, move)
                self.assertEqual(record[5], 2 - result if black else result)
                position += 1
            at += 4 * plies
        self.assertEqual(32 * position, len(records))

    def test_equal_players_score_equally(self):
        config = sp.default_config(50)
        totals, _ = sp.match(LIBRARY, config, [None, None], games=40, size=8)
        lost, drawn, won = totals.results
        # Each opening is played with both colours by the same player.
        self.assertEqual((lost, lost + drawn + won), (won, 40))


def random_network(shape, seed):
    random = np.random.default_rng(seed)

    def floats(*size, scale):
        return random.uniform(-scale, scale, size)

    return nn.quantise(
        shape, floats(shape.features, shape.width, scale=0.3), floats(shape.width, scale=0.3),
        floats(nn.OUTPUTS, 2 * shape.width, scale=0.5), floats(nn.OUTPUTS, scale=0.1), {"name": "random"},
    )


def fen_of(record):
    """The position of a record, as the side to move sees it, in FEN."""
    occupied = int.from_bytes(record[:8], "little")
    nibbles = [n for byte in record[8:24] for n in (byte & 15, byte >> 4)]
    board = {}
    for square in range(64):
        if occupied >> square & 1:
            piece = nibbles[len(board)]
            board[square] = "PNBRQK"[piece] if piece < 8 else "pnbrqk"[piece - 8]
    rows = ("".join(board.get(rank * 8 + file, "1") for file in range(8)) for rank in range(7, -1, -1))
    return "/".join(rows) + " w - - 0 1"


@unittest.skipUnless(np, "needs NumPy")
class NetworkFile(unittest.TestCase):
    def test_a_file_is_read_back_and_damage_is_found(self):
        buckets = [(square >> 3 > 1) + 0 for square in range(64)]
        network = random_network(nn.Shape(16, True, buckets), seed=1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.nn")
            nn.write(network, path)
            again = nn.read(path)
            self.assertEqual(again.shape, network.shape)
            self.assertEqual(again.weights(), network.weights())
            self.assertEqual(again.provenance, {"name": "random"})
            whole = Path(path).read_bytes()
            for place in (9, 20, 60, 130, 400, len(whole) - 1):
                Path(path).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
                self.assertRaises(ValueError, nn.read, path)
            Path(path).write_bytes(whole[:-2])
            self.assertRaises(ValueError, nn.read, path)

    def test_self_play_evaluates_like_the_reference(self):
        network = random_network(nn.Shape(LIBRARY.width), seed=2)
        self.assertEqual(LIBRARY.lib.count_wrong_updates(c.c_char_p(network.weights()), 20000), 0)
        records, _, _ = play(2, network=network.weights())
        seen = {fen_of(records[i : i + 32]) for i in range(0, len(records), 32)}
        self.assertGreater(len(seen), 20)
        for fen in [*FENS, *seen]:
            self.assertEqual(LIBRARY.evaluate(fen, network.weights()), nn.evaluate(network, fen), fen)


@unittest.skipUnless(torch, "needs PyTorch")
class Trainer(unittest.TestCase):
    def test_the_trainer_computes_what_the_file_says(self):
        records, _, _ = play(3)
        count = len(records) // 32
        tensor = torch.frombuffer(bytearray(records), dtype=torch.uint8).reshape(count, 32)
        quarters = [(square >> 3 > 1) * 2 + (square & 3 > 1) for square in range(64)]
        for shape in (nn.Shape(32), nn.Shape(16, True), nn.Shape(16, True, quarters)):
            network = random_network(shape, seed=3)
            model = train.Model(shape, "cpu")
            model.load(network)
            batch = train.Batch(LIBRARY, shape, count, "cpu")
            batch.indices.copy_(torch.arange(count))
            batch.unpack(tensor)
            outputs = model(batch.boards[0], batch.boards[1], batch.buckets) * nn.SCALE
            for i in range(count):
                exact = nn.evaluate(network, fen_of(records[32 * i : 32 * i + 32]))
                self.assertAlmostEqual(outputs[i].item(), exact, delta=2.1)

    def test_training_lowers_the_loss(self):
        records, _, _ = play(40)
        tensor = torch.frombuffer(bytearray(records), dtype=torch.uint8).reshape(-1, 32)
        settings = {
            "shape": nn.Shape(32), "width": 32, "mirrored": False, "batch": 64, "rate": 0.002, "decay": 0.0,
            "first_ply": 8,
        }
        training = train.Training(LIBRARY, settings, tensor, "cpu", 0.5)
        before = training.held_out_loss()
        training.run(60, print, max_steps=150)
        self.assertLess(training.held_out_loss(), before)


if __name__ == "__main__":
    unittest.main()
