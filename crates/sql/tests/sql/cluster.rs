//! Clusters of a scheduler and two executors on this machine.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{
    Folder, PROGRAM, add_to_archive, answer, ask, build_archive, failure, league, league_pgn, sql,
    text,
};

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_mins(5);

/// A program of the cluster, which is killed in the end.
struct Running {
    child: Child,
    /// Kept open, so that the program can print.
    _output: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// Starts a program, and returns it with the first line that it prints.
    fn start(
        folder: &Folder,
        name: &str,
        arguments: &[&str],
        environment: &[(&str, String)],
    ) -> (Self, String) {
        let log = folder.path(&format!("{name}.log"));
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .arg("--verbose")
            .env("TMPDIR", folder.path(""))
            .envs(environment.iter().cloned())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let running = Self {
            child,
            _output: output,
            log,
        };
        (running, line)
    }

    fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.log).unwrap()).into_owned()
    }

    /// Waits until the log has a text. Returns whether the program lives to write it.
    fn has_logged(&mut self, wanted: &str) -> bool {
        let end = Instant::now() + TIMEOUT;
        while !self.log().contains(wanted) {
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(Instant::now() < end, "no {wanted:?} in {}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

pub(crate) struct Cluster {
    _scheduler: Running,
    executors: Vec<Running>,
    address: String,
    folder: Folder,
}

impl Cluster {
    fn start() -> Self {
        Self::start_with(&[], &[])
    }

    /// Starts a cluster whose programs have these environment variables.
    pub(crate) fn start_with(
        of_scheduler: &[(&str, String)],
        of_executors: &[(&str, String)],
    ) -> Self {
        let folder = Folder::new();
        let arguments = ["scheduler", "--port", "0"];
        let (scheduler, line) = Running::start(&folder, "scheduler", &arguments, of_scheduler);
        let address = line
            .trim()
            .trim_end_matches('.')
            .rsplit(' ')
            .next()
            .unwrap()
            .to_owned();
        let executors =
            ["first", "second"].map(|name| Self::executor(&folder, name, &address, of_executors));
        Self {
            _scheduler: scheduler,
            executors: executors.into(),
            address,
            folder,
        }
    }

    fn executor(
        folder: &Folder,
        name: &str,
        address: &str,
        environment: &[(&str, String)],
    ) -> Running {
        // A port that was free may be taken before the executor takes it.
        for _ in 0..5 {
            let arguments = [
                "executor",
                "--scheduler",
                address,
                "--port",
                "0",
                "--task-port",
                "0",
                "--threads",
                "1",
            ];
            let (mut executor, _) = Running::start(folder, name, &arguments, environment);
            if executor.has_logged("Executor registration succeed") {
                return executor;
            }
        }
        panic!("no executor starts");
    }

    pub(crate) fn command(&self, archive: &str, query: &str) -> Command {
        sql(&["--cluster", &self.address, archive, query, "--csv"])
    }

    fn ask(&self, archive: &str, query: &str) -> String {
        answer(&self.command(archive, query).output().unwrap())
    }
}

#[test]
fn a_taken_port_is_named_with_the_option_for_another() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, option) in [
        (&["scheduler", "--port", &port][..], "--port"),
        (&["executor", "--port", &port], "--port"),
        (
            &["executor", "--port", "0", "--task-port", &port],
            "--task-port",
        ),
    ] {
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        assert_eq!(
            failure(&output),
            format!(
                "another program listens on port {port} of 127.0.0.1: give another port with {option}, or 0 for any \
                 free one"
            )
        );
    }
}

#[test]
fn a_cluster_gives_the_rows_of_one_machine() {
    let cluster = Cluster::start();
    for query in [
        "select * from games order by game_id",
        "select key, game_id, ply, move, result from positions order by key, game_id, ply",
        "select count(*) from positions where key = key('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')",
        "select * from explorer order by key, move",
        "select opening(moves, FEN) as o, count(*) as n, avg(ply_count) as p from games group by o order by n, o",
        "select game_id, fen_after(moves, 20, FEN) as f, san(moves, 3, FEN) as s, material(moves, 30, FEN) as m,
                pawn_structure(moves, 30, FEN) as p, matches(moves, 'rxNc3', FEN) as x,
                has_position(moves, fen_after(moves, 5, FEN), FEN) as h, accuracy(evals, 'white', FEN) as a
         from games order by game_id",
        "select game_id, fen_after(moves, 20) as f, opening(moves) as o, accuracy(evals, 'white') as a
         from games order by game_id",
        "select eval(fen_after(moves, 10, FEN), 50) as e, count(*) as n from games group by e order by e",
        "select color, opponent, count(*) as n, sum(score) as s from player_games('ada') group by 1, 2 order by 1, 2",
        "select san(g.moves, p.ply + 1, g.FEN) as s, count(*) as n from positions p join games g
         on g.game_id = p.game_id where p.ply = 3 group by s order by n desc, s",
        "with r as (select White, row_number() over (partition by White order by game_id desc) as n, game_id from games)
         select * from r where n = 1 order by White",
    ] {
        assert_eq!(cluster.ask(league(), query), ask(query, &["--csv"]), "{query}");
    }
    // Errors of the executors are those of one machine.
    let query =
        "select key(substr(fen_after(moves, 0, FEN), game_id)) from games where game_id > 3";
    let error = failure(&cluster.command(league(), query).output().unwrap());
    assert!(error.contains(" is not a position: "), "{error}");
}

#[test]
fn an_executor_killed_in_mid_query_costs_no_answer() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    let text = fs::read_to_string(league_pgn()).unwrap();
    let games: Vec<String> = text
        .split("[Event ")
        .skip(1)
        .map(|game| format!("[Event {game}"))
        .collect();
    // A file of games is a task, so there are several.
    for (number, part) in games.chunks(41).enumerate() {
        let file = folder.file(&format!("{number}.pgn"), part.concat());
        match number {
            0 => build_archive(&archive, &[file]),
            _ => add_to_archive(&archive, &[file]),
        };
    }
    let archive = archive.to_str().unwrap();
    let query = "select White, sum(eval(fen_after(moves, 12, FEN), 20000)) as e from games group by White order by White";
    let expected = answer(&sql(&[archive, query, "--csv"]).output().unwrap());
    let mut cluster = Cluster::start();
    let mut client = cluster
        .command(archive, query)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let first = &mut cluster.executors[0];
    assert!(first.has_logged("Execute task"));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    assert!(
        client.try_wait().unwrap().is_none(),
        "the query was over before the executor was killed"
    );
    assert_eq!(answer(&client.wait_with_output().unwrap()), expected);
}

#[test]
fn damaged_files_are_named_by_executors() {
    let cluster = Cluster::start();
    let archive = cluster.folder.path("archive");
    build_archive(&archive, &[league_pgn()]);
    let file = archive.join("games/0000-00000.parquet");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let output = cluster
        .command(
            archive.to_str().unwrap(),
            "select sum(length(White)), max(moves) from games",
        )
        .output()
        .unwrap();
    let error = failure(&output);
    assert!(
        error.contains("games/0000-00000.parquet is damaged: "),
        "{error}"
    );
}

#[test]
fn what_a_cluster_cannot_do_is_said() {
    let file = league_pgn();
    let output = sql(&[
        "--cluster",
        "localhost:1",
        file.to_str().unwrap(),
        "select 1",
    ])
    .output()
    .unwrap();
    assert!(failure(&output).contains("a cluster reads archives only"));
    let output = sql(&["--cluster", "localhost:1", league(), "select 1"])
        .output()
        .unwrap();
    assert!(
        failure(&output).starts_with("there is no scheduler at localhost:1: "),
        "{}",
        text(&output.stderr)
    );
}
