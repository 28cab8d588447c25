"""Trains a network on files of records, those of `tabiya selfplay generate` or bare ones:

    python3 training/train_files.py training/networks/large.toml OUT.nn games.records --seconds 600

Works on a GPU or, slowly, on a CPU.
"""

import argparse
import datetime
import math
from pathlib import Path

import torch

import network as nn
import selfplay as sp
import train


LONGEST_SCORE = 15_000  # what is beyond is a mate, or as good as one
POINTS = 2  # what a network says for each hundredth of a pawn of the engine


def as_tensor(data):
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).reshape(-1, sp.RECORD_BYTES)


def engine_records(path):
    """The records of the engine's own games, with their scores in the measure of networks."""
    records = as_tensor(sp.read_records(path))
    scores = records.view(torch.int16)[:, 12]
    scores.copy_(torch.where(scores.abs() < LONGEST_SCORE, scores * POINTS, scores))
    return records


def read_files(paths):
    """The records of all files as a tensor."""
    parts = []
    for path in paths:
        data = path.read_bytes()
        if data.startswith(b"TABIYARC"):
            parts.append(engine_records(path))
        elif len(data) % sp.RECORD_BYTES:
            raise SystemExit(f"{path} is no file of records")
        elif data:
            parts.append(as_tensor(data))
    if not sum(map(len, parts)):
        raise SystemExit("there are no records")
    return torch.cat(parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Trains a network on files of records.")
    parser.add_argument("settings", type=Path, help="what the network looks like: see training/networks")
    parser.add_argument("out", type=Path, help="file for the network")
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--result-weight", type=float, default=0.1, help="how much results count beside scores")
    parser.add_argument("--start", type=Path, help="a network of the same shape to train further")
    given = parser.parse_args()

    gpu = torch.cuda.is_available()
    device = torch.device("cuda" if gpu else "cpu")
    settings = train.read_settings(given.settings)
    records = read_files(given.records).to(device)
    start = nn.read(given.start) if given.start else None
    library = sp.Library(sp.build(gpu))
    training = train.Training(library, settings, records, device, given.result_weight, start)
    if not len(training.training):
        raise SystemExit("none of the positions is quiet and past the opening: more games are needed")
    print(f"training on {len(training.training)} of {len(records)} positions")
    training.run(given.seconds, print)
    loss = training.held_out_loss()
    provenance = {
        "positions": len(training.training),
        "steps": training.steps,
        "batch": settings["batch"],
        "result_weight": given.result_weight,
        # Too few positions leave nothing to measure it with.
        "loss": None if math.isnan(loss) else round(loss, 6),
        "date": datetime.date.today().isoformat(),
    }
    nn.write(training.model.export(provenance), given.out)
    print(f"{training.steps} steps, held-out loss {loss:.6f}: {given.out}")
