//! Archives on S3, on a server on this machine that checks keys.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::cluster::Cluster;
use crate::common::{answer, ask, failure, league, sql};

/// Starts the server, uploads a folder, creates a user, and prints the address and the user's keys; ends with its input.
const SERVER: &str = "\
import boto3, json, os, sys
from moto import settings
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
iam = boto3.client('iam', endpoint_url=endpoint)
iam.create_user(UserName='us')
policy = {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': '*', 'Resource': '*'}]}
iam.put_user_policy(UserName='us', PolicyName='all', PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName='us')['AccessKey']
# From now on, keys are checked.
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
print(endpoint, key['AccessKeyId'], key['SecretAccessKey'], flush=True)
sys.stdin.read()
";

/// A server of S3, which is killed in the end.
struct Server {
    process: Child,
    /// How it is reached.
    access: Vec<(&'static str, String)>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// `TABIYA_S3_PYTHON` names a Python that has moto, a server of S3 for tests. `./test` installs one.
    fn start() -> Option<Self> {
        let Some(python) = std::env::var_os("TABIYA_S3_PYTHON") else {
            eprintln!("SKIPPED: S3, because TABIYA_S3_PYTHON is not set");
            return None;
        };
        let mut process = Command::new(python)
            .args(["-c", SERVER, league()])
            .env("AWS_ACCESS_KEY_ID", "setup")
            .env("AWS_SECRET_ACCESS_KEY", "setup")
            .env("AWS_DEFAULT_REGION", "us-east-1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut server = Self {
            process,
            access: Vec::new(),
        };
        // The server prints more.
        let line = output.find_map(|line| line.ok().filter(|line| line.starts_with("http://")));
        let line = line.expect("the server starts");
        let names = [
            "AWS_ENDPOINT_URL",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
        ];
        server.access = names
            .into_iter()
            .zip(line.split(' ').map(str::to_owned))
            .collect();
        server.access.push(("AWS_REGION", "us-east-1".to_owned()));
        assert_eq!(server.access.len(), 4, "{line}");
        Some(server)
    }

    /// The access with another value.
    fn access_but(&self, name: &str, value: &str) -> Vec<(&'static str, String)> {
        let mut access = self.access.clone();
        let (_, changed) = access.iter_mut().find(|(known, _)| *known == name).unwrap();
        value.clone_into(changed);
        access
    }

    fn command(&self, archive: &str, query: &str) -> Command {
        let mut command = sql(&[archive, query, "--csv"]);
        command.envs(self.access.clone());
        command
    }
}

const LEAGUE: &str = "s3://chess/my/league";
const QUERIES: [&str; 4] = [
    "select * from games order by game_id",
    "select count(*) from positions where ply = 20",
    "select opening(moves) as o, count(*) as n from games group by o order by n, o",
    "select p.key, san(g.moves, p.ply + 1) as s from positions p join games g on p.game_id = g.game_id
     where p.ply between 8 and 10 order by p.key, s",
];

#[test]
fn archives_on_s3_give_the_same_rows_and_are_checked() {
    let Some(server) = Server::start() else {
        return;
    };
    for query in QUERIES {
        let output = server.command(LEAGUE, query).output().unwrap();
        assert_eq!(answer(&output), ask(query, &["--csv"]), "{query}");
    }
    let query = "select max(White), max(moves) from games";
    let error = failure(&server.command("s3://chess/bad", query).output().unwrap());
    assert!(
        error.starts_with("s3://chess/bad/games/0000-00000.parquet is damaged: "),
        "{error}"
    );
    let error = failure(&server.command("s3://chess/none", query).output().unwrap());
    assert!(
        error.starts_with("s3://chess/none is not an archive"),
        "{error}"
    );
}

#[test]
fn a_cluster_reads_archives_on_s3() {
    let Some(server) = Server::start() else {
        return;
    };
    let cluster = Cluster::start_with(&server.access, &server.access);
    let ask_cluster = |archive: &str, query: &str| {
        let mut command = cluster.command(archive, query);
        command.envs(server.access.clone()).output().unwrap()
    };
    for query in QUERIES {
        let rows = answer(&ask_cluster(LEAGUE, query));
        assert_eq!(rows, ask(query, &["--csv"]), "{query}");
    }
    let query = "select max(White), max(moves) from games";
    let error = failure(&ask_cluster("s3://chess/bad", query));
    assert!(
        error.starts_with("s3://chess/bad/games/0000-00000.parquet is damaged: "),
        "{error}"
    );
}

/// The first file that is read of every archive.
const MANIFEST: &str = "cannot read s3://chess/my/league/archive.json: ";
const WRONG_SECRET: &str =
    "the key in AWS_SECRET_ACCESS_KEY does not belong to that in AWS_ACCESS_KEY_ID";

#[test]
fn what_is_wrong_with_the_access_is_said_in_one_sentence() {
    let Some(server) = Server::start() else {
        return;
    };
    let query = "select count(*) from games";
    let ask_with = |access: Vec<(&str, String)>| {
        let output = sql(&[LEAGUE, query]).envs(access).output().unwrap();
        failure(&output)
    };
    for (name, value, expected) in [
        ("AWS_SECRET_ACCESS_KEY", "wrong", WRONG_SECRET),
        (
            "AWS_ACCESS_KEY_ID",
            "NOBODY",
            "the server does not know the key in AWS_ACCESS_KEY_ID",
        ),
        (
            "AWS_ENDPOINT_URL",
            "http://127.0.0.1:1",
            "the server cannot be reached: Connection refused",
        ),
    ] {
        let error = ask_with(server.access_but(name, value));
        assert!(
            error.starts_with(&format!("{MANIFEST}{expected}")),
            "{error}"
        );
    }
    // Without keys, they are asked of the machine, if it is one of Amazon's.
    let mut access = server.access.clone();
    access.retain(|(name, _)| !name.ends_with("KEY_ID") && !name.ends_with("ACCESS_KEY"));
    access.push(("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1".to_owned()));
    assert_eq!(
        ask_with(access),
        format!("{MANIFEST}AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
    );
    let error = ask_with(server.access_but("AWS_ENDPOINT_URL", "localhost:9000"));
    assert!(
        error.starts_with("AWS_ENDPOINT_URL is 'localhost:9000', which is no address"),
        "{error}"
    );
    let output = server.command("s3://nowhere/league", query).output();
    assert_eq!(
        failure(&output.unwrap()),
        "cannot read s3://nowhere/league/archive.json: there is no such bucket"
    );
}

/// The client may read the archive, but the scheduler or the executors may not.
#[test]
fn what_is_wrong_with_the_access_of_a_cluster_is_said_in_one_sentence() {
    let Some(server) = Server::start() else {
        return;
    };
    let wrong = server.access_but("AWS_SECRET_ACCESS_KEY", "wrong");
    for (scheduler, executors) in [(&wrong, &server.access), (&server.access, &wrong)] {
        let cluster = Cluster::start_with(scheduler, executors);
        let mut command = cluster.command(LEAGUE, "select sum(length(White)) from games");
        let error = failure(&command.envs(server.access.clone()).output().unwrap());
        assert!(
            error.starts_with("cannot read s3://chess/my/league/") && error.ends_with(WRONG_SECRET),
            "{error}"
        );
    }
}
