"""How fast self-play is, built in several ways.

    python3 measure.py OUT/small.nn            every way in VARIANTS
    python3 measure.py OUT/small.nn --once     a single short launch, to be watched by a profiler
    python3 measure.py --build                 builds them all, no more
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
    width: int = 64  # of the network
    block: int = 128  # threads a block
    blocks: int = 4  # blocks a multiprocessor at least: limits the registers
    games: int = 512  # for each multiprocessor
    entries: int = 1  # nodes entered at most before moves are generated
    burst: int = 8  # steps of a launch

    def library(self, gpu):
        macros = {"BLOCK": self.block, "BLOCKS_PER_SM": self.blocks, "ENTRIES": self.entries, "BURST": self.burst}
        file = "-".join(map(str, ("measure", self.width, *macros.values()))) + ".so"
        defines = [f"-D{name}={value}" for name, value in macros.items()]
        return sp.build(gpu, self.width, sp.SOURCES / "build" / file, defines)


VARIANTS = [
    Variant(),
    Variant(burst=1),
    Variant(burst=1000),
    Variant(entries=2),
    Variant(entries=3),
    Variant(blocks=3, games=384),
    Variant(blocks=5, games=640),
    Variant(blocks=8, games=1024),
    Variant(width=128),
]


def build_all(gpu):
    builds = {variant._replace(games=0): variant for variant in VARIANTS}
    with ThreadPoolExecutor(8) as workers:
        list(workers.map(lambda variant: variant.library(gpu), builds.values()))


def measure(library, network, size, steps):
    pool = sp.Pool(library, size)
    config = sp.default_config(NODES, seed=3)
    for player in range(2):
        pool.set_network(config, player, network.weights())
    # Long enough for the games to drift apart, as they do in earnest.
    before = pool.play(config, 3 * NODES)
    start = time.time()
    totals = pool.play(config, steps)
    seconds = time.time() - start
    pool.free()
    return (totals.nodes - before.nodes) / seconds / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("network", nargs="?", help="a network that is not wider than the variants")
    parser.add_argument("--build", action="store_true", help="build all variants and stop")
    parser.add_argument("--once", action="store_true", help="one short launch for a profiler")
    parser.add_argument("--cpu", action="store_true", help="on the CPU, for a trial")
    arguments = parser.parse_args()
    gpu = not arguments.cpu
    if arguments.build:
        build_all(gpu)
        return
    network = nn.read(arguments.network)
    if arguments.once:
        library = sp.Library(VARIANTS[0].library(gpu))
        measure(library, nn.reshaped(network, nn.Shape(VARIANTS[0].width)), VARIANTS[0].games * MULTIPROCESSORS, 100)
        return
    build_all(gpu)
    for variant in VARIANTS:
        size = variant.games * MULTIPROCESSORS if gpu else variant.games // 16
        speed = measure(sp.Library(variant.library(gpu)), nn.reshaped(network, nn.Shape(variant.width)), size, 3 * NODES)
        print(f"{variant}: {speed:.1f} Mnodes/s", flush=True)


if __name__ == "__main__":
    main()
