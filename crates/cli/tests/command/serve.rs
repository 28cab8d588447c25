//! `tabiya serve`. What it answers is tested in its own crate.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::archive::{command, with_stand_in};
use crate::folder::Folder;

/// `tabiya serve`, which ends with the test.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(mut command: Command) -> Self {
        command.args(["serve", "--port", "0", "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("The board is at http://");
        let host = address.unwrap_or_else(|| panic!("{line:?}"));
        Self {
            child,
            host: host.trim_end_matches('/').to_owned(),
        }
    }

    /// Asks the explorer about the start position.
    fn explore(&self) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let head = format!(
            "POST /api/explore HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 2\r\n",
            self.host
        );
        write!(stream, "{head}Content-Type: application/json\r\n\r\n{{}}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// "Open in the browser" in the menu runs this command, too.
#[test]
fn the_server_shows_the_archive_of_the_settings() {
    for (name, expected) in [
        ("games", "2345"),
        ("none", "none is not an archive: build one."),
    ] {
        let folder = Folder::new(&format!("serve-setting-{name}"));
        let archive = folder.path(name);
        let mut set = with_stand_in(&folder, &["config", "set", "archive", &archive]);
        assert!(set.status().unwrap().success());
        let answer = Server::start(command(&folder)).explore();
        assert!(answer.contains(expected), "{answer}");
    }
}

#[test]
fn ctrl_c_ends_the_server_although_pages_are_connected() {
    let folder = Folder::new("serve-ends");
    let mut server = Server::start(command(&folder));
    let _page = TcpStream::connect(&server.host).unwrap();
    assert!(server.explore().contains("No archive is open"));
    let id = server.child.id().to_string();
    let mut kill = Command::new("kill");
    assert!(kill.args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
