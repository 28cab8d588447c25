//! Archives on S3, on a server on this machine.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::common::{answer, ask, failure, league, sql};

/// Starts the server, uploads a folder, and prints where it is; ends with its input.
const SERVER: &str = "\
import boto3, os, sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0)
server.start()
endpoint = 'http://%s:%d' % server.get_host_and_port()
s3 = boto3.client('s3', endpoint_url=endpoint)
s3.create_bucket(Bucket='chess')
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        s3.upload_file(path, 'chess', 'my/league/' + os.path.relpath(path, sys.argv[1]))
damaged = 'my/league/games/0000-00000.parquet'
content = bytearray(s3.get_object(Bucket='chess', Key=damaged)['Body'].read())
content[len(content) // 2] ^= 1
s3.copy({'Bucket': 'chess', 'Key': 'my/league/archive.json'}, 'chess', 'bad/archive.json')
for table in ['positions', 'explorer', 'duplicates', 'games']:
    s3.copy({'Bucket': 'chess', 'Key': 'my/league/checksums/%s-0000-00000.parquet.crc32' % table},
            'chess', 'bad/checksums/%s-0000-00000.parquet.crc32' % table)
s3.put_object(Bucket='chess', Key='bad/games/0000-00000.parquet', Body=bytes(content))
print(endpoint, flush=True)
sys.stdin.read()
";

const ACCESS: [(&str, &str); 4] = [
    ("AWS_ACCESS_KEY_ID", "us"),
    ("AWS_SECRET_ACCESS_KEY", "secret"),
    ("AWS_REGION", "us-east-1"),
    ("AWS_DEFAULT_REGION", "us-east-1"),
];

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `TABIYA_S3_PYTHON` names a Python that has moto, a server of S3 for tests. `./test` installs one.
#[test]
fn archives_on_s3_give_the_same_rows_and_are_checked() {
    let Some(python) = std::env::var_os("TABIYA_S3_PYTHON") else {
        eprintln!("SKIPPED: S3, because TABIYA_S3_PYTHON is not set");
        return;
    };
    let mut child = Command::new(python)
        .args(["-c", SERVER, league()])
        .envs(ACCESS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let server = Server(child);
    // The server prints more.
    let endpoint = output.find_map(|line| line.ok().filter(|line| line.starts_with("http://")));
    let endpoint = endpoint.expect("the server starts");
    let command = |archive: &str, query: &str| {
        let mut command = sql(&[archive, query, "--csv"]);
        command
            .envs(ACCESS)
            .env("AWS_ENDPOINT", &endpoint)
            .env("AWS_ALLOW_HTTP", "true");
        command
    };
    for query in [
        "select * from games order by game_id",
        "select count(*) from positions where ply = 20",
        "select opening(moves, FEN) as o, count(*) as n from games group by o order by n, o",
    ] {
        let output = command("s3://chess/my/league", query).output().unwrap();
        assert_eq!(answer(&output), ask(query, &["--csv"]), "{query}");
    }
    let query = "select max(White), max(moves) from games";
    let error = failure(&command("s3://chess/bad", query).output().unwrap());
    assert!(
        error.starts_with("s3://chess/bad/games/0000-00000.parquet is damaged: "),
        "{error}"
    );
    let error = failure(&command("s3://chess/none", query).output().unwrap());
    assert!(
        error.starts_with("s3://chess/none is not an archive"),
        "{error}"
    );
    drop(server);
}
