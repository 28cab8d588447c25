"""The loop of generations: play games, train the network that plays the next ones, and in the end the engine's.

    python3 loop.py plans/first.toml OUT

reads a plan and writes networks, a log and a sample of whole games into OUT. A run that is killed leaves what it has.
"""

import argparse
import datetime
import struct
import sys
import tarfile
import time
import tomllib
import zlib
from pathlib import Path

import torch

import network as nn
import selfplay as sp
import train

HERE = Path(__file__).parent
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594),
]


class Run:
    def __init__(self, plan, out, gpu):
        self.plan, self.out, self.gpu = plan, out, gpu
        self.device = torch.device("cuda" if gpu else "cpu")
        self.begin = time.time()
        out.mkdir(parents=True, exist_ok=True)
        self.log_file = open(out / "log.txt", "a", encoding="utf-8")
        torch.manual_seed(plan["seed"])
        torch.backends.cuda.matmul.allow_tf32 = True
        self.small = train.read_settings(HERE / "networks" / plan["small"])
        self.library = sp.Library(sp.build(gpu, self.small["width"]))
        self.log(f"library built; a game takes {self.library.lib.game_bytes()} bytes")
        self.records = torch.zeros((plan["capacity"], sp.RECORD_BYTES), dtype=torch.uint8, device=self.device)
        self.sample = torch.zeros(plan["sample_bytes"], dtype=torch.uint8, device=self.device)
        self.filled = 0
        self.generations = []  # (first record, one past the last)
        self.networks = []
        self.pool = None

    def log(self, text):
        line = f"[{time.time() - self.begin:6.1f}] {text}"
        print(line, flush=True)
        self.log_file.write(line + "\n")
        self.log_file.flush()

    def self_test(self):
        for fen, depth, leaves in PERFT:
            counted = self.library.count_leaves(fen, depth)
            if counted != leaves:
                sys.exit(f"perft {depth} of {fen} is {counted}, not {leaves}: the moves are wrong")
        self.log(f"perft of {len(PERFT)} positions is right")

    def weights(self, generation):
        """The weights that play a generation: none for the first, which plays by material."""
        return self.networks[generation - 1].weights() if generation else None

    def measure(self):
        """How many games at a time are played best."""
        for size in self.plan.get("measure", []):
            config = sp.default_config(self.plan["nodes"], seed=9)
            pool = sp.Pool(self.library, size)
            for network in [None, *self.networks[-1:]]:
                weights = network.weights() if network else None
                for player in range(2):
                    pool.set_network(config, player, weights)
                pool.next_generation(config)
                pool.play(config, 2000)
                before = pool.play(config, 1)
                start = time.time()
                totals = pool.play(config, 3000)
                seconds = time.time() - start
                speed = (totals.nodes - before.nodes) / seconds / 1e6
                self.log(f"{size} games at a time, {'network' if weights else 'material'}: {speed:.0f} Mnodes/s")
            pool.free()

    def play(self, generation, seconds, nodes):
        plan = self.plan
        config = sp.default_config(nodes, plan["seed"])
        if self.pool is None:
            self.pool = sp.Pool(self.library, plan["games_at_a_time"])
        for player in range(2):
            self.pool.set_network(config, player, self.weights(generation))
        self.pool.next_generation(config)
        start, first = time.time(), self.filled
        room = len(self.records) - first
        last = start
        while True:
            totals = self.pool.play(
                config, plan["steps"], self.records.data_ptr() + first * sp.RECORD_BYTES, room,
                self.sample.data_ptr(), len(self.sample),
            )
            now = time.time()
            if now - last > 20:
                self.log(f"  {totals.records} records: {totals.line(now - start)}")
                last = now
            # A game that does not fit is lost: stop before.
            if now - start > seconds or totals.records > 0.95 * room:
                break
        self.filled = first + min(totals.records, room)
        self.generations.append((first, self.filled))
        self.log(f"generation {generation}: {self.filled - first} records in {now - start:.1f} s: {totals.line(now - start)}")
        self.write_sample(totals.sample_bytes)

    def write_sample(self, length):
        """Whole games for the replay: a header of 24 bytes, then the games."""
        games = self.sample[: min(length, len(self.sample))].cpu().numpy().tobytes()
        # Only games that are there whole.
        end = 0
        while end + 8 <= len(games):
            plies = struct.unpack_from("<H", games, end)[0]
            if plies == 0 or end + 8 + 4 * plies > len(games):
                break
            end += 8 + 4 * plies
        games = games[:end]
        header = struct.pack("<8sIIQ", b"TABIYAGM", 1, zlib.crc32(games), len(games))
        (self.out / "sample.games").write_bytes(header + games)

    def train(self, settings, name, seconds, first_generation, result_weight, start=None):
        first = self.generations[first_generation][0]
        records = self.records[first : self.filled]
        training = train.Training(self.library, settings, records, self.device, result_weight, start)
        self.log(f"training {name} on {len(training.training)} of {len(records)} positions, result weight {result_weight}")
        taken = training.run(seconds, self.log)
        loss = training.held_out_loss()
        provenance = {
            "name": name,
            "positions": len(training.training),
            "generations": [first_generation, len(self.generations) - 1],
            "steps": training.steps,
            "batch": settings["batch"],
            "result_weight": result_weight,
            "loss": round(loss, 6),
            "commit": self.plan.get("commit", ""),
            "date": datetime.date.today().isoformat(),
        }
        network = training.model.export(provenance)
        speed = training.steps * settings["batch"] / taken / 1e6
        self.log(f"{name}: {training.steps} steps in {taken:.1f} s ({speed:.1f} Mpositions/s), held-out loss {loss:.6f}")
        return network

    def compare(self, generation, games, nodes):
        """A match of the newest small network against the one before."""
        config = sp.default_config(nodes, seed=77 + generation)
        pair = [self.weights(generation + 1), self.weights(generation)]
        totals, seconds = sp.match(self.library, config, pair, games, games, self.plan["steps"], seconds=20)
        self.log("generation %d's network against its teacher: %+.0f Elo ± %.0f; " % (generation, *sp.elo(totals)) + totals.line(seconds))

    def keep_small(self):
        """All small networks in one archive: few files come back from a machine lent for minutes."""
        path = self.out / "small.tar"
        with tarfile.open(path, "w") as archive:
            for generation, network in enumerate(self.networks):
                nn.write(network, self.out / "small.nn")
                archive.add(self.out / "small.nn", f"small-{generation}.nn")

    def go(self):
        plan = self.plan
        self.self_test()
        if plan.get("start"):
            self.networks.append(nn.read(HERE / plan["start"]))
        self.measure()
        for number, step in enumerate(plan["generation"]):
            generation = number + (1 if plan.get("start") else 0)
            self.play(generation, step["play"], step.get("nodes", plan["nodes"]))
            if step.get("train"):
                since = max(0, len(self.generations) - 1 - step.get("also", 0))
                start = self.networks[-1] if self.networks and step.get("go_on") else None
                network = self.train(
                    self.small, f"small-{generation}", step["train"], since, step["result_weight"], start
                )
                self.networks.append(network)
                self.keep_small()
                if plan.get("match_games"):
                    self.compare(generation, plan["match_games"], plan["match_nodes"])
        for large in plan.get("large", []):
            settings = train.read_settings(HERE / "networks" / large["settings"])
            name = large["settings"].removesuffix(".toml")
            network = self.train(settings, name, large["train"], large["since"], large["result_weight"])
            nn.write(network, self.out / f"{name}.nn")
            self.log(f"wrote {name}.nn; at the start position it says {nn.evaluate(network, PERFT[0][0])}")
        self.log("done")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plan", help="TOML file that says how long each generation plays and trains")
    parser.add_argument("out", type=Path, help="folder for networks, log and sample")
    parser.add_argument("--cpu", action="store_true", help="play and train on the CPU, for a trial")
    arguments = parser.parse_args()
    with open(arguments.plan, "rb") as file:
        plan = tomllib.load(file)
    Run(plan, arguments.out, not arguments.cpu).go()


if __name__ == "__main__":
    main()
