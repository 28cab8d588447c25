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


def play(games, nodes=60, network=None, at_a_time=8):
    """Records and a sample of a few quick games."""
    return sp.play_games(LIBRARY, games, nodes, network, at_a_time, capacity=20000)


class Files(unittest.TestCase):
    def test_a_record_becomes_a_fen(self):
        # A pawn ending with black to move, and the start.
        board = 1 << 4 | 1 << 12 | 1 << 60
        record = board.to_bytes(8, "little") + bytes([0x05, 0x0D]).ljust(16, b"\0") + bytes(7) + bytes([1])
        self.assertEqual(sp.fen_of(record), "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1")
        pieces = bytes.fromhex("13422531 00000000 88888888 9bcaadb9")
        record = bytes.fromhex("ffff00000000ffff") + pieces + bytes(7) + bytes([0xF0])
        self.assertEqual(sp.fen_of(record), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


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


@unittest.skipUnless(np, "needs NumPy")
class NetworkFile(unittest.TestCase):
    def test_a_file_is_read_back_and_damage_is_found(self):
        buckets = [(square >> 3 > 1) + 0 for square in range(64)]
        network = nn.random_network(nn.Shape(16, True, buckets), seed=1)
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

    def test_another_shape_says_the_same(self):
        network = nn.random_network(nn.Shape(16, True), seed=4)
        quarters = [(square >> 3 > 1) * 2 + (square & 3 > 1) for square in range(64)]
        other = nn.reshaped(network, nn.Shape(32, True, quarters))
        for fen in FENS:
            self.assertEqual(nn.evaluate(other, fen), nn.evaluate(network, fen), fen)

    def test_self_play_evaluates_like_the_reference(self):
        network = nn.random_network(nn.Shape(LIBRARY.width), seed=2)
        self.assertEqual(LIBRARY.lib.count_wrong_updates(c.c_char_p(network.weights()), 20000), 0)
        records, _, _ = play(2, network=network.weights())
        seen = {sp.fen_of(records[i : i + 32]) for i in range(0, len(records), 32)}
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
            network = nn.random_network(shape, seed=3)
            model = train.Model(shape, "cpu")
            model.load(network)
            batch = train.Batch(LIBRARY, shape, count, "cpu")
            batch.indices.copy_(torch.arange(count))
            batch.unpack(tensor)
            outputs = model(batch.boards[0], batch.boards[1], batch.buckets) * nn.SCALE
            for i in range(count):
                exact = nn.evaluate(network, sp.fen_of(records[32 * i : 32 * i + 32]))
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
