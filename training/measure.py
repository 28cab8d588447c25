"""Measures the speed of self-play for different builds.

    python3 measure.py teacher.nn            measure every build in VARIANTS
    python3 measure.py teacher.nn --once     one short launch, for a profiler
    python3 measure.py teacher.nn --build    only compile the builds
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import network as nn
import selfplay as sp

NODES = 1000
MULTIPROCESSORS = 132


class Variant(NamedTuple):
    times: int = 1  # this many times the width of the network
    block: int = 128  # threads per block
    blocks: int = 4  # minimum blocks per multiprocessor, which limits the registers
    games: int = 512  # games per multiprocessor
    entries: int = 1  # nodes entered before moves are generated
    burst: int = 8  # steps per launch

    def shape(self, network):
        return nn.Shape(network.shape.width * self.times, network.shape.mirrored)

    def library(self, gpu, network):
        shape = self.shape(network)
        macros = {"BLOCK": self.block, "BLOCKS_PER_SM": self.blocks, "ENTRIES": self.entries, "BURST": self.burst}
        file = "-".join(map(str, ("measure", shape.width, int(shape.mirrored), *macros.values()))) + ".so"
        defines = [f"-D{name}={value}" for name, value in macros.items()]
        return sp.build(gpu, shape.width, shape.mirrored, target=sp.SOURCES / "build" / file, defines=defines)


VARIANTS = [
    Variant(),
    Variant(burst=1),
    Variant(burst=1000),
    Variant(entries=2),
    Variant(entries=3),
    Variant(blocks=3, games=384),
    Variant(blocks=5, games=640),
    Variant(blocks=8, games=1024),
    Variant(times=2),
]


def build_all(gpu, network):
    builds = {variant._replace(games=0): variant for variant in VARIANTS}
    with ThreadPoolExecutor(8) as workers:
        list(workers.map(lambda variant: variant.library(gpu, network), builds.values()))


def measure(library, network, size, steps):
    pool = sp.Pool(library, size)
    config = sp.default_config(NODES, seed=3)
    for player in range(2):
        pool.set_network(config, player, network.weights())
    # Play until the games have drifted apart, as in a real run.
    before = pool.play(config, 3 * NODES)
    start = time.time()
    totals = pool.play(config, steps)
    seconds = time.time() - start
    pool.free()
    return (totals.nodes - before.nodes) / seconds / 1e6


def main():
    parser = argparse.ArgumentParser(description="Measures the speed of self-play for different builds.")
    parser.add_argument("network", help="network file")
    parser.add_argument("--build", action="store_true", help="only compile the builds")
    parser.add_argument("--once", action="store_true", help="make one short launch, for a profiler")
    parser.add_argument("--cpu", action="store_true", help="run on the CPU, to try things out")
    args = parser.parse_args()
    gpu = not args.cpu
    network = nn.read(args.network)
    if args.build:
        build_all(gpu, network)
        return
    if args.once:
        library = sp.Library(VARIANTS[0].library(gpu, network))
        measure(library, network, VARIANTS[0].games * MULTIPROCESSORS, 100)
        return
    build_all(gpu, network)
    for variant in VARIANTS:
        size = variant.games * MULTIPROCESSORS if gpu else variant.games // 16
        widened = nn.reshaped(network, variant.shape(network))
        speed = measure(sp.Library(variant.library(gpu, network)), widened, size, 3 * NODES)
        print(f"{variant}: {speed:.1f} Mnodes/s", flush=True)


if __name__ == "__main__":
    main()
