"""Compares what DuckDB, Polars and Spark read in an archive with what its own program says."""

import json
import subprocess
import sys

import duckdb
import polars
from pyspark.sql import SparkSession

program, folder = sys.argv[1:]
TABLES = ["games", "duplicates", "positions", "explorer"]
# That of the start of the game.
KEY = 5060803636482931868


def ours(*arguments):
    """The output of our program, as JSON."""
    command = [program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


info = json.loads(ours("info", folder, "--json"))
counts = {table["table"]: table["rows"] for table in info["tables"]}
explored = json.loads(ours("explore", folder, "--json"))
games = [json.loads(line) for line in ours("find", folder, "--json", "--limit", "1000000").splitlines()]
# Those that the explorer counts once are in the games table twice, since the same file was added again.
assert counts["duplicates"] * 2 > counts["games"] > 0, counts

COLUMNS = "game_id, White, BlackElo, Opening, ply_count, moves, clocks"


def expected_rows():
    """The same columns of the games that we find."""
    for game in games:
        tags = dict(game["tags"])
        moves = game.get("moves", [])
        yield (
            game["game_id"],
            tags.get("White"),
            int(tags["BlackElo"]) if "BlackElo" in tags else None,
            tags.get("Opening"),
            len(moves),
            b"".join(move.to_bytes(2, "little") for move in moves),
            game.get("clocks"),
        )


def check(name, query):
    """Compares a reader. A query in SQL, with names of tables, becomes a list of rows."""
    for table, count in counts.items():
        rows = query(f"select count(*) from {table}")
        assert rows == [(count,)], (name, table, rows, count)
    found = query(
        f"select {COLUMNS} from games where game_id not in (select game_id from duplicates) order by game_id"
    )
    found = [(*row[:5], bytes(row[5]), list(row[6]) if row[6] is not None else None) for row in found]
    assert found == list(expected_rows()), name

    # What was played at the start: from the sums, and added up from the positions.
    wanted = sorted(
        (move["games"], move["white_wins"], move["black_wins"]) for move in explored["moves"] if move["uci"]
    )
    sums = query(
        "select sum(white_wins + draws + black_wins + unknown), sum(white_wins), sum(black_wins) "
        f"from explorer where key = {KEY} and move is not null group by move"
    )
    assert sorted(sums) == wanted, (name, sums, wanted)
    rows = query(
        "select count(*), coalesce(sum(case when result = 1 then 1 else 0 end), 0), "
        "coalesce(sum(case when result = -1 then 1 else 0 end), 0) "
        f"from positions where key = {KEY} and ply = 0 and move is not null group by move"
    )
    assert sorted(rows) == wanted, (name, rows, wanted)
    ends = query("select count(*) from positions where move is null")
    with_board = query(
        "select count(*) from games where final_key is not null "
        "and game_id not in (select game_id from duplicates)"
    )
    assert ends == with_board, (name, ends, with_board)
    print(f"{name}: {counts['games']} games, {counts['positions']} positions, as we read them")


database = duckdb.connect()
for table in TABLES:
    database.execute(f"create view {table} as select * from '{folder}/{table}/*.parquet'")
check(f"DuckDB {duckdb.__version__}", lambda sql: database.execute(sql).fetchall())

frames = {table: polars.scan_parquet(f"{folder}/{table}/*.parquet") for table in TABLES}
context = polars.SQLContext(frames)
check(f"Polars {polars.__version__}", lambda sql: context.execute(sql).collect().rows())

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", "2")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
for table in TABLES:
    spark.read.parquet(f"{folder}/{table}").createOrReplaceTempView(table)
check(f"Spark {spark.version}", lambda sql: [tuple(row) for row in spark.sql(sql).collect()])
spark.stop()
