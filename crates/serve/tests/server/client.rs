//! A server on any free port, and clients that write their requests by hand.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
#[cfg(unix)]
use tabiya_explorer::Explorer;
use tabiya_serve::{ServeOptions, Server};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderName;
use tungstenite::{Message, WebSocket};

/// Longer than anything takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A server that runs until it is dropped.
pub(crate) struct TestServer {
    pub(crate) port: u16,
    pub(crate) url: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn options() -> ServeOptions {
    ServeOptions {
        port: 0,
        threads: 1,
        hash: 1,
        ..ServeOptions::default()
    }
}

/// An archive that is answered by the stand-in for tabiya-archive; the name says how it behaves.
#[cfg(unix)]
pub(crate) fn stand_in(name: &str) -> Explorer {
    let fake = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../explorer/tests/fake-archive"
    );
    Explorer::with_program(fake.as_ref(), name.as_ref()).unwrap()
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(options())
    }

    pub(crate) fn with_folder(folder: PathBuf) -> Self {
        Self::with(ServeOptions {
            folder: Some(folder),
            ..options()
        })
    }

    #[cfg(unix)]
    pub(crate) fn with_archive(name: &str) -> Self {
        Self::with_explorer(stand_in(name))
    }

    #[cfg(unix)]
    pub(crate) fn with_explorer(explorer: Explorer) -> Self {
        Self::run(Server::bind(options()).unwrap().with_explorer(explorer))
    }

    pub(crate) fn open_to_network() -> Self {
        Self::with(ServeOptions {
            host: IpAddr::from([0, 0, 0, 0]),
            ..options()
        })
    }

    pub(crate) fn with(options: ServeOptions) -> Self {
        Self::run(Server::bind(options).unwrap())
    }

    fn run(server: Server) -> Self {
        let (port, url) = (server.port(), server.url());
        let (end, ended) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let ended = async {
                let _ = ended.await;
            };
            server.run_until(ended).unwrap();
        });
        Self {
            port,
            url,
            end: Some(end),
            thread: Some(thread),
        }
    }

    /// The token in the address.
    pub(crate) fn token(&self) -> &str {
        self.url.split_once("?token=").unwrap().1
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request as it is written, and returns the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        // A server that refuses a large body closes early.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Response::read(&bytes)
    }

    /// Sends a request with these further header lines.
    pub(crate) fn request(&self, line: &str, headers: &[&str], body: &str) -> Response {
        let host = self.host();
        let has_host = headers.iter().any(|line| line.starts_with("Host:"));
        let has_connection = headers.iter().any(|line| line.starts_with("Connection:"));
        let mut text = format!("{line} HTTP/1.1\r\n");
        if !has_connection {
            text += "Connection: close\r\n";
        }
        if !has_host {
            text.extend(["Host: ", &host, "\r\n"]);
        }
        for header in headers {
            text += header;
            text += "\r\n";
        }
        if !body.is_empty() {
            text.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        text += "\r\n";
        text += body;
        self.raw(text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.request(&format!("GET {path}"), &[], "")
    }

    /// Sends JSON.
    pub(crate) fn send(&self, line: &str, body: &Value) -> Response {
        self.request(line, &["Content-Type: application/json"], &body.to_string())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.send(&format!("POST {path}"), body)
    }

    /// Opens a WebSocket.
    pub(crate) fn socket(&self, path: &str) -> Socket {
        self.socket_with(path, "Accept: */*")
    }

    /// Opens a WebSocket with a further header line.
    pub(crate) fn socket_with(&self, path: &str, header: &str) -> Socket {
        let url = format!("ws://127.0.0.1:{}{path}", self.port);
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut request = url.into_client_request().unwrap();
        let (name, value) = header.split_once(": ").unwrap();
        let name: HeaderName = name.parse().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Socket(socket)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.end.take().map(|end| end.send(()));
        let (done, is_done) = mpsc::channel();
        let thread = self.thread.take();
        std::thread::spawn(move || {
            let _ = done.send(thread.map(JoinHandle::join));
        });
        let ended = is_done.recv_timeout(TIMEOUT);
        if !std::thread::panicking() {
            ended.expect("the server ends when it is told to");
        }
    }
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self {
            status,
            head: head.to_ascii_lowercase(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&self.body)))
    }

    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The page's end of a WebSocket.
pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Reads until a message of this kind.
    pub(crate) fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let message = self.receive();
            if message["type"] == kind {
                return message;
            }
        }
    }
}

/// An empty folder of its own for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabiya-serve-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
