//! Puts a load on `tabiya serve`: many connected pages, some that analyse, and a stream of moves.
//!
//!     cargo run -p tabiya-serve --example load -- target/release/tabiya [PAGES] [ANALYSING] [SECONDS]
//!
//! It starts the server on a free port, and ends it. The defaults are 200 pages, 20 of them analysing, for 60 seconds.
//! Every page has a socket to the engine and asks for legal moves once a second. Five rounds measure that while nobody
//! analyses, and one while some pages do. It prints how long requests took, how much of a processor the server used, and
//! its memory at ten moments, which must stay once the engines have their hash tables. At last the pages leave, and the
//! searches must end.
//!
//! On a busy machine requests wait for a processor, as everything does. How long a thread that only sleeps has to wait
//! for one is printed beside them.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// How often a page asks.
const PERIOD: Duration = Duration::from_secs(1);
/// The threads that pages share.
const THREADS: usize = 4;
const ROUNDS: u32 = 5;

/// The server at work. It ends with this value.
struct Running {
    child: Child,
    port: u16,
}

impl Running {
    fn start(program: &str) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--no-open"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let port = line.trim_end().trim_end_matches('/').rsplit(':').next();
        let port = port.and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no address: {line:?}"));
        Self { child, port }
    }

    /// The processor time that the server has used.
    fn cpu_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // After the name: state, ten numbers, and then the ticks of user and system, a hundred a second.
        let fields = stat.rsplit(") ").next().unwrap_or_default();
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|text| text.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// The server's resident memory in megabytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.map(|line| line.trim().trim_end_matches(" kB"));
        kilobytes.map_or(0, |text| text.parse::<u64>().unwrap_or(0) / 1024)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page: a connection for requests, and a socket to the engine.
struct Page {
    port: u16,
    requests: TcpStream,
    engine: WebSocket<TcpStream>,
}

impl Page {
    fn open(port: u16) -> Self {
        let connect = || TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        let request = format!("ws://127.0.0.1:{port}/api/engine");
        let request = request.into_client_request().expect("an address");
        let mut engine = tungstenite::client(request, connect()).expect("a socket").0;
        engine.read().expect("the engine's name");
        engine.get_ref().set_nonblocking(true).expect("a socket");
        Self {
            port,
            requests: connect(),
            engine,
        }
    }

    /// Answers the server, which asks now and then whether the page is still there.
    fn stay(&mut self) {
        loop {
            match self.engine.read() {
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    break;
                }
                Err(error) => panic!("the server hung up: {error}"),
            }
        }
        self.engine.flush().expect("a server that listens");
    }

    /// Lets the engine think, and returns how many reports came.
    fn analyse(mut self, time: Duration) -> u64 {
        self.engine
            .get_ref()
            .set_nonblocking(false)
            .expect("a socket");
        let request = r#"{"type":"think","id":1,"multipv":3}"#;
        self.engine.send(Message::text(request)).expect("a request");
        let (start, mut reports) = (Instant::now(), 0_u64);
        while start.elapsed() < time {
            self.engine.read().expect("a report");
            reports += 1;
        }
        reports
    }

    /// Asks for the legal moves of a position, and returns how long that took.
    fn ask(&mut self) -> Duration {
        let body = r#"{"moves":["e2e4","c7c5","g1f3","d7d6"]}"#;
        let request = format!(
            "POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        let start = Instant::now();
        self.requests
            .write_all(request.as_bytes())
            .expect("a request");
        let mut answer = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = self.requests.read(&mut buffer).expect("an answer");
            assert!(count > 0, "the server closed the connection");
            answer.extend_from_slice(&buffer[..count]);
            let text = String::from_utf8_lossy(&answer);
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            let length = head.lines().find_map(|line| {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length: ")?.parse().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                assert!(body.contains("\"d2d4\""), "{body}");
                return start.elapsed();
            }
        }
    }
}

/// Median, 99th percentile and maximum in milliseconds.
fn percentiles(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: usize| {
        let index = (times.len() * share / 100).min(times.len() - 1);
        times[index].as_secs_f64() * 1000.0
    };
    let (median, late, longest) = (at(50), at(99), at(100));
    format!("median {median:.2} ms, 99th percentile {late:.1} ms, longest {longest:.1} ms")
}

/// Lets the pages ask for some time. Returns the server's memory at ten moments.
fn measure(name: &str, server: &Running, pages: &mut [Page], time: Duration) -> Vec<u64> {
    let (start, before) = (Instant::now(), server.cpu_time());
    let mut memories = Vec::new();
    let is_over = AtomicBool::new(false);
    let (times, sleeper) = thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let (nap, mut late) = (Duration::from_millis(5), Vec::new());
            while !is_over.load(Ordering::Relaxed) {
                let start = Instant::now();
                thread::sleep(nap);
                late.push(start.elapsed().saturating_sub(nap));
            }
            late
        });
        let share = pages.len().div_ceil(THREADS);
        let askers: Vec<_> = pages
            .chunks_mut(share)
            .enumerate()
            .map(|(number, pages)| {
                scope.spawn(move || {
                    let pause = PERIOD / pages.len() as u32;
                    // The threads take turns.
                    let mut next = start + pause / THREADS as u32 * number as u32;
                    let mut times = Vec::new();
                    while start.elapsed() < time {
                        for page in &mut *pages {
                            thread::sleep(next.saturating_duration_since(Instant::now()));
                            times.push(page.ask());
                            page.stay();
                            next += pause;
                        }
                    }
                    times
                })
            })
            .collect();
        for moment in 1..=10 {
            thread::sleep((start + time / 10 * moment).saturating_duration_since(Instant::now()));
            memories.push(server.memory());
        }
        let times: Vec<Duration> = askers
            .into_iter()
            .flat_map(|asker| asker.join().expect("answers to all requests"))
            .collect();
        is_over.store(true, Ordering::Relaxed);
        (times, sleeper.join().expect("a sleeper"))
    });
    let cpu = server.cpu_time().saturating_sub(before).as_secs_f64();
    println!(
        "{name}: {} requests, all answered, {}",
        times.len(),
        percentiles(times.clone())
    );
    println!(
        "    a sleeper wakes up late by {}; the server used {:.0} % of a processor",
        percentiles(sleeper),
        100.0 * cpu / start.elapsed().as_secs_f64()
    );
    memories
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!(
            "usage: load PROGRAM [PAGES] [ANALYSING] [SECONDS], where PROGRAM is target/release/tabiya"
        );
        std::process::exit(2);
    };
    let numbers: Vec<u64> = arguments
        .map(|text| text.parse().expect("a number"))
        .collect();
    let number = |index: usize, usual| numbers.get(index).copied().unwrap_or(usual);
    let (count, analysing) = (number(0, 200).max(1), number(1, 20) as usize);
    let time = Duration::from_secs(number(2, 60));
    let server = Running::start(&program);

    let mut pages: Vec<Page> = (0..count).map(|_| Page::open(server.port)).collect();
    println!("{count} pages connected, {} MB", server.memory());
    for round in 1..=ROUNDS {
        let name = format!("nobody analyses, round {round}");
        measure(&name, &server, &mut pages, time / 4 / ROUNDS);
    }

    let others = pages.len().saturating_sub(analysing).max(1);
    let analysing = pages.split_off(others);
    let (readers, memories) = thread::scope(|scope| {
        let count = analysing.len();
        let readers: Vec<_> = analysing
            .into_iter()
            .map(|page| scope.spawn(move || page.analyse(time)))
            .collect();
        let memories = measure(&format!("{count} analyse"), &server, &mut pages, time);
        let reports = readers
            .into_iter()
            .map(|reader| reader.join().expect("a page that was served"));
        (reports.collect::<Vec<u64>>(), memories)
    });
    println!(
        "    reports to each of them: {} to {}",
        readers.iter().min().unwrap_or(&0),
        readers.iter().max().unwrap_or(&0)
    );
    println!("    memory in MB: {memories:?}");
    let (start, mut before) = (Instant::now(), server.cpu_time());
    // They have left. A server that searches on would use a processor all the time.
    loop {
        thread::sleep(PERIOD);
        let now = server.cpu_time();
        if now.saturating_sub(before) < PERIOD / 20 {
            break;
        }
        before = now;
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the searches go on"
        );
    }
    println!("the searches ended with their pages");
}
