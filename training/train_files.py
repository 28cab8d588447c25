"""Trains a network on files of records, from `tabiya selfplay generate` or bare:

    python3 training/train_files.py training/networks/large.toml OUT.nn games.records --seconds 600

Uses a GPU if there is one, or else the CPU, which is slow.
"""

import argparse
import datetime
import math
from pathlib import Path

import torch

import network as nn
import selfplay as sp
import train


MATE_THRESHOLD = 15_000  # scores beyond are mates
SCORE_FACTOR = 2  # the network's output for one centipawn of the engine


def as_tensor(data):
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).reshape(-1, sp.RECORD_BYTES)


def engine_records(path):
    """Reads the records of the engine's games, with scores in the scale of networks."""
    records = as_tensor(sp.read_records(path))
    scores = records.view(torch.int16)[:, 12]
    scores.copy_(torch.where(scores.abs() < MATE_THRESHOLD, scores * SCORE_FACTOR, scores))
    return records


def read_files(paths):
    """Reads the records of all files into a tensor."""
    parts = []
    for path in paths:
        data = path.read_bytes()
        if data.startswith(b"TABIYARC"):
            parts.append(engine_records(path))
        elif len(data) % sp.RECORD_BYTES:
            raise SystemExit(f"{path} is not a file of records.")
        elif data:
            parts.append(as_tensor(data))
    if not sum(map(len, parts)):
        raise SystemExit("The files have no records.")
    return torch.cat(parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Trains a network on files of records.")
    parser.add_argument("settings", type=Path, help="settings of the network, a TOML file: see training/networks")
    parser.add_argument("out", type=Path, help="network file to write")
    parser.add_argument("records", type=Path, nargs="+", help="files of records")
    parser.add_argument("--seconds", type=float, default=600, help="training time")
    parser.add_argument("--result-weight", type=float, default=0.1, help="weight of game results in the target, 0 to 1")
    parser.add_argument("--start", type=Path, help="network of the same shape to start from")
    args = parser.parse_args()

    gpu = torch.cuda.is_available()
    device = torch.device("cuda" if gpu else "cpu")
    settings = train.read_settings(args.settings)
    records = read_files(args.records).to(device)
    start = nn.read(args.start) if args.start else None
    library = sp.Library(sp.build(gpu))
    training = train.Training(library, settings, records, device, args.result_weight, start)
    if not len(training.training):
        raise SystemExit("No position is quiet and past the opening. Use more games.")
    print(f"training on {len(training.training)} of {len(records)} positions")
    training.run(args.seconds, print)
    loss = training.held_out_loss()
    provenance = {
        "positions": len(training.training),
        "steps": training.steps,
        "batch": settings["batch"],
        "result_weight": args.result_weight,
        # With too few positions there is no held-out batch.
        "loss": None if math.isnan(loss) else round(loss, 6),
        "date": datetime.date.today().isoformat(),
    }
    nn.write(training.model.export(provenance), args.out)
    print(f"{training.steps} steps, held-out loss {loss:.6f}: {args.out}")
