"""Tests self-play, training and the network file on the CPU:  python3 -m unittest test_training

Needs a C++ compiler. Tests that need NumPy or PyTorch are skipped if it is not installed.
"""

import ctypes as c
import os
import struct
import tempfile
import tomllib
import unittest
import zlib
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
MIRRORED_LIBRARY = sp.Library(sp.build(gpu=False, width=16, mirrored=True))
SHARED = Path(__file__).parent / "../../shared/data/perft/random.perft"
FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
]

QUARTERS = [(square >> 3 > 1) * 2 + (square & 3 > 1) for square in range(64)]  # four king buckets


def play(games, nodes=60, network=None, at_a_time=8, library=LIBRARY):
    """Plays a few quick games and returns their records, the whole games, and the totals."""
    return sp.play_games(library, games, nodes, network, at_a_time, capacity=20000)


def as_tensor(records):
    return torch.frombuffer(bytearray(records), dtype=torch.uint8).reshape(-1, 32)


def some_records(games):
    return as_tensor(play(games)[0])


class Files(unittest.TestCase):
    def test_fen_of_record(self):
        # A pawn ending with Black to move, then the starting position.
        board = 1 << 4 | 1 << 12 | 1 << 60
        record = board.to_bytes(8, "little") + bytes([0x05, 0x0D]).ljust(16, b"\0") + bytes(7) + bytes([1])
        self.assertEqual(sp.fen_of(record), "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1")
        pieces = bytes.fromhex("13422531 00000000 88888888 9bcaadb9")
        record = bytes.fromhex("ffff00000000ffff") + pieces + bytes(7) + bytes([0xF0])
        self.assertEqual(sp.fen_of(record), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class Rules(unittest.TestCase):
    def test_perft_of_known_positions(self):
        for fen, depth, leaves in sp.PERFT:
            self.assertEqual(LIBRARY.perft(fen, depth), leaves, fen)

    @unittest.skipUnless(SHARED.exists(), "the random positions are not available")
    def test_perft_of_random_positions(self):
        fen = None
        for line in SHARED.read_text().splitlines():
            if line.startswith("epd "):
                fen = line[4:]
            elif line.startswith("perft 3 "):
                self.assertEqual(LIBRARY.perft(fen, 3), int(line.split()[2]), fen)


class Games(unittest.TestCase):
    def test_records_and_sample_agree(self):
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
        # Each opening is played with both colours.
        self.assertEqual((lost, lost + drawn + won), (won, 40))


@unittest.skipUnless(np, "needs NumPy")
class NetworkFile(unittest.TestCase):
    def test_file_round_trip_and_damage(self):
        buckets = [(square >> 3 > 1) + 0 for square in range(64)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.nn")
            for hidden_sets in (nn.OUTPUTS, 1, 0):
                network = nn.random_network(nn.Shape(16, True, buckets, hidden_sets), seed=1)
                nn.write(network, path)
                again = nn.read(path)
                self.assertEqual(again.shape, network.shape)
                self.assertEqual(again.weights(), network.weights())
                self.assertEqual(again.provenance, {"name": "random"})
                for fen in FENS:
                    self.assertEqual(nn.evaluate(again, fen), nn.evaluate(network, fen))
            whole = Path(path).read_bytes()
            self.assertEqual(whole[8], 2)
            for place in (9, 20, 60, 130, 400, len(whole) - 1):
                Path(path).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
                self.assertRaises(ValueError, nn.read, path)
            Path(path).write_bytes(whole[:-2])
            self.assertRaises(ValueError, nn.read, path)

    def test_weights_survive_encoding(self):
        numbers = np.arange(-32768, 32768, dtype="<i2")
        encoded = nn.encode(numbers.tobytes())
        np.testing.assert_array_equal(nn.decode(2, encoded), numbers)
        # -2, -1, 0, 1, 2, then the upper bytes of the same.
        self.assertEqual(encoded[32766:32771], bytes([3, 1, 0, 2, 4]))
        self.assertEqual(encoded[65536 + 32766 : 65536 + 32771], bytes(5))
        np.testing.assert_array_equal(nn.decode(1, numbers.tobytes()), numbers)

    def test_files_of_the_first_version_are_read(self):
        network = nn.random_network(nn.Shape(16, True), seed=12)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.nn"
            nn.write(network, path)
            whole, weights = path.read_bytes(), network.weights()
            head = bytearray(whole[: -len(weights)])

            def write(version, neurons, flags):
                head[8], head[28], head[38] = version, flags, neurons
                head[48:52] = zlib.crc32(weights).to_bytes(4, "little")
                head[120:124] = bytes(4)
                head[120:124] = zlib.crc32(head).to_bytes(4, "little")
                path.write_bytes(head + weights)

            write(1, 0, 1)
            again = nn.read(path)
            self.assertEqual((again.shape, again.weights()), (network.shape, weights))
            for unknown in ((3, 0, 1), (1, 16, 1), (2, 15, 1), (1, 0, 3), (2, 0, 3), (2, 0, 5), (2, 16, 1)):
                write(*unknown)
                self.assertRaises(ValueError, nn.read, path)

    def test_weights_beyond_their_bounds_are_rejected(self):
        for name in ("output", "hidden"):
            network = nn.random_network(nn.Shape(16, True, hidden_sets=1), seed=13)
            weights = network.layers.get(name, network.output)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.nn")
                for weight, fits in ((-127, True), (127, True), (128, False), (-128, False), (-32768, False)):
                    weights.flat[-1] = weight
                    nn.write(network, path)
                    if fits:
                        nn.read(path)
                    else:
                        self.assertRaises(ValueError, nn.read, path)

    def test_teacher_has_the_shape_of_the_small_network(self):
        folder = Path(__file__).parent
        settings = tomllib.loads((folder / "networks/small.toml").read_text())
        teacher = nn.read(folder / "teacher.nn")
        self.assertEqual(teacher.shape, nn.Shape(settings["width"], settings["mirrored"]))

    def test_reshaped_network_evaluates_equally(self):
        network = nn.random_network(nn.Shape(16, True), seed=4)
        other = nn.reshaped(network, nn.Shape(32, True, QUARTERS))
        for fen in FENS:
            self.assertEqual(nn.evaluate(other, fen), nn.evaluate(network, fen), fen)

    def test_joined_networks_evaluate_to_the_mean(self):
        shape = nn.Shape(16, True)
        networks = [nn.random_network(shape, seed) for seed in (6, 7)]
        for network in networks:
            network.output //= 2
            network.output *= 2
        for fen in FENS:
            mean = sum(nn.evaluate(network, fen) for network in networks) / 2
            self.assertAlmostEqual(nn.evaluate(nn.joined(networks), fen), mean, delta=2)

    def test_self_play_matches_the_reference_evaluation(self):
        for library in (LIBRARY, MIRRORED_LIBRARY):
            network = nn.random_network(nn.Shape(library.width, library.mirrored), seed=2)
            # The random games castle, and kings cross the middle of the board.
            self.assertEqual(library.lib.count_wrong_updates(c.c_char_p(network.weights()), 20000), 0)
            records, _, _ = play(2, network=network.weights(), library=library)
            seen = {sp.fen_of(records[i : i + 32]) for i in range(0, len(records), 32)}
            self.assertGreater(len(seen), 20)
            for fen in [*FENS, *seen]:
                self.assertEqual(library.evaluate(fen, network.weights()), nn.evaluate(network, fen), fen)


@unittest.skipUnless(torch, "needs PyTorch")
class Trainer(unittest.TestCase):
    def test_trainer_matches_the_reference_evaluation(self):
        records, _, _ = play(3)
        count = len(records) // 32
        tensor = as_tensor(records)
        no_buckets = [0] * 64
        for shape in (
            nn.Shape(32), nn.Shape(16, True), nn.Shape(16, True, QUARTERS), nn.Shape(16, True, no_buckets, 1),
            nn.Shape(16, True, no_buckets, nn.OUTPUTS),
        ):
            network = nn.random_network(shape, seed=3)
            model = train.Model(shape, "cpu")
            model.load(network)
            batch = train.Batch(LIBRARY, model, count, "cpu")
            batch.indices.copy_(torch.arange(count))
            batch.unpack(tensor)
            outputs = model(batch.boards[0], batch.boards[1], batch.outputs) * nn.SCALE
            for i in range(count):
                exact = nn.evaluate(network, sp.fen_of(records[32 * i : 32 * i + 32]))
                self.assertAlmostEqual(outputs[i].item(), exact, delta=2.1)

    def test_kernels_match_the_gradients_of_pytorch(self):
        records = some_records(3)
        for model in (
            train.Model(nn.Shape(32), "cpu"), train.Model(nn.Shape(16, True, QUARTERS), "cpu", factoriser=True),
        ):
            batch = self.batch_of(model, records)
            self.assertLess(max(batch.gradient_errors()), 1e-4)

    def test_kernels_of_hidden_layers_match_the_gradients_of_pytorch(self):
        records = some_records(3)
        shape = nn.Shape(16, True, QUARTERS, nn.OUTPUTS)
        for seed in range(100):
            model = train.Model(shape, "cpu", factoriser=True)
            model.load(nn.random_network(shape, seed))
            batch = self.batch_of(model, records)
            batch.run(backward=False)
            # Whether a sum of exactly 1.0 has a gradient depends on how floats are rounded, so find a network without one.
            if not (batch.sums + model.bias * nn.QA).round().eq(nn.QA).any():
                break
        self.assertLess(max(batch.gradient_errors()), 1e-4)

    def batch_of(self, model, records):
        batch = train.Batch(LIBRARY, model, len(records), "cpu")
        batch.indices.copy_(torch.arange(len(records)))
        batch.unpack(records)
        batch.targets.copy_(train.targets(records, 0.1))
        return batch

    def test_hidden_layers_begin_with_the_evaluation_of_the_start(self):
        network = nn.random_network(nn.Shape(16, True), seed=11)
        model = train.Model(nn.Shape(16, True, [0] * 64, 1), "cpu")
        model.load(network)
        for fen in FENS:
            self.assertEqual(nn.evaluate(model.export({}), fen), nn.evaluate(network, fen))

    def test_factoriser_exports_the_loaded_weights(self):
        network = nn.random_network(nn.Shape(16, True, QUARTERS, 1), seed=5)
        model = train.Model(network.shape, "cpu", factoriser=True)
        model.load(network)
        self.assertGreater(model.shared.abs().mean(), 0.01)
        self.assertEqual(model.export({}).weights(), network.weights())

    def test_scale_multiplies_the_evaluation(self):
        network = nn.random_network(nn.Shape(16, True), seed=8)
        model = train.Model(network.shape, "cpu")
        model.load(network)
        for fen in FENS:
            scaled = nn.evaluate(model.export({}, 0.5), fen)
            self.assertAlmostEqual(scaled, nn.evaluate(network, fen) / 2, delta=25)

    def test_wider_model_evaluates_about_equally(self):
        network = nn.random_network(nn.Shape(16, True), seed=9)
        model = train.Model(nn.Shape(48, True), "cpu")
        model.load(network)
        for fen in FENS:
            self.assertAlmostEqual(nn.evaluate(model.export({}), fen), nn.evaluate(network, fen), delta=60)

    def test_targets_look_ahead_within_a_game(self):
        # Two games, of three plies and of one. Scores are for the side to move.
        records = torch.zeros(4, 32, dtype=torch.uint8)
        for i, (score, ply, result) in enumerate([(100, 20, 2), (-200, 21, 0), (300, 22, 2), (-50, 8, 1)]):
            packed = struct.pack("<hHHB", score, 0, ply, result)
            records[i, 24:31] = torch.frombuffer(bytearray(packed), dtype=torch.uint8)
        a, b, c_, d = torch.sigmoid(torch.tensor([100.0, -200.0, 300.0, -50.0]) / nn.SCALE).tolist()
        second = 0.75 * b + 0.25 * (1 - c_)
        first = 0.75 * a + 0.25 * (1 - second)
        for part in (1, 3, 64):
            found = train.targets(records, 0.0, 0.25, part=part).tolist()
            for value, expected in zip(found, (first, second, c_, d)):
                self.assertAlmostEqual(value, expected, places=5)
        self.assertAlmostEqual(train.targets(records, 0.5)[1].item(), b / 2, places=5)

    def test_results_weigh_more_in_endgames(self):
        records = torch.zeros(4, 32, dtype=torch.uint8)
        for i, pieces in enumerate([4, 9, 13, 32]):
            records[i, :8] = torch.tensor(list(((1 << pieces) - 1).to_bytes(8, "little")), dtype=torch.uint8)
        records[:, 30] = 2
        # The scores are 0, so the expected result without the game's is 0.5.
        found = train.targets(records, 0.2, endgame_result_weight=0.6).tolist()
        for value, weight in zip(found, (0.6, 0.4, 0.2, 0.2)):
            self.assertAlmostEqual(value, 0.5 + weight / 2, places=5)

    def test_training_lowers_the_loss_and_resumes_from_a_trunk(self):
        records = some_records(40)
        settings = {
            "shape": nn.Shape(32, True, QUARTERS, 1), "factoriser": True, "batch": 64, "rate": 0.002, "decay": 0.0,
            "hidden_rate_factor": 2.0, "first_ply": 8,
        }
        training = train.Training(LIBRARY, settings, records, "cpu", 0.1, lookahead=0.3)
        before = training.held_out_loss()
        with tempfile.TemporaryDirectory() as folder:
            stem = os.path.join(folder, "trunk")
            training.run(600, print, max_steps=150, hold=0.5, before_decay=lambda: training.save_trunk(stem))
            self.assertLess(training.held_out_loss(), before)
            again = train.Training(LIBRARY, settings, records, "cpu", 0.1, lookahead=0.3, trunk=stem)
        self.assertEqual(again.steps, 75)
        branch = again.held_out_loss()
        self.assertLess(branch, before)
        again.run(600, print, max_steps=100)
        self.assertLess(again.held_out_loss(), branch)

    def test_labelling_changes_only_scores_and_moves(self):
        records, nodes = some_records(2), 400
        again = records.clone()
        sp.label(LIBRARY, nodes, None, again.data_ptr(), len(again), size=8)
        unchanged = [*range(24), 28, 29, 30]
        self.assertTrue(torch.equal(again[:, unchanged], records[:, unchanged]))
        self.assertFalse(torch.equal(again[:, 24:26], records[:, 24:26]))
        once_more = again.clone()
        sp.label(LIBRARY, nodes, None, once_more.data_ptr(), len(once_more), size=3)
        self.assertTrue(torch.equal(once_more, again))


if __name__ == "__main__":
    unittest.main()
