"""Runs a plan: plays and trains one generation after another, then trains the engine's networks.

    python3 loop.py plans/first.toml OUT

writes the networks, a log and a sample of whole games to OUT as it goes. With --state, records and small networks are saved
to a folder after each generation, and another run can continue from there.

The plan is read again before each step, so that what comes next can be changed while the run lasts.
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
    def __init__(self, path, out, gpu, state, commit):
        self.path, self.out, self.gpu, self.state, self.commit = path, out, gpu, state, commit
        self.plan = plan = tomllib.loads(path.read_text())
        self.device = torch.device("cuda" if gpu else "cpu")
        self.begin = time.time()
        out.mkdir(parents=True, exist_ok=True)
        self.log_file = open(out / "log.txt", "a", encoding="utf-8")
        torch.manual_seed(plan["seed"])
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.set_float32_matmul_precision("high")  # only networks with hidden layers multiply 32-bit matrices
        self.small = train.read_settings(HERE / "networks" / plan["small"])
        self.library = sp.Library(sp.build(gpu, self.small["width"], self.small["mirrored"]))
        self.log(f"built the library; a game takes {self.library.lib.game_bytes()} bytes")
        self.records = torch.zeros((plan["capacity"], sp.RECORD_BYTES), dtype=torch.uint8, device=self.device)
        self.sample = torch.zeros(plan["sample_bytes"], dtype=torch.uint8, device=self.device)
        self.filled = 0
        self.saved = 0  # number of records saved to the state folder
        self.generations = []  # (first record, end)
        self.networks = []
        self.pool = None
        self.test = None  # records with scores of deep searches, not used for training

    def log(self, text):
        line = f"[{time.time() - self.begin:6.1f}] {text}"
        print(line, flush=True)
        self.log_file.write(line + "\n")
        self.log_file.flush()

    def read_plan_again(self):
        try:
            self.plan = tomllib.loads(self.path.read_text())
        except (OSError, tomllib.TOMLDecodeError) as error:
            self.log(f"the plan cannot be read, so it stays as it was: {error}")

    def self_test(self):
        for fen, depth, leaves in sp.PERFT:
            counted = self.library.perft(fen, depth)
            if counted != leaves:
                sys.exit(f"The self-play library generates wrong moves: perft {depth} of {fen} is {counted}, not {leaves}.")
        self.log(f"perft is correct in {len(sp.PERFT)} positions")
        if self.gpu and self.networks:
            self.compare_with_cpu(self.networks[-1].weights())

    def compare_with_cpu(self, weights):
        """Checks that the GPU's searches give the same scores and moves as the CPU's."""
        on_cpu = sp.Library(sp.build(False, self.small["width"], self.small["mirrored"]))
        played, _, _ = sp.play_games(on_cpu, 16, 100, weights, at_a_time=16)
        expected = torch.frombuffer(bytearray(played), dtype=torch.uint8).reshape(-1, sp.RECORD_BYTES)
        found = expected.to(self.device)
        sp.label(on_cpu, 400, weights, expected.data_ptr(), len(expected), size=16)
        sp.label(self.library, 400, weights, found.data_ptr(), len(found), size=4096)
        wrong = (found.cpu() != expected).any(dim=1).sum().item()
        if wrong:
            sys.exit(f"The GPU and the CPU search differently: {wrong} of {len(expected)} results differ.")
        self.log(f"{len(expected)} searches give the same results as on the CPU")

    def weights(self, generation):
        """Returns the weights that play a generation, or None for the first, which plays by material."""
        return self.networks[generation - 1].weights() if generation else None

    def play(self, generation, step):
        plan, seconds = self.plan, step["play"]
        config = sp.default_config(step.get("nodes", plan["nodes"]), plan["seed"])
        config.random_plies = step.get("random_plies", config.random_plies)
        if self.pool is None:
            self.pool = sp.Pool(self.library, plan["games_at_a_time"])
        for player in range(2):
            self.pool.set_network(config, player, self.weights(generation))
        self.pool.next_generation(config)
        first = self.filled
        totals, taken = self.play_for(config, seconds, first, log=True)
        self.filled = first + min(totals.records, len(self.records) - first)
        self.generations.append((first, self.filled))
        self.log(f"generation {generation}: {self.filled - first} records in {taken:.1f} s: {totals.line(taken)}")
        self.write_sample(totals.sample_bytes)
        if "test" in step:
            self.make_test(config, step["test"], generation)

    def play_for(self, config, seconds, first, log=False):
        """Plays for `seconds`, writing records from index `first` on."""
        plan = self.plan
        start = last = time.time()
        room = len(self.records) - first
        while True:
            totals = self.pool.play(
                config, plan["steps"], self.records.data_ptr() + first * sp.RECORD_BYTES, room,
                self.sample.data_ptr(), len(self.sample),
            )
            now = time.time()
            if log and now - last > 20:
                self.log(f"  {totals.records} records: {totals.line(now - start)}")
                last = now
            # Games that do not fit are lost, so stop early.
            if now - start > seconds or totals.records > 0.95 * room:
                return totals, now - start

    def make_test(self, config, test, generation):
        """Makes test positions: plays more games and searches their quiet positions with more nodes."""
        begin = time.time()
        self.pool.next_generation(config)
        totals, _ = self.play_for(config, test["play"], self.filled)
        end = self.filled + min(totals.records, len(self.records) - self.filled)
        records = self.records[self.filled : end]
        quiet = train.quiet_positions(records, self.small["first_ply"])
        chosen = quiet[torch.randperm(len(quiet), device=self.device)[: test["positions"]]]
        self.test = records[chosen.long()].contiguous()
        sp.label(
            self.library, test["nodes"], self.weights(generation), self.test.data_ptr(), len(self.test),
            self.plan["games_at_a_time"],
        )
        # Drop positions that turn out to be mates: they say nothing about evaluations.
        score = self.test[:, 24:26].contiguous().view(torch.int16).squeeze(1)
        self.test = self.test[score.abs() < 4000].contiguous()
        self.test.cpu().numpy().tofile(self.out / "test.bin")
        taken = time.time() - begin
        self.log(f"made {len(self.test)} test positions, searched with {test['nodes']} nodes, in {taken:.1f} s")

    def log_test(self, name, model):
        if self.test is None:
            return None
        plain, best, scale, by_output = train.test_errors(self.library, model, self.test)
        phases = " ".join(f"{error:.5f}" for error in by_output)
        self.log(f"  {name}: test error {plain:.6f}, {best:.6f} at a scale of {scale:.2f}; by piece count {phases}")
        return round(plain, 6)

    def write_sample(self, length):
        """Writes the sample of whole games."""
        games = self.sample[: min(length, len(self.sample))].cpu().numpy().tobytes()
        sp.write_sample(self.out / "sample.games", games)

    def train(self, settings, name, seconds, first_generation, step, start=None):
        """Trains a network on the games from `first_generation` on, with the settings of `step` in the plan."""
        first = self.generations[first_generation][0]
        records = self.records[first : self.filled]
        result_weight, lookahead = step["result_weight"], step.get("lookahead", 0.0)
        trunk = HERE / step["resume"] if "resume" in step else None
        endgame_result_weight = step.get("endgame_result_weight")
        training = train.Training(
            self.library, settings, records, self.device, result_weight, start, lookahead, trunk, endgame_result_weight
        )
        in_endgames = "" if endgame_result_weight is None else f" ({endgame_result_weight} in endgames)"
        self.log(
            f"training {name} on {len(training.training)} of {len(records)} positions, result weight {result_weight}"
            f"{in_endgames}, lookahead {lookahead}, rate {settings['rate']}"
        )
        self.log(f"  gradients are correct, relative error {training.check_gradients():.6f}")
        if start is not None or trunk is not None:
            self.log(f"  held-out loss at the start {training.held_out_loss():.6f}")
            self.log_test(name, training.model)
        keep = (lambda: training.save_trunk(self.out / step["trunk"])) if "trunk" in step else None
        taken = training.run(seconds, self.log, hold=step.get("hold", 0.0), before_decay=keep)
        loss = training.held_out_loss()
        provenance = {
            "name": name,
            "positions": len(training.training),
            "generations": [first_generation, len(self.generations) - 1],
            "steps": training.steps,
            "batch": settings["batch"],
            "result_weight": result_weight,
            "lookahead": lookahead,
            "endgame_result_weight": endgame_result_weight,
            "loss": round(loss, 6),
            "test_error": self.log_test(name, training.model),
            "commit": self.commit,
            "date": datetime.date.today().isoformat(),
        }
        if start is not None:
            provenance["begun_with"] = start.provenance
        scale = step.get("scale", 1.0)
        if scale != 1.0:
            provenance["scale"] = scale
        network = training.model.export(provenance, scale)
        speed = (training.steps - training.first_step) * settings["batch"] / taken / 1e6
        self.log(
            f"{name}: {training.steps} steps in {taken:.1f} s ({speed:.1f} million positions/s), held-out loss {loss:.6f}"
        )
        return network

    def choose_teacher(self, generation, students):
        """Plays a match of each student against the teacher and returns the best, or the teacher if all lose clearly. Without
        matches, returns the student with the smallest test error."""
        # Self-play knows no hidden layers.
        students = [student for student in students if not student.shape.hidden_sets]
        if not self.plan.get("match_games"):
            best = students[-1]
            if self.test is not None:
                best = min(students, key=lambda student: student.provenance["test_error"])
            self.log(f"  {best.provenance['name']} plays the next generation")
            return best
        games, results = self.plan["match_games"], []
        for student in students:
            config = sp.default_config(self.plan["match_nodes"], seed=77 + generation)
            pair = [student.weights(), self.weights(generation)]
            totals, seconds = sp.match(self.library, config, pair, games, games, self.plan["steps"], seconds=20)
            difference, error = sp.elo(totals)
            results.append((difference, error))
            name = student.provenance["name"]
            self.log(f"{name} against its teacher: {difference:+.0f} Elo ± {error:.0f}; " + totals.line(seconds))
        best = max(range(len(students)), key=lambda i: results[i][0])
        difference, error = results[best]
        # The first teacher is material, not a network, so it cannot continue.
        if difference < -error and generation:
            self.log("  the teacher plays the next generation")
            return self.networks[-1]
        self.log(f"  {students[best].provenance['name']} plays the next generation")
        return students[best]

    def archive_small_networks(self):
        """Writes the newest small network, and all of them to an archive."""
        path = self.out / "small.tar"
        with tarfile.open(path, "w") as archive:
            for generation, network in enumerate(self.networks):
                nn.write(network, self.out / "small.nn")
                archive.add(self.out / "small.nn", f"small-{generation}.nn")

    def keep_records(self):
        """Writes the last records of the run for inspection."""
        last = self.records[max(self.filled - self.plan["keep_records"], 0) : self.filled]
        (self.out / "records.bin").write_bytes(last.cpu().numpy().tobytes())

    def save_state(self):
        """Saves records and small networks for another run."""
        if self.state is None:
            return
        self.state.mkdir(parents=True, exist_ok=True)
        if self.saved == self.filled:
            return
        with open(self.state / "records.bin", "r+b" if self.saved else "wb") as file:
            file.seek(self.saved * sp.RECORD_BYTES)
            part = 1 << 24
            for first in range(self.saved, self.filled, part):
                self.records[first : min(first + part, self.filled)].cpu().numpy().tofile(file)
        self.saved = self.filled
        if self.test is not None:
            self.test.cpu().numpy().tofile(self.state / "test.bin")
        for generation, network in enumerate(self.networks):
            nn.write(network, self.state / f"small-{generation}.nn")
        about = {"generations": self.generations, "networks": len(self.networks)}
        temporary = self.state / "state.part"
        temporary.write_text(json.dumps(about))
        temporary.rename(self.state / "state.json")

    def load_state(self):
        """Loads what another run saved. Returns false if there is nothing to load."""
        if self.state is None or not (self.state / "state.json").exists():
            return False
        about = json.loads((self.state / "state.json").read_text())
        self.generations = [tuple(generation) for generation in about["generations"]]
        self.networks = [nn.read(self.state / f"small-{i}.nn") for i in range(about["networks"])]
        self.filled = self.saved = self.generations[-1][1]
        data = np.memmap(self.state / "records.bin", dtype=np.uint8, mode="r").reshape(-1, sp.RECORD_BYTES)
        part = 1 << 24
        for first in range(0, self.filled, part):
            last = min(first + part, self.filled)
            self.records[first:last] = torch.from_numpy(np.array(data[first:last])).to(self.device)
        if (self.state / "test.bin").exists():
            test = np.fromfile(self.state / "test.bin", dtype=np.uint8).reshape(-1, sp.RECORD_BYTES)
            self.test = torch.from_numpy(test).to(self.device)
        self.log(f"continuing from {len(self.generations)} generations with {self.filled} records")
        return True

    def run(self):
        plan = self.plan
        if not self.load_state() and plan.get("start"):
            self.networks.append(nn.reshaped(nn.read(HERE / plan["start"]), self.small["shape"]))
        if "test_file" in plan:
            test = np.fromfile(HERE / plan["test_file"], dtype=np.uint8).reshape(-1, sp.RECORD_BYTES)
            self.test = torch.from_numpy(test).to(self.device)
        self.self_test()
        done = 0
        while done < len(self.plan.get("generation", [])):
            step = self.plan["generation"][done]
            generation = len(self.networks)
            self.play(generation, step)
            if step.get("train"):
                self.networks.append(self.choose_teacher(generation, self.train_students(generation, step)))
                self.archive_small_networks()
            elif generation:
                self.networks.append(self.networks[-1])
            self.save_state()
            done += 1
            self.read_plan_again()
        self.train_large()
        if plan.get("keep_records"):
            self.keep_records()
        self.log("done")

    def train_students(self, generation, step):
        """Trains the networks of a generation. Each student may change the settings of the step."""
        students = []
        for student in step.get("student", [{}]):
            name = f"small-{generation}" + (f"-{len(students)}" if "student" in step else "")
            own = step | student
            settings = train.read_settings(HERE / "networks" / self.plan["small"], student.get("change"))
            since = max(0, len(self.generations) - 1 - own.get("also", 0))
            start = self.networks[own.get("start_from", -1)] if self.networks and own.get("go_on") else None
            students.append(self.train(settings, name, own["train"], since, own, start))
            if "student" in step:
                nn.write(students[-1], self.out / f"{name}.nn")
        return students

    def train_large(self):
        """Trains the networks for the engine."""
        plan = self.plan
        for path in plan.get("measure", []):
            network = nn.read(HERE / path)
            model = train.Model(network.shape, self.device)
            model.load(network)
            self.log_test(path, model)
        for large in plan.get("large", []):
            settings = train.read_settings(HERE / "networks" / large["settings"], large.get("change"))
            name = large.get("name", large["settings"].removesuffix(".toml"))
            start = None
            if large.get("go_on"):
                start = self.networks[-1]
            elif "start" in large:
                # Several networks are joined side by side: together they are stronger than each alone.
                paths = [large["start"]] if isinstance(large["start"], str) else large["start"]
                networks = [nn.read(HERE / path) for path in paths]
                start = networks[0] if len(networks) == 1 else nn.joined(networks)
            if start is not None and not start.shape.hidden_sets:
                shape = settings["shape"]
                start = nn.reshaped(start, nn.Shape(start.shape.width, shape.mirrored, shape.king_buckets))
            network = self.train(settings, name, large["train"], large["since"], large, start)
            nn.write(network, self.out / f"{name}.nn")
            self.log(f"wrote {name}.nn; it evaluates the starting position as {nn.evaluate(network, sp.PERFT[0][0])}")


def main():
    parser = argparse.ArgumentParser(description="Runs a plan of self-play and training.")
    parser.add_argument("plan", type=Path, help="plan to run, a TOML file: see training/plans")
    parser.add_argument("out", type=Path, help="folder for the networks, the log and the sample of games")
    parser.add_argument("--cpu", action="store_true", help="play and train on the CPU, to try things out")
    parser.add_argument("--state", type=Path, help="folder to continue from, if it has a state, and to save to")
    parser.add_argument("--commit", default="", help="commit of these programs, for the provenance of the networks")
    args = parser.parse_args()
    Run(args.plan, args.out, not args.cpu, args.state, args.commit).run()


if __name__ == "__main__":
    main()
