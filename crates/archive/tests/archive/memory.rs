//! A build keeps to its memory, whatever the size of the files.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Folder, command, random_games, run};

/// The most memory that a process has had so far, in bytes.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[test]
fn memory_stays_under_the_limit() {
    let folder = Folder::new();
    // About 240 MB of rows if they were all in memory at once. Each copy has names of its own.
    let games = random_games(2000, 31);
    let path = folder.path("games.pgn");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    for copy in 0..40 {
        let copy = games.replace(
            "https://example.org/31",
            &format!("https://example.org/{copy}"),
        );
        file.write_all(copy.as_bytes()).unwrap();
    }
    file.flush().unwrap();
    drop(file);
    let archive = folder.path("archive");
    let mut build = command()
        .args([
            "build",
            path.to_str().unwrap(),
            "-o",
            archive.to_str().unwrap(),
        ])
        .args(["--memory", "128MB", "--threads", "2"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = loop {
        most = most.max(peak(build.id()).unwrap_or(0));
        if let Some(status) = build.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    assert!(status.success());
    assert!(most > 20_000_000, "{most} bytes: this cannot be right");
    assert!(most < 128_000_000, "{most} bytes");
    let info = run(&["info", archive.to_str().unwrap(), "--json"]);
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(info["games"], 80_000);
    assert!(info["positions"].as_u64().unwrap() * 24 > 70_000_000);
}
