"""How fast self-play is, built in several ways.

    python3 measure.py OUT/small.nn            every way in VARIANTS
    python3 measure.py OUT/small.nn --once     a single short launch, to be watched by a profiler
    python3 measure.py --build                 builds them all, no more
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

import network as nn
import selfplay as sp

NODES = 1000
# Width of the network, threads a block, blocks a multiprocessor, games for each multiprocessor.
VARIANTS = [
    (32, 128, 4, 512),
    (32, 128, 4, 1024),
    (32, 128, 5, 640),
    (32, 64, 8, 512),
    (32, 32, 16, 512),
    (32, 128, 6, 768),
    (32, 128, 8, 1024),
    (64, 128, 4, 512),
]
MULTIPROCESSORS = 132


def library_for(width, block, blocks, gpu):
    defines = (f"-DBLOCK={block}", f"-DBLOCKS_PER_SM={blocks}")
    return sp.build(gpu, width, sp.SOURCES / "build" / f"measure-{width}-{block}-{blocks}.so", defines)


def build_all(gpu):
    builds = {variant[:3] for variant in VARIANTS}
    with ThreadPoolExecutor(8) as workers:
        return dict(zip(builds, workers.map(lambda b: library_for(*b, gpu), builds)))


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
    parser.add_argument("network", nargs="?", help="a network of 32 neurons")
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
        library = sp.Library(library_for(*VARIANTS[0][:3], gpu))
        measure(library, network, VARIANTS[0][3] * MULTIPROCESSORS, 100)
        return
    paths = build_all(gpu)
    for width, block, blocks, games in VARIANTS:
        size = games * (MULTIPROCESSORS if gpu else 1) // (1 if gpu else 16)
        speed = measure(sp.Library(paths[width, block, blocks]), nn.widened(network, width), size, 3 * NODES)
        print(f"width {width}, {block} threads x {blocks} blocks, {size} games: {speed:.1f} Mnodes/s", flush=True)


if __name__ == "__main__":
    main()
