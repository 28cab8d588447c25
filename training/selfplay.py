"""Builds the self-play library in selfplay/ for the GPU or the CPU, and calls it.

    python3 training/selfplay.py OUT --games 100 --nodes 1000

plays games by material on the CPU and writes their records (OUT/records.bin) and whole games (OUT/sample.games).
"""

import argparse
import ctypes as c
import struct
import subprocess
import time
import zlib
from pathlib import Path

SOURCES = Path(__file__).parent / "selfplay"
RECORD_BYTES = 32
ENDINGS = ["checkmate", "stalemate", "threefold", "fifty", "dead", "adjudicated-win", "adjudicated-draw", "too-long"]

# Positions, depths and perft counts.
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594),
]


class Player(c.Structure):
    _fields_ = [("network", c.c_void_p), ("nodes", c.c_uint32), ("max_depth", c.c_int32)]


class Config(c.Structure):
    """How games are played. Must match `Config` in game.h, which documents the fields."""

    _fields_ = [
        ("players", Player * 2),
        ("seed", c.c_uint64),
        ("games", c.c_uint64),
        ("match", c.c_int32),
        ("random_plies", c.c_int32),
        ("worst_opening", c.c_int32),
        ("win_score", c.c_int32),
        ("win_plies", c.c_int32),
        ("draw_score", c.c_int32),
        ("draw_plies", c.c_int32),
        ("draw_after", c.c_int32),
        ("sample_every", c.c_int32),
    ]


class Totals(c.Structure):
    _fields_ = [
        (name, c.c_uint64)
        for name in "started records games sample_bytes nodes searches depths plies rejected".split()
    ] + [("results", c.c_uint64 * 3), ("endings", c.c_uint64 * len(ENDINGS))]

    def line(self, seconds):
        """Describes what was played in one line."""
        games, searches = max(self.games, 1), max(self.searches, 1)
        ends = " ".join(f"{name} {100 * n / games:.0f}%" for name, n in zip(ENDINGS, self.endings) if n)
        lost, drawn, won = self.results
        return (
            f"{self.nodes / seconds / 1e6:.2f} Mnodes/s {searches / seconds:.0f} positions/s "
            f"{self.games / seconds:.1f} games/s; depth {self.depths / searches:.2f}, "
            f"{self.nodes / searches:.0f} nodes/move, {self.plies / games:.0f} plies/game; "
            f"+{won} ={drawn} -{lost} (drawn {100 * drawn / games:.0f}%), {self.rejected} openings rejected; {ends}"
        )


def default_config(nodes=1000, seed=1):
    config = Config()
    for player in config.players:
        player.nodes, player.max_depth = nodes, 20
    config.seed = seed
    config.games = 1 << 62
    config.random_plies = 8
    config.worst_opening = 400
    config.win_score, config.win_plies = 1000, 4
    config.draw_score, config.draw_plies, config.draw_after = 8, 10, 80
    config.sample_every = 64
    return config


def build(gpu, width=32, mirrored=False, target=None, defines=()):
    """Compiles the library for networks of a shape, unless it is newer than its sources, and returns its path."""
    name = f"libselfplay-{'gpu' if gpu else 'cpu'}-{width}{'-mirrored' if mirrored else ''}.so"
    target = Path(target or SOURCES / "build" / name)
    target.parent.mkdir(parents=True, exist_ok=True)
    sources = [*SOURCES.glob("*.h"), *SOURCES.glob("*.cu")]
    if target.exists() and target.stat().st_mtime > max(s.stat().st_mtime for s in sources):
        return target
    flags = ["-O3", "-std=c++17", "-shared", f"-DWIDTH={width}", f"-DMIRRORED={int(mirrored)}", *defines, "-o", str(target)]
    if gpu:
        command = ["nvcc", "-arch=sm_90", "-Xptxas", "-v", "-Xcompiler", "-fPIC", *flags]
    else:
        command = ["g++", "-march=native", "-fPIC", "-pthread", *flags, "-x", "c++"]
    subprocess.run([*command, str(SOURCES / "selfplay.cu")], check=True)
    return target


class Library:
    def __init__(self, path):
        self.lib = c.CDLL(str(path))
        self.lib.pool_new.restype = c.c_void_p
        self.lib.perft_fen.restype = c.c_uint64
        self.lib.pool_label.restype = c.c_uint64
        self.width = self.lib.network_width()
        self.mirrored = bool(self.lib.network_is_mirrored())

    def perft(self, fen, depth):
        return self.lib.perft_fen(fen.encode(), c.c_int(depth))

    def evaluate(self, fen, weights):
        return self.lib.evaluate_fen(fen.encode(), c.c_char_p(weights))


class Pool:
    """Games that are played concurrently. Buffers are addresses in GPU or CPU memory, as the library was built."""

    def __init__(self, library, size):
        self.lib = library.lib
        self.size = size
        self.pool = c.c_void_p(self.lib.pool_new(size))

    def free(self):
        self.lib.pool_free(self.pool)

    def next_generation(self, config):
        """Continues the games with the players' current networks, and restarts the totals at zero."""
        self.lib.pool_next_generation(self.pool, c.byref(config))

    def set_network(self, config, player, weights):
        """Sets a player's network. `weights` are the bytes after a network file's header, or None to play by material."""
        count = len(weights) // 2 if weights else 0
        wrong = self.lib.pool_set_network(
            self.pool, c.byref(config), player, c.c_char_p(weights) if weights else None, c.c_uint64(count)
        )
        if wrong:
            raise ValueError("The network does not have the shape that the self-play library was built for.")

    def play(self, config, steps, records=0, capacity=0, sample=0, sample_capacity=0):
        totals = Totals()
        self.lib.pool_play(
            self.pool,
            c.byref(config),
            c.c_void_p(records),
            c.c_uint64(capacity),
            c.c_void_p(sample),
            c.c_uint64(sample_capacity),
            c.c_int(steps),
            c.byref(totals),
        )
        return totals


def match(library, config, weights, games, size, steps=1000, seconds=None):
    """Plays a match between two networks (None for material), each opening with both colours."""
    pool = Pool(library, size)
    config.match, config.games = 1, games
    for player in range(2):
        pool.set_network(config, player, weights[player])
    start = time.time()
    while True:
        totals = pool.play(config, steps)
        if totals.games >= games or (seconds and time.time() - start > seconds):
            break
    pool.free()
    return totals, time.time() - start


def label(library, nodes, weights, records, count, size, steps=1000):
    """Searches `count` records at the address `records` again and replaces their scores and best moves."""
    pool = Pool(library, size)
    config = default_config(nodes)
    pool.set_network(config, 0, weights)
    while True:
        done = library.lib.pool_label(
            pool.pool, c.byref(config), c.c_void_p(records), c.c_uint64(count), c.c_int(steps)
        )
        if done >= count:
            break
    pool.free()


def elo(totals):
    """Returns the Elo difference of the players and its 95 % confidence interval."""
    from math import log10, sqrt

    lost, drawn, won = totals.results
    n = max(lost + drawn + won, 1)
    mean = min(max((won + drawn / 2) / n, 1e-6), 1 - 1e-6)
    variance = (won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2) / n
    margin = 1.96 * sqrt(variance / n)

    def of(score):
        return -400 * log10(1 / min(max(score, 1e-6), 1 - 1e-6) - 1)

    return of(mean), (of(mean + margin) - of(mean - margin)) / 2


def play_games(library, games, nodes, network=None, at_a_time=8, capacity=1 << 20):
    """Plays games on the CPU and returns their records, the whole games, and the totals."""
    pool = Pool(library, at_a_time)
    config = default_config(nodes)
    config.games, config.sample_every = games, 1
    for player in range(2):
        pool.set_network(config, player, network)
    records, sample = (c.c_char * (RECORD_BYTES * capacity))(), (c.c_char * (8 * capacity))()
    while True:
        totals = pool.play(config, 2000, c.addressof(records), capacity, c.addressof(sample), len(sample))
        if totals.games == games:
            break
    pool.free()
    if totals.records > capacity:
        raise ValueError(f"The games have {totals.records} records, but there is room for only {capacity}.")
    return records.raw[: RECORD_BYTES * totals.records], sample.raw[: totals.sample_bytes], totals


def write_sample(path, games):
    """Writes a sample: a header of 24 bytes, then the games. Omits an incomplete game at the end."""
    end = 0
    while end + 8 <= len(games):
        plies = struct.unpack_from("<H", games, end)[0]
        if plies == 0 or end + 8 + 4 * plies > len(games):
            break
        end += 8 + 4 * plies
    games = games[:end]
    Path(path).write_bytes(struct.pack("<8sIIQ", b"TABIYAGM", 1, zlib.crc32(games), len(games)) + games)


def read_records(path):
    """Reads the records of a file written by `tabiya selfplay generate`."""
    data = Path(path).read_bytes()
    if data[:8] != b"TABIYARC" or len(data) < 64:
        raise ValueError(f"{path} is not a file of games with their records.")
    parts, at = [], 64
    while at < len(data):
        header = data[at : at + 64].ljust(64, b"\0")
        checksum, count = struct.unpack_from("<IH", header, 16)
        end = at + 64 + RECORD_BYTES * count
        block = header[:16] + bytes(4) + header[20:] + data[at + 64 : end]
        if end > len(data) or zlib.crc32(block) != checksum:
            raise ValueError(f"{path} is damaged or incomplete at byte {at}.")
        parts.append(data[at + 64 : end])
        at = end
    return b"".join(parts)


def fen_of(record):
    """Returns the position of a record as a FEN, without en passant square and move counters."""
    occupied = int.from_bytes(record[:8], "little")
    nibbles = [n for byte in record[8:24] for n in (byte & 15, byte >> 4)]
    flags = record[31]
    black = flags & 1
    board, own = {}, "pnbrqk" if black else "PNBRQK"
    for square in range(64):
        if occupied >> square & 1:
            piece = nibbles[len(board)]
            board[square] = own[piece] if piece < 8 else own[piece - 8].swapcase()
    board = {square ^ 56 * black: piece for square, piece in board.items()}
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(board.get(rank * 8 + file, "1") for file in range(8))
        for length in range(8, 1, -1):
            row = row.replace("1" * length, str(length))
        rows.append(row)
    rights = "kqKQ" if black else "KQkq"
    castling = "".join(sorted(letter for i, letter in enumerate(rights) if flags >> 4 + i & 1)) or "-"
    return f"{'/'.join(rows)} {'wb'[black]} {castling} - 0 1"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays games by material on the CPU.")
    parser.add_argument("out", type=Path, help="folder for records.bin and sample.games")
    parser.add_argument("--games", type=int, default=100, help="number of games")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes per move")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    records, sample, totals = play_games(Library(build(gpu=False)), args.games, args.nodes)
    (args.out / "records.bin").write_bytes(records)
    write_sample(args.out / "sample.games", sample)
    print(totals.line(time.time() - start))
