//! Puts a load on a server: many connected pages, some that analyse, and a stream of moves.
//!
//!     cargo run --release -p tabiya-serve --example load -- [PAGES] [ANALYSING] [SECONDS]
//!
//! The defaults are 200 pages, 20 of them analysing, for 60 seconds. First it measures the time of a legal-move request
//! while nobody analyses, then again while 20 do. Prints percentiles, and the memory of the process at ten moments of the
//! second phase: it rises while the engines fill their hash tables, and then stays.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tabiya_serve::{ServeOptions, Server};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

type Page = WebSocket<TcpStream>;

fn connect(port: u16) -> Page {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let request = format!("ws://127.0.0.1:{port}/api/engine")
        .into_client_request()
        .expect("an address");
    tungstenite::client(request, stream).expect("a socket").0
}

/// Asks for the legal moves of a position, and returns how long that took.
fn ask(stream: &mut TcpStream, port: u16) -> Duration {
    let body = r#"{"moves":["e2e4","c7c5","g1f3","d7d6"]}"#;
    let request = format!(
        "POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let start = Instant::now();
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = stream.read(&mut buffer).expect("an answer");
        assert!(count > 0, "the server closed the connection");
        answer.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let length = head.lines().find_map(|line| {
            line.to_ascii_lowercase()
                .strip_prefix("content-length: ")?
                .parse()
                .ok()
        });
        if body.len() >= length.unwrap_or(0) {
            return start.elapsed();
        }
    }
}

/// Asks for moves, a hundred times a second, and prints percentiles. Returns the memory at ten moments.
fn measure(name: &str, port: u16, time: Duration) -> Vec<Option<u64>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let mut times = Vec::new();
    let mut memories = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        times.push(ask(&mut stream, port));
        if start.elapsed() >= time / 10 * (memories.len() as u32 + 1) {
            memories.push(memory());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    times.sort();
    let at = |share: usize| {
        times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1000.0
    };
    println!(
        "{name}: {} requests, median {:.1} ms, 99th percentile {:.1} ms, longest {:.1} ms",
        times.len(),
        at(50),
        at(99),
        at(100)
    );
    memories
}

/// The resident memory of this process in megabytes, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? / 1024)
}

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|text| text.parse().expect("a number"))
        .collect();
    let number = |index: usize, usual| numbers.get(index).copied().unwrap_or(usual);
    let (pages, analysing) = (number(0, 200), number(1, 20));
    let time = Duration::from_secs(number(2, 60));
    let server = Server::bind(ServeOptions {
        port: 0,
        threads: 1,
        ..ServeOptions::default()
    })
    .expect("a free port");
    let port = server.port();
    std::thread::spawn(move || server.run());

    let mut pages: Vec<Page> = (0..pages).map(|_| connect(port)).collect();
    for page in &mut pages {
        page.read().expect("the engine's name");
    }
    println!("{} pages connected", pages.len());
    measure("nobody analyses", port, time / 4);

    let readers: Vec<_> = pages
        .drain(..analysing as usize)
        .map(|mut page| {
            page.send(Message::text(r#"{"type":"think","id":1,"multipv":3}"#))
                .expect("a request");
            std::thread::spawn(move || {
                let start = Instant::now();
                let mut reports = 0_u64;
                while start.elapsed() < time {
                    page.read().expect("a report");
                    reports += 1;
                }
                reports
            })
        })
        .collect();
    std::thread::sleep(Duration::from_secs(2));
    let memories = measure(
        &format!("{analysing} analyse"),
        port,
        time.saturating_sub(Duration::from_secs(3)),
    );
    let reports: Vec<u64> = readers
        .into_iter()
        .map(|reader| reader.join().expect("a page that was served"))
        .collect();
    println!(
        "reports to each analysing page: {:?} to {:?}",
        reports.iter().min(),
        reports.iter().max()
    );
    let memories: Vec<String> = memories
        .iter()
        .map(|size| size.map_or_else(|| "?".to_owned(), |size| size.to_string()))
        .collect();
    println!("memory in MB: {}", memories.join(", "));
}
