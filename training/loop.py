"""The loop of generations: play games, train the network that plays the next ones, and in the end the engine's.

    python3 loop.py plans/first.toml OUT

reads a plan and writes networks, a log and a sample of whole games into OUT. A run that is killed leaves what it has.
With --state, records and networks are kept in a folder after every generation, and another run goes on from there.
"""

import argparse
import datetime
import json
import sys
import tarfile
import time
import tomllib
from pathlib import Path

import numpy as np
import torch

import network as nn
import selfplay as sp
import train

HERE = Path(__file__).parent


class Run:
    def __init__(self, plan, out, gpu, state, commit):
        self.plan, self.out, self.gpu, self.state, self.commit = plan, out, gpu, state, commit
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
        for fen, depth, leaves in sp.PERFT:
            counted = self.library.count_leaves(fen, depth)
            if counted != leaves:
                sys.exit(f"perft {depth} of {fen} is {counted}, not {leaves}: the moves are wrong")
        self.log(f"perft of {len(sp.PERFT)} positions is right")

    def weights(self, generation):
        """The weights that play a generation: none for the first, which plays by material."""
        return self.networks[generation - 1].weights() if generation else None

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
        """Whole games for the replay."""
        games = self.sample[: min(length, len(self.sample))].cpu().numpy().tobytes()
        sp.write_sample(self.out / "sample.games", games)

    def train(self, settings, name, seconds, first_generation, result_weight, start=None):
        first = self.generations[first_generation][0]
        records = self.records[first : self.filled]
        training = train.Training(self.library, settings, records, self.device, result_weight, start)
        self.log(f"training {name} on {len(training.training)} of {len(records)} positions, result weight {result_weight}")
        if start is not None:
            self.log(f"  it begins with a held-out loss of {training.held_out_loss():.6f}")
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
            "commit": self.commit,
            "date": datetime.date.today().isoformat(),
        }
        if start is not None:
            provenance["begun_with"] = start.provenance
        network = training.model.export(provenance)
        speed = training.steps * settings["batch"] / taken / 1e6
        self.log(f"{name}: {training.steps} steps in {taken:.1f} s ({speed:.1f} Mpositions/s), held-out loss {loss:.6f}")
        return network

    def compare(self, generation, games, nodes):
        """A match of the newest small network against the one before, which plays on if it wins."""
        config = sp.default_config(nodes, seed=77 + generation)
        pair = [self.weights(generation + 1), self.weights(generation)]
        totals, seconds = sp.match(self.library, config, pair, games, games, self.plan["steps"], seconds=20)
        difference, error = sp.elo(totals)
        self.log(
            f"generation {generation}'s network against its teacher: {difference:+.0f} Elo ± {error:.0f}; "
            + totals.line(seconds)
        )
        # The first teacher is no network.
        if difference < -error and generation:
            self.networks[-1] = self.networks[-2]
            self.log("  the teacher plays on")

    def keep_small(self):
        """All small networks in one archive: few files come back from a machine lent for minutes."""
        path = self.out / "small.tar"
        with tarfile.open(path, "w") as archive:
            for generation, network in enumerate(self.networks):
                nn.write(network, self.out / "small.nn")
                archive.add(self.out / "small.nn", f"small-{generation}.nn")

    def keep_records(self):
        """The last records, as many as a small file holds, to look at."""
        last = self.records[max(self.filled - self.plan["keep_records"], 0) : self.filled]
        (self.out / "records.bin").write_bytes(last.cpu().numpy().tobytes())

    def save_state(self):
        """Keeps the newest generation and its network for another run."""
        if self.state is None:
            return
        self.state.mkdir(parents=True, exist_ok=True)
        first, last = self.generations[-1]
        with open(self.state / "records.bin", "r+b" if first else "wb") as file:
            file.seek(first * sp.RECORD_BYTES)
            self.records[first:last].cpu().numpy().tofile(file)
        for generation, network in enumerate(self.networks):
            nn.write(network, self.state / f"small-{generation}.nn")
        about = {"generations": self.generations, "networks": len(self.networks)}
        temporary = self.state / "state.part"
        temporary.write_text(json.dumps(about))
        temporary.rename(self.state / "state.json")

    def load_state(self):
        """Goes on from what another run has kept; false if there is nothing."""
        if self.state is None or not (self.state / "state.json").exists():
            return False
        about = json.loads((self.state / "state.json").read_text())
        self.generations = [tuple(generation) for generation in about["generations"]]
        self.networks = [nn.read(self.state / f"small-{i}.nn") for i in range(about["networks"])]
        self.filled = self.generations[-1][1]
        data = np.fromfile(self.state / "records.bin", dtype=np.uint8, count=self.filled * sp.RECORD_BYTES)
        self.records[: self.filled] = torch.from_numpy(data).view(-1, sp.RECORD_BYTES).to(self.device)
        self.log(f"going on from {len(self.generations)} generations with {self.filled} records")
        return True

    def go(self):
        plan = self.plan
        self.self_test()
        if not self.load_state() and plan.get("start"):
            self.networks.append(nn.reshaped(nn.read(HERE / plan["start"]), self.small["shape"]))
        for step in plan["generation"]:
            generation = len(self.networks)
            self.play(generation, step["play"], step.get("nodes", plan["nodes"]))
            if step.get("train"):
                since = max(0, len(self.generations) - 1 - step.get("also", 0))
                start = self.networks[-1] if self.networks and step.get("go_on") else None
                network = self.train(
                    self.small, f"small-{generation}", step["train"], since, step["result_weight"], start
                )
                self.networks.append(network)
                if plan.get("match_games"):
                    self.compare(generation, plan["match_games"], plan["match_nodes"])
                self.keep_small()
                self.save_state()
        for large in plan.get("large", []):
            settings = train.read_settings(HERE / "networks" / large["settings"])
            name = large["settings"].removesuffix(".toml")
            settings["rate"] = large.get("rate", settings["rate"])
            start = nn.reshaped(nn.read(HERE / large["start"]), settings["shape"]) if "start" in large else None
            network = self.train(settings, name, large["train"], large["since"], large["result_weight"], start)
            nn.write(network, self.out / f"{name}.nn")
            self.log(f"wrote {name}.nn; at the start position it says {nn.evaluate(network, sp.PERFT[0][0])}")
        if plan.get("keep_records"):
            self.keep_records()
        self.log("done")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plan", help="TOML file that says how long each generation plays and trains")
    parser.add_argument("out", type=Path, help="folder for networks, log and sample")
    parser.add_argument("--cpu", action="store_true", help="play and train on the CPU, for a trial")
    parser.add_argument("--state", type=Path, help="folder that keeps records and networks from run to run")
    parser.add_argument("--commit", default="", help="what to write into networks as the version of these programs")
    arguments = parser.parse_args()
    with open(arguments.plan, "rb") as file:
        plan = tomllib.load(file)
    Run(plan, arguments.out, not arguments.cpu, arguments.state, arguments.commit).go()


if __name__ == "__main__":
    main()
